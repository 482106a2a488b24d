"""The rows of the ledger: the candidate of a column at a node, why it won or lost, and its arithmetic."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treewright.errors import ParameterError
from treewright.formatting import format_decimals, format_distinct, format_score, format_weight
from treewright.model.ledger_arrays import NO_RATIO, STOPS, VERDICTS, WHY_LEAF, LedgerArrays, LedgerRules
from treewright.model.questions import ROOM, Question, Threshold
from treewright.model.records import Array, Float64, Int64
from treewright.parts.criteria import Branches
from treewright.schema import Schema
from treewright.wording import Language, said

# The reason printed for a verdict, where it is not the verdict itself.
_WHY = {
    "no gain": "no positive gain",
    "lower score": "no positive gain",
    "out of order": "answers would be out of order",
}

# The heading under which the impurity left is printed, by criterion.
_LEFT = {"gini": "Gini", "entropy": "entropy", "gain_ratio": "entropy", "variance": "squares"}


@dataclass(frozen=True, slots=True)
class LedgerBranch:
    """A branch of a candidate.

    Parameters
    ----------
    condition : str
        The condition for taking it: ``"<= 0.3815"``, ``"青绿"``, ``"missing"``.
    weight : float
        Weight of the rows that were scored in it.
    outcome : tuple of float
        Weight of each class, or the mean; for the absolute error the mean distance from the median.
    """

    condition: str
    weight: float
    outcome: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """The candidate of one column at one node.

    Parameters
    ----------
    node : int
        Number of the node.
    column : str
        Name of the column.
    question : Threshold, Branches or None
        Its best split; None if it has no split. It names only categories that rows of the node have.
    branches : tuple of LedgerBranch
        The branches of the split.
    known : float
        Fraction of the node's weight whose value is known.
    impurity : float or None
        Impurity left in the branches, weighted by their shares of the weight: Gini(D, A) or H(D | A) in
        textbooks. For numbers only by squared error and if every cut is listed: the sum of squares / weight.
    gain : float or None
        Decrease of the node's impurity, with missing values taken into account; in bits if the criterion is
        entropy.
    cost : float or None
        Charge for the cuts tried, in the same unit; None if there is no charge.
    n_tries : int or None
        Number of cuts tried, if they are charged for or count in the average.
    split_information, ratio : float or None
        Entropy of the split itself, and (gain − cost) divided by it.
    score : float or None
        The figure that columns are compared by: the gain, the net gain or the ratio.
    rank : int or None
        Rank among all candidates of the node, 1 for the best one.
    verdict : str
        One of `treewright.model.ledger_arrays.VERDICTS`.
    reason : str
        The verdict as text, with figures.
    """

    node: int
    column: str
    question: Question | None
    branches: tuple[LedgerBranch, ...]
    known: float
    impurity: float | None
    gain: float | None
    cost: float | None
    n_tries: int | None
    split_information: float | None
    ratio: float | None
    score: float | None
    rank: int | None
    verdict: str
    reason: str

    @property
    def kind(self) -> str:
        """Kind of split: ``"cut"``, ``"known"``, ``"sets"``, ``"categories"``, or ``""`` for none."""
        if self.question is None:
            return ""
        if isinstance(self.question, Threshold):
            return "known" if self.question.cut == math.inf else "cut"
        return "categories" if all(len(codes) <= 1 for codes in self.question.codes) else "sets"

    @property
    def is_of_each(self) -> bool:
        """Whether each category has a branch of its own, and there are more than two."""
        return self.kind == "categories" and len(self.branches) > 2


@dataclass(frozen=True, eq=False)
class LedgerRows:
    """All rows of a ledger by their positions. Figures that depend on all rows are computed once.

    Parameters
    ----------
    schema : Schema
        Names of columns, categories and classes.
    arrays : LedgerArrays
        The figures.
    integer_columns : tuple of int
        Columns compared as int64.
    numbers : tuple of int, optional
        Numbers of the nodes in the tree; by default all nodes of the tree.
    lang : {"en", "zh"}
        Language of reasons, conditions and formulas.
    every_cut : bool
        Whether every cut of one node is listed.
    squares : array of float64, optional
        Sum of squared distances from the mean in each branch, if known.
    """

    schema: Schema
    arrays: LedgerArrays
    integer_columns: tuple[int, ...]
    numbers: tuple[int, ...] | None
    lang: Language = "en"
    every_cut: bool = False
    squares: Float64 | None = None

    @property
    def rules(self) -> LedgerRules:
        """How columns were compared."""
        return self.arrays.rules

    def number(self, at: int) -> int:
        """Return the number of a node in the tree, by its position in the arrays."""
        return at if self.numbers is None else self.numbers[at]

    @cached_property
    def node(self) -> Int64:
        """Position of the node of every row."""
        return self.arrays.node

    @cached_property
    def score(self) -> Float64:
        """The figure that every row is compared by; NaN for rows that are not compared."""
        rules, arrays = self.rules, self.arrays
        if rules.is_ratio:
            return arrays.worth
        return arrays.net_gain if rules.by == "gain" else arrays.gain

    @cached_property
    def rank(self) -> Int64:
        """Rank of every row in its node; 0 for rows without a rank."""
        arrays = self.arrays
        order_of = {"won": 0, "lower score": 1, "tied": 1, "other cut": 1, "below average": 2}
        tier = np.array([order_of.get(verdict, 9) for verdict in VERDICTS])[arrays.verdict]
        ranked = np.flatnonzero(tier < 9)
        # Among tied cuts of a column, the one chosen as its best comes first, then the lowest.
        is_other = arrays.verdict == VERDICTS.index("other cut")
        keys = is_other, arrays.column, -self.score, tier, self.node
        order = ranked[np.lexsort(tuple(key[ranked] for key in keys))]
        first = np.searchsorted(self.node[order], self.node[order], side="left")
        rank = np.zeros(len(arrays), dtype=np.int64)
        rank[order] = np.arange(len(order)) - first + 1
        return rank

    def question(self, position: int) -> Question | None:
        """Return the split of a row; None if it has no split."""
        n_branches, missing_branch = len(self.outcome(position)), int(self.arrays.missing_branch[position])
        if not n_branches:
            return None
        return self.arrays.question_at(position, n_branches, missing_branch, self.integer_columns)

    def outcome(self, position: int) -> Float64:
        """Return the outcome of each branch of a row."""
        begin, end = self.arrays.branch_begin[position : position + 2]
        return self.arrays.outcome[begin:end]

    def row(self, position: int) -> LedgerRow:
        """Read one row."""
        arrays, rules = self.arrays, self.rules
        node, column = int(self.node[position]), int(arrays.column[position])
        weight, missing = float(arrays.weight[node]), float(arrays.missing[position])
        outcome, question = self.outcome(position), self.question(position)
        is_quinlan = bool(len(arrays.net_gain))
        is_number = not self.schema.columns[column].is_category
        gain, net = _figure(arrays.gain, position), _figure(arrays.net_gain, position)
        is_charged = rules.charges_tries and is_number and is_quinlan
        ratio = _figure(arrays.worth, position) if rules.is_ratio else None
        split = _figure(arrays.split_information, position)
        if not is_quinlan and ratio is not None:
            split = _information(rules.weights_of(outcome))
        if net is not None and net <= 0 and VERDICTS[arrays.verdict[position]] == "too few":
            split = ratio = None  # the core does not compute them for a forbidden cut without net gain
        row = LedgerRow(
            node=self.number(node),
            column=self.schema.names[column],
            question=question,
            branches=tuple(
                LedgerBranch(self._condition(question, branch, missing > 0), *self._weighed(values))
                for branch, values in enumerate(outcome)
                if question is not None
            ),
            known=1.0 - missing / weight if weight else 1.0,
            impurity=self._left(position),
            gain=gain,
            cost=gain - net if is_charged and gain is not None and net is not None else None,
            n_tries=int(arrays.n_tries[position]) if is_quinlan and is_number and gain is not None else None,
            split_information=split,
            ratio=None if ratio == NO_RATIO and is_quinlan else ratio,
            score=_figure(self.score, position),
            rank=int(self.rank[position]) or None,
            verdict=VERDICTS[arrays.verdict[position]],
            reason="",
        )
        return replace(row, reason=self._reason(row, position))

    @property
    def left_name(self) -> str:
        """The name of the impurity that a split leaves."""
        return _LEFT.get(self.rules.criterion, "impurity left")

    def _left(self, position: int) -> float | None:
        """Return the impurity left in the branches of a split."""
        outcome = self.outcome(position)
        sizes = self.rules.weights_of(outcome)
        if not len(outcome) or not sizes.sum():
            return None
        if not self.rules.is_of_numbers:
            inside = self.rules.known_criterion.impurity_of(outcome)
            return float((sizes * inside).sum() / sizes.sum())
        return None if self.squares is None else float(self._squares(position).sum() / sizes.sum())

    def _squares(self, position: int) -> Float64:
        """Return the sum of squares of each branch of a row."""
        assert self.squares is not None, "the caller has checked that sums of squares are known"
        begin, end = self.arrays.branch_begin[position : position + 2]
        return self.squares[begin:end]

    def _left_as_text(self, position: int, name: str) -> str:
        """Write out the impurity left: for classes a weighted mean, for numbers a sum of squares."""
        outcome = self.outcome(position)
        sizes = self.rules.weights_of(outcome)
        some = sizes > 0
        if self.rules.is_of_numbers:
            inside = self._squares(position)
            means = [f"Σ(y − {format_score(mean)})²" for mean in outcome[some, 1].tolist()]
            terms = [*map(format_score, inside[some].tolist())]
            text, left = f"{' + '.join(means)} = {' + '.join(terms)}", float(inside.sum())
        else:
            inside = self.rules.known_criterion.impurity_of(outcome)
            pairs = zip(sizes[some].tolist(), inside[some].tolist(), strict=True)
            whole, left = float(sizes.sum()), float((sizes * inside).sum() / sizes.sum())
            text = " + ".join(f"{_share(size, whole)} × {format_score(each)}" for size, each in pairs)
        return f"{self._said(self.left_name)}({name}) = {text} = {format_score(left)}"

    def _reason(self, row: LedgerRow, position: int) -> str:
        """Say in a few words why a column won or lost at a node."""
        arrays, node = self.arrays, int(self.node[position])
        best = self.best(node)
        if best is not None and VERDICTS[arrays.verdict[best]] != "won":
            best = None
        winner = None if best is None else self.schema.names[arrays.column[best]]
        match row.verdict:
            case "won":
                return self._why_best(STOPS[arrays.stop[node]])
            case "lower score" if best is not None and row.score is not None:
                return self._why_lower(row.score, float(self.score[best]), winner)
            case "tied":
                text, figures = "tied with `{winner}`, later column", {"winner": winner}
            case "below average":
                net = arrays.net_gain if len(arrays.net_gain) else arrays.gain
                below, above = format_distinct(float(net[position]), float(arrays.average[node]))
                text, figures = "gain {below} below the average {above}", {"below": below, "above": above}
            case "no gain" if row.gain is not None and row.cost:
                text = "gain {gain} does not pay {cost} for {n} cuts tried"
                gain, cost = format_decimals(row.gain), format_decimals(row.cost)
                figures = {"gain": gain, "cost": cost, "n": str(row.n_tries)}
            case "too few":
                weights = np.append(self.outcome(position), arrays.weight[node])
                return self.rules.too_few(bool((weights == np.round(weights)).all()), self.lang)
            case "other cut":
                return self._why_not_this_cut(position, self.best(node, int(arrays.column[position])))
            case _:
                text, figures = _WHY.get(row.verdict, row.verdict), {}
        return self._said(text, **figures)

    def _why_best(self, stop: str) -> str:
        if stop == "asks":
            return self._said("wins")
        return self._said("best, but {why}", why=self._said(WHY_LEAF[stop]))

    def _why_lower(self, score: float, best: float, winner: str | None) -> str:
        if self.rules.is_ratio and score == NO_RATIO:
            return self._said("splits off nothing, so it has no ratio")
        below, above = format_distinct(score, best)
        what = "ratio" if self.rules.is_ratio else "gain"
        text = what + " {below} below {above} of `{winner}`"
        return self._said(text, below=below, above=above, winner=winner)

    def _said(self, text: str, **figures: object) -> str:
        return said(self.lang, text, **figures)

    def _why_not_this_cut(self, position: int, best: int | None) -> str:
        """Say why another cut of a column is not its best."""
        if best is None:
            return self._said("another cut is better")
        other = in_words(self.question(best), self.schema, self.lang)
        if self.score[position] != self.score[best]:
            return self._said("{split} is better", split=other)
        mine, its = (self.rules.unevenness(self.outcome(at)) for at in (position, best))
        is_less_even = mine - its > 1e-9 * float(self.arrays.weight[self.node[position]])
        why = "sides less even" if is_less_even else "later cut"
        return self._said("tied with {split}, " + why, split=other)

    def best(self, node: int, column: int | None = None) -> int | None:
        """Find the best row of a node, or of a column there."""
        rows = np.arange(*self.arrays.row_begin[node : node + 2])
        is_best = (self.rank[rows] > 0) & (self.arrays.verdict[rows] != VERDICTS.index("other cut"))
        rows = rows[is_best if column is None else is_best & (self.arrays.column[rows] == column)]
        return int(rows[np.argmin(self.rank[rows])]) if len(rows) else None

    def formula(self, position: int) -> str:
        """Write out the arithmetic of a row, a line for each figure."""
        arrays, rules, row, outcome = self.arrays, self.rules, self.row(position), self.outcome(position)
        gain, split, sizes = row.gain, row.split_information, rules.weights_of(outcome)
        if gain is None:
            what = f"column {row.column!r} has no split at node {row.node} ({row.reason}) and thus no formula"
            raise ParameterError(f"{what}; choose a row with a gain.")
        weight, missing = float(arrays.weight[self.node[position]]), float(arrays.missing[position])
        is_named = row.kind == "cut" or (self.every_cut and not row.is_of_each)
        name = in_words(row.question, self.schema, self.lang) if is_named else row.column
        is_placed = arrays.missing_branch[position] >= 0
        factor, text = _factor(rules.penalty, 0.0 if is_placed else missing, weight)
        # If nearly all values are missing, the factor, and with it the gain, may be rounded to 0.
        branches = Branches(outcome, sizes, gain / factor if factor else 0.0)
        terms, is_sum = rules.known_criterion.gain_as_text(branches)
        terms = f"({terms})" if text and is_sum else terms
        gain_name = self._said(rules.known_criterion.gain_name)
        lines = [self._left_as_text(position, name)] if self.every_cut and row.impurity is not None else []
        lines.append(f"{gain_name}({name}) = {text}{terms} = {format_score(gain)}")
        net = gain - (row.cost or 0.0)
        if row.cost is not None:
            lines.append(
                f"{gain_name}({name}) − log2({row.n_tries}) / {format_weight(weight)} = "
                f"{format_score(gain)} − {format_score(row.cost)} = {format_score(net)}"
            )
        if split is None:
            return "\n".join(lines)
        parts, whole = sizes[sizes > 0].tolist(), float(sizes.sum())
        if rules.unknown_is_branch and missing:
            parts, whole = [*parts, missing], weight
        of_parts = " ".join(f"− {_share(part, whole)} × log2({_share(part, whole)})" for part in parts)
        lines.append(
            f"{self._said('SplitInfo')}({name}) = {of_parts.replace('− ', '−', 1)} = {format_score(split)}"
        )
        if row.ratio is not None:
            is_all = rules.by != "score" or rules.ratio_pays_for_gaps or is_placed or not missing
            known = "" if is_all else f" / ({_share(weight - missing, weight)})"
            quotient = f"{format_score(net)}{known} / {format_score(split)}"
            lines.append(f"{self._said('GainRatio')}({name}) = {quotient} = {format_score(row.ratio)}")
        return "\n".join(lines)

    def _condition(self, question: Question, branch: int, has_missing: bool) -> str:
        text = condition_of(question, self.schema, branch, self.lang)
        if text in (self._said("is missing"), self._said("is known")):
            return text.removeprefix("is ")
        text = text.removeprefix("= ")
        return text + self._said(" or missing") if has_missing and branch == question.missing_branch else text

    def _weighed(self, outcome: Float64) -> tuple[float, tuple[float, ...]]:
        if self.rules.is_of_numbers:
            return float(outcome[0]), (float(outcome[1]),)
        return float(outcome.sum()), tuple(outcome.tolist())


def condition_of(
    question: Question, schema: Schema, branch: int = 0, lang: Language = "en", room: int | None = ROOM
) -> str:
    """Write the condition of a branch as it was scored: without missing values, lists within `room`."""
    if isinstance(question, Threshold):
        text = question.condition(schema, branch, lang=lang)
    else:
        text = question.condition(schema, branch, room, lang=lang)
    return text.removesuffix(said(lang, " or missing")) if question.shares_missing(schema, branch) else text


def in_words(question: Question | None, schema: Schema, lang: Language = "en") -> str:
    """Write the split of a candidate, with the name of its column."""
    assert question is not None, "candidates that were compared have a split"
    return f"{schema.columns[question.column].name} {condition_of(question, schema, lang=lang)}"


def _figure(values: Array, position: int) -> float | None:
    return None if not len(values) or math.isnan(values[position]) else float(values[position])


def _information(sizes: Float64) -> float:
    """Return the split information of branches of these sizes."""
    shares = (sizes / sizes.sum()).tolist()
    return -math.fsum(share * math.log2(share) for share in shares if share > 0) + 0.0


def _factor(penalty: str, missing: float, weight: float) -> tuple[float, str]:
    """Return the factor by which missing values lower a gain, as a number and as text."""
    if not missing or penalty == "none":
        return 1.0, ""
    if penalty == "linear":
        return 1 - missing / weight, f"{_share(weight - missing, weight)} × "
    return 1 - (missing / weight) ** 2, f"(1 − ({_share(missing, weight)})²) × "


def _share(part: float, whole: float) -> str:
    return f"{format_weight(part)}/{format_weight(whole)}"
