"""Fit a model on a table and its target as they are."""

from typing import Any

from treewright.fitting import fit as fitting
from treewright.model.labelled_rows import LabelledRows
from treewright.model.model import Model
from treewright.table.read import read


def fit(data: Any, target: Any, *, weights: Any = None, **options: Any) -> Model:
    """Read the table, and fit as `treewright.fitting.fit.fit` does."""
    return fitting.fit(LabelledRows(read(data), target, weights), **options)
