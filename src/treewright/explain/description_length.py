"""Find the rules of a class with the shortest description: of the rules, and of the rows they get wrong.

The bits of a rule are those of its conditions, minus those of their order. A condition takes log2 of the
number of columns, plus: for a numeric column log2 of the number of thresholds and 1 for the side; for a
categorical column log2 of the number of categories, or a bit for each category if it names several.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import lgamma, log, log2
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from treewright.model.conditions import Condition
from treewright.schema import Schema

MOST_TRIED_ALL = 10  # up to this many rules of a class, every subset is tried
N_STARTS = 11  # number of starts of hill climbing, for more rules
SEED = 0  # of the random starts
EQUAL = 1e-9  # bits; a smaller gain counts as none
_BITS_AT_ONCE = 30  # rules added at once to a 64-bit number that identifies a pattern

_Flags: TypeAlias = NDArray[np.bool_]
_Floats: TypeAlias = NDArray[np.float64]


class RuleBits:
    """The lengths of rules and conditions.

    Parameters
    ----------
    schema : Schema
        The columns.
    columns : sequence of arrays
        The encoded training rows.
    """

    def __init__(self, schema: Schema, columns: Sequence[NDArray[Any]]) -> None:
        self._schema = schema
        self._columns = columns
        self._cuts = cache(self._count_cuts)

    def of_rule(self, conditions: Sequence[Condition]) -> float:
        """Count the bits of a rule; the order of its conditions is not encoded."""
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

    def _count_cuts(self, at: int) -> int:
        known = self._columns[at][Condition(at, missing=False).meets(self._columns[at])]
        return max(1, len(np.unique(known)) - 1)


def exception_bits(n: float, fires: Any, false_positives: Any, false_negatives: Any) -> Any:
    """Count the bits needed to list the rows that a set of rules of one class gets wrong.

    Half of all errors are expected on the larger side, which prevents rules from being wrong on one side
    only.

    Parameters
    ----------
    n : float
        Weight of all rows.
    fires, false_positives, false_negatives : float or array of float64
        Weight of the rows that meet a rule, of those among them that belong to other classes, and of the rows
        of the class that meet no rule.

    Returns
    -------
    float64 or array of float64

    Examples
    --------
    >>> exception_bits(16, np.array([4.0, 4.0]), np.array([0.0, 1.0]), np.array([0.0, 2.0])).round(2)
    array([ 4.  , 15.17])

    References
    ----------
    Quinlan (1995), MDL and categorical theories (continued).
    """
    half, covers_most = (false_positives + false_negatives) / 2, fires > n / 2
    positives = np.where(covers_most, half, false_positives)
    negatives = np.where(covers_most, false_negatives, half)
    of_positives = _bits_of_errors(fires, false_positives, positives)
    return log2(n) + of_positives + _bits_of_errors(n - fires, false_negatives, negatives)


def _bits_of_errors(n: Any, errors: Any, expected: Any) -> Any:
    errors = np.clip(errors, 0.0, np.maximum(n, 0.0))  # sums of weights are rounded
    right = np.where(n - errors > 1e-12 * n, n - errors, 0.0)
    rate = np.divide(expected, n, out=np.zeros_like(expected, dtype=np.float64), where=n > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        of_errors = np.where(errors > 0, -errors * np.log2(rate), 0.0)
        return of_errors - np.where(right > 0, right * np.log2(1 - rate), 0.0)


def log2_factorial(n: Any) -> Any:
    """Return log2(n!).

    Examples
    --------
    >>> round(log2_factorial(4), 4)
    4.585
    """
    return lgamma(n + 1) / log(2)


class Lengths:
    """The lengths of sets of rules of one class, including their exceptions.

    Parameters
    ----------
    met : array of bool, (n_rules, n_rows)
        Which rows meet which rules; some row meets each rule.
    costs : array of float64
        Bits of each rule.
    is_mine : array of bool
        Which rows are of the class.
    weights : array of float64
        Weight of each row.
    """

    def __init__(self, met: _Flags, costs: _Floats, is_mine: _Flags, weights: _Floats) -> None:
        # Rows that meet the same rules form one pattern, with two weights: of the class and of other classes.
        of = np.zeros(met.shape[1], dtype=np.int64)
        for begin in range(0, len(met), _BITS_AT_ONCE):
            for flags in met[begin : begin + _BITS_AT_ONCE]:
                of = 2 * of + flags
            _, first, of = np.unique(of, return_index=True, return_inverse=True)
        self.weights = np.zeros((len(first), 2))
        np.add.at(self.weights, (of, np.where(is_mine, 0, 1)), weights)
        self.n_rules, self.costs = len(met), costs
        self.patterns_of = sparse.csr_array(met[:, first]).astype(np.float64)  # patterns that meet each rule
        self.rules_of = self.patterns_of.T.tocsr()
        self._all_mine, self._n = float(weights[is_mine].sum()), float(weights.sum())
        self._of_orders = np.array([log2_factorial(n) for n in range(self.n_rules + 1)])

    def of(self, included: _Flags) -> float:
        """Count the bits of a set."""
        fires = self.weights[self.rules_of @ included > 0].sum(axis=0)
        return float(self.bits(included.sum(), self.costs[included].sum(), fires))

    def bits(self, n_rules: Any, costs: Any, fires: _Floats) -> Any:
        """Count the bits of sets; `fires` are the weights of the class and of others that meet a rule."""
        mine, others = fires[..., 0], fires[..., 1]
        exceptions = exception_bits(self._n, mine + others, others, self._all_mine - mine)
        return 0.5 * (costs - self._of_orders[n_rules]) + exceptions


class Climber:
    """A set of rules to which one rule at a time is added, or from which one is dropped.

    It keeps track of how many rules every pattern meets. Adding a rule covers the patterns that met none;
    dropping one uncovers the patterns that meet no other.
    """

    def __init__(self, lengths: Lengths, start: _Flags) -> None:
        self._lengths = lengths
        self.included = start.copy()
        self._times = (lengths.rules_of @ start).astype(np.intp)
        self._fires = lengths.weights[self._times > 0].sum(axis=0)
        # For each rule, the weights of its patterns that meet no rule of the set, and of those that meet one.
        self._of_times = lengths.rules_of.T @ _weights(lengths.weights, self._times)

    def bits_of_neighbours(self) -> _Floats:
        """Count the bits of every set with one rule more or less."""
        lengths, sign = self._lengths, np.where(self.included, -1, 1)
        changes = np.where(self.included[:, None], -self._of_times[:, 2:], self._of_times[:, :2])
        costs = lengths.costs[self.included].sum() + sign * lengths.costs
        bits: _Floats = lengths.bits(self.included.sum() + sign, costs, self._fires + changes)
        return bits

    def flip(self, rule: int) -> None:
        """Add a rule, or drop it."""
        of, sign = self._lengths.patterns_of, -1 if self.included[rule] else 1
        patterns = of.indices[of.indptr[rule] : of.indptr[rule + 1]]
        times_of_others = self._times[patterns] + min(sign, 0)
        self._times[patterns] += sign
        self.included[rule] = not self.included[rule]
        # For patterns that meet two other rules, which are most, nothing changes.
        patterns, times_of_others = patterns[times_of_others < 2], times_of_others[times_of_others < 2]
        weights = self._lengths.weights[patterns]
        self._fires = self._fires + sign * weights[times_of_others == 0].sum(axis=0)
        changes = sign * (_weights(weights, times_of_others + 1) - _weights(weights, times_of_others))
        at, rules = _entries(self._lengths.rules_of, patterns)
        for which, change in enumerate(changes.T):
            self._of_times[:, which] += np.bincount(rules, change[at], minlength=self._lengths.n_rules)


def _entries(of: sparse.csr_array, rows: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """List the entries of some rows: the position of the row among these, and the column."""
    sizes = of.indptr[rows + 1] - of.indptr[rows]
    at = np.repeat(np.arange(len(rows)), sizes)
    return at, of.indices[np.arange(len(at)) + (of.indptr[rows + 1] - np.cumsum(sizes))[at]]


def _weights(weights: _Floats, times: NDArray[np.intp]) -> _Floats:
    """Return both weights of each pattern if it meets no rule, and again if it meets one; otherwise 0."""
    return np.hstack((weights * (times == 0)[:, None], weights * (times == 1)[:, None]))


def shortest(lengths: Lengths, tell: Callable[[int], None]) -> _Flags:
    """Choose the rules with the shortest description, including exceptions; among equals the first set tried.

    For few rules, every set is tried. For more, hill climbing from several random starts finds a good set:
    the starts include each rule with probability 0, 0.1, ..., 1, and are the same in every run.

    Parameters
    ----------
    lengths : Lengths
        The rules.
    tell : callable
        Called after each start with the number of starts done.

    Returns
    -------
    array of bool
        Which rules are chosen.
    """
    n = lengths.n_rules
    if n <= MOST_TRIED_ALL:
        ends: list[_Flags] = list((np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool))
    else:
        draws = np.random.default_rng(SEED)
        starts = [np.less(draws.random(n), at / (N_STARTS - 1)) for at in range(N_STARTS)]
        ends = []
        for start in starts:
            ends.append(_climb(lengths, start))
            tell(len(ends))
    return ends[_first_least(np.array([lengths.of(each) for each in ends]))]


def _climb(lengths: Lengths, start: _Flags) -> _Flags:
    """Add or drop the rule that saves the most bits, until no rule saves any."""
    at, least = Climber(lengths, start), lengths.of(start)
    while True:
        bits = at.bits_of_neighbours()
        best = _first_least(bits)
        if not bits[best] < least - EQUAL:
            return at.included
        at.flip(best)
        least = float(bits[best])


def _first_least(bits: _Floats) -> int:
    return int((bits <= bits.min() + EQUAL).argmax())
