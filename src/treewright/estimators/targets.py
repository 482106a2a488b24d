"""Targets and weights as scikit-learn hands them over: `y`, `sample_weight`, `class_weight`."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning

from treewright.errors import (
    ParameterError,
    TableError,
    TargetError,
    WeightError,
    WeightWarning,
    did_you_mean,
    listed,
    warn,
)
from treewright.formatting import format_number
from treewright.model.labelled_rows import LabelledRows
from treewright.parts.bounds import real
from treewright.table.read import Raw, Table, read, read_values
from treewright.table.target import CodedClasses
from treewright.table.weights import are_too_light, read_weights, refuse_wrong, total_of


def read_labelled(X: Any, y: Any, sample_weight: Any, estimator: Any, purpose: str) -> LabelledRows:
    """Read rows with a target of the kind that an estimator has, and their weights as given.

    Parameters
    ----------
    X, y, sample_weight
        As for `fit`.
    estimator : estimator
        Its class is named in errors, and reads the target.
    purpose : str
        What the rows are needed for, as an error says it, such as "learn from".
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
    """Separate the table from its target; give also the target's name, if it was a column of the table."""
    if y is None:
        raise TargetError(f"This {estimator} estimator requires y to be passed, but the target y is None.")
    if isinstance(y, str):
        return *table.split_off(y), y
    target, is_column_vector = read_values(y)
    if is_column_vector:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
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
    name = getattr(y, "name", None)
    if isinstance(name, str) and table.has_names and name in table.names:
        column = table.columns[table.position(name)]
        if np.array_equal(column.decoded().values, target.decoded().values):
            raise TargetError(
                f"y is also column {name!r} of X, with the same values, and would explain itself. "
                f"Drop the column from X, or give y={name!r} to have it separated."
            )
    return table, target, None


def class_weights(
    class_weight: object, target: CodedClasses, weights: NDArray[np.float64] | None
) -> NDArray[np.float64] | None:
    """Multiply the weights of rows by those of their classes.

    Parameters
    ----------
    class_weight : None, "balanced" or dict
        By label; classes not mentioned have weight 1. ``"balanced"`` is n_rows / (n_classes × rows of the
        class).
    target : CodedClasses
        Classes of the rows.
    weights : array of float64 or None
        Weights of the rows.

    Returns
    -------
    array of float64 or None

    Examples
    --------
    Rows of weights 20, 30 and 10, of classes 0, 0 and 1:

    >>> target = CodedClasses(np.array([0, 0, 1], dtype=np.int32), np.array([0, 1]))
    >>> class_weights({0: 40, 1: 60}, target, np.array([20.0, 30.0, 10.0]))
    array([ 800., 1200.,  600.])
    """
    if class_weight is None:
        return weights
    n_classes = len(target.labels)
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ParameterError(
                f"class_weight={class_weight!r} is unknown; give 'balanced', a dict by class, or None."
                + did_you_mean(class_weight, ("balanced",))
            )
        of_class = len(target.codes) / (n_classes * np.bincount(target.codes, minlength=n_classes))
    elif isinstance(class_weight, Mapping):
        of_class = _by_label(class_weight, target.labels.tolist())
    else:
        raise ParameterError(
            f"class_weight={class_weight!r} cannot be used; give 'balanced', a dict by class, or None "
            "(a list is for several targets at once, which are not supported)."
        )
    of_row = of_class[target.codes]
    product = of_row if weights is None else of_row * weights
    refuse_wrong(product, "sample_weight × class_weight")
    return product


def _by_label(class_weight: Mapping[Any, Any], labels: list[Any]) -> NDArray[np.float64]:
    # A label that is not in y may belong to rows left out, say by cross-validation. If a class is not
    # mentioned either, the label is more likely misspelt; scikit-learn draws the line in the same place.
    strangers = [label for label in class_weight if label not in labels]
    if strangers and any(label not in class_weight for label in labels):
        raise WeightError(
            f"class_weight names {listed(strangers)}, which y does not hold; classes are {listed(labels)}."
            + did_you_mean(strangers[0], labels)
        )
    weights = [real(f"class_weight[{label!r}]", class_weight.get(label, 1), at_least=0.0) for label in labels]
    return np.array(weights)


def weights_message(cases: int) -> str:
    """Say that weights were scaled."""
    rows = "the number of rows of positive weight"
    return f"the weights add up to 1, so each is multiplied by {cases:,}, {rows}"


def warn_if_too_light(target: CodedClasses, weights: NDArray[np.float64] | None, min_cases: float) -> None:
    """Warn if classes differ, but all rows together weigh too little for C4.5 to split them."""
    if weights is None or not are_too_light(weights, 2 * min_cases):
        return
    if len(np.unique(target.codes[weights > 0])) > 1:
        total, least, twice = map(format_number, (total_of(weights), min_cases, 2 * min_cases))
        warn(
            f"the tree is a single leaf: the weights of all rows add up to {total}, and "
            f"min_cases={least} requires that much in each of two branches, {twice} in all. "
            "Weights count cases: multiply them, give none, or lower min_cases.",
            WeightWarning,
        )
