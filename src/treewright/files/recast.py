"""Convert a column to another kind than the one it was read with."""

import numpy as np

from treewright.errors import ColumnError
from treewright.files.cells import settle
from treewright.files.literals import CellKind
from treewright.files.rules import Everyday, Rules
from treewright.table.infer import holds_categories, plain
from treewright.table.read import Raw

_RULES = Rules(everyday=Everyday())
_WORDS = {"f": "numbers", "i": "numbers", "u": "numbers", "b": "booleans", "M": "datetimes", "m": "durations"}


def recast(raw: Raw, kind: CellKind | None, name: str, rules: Rules = _RULES) -> Raw:
    """Convert a column to the requested kind.

    Parameters
    ----------
    raw : Raw
        The column.
    kind : {"number", "category", "boolean", "datetime", "text"} or None
        None leaves the column as it is.
    name : str
        Its name, for errors.
    rules : Rules
        How texts are written.

    Raises
    ------
    ColumnError
        If its values cannot be read as this kind.

    Examples
    --------
    >>> recast(Raw(np.array([3, 1, 3])), "category", "pclass").labels
    ['1', '3']
    """
    if kind is None:
        return raw
    if kind in ("category", "text"):
        return raw if raw.labels is not None else _as_texts(raw, name)
    if raw.labels is not None or (raw.values.dtype.kind in "OUT" and holds_categories(raw)):
        texts = raw if raw.labels is not None else _as_texts(raw, name)
        return settle(texts.values, [str(label) for label in texts.labels or ()], rules, kind, name)
    held = plain(raw, name).values.dtype.kind
    if _WORDS[held] == f"{kind}s":
        return raw
    if kind == "number" and held == "b":
        return Raw(raw.values.astype(np.int64), raw.missing)
    raise ColumnError(f"column {name!r} holds {_WORDS[held]}, which cannot be read as a {kind}.")


def _as_texts(raw: Raw, name: str) -> Raw:
    values = raw.values if raw.values.dtype.kind in "OUT" else plain(raw, name).values
    known = ~raw.is_missing()
    values = values[known]
    if values.dtype.kind in "OUT":
        values = np.array([_text(item) for item in values.tolist()], dtype=object)
    distinct, inverse = np.unique(values, return_inverse=True)
    codes = np.full(len(known), -1, dtype=np.int32)
    codes[known] = inverse
    return Raw(codes, labels=[_text(item) for item in distinct.tolist()])


def _text(item: object) -> str:
    return str(int(item)) if isinstance(item, float) and item.is_integer() else str(item)
