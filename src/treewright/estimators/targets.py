"""Read rows as scikit-learn passes them: `X`, `y`, `sample_weight`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning

from treewright.errors import TableError, TargetError, WeightWarning, warn
from treewright.fitting.progress import ProgressLine
from treewright.formatting import format_number
from treewright.model.labelled_rows import LabelledRows
from treewright.table.read import Raw, Table, read, read_values
from treewright.table.target import targets_of
from treewright.table.weights import are_too_light, cases_per_weight, read_weights, total_of


def read_labelled(X: Any, y: Any, sample_weight: Any, estimator: Any, purpose: str) -> LabelledRows:
    """Read rows with a target of the estimator's kind, and their weights as given.

    Parameters
    ----------
    X, y, sample_weight
        As for `fit`.
    estimator : estimator
        Its class is named in errors, and reads the target.
    purpose : str
        What the rows are needed for, in the words of an error, such as "learn from".
    """
    table, raw, name = _split_target(read(X), y, type(estimator).__name__)
    n_rows, n_columns = table.n_rows, len(table.columns)
    for n, kind, shape in ((n_columns, "feature", (n_rows, 0)), (n_rows, "sample", (0, n_columns))):
        if not n:
            raise TableError(
                f"Found array with 0 {kind}(s) (shape={shape}) while a minimum of 1 is required. "
                f"X has no {'columns' if kind == 'feature' else 'rows'} to {purpose}."
            )
    target = estimator._read_target(raw)
    return LabelledRows(table, target, read_weights(sample_weight, n_rows, "sample_weight"), name)


def _split_target(table: Table, y: object, estimator: str) -> tuple[Table, Raw, str | None]:
    """Separate the table from its target; also return the name of the target, if it has one."""
    if y is None:
        raise TargetError(f"This {estimator} estimator requires y to be passed, but the target y is None.")
    if isinstance(y, str):
        return *table.split_off(y), y
    target, is_column_vector = read_values(y)
    if is_column_vector:
        warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples,), for example using ravel().",
            DataConversionWarning,
        )
    if target.values.ndim != 1:
        raise TargetError(
            f"y should be a 1d array, got an array of shape {target.values.shape} instead: several targets "
            "at once are not supported. Fit one estimator for each."
        )
    if len(target.values) != table.n_rows:
        raise TargetError(
            f"y has {len(target.values)} values and X {table.n_rows} rows; give one value for each row."
        )
    name = _name_of(y)
    if name is not None and name in table.names:
        column = table.columns[table.position(name)]
        if table.has_names and np.array_equal(column.decoded().values, target.decoded().values):
            raise TargetError(
                f"y is also column {name!r} of X, with the same values, and would explain itself. "
                f"Drop the column from X, or give y={name!r} to have it separated."
            )
        name = None  # the name belongs to a column
    return table, target, name


def _name_of(y: Any) -> str | None:
    """Return the name of a series, or of the only column of a table."""
    name = getattr(y, "name", None)
    if name is None:
        names = list(getattr(y, "column_names", getattr(y, "columns", ())))  # of an Arrow table or data frame
        name = names[0] if len(names) == 1 else None
    return name if isinstance(name, str) and name else None


def tell_if_scaled(line: ProgressLine | None, weights: NDArray[np.float64] | None) -> None:
    """Report weights that count as fractions of the number of rows."""
    if line is not None and (cases := cases_per_weight(weights)) > 1:
        rows = "the number of rows of positive weight"
        line.tell(f"the weights add up to 1, so each is multiplied by {cases:,}, {rows}")


def warn_if_too_light(rows: LabelledRows, min_cases: float) -> None:
    """Warn if there are several classes, but the total weight is too small for C4.5 to split the rows."""
    target, weights = rows.target, rows.weights
    if weights is None or not are_too_light(weights, 2 * min_cases):
        return
    if len(np.unique(targets_of(target)[weights > 0])) > 1:
        total, least, twice = map(format_number, (total_of(weights), min_cases, 2 * min_cases))
        warn(
            f"the tree is a single leaf: the weights of all rows add up to {total}, and "
            f"min_cases={least} requires that much in each of two branches, {twice} in all. "
            "Weights count cases: multiply them, give none, or lower min_cases.",
            WeightWarning,
        )
