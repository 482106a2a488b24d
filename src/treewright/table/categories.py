"""Categories: encode texts, booleans and declared categories as int32 codes.

The code of a category is its position among the column's categories, which are in declared order, or else
sorted. So the same values give the same codes from any container and for any order of the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError, ColumnTypeError, UnseenCategoryWarning, listed, warn
from treewright.missing_values import Mask, is_missing, is_missing_value
from treewright.schema import Column, Label
from treewright.table.checks import changed_column, refuse_infinite_in, refuse_merged
from treewright.table.infer import is_beyond_float, plain, wrong_object
from treewright.table.read import Raw


@dataclass(frozen=True, slots=True)
class Unseen:
    """Categories of new rows that did not occur in training.

    Parameters
    ----------
    name : str
        The column's name.
    labels : tuple
        The categories.
    row : int
        The first row that has one of them.
    """

    name: str
    labels: tuple[Label, ...]
    row: int


def learn_categories(raw: Raw, name: str, counts: Mask | None = None) -> tuple[NDArray[np.int32], Column]:
    """Learn the categories of a column and encode it.

    Parameters
    ----------
    raw : Raw
        The column.
    name : str
        Its name.
    counts : array of bool, optional
        Rows that take part; categories that occur only in other rows do not count, unless declared.

    Returns
    -------
    codes : array of int32
        −1 is missing.
    column : Column
        Of kind ``"category"``.

    Examples
    --------
    >>> codes, column = learn_categories(Raw(np.array(["rain", None, "hail"], dtype=object)), "weather")
    >>> codes, column.categories
    (array([ 1, -1,  0], dtype=int32), ('hail', 'rain'))
    """
    codes, labels = _factorise(raw, name)
    if raw.is_declared:
        return codes, Column(name, "category", categories=tuple(labels))
    counted = codes if counts is None else codes[counts]
    present = np.bincount(counted[counted >= 0], minlength=len(labels))
    kept = sorted(np.flatnonzero(present).tolist(), key=labels.__getitem__)
    categories = tuple(labels[at] for at in kept)
    return _recoded(codes, kept, len(labels)), Column(name, "category", categories=categories)


def encode_categories(raw: Raw, column: Column) -> tuple[NDArray[np.int32], list[Unseen]]:
    """Encode new rows of a categorical column.

    Returns
    -------
    codes : array of int32
        −1 for values that are missing or did not occur in training.
    unseen : list of Unseen
        The categories that did not occur in training: one element, or none.

    Raises
    ------
    ColumnError
        If it held texts in training and numbers now, or the other way round.
    """
    codes, labels = _factorise(raw, column.name)
    code_of = _codes_by_label(column.categories)
    if labels and column.categories:
        was, now = (_family(each[0]) for each in (column.categories, labels))
        if (was == "texts") != (now == "texts"):
            raise changed_column(column.name, f"held {was}", f"holds {now}")
    to = np.array([*(code_of.get(label, -1) for label in labels), -1], dtype=np.int32)
    if not len(labels) or to[:-1].min() >= 0:
        return to[codes], []
    is_unseen = (to[codes] < 0) & (codes >= 0)
    others = sorted(labels[at] for at in np.unique(codes[is_unseen]).tolist())
    return to[codes], [Unseen(column.name, tuple(others), int(is_unseen.argmax()))] if others else []


def report_unseen(unseen: Sequence[Unseen], takes_missing: bool) -> None:
    """Warn once about all categories that did not occur in training, or raise if none may be missing."""
    if unseen and not takes_missing:
        first = unseen[0]
        holds = f"column {first.name!r} holds {listed(first.labels, most=3)}, first in row {first.row}"
        why = "it did not occur in training, so it counts as missing, and the model refuses missing values"
        raise ColumnError(f"{holds}: {why}. Replace it, or train with missing='spread' or 'majority'.")
    if unseen:
        places = "; ".join(f"column {each.name!r}: {listed(each.labels, most=3)}" for each in unseen)
        warn(f"categories that did not occur in training count as missing: {places}.", UnseenCategoryWarning)


def _factorise(raw: Raw, name: str) -> tuple[NDArray[np.int32], list[Label]]:
    """Give every row the code of its label, −1 if missing; also return the labels, all of one kind."""
    codes, found = _distinct(raw, name)
    if raw.missing is not None:
        codes = np.where(raw.missing, np.int32(-1), codes)
    types = set(map(type, found))
    if types == {str} or (types == {int} and max(map(abs, found)) < 2**63):  # already plain and of one kind
        return codes, list(found)
    known = [at for at, label in enumerate(found) if not is_missing_value(label)]
    if len(known) < len(found):
        codes = _recoded(codes, known, len(found))
    labels: list[Label] = []
    for code, at in enumerate(known):
        label = _plain_label(found[at], raw.is_declared)
        if label is None:
            raise wrong_object(name, found[at], int((codes == code).argmax()))
        labels.append(label)
    _refuse_mixture(labels, codes, name)
    if len(set(labels)) < len(labels):
        if raw.is_declared:  # objects may have the same text
            raise ColumnError(f"column {name!r} declares categories with the same text: {listed(labels)}.")
        rows = [int((codes == code).argmax()) for code in range(len(labels))]
        refuse_merged([found[at] for at in known], labels, name, rows)
    return codes, labels


def _distinct(raw: Raw, name: str) -> tuple[NDArray[np.int32], Sequence[Any]]:
    values = raw.values
    kind = values.dtype.kind
    if raw.labels is not None:
        return values.astype(np.int32, copy=False), raw.labels
    if kind == "b":
        return values.astype(np.int32), (False, True)
    if kind in "OUT":
        return _distinct_objects(values.tolist(), name)
    if kind in "Mm":
        if is_missing(values).all():
            return np.full(len(values), -1, dtype=np.int32), ()
        what = f"column {name!r} is of type {values.dtype}"
        raise ColumnTypeError(f"{what}, which cannot be a category; turn it into texts.")
    numbers = plain(raw, name).values  # raises for values that are not numbers
    refuse_infinite_in(numbers, name, raw.missing)
    known = ~is_missing(numbers)
    if kind == "f" and values.dtype.itemsize > 8:
        refuse_merged(values[known], numbers[known], name, np.flatnonzero(known).tolist())
    labels, inverse = np.unique(numbers[known], return_inverse=True)
    codes = np.full(len(numbers), -1, dtype=np.int32)
    codes[known] = inverse
    return codes, labels.tolist()


def _distinct_objects(items: list[Any], name: str) -> tuple[NDArray[np.int32], list[Any]]:
    try:
        distinct = dict.fromkeys(items)  # in order of appearance, so that errors name the first row
    except TypeError as error:
        for row, item in enumerate(items):
            try:
                hash(item)
            except TypeError:
                raise wrong_object(name, item, row) from error
        raise
    labels = [item for item in distinct if not is_missing_value(item)]
    code_of = dict.fromkeys(distinct, -1)
    code_of.update((label, code) for code, label in enumerate(labels))
    return np.fromiter(map(code_of.__getitem__, items), dtype=np.int32, count=len(items)), labels


def _plain_label(label: object, is_declared: bool) -> Label | None:
    """Convert a label to a plain value that does not depend on its type; None if it cannot be a category."""
    if isinstance(label, bool | np.bool_):
        return bool(label)
    if isinstance(label, Integral) and -(2**63) <= int(label) < 2**64:
        return int(label)
    if isinstance(label, Real | Decimal):
        number = None if is_beyond_float(label) else float(label)
        # A label beyond 64 bits stays a float, which is how models store it.
        return int(number) if number is not None and number.is_integer() and abs(number) < 2**63 else number
    # Declared intervals and dates have their own order.
    return str(label) if is_declared or isinstance(label, str) else None


def _refuse_mixture(labels: Sequence[Label], codes: NDArray[np.int32], name: str) -> None:
    families = [_family(label) for label in labels]
    mixed = sorted(set(families))
    if len(mixed) > 1:
        held = []
        for at in map(families.index, mixed):
            row = "".join(f" in row {row}" for row in np.flatnonzero(codes == at)[:1])
            held.append(f"{labels[at]!r}{row}")
        what = f"column {name!r} mixes {' and '.join(mixed)}: it holds {' and '.join(held)}"
        raise ColumnTypeError(f"{what}. Turn all of them into texts, or all into numbers.")


def _family(label: Label) -> str:
    if isinstance(label, str):
        return "texts"
    return "booleans" if isinstance(label, bool) else "numbers"


def _recoded(codes: NDArray[np.int32], kept: Sequence[int], n_labels: int) -> NDArray[np.int32]:
    """Give the labels `kept` new codes, in this order; other labels become missing."""
    to = np.full(n_labels + 1, -1, dtype=np.int32)  # code −1 selects the last entry
    to[list(kept)] = np.arange(len(kept), dtype=np.int32)
    return to[codes]


@lru_cache(maxsize=64)
def _codes_by_label(categories: tuple[Label, ...]) -> dict[Label, int]:
    return {label: code for code, label in enumerate(categories)}
