"""Entropy, information gain, Gini and related measures, as textbooks define them.

Growing a tree does not use this module: the core has its own scores, written for speed. The formulas here are
those of textbooks, so that numbers in a ledger can be checked by hand.

Every function takes labels, one for each row:

>>> from treewright import information
>>> information.entropy(["Play", "Play", "Don't Play", "Don't Play"])
1.0

or, with ``counts=``, how often each value occurs. Counts need not be whole: weights and shares work as well.

>>> round(information.entropy(counts=[9, 5]), 3)  # the 14 days of the golf table
0.94

Two columns at once are labels ``y`` and ``x``, or a table of counts with a row for each value of ``x`` and a
column for each value of ``y``:

>>> outlook = [[2, 3],  # sunny: 2 play, 3 don't
...            [4, 0],  # overcast
...            [3, 2]]  # rain
>>> round(information.information_gain(counts=outlook), 3)
0.247

Throughout, 0 log 0 = 0, and a row counts with its weight. Sums are rounded once (`math.fsum`), so results do
not depend on the order of rows and of values, to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.errors import ColumnError, ColumnTypeError, ParameterError, WeightError
from treewright.missing_values import is_missing

__all__ = [
    "conditional_entropy",
    "conditional_gini",
    "entropy",
    "gain_ratio",
    "gini",
    "information_gain",
    "joint_entropy",
    "kl_divergence",
    "misclassification",
    "self_information",
    "split_information",
    "taylor_entropy",
]


def __dir__() -> list[str]:
    return __all__  # what the Tab key offers


Labels = ArrayLike | Iterable[Any] | None
Table = ArrayLike | None
Weights = ArrayLike | None
Distribution = ArrayLike | Mapping[Any, float]
Counts = Distribution | None
Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


def self_information(
    y: Labels | float = None, *, counts: Counts = None, weights: Weights = None, base: float = 2
) -> Any:
    r"""Measure how surprising an event is: the less likely, the more information.

    .. math:: I(p) = -\log p

    Parameters
    ----------
    y : float or array of labels
        The probability of one event; or a label for each row, whose probability is the relative frequency of
        the label.
    counts : array or mapping, optional
        How often each value occurs, in place of `y`.
    weights : array of float, optional
        A weight for each label.
    base : float, default=2
        Base of the logarithm, above 1: 2 for bits, `math.e` for nats.

    Returns
    -------
    float or ndarray
        One figure for a probability; one for each label or count otherwise. An event of probability 0 has
        infinite information. The mean over the rows is the entropy.

    See Also
    --------
    entropy : Its mean over the rows.

    References
    ----------
    Shannon (1948), "A Mathematical Theory of Communication", section 6.

    Examples
    --------
    >>> self_information(1 / 8)
    3.0
    >>> self_information(["a", "b", "a", "c"])
    array([1., 2., 1., 2.])
    >>> self_information(counts=[4, 2, 1, 1])
    array([1., 2., 3., 3.])
    """
    log = _logarithm(base)
    if isinstance(y, Real) and counts is None and weights is None:
        if not 0 <= y <= 1:
            raise ParameterError(f"{y!r} is not a probability; it must lie between 0 and 1.")
        return 0.0 - log(float(y))  # `0.0 -` avoids a minus sign before a zero
    codes, tally = _coded(y, "y", counts, weights)
    if counts is None:
        _refuse_probabilities(y)
    return np.array([0.0 - log(p) for p in _shares(tally)])[codes]


def entropy(y: Labels = None, *, counts: Counts = None, weights: Weights = None, base: float = 2) -> float:
    r"""Measure how uncertain a label is, on average.

    .. math:: H(Y) = -\sum_k p_k \log p_k

    Parameters
    ----------
    y : array of labels
        One for each row, of any type; missing labels are an error.
    counts : array or mapping, optional
        How often each value occurs, in place of `y`.
    weights : array of float, optional
        A weight for each label; one row of weight 2 counts as two rows.
    base : float, default=2
        Base of the logarithm, above 1: 2 for bits, `math.e` for nats.

    Returns
    -------
    float
        0 when all labels are the same, log K when K values are equally common.

    Raises
    ------
    TreewrightError
        If there are no labels, a label is missing, or counts, weights or base are invalid.

    See Also
    --------
    joint_entropy : The entropy of several labels together.
    conditional_entropy : What remains once another label is known.
    gini : An impurity without logarithms.

    References
    ----------
    Shannon (1948), "A Mathematical Theory of Communication", section 6.
    Zhou (2016), *Machine Learning*, equation 4.1: 8 good watermelons of 17.

    Examples
    --------
    >>> round(entropy(counts={"good": 8, "bad": 9}), 3)
    0.998
    >>> entropy(["a", "b", "c", "d"]), entropy(["a", "b", "c", "d"], base=4)
    (2.0, 1.0)
    """
    return _entropy(_one_column(y, "y", counts, weights), base)


def joint_entropy(*columns: Labels, counts: Table = None, weights: Weights = None, base: float = 2) -> float:
    r"""Measure how uncertain several labels of a row are, taken together.

    .. math:: H(X, Y) = -\sum_{x, y} p(x, y) \log p(x, y)

    Parameters
    ----------
    *columns : arrays of labels
        One or more, of the same length.
    counts : array, optional
        A table of how often each combination occurs, in place of columns; any number of axes.
    weights : array of float, optional
        A weight for each row.
    base : float, default=2
        Base of the logarithm, above 1.

    Returns
    -------
    float
        At least the largest entropy of a single column, at most the sum of all.

    See Also
    --------
    entropy : The entropy of a single label.

    References
    ----------
    Cover, Thomas (2006), *Elements of Information Theory*, equation 2.8.

    Examples
    --------
    >>> joint_entropy(["a", "a", "b", "b"], [0, 1, 0, 1])
    2.0
    """
    if counts is not None:
        _refuse_both(columns or None, weights)
        return _entropy(_numbers(counts, "counts").ravel(), base)
    if not columns:
        raise ParameterError("joint_entropy needs columns of labels, or counts=.")
    combined, n_combined = _codes(columns[0], "column 0")
    for place, column in enumerate(columns[1:], start=1):
        codes, n_values = _codes(column, f"column {place}")
        _check_lengths(combined, codes, "column 0", f"column {place}")
        # Renumber after each column, so that the product of the sizes of many columns cannot overflow.
        seen, combined = np.unique(combined * n_values + codes, return_inverse=True)
        n_combined = len(seen)
    return _entropy(_tally(combined, n_combined, _weights(weights, len(combined))), base)


def conditional_entropy(
    y: Labels = None, x: Labels = None, *, counts: Table = None, weights: Weights = None, base: float = 2
) -> float:
    r"""Measure how uncertain `y` remains once `x` is known.

    .. math:: H(Y \mid X) = \sum_x p(x) H(Y \mid X = x) = -\sum_{x, y} p(x, y) \log p(y \mid x)

    Parameters
    ----------
    y, x : arrays of labels
        The target and the known label, one of each for every row.
    counts : 2-D array, optional
        In place of `y` and `x`: a row for each value of `x`, a column for each value of `y`.
    weights : array of float, optional
        A weight for each row.
    base : float, default=2
        Base of the logarithm, above 1.

    Returns
    -------
    float
        0 when `x` determines `y`, H(Y) when the two are independent.

    See Also
    --------
    information_gain : The entropy of `y` minus this.

    References
    ----------
    Cover, Thomas (2006), *Elements of Information Theory*, equation 2.10.
    Quinlan (1986), "Induction of Decision Trees", section 4: outlook leaves 0.694 bits.

    Examples
    --------
    >>> round(conditional_entropy(counts=[[2, 3], [4, 0], [3, 2]]), 3)
    0.694
    """
    joint = _two_columns(y, x, counts, weights)
    log = _logarithm(base)
    return _sum(n / joint.total * -log(n / of_x) for n, of_x, _ in joint.cells)


def information_gain(
    y: Labels = None, x: Labels = None, *, counts: Table = None, weights: Weights = None, base: float = 2
) -> float:
    r"""Measure the information that `x` gives about `y`: the gain of ID3, also called mutual information.

    .. math::

        G(Y, X) &= H(Y) - H(Y \mid X) = H(X) + H(Y) - H(X, Y) \\
                &= H(X, Y) - H(X \mid Y) - H(Y \mid X) = D(p(x, y) \parallel p(x)\, p(y))

    The last form is the one computed: it is exactly 0 if `x` carries no information.

    Parameters
    ----------
    y, x : arrays of labels
        The target and the column that would split it; swapping the two does not change the gain.
    counts : 2-D array, optional
        In place of `y` and `x`: a row for each value of `x`, a column for each value of `y`.
    weights : array of float, optional
        A weight for each row.
    base : float, default=2
        Base of the logarithm, above 1.

    Returns
    -------
    float
        At least 0, at most the smaller of H(X) and H(Y).

    See Also
    --------
    gain_ratio : The gain relative to the split information.
    kl_divergence : The gain is a divergence.

    Notes
    -----
    If a column has missing values, C4.5 computes the gain from the rows with a value and multiplies it by
    their share of the weight.

    References
    ----------
    Quinlan (1986), "Induction of Decision Trees", section 4.
    Zhou (2016), *Machine Learning*, equation 4.2: texture (纹理) of the watermelons gains 0.381.

    Examples
    --------
    >>> from treewright import datasets
    >>> columns, target = datasets.load("watermelon_20")
    >>> round(information_gain(columns[target], columns["纹理"]), 3)
    0.381
    """
    return _gain(_two_columns(y, x, counts, weights), base)


def kl_divergence(p: Distribution, q: Distribution, *, base: float = 2) -> float:
    r"""Measure how far the distribution `p` is from `q`.

    .. math:: D(p \parallel q) = \sum_i p_i \log \frac{p_i}{q_i}

    Parameters
    ----------
    p, q : arrays or mappings
        Two distributions over the same values, as counts or shares, each relative to its own sum.
        Arrays have the same shape and are matched by position. Mappings, such as a
        `collections.Counter` of labels, are matched by key; an absent key counts 0.
    base : float, default=2
        Base of the logarithm, above 1.

    Returns
    -------
    float
        0 if the two are the same; infinite if `p` has a value that `q` does not have.

    See Also
    --------
    information_gain : The divergence of a joint distribution from the product of its margins.

    References
    ----------
    Kullback, Leibler (1951), "On Information and Sufficiency".

    Examples
    --------
    >>> kl_divergence([1, 1], [1, 3], base=4) < kl_divergence([1, 1], [1, 7], base=4)
    True
    >>> from collections import Counter
    >>> kl_divergence(Counter("aabb"), Counter("abcd"))
    1.0
    """
    if isinstance(p, Mapping) and isinstance(q, Mapping):
        keys = list(dict.fromkeys([*p, *q]))
        p, q = [p.get(key, 0) for key in keys], [q.get(key, 0) for key in keys]
    elif isinstance(p, Mapping) or isinstance(q, Mapping):
        raise ParameterError("kl_divergence takes two arrays or two mappings, not one of each.")
    log = _logarithm(base)
    ours, theirs = _numbers(p, "p"), _numbers(q, "q")
    if ours.shape != theirs.shape:
        raise ParameterError(
            f"p has shape {ours.shape}, q has {theirs.shape}; kl_divergence needs both for every value."
        )
    pairs = [(a, b) for a, b in zip(_shares(ours.ravel()), _shares(theirs.ravel()), strict=True) if a > 0]
    return math.inf if any(b == 0 for _, b in pairs) else _sum(a * log(a / b) for a, b in pairs)


def split_information(
    x: Labels = None, *, counts: Counts = None, weights: Weights = None, base: float = 2
) -> float:
    r"""Measure how finely a column splits the rows, whatever the target: the denominator of the gain ratio.

    .. math:: IV(X) = H(X) = -\sum_x p(x) \log p(x)

    Parameters
    ----------
    x : array of labels
        The column that would split the rows.
    counts : array or mapping, optional
        How often each value occurs, in place of `x`.
    weights : array of float, optional
        A weight for each row.
    base : float, default=2
        Base of the logarithm, above 1.

    Returns
    -------
    float
        0 for a column with one value, log n for one with a different value in each of n rows.

    See Also
    --------
    gain_ratio : The gain relative to this.

    References
    ----------
    Quinlan (1993), *C4.5: Programs for Machine Learning*, section 2.2; Zhou (2016), equation 4.4.

    Examples
    --------
    >>> round(split_information(counts=[5, 4, 5]), 3)  # outlook: sunny, overcast, rain
    1.577
    """
    return _entropy(_one_column(x, "x", counts, weights), base)


def gain_ratio(
    y: Labels = None, x: Labels = None, *, counts: Table = None, weights: Weights = None, base: float = 2
) -> float:
    r"""Divide the gain of a column by its split information, as C4.5 does.

    .. math:: GR(Y, X) = \frac{G(Y, X)}{H(X)}

    Parameters
    ----------
    y, x : arrays of labels
        The target and the column that would split it.
    counts : 2-D array, optional
        In place of `y` and `x`: a row for each value of `x`, a column for each value of `y`.
    weights : array of float, optional
        A weight for each row.
    base : float, default=2
        Base of both logarithms, which cancels; for consistency with the other functions.

    Returns
    -------
    float
        Between 0 and 1; 0 for a column with a single value.

    See Also
    --------
    information_gain : Its numerator.
    split_information : Its denominator.

    References
    ----------
    Quinlan (1993), *C4.5: Programs for Machine Learning*, section 2.2.

    Examples
    --------
    >>> round(gain_ratio(counts=[[2, 3], [4, 0], [3, 2]]), 3)
    0.156
    """
    joint = _two_columns(y, x, counts, weights)
    split = _entropy(joint.x_totals, base)
    return _gain(joint, base) / split if split else 0.0


def gini(y: Labels = None, *, counts: Counts = None, weights: Weights = None) -> float:
    r"""Measure how often two labels drawn at random differ.

    .. math:: Gini(Y) = \sum_k p_k (1 - p_k) = 1 - \sum_k p_k^2

    It is the entropy in nats with the logarithm replaced by its first-order Taylor polynomial at p = 1.

    Parameters
    ----------
    y : array of labels
        One for each row.
    counts : array or mapping, optional
        How often each value occurs, in place of labels.
    weights : array of float, optional
        A weight for each label.

    Returns
    -------
    float
        0 when all labels are the same, 1 - 1/K when K values are equally common.

    See Also
    --------
    conditional_gini : What remains once another label is known.
    taylor_entropy : The polynomial of second order.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), *Classification and Regression Trees*, section 4.3.

    Examples
    --------
    >>> gini(["a", "b"])
    0.5
    >>> round(gini(counts=[9, 5]), 3)
    0.459
    """
    return _sum(p * (1 - p) for p in _shares(_one_column(y, "y", counts, weights)))


def conditional_gini(
    y: Labels = None, x: Labels = None, *, counts: Table = None, weights: Weights = None
) -> float:
    r"""Measure the Gini index of `y` that remains once `x` is known.

    .. math:: Gini(Y \mid X) = \sum_x p(x) \, Gini(Y \mid X = x)

    Parameters
    ----------
    y, x : arrays of labels
        The target and the column that would split it.
    counts : 2-D array, optional
        In place of `y` and `x`: a row for each value of `x`, a column for each value of `y`.
    weights : array of float, optional
        A weight for each row.

    Returns
    -------
    float
        At most Gini(Y); their difference is what CART maximises.

    See Also
    --------
    gini : The Gini index of a single label.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), *Classification and Regression Trees*, section 4.3.
    Li Hang (2012), *Statistical Learning Methods*, example 5.4: a house of one's own leaves 0.27.

    Examples
    --------
    >>> round(conditional_gini(counts=[[6, 3], [0, 6]]), 2)
    0.27
    """
    joint = _two_columns(y, x, counts, weights)
    return _sum(n / joint.total * (1 - n / of_x) for n, of_x, _ in joint.cells)


def misclassification(y: Labels = None, *, counts: Counts = None, weights: Weights = None) -> float:
    r"""Measure how often the most common label is wrong.

    .. math:: 1 - \max_k p_k

    Parameters
    ----------
    y : array of labels
        One for each row.
    counts : array or mapping, optional
        How often each value occurs, in place of labels.
    weights : array of float, optional
        A weight for each label.

    Returns
    -------
    float
        0 when all labels are the same, 1 - 1/K when K values are equally common.

    See Also
    --------
    gini : An impurity that more splits can lower.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), *Classification and Regression Trees*, section 4.1.

    Examples
    --------
    >>> misclassification(["a", "a", "a", "b"])
    0.25
    """
    shares = sorted(_shares(_one_column(y, "y", counts, weights)))
    return _sum(shares[:-1])


def taylor_entropy(y: Labels = None, *, counts: Counts = None, weights: Weights = None) -> float:
    r"""Measure entropy with its logarithm replaced by the second-order Taylor polynomial at p = 1.

    .. math:: \sum_k p_k \left( (1 - p_k) + \tfrac12 (1 - p_k)^2 \right)

    It approximates the entropy in nats from below, more closely than `gini`, which is the first-order
    polynomial.

    Parameters
    ----------
    y : array of labels
        One for each row.
    counts : array or mapping, optional
        How often each value occurs, in place of labels.
    weights : array of float, optional
        A weight for each label.

    Returns
    -------
    float
        0 when all labels are the same; never below `gini`, never above ``entropy(..., base=math.e)``.

    See Also
    --------
    gini : The polynomial of first order.
    entropy : What both approximate.

    References
    ----------
    The expansion is an exercise in the lecture notes on trees by Geng Yuanhao (Datawhale, 2021).

    Examples
    --------
    >>> labels = ["a", "b"]
    >>> gini(labels), taylor_entropy(labels), round(entropy(labels, base=math.e), 3)
    (0.5, 0.625, 0.693)
    """
    return _sum(p * ((1 - p) + (1 - p) ** 2 / 2) for p in _shares(_one_column(y, "y", counts, weights)))


class _Joint(NamedTuple):
    """A table of counts without its empty cells."""

    cells: list[tuple[float, float, float]]  # weights of the cell, of its x over all y, of its y over all x
    x_totals: Floats
    total: float


def _entropy(tally: Floats, base: float) -> float:
    log = _logarithm(base)
    return _sum(p * -log(p) for p in _shares(tally) if p > 0)  # 0 log 0 = 0


def _gain(joint: _Joint, base: float) -> float:
    log = _logarithm(base)
    # Both inner quotients are rounded once: if x carries no information they are equal, and the log is 0.
    return _sum(n / joint.total * log((n / of_x) / (of_y / joint.total)) for n, of_x, of_y in joint.cells)


def _sum(terms: Iterable[float]) -> float:
    """Add up nonnegative terms, rounding once; a negative rounding error becomes zero."""
    return max(0.0, math.fsum(terms))


def _logarithm(base: float) -> Callable[[float], float]:
    if isinstance(base, bool) or not isinstance(base, Real) or not 1 < base < math.inf:
        raise ParameterError(
            f"base={base!r}: the base of a logarithm here is a number above 1, such as 2 for bits."
        )
    exact = {2.0: math.log2, 10.0: math.log10, math.e: math.log}
    per_bit = math.log2(base)  # log2 is exact for powers of two, so bases 4, 8, ... are as exact as 2
    log = exact.get(base, lambda value: math.log2(value) / per_bit)
    return lambda value: log(value) if value else -math.inf


def _shares(tally: Floats) -> list[float]:
    weights = tally.tolist()
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def _coded(labels: Labels, name: str, counts: Counts, weights: Weights) -> tuple[Codes, Floats]:
    """Return a number for each label, or for each count, and the weight of every number."""
    if counts is None:
        codes, n_values = _codes(labels, name)
        return codes, _tally(codes, n_values, _weights(weights, len(codes)))
    _refuse_both(labels, weights)
    tally = _numbers(list(counts.values()) if isinstance(counts, Mapping) else counts, "counts")
    if tally.ndim != 1:
        raise ParameterError(f"counts= of one column is a flat list, got shape {tally.shape}.")
    return np.arange(len(tally)), tally


def _one_column(labels: Labels, name: str, counts: Counts, weights: Weights) -> Floats:
    return _coded(labels, name, counts, weights)[1]


def _two_columns(y: Labels, x: Labels, counts: Table, weights: Weights) -> _Joint:
    if counts is None:
        y_codes, n_y = _codes(y, "y")
        x_codes, _ = _codes(x, "x")
        _check_lengths(y_codes, x_codes, "y", "x")
        seen, pairs = np.unique(x_codes * n_y + y_codes, return_inverse=True)
        weight = _tally(pairs, len(seen), _weights(weights, len(pairs)))
        x_codes, y_codes = np.divmod(seen[weight > 0], n_y)
        weight = weight[weight > 0]
    else:
        _refuse_both(x if y is None else y, weights)
        table = _numbers(counts, "counts")
        if table.ndim != 2:
            raise ParameterError(
                f"counts= of two columns is a table, a row for each value of x and a column for each of y; "
                f"got shape {table.shape}."
            )
        x_codes, y_codes = np.nonzero(table)
        weight = table[x_codes, y_codes]
    x_totals = _tally(x_codes, int(x_codes.max()) + 1, weight)
    y_totals = _tally(y_codes, int(y_codes.max()) + 1, weight)
    cells = zip(weight.tolist(), x_totals[x_codes].tolist(), y_totals[y_codes].tolist(), strict=True)
    return _Joint(list(cells), x_totals, math.fsum(weight))


def _tally(codes: Codes, n_values: int, weights: Floats | None) -> Floats:
    """Add up the weight of each code, rounding once, so that the order of rows does not matter."""
    sizes = np.bincount(codes, minlength=n_values)
    if weights is None:
        return sizes.astype(np.float64)
    parts = np.split(weights[np.argsort(codes, kind="stable")], np.cumsum(sizes)[:-1])
    return np.array([math.fsum(part) for part in parts])


def _codes(labels: Any, name: str) -> tuple[Codes, int]:
    """Return a number for each label, with its values numbered in any order, and the number of values."""
    if labels is None:
        raise ColumnError(f"{name} is not given: pass labels, one for each row, or counts=.")
    column = _column(labels)
    if column.ndim != 1:
        raise ColumnError(f"{name} must be one label for each row; got an array of shape {column.shape}.")
    if not len(column):
        raise ColumnError(f"{name} has no labels; at least one row is needed.")
    missing = np.flatnonzero(is_missing(column))
    if len(missing):
        first = missing[0]
        raise ColumnError(
            f"{name}[{first}] is {column[first]}; {len(missing)} of {len(column)} labels are missing. "
            "Drop those rows, or give missing values a label of their own."
        )
    if column.dtype != object:
        values, codes = np.unique(column, return_inverse=True)
        return codes, len(values)
    numbers: dict[Any, int] = {}
    try:
        return np.array([numbers.setdefault(label, len(numbers)) for label in column]), len(numbers)
    except TypeError as error:
        raise ColumnTypeError(f"{name} must hold text, numbers or other plain labels: {error}.") from None


def _column(labels: Any) -> NDArray[Any]:
    if isinstance(labels, list | tuple):
        # Not np.asarray, which would turn [1, "1"] into two equal strings.
        return np.fromiter(labels, dtype=object, count=len(labels))
    if isinstance(labels, np.ma.MaskedArray):
        column = np.array(labels.data, dtype=object)
        column[np.ma.getmaskarray(labels)] = None
        return column
    column = np.asarray(labels)
    return column if column.dtype.kind in "biufcSUMm" else column.astype(object)


def _weights(weights: Weights, n_rows: int) -> Floats | None:
    if weights is None:
        return None
    numbers = _numbers(weights, "weights")
    if numbers.shape != (n_rows,):
        raise WeightError(f"weights has shape {numbers.shape}; {n_rows} labels need ({n_rows},), one each.")
    return numbers


def _numbers(values: Any, name: str) -> Floats:
    """Read weights or counts: finite, none negative, at least one positive."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise WeightError(f"{name} must be numbers: {error}.") from None
    bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0)))
    if len(bad):
        raise WeightError(f"{name}[{bad[0]}] is {numbers.flat[bad[0]]}; it must be finite and not negative.")
    if not numbers.any():
        raise WeightError(f"{name} add up to 0; at least one must be positive.")
    # Only ratios matter. Scaling by a power of two is exact, and lets even the largest floats be summed.
    return np.asarray(np.ldexp(numbers, -np.frexp(numbers.max())[1]))


def _refuse_both(labels: Any, weights: Any) -> None:
    if labels is not None:
        raise ParameterError("give labels or counts=, not both.")
    if weights is not None:
        raise ParameterError("weights= goes with labels; counts= are weights already.")


def _refuse_probabilities(labels: Any) -> None:
    column = _column(labels)
    are_floats = all(isinstance(label, float | np.floating) for label in column)
    if are_floats and any(0 < label < 1 for label in column):
        raise ParameterError(
            f"{labels!r} are read as labels, but look like probabilities: pass one at a time, or all of a "
            "distribution as counts=."
        )


def _check_lengths(first: Codes, second: Codes, first_name: str, second_name: str) -> None:
    if len(first) != len(second):
        raise ColumnError(
            f"{first_name} has {len(first)} labels, {second_name} has {len(second)}; a row has one of each."
        )
