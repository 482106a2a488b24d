"""The ledger as it is printed: a heading and a table for each node, splits and branches in a few words."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from treewright.formatting import format_score, format_weight
from treewright.grid import Format, Grid, shortened
from treewright.model.ledger_rows import LedgerBranch, LedgerRow, condition_of
from treewright.parts.criteria import OF_NUMBERS
from treewright.schema import Schema

MOST_NODES, MOST_ROWS = 12, 60  # that are printed
_ROOM = 44  # characters of a cell


def asked(row: LedgerRow, schema: Schema) -> str:
    """Write the split of a row, or nothing where it has none."""
    if row.question is None:
        return ""
    mark = "," if _is_of_each(row) else ""
    return f"{row.column}{mark} {_condition(row, schema)}"


def table_of_node(rows: Sequence[LedgerRow], schema: Schema, criterion: str) -> Grid:
    """Make the table of one node; columns without a figure are left out."""
    columns: dict[str, Sequence[Any]] = {
        "rank": [row.rank for row in rows],
        "column": [row.column for row in rows],
        "question": [shortened(_condition(row, schema), _ROOM) for row in rows],
        "branches": [shortened(_branches(row, criterion), _ROOM) for row in rows],
        "known": [row.known if row.known < 1 else None for row in rows],
        "gain": [row.gain for row in rows],
        "cost": [row.cost for row in rows],
        "split": [row.split_information for row in rows],
        "ratio": [row.ratio for row in rows],
        "reason": [row.reason for row in rows],
    }
    for name in ("known", "cost", "split", "ratio"):
        if all(value is None for value in columns[name]):
            del columns[name]
    formats: dict[str, Format] = dict.fromkeys(("cost", "split", "ratio"), ".4f")
    return Grid(columns, formats | {"known": ".3f", "gain": format_score})


def table_of_all(rows: Sequence[LedgerRow], schema: Schema, criterion: str) -> Grid:
    """Make a table of all figures of all rows, under the names of `LedgerRow`."""
    names = [each.name for each in fields(LedgerRow)]
    names.insert(names.index("question"), "kind")
    columns = {name: [getattr(row, name) for row in rows] for name in names}
    columns["question"] = [asked(row, schema) for row in rows]
    columns["branches"] = [_branches(row, criterion) for row in rows]
    return Grid(columns)


def _is_of_each(row: LedgerRow) -> bool:
    return row.kind == "categories" and len(row.branches) > 2


def _condition(row: LedgerRow, schema: Schema) -> str:
    """Write the split of a row, without the name of its column."""
    if row.question is None:
        return ""
    return f"each of {len(row.branches)}" if _is_of_each(row) else condition_of(row.question, schema)


def _branches(row: LedgerRow, criterion: str) -> str:
    return ", ".join(f"{branch.condition}: {_told(branch, criterion)}" for branch in row.branches)


def _told(branch: LedgerBranch, criterion: str) -> str:
    if criterion in OF_NUMBERS:
        return f"{format_weight(branch.weight)} ({format_score(branch.outcome[0])})"
    if len(branch.outcome) > 4:
        return format_weight(branch.weight)
    return "/".join(format_weight(each) for each in branch.outcome)
