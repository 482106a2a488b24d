"""The fingerprint of a table: 64 bits that show whether two tables hold the same rows.

Like models, it does not depend on the order of the rows, on the container or on the width of its numbers. It
is fast, and detects accidental changes but not forgery.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core

Weights: TypeAlias = NDArray[np.float64] | None


def fingerprint(
    columns: Sequence[NDArray[Any]], target: NDArray[Any], weights: Weights = None, n_threads: int = 1
) -> str:
    """Compute a number for every row from all its values, and add these numbers up.

    The 64 bits of every value (a float64, or a whole number) are multiplied by a constant of the column and
    added up over the row, modulo 2^64. The sums of the rows are scrambled and then added up.

    Parameters
    ----------
    columns : sequence of arrays
        Floats, whole numbers or codes, as `treewright.table.encode` encodes them.
    target : array
        Numbers, or the codes of classes.
    weights : array of float64, optional
        One per row, by default 1; rows of weight 0 do not count.
    n_threads : int
        Threads to use; the fingerprint is the same for any number of them.

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
    return f"{_core.fingerprint(columns, target, weights, n_threads):016x}"


def numbers_of_rows(
    columns: Sequence[NDArray[Any]], target: NDArray[Any], weights: Weights = None, seed: int = 0
) -> NDArray[np.uint64]:
    """Give every row a number that depends only on its values; see `fingerprint`.

    Parameters
    ----------
    columns, target, weights
        As for `fingerprint`.
    seed : int
        A different seed gives different numbers.

    Returns
    -------
    array of uint64
        Uniformly distributed, like random numbers.
    """
    return _core.numbers_of_rows(columns, target, weights, seed % 2**64)
