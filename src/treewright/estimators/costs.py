"""Read `prior` and `loss`: in the order of `classes_`, or by class."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from treewright.errors import ParameterError, ParameterTypeError, did_you_mean, listed
from treewright.parts.bounds import real
from treewright.parts.costs import Costs


def costs(prior: object, loss: object, labels: list[Any]) -> Costs:
    """Read priors and losses.

    Parameters
    ----------
    prior : None, dict by class, or sequence in the order of `labels`
        Positive, with sum 1.
    loss : None, square matrix, or dict of dicts
        A row for each true class, a column for each answer. In a dict of dicts the diagonal may be left out.
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
    values = _in_order("prior", prior, labels)
    return tuple(
        real(f"prior of class {label!r}", value, above=0.0)
        for label, value in zip(labels, values, strict=True)
    )


def _loss(loss: object, labels: list[Any]) -> tuple[tuple[float, ...], ...] | None:
    if loss is None:
        return None
    if isinstance(loss, Mapping):
        loss = {true: {true: 0.0, **row} if isinstance(row, Mapping) else row for true, row in loss.items()}
    rows = _in_order("loss", loss, labels)
    return tuple(
        tuple(
            real(f"loss of answering {answer!r} for {true!r}", cost, at_least=0.0)
            for answer, cost in zip(labels, _in_order(f"loss of class {true!r}", row, labels), strict=True)
        )
        for true, row in zip(labels, rows, strict=True)
    )


def _in_order(name: str, values: object, labels: list[Any]) -> list[Any]:
    """Give one value for each class, in the order of the classes."""
    if isinstance(values, Mapping):
        strangers = [label for label in values if label not in labels]
        if strangers:
            raise ParameterError(
                f"{name} names {listed(strangers)}, which y does not hold; classes are {listed(labels)}."
                + did_you_mean(strangers[0], labels)
            )
        absent = [label for label in labels if label not in values]
        if absent:
            raise ParameterError(f"{name} does not name {listed(absent)}; give a number for each class.")
        return [values[label] for label in labels]
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ParameterTypeError(
            f"{name}={values!r} cannot be used; give a dict by class, or numbers in the order of classes_."
        )
    found = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if not isinstance(found, list) or len(found) != len(labels):
        raise ParameterError(
            f"{name} has {len(found)} entries, y {len(labels)} classes ({listed(labels)}); give one for each."
        )
    return found
