"""Intervals of values as categories, for learners that split on categories only.

In a column of whole numbers or texts, the distinct values are the categories. Numbers with fractions,
datetimes and durations are nearly all distinct, so they are binned into intervals first. The column keeps the
edges, and new rows are put into the same intervals.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError
from treewright.missing_values import is_missing_code
from treewright.schema import Bins, Column
from treewright.table.checks import refuse_infinite_in
from treewright.table.infer import holds_categories, plain
from treewright.table.read import Raw, Table
from treewright.table.spelling import spell

ONE_INTERVAL = "any value"


@dataclass(frozen=True, slots=True)
class Binning:
    """How to cut a column.

    Parameters
    ----------
    n_bins : int
        Number of intervals; fewer if there are too few distinct values.
    weights : array of float64, optional
        The weight of each row, by default 1.
    """

    n_bins: int
    weights: NDArray[np.float64] | None = None


def first_unlisted(raw: Raw, name: str, counts: NDArray[np.bool_] | None = None) -> int | None:
    """Find the first row with a fraction, a datetime or a duration, which are not categories by themselves.

    Examples
    --------
    >>> first_unlisted(Raw(np.array([1.0, np.nan, 2.5])), "x"), first_unlisted(Raw(np.array(["2.5"])), "x")
    (2, None)
    """
    if raw.values.dtype.kind in "iub" or holds_categories(raw):
        return None
    settled = plain(raw, name)
    values, unlisted = settled.values, ~settled.is_missing()
    if values.dtype.kind == "f":
        refuse_infinite_in(np.where(unlisted, values, 0.0), name)
        unlisted &= values != np.floor(values)
    elif values.dtype.kind not in "Mm":
        return None
    unlisted &= True if counts is None else counts
    return int(unlisted.argmax()) if unlisted.any() else None


def learn_bins(values: NDArray[Any], column: Column, binning: Binning) -> tuple[NDArray[np.int32], Column]:
    """Cut a column into intervals of about the same weight; equal values stay together.

    Parameters
    ----------
    values : array
        The values of a column that is not categorical, as `treewright.table.encode` encodes them.
    column : Column
        The encoded column.
    binning : Binning
        How to cut it.

    Returns
    -------
    codes : array of int32
        The interval of every row, −1 for a missing value.
    column : Column
        Of kind ``"category"``, with its bins.

    Examples
    --------
    >>> codes, column = learn_bins(np.array([1.5, 2.0, 3.0, 5.0, np.nan]), Column("x"), Binning(3))
    >>> codes, column.categories
    (array([ 0,  1,  1,  2, -1], dtype=int32), ('<= 1.75', '(1.75, 4]', '> 4'))
    """
    weights = np.ones(len(values)) if binning.weights is None else binning.weights
    known = ~is_missing_code(values) & (weights > 0)
    edges = _edges(values[known], weights[known], binning.n_bins)
    bins = Bins(edges, column.kind, column.unit, column.zone)
    cut = Column(column.name, "category", categories=_labels(bins), bins=bins)
    return codes_of_bins(values, bins), cut


def codes_of_bins(values: NDArray[Any], bins: Bins) -> NDArray[np.int32]:
    """Find the interval of every value; a value on an edge belongs to the interval below, missing is −1."""
    codes = np.searchsorted(_array(bins), values, side="left").astype(np.int32)
    codes[is_missing_code(values)] = -1
    return codes


def refuse_unlisted(table: Table) -> None:
    """Raise if a column holds values that are not categories by themselves."""
    for name, raw in zip(table.names, table.columns, strict=True):
        row = first_unlisted(raw, name)
        if row is not None:
            value = plain(raw, name).values[row]
            what = {"f": "a fraction", "M": "a datetime", "m": "a duration"}[value.dtype.kind]
            holds = f"column {name!r} holds {value} in row {row}, {what}, and every value would be a category"
            way_out = "Use C45Classifier, which looks for cuts, or give bins= to cut it into intervals."
            raise ColumnError(f"{holds} of its own. {way_out}")


def origin_of(column: Column) -> Column:
    """Return a column as it was before binning."""
    assert column.bins is not None, "only columns that were cut have an origin"
    return Column(column.name, column.bins.kind, column.bins.unit, column.bins.zone)


def edges_of(column: Column) -> NDArray[Any] | None:
    """Return the edges of a column in its own type; None if it was not binned."""
    bins = column.bins
    if bins is None or bins.kind == "number":
        return None if bins is None else _array(bins)
    return _array(bins).view(f"{'M' if bins.kind == 'datetime' else 'm'}8[{bins.unit}]")


def _array(bins: Bins) -> NDArray[Any]:
    return np.array(bins.edges, dtype=np.float64 if bins.kind == "number" else np.int64)


def _edges(values: NDArray[Any], weights: NDArray[np.float64], n_bins: int) -> tuple[float | int, ...]:
    """Place each edge between two values so that the weight below it is closest to an equal share."""
    # Weights of equal values are added up in sorted order, so that the order of rows has no effect.
    order = np.lexsort((weights, values))
    values, weights = values[order], weights[order]
    last = np.flatnonzero(values[1:] != values[:-1])  # last position of each value but the largest
    if not len(last):
        return ()
    below = np.cumsum(weights)
    wanted = below[-1] * np.arange(1, n_bins) / n_bins
    reached = below[last]
    high = np.searchsorted(reached, wanted).clip(max=len(last) - 1)
    low = (high - 1).clip(min=0)
    chosen = np.unique(last[np.where(reached[high] - wanted < wanted - reached[low], high, low)])
    return tuple(_between(values[at].item(), values[at + 1].item()) for at in chosen.tolist())


def _between(low: float | int, high: float | int) -> float | int:
    """Return the middle of two values, rounded so that low <= middle < high."""
    if isinstance(low, int):
        return (low + int(high)) // 2
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low + 0.0  # adding 0.0 turns −0.0 into 0.0


def _labels(bins: Bins) -> tuple[str, ...]:
    if not bins.edges:
        return (ONE_INTERVAL,)
    texts = [spell(edge, bins.kind, bins.unit, bins.zone) for edge in bins.edges]
    if len(set(texts)) < len(texts):  # the edges differ only in later digits
        texts = [repr(edge) for edge in bins.edges]
    inner = (f"({low}, {high}]" for low, high in pairwise(texts))
    return (f"<= {texts[0]}", *inner, f"> {texts[-1]}")
