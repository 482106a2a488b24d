"""The nodes of a tree as plain values, and the candidate splits at the nodes.

With these values other programs can predict exactly as the model does.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.formatting import significant
from treewright.model.ledger import Ledger
from treewright.model.ledger_arrays import STOPS, LedgerArrays
from treewright.model.ledger_rows import LedgerRow, condition_of
from treewright.model.questions import Branches, Question
from treewright.model.rows import spelt
from treewright.model.tree import Tree
from treewright.schema import Schema
from treewright.wording import LANGUAGES, Language

_MOST_ROWS = 1_500  # of ledgers on a page, taken from the heaviest nodes
_MOST_CANDIDATES = 30  # at a node


def plain_number(value: float) -> float | int:
    """Return whole numbers as int, which JSON writes shorter.

    Examples
    --------
    >>> plain_number(3.0), plain_number(2.5)
    (3, 2.5)
    """
    value = float(value)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def plain_numbers(values: NDArray[Any]) -> list[Any]:
    """Return an array as a list of plain numbers."""
    if values.ndim > 1:
        return [plain_numbers(each) for each in values]
    return [plain_number(each) for each in values.tolist()]


def nodes_of(tree: Tree, schema: Schema) -> dict[str, Any]:
    """Return a tree as plain values.

    Parameters
    ----------
    tree : Tree
        The tree.
    schema : Schema
        Its columns, for the texts of cuts.

    Returns
    -------
    dict
        Lists with an entry per node, in pre-order: ``parent``, ``column`` (−1 at a leaf), ``missing`` (branch
        of a missing value, −1 for all of them with fractional weights, −2 if such rows stop at the node),
        ``rows``, ``weight``, ``impurity``, ``gain``, ``answer``.
        ``cut`` maps nodes to cuts (a number, a text of digits for columns compared as int64, None if the
        test is whether the value is missing), ``cut_text`` to their texts, ``sets`` to the categories of each
        branch. For a classifier, ``outcome`` alternates codes of classes and weights for each node, ``told``
        is the divisor of the weights; ``shares`` has the probabilities at nodes that no row reached. For a
        regressor, ``outcome`` is the prediction. ``surrogates`` maps nodes to their surrogate tests.
    """
    inner = np.flatnonzero(tree.column >= 0).tolist()
    questions = ((node, tree.question(node)) for node in inner)
    tests = {str(node): _test(question, schema) for node, question in questions if question is not None}
    return {
        "parent": tree.parent.tolist(),
        "column": tree.column.tolist(),
        "missing": tree.missing_branch.tolist(),
        "rows": tree.n_rows.tolist(),
        "weight": plain_numbers(tree.weight),
        "impurity": _rounded(tree.impurity),
        "gain": _rounded(tree.gain),
        "answer": tree.answer.tolist() if tree.is_classifier else [],
        "loss": None if tree.loss is None else plain_numbers(tree.loss),
        "smoothing": plain_number(tree.smoothing),
        **{
            key: {node: test[key] for node, test in tests.items() if key in test}
            for key in ("cut", "cut_text", "sets")
        },
        "surrogates": {
            str(node): [
                {"column": each.question.column, "low": int(each.is_reversed), "agree": round(each.agree, 6)}
                | _test(each.question, schema)
                for each in tree.surrogates.of(node, tree.integer_columns)
            ]
            for node in np.flatnonzero(np.diff(tree.surrogates.begin)).tolist()
        },
        **_outcomes(tree),
    }


def _test(question: Question, schema: Schema) -> dict[str, Any]:
    """Return the test of a node or of a surrogate, as ``sets``, or as ``cut`` and ``cut_text``."""
    if isinstance(question, Branches):
        return {"sets": [list(codes) for codes in question.codes]}
    if question.cut == np.inf:
        return {"cut": None}
    cut = str(question.cut) if isinstance(question.cut, int) else question.cut
    return {"cut": cut, "cut_text": spelt(question.cut, schema.columns[question.column])}


def _outcomes(tree: Tree) -> dict[str, Any]:
    if not tree.is_classifier:
        return {"outcome": plain_numbers(tree.outcome[:, 0]), "told": [], "shares": {}}
    divisor = tree.weight if tree.loss is None else tree.outcome_weight
    empty = np.flatnonzero(divisor == 0).tolist()
    # Smoothed probabilities need the sum of all weights, which may differ from the node's weight.
    return {
        "outcome": [
            [each for code in np.flatnonzero(row).tolist() for each in (code, plain_number(row[code]))]
            for row in tree.outcome
        ],
        "told": [] if tree.loss is None else plain_numbers(divisor),
        "sum": plain_numbers(tree.outcome_weight) if tree.smoothing else [],
        "shares": {str(node): plain_numbers(tree.shares[node]) for node in empty},
    }


def _rounded(values: NDArray[np.float64]) -> list[Any]:
    return [plain_number(significant(value)) for value in values.tolist()]


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
        By node: ``why`` the node has its split, or is a leaf; ``stop``: the same as a key; ``rows``: the
        candidates, best first, each with ``column``, ``question`` of branch 0, ``or_missing``: whether rows
        with a missing value also take that branch, ``each``: the number of branches if each category has its
        own, ``gain``, ``split`` (information), ``ratio``, ``rank``, ``verdict``, ``reason`` and ``formula``;
        ``n_more``: the number of candidates left out. ``why``, ``reason`` and ``formula`` are texts by
        language. None if there is no ledger.
    """
    ledgers = dict(audited) if tree.ledger is None else _kept(tree, tree.ledger, schema)
    return {str(node): _at_node(one) for node, one in ledgers.items()} or None


def _kept(tree: Tree, arrays: LedgerArrays, schema: Schema) -> dict[int, Ledger]:
    # Extract the heaviest nodes first, because each lookup in a ledger searches all of it.
    heaviest = np.argsort(-tree.weight, kind="stable")
    sizes = np.minimum(np.diff(arrays.row_begin)[heaviest], _MOST_CANDIDATES)
    some = heaviest[: max(1, int(np.searchsorted(np.cumsum(sizes), _MOST_ROWS, side="right")))]
    few = arrays.of_nodes(some, np.zeros(len(some), dtype=bool))
    ledger = Ledger(schema, few, tree.integer_columns, numbers=tuple(some.tolist()))
    return {node: ledger[node] for node in some.tolist()}


def _at_node(one: Ledger) -> dict[str, Any]:
    (number,), (at,) = one.nodes, one.shown or (0,)
    told = {lang: one.in_language(lang) for lang in LANGUAGES}
    rows = list(one)
    order = sorted(range(len(rows)), key=lambda row: rows[row].rank or len(rows) + 1)
    return {
        "why": {lang: each.why(number) for lang, each in told.items()},
        "stop": STOPS[one.arrays.stop[at]],
        "rows": [_candidate(told, row, rows[row]) for row in order[:_MOST_CANDIDATES]],
        "n_more": max(len(rows) - _MOST_CANDIDATES, 0),
    }


def _candidate(told: Mapping[Language, Ledger], at: int, row: LedgerRow) -> dict[str, Any]:
    one = told["en"]
    or_missing = row.question is not None and row.question.shares_missing(one.schema, 0)
    figures = {"gain": row.gain, "split": row.split_information, "ratio": row.ratio}
    each = len(row.branches) if row.kind == "categories" and len(row.branches) > 2 else None
    return {
        "column": row.column,
        "question": "" if each or row.question is None else condition_of(row.question, one.schema),
        "or_missing": or_missing,
        "each": each,
        **{name: None if value is None else significant(value) for name, value in figures.items()},
        "rank": row.rank,
        "verdict": row.verdict,
        "reason": {lang: each.row(at).reason for lang, each in told.items()},
        "formula": None if row.gain is None else {lang: each.formula(at) for lang, each in told.items()},
    }
