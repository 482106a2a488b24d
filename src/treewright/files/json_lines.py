"""Read JSON lines: each line is an object whose keys are the columns.

Values keep their JSON type; a text is never read as a number. A null, or a key that a line does not have, is
a missing value. Texts that are all ISO 8601 dates or times are datetimes.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from treewright.errors import ColumnError, FileError, listed
from treewright.files.cells import coded, settle
from treewright.files.options import Options
from treewright.files.rules import Rules
from treewright.files.source import Source
from treewright.files.text import Lines
from treewright.table.read import Raw, Table, repeated

Objects: TypeAlias = Sequence[tuple[int, dict[str, Any]]]


def json_tables(source: Source, options: Options, most: int | None) -> Iterator[Table]:
    """Read JSON lines; the first table determines the columns."""
    objects = _objects(Lines(source, options.encoding))
    names: list[str] = []
    while batch := list(islice(objects, most)):
        found = dict.fromkeys(name for _, each in batch for name in each)
        names = names or list(found)
        if not names:
            raise FileError(f"{source.name} holds rows without any columns.")
        late = [name for name in found if name not in names]
        if late and options.columns is None:
            line = next(line for line, each in batch if late[0] in each)
            absent = f"the key {late[0]!r} was not there in the first {most:,} rows"
            raise source.error(line, f"{absent}. Name the columns to read.")
        wanted = [names[at] for at in options.wanted(names)]
        columns = [_column(batch, name, options.missing_texts(), source) for name in wanted]
        yield Table(tuple(wanted), columns, len(batch))


def _objects(lines: Lines) -> Iterator[tuple[int, dict[str, Any]]]:
    decode = json.JSONDecoder(object_pairs_hook=_pairs).decode
    for text in lines:
        start = text.strip()[:40]
        if not start:
            continue
        try:
            value = decode(text)
        except _DuplicateKeyError as error:
            raise lines.error(f"the key {error.args[0]!r} occurs twice.") from None
        except (ValueError, RecursionError) as error:  # an integer or the nesting may be too long
            where = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
            raise lines.error(f"expected a JSON object{where}, found {start!r}.") from None
        if not isinstance(value, dict):
            raise lines.error(f'expected a JSON object such as {{"age": 31}}, found {start!r}.')
        yield lines.number, value


class _DuplicateKeyError(Exception):
    """One object has the same key twice."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _DuplicateKeyError(repeated(name for name, _ in pairs)[0])
    return found


def _column(objects: Objects, name: str, missing: frozenset[str], source: Source) -> Raw:
    items = [each.get(name) for _, each in objects]
    known = set(map(type, items)) - {type(None)}
    if known & {dict, list} or (len(known) > 1 and known & {str, bool}):
        raise _misfit(objects, name, source)
    if known == {str}:
        codes, labels = coded(items, missing)
        settled = settle(codes, labels, Rules.of(()))
        return settled if settled.values.dtype.kind == "M" else Raw(codes, labels=labels)
    is_whole = known == {int} and all(item is None or -(2**63) <= item < 2**63 for item in items)
    if is_whole or known == {bool}:
        values = np.array([item or 0 for item in items], dtype=np.int64 if is_whole else bool)
        return Raw.masked(values, np.array([item is None for item in items]))
    return Raw(np.array([np.nan if item is None else _as_float(item) for item in items]))


def _misfit(objects: Objects, name: str, source: Source) -> ColumnError:
    """Make an error for the first value that is nested or whose type differs from the first value's."""
    known = [(line, each[name]) for line, each in objects if each.get(name) is not None]
    nested = [(line, item) for line, item in known if isinstance(item, dict | list)]
    mixed = [(line, item) for line, item in known if type(item) is not type(known[0][1])]
    line, item = (nested or mixed)[0]
    what = f"mixes kinds of values: {listed([known[0][1], item])}"
    way_out = "Write all of them as texts, or all as numbers."
    if nested:
        what = f"holds {json.dumps(item)[:40]}, which is neither a number nor a text"
        way_out = "Leave the column out, or divide it into several columns."
    return ColumnError(f"{source.name}, line {line:,}: column {name!r} {what}. {way_out}")


def _as_float(number: float) -> float:
    # Python cannot convert whole numbers beyond float64, but reads their digits as infinity.
    return float(str(number)) if isinstance(number, int) else number
