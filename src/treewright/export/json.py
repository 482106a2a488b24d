"""Write a tree as nested JSON, for programs that draw or translate trees.

This is not the file that a model is kept in: it holds what people read, and is never read back. An object::

    {
      "columns": [{"name", "kind", "unit"?, "categories"?}, ...],
      "target": {"name", "classes"?},
      "tree": NODE
    }

A NODE has::

    "node"        its number, in pre-order
    "rows"        training rows, and "weight" what they weigh
    "impurity"    of their targets
    "answer"      a class or a number
    "weights"     by class, in the order of "classes"; only with classes

and, unless it is a leaf::

    "column"      what it asks about
    "cut"         values up to it take the first branch; a count of units for datetimes and durations; null
                  where known values are parted from missing ones; absent with categories
    "gain"        weight / total weight × decrease of impurity
    "missing"     {"branch": position} of rows without a value; "every branch"; "stops here"; or "surrogates"
    "surrogates"  [{"column", "condition", "agree"}, ...]: what is asked instead; the condition is that of the
                  first branch. Only where there are any
    "branches"    [{"condition", "categories"?, "child": NODE}, ...]
"""

import json
import math
from typing import Any

from treewright.export.drawn import LONG, Words
from treewright.model.model import Model
from treewright.model.questions import EVERY_BRANCH, NO_BRANCH, Branches
from treewright.schema import Classes, Schema

_WITHOUT_VALUE = {EVERY_BRANCH: "every branch", NO_BRANCH: "stops here"}


def write(model: Model) -> str:
    """Write a tree as nested JSON.

    Parameters
    ----------
    model : Model
        What to write.

    Returns
    -------
    str
        One line; the description of this module lists the keys.
    """
    words = Words(model)
    about = {"columns": _columns(model.schema), "target": _target(model.schema)}
    pieces = [_dumps(about)[:-1], ', "tree": ']
    # By hand, since Python's writer cannot nest as deep as a tree may grow.
    waiting: list[int | str] = [0]
    while waiting:
        step = waiting.pop()
        if isinstance(step, str):
            pieces.append(step)
            continue
        pieces.append(_dumps(_node(words, step)))
        children = model.tree.children(step)
        if not children:
            continue
        pieces[-1] = pieces[-1][:-1] + ', "branches": ['
        branches = [
            _dumps(_branch(words, step, branch))[:-1] + ', "child": ' for branch in range(len(children))
        ]
        steps: list[int | str] = []
        for text, child in zip(branches, children, strict=True):
            steps += [text, child, "}, "]
        steps[-1] = "}]}"
        waiting += reversed(steps)
    return "".join(pieces) + "}"


def _columns(schema: Schema) -> list[dict[str, Any]]:
    columns = []
    for column in schema.columns:
        about: dict[str, Any] = {"name": column.name, "kind": column.kind}
        if column.unit:
            about["unit"] = column.unit
        if column.is_category:
            about["categories"] = list(column.categories)
        columns.append(about)
    return columns


def _target(schema: Schema) -> dict[str, Any]:
    about: dict[str, Any] = {"name": schema.target_name}
    if isinstance(schema.target, Classes):
        about["classes"] = list(schema.target.labels)
    return about


def _node(words: Words, node: int) -> dict[str, Any]:
    model, tree = words.model, words.tree
    about: dict[str, Any] = {
        "node": node,
        "rows": int(tree.n_rows[node]),
        "weight": float(tree.weight[node]),
        "impurity": float(tree.impurity[node]),
    }
    if isinstance(model.schema.target, Classes):
        about["answer"] = model.schema.target.labels[int(tree.answer[node])]
        about["weights"] = tree.outcome[node].tolist()
    else:
        about["answer"] = float(tree.outcome[node, 0])
    question = tree.question(node)
    if question is None:
        return about
    about["column"] = model.schema.columns[question.column].name
    if not isinstance(question, Branches):
        about["cut"] = None if question.cut == math.inf else question.cut
    about["gain"] = float(tree.gain[node])
    about["missing"] = _WITHOUT_VALUE.get(question.missing_branch, {"branch": question.missing_branch})
    if words.has_surrogates(node):
        about["missing"] = "surrogates"
        about["surrogates"] = [
            {
                "column": model.schema.columns[surrogate.question.column].name,
                "condition": surrogate.describe(model.schema),
                "agree": surrogate.agree,
            }
            for surrogate in tree.surrogates.of(node, tree.integer_columns)
        ]
    return about


def _branch(words: Words, node: int, branch: int) -> dict[str, Any]:
    about: dict[str, Any] = {"condition": f"{words.column(node)} {words.condition(node, branch, LONG)}"}
    question = words.question(node)
    if isinstance(question, Branches):
        categories = words.model.schema.columns[question.column].categories
        about["categories"] = [categories[code] for code in question.codes[branch]]
    return about


def _dumps(value: object) -> str:
    # A half of a character, which no file can hold, is written by its number.
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if text.isascii() or _is_whole(text) else json.dumps(value, allow_nan=False)


def _is_whole(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
