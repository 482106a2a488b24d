"""Rules as C4.5rules makes them: general rules, the best few of each class, in order, with a default class.

Four steps, after Quinlan. A rule for each leaf of the tree before pruning loses conditions as long as it expects no
more errors without them. Of the rules of a class those are kept that, with the list of their mistakes, take the
fewest bits to write down. Classes are put in order. Rules that do more harm than good go.

Bits of a condition: which of the columns, log2 of their number; and which of the conditions on it, log2 of the
cuts of a column of numbers and 1 for the side, log2 of the categories, or a bit for each of them where the
condition names a set of several.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import lgamma, log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import Pessimism
from treewright.explain.rules import Rule, RuleSet
from treewright.model.conditions import Condition, Path, condition_of, merged
from treewright.model.model import Model
from treewright.model.pessimism import quinlans, upper_rate
from treewright.model.tree import Tree
from treewright.schema import Classes, Schema

MOST_TRIED_ALL = 10  # rules of a class up to which every subset is tried
N_STARTS = 11  # of the climb where there are more
LARGEST_ERROR = 0.7  # of a rule that may answer
SEED = 0  # of the starts
EQUAL = 1e-9  # bits; what is nearer is no better


@dataclass(frozen=True)
class TrainingRows:
    """Rows of positive weight, encoded.

    Parameters
    ----------
    columns : list of arrays
        Codes as of `Model.codes`.
    classes : array of int
        Position of each row's class.
    weights : array of float64
        What each row counts.
    n_classes : int
        Number of classes.
    """

    columns: Sequence[NDArray[Any]]
    classes: NDArray[Any]
    weights: NDArray[np.float64]
    n_classes: int

    @property
    def weight(self) -> float:
        """Weight of all rows."""
        return float(self.weights.sum())

    def of_classes(self, kept: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Weight of each class among some rows."""
        return np.bincount(self.classes[kept], self.weights[kept], minlength=self.n_classes)


@dataclass(frozen=True)
class _Draft:
    """A rule on its way: the conditions left, its class, the errors to expect of it, the rows that meet it."""

    leaf: int
    conditions: tuple[Condition, ...]
    answer: int
    error: float
    packed: NDArray[np.uint8]  # a bit a row: there may be thousands of rules
    n_rows: int

    @property
    def met(self) -> NDArray[np.bool_]:
        """Whether each row meets it."""
        return np.unpackbits(self.packed, count=self.n_rows).astype(bool)


def c45rules(
    model: Model, rows: TrainingRows, confidence: float = 0.25, labels: NDArray[Any] | None = None
) -> RuleSet:
    """Make rules of a tree and the rows it was grown on.

    Parameters
    ----------
    model : Model
        A tree of classes; rules start from the tree before it was pruned, where that was kept.
    rows : TrainingRows
        What it was grown on.
    confidence : float
        Of the upper limit of a rule's error.
    labels : array, optional
        The classes in the type in which they are to be given.

    Returns
    -------
    RuleSet
        In order; the first rule that a row meets answers, and the default class where there is none.
    """
    tree = model.tree if model.grown is None else model.grown
    drafts = _drafts(tree, rows, quinlans(confidence))
    bits = ConditionBits(model.schema, rows.columns)
    kept: list[list[_Draft]] = []
    for answer in range(rows.n_classes):
        mine = [draft for draft in drafts if draft.answer == answer]
        costs = np.array([bits.of_rule(draft.conditions) for draft in mine])
        chosen = _shortest(mine, costs, rows, answer)
        kept.append(sorted((mine[at] for at in chosen), key=lambda draft: draft.error))
    ordered, default = _in_order(kept, rows)
    helpful = _without_harm([each for each in ordered if each.error <= LARGEST_ERROR], default, rows)
    return RuleSet(
        model, [_rule(model.schema, each, rows) for each in helpful], "c45rules", default=default, labels=labels
    )


# -- Fewer conditions -------------------------------------------------------------------------------------


def _drafts(tree: Tree, rows: TrainingRows, extra: Pessimism) -> list[_Draft]:
    """Make a rule of every leaf with at least one row, general and better than nothing, each once."""
    steps: dict[int, tuple[Condition, ...]] = {0: ()}
    of_classes = rows.of_classes(np.ones(len(rows.classes), dtype=bool))
    found: dict[tuple[int, frozenset[Condition]], _Draft] = {}
    for node in range(tree.n_nodes):
        if node:
            parent = int(tree.parent[node])
            steps[node] = (*steps[parent], _step(tree, parent, node))
        if tree.column[node] >= 0 or tree.weight[node] < 1:
            continue
        answer = int(tree.answer[node])
        default_error = 1 - (float(of_classes[answer]) + 1) / (rows.weight + 2)
        draft = _generalised(node, steps[node], answer, rows, extra, default_error)
        if draft.conditions and draft.error < default_error:
            found.setdefault((answer, frozenset(merged(draft.conditions))), draft)
    return list(found.values())


def _step(tree: Tree, parent: int, node: int) -> Condition:
    """Give the condition of a branch. An unknown value fails it, unless it has this branch for its own."""
    question = tree.question(parent)
    assert question is not None, "a node with children asks something"
    condition = condition_of(question, tree.children(parent).index(node))
    has_surrogates = tree.surrogates.begin[parent] < tree.surrogates.begin[parent + 1]
    return replace(condition, missing=False) if has_surrogates else condition


def _generalised(
    leaf: int,
    conditions: tuple[Condition, ...],
    answer: int,
    rows: TrainingRows,
    extra: Pessimism,
    default_error: float,
) -> _Draft:
    """Drop conditions, the one of least expected error first, while that makes a rule no worse."""
    left = list(range(len(conditions)))
    fails = np.empty((len(conditions), len(rows.classes)), dtype=bool)
    for at, condition in enumerate(conditions):
        np.logical_not(condition.meets(rows.columns[condition.column]), out=fails[at])
    wrong_weights = np.where(rows.classes != answer, rows.weights, 0.0)

    def rates(n: float, errors: float) -> tuple[float, float]:
        """Give the share of errors to expect of a rule that `n` rows meet, and the share made."""
        return (upper_rate(n, errors, extra), errors / n) if n else (default_error, 0.0)

    failed = fails.sum(axis=0, dtype=np.int32)
    met = failed == 0
    n, errors = float(rows.weights[met].sum()), float(wrong_weights[met].sum())
    while left:
        # Without a condition the rule is met by those rows too that fail it and no other.
        near = np.flatnonzero(failed == 1)
        of = fails[left][:, near].argmax(axis=0)
        more = n + np.bincount(of, rows.weights[near], minlength=len(left))
        more_wrong = errors + np.bincount(of, wrong_weights[near], minlength=len(left))
        expected, made = rates(n, errors)
        without = [rates(*each) for each in zip(more.tolist(), more_wrong.tolist(), strict=True)]
        if not any(pessimistic <= expected or raw <= made for pessimistic, raw in without):
            break
        best = min(range(len(left)), key=lambda at: without[at][0])
        n, errors = float(more[best]), float(more_wrong[best])
        failed -= fails[left.pop(best)]
    packed = np.packbits(failed == 0)
    kept = tuple(conditions[at] for at in left)
    return _Draft(leaf, kept, answer, rates(n, errors)[0], packed, len(rows.classes))


# -- Fewer rules ------------------------------------------------------------------------------------------


class ConditionBits:
    """What conditions and rules take to be written down.

    Parameters
    ----------
    schema : Schema
        The columns.
    columns : sequence of arrays
        The training rows, encoded.
    """

    def __init__(self, schema: Schema, columns: Sequence[NDArray[Any]]) -> None:
        self._schema = schema
        self._columns = columns
        self._n_cuts: dict[int, int] = {}

    def of_rule(self, conditions: Sequence[Condition]) -> float:
        """Count the bits of a rule; in which order its conditions come means nothing."""
        n = len(conditions)
        return float(sum(map(self.of_condition, conditions)) + log2(n) - log2_factorial(n))

    def of_condition(self, condition: Condition) -> float:
        """Count the bits of a condition."""
        column = log2(len(self._schema.columns))
        if condition.codes is None:
            if condition.low is None and condition.high is None:
                return column + 1  # known or missing
            return column + 1 + log2(self._cuts(condition.column))
        n_categories = max(1, len(self._schema.columns[condition.column].categories))
        return column + (log2(n_categories) if len(condition.codes) == 1 else n_categories)

    def _cuts(self, at: int) -> int:
        if at not in self._n_cuts:
            values = self._columns[at]
            known = values[values == values] if values.dtype.kind == "f" else values  # noqa: PLR0124 - NaN
            self._n_cuts[at] = max(1, len(np.unique(known)) - 1)
        return self._n_cuts[at]


def exception_bits(n: float, fires: Any, false_positives: Any, false_negatives: Any) -> Any:
    """Count the bits that name the rows about which a set of rules of one class is wrong.

    The side with most rows is expected to have half of all mistakes, which keeps rules from being wrong on one
    side only.

    Parameters
    ----------
    n : float
        Weight of all rows.
    fires, false_positives, false_negatives : float or array of float64
        Weight of the rows that meet a rule, of those among them of another class, and of those of the class
        that meet none.

    Returns
    -------
    float64 or array of float64

    Examples
    --------
    >>> exception_bits(16, np.array([4.0, 4.0]), np.array([0.0, 1.0]), np.array([0.0, 2.0])).round(2)
    array([ 4.  , 13.75])

    References
    ----------
    Quinlan (1995), MDL and categorical theories (continued).
    """
    half = (false_positives + false_negatives) / 2
    covers_most = fires > n / 2
    return (
        log2(n)
        + _bits_of_errors(fires, false_positives, np.where(covers_most, half, false_positives))
        + _bits_of_errors(n - fires, false_negatives, np.where(covers_most, false_negatives, half))
    )


def _bits_of_errors(n: Any, errors: Any, expected: Any) -> Any:
    rate = np.divide(expected, n, out=np.zeros_like(expected, dtype=np.float64), where=n > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        of_errors = np.where(errors > 0, -errors * np.log2(rate), 0.0)
        return of_errors - np.where(n > errors, (n - errors) * np.log2(1 - rate), 0.0)


def log2_factorial(n: Any) -> Any:
    """Give log2(n!).

    Examples
    --------
    >>> round(log2_factorial(4), 4)
    4.585
    """
    return lgamma(n + 1) / log(2)


class _Lengths:
    """How many bits sets of rules of one class take, with their exceptions."""

    def __init__(
        self, drafts: Sequence[_Draft], costs: NDArray[np.float64], rows: TrainingRows, answer: int
    ) -> None:
        n_rules = len(drafts)
        met = np.array([draft.met for draft in drafts]).T
        is_mine = rows.classes == answer
        # Rows that meet the same rules are one pattern with two weights: of the class, and of the others.
        _, first, of = np.unique(np.packbits(met, axis=1), axis=0, return_index=True, return_inverse=True)
        of = of.reshape(-1)
        self._mine = np.bincount(of[is_mine], rows.weights[is_mine], minlength=len(first))
        self._others = np.bincount(of[~is_mine], rows.weights[~is_mine], minlength=len(first))
        # The patterns of each rule, one after the other; a rule is met by some row.
        rule, self._pattern = np.nonzero(met[first].T)
        self._begin = np.searchsorted(rule, np.arange(n_rules))
        self._rule = rule
        self._costs = costs
        self._all_mine, self._n = float(rows.weights[is_mine].sum()), rows.weight
        self._of_orders = np.array([log2_factorial(n) for n in range(n_rules + 1)])

    def of(self, included: NDArray[np.bool_]) -> float:
        """Count the bits of a set."""
        fires = self._times(included) > 0
        return float(self._bits(included.sum(), self._costs[included].sum(), self._mine[fires].sum(), self._others[fires].sum()))

    def of_neighbours(self, included: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Count the bits of every set with one rule more or less."""
        times = self._times(included)
        fires = times > 0
        sign = np.where(included, -1, 1)
        # A rule more is met by patterns that met none; with one less those are lost that met no other.
        changes = times[self._pattern] == included[self._rule]
        mine, others = (
            weights[fires].sum() + sign * np.add.reduceat(weights[self._pattern] * changes, self._begin)
            for weights in (self._mine, self._others)
        )
        theory = self._costs[included].sum() + sign * self._costs
        bits: NDArray[np.float64] = self._bits(included.sum() + sign, theory, mine, others)
        return bits

    def _times(self, included: NDArray[np.bool_]) -> NDArray[np.intp]:
        return np.bincount(self._pattern, included[self._rule], minlength=len(self._mine)).astype(np.intp)

    def _bits(self, n_rules: Any, costs: Any, mine: Any, others: Any) -> Any:
        exceptions = exception_bits(self._n, mine + others, others, self._all_mine - mine)
        return 0.5 * (costs - self._of_orders[n_rules]) + exceptions


def _shortest(
    drafts: Sequence[_Draft], costs: NDArray[np.float64], rows: TrainingRows, answer: int
) -> list[int]:
    """Choose the rules of a class that take the fewest bits, exceptions included; of equals the first."""
    if not drafts:
        return []
    lengths = _Lengths(drafts, costs, rows, answer)
    n = len(drafts)
    if n <= MOST_TRIED_ALL:
        ends = list((np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool))
    else:
        draws = np.random.default_rng(SEED)
        starts = [draws.random(n) < at / (N_STARTS - 1) for at in range(N_STARTS)]
        ends = [_climb(lengths, start) for start in starts]
    best = ends[_first_least(np.array([lengths.of(each) for each in ends]))]
    return [int(at) for at in np.flatnonzero(best)]


def _climb(lengths: _Lengths, start: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Add or drop the one rule that saves most bits, until none saves any."""
    at, least = start.copy(), lengths.of(start)
    while True:
        bits = lengths.of_neighbours(at)
        best = _first_least(bits)
        if bits[best] >= least - EQUAL:
            return at
        at[best] = not at[best]
        least = float(bits[best])


def _first_least(bits: NDArray[np.float64]) -> int:
    return int((bits <= bits.min() + EQUAL).argmax())


# -- Order ------------------------------------------------------------------------------------------------


def _in_order(kept: Sequence[Sequence[_Draft]], rows: TrainingRows) -> tuple[list[_Draft], int]:
    """Put first the class whose rules are wrong about the fewest rows that no rule before them takes."""
    is_open = np.ones(len(rows.classes), dtype=bool)
    waiting = [answer for answer, drafts in enumerate(kept) if drafts]
    covers = {answer: np.any([draft.met for draft in kept[answer]], axis=0) for answer in waiting}
    ordered: list[_Draft] = []
    while waiting:
        wrong = [
            float(rows.weights[is_open & covers[answer] & (rows.classes != answer)].sum()) for answer in waiting
        ]
        answer = waiting.pop(int(np.argmin(wrong)))
        ordered += kept[answer]
        is_open &= ~covers[answer]
    left, whole = rows.of_classes(is_open), rows.of_classes(np.ones_like(is_open))
    return ordered, max(range(rows.n_classes), key=lambda answer: (left[answer], whole[answer], -answer))


def _without_harm(drafts: list[_Draft], default: int, rows: TrainingRows) -> list[_Draft]:
    """Drop rules that do more harm than good, the worst first."""
    left = list(drafts)
    while left:
        harm = _harm(left, default, rows)
        worst = int(np.argmax(harm))
        if harm[worst] <= 0:
            break
        del left[worst]
    return left


def _harm(drafts: Sequence[_Draft], default: int, rows: TrainingRows) -> NDArray[np.float64]:
    """Count for each rule the rows that would be right without it, less those that would be wrong."""
    n_rules = len(drafts)
    answers = np.array([*(draft.answer for draft in drafts), default])
    met = np.array([draft.met for draft in drafts] + [np.ones(len(rows.classes), dtype=bool)])
    first = met.argmax(axis=0)
    met[first, np.arange(len(first))] = False
    met[n_rules] = True  # the default class answers where nothing else does
    second = met.argmax(axis=0)
    is_right, would_be = answers[first] == rows.classes, answers[second] == rows.classes
    change = np.where(would_be & ~is_right, rows.weights, 0.0) - np.where(is_right & ~would_be, rows.weights, 0.0)
    return np.bincount(first, change, minlength=n_rules + 1)[:n_rules]


def _rule(schema: Schema, draft: _Draft, rows: TrainingRows) -> Rule:
    assert isinstance(schema.target, Classes), "rules are about classes"
    of_classes = rows.of_classes(draft.met)
    weight = float(of_classes.sum())
    shares = of_classes / weight
    usual = float(rows.of_classes(np.ones_like(draft.met))[draft.answer]) / rows.weight
    confidence = float(shares[draft.answer])
    return Rule(
        schema,
        Path(draft.leaf, merged(draft.conditions), ()),
        schema.target.labels[draft.answer],
        tuple(shares.tolist()),
        n_rows=int(draft.met.sum()),
        weight=weight,
        support=weight / rows.weight,
        confidence=confidence,
        lift=confidence / usual if usual else None,
        error_bound=draft.error,
    )
