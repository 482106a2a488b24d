"""Read `cv` as users give it: a number of folds, a splitter of scikit-learn, or a fold for every row."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.engines.threads import n_threads
from treewright.errors import ParameterError, TreewrightError
from treewright.fitting.folds import Folds, cross_validate, deal, side_by_side
from treewright.missing_values import is_missing
from treewright.parts.bounds import whole
from treewright.table.read import read_values

__all__ = ["cross_validate", "deal", "folds_given", "side_by_side", "threads_for"]

# Trees on tables of up to this many values are grown side by side, each by one thread: most nodes of a tree
# are small, and a second thread hardly helps there. Larger trees are grown one by one with all threads, so
# that Ctrl-C works at once and memory holds few copies of the table.
_MOST_SIDE_BY_SIDE = 4_000_000
T = TypeVar("T")


def folds_given(cv: Any, labels: NDArray[Any], weights: NDArray[np.float64] | None = None) -> Folds | None:
    """Return the fold of every row, or None if `cv` is only a number of folds.

    Rows of weight 0 are in no fold, and folds that have only such rows are left out.

    Parameters
    ----------
    cv : int, splitter, iterable of pairs, or array-like of groups
        The parameter as users give it.
    labels : array
        The target, for splitters that use it.
    weights : array of float64, optional
        Weights of the rows.

    Returns
    -------
    array of int32 or None
        −1 for rows that are never held out, and for rows of weight 0.

    Examples
    --------
    >>> folds_given(["a", "b", "a"], np.zeros(3))
    array([0, 1, 0], dtype=int32)
    >>> folds_given(["a", "b", "c"], np.zeros(3), np.array([0.0, 2.0, 1.0]))
    array([-1,  0,  1], dtype=int32)
    """
    n_rows = len(labels)
    counts = np.ones(n_rows, dtype=bool) if weights is None else weights > 0
    if isinstance(cv, Integral):
        whole("cv", cv, at_least=2)
        return None
    is_splitter = hasattr(cv, "split") and not isinstance(cv, str)
    if is_splitter:
        try:
            cv = list(cv.split(np.zeros((n_rows, 1)), labels))
        except (TypeError, ValueError) as error:
            hint = "A fold for every row may be given instead."
            raise ParameterError(f"cv={cv!r} does not split this table: {error} {hint}") from error
    if isinstance(cv, str) or not isinstance(cv, Iterable):
        raise ParameterError(
            f"cv={cv!r} cannot be used; give a number of folds, a splitter such as "
            "sklearn.model_selection.KFold, or a fold for every row."
        )
    entries = cv if hasattr(cv, "__len__") else list(cv)
    first = next(iter(entries), None)
    are_pairs = is_splitter or (isinstance(first, tuple) and len(first) == 2)
    return _checked(_of_pairs(entries, n_rows) if are_pairs else _of_groups(entries, counts), counts)


def _of_pairs(pairs: Iterable[Any], n_rows: int) -> Folds:
    folds = np.full(n_rows, -1, dtype=np.int32)
    for fold, (train, test) in enumerate(pairs):
        grown_on, held = np.zeros((2, n_rows), dtype=bool)
        grown_on[np.asarray(train)] = True
        held[np.asarray(test)] = True
        for row in np.flatnonzero(grown_on == held):
            raise ParameterError(
                f"cv: row {row} is {'both' if held[row] else 'neither'} grown on and held out in fold "
                f"{fold}; pruning needs it to be one or the other."
            )
        for row in np.flatnonzero(held & (folds >= 0)):
            raise ParameterError(
                f"cv holds row {row} out in folds {folds[row]} and {fold}; pruning needs each row to be held "
                "out once at most. Use KFold or StratifiedKFold."
            )
        folds[held] = fold
    return folds


def _of_groups(groups: Any, counts: NDArray[np.bool_]) -> Folds:
    try:
        values = read_values(groups)[0].decoded().values
    except TreewrightError as error:
        raise ParameterError(f"cv={groups!r} is not a fold for every row: {error}") from error
    if values.shape != counts.shape:
        raise ParameterError(
            f"cv has {len(values)} entries and the table {len(counts)} rows; give a fold for every row, a "
            "number of folds, or a splitter."
        )
    for row in np.flatnonzero(is_missing(values)):
        raise ParameterError(f"cv gives row {row} no fold; give one for every row.")
    places = {group: at for at, group in enumerate(dict.fromkeys(values[counts].tolist()))}
    return np.array([places.get(group, -1) for group in values.tolist()], dtype=np.int32)


def _checked(folds: Folds, counts: NDArray[np.bool_]) -> Folds:
    of_weight = "" if counts.all() else " of weight above 0"
    if (folds[counts] < 0).all():
        raise ParameterError(f"cv holds no row{of_weight} out; give at least two folds.")
    if (folds[counts] == folds[counts][0]).all():
        raise ParameterError(
            f"cv holds all rows{of_weight} out at once, and none are left to grow on; give two folds."
        )
    held = counts & (folds >= 0)
    numbered = np.full_like(folds, -1)
    numbered[held] = np.unique(folds[held], return_inverse=True)[1]
    return numbered


def threads_for(n_values: int, n_jobs: int | None) -> int:
    """Return how many trees to grow at a time on a table of `n_values` values."""
    return n_threads(n_jobs) if n_values <= _MOST_SIDE_BY_SIDE else 1
