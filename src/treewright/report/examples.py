"""Some of the rows of a report, as people would type them, so that the page can ask the tree about them."""

from typing import Any

import numpy as np

from treewright.missing_values import is_missing_code, is_missing_value
from treewright.model.labelled_rows import EncodedRows, LabelledRows
from treewright.model.model import Model
from treewright.model.rows import given_values, spelt
from treewright.report.nodes import plain_number
from treewright.schema import Column
from treewright.table.match import match
from treewright.table.read import Table
from treewright.table.spelling import spell

_MOST_VALUES = 20_000  # on a page: fewer rows of a wide table


def examples_of(model: Model, given: LabelledRows, rows: EncodedRows, n: int) -> list[dict[str, Any]]:
    """Take some rows at equal distances.

    Parameters
    ----------
    model : Model
        The model.
    given : LabelledRows
        The rows.
    rows : EncodedRows
        The same rows, encoded.
    n : int
        How many of them; fewer if they have many columns.

    Returns
    -------
    list of dict
        ``row``: its number, from 0; ``target``: its class, as a code, or its number; ``values``: for each
        column a number, a text that can be typed, or None where the value is missing.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.load("golf")
    >>> tree = tw.C45Classifier().fit(X, y)
    >>> given = tree._labelled(X, y, None, "report on")
    >>> [each["row"] for each in examples_of(tree.model_, given, given.encoded(tree.model_), 3)]
    [0, 6, 13]
    """
    columns = model.schema.columns
    n = min(n, rows.n_rows, _MOST_VALUES // max(1, len(columns)))
    picked = np.linspace(0, rows.n_rows - 1, n).astype(np.intp)
    raws = match(given.table, model.schema)
    found = []
    for row in picked.tolist():
        at = np.array([row])
        codes = [codes[at] for codes in rows.codes]
        one = Table(model.schema.names, raws, rows.n_rows).take(at)
        values = given_values(one, codes, model.schema)
        texts = [
            _typed(values[column.name], None if is_missing_code(code)[0] else code[0].item(), column)
            for column, code in zip(columns, codes, strict=True)
        ]
        target = rows.targets[row].item()
        found.append({"row": row, "target": plain_number(target), "values": texts})
    return found


def _typed(value: Any, code: float | int | None, column: Column) -> str | float | None:
    """Write a value as it can be typed into the page; None where it is missing."""
    if code is None:
        return None if is_missing_value(value) else str(value)
    if column.bins is not None:
        of = column.bins
        if of.kind in ("number", "integer"):
            return float(value) if of.kind == "number" else str(int(value))
        letter = "M" if of.kind == "datetime" else "m"
        return spell(int(np.array(value).astype(f"{letter}8[{of.unit}]").astype(np.int64)), of.kind, of.unit)
    if column.is_category:
        return str(column.categories[int(code)])
    if column.kind == "number":
        return float(code)
    return spelt(code, column)
