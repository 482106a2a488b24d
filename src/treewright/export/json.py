"""Write a tree as nested JSON, for programs that draw or translate trees.

This is not the model file: it holds what people want to read, and cannot be loaded again. It is an object::

    {
      "columns": [{"name", "kind", "unit"?, "categories"?}, ...],
      "target": {"name", "classes"?},
      "tree": NODE
    }

A NODE has::

    "node"        its number, in pre-order
    "rows"        training rows, and "weight" their weight
    "impurity"    of their targets
    "answer"      a class or a number
    "weights"     by class, in the order of "classes"; only with classes

and, unless it is a leaf::

    "column"      the column that is split
    "cut"         values up to it take the first branch; a count of units for datetimes and durations; null
                  if known values are split from missing ones; absent with categories
    "gain"        weight / total weight × decrease of impurity
    "missing"     where rows with a missing value go: {"branch": position}, "every branch", "stops here" or
                  "surrogates"
    "surrogates"  [{"column", "condition", "agree"}, ...]: the splits used instead; the condition is that of
                  the first branch. Only if there are any
    "branches"    [{"condition", "categories"?, "child": NODE}, ...]
"""

import json
import math
from typing import Any

from treewright.export.drawn import Words
from treewright.model.model import Model
from treewright.model.questions import EVERY_BRANCH, NO_BRANCH, Branches

_WITHOUT_VALUE = {EVERY_BRANCH: "every branch", NO_BRANCH: "stops here"}


def write(model: Model) -> str:
    """Write a tree as nested JSON.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    str
        One line; the docstring of this module lists the keys.
    """
    words, schema = Words(model), model.schema
    about = {
        "columns": [
            {"name": column.name, "kind": column.kind}
            | ({"unit": column.unit} if column.unit else {})
            | ({"categories": list(column.categories)} if column.is_category else {})
            for column in schema.columns
        ],
        "target": {"name": schema.target_name} | ({"classes": list(schema.labels)} if schema.labels else {}),
    }
    pieces = [_dumps(about)[:-1], ', "tree": ']
    # Written by hand, since Python's writer cannot nest as deeply as a tree may grow.
    waiting: list[int | str] = [0]
    while waiting:
        step = waiting.pop()
        if isinstance(step, str):
            pieces.append(step)
            continue
        text = _dumps(_node(words, step))
        steps: list[int | str] = []
        for branch, child in enumerate(model.tree.children(step)):
            steps += [f'{_dumps(_branch(words, step, branch))[:-1]}, "child": ', child, "}, "]
        if steps:
            text, steps[-1] = f'{text[:-1]}, "branches": [', "}]}"
        pieces.append(text)
        waiting += reversed(steps)
    return "".join(pieces) + "}"


def _node(words: Words, node: int) -> dict[str, Any]:
    schema, tree, labels = words.model.schema, words.tree, words.model.schema.labels
    about: dict[str, Any] = {
        "node": node,
        "rows": int(tree.n_rows[node]),
        "weight": float(tree.weight[node]),
        "impurity": float(tree.impurity[node]),
        "answer": labels[int(tree.answer[node])] if labels else float(tree.outcome[node, 0]),
        **({"weights": tree.outcome[node].tolist()} if labels else {}),
    }
    question = tree.question(node)
    if question is None:
        return about
    names = schema.names
    about["column"] = names[question.column]
    if not isinstance(question, Branches):
        about["cut"] = None if question.cut == math.inf else question.cut
    about["gain"] = float(tree.gain[node])
    about["missing"] = _WITHOUT_VALUE.get(question.missing_branch, {"branch": question.missing_branch})
    surrogates = [
        {"column": names[each.question.column], "condition": each.describe(schema), "agree": each.agree}
        for each in tree.surrogates.of(node, tree.integer_columns)
    ]
    return about | ({"missing": "surrogates", "surrogates": surrogates} if surrogates else {})


def _branch(words: Words, node: int, branch: int) -> dict[str, Any]:
    about: dict[str, Any] = {"condition": f"{words.column(node)} {words.condition(node, branch, room=None)}"}
    question = words.question(node)
    if isinstance(question, Branches):
        categories = words.model.schema.columns[question.column].categories
        about["categories"] = [categories[code] for code in question.codes[branch]]
    return about


def _dumps(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate, which no file can hold, is written as an escape
        return json.dumps(value, allow_nan=False)
    return text
