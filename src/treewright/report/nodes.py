"""The nodes of a tree as plain lists, enough to answer for rows elsewhere exactly as the model does."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.formatting import significant
from treewright.model.questions import Branches, Question
from treewright.model.rows import spelt
from treewright.model.tree import Tree
from treewright.schema import Schema


def plain_number(value: float) -> float | int:
    """Give whole numbers as such, which are shorter to write.

    Examples
    --------
    >>> plain_number(3.0), plain_number(2.5)
    (3, 2.5)
    """
    value = float(value)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def plain_numbers(values: NDArray[Any]) -> list[Any]:
    """Give an array as a list of plain numbers."""
    if values.ndim > 1:
        return [plain_numbers(each) for each in values]
    return [plain_number(each) for each in values.tolist()]


def nodes_of(tree: Tree, schema: Schema) -> dict[str, Any]:
    """Write a tree down.

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
        of a missing value, −1 for all in shares, −2 where such rows stop), ``rows``, ``weight``,
        ``impurity``, ``gain``, ``answer``.
        ``cut`` maps nodes to cuts (a number, a text of digits where the column is compared as int64, None
        where it is asked whether there is a value), ``cut_text`` to how they read, ``sets`` to the categories
        of each branch. Of classes, ``outcome`` has for each node positions and weights in turn, and ``told``
        what the weights are shares of; ``shares`` has those of nodes that no row came to. Of numbers,
        ``outcome`` has the number. ``surrogates`` maps nodes to what is asked instead.
    """
    inner = np.flatnonzero(tree.column >= 0).tolist()
    questions = {node: tree.question(node) for node in inner}
    nodes: dict[str, Any] = {
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
        **_asked({node: question for node, question in questions.items() if question is not None}, schema),
        "surrogates": {
            str(node): [_surrogate(each, schema) for each in tree.surrogates.of(node, tree.integer_columns)]
            for node in inner
            if tree.surrogates.begin[node] < tree.surrogates.begin[node + 1]
        },
    }
    return nodes | _outcomes(tree)


def _asked(questions: dict[int, Question], schema: Schema) -> dict[str, Any]:
    cuts: dict[str, Any] = {}
    texts: dict[str, str] = {}
    sets: dict[str, Any] = {}
    for node, question in questions.items():
        if isinstance(question, Branches):
            sets[str(node)] = [list(codes) for codes in question.codes]
        elif question.cut == np.inf:
            cuts[str(node)] = None
        else:
            cuts[str(node)] = str(question.cut) if isinstance(question.cut, int) else question.cut
            texts[str(node)] = spelt(question.cut, schema.columns[question.column])
    return {"cut": cuts, "cut_text": texts, "sets": sets}


def _surrogate(surrogate: Any, schema: Schema) -> dict[str, Any]:
    asked = _asked({0: surrogate.question}, schema)
    return {
        "column": surrogate.question.column,
        "low": int(surrogate.is_reversed),
        "agree": round(surrogate.agree, 6),
        **{name: of["0"] for name, of in asked.items() if of},
    }


def _outcomes(tree: Tree) -> dict[str, Any]:
    if not tree.is_classifier:
        return {"outcome": plain_numbers(tree.outcome[:, 0]), "told": [], "shares": {}}
    outcome = []
    for weights in tree.outcome:
        some = np.flatnonzero(weights)
        outcome.append([each for code in some.tolist() for each in (code, plain_number(weights[code]))])
    told = tree.weight if tree.loss is None else tree.outcome_weight
    untold = np.flatnonzero(told == 0).tolist()
    # Smoothed probabilities are worked out from the sum of all weights, which may differ from the weight.
    return {
        "outcome": outcome,
        "told": [] if tree.loss is None else plain_numbers(told),
        "sum": plain_numbers(tree.outcome_weight) if tree.smoothing else [],
        "shares": {str(node): plain_numbers(tree.shares[node]) for node in untold},
    }


def _rounded(values: NDArray[np.float64]) -> list[Any]:
    return [plain_number(significant(value)) for value in values.tolist()]
