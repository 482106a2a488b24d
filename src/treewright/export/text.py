"""Write a model as indented text that fits a terminal of 80 columns.

Every line says what leads there and what is found there; a leaf gives its answer after an arrow.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from treewright.model.model import Model
from treewright.schema import Classes

WIDTH = 80

name = "text"
suffix = ".txt"


def write(model: Model, max_depth: int | None = None) -> str:
    """Write a tree as text.

    Parameters
    ----------
    model : Model
        What to write.
    max_depth : int, optional
        Deepest level to write; what lies below is counted.

    Returns
    -------
    str
        One line per node, and one more where rows without a value stop at an inner node.
    """
    return "\n".join(_lines(model, np.inf if max_depth is None else max_depth))


def _lines(model: Model, max_depth: float) -> Iterator[str]:
    tree = model.tree
    depth = tree.depth
    # What to draw left of the children of the node last seen at each depth.
    bars = [""] * (len(tree.levels) + 1)
    for node in range(tree.n_nodes):
        at = int(depth[node])
        if at > max_depth:
            continue
        begin = ""
        if node:
            parent = int(tree.parent[node])
            siblings = tree.children(parent)
            is_last = node == siblings[-1]
            question = tree.question(parent)
            assert question is not None, "a node with children asks something"
            if tree.surrogates.begin[parent] < tree.surrogates.begin[parent + 1]:
                question = replace(question, missing_branch=-1)  # no one branch takes what is missing
            condition = question.describe(model.schema, siblings.index(node))
            begin = f"{bars[at]}{'└── ' if is_last else '├── '}{condition}"
            bars[at + 1] = bars[at] + ("    " if is_last else "│   ")
        yield _line(model, node, begin, is_cut=at >= max_depth)
        if tree.lets_rows_stop[node] and at < max_depth:
            yield from _stop_line(model, node, bars[at + 1])


def _stop_line(model: Model, node: int, begin: str) -> Iterator[str]:
    """Say what a node answers rows that go no further, where there may be some."""
    tree = model.tree
    column = model.schema.columns[tree.column[node]]
    if not column.has_missing:
        return
    n_rows = int(tree.n_rows[node] - tree.n_rows[list(tree.children(node))].sum())
    has_surrogates = tree.surrogates.begin[node] < tree.surrogates.begin[node + 1]
    condition = f"{column.name}{' and its surrogates are' if has_surrogates else ' is'} missing"
    yield f"{begin}├── {condition}: stays here → {_answer(model, node)} ({_rows(n_rows)})"


def _line(model: Model, node: int, begin: str, is_cut: bool) -> str:
    """Write one line with as much about its rows as fits."""
    tree = model.tree
    is_leaf = tree.column[node] < 0
    rows = _rows(int(tree.n_rows[node]))
    below = f" ... {_leaves_below(model, node):,} leaves below" if is_cut and not is_leaf else ""
    line = begin
    for detail in _details(model, node):
        about = f"{rows}: {detail}" if detail else rows
        if is_leaf:
            line = f"{begin}{' ' if begin else ''}→ {_answer(model, node)} ({about})"
        else:
            line = f"{begin}: {about}{below}" if begin else f"{about}{below}"
        if len(line) <= WIDTH:
            break
    return line


def _rows(n_rows: int) -> str:
    return f"{n_rows:,} row{'s' if n_rows != 1 else ''}"


def _answer(model: Model, node: int) -> str:
    target = model.schema.target
    if isinstance(target, Classes):
        return str(target.labels[int(model.tree.answer[node])])
    return _number(float(model.tree.outcome[node, 0]))


def _details(model: Model, node: int) -> Iterator[str]:
    """Say what is in a node, in fewer and fewer words."""
    tree = model.tree
    target = model.schema.target
    if not tree.n_rows[node]:  # a branch that no row took: it answers as the node above it
        yield ""
        return
    if not isinstance(target, Classes):
        if tree.column[node] >= 0:
            yield f"value {_answer(model, node)}"
        yield ""
        return
    weights = tree.outcome[node]
    present = [code for code in np.argsort(-weights, kind="stable") if weights[code] > 0]
    if len(present) > 1 or tree.column[node] >= 0 or tree.n_rows[node] != tree.weight[node]:
        texts = [f"{target.labels[code]} {_number(float(weights[code]))}" for code in present]
        yield ", ".join(texts)
        for most in (4, 2, 1):
            if most < len(texts):
                yield f"{', '.join(texts[:most])}, ..."
    yield ""


def _number(value: float) -> str:
    text = f"{value:.6g}"
    return f"{value:.0f}" if "e+" in text and abs(value) < 1e16 else text


def _leaves_below(model: Model, node: int) -> int:
    tree = model.tree
    end = node + 1
    while end < tree.n_nodes and tree.depth[end] > tree.depth[node]:
        end += 1  # in pre-order a subtree lies in one piece
    return int((tree.column[node:end] < 0).sum())
