"""Read the weights of rows: finite, not negative, not all zero."""

from numbers import Real

import numpy as np
from numpy.typing import NDArray

from treewright.errors import TreewrightError, WeightError, shown
from treewright.table.infer import is_beyond_float, plain
from treewright.table.read import read_values

_MOST = 1e150  # what the core takes


def read_weights(data: object, n_rows: int, name: str = "weights") -> NDArray[np.float64] | None:
    """Read one weight per row.

    Parameters
    ----------
    data : array, list, series, number or None
        A number stands for every row.
    n_rows : int
        How many there must be.
    name : str
        What to call them in an error.

    Returns
    -------
    array of float64, or None
        None where every row weighs one.

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
            raise WeightError(
                f"{name} is {shown(data)}; a weight is finite, not negative and at most {_MOST}."
            )
        data = np.full(n_rows, float(data))
    raw, _ = read_values(data)
    if raw.values.ndim != 1:
        raise WeightError(
            f"{name} has shape {raw.values.shape}; give one weight for each of the {n_rows} rows."
        )
    try:
        values = plain(raw, name).values
    except TreewrightError as error:
        raise WeightError(f"{name} must be numbers: {error}") from error
    if values.dtype.kind not in "fiub":
        raise WeightError(f"{name} is of type {values.dtype}; give numbers.")
    if len(values) != n_rows:
        raise WeightError(
            f"{name} has {len(values)} values, the table {n_rows} rows; give one weight for each row."
        )
    weights = np.ascontiguousarray(values, dtype=np.float64)
    if raw.missing is not None:
        weights = np.where(raw.missing, np.nan, weights)
    refuse_wrong(weights, name)
    return None if (weights == 1.0).all() else weights


def refuse_wrong(weights: NDArray[np.float64], name: str) -> None:
    """Raise if a row has a weight that cannot be, or none has any."""
    wrong = ~((weights >= 0) & (weights <= _MOST))
    if wrong.any():
        row = int(wrong.argmax())
        raise WeightError(
            f"{name} holds {weights[row]} in row {row}; a weight is finite, not negative and at most {_MOST}."
        )
    if not weights.any():
        raise WeightError(f"{name}: all weights are zero; at least one row must count.")
