"""The ledger in words: why a column did not win, and how its figures come about, as in a textbook."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from treewright.formatting import format_count, format_decimals, format_distinct, format_score, format_weight
from treewright.model.ledger_arrays import NO_RATIO, LedgerRules
from treewright.model.records import Float64
from treewright.parts.criteria import OF_NUMBERS, Branches, Criterion, criterion_called


@dataclass(frozen=True, slots=True)
class Case:
    """What the reason for the verdict of a ledger row depends on.

    Parameters
    ----------
    rules : LedgerRules
        How columns were compared.
    score, net_gain, cost, n_tries
        The row's figures, None where there are none.
    average : float
        Gain that a column had to reach.
    winner, winner_score : str, float or None
        Column that won, and its score; None where none did.
    best_cut, best_score : str, float or None
        The best cut of the same column, and its score.
    is_less_even : bool
        Whether the sides of this cut differ more in weight than those of the best, where that breaks ties.
    stop : str
        Why the node is a leaf, one of `treewright.model.ledger_arrays.STOPS`.
    is_whole : bool
        Whether all weights are whole numbers.
    """

    rules: LedgerRules
    score: float | None
    net_gain: float | None
    cost: float | None
    n_tries: int | None
    average: float
    winner: str | None
    winner_score: float | None
    best_cut: str | None
    best_score: float | None
    is_less_even: bool
    stop: str
    is_whole: bool


def reason(verdict: str, case: Case) -> str:
    """Say in a few words why a column won or lost at a node."""
    say = _REASONS.get(verdict)
    return verdict if say is None else say(case)


def _won(case: Case) -> str:
    return "wins" if case.stop == "asks" else f"best, but {why_leaf(case.stop)}"


def _lower_score(case: Case) -> str:
    if case.winner_score is None or case.score is None:
        return "no positive gain"
    if case.rules.is_ratio and case.score == NO_RATIO:
        return "splits off nothing, so it has no ratio"
    below, above = format_distinct(case.score, case.winner_score)
    return f"{'ratio' if case.rules.is_ratio else 'gain'} {below} below {above} of `{case.winner}`"


def _below_average(case: Case) -> str:
    assert case.net_gain is not None, "what is below the average was scored"
    below, above = format_distinct(case.net_gain, case.average)
    return f"gain {below} below the average {above}"


def _no_gain(case: Case) -> str:
    if not case.cost or case.net_gain is None:
        return "no positive gain"
    gain, cost = format_decimals(case.net_gain + case.cost), format_decimals(case.cost)
    return f"gain {gain} does not pay {cost} for {case.n_tries} cuts tried"


def _other_cut(case: Case) -> str:
    if case.score == case.best_score:
        return f"tied with {case.best_cut}, {'sides less even' if case.is_less_even else 'later cut'}"
    return f"{case.best_cut} is better"


_REASONS: Mapping[str, Callable[[Case], str]] = {
    "won": _won,
    "lower score": _lower_score,
    "tied": lambda case: f"tied with `{case.winner}`, later column",
    "below average": _below_average,
    "no gain": _no_gain,
    "too few": lambda case: too_few(case.rules, case.is_whole),
    "out of order": lambda case: "answers would be out of order",
    "other cut": _other_cut,
}


def too_few(rules: LedgerRules, is_whole: bool) -> str:
    """Say which limit on the sides of a cut was not met."""
    least = rules.min_weight_leaf
    if least > rules.min_rows_leaf or (least and rules.min_rows_leaf == 1):
        if is_whole:
            return f"fewer than {format_weight(math.ceil(least))} rows on one side"
        return f"less than a weight of {format_weight(least)} on one side"
    return f"fewer than {format_count(rules.min_rows_leaf, 'row')} on one side"


def why_leaf(stop: str) -> str:
    """Say why a node is a leaf.

    Examples
    --------
    >>> why_leaf("pruned")
    'pruned'
    """
    return {
        "empty": "no row reaches it",
        "pure": "all rows have one answer",
        "max depth": "the tree has reached its maximum depth",
        "too few rows": "too few rows to be split",
        "too few for leaves": "too few rows for two leaves",
        "too light": "too little weight to be split",
        "pure enough": "its impurity is low enough",
        "no question": "no column can be split",
        "too little gain": "it gains too little",
        "leaves spent": "the limit on leaves is reached",
    }.get(stop, stop)


def formula(
    name: str,
    rules: LedgerRules,
    *,
    outcome: Float64,
    weight: float,
    missing: float,
    missing_branch: int,
    gain: float,
    split: float | None,
    ratio: float | None,
    cost: float | None,
    n_tries: int | None,
) -> str:
    """Write out the arithmetic of a candidate, one line per figure.

    Parameters
    ----------
    name : str
        The column.
    rules : LedgerRules
        How columns were compared.
    outcome : array
        The branches, as in `treewright.model.ledger_arrays.LedgerArrays`.
    weight, missing : float
        Weight of the node, and of its rows with missing values.
    missing_branch : int
        Branch with which these rows were scored.
    gain, split, ratio, cost, n_tries
        The candidate's figures, None where there are none.
    """
    sizes = weights_of(outcome, rules)
    scored = float(sizes.sum())
    factor, text = _factor(rules.penalty, missing if missing_branch < 0 else 0.0, weight)
    # Where nearly all values are missing, rounding may leave nothing of the other weight, nor of the gain.
    criterion = _criterion(rules)
    terms, is_sum = criterion.gain_as_text(Branches(outcome, sizes, gain / factor if factor else 0.0))
    if text and is_sum:
        terms = f"({terms})"
    lines = [f"{criterion.gain_name}({name}) = {text}{terms} = {format_score(gain)}"]
    if cost is not None and n_tries is not None:
        lines.append(
            f"Gain({name}) − log2({n_tries}) / {format_weight(weight)} = "
            f"{format_score(gain)} − {format_score(cost)} = {format_score(gain - cost)}"
        )
    if split is None:
        return "\n".join(lines)
    parts, whole = sizes[sizes > 0].tolist(), scored
    if rules.unknown_is_branch and missing:
        parts, whole = [*parts, missing], weight
    of_parts = " ".join(f"− {_share(part, whole)} × log2({_share(part, whole)})" for part in parts)
    lines.append(f"SplitInfo({name}) = {of_parts.replace('− ', '−', 1)} = {format_score(split)}")
    if ratio is not None:
        net = gain - (cost or 0.0)
        known = (
            ""
            if rules.by != "score" or rules.ratio_pays_for_gaps or missing_branch >= 0 or not missing
            else (f" / ({_share(weight - missing, weight)})")
        )
        quotient = f"{format_score(net)}{known} / {format_score(split)}"
        lines.append(f"GainRatio({name}) = {quotient} = {format_score(ratio)}")
    return "\n".join(lines)


def weights_of(outcome: Float64, rules: LedgerRules) -> Float64:
    """Give the weight of each branch."""
    return outcome[:, 0] if rules.criterion in OF_NUMBERS else outcome.sum(axis=1)


def unevenness(outcome: Float64, rules: LedgerRules) -> float:
    """Give the difference in weight of the sides of a cut where it breaks ties; otherwise 0."""
    if not _criterion(rules).prefers_even_sides or len(outcome) < 2:
        return 0.0
    left, right = weights_of(outcome, rules)[:2]
    return float(abs(left - right))


def split_information(sizes: Float64) -> float:
    """Give the information of a split into branches of these sizes."""
    shares = (sizes / sizes.sum()).tolist()
    return -math.fsum(share * math.log2(share) for share in shares if share > 0) + 0.0


def _criterion(rules: LedgerRules) -> type[Criterion]:
    found = criterion_called(rules.criterion)
    assert found is not None, "the ledger is of a criterion that this version knows"
    return found


def _factor(penalty: str, missing: float, weight: float) -> tuple[float, str]:
    """Give the factor by which missing values lower a gain, and write it."""
    if not missing or penalty == "none":
        return 1.0, ""
    if penalty == "linear":
        return 1 - missing / weight, f"{_share(weight - missing, weight)} × "
    return 1 - (missing / weight) ** 2, f"(1 − ({_share(missing, weight)})²) × "


def _share(part: float, whole: float) -> str:
    return f"{format_weight(part)}/{format_weight(whole)}"
