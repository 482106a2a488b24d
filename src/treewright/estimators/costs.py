"""Read the parameters that are given by class: `class_weight`, `prior` and `loss`."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError, ParameterTypeError, WeightError, did_you_mean, listed
from treewright.parts.bounds import real
from treewright.parts.costs import Costs
from treewright.table.target import CodedClasses
from treewright.table.weights import refuse_wrong


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
    if isinstance(class_weight, Mapping):
        of_class = _by_label(class_weight, target.labels.tolist())
    elif isinstance(class_weight, str) and class_weight == "balanced":
        n_classes = len(target.labels)
        of_class = len(target.codes) / (n_classes * np.bincount(target.codes, minlength=n_classes))
    else:
        raise ParameterError(
            f"class_weight={class_weight!r} cannot be used; give 'balanced', a dict by class, or None (a "
            "list is for several targets at once, which are not supported)."
            + did_you_mean(class_weight, ("balanced",))
        )
    of_row = of_class[target.codes]
    product = of_row if weights is None else of_row * weights
    refuse_wrong(product, "sample_weight × class_weight")
    return product


def _by_label(class_weight: Mapping[Any, Any], labels: list[Any]) -> NDArray[np.float64]:
    # A label that is not in y may belong to rows left out, for example by cross-validation. But if also some
    # class is not mentioned, the label is probably misspelt. scikit-learn follows the same rule.
    if any(label not in class_weight for label in labels):
        _refuse_unknown_labels("class_weight", class_weight, labels, WeightError)
    weights = [real(f"class_weight[{label!r}]", class_weight.get(label, 1), at_least=0.0) for label in labels]
    return np.array(weights)


def _refuse_unknown_labels(name: str, given: Any, labels: list[Any], error: type[ValueError]) -> None:
    """Raise if labels are given that no row has."""
    if unknown := [label for label in given if label not in labels]:
        hint = did_you_mean(unknown[0], labels)
        raise error(
            f"{name} names {listed(unknown)}, which y does not hold; classes are {listed(labels)}.{hint}"
        )


def costs(prior: object, loss: object, labels: list[Any]) -> Costs:
    """Read priors and losses.

    Parameters
    ----------
    prior : None, dict by class, or sequence in the order of `labels`
        Positive, with sum 1.
    loss : None, square matrix, or dict of dicts
        A row for each true class, a column for each prediction. A dict of dicts may leave the diagonal out.
    labels : list
        The classes, sorted.

    Returns
    -------
    Costs

    Examples
    --------
    >>> costs({"yes": 0.25, "no": 0.75}, {"no": {"yes": 1}, "yes": {"no": 5}}, ["no", "yes"])
    Costs(prior=(0.75, 0.25), loss=((0.0, 1.0), (5.0, 0.0)))
    """
    return Costs(_prior(prior, labels), _loss(loss, labels))


def _prior(prior: object, labels: list[Any]) -> tuple[float, ...] | None:
    if prior is None:
        return None
    values = _by_class("prior", prior, labels)
    return tuple(real(f"prior of class {label!r}", value, above=0.0) for label, value in values)


def _loss(loss: object, labels: list[Any]) -> tuple[tuple[float, ...], ...] | None:
    if loss is None:
        return None
    if isinstance(loss, Mapping):
        loss = {true: {true: 0.0, **row} if isinstance(row, Mapping) else row for true, row in loss.items()}
    return tuple(
        tuple(
            real(f"loss of predicting {label!r} for {true!r}", cost, at_least=0.0)
            for label, cost in _by_class(f"loss of class {true!r}", row, labels)
        )
        for true, row in _by_class("loss", loss, labels)
    )


def _by_class(name: str, values: object, labels: list[Any]) -> list[tuple[Any, Any]]:
    """Return each class with its value, in the order of the classes."""
    if isinstance(values, Mapping):
        _refuse_unknown_labels(name, values, labels, ParameterError)
        absent = [label for label in labels if label not in values]
        if absent:
            raise ParameterError(f"{name} does not name {listed(absent)}; give a number for each class.")
        return [(label, values[label]) for label in labels]
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ParameterTypeError(
            f"{name}={values!r} cannot be used; give a dict by class, or numbers in the order of classes_."
        )
    found = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if not isinstance(found, list) or len(found) != len(labels):
        raise ParameterError(
            f"{name} has {len(found)} entries, y {len(labels)} classes ({listed(labels)}); give one for each."
        )
    return list(zip(labels, found, strict=True))
