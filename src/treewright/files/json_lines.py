"""Read JSON lines: an object a line, its keys the columns.

Values keep the type that JSON gives them; a text is never taken for a number. What is null, or has no key in
a line, is missing. Texts that are all ISO 8601 dates or times are moments.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from treewright.errors import ColumnError, FileError, listed
from treewright.files.cells import Rules, coded, settle
from treewright.files.options import Options
from treewright.files.recast import recast
from treewright.files.source import Source
from treewright.files.text import encoding_of, text_lines
from treewright.table.read import Raw, Table

_BATCH = 50_000


def read_json_lines(source: Source, options: Options) -> Table:
    """Read JSON lines whole."""
    objects = list(_objects(source, options))
    if not objects:
        raise FileError(f"{source.name} holds no rows.")
    names = list(dict.fromkeys(name for _, each in objects for name in each))
    return _table(objects, names, source, options)


def json_batches(source: Source, options: Options) -> Iterator[Table]:
    """Read JSON lines some rows at a time; the first of them settle which columns there are."""
    objects = _objects(source, options)
    names: list[str] = []
    while batch := list(islice(objects, _BATCH)):
        found = dict.fromkeys(name for _, each in batch for name in each)
        names = names or list(found)
        strange = [name for name in found if name not in names]
        if strange and options.columns is None:
            line = next(line for line, each in batch if strange[0] in each)
            raise FileError(
                f"{source.name}, line {line:,}: the key {strange[0]!r} was not there in the first {_BATCH:,} "
                "rows. Name the columns to read."
            )
        yield _table(batch, names, source, options)
    if not names:
        raise FileError(f"{source.name} holds no rows.")


def _objects(source: Source, options: Options) -> Iterator[tuple[int, dict[str, Any]]]:
    decode = json.JSONDecoder(object_pairs_hook=_pairs).decode
    for line, text in enumerate(text_lines(source, encoding_of(source, options.encoding)), start=1):
        if not text.strip():
            continue
        try:
            value = decode(text)
        except (ValueError, RecursionError) as error:  # the digits of an integer or its depth may be too many
            where = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
            raise FileError(
                f"{source.name}, line {line:,}: expected a JSON object{where}, found {text.strip()[:40]!r}."
            ) from None
        except _DoubledError as error:
            raise FileError(
                f"{source.name}, line {line:,}: the key {error.args[0]!r} stands twice."
            ) from None
        if not isinstance(value, dict):
            raise FileError(
                f'{source.name}, line {line:,}: expected a JSON object such as {{"age": 31}}, found '
                f"{text.strip()[:40]!r}."
            )
        yield line, value


class _DoubledError(Exception):
    """A key that stands twice in one object."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _DoubledError(next(name for name in names if names.count(name) > 1))
    return found


def _table(
    objects: Sequence[tuple[int, dict[str, Any]]], names: Sequence[str], source: Source, options: Options
) -> Table:
    if not names:
        raise FileError(f"{source.name} holds rows without any columns.")
    wanted = [names[at] for at in options.wanted(names)]
    gaps = frozenset(options.missing or ())
    columns = []
    lines = [line for line, _ in objects]
    for name in wanted:
        items = [each.get(name) for _, each in objects]
        raw = _column(items, gaps, name, lines, source.name)
        columns.append(recast(raw, options.kinds.get(name), name))
    return Table(tuple(wanted), columns, len(objects))


def _column(items: list[Any], gaps: frozenset[str], name: str, lines: Sequence[int], file: str) -> Raw:
    types = set(map(type, items))
    known = types - {type(None)}
    if known & {dict, list}:
        row = next(row for row, item in enumerate(items) if isinstance(item, dict | list))
        raise ColumnError(
            f"{file}, line {lines[row]:,}: column {name!r} holds {json.dumps(items[row])[:40]}, which is "
            "neither a number nor a text. Leave the column out, or spread it over columns of its own."
        )
    if known == {str}:
        return _texts(items, gaps)
    if str in known or (bool in known and len(known) > 1):
        first = next(item for item in items if item is not None)
        row = next(
            row for row, item in enumerate(items) if item is not None and type(item) is not type(first)
        )
        words = listed([first, items[row]])
        raise ColumnError(
            f"{file}, line {lines[row]:,}: column {name!r} mixes kinds of values: {words}. Write all of them "
            "as texts, or all as numbers."
        )
    if types == {float}:
        return Raw(np.array(items))
    if not known:
        return Raw(np.full(len(items), np.nan))
    missing = np.fromiter((item is None for item in items), bool, len(items))
    if known == {int} and all(item is None or -(2**63) <= item < 2**63 for item in items):
        return Raw(
            np.array([item or 0 for item in items], dtype=np.int64), missing if missing.any() else None
        )
    if known == {bool}:
        return Raw(np.array([bool(item) for item in items]), missing if missing.any() else None)
    return Raw(np.array([np.nan if item is None else _as_float(item) for item in items]))


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return np.inf if number > 0 else -np.inf


def _texts(items: list[str | None], gaps: frozenset[str]) -> Raw:
    known = [item for item in items if item is not None and item not in gaps]
    found, labels = coded(known)
    codes = np.full(len(items), -1, dtype=np.int32)
    codes[[item is not None and item not in gaps for item in items]] = found
    rules = Rules(frozenset(), frozenset())
    if labels and settle(found, labels, rules).values.dtype.kind == "M":
        return settle(codes, labels, rules, "datetime")
    return Raw(codes, labels=labels)
