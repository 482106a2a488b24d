"""Give a column another kind than the one it came with."""

import numpy as np

from treewright.errors import ColumnError
from treewright.files.cells import CellKind, Rules, settle
from treewright.missing_values import is_missing_value
from treewright.table.infer import holds_categories, plain
from treewright.table.read import Raw

_WORDS = {"f": "numbers", "i": "numbers", "u": "numbers", "b": "booleans", "M": "datetimes", "m": "durations"}


def recast(raw: Raw, kind: CellKind | None, name: str) -> Raw:
    """Give a column the kind that was told.

    Parameters
    ----------
    raw : Raw
        The column.
    kind : {"number", "category", "boolean", "datetime", "text"} or None
        None leaves it as it is.
    name : str
        Its name, for errors.

    Raises
    ------
    ColumnError
        If its values cannot be read so.

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
        assert texts.labels is not None
        return settle(texts.values, [str(label) for label in texts.labels], Rules(), kind, name)
    held = plain(raw, name).values.dtype.kind
    if _WORDS[held] == {"number": "numbers", "boolean": "booleans", "datetime": "datetimes"}[kind]:
        return raw
    if kind == "number" and held == "b":
        return Raw(raw.values.astype(np.int64), raw.missing)
    raise ColumnError(f"column {name!r} holds {_WORDS[held]}, which cannot be read as a {kind}.")


def _as_texts(raw: Raw, name: str) -> Raw:
    values = raw.values if raw.values.dtype.kind in "OUT" else plain(raw, name).values
    missing = np.zeros(len(values), dtype=bool) if raw.missing is None else raw.missing
    if values.dtype.kind in "OUT":
        items = values.tolist()
        missing = missing | np.fromiter(map(is_missing_value, items), bool, len(items))
        values = np.array([_spelt(item) for item in items], dtype=object)
    elif values.dtype.kind == "f":
        missing = missing | np.isnan(values)
    elif values.dtype.kind in "Mm":
        missing = missing | np.isnat(values)
    distinct, inverse = np.unique(values[~missing], return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int32)
    codes[~missing] = inverse
    return Raw(codes, labels=[_spelt(item) for item in distinct.tolist()])


def _spelt(item: object) -> str:
    return str(int(item)) if isinstance(item, float) and item.is_integer() else str(item)
