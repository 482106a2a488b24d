"""Some of the rows of a report, as people would type them, so that readers can try them on the page."""

import warnings
from typing import Any

import numpy as np

from treewright.errors import UnseenCategoryWarning
from treewright.model.labelled_rows import EncodedRows, LabelledRows
from treewright.model.model import Model
from treewright.model.rows import Row, spelt
from treewright.report.nodes import plain_number

_MOST_VALUES = 20_000  # on a page, so that wide tables contribute fewer rows


def examples_of(model: Model, given: LabelledRows, rows: EncodedRows, n: int) -> list[dict[str, Any]]:
    """Select some rows at equal distances.

    Parameters
    ----------
    model : Model
        The model.
    given : LabelledRows
        The rows.
    rows : EncodedRows
        The same rows, encoded.
    n : int
        Number of rows to select; fewer are selected if they have many columns.

    Returns
    -------
    list of dict
        ``row``: its number, from 0; ``target``: its class, as a code, or its number; ``values``: for each
        column a number, a text that can be typed, or None if the value is missing.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.load("golf")
    >>> tree = tw.C45Classifier().fit(X, y)
    >>> given = tree._labelled(X, y, None, "report on")
    >>> [each["row"] for each in examples_of(tree.model_, given, given.encoded(tree.model_), 3)]
    [0, 6, 13]
    """
    n = min(n, rows.n_rows, _MOST_VALUES // max(1, len(model.schema.columns)))
    found = []
    for number in np.linspace(0, rows.n_rows - 1, n).astype(np.intp).tolist():
        with warnings.catch_warnings():  # encoding all rows has already warned
            warnings.simplefilter("ignore", UnseenCategoryWarning)
            row = model.row(given.table.take(np.array([number])))
        target = plain_number(rows.targets[number])
        values = [_typed(row, column) for column in range(len(row.schema.columns))]
        found.append({"row": number, "target": target, "values": values})
    return found


def _typed(row: Row, at: int) -> str | float | None:
    """Write a value as it can be typed into the page; None if it is missing."""
    column, code = row.schema.columns[at], row.code(at)
    given = row.given[column.name]
    if code is None:
        return str(given) if row.is_unseen(at) else None
    if column.bins is not None and column.bins.kind == "number":
        return float(given)
    if column.bins is not None and column.bins.kind != "integer":
        letter = "M" if column.bins.kind == "datetime" else "m"
        return spelt(int(np.array(given, f"{letter}8[{column.bins.unit}]").astype(np.int64)), column)
    if column.bins is not None:
        return str(int(given))
    if column.is_category:
        return str(column.categories[int(code)])
    return float(code) if column.kind == "number" else spelt(code, column)
