"""Read Parquet, Arrow and Feather files, whose columns have types, with pyarrow."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from treewright.errors import FileError, MissingPackageError, TreewrightError
from treewright.files.cells import categories
from treewright.files.options import Options
from treewright.files.source import Source
from treewright.table.read import Raw, Table, read


def arrow_tables(source: Source, options: Options, most: int | None) -> Iterator[Table]:
    """Read a Parquet, Arrow or Feather file."""
    with _file_errors(source):
        import pyarrow as pa

        schema, batches = _opened(source, options, most or 65_536)
        valid = map(_valid, batches)
        for batch in [pa.Table.from_batches(valid, schema)] if most is None else valid:
            table = read(batch)
            columns = [_without(raw, options.missing_texts()) for raw in table.columns]
            yield Table(table.names, columns, table.n_rows)


def _opened(source: Source, options: Options, n_rows: int) -> tuple[Any, Iterator[Any]]:
    """Return the schema of the columns to read, and their rows in batches."""
    import pyarrow as pa

    handle = pa.OSFile(str(source.path)) if source.path else io.BytesIO(b"".join(source.chunks(-1)))
    if source.head.startswith(b"PAR1"):
        from pyarrow import parquet

        file = parquet.ParquetFile(handle)
        schema, wanted = _wanted(file.schema_arrow, options)
        return schema, file.iter_batches(n_rows, columns=wanted)
    if source.head.startswith(b"FEA1"):
        from pyarrow import feather

        reader = feather.read_table(handle)
        found = iter(reader.to_batches(n_rows))
    elif source.head.startswith(b"ARROW1"):
        reader = pa.ipc.open_file(handle)
        found = (reader.get_batch(at) for at in range(reader.num_record_batches))
    else:
        reader = pa.ipc.open_stream(handle)
        found = iter(reader)
    schema, wanted = _wanted(reader.schema, options)
    return schema, (batch.select(wanted) for batch in found)


def _wanted(schema: Any, options: Options) -> tuple[Any, list[str]]:
    import pyarrow as pa

    wanted = [schema.names[at] for at in options.wanted(schema.names)]
    if len(set(schema.names)) < len(schema.names):
        return schema, wanted  # reading the table will report which name occurs twice
    return pa.schema([schema.field(name) for name in wanted]), wanted


def _valid(batch: Any) -> Any:
    """Check a batch in full: Arrow uses bytes as they are, so a damaged offset could crash the process."""
    batch.validate(full=True)
    return batch


def _without(raw: Raw, missing: frozenset[str]) -> Raw:
    """Turn some texts into missing values."""
    if raw.labels is None or not missing.intersection(raw.labels):
        return raw
    return categories(raw.values, raw.labels, missing, raw.is_declared)


@contextmanager
def _file_errors(source: Source) -> Iterator[None]:
    """Shorten errors of pyarrow to one line; report if it is not installed."""
    try:
        yield
    except ImportError as error:
        needed = f"{source.name} needs pyarrow to be read"
        raise MissingPackageError(f"{needed}: pip install 'treewright[files]'.") from error
    except TreewrightError:
        raise
    except Exception as error:  # from Arrow, the disk, or Python itself if the bytes are garbage
        said = (str(error).splitlines() or [""])[0]
        raise FileError(f"{source.name} is damaged or incomplete ({said}); get it again.") from error
