"""Warn about columns whose values lie so close together that C4.5 treats them as one value."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.engines.engine import TrainingSet
from treewright.errors import CloseValuesWarning, listed, warn
from treewright.formatting import format_number
from treewright.missing_values import Mask
from treewright.parts import Recipe


def warn_if_too_close(training_set: TrainingSet, weights: NDArray[np.float64] | None, recipe: Recipe) -> None:
    """Warn once about the columns that can never be split because of the recipe's `min_gap`.

    Neighbouring values no further apart than `min_gap` count as one value, and this chains along the column:
    without a wider gap it counts as constant, however far apart its ends are.
    """
    gap = recipe.numeric.min_gap
    if not gap:
        return
    counts = None if weights is None else weights > 0
    codes, names = training_set.codes, [column.name for column in training_set.columns]
    close = _close_columns(codes, counts, gap)
    if close:
        named = listed([names[at] for at in close], most=3)
        columns = "columns" if len(close) > 1 else "column"
        warn(
            f"{columns} {named} cannot be split: each value is within {format_number(gap)} of the next, and "
            "C4.5 takes such values for one. If the differences matter, multiply them (say, by 1,000) or use "
            "variant='textbook'.",
            CloseValuesWarning,
        )


def _close_columns(codes: Sequence[NDArray[Any]], counts: Mask | None, gap: float) -> list[int]:
    floats = [at for at, values in enumerate(codes) if values.dtype.kind == "f"]
    return [at for at in floats if are_close(codes[at] if counts is None else codes[at][counts], gap)]


def are_close(values: NDArray[np.floating[Any]], gap: float) -> bool:
    """Return whether values differ, but never by more than `gap` from one to the next; NaN is ignored.

    Examples
    --------
    >>> are_close(np.array([0.0, 2e-6, 1e-6]), 1e-5), are_close(np.array([0.0, 2e-6, 1.0]), 1e-5)
    (True, False)
    """
    low, high = np.fmin.reduce(values, initial=np.inf), np.fmax.reduce(values, initial=-np.inf)
    # n values with gaps of at most `gap` span at most n gaps. Nearly every column fails this quick test.
    with np.errstate(over="ignore", invalid="ignore"):
        reach = high - low
    if not 0 < reach <= gap * len(values):
        return False
    known = values[~np.isnan(values)].astype(np.float64)
    places = np.floor((known - low) / gap).astype(np.int64)
    if not np.bincount(places).all():  # around an empty interval, two values are further apart than the gap
        return False
    ordered = np.sort(known)
    return not (ordered[:-1] + gap < ordered[1:]).any()
