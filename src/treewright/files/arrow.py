"""Read Parquet and Arrow's own files, Feather among them, with pyarrow. Their columns know what they hold."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from treewright.errors import FileError, MissingPackageError, TreewrightError
from treewright.files.options import Options
from treewright.files.recast import recast
from treewright.files.source import Source
from treewright.table.read import Raw, Table, read

_BATCH = 65_536


def read_arrow(source: Source, options: Options) -> Table:
    """Read a Parquet or Arrow file whole."""
    with _told(source):
        import pyarrow as pa

        schema, batches = _opened(source, options)
        table = pa.Table.from_batches([_valid(batch) for batch in batches], schema)
    return _settled(table, source, options)


def arrow_batches(source: Source, options: Options) -> Iterator[Table]:
    """Read a Parquet or Arrow file some rows at a time."""
    with _told(source):
        _, batches = _opened(source, options)
    n_rows = 0
    while True:
        with _told(source):
            batch = next(batches, None)
            if batch is None:
                break
            _valid(batch)
        if len(batch):
            n_rows += len(batch)
            yield _settled(batch, source, options)
    if not n_rows:
        raise _no_rows(source)


def _opened(source: Source, options: Options) -> tuple[Any, Iterator[Any]]:
    """Give the schema of the columns wanted and their rows, batch by batch."""
    import pyarrow as pa

    handle = pa.OSFile(str(source.path)) if source.path is not None else io.BytesIO(source.read())
    if source.head.startswith(b"PAR1"):
        from pyarrow import parquet

        file = parquet.ParquetFile(handle)
        names = file.schema_arrow.names
        wanted = [names[at] for at in options.wanted(names)]
        return _chosen(file.schema_arrow, wanted), file.iter_batches(_BATCH, columns=wanted)
    if source.head.startswith(b"FEA1"):
        from pyarrow import feather

        table = feather.read_table(handle)
        wanted = [table.column_names[at] for at in options.wanted(table.column_names)]
        return _chosen(table.schema, wanted), iter(table.select(wanted).to_batches(_BATCH))
    if source.head.startswith(b"ARROW1"):
        reader = pa.ipc.open_file(handle)
        found = (reader.get_batch(at) for at in range(reader.num_record_batches))
    else:
        reader = pa.ipc.open_stream(handle)
        found = iter(reader)
    wanted = [reader.schema.names[at] for at in options.wanted(reader.schema.names)]
    return _chosen(reader.schema, wanted), (batch.select(wanted) for batch in found)


def _valid(batch: Any) -> Any:
    """Check a batch in full: Arrow maps bytes as they are, and a damaged offset would end the process."""
    batch.validate(full=True)
    return batch


def _chosen(schema: Any, wanted: list[str]) -> Any:
    import pyarrow as pa

    if len(set(schema.names)) < len(schema.names):
        return schema  # the table says which name stands twice
    return pa.schema([schema.field(name) for name in wanted])


def _settled(data: Any, source: Source, options: Options) -> Table:
    with _told(source):
        table = read(data)
    if not table.n_rows:
        raise _no_rows(source)
    gaps = frozenset(options.missing or ())
    columns = [
        recast(_without(raw, gaps), options.kinds.get(name), name)
        for name, raw in zip(table.names, table.columns, strict=True)
    ]
    return Table(table.names, columns, table.n_rows)


def _without(raw: Raw, gaps: frozenset[str]) -> Raw:
    """Take some texts for gaps."""
    if raw.labels is None or not gaps.intersection(raw.labels):
        return raw
    kept = [at for at, label in enumerate(raw.labels) if label not in gaps]
    to = np.full(len(raw.labels) + 1, -1, dtype=np.int32)
    to[kept] = np.arange(len(kept), dtype=np.int32)
    return Raw(to[raw.values], labels=[raw.labels[at] for at in kept], is_declared=raw.is_declared)


def _no_rows(source: Source) -> FileError:
    return FileError(f"{source.name} holds no rows.")


@contextmanager
def _told(source: Source) -> Iterator[None]:
    """Say in one line what pyarrow says in several, or that it is not there."""
    try:
        yield
    except ImportError as error:
        raise MissingPackageError(
            f"{source.name} needs pyarrow to be read: pip install 'treewright[files]'."
        ) from error
    except TreewrightError:
        raise
    except (
        Exception
    ) as error:  # of any kind: of Arrow's own, of the disk, of Python's where bytes are nonsense
        said = (str(error).splitlines() or [""])[0]
        raise FileError(f"{source.name} is damaged or breaks off ({said}); get it again.") from error
