"""Parse rows of text with pyarrow: quick, and asked only for what it reads as `plain_rows` does."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.files.cells import Codes
from treewright.files.dialect import Dialect, Look
from treewright.files.rows import Block
from treewright.table.read import Raw


def is_there() -> bool:
    """Tell whether pyarrow is installed."""
    try:
        import pyarrow.csv  # noqa: F401
    except ImportError:
        return False
    return True


def parse(
    block: Block, dialect: Dialect, types: Sequence[Look], wanted: Sequence[int]
) -> list[Raw | tuple[Codes, list[str]]] | None:
    """Parse a block.

    Parameters
    ----------
    block : Block
        Whole rows.
    dialect : Dialect
        How they are written.
    types : sequence of {"whole", "fraction", "text"}
        What to read each column as.
    wanted : sequence of int
        Columns to give.

    Returns
    -------
    list of Raw, or of codes and texts
        Numbers, or texts for the other columns; None where pyarrow does not take the block.
    """
    import pyarrow as pa
    from pyarrow import csv

    type_of = {
        "whole": pa.int64(),
        "fraction": pa.float64(),
        "text": pa.dictionary(pa.int32(), pa.string()),
    }
    names = [str(at) for at in range(len(types))]
    rules = dialect.rules
    try:
        table = csv.read_csv(
            pa.BufferReader(pa.py_buffer(block.buffer).slice(block.start, block.end - block.start)),
            # One piece for each column: Arrow's own pieces would have to be put together.
            read_options=csv.ReadOptions(column_names=names, block_size=block.end - block.start + 1),
            parse_options=csv.ParseOptions(delimiter=dialect.delimiter, newlines_in_values=block.holds(b'"')),
            convert_options=csv.ConvertOptions(
                column_types={name: type_of[each] for name, each in zip(names, types, strict=True)},
                include_columns=[names[at] for at in wanted],
                null_values=["", *rules.missing, *rules.missing_among_numbers],
                decimal_point=rules.decimal,
            ),
        )
    except pa.ArrowInvalid:
        return None
    return [
        _texts(column) if types[at] == "text" else _numbers(column)
        for at, column in zip(wanted, table.columns, strict=True)
    ]


def _numbers(column: Any) -> Raw:
    dtype = np.dtype(str(column.type).replace("double", "float64"))
    values = _values(column.chunks, dtype)
    if not column.null_count:
        return Raw(values)
    missing = np.concatenate([_gaps(chunk) for chunk in column.chunks])
    values = np.where(missing, dtype.type(0 if dtype.kind == "i" else np.nan), values)
    return Raw(values, missing if dtype.kind == "i" else None)


def _texts(column: Any) -> tuple[Codes, list[str]]:
    chunks = column.unify_dictionaries().chunks
    codes = _values([chunk.indices for chunk in chunks], np.dtype(np.int32))
    return codes, chunks[-1].dictionary.to_pylist() if chunks else []


def _values(chunks: Sequence[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Read Arrow's memory; its own way to NumPy loads pandas where that is installed."""
    views = [
        np.frombuffer(chunk.buffers()[1], dtype)[chunk.offset : chunk.offset + len(chunk)]
        for chunk in chunks
        if len(chunk)
    ]
    return views[0] if len(views) == 1 else np.concatenate([np.zeros(0, dtype), *views])


def _gaps(chunk: Any) -> NDArray[np.bool_]:
    bits = chunk.buffers()[0]
    if bits is None:
        return np.zeros(len(chunk), dtype=bool)
    known = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little").astype(bool)
    return ~known[chunk.offset : chunk.offset + len(chunk)]
