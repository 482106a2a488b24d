"""Parse rows of text with pyarrow: fast, and used only if it reads the same as `plain_rows`."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.files.cells import Codes
from treewright.files.dialect import Dialect, Look
from treewright.files.rows import Block
from treewright.table.read import Raw

Parsed: TypeAlias = Raw | tuple[Codes, list[str]]
"""Some rows of a column: numbers, or codes with their texts."""


def is_there() -> bool:
    """Report whether pyarrow is installed."""
    try:
        import pyarrow.csv  # noqa: F401
    except ImportError:
        return False
    return True


def parse(block: Block, dialect: Dialect, types: Mapping[int, Look]) -> list[Parsed] | None:
    """Parse a block.

    Parameters
    ----------
    block : Block
        Whole rows.
    dialect : Dialect
        How they are written.
    types : mapping of int to {"whole", "fraction", "text"}
        The columns to read, by position, and the type to read each as.

    Returns
    -------
    list of Raw, or of codes and texts
        Numbers, or texts for the other columns; None if pyarrow cannot read the block.
    """
    import pyarrow as pa
    from pyarrow import csv

    texts = pa.dictionary(pa.int32(), pa.string())
    type_of = {"whole": pa.int64(), "fraction": pa.float64(), "text": texts}
    rules, names = dialect.rules, list(map(str, range(len(dialect.names))))
    size = block.end - block.start
    try:
        table = csv.read_csv(
            pa.BufferReader(pa.py_buffer(block.buffer).slice(block.start, size)),
            # One piece per column: the smaller pieces that Arrow makes would have to be joined.
            read_options=csv.ReadOptions(column_names=names, block_size=size + 1),
            parse_options=csv.ParseOptions(delimiter=dialect.delimiter, newlines_in_values=block.holds(b'"')),
            convert_options=csv.ConvertOptions(
                column_types={str(at): type_of[each] for at, each in types.items()},
                include_columns=list(map(str, types)),
                null_values=["", *rules.missing, *rules.missing_among_numbers],
                decimal_point=rules.decimal,
            ),
        )
    except pa.ArrowInvalid:
        return None
    pairs = zip(types.values(), table.columns, strict=True)
    return [_texts(column) if each == "text" else _numbers(column) for each, column in pairs]


def _numbers(column: Any) -> Raw:
    dtype = np.dtype(str(column.type).replace("double", "float64"))
    values = _values(column.chunks, dtype)
    if not column.null_count:
        return Raw(values)
    missing = np.concatenate([_missing(chunk) for chunk in column.chunks])
    return Raw.masked(np.where(missing, dtype.type(0), values), missing)


def _texts(column: Any) -> tuple[Codes, list[str]]:
    chunks = column.unify_dictionaries().chunks
    codes = _values([chunk.indices for chunk in chunks], np.dtype(np.int32))
    return codes, chunks[-1].dictionary.to_pylist() if chunks else []


def _values(chunks: Sequence[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Read Arrow's memory directly; its own conversion to NumPy would load pandas if installed."""
    whole = [chunk for chunk in chunks if len(chunk)]
    views = [np.frombuffer(each.buffers()[1], dtype)[each.offset :][: len(each)] for each in whole]
    return views[0] if len(views) == 1 else np.concatenate([np.zeros(0, dtype), *views])


def _missing(chunk: Any) -> NDArray[np.bool_]:
    bits = chunk.buffers()[0]
    if bits is None:
        return np.zeros(len(chunk), dtype=bool)
    known = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little").astype(bool)
    return ~known[chunk.offset :][: len(chunk)]
