"""The candidate splits at the nodes of a tree, as plain values."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright.formatting import significant
from treewright.model.ledger import Ledger
from treewright.model.ledger_arrays import STOPS, LedgerArrays
from treewright.model.ledger_rows import LedgerRow
from treewright.model.tree import Tree
from treewright.schema import Schema

_MOST_ROWS = 1_500  # on a page, of the heaviest nodes
_MOST_CANDIDATES = 30  # at a node


def ledger_of(tree: Tree, schema: Schema, audited: Mapping[int, Ledger]) -> dict[str, Any] | None:
    """Return the candidate splits at the heaviest nodes.

    Parameters
    ----------
    tree : Tree
        The tree.
    schema : Schema
        Its columns.
    audited : dict of int to Ledger
        Ledgers of some nodes, scored again, for a tree that was grown without a ledger.

    Returns
    -------
    dict or None
        By node: ``why`` the node has its split, or is a leaf, and ``stop``, the same in a word; ``rows``, the
        candidates, best first: ``column``, ``question`` of branch 0, ``or_missing``: whether rows with a
        missing value also take that branch, ``each``: the number of branches if each category has its own,
        ``gain``, ``split`` (information), ``ratio``, ``rank``, ``verdict``, ``reason`` and ``formula``;
        ``n_more``, the number left out. None if there is no ledger.
    """
    ledgers = dict(audited) if tree.ledger is None else _kept(tree, tree.ledger, schema)
    return {str(node): _at_node(one) for node, one in ledgers.items()} or None


def _kept(tree: Tree, arrays: LedgerArrays, schema: Schema) -> dict[int, Ledger]:
    # Take out the heaviest nodes first: lookups in a ledger search all of it.
    heaviest = np.argsort(-tree.weight, kind="stable")
    sizes = np.minimum(np.diff(arrays.row_begin)[heaviest], _MOST_CANDIDATES)
    some = heaviest[: max(1, int(np.searchsorted(np.cumsum(sizes), _MOST_ROWS, side="right")))]
    few = arrays.of_nodes(some, np.zeros(len(some), dtype=bool))
    ledger = Ledger(schema, few, tree.integer_columns, numbers=tuple(some.tolist()))
    return {node: ledger[node] for node in some.tolist()}


def _at_node(one: Ledger) -> dict[str, Any]:
    (number,) = one.nodes
    (at,) = one.shown or (0,)
    rows = list(one)
    order = sorted(range(len(rows)), key=lambda row: (rows[row].rank or len(rows) + 1, row))
    return {
        "why": one.why(number),
        "stop": STOPS[one.arrays.stop[at]],
        "rows": [_candidate(one, row, rows[row]) for row in order[:_MOST_CANDIDATES]],
        "n_more": max(len(rows) - _MOST_CANDIDATES, 0),
    }


def _candidate(one: Ledger, at: int, row: LedgerRow) -> dict[str, Any]:
    question = "" if row.question is None else row.question.condition(one.schema)
    or_missing = row.question is not None and row.question.shares_missing(one.schema, 0)
    figures = {"gain": row.gain, "split": row.split_information, "ratio": row.ratio}
    each = len(row.branches) if row.kind == "categories" and len(row.branches) > 2 else None
    return {
        "column": row.column,
        "question": "" if each else question.removesuffix(" or missing") if or_missing else question,
        "or_missing": or_missing,
        "each": each,
        **{name: None if value is None else significant(value) for name, value in figures.items()},
        **{key: getattr(row, key) for key in ("rank", "verdict", "reason")},
        "formula": "" if row.gain is None else one.formula(at),
    }
