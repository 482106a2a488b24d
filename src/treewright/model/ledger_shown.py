"""The ledger as it is printed: a heading and a table a node, questions and branches in a few words."""

from collections.abc import Sequence
from typing import Any

from treewright.formatting import format_score, format_weight
from treewright.grid import Format, Grid, shortened
from treewright.model.ledger_arrays import OF_NUMBERS
from treewright.model.ledger_rows import LedgerBranch, LedgerRow, condition_of
from treewright.schema import Schema

MOST_NODES, MOST_ROWS = 12, 60  # that are printed
_ROOM = 44  # places for a cell of text


def asked(row: LedgerRow, schema: Schema) -> str:
    """Write what a row asks; nothing where it has no question."""
    if row.question is None:
        return ""
    mark = "," if _is_of_each(row) else ""
    return f"{row.column}{mark} {_condition(row, schema)}"


def table_of_node(rows: Sequence[LedgerRow], schema: Schema, criterion: str) -> Grid:
    """Give the rows of one node as they are printed; columns without a figure are left out."""
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
    formats: dict[str, Format] = {"known": ".3f", "gain": format_score}
    for name in ("cost", "split", "ratio"):
        formats[name] = ".4f"
    return Grid(columns, formats)


def table_of_all(rows: Sequence[LedgerRow], schema: Schema, criterion: str) -> Grid:
    """Give every figure of every row, under the names of `LedgerRow`."""
    return Grid(
        {
            "node": [row.node for row in rows],
            "column": [row.column for row in rows],
            "kind": [row.kind for row in rows],
            "question": [asked(row, schema) for row in rows],
            "branches": [_branches(row, criterion) for row in rows],
            "known": [row.known for row in rows],
            "gain": [row.gain for row in rows],
            "cost": [row.cost for row in rows],
            "n_tries": [row.n_tries for row in rows],
            "split_information": [row.split_information for row in rows],
            "ratio": [row.ratio for row in rows],
            "score": [row.score for row in rows],
            "rank": [row.rank for row in rows],
            "verdict": [row.verdict for row in rows],
            "reason": [row.reason for row in rows],
        }
    )


def _is_of_each(row: LedgerRow) -> bool:
    return row.kind == "categories" and len(row.branches) > 2


def _condition(row: LedgerRow, schema: Schema) -> str:
    """Write what a row asks, without the name of its column."""
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
