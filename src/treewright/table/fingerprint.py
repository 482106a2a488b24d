"""A fingerprint of a table: 64 bits that tell whether two tables hold the same rows.

It does not depend on the order of the rows, on the container or on the width of its numbers, as models do
not. It finds accidents, not forgers; a fit must not wait for it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

_VALUES = 16_384  # looked at together, so that what is worked on stays in the cache
_WORD = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))  # the last ones of SplitMix64
_ONE = 0x3FF0000000000000  # the bits of 1.0


def fingerprint(
    columns: Sequence[NDArray[Any]] | NDArray[Any],
    target: NDArray[Any],
    weights: NDArray[np.float64] | None = None,
) -> str:
    """Sum up a number for every row, to which all its values add theirs.

    The 64 bits of every value (a float64, or a whole number) are multiplied by the constant of their column
    and added up in the row, modulo 2^64. The rows' sums are scrambled and added up in turn.

    Parameters
    ----------
    columns : sequence of arrays, or array of two dimensions
        Floats, whole numbers or codes, as `treewright.table.encode` encodes them; or a table of numbers.
    target : array
        Numbers, or the codes of classes.
    weights : array of float64, optional
        One per row, by default 1; rows of weight 0 do not count.

    Returns
    -------
    str
        16 hexadecimal digits.

    Examples
    --------
    >>> age, target = np.array([22.0, 35.0, 47.0]), np.array([0, 1, 1], dtype=np.int32)
    >>> fingerprint([age], target)
    '7a5e49ae192b5f96'
    >>> fingerprint([age[::-1].astype(np.float32)], target[::-1], np.ones(3))
    '7a5e49ae192b5f96'
    """
    numbers = numbers_of_rows(columns, target, weights)
    if weights is not None:
        numbers[weights == 0] = 0
    return f"{int(numbers.sum()):016x}"


def numbers_of_rows(
    columns: Sequence[NDArray[Any]] | NDArray[Any],
    target: NDArray[Any],
    weights: NDArray[np.float64] | None = None,
    seed: int = 0,
) -> NDArray[np.uint64]:
    """Give every row a number that what is in it decides, and nothing else; see `fingerprint`.

    Parameters
    ----------
    columns, target, weights
        As for `fingerprint`.
    seed : int
        Another seed gives other numbers.

    Returns
    -------
    array of uint64
        As good as drawn at random.
    """
    of_target, of_weight, *factors = _factors(
        columns.shape[1] if isinstance(columns, np.ndarray) else len(columns)
    )
    total = _bits(target) * np.uint64(of_target)
    total += (
        _bits(weights) * np.uint64(of_weight) if weights is not None else np.uint64(_ONE * of_weight & _WORD)
    )
    if isinstance(columns, np.ndarray):
        of_columns = np.array(factors, dtype=np.uint64)
        for rows in _shares(len(columns), max(1, _VALUES // len(factors))):
            total[rows] += _bits(np.asarray(columns[rows], dtype=np.float64)) @ of_columns
    else:
        for values, factor in zip(columns, factors, strict=True):
            for rows in _shares(len(values), _VALUES):
                total[rows] += _bits(values[rows]) * np.uint64(factor)
    total += np.uint64(seed * _GOLDEN & _WORD)
    for shift, factor in _STEPS:
        total ^= total >> np.uint64(shift)
        total *= np.uint64(factor)
    return total


def _shares(n_rows: int, most: int) -> list[slice]:
    return [slice(begin, begin + most) for begin in range(0, n_rows, most)]


def _bits(values: NDArray[Any]) -> NDArray[np.uint64]:
    """Give values as 64 bits each, every NaN as the same one."""
    if values.dtype.kind != "f":
        return values.astype(np.int64).view(np.uint64)
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        may_have_gaps = not np.isfinite(numbers.sum())
    if may_have_gaps:
        numbers = np.where(np.isnan(numbers), np.nan, numbers)
    return numbers.view(np.uint64)


@lru_cache(maxsize=64)
def _factors(n_columns: int) -> tuple[int, ...]:
    """Give odd constants for the target, the weight and every column."""
    return tuple(_scrambled(at * _GOLDEN & _WORD) | 1 for at in range(1, n_columns + 3))


def _scrambled(number: int) -> int:
    for shift, factor in _STEPS:
        number = (number ^ number >> shift) * factor & _WORD
    return number
