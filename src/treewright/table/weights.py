"""Read the weights of rows: finite, not negative, not all zero; they may be fractions of a total of 1."""

import math
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from treewright.errors import TreewrightError, WeightError, shown
from treewright.table.infer import is_beyond_float, plain
from treewright.table.read import read_values

_LEAST, _MOST = 1e-150, 1e150  # limits of the core for weights other than 0
_A_WEIGHT = f"a weight is finite, not negative and at most {_MOST}"
_NEAR = 1e-6  # tolerance for rounding, of a total of 1 and then of whole numbers


def read_weights(data: object, n_rows: int, name: str = "weights") -> NDArray[np.float64] | None:
    """Read one weight per row.

    Parameters
    ----------
    data : array, list, series, number or None
        A number is the weight of every row.
    n_rows : int
        The required number of weights.
    name : str
        Their name in errors.

    Returns
    -------
    array of float64, or None
        None if every row has weight 1.

    Examples
    --------
    >>> read_weights([1, 2], 2)
    array([1., 2.])
    >>> read_weights([1, -2], 2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.WeightError: weights holds -2.0 in row 1; a weight is finite, not negative ...
    """
    if data is None:
        return None
    if isinstance(data, Real) and not isinstance(data, bool):
        if is_beyond_float(data):
            raise WeightError(f"{name} is {shown(data)}; {_A_WEIGHT}.")
        data = np.full(n_rows, float(data))
    raw, _ = read_values(data)
    shape = raw.values.shape
    if len(shape) != 1:
        raise WeightError(f"{name} has shape {shape}; give one weight for each of the {n_rows} rows.")
    try:
        values = plain(raw, name).values
    except TreewrightError as error:
        raise WeightError(f"{name} must be numbers: {error}") from error
    if values.dtype.kind not in "fiub":
        raise WeightError(f"{name} is of type {values.dtype}; give numbers.")
    if len(values) != n_rows:
        unequal = f"{name} has {len(values)} values, the table {n_rows} rows"
        raise WeightError(f"{unequal}; give one weight for each row.")
    weights = np.ascontiguousarray(values, dtype=np.float64)
    if raw.missing is not None:
        weights = np.where(raw.missing, np.nan, weights)
    refuse_wrong(weights, name)
    return None if (weights == 1.0).all() else weights


def refuse_wrong(weights: NDArray[np.float64], name: str) -> None:
    """Raise if a row has an invalid weight, or all weights are zero.

    Examples
    --------
    >>> refuse_wrong(np.array([1.0, 5e-324]), "weights")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.WeightError: weights holds 5e-324 in row 1, below 1e-150 and not 0. Give 0 to ...
    """
    wrong = ~((weights >= 0) & (weights <= _MOST))
    if wrong.any():
        row = int(wrong.argmax())
        raise WeightError(f"{name} holds {weights[row]} in row {row}; {_A_WEIGHT}.")
    tiny = (weights > 0) & (weights < _LEAST)
    if tiny.any():
        row = int(tiny.argmax())
        way_out = "Give 0 to leave the row out, or multiply all weights."
        raise WeightError(f"{name} holds {weights[row]} in row {row}, below {_LEAST} and not 0. {way_out}")
    if not weights.any():
        raise WeightError(f"{name}: all weights are zero; at least one row must count.")


def total_of(weights: NDArray[np.float64]) -> float:
    """Add weights up, rounding once, so that the order of the rows has no effect."""
    return math.fsum(weights.tolist())


def cases_per_weight(weights: NDArray[np.float64] | None) -> int:
    """Return how many cases a weight of 1 stands for: 1, unless weights are fractions of a total of 1.

    If the weights of two or more rows add up to 1, as in boosting, they are taken as fractions of the number
    of rows with positive weight. This matters only where the scale of weights does: for C4.5, whose limits
    and penalties are counts of cases, and for the standard errors by which a tree is pruned.

    Examples
    --------
    >>> cases_per_weight(np.array([0.5, 0.25, 0.25, 0.0])), cases_per_weight(np.array([0.5, 1.5]))
    (3, 1)
    """
    if weights is None or abs(float(weights.sum()) - 1) > 2 * _NEAR:  # nearly always, and a quick test
        return 1
    n_rows = int(np.count_nonzero(weights))
    return n_rows if n_rows > 1 and abs(total_of(weights) - 1) <= _NEAR else 1


def as_cases(weights: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Return weights as counts of cases: multiply fractions of a total of 1 by the number of weighted rows.

    Examples
    --------
    >>> as_cases(np.array([0.5, 0.25, 0.25, 0.0])), as_cases(np.full(49, 1 / 49)) is None
    (array([1.5 , 0.75, 0.75, 0.  ]), True)
    """
    cases = cases_per_weight(weights)
    if weights is None or cases == 1:
        return weights
    counted = weights * cases
    whole = np.rint(counted)  # 1/49 × 49 is less than 1 in floating point, and limits count whole cases
    counted = np.where(np.abs(counted - whole) <= _NEAR * whole, whole, counted)
    return None if (counted == 1.0).all() else counted


def are_too_light(weights: NDArray[np.float64] | None, limit: float) -> bool:
    """Report whether the total weight is below `limit` because of weights other than 0 and 1.

    Examples
    --------
    >>> are_too_light(np.full(10, 0.3), 4.0), are_too_light(np.array([1.0, 0.0]), 4.0)
    (True, False)
    """
    if weights is None or weights.sum() > limit or ((weights == 0) | (weights == 1)).all():
        return False
    return total_of(weights) < limit * (1 - _NEAR)
