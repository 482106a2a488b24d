"""Priors and losses: how rows count while a tree is grown, and what its nodes tell afterwards.

A row of class i and weight w counts w · π̃ᵢ · W / Wᵢ in growing and w · πᵢ · W / Wᵢ in what nodes tell, where
Wᵢ is the weight of class i, W that of all rows, πᵢ the prior, and π̃ᵢ ∝ πᵢ · Σⱼ L(i, j) the altered prior.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError
from treewright.model.tree import Tree
from treewright.parts.costs import Costs
from treewright.table.target import CodedClasses


@dataclass(frozen=True, slots=True)
class AlteredPriors:
    """How the rows of each class count.

    Parameters
    ----------
    growing : array of float64
        Factor of each class while the tree is grown.
    telling : array of float64
        Factor of each class in what the nodes tell.
    whole : bool
        Whether all weights given are whole numbers.
    loss : array of float64 or None
        Row the true class, column the answer.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.4.3.
    """

    growing: NDArray[np.float64]
    telling: NDArray[np.float64]
    whole: bool
    loss: NDArray[np.float64] | None

    def weights(
        self, target: CodedClasses, weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        """Give the weights to grow with."""
        if (self.growing == 1.0).all():
            return weights
        of_row: NDArray[np.float64] = self.growing[target.codes]
        return of_row if weights is None else of_row * weights

    def told(self, tree: Tree) -> Tree:
        """Give the grown tree with the weights of classes that its nodes are to tell.

        All rows of a class carry the same factor, so no row needs to be looked at again. Whole weights come
        back as the whole numbers that they are, which keeps ties of expected losses exact.
        """
        given = tree.outcome / self.growing
        if self.whole:
            given = np.rint(given)
        told = replace(tree, outcome=given * self.telling, loss=self.loss)
        # Where no loss alters the priors the two weights are one but for rounding; shares are to sum to 1.
        return replace(told, weight=told.told_weight) if self.loss is None else told


def alter_priors(
    target: CodedClasses, weights: NDArray[np.float64] | None, costs: Costs
) -> AlteredPriors | None:
    """Work out how the rows of each class count; None where all count as they are.

    Examples
    --------
    >>> target = CodedClasses(np.array([0, 0, 0, 1], dtype=np.int32), np.array(["no", "yes"]))
    >>> altered = alter_priors(target, None, Costs(prior=(0.5, 0.5)))
    >>> altered.weights(target, None).round(3)
    array([0.667, 0.667, 0.667, 2.   ])
    """
    if costs.prior is None and costs.loss is None:
        return None
    labels = target.labels.tolist()
    _check_lengths(costs, labels)
    of_class = _weight_of_classes(target, weights)
    share = of_class / math.fsum(of_class)
    if costs.prior is None:
        prior, telling = share, np.ones(len(labels))
    else:
        prior = np.array(costs.prior)
        for label, part, weight in zip(labels, prior.tolist(), of_class.tolist(), strict=True):
            if not weight:
                raise ParameterError(
                    f"prior gives {part} to class {label!r}, which has no row of positive weight."
                )
        telling = prior / share
    altered = np.ones(len(labels)) if costs.altered_by is None else np.array(costs.altered_by)
    # A loss that all errors share alters nothing, to the bit.
    altered = np.ones(len(labels)) if (altered == altered[0]).all() else altered / math.fsum(prior * altered)
    return AlteredPriors(
        growing=altered * telling,
        telling=telling,
        whole=weights is None or bool((weights == np.floor(weights)).all()),
        loss=None if costs.loss is None else np.array(costs.loss),
    )


def _weight_of_classes(target: CodedClasses, weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    n_classes = len(target.labels)
    if weights is None:
        return np.bincount(target.codes, minlength=n_classes).astype(np.float64)
    # Correctly rounded, so that the order of the rows does not show.
    return np.array([math.fsum(weights[target.codes == code]) for code in range(n_classes)])


def _check_lengths(costs: Costs, labels: list[Any]) -> None:
    for name, value in (("prior", costs.prior), ("loss", costs.loss)):
        if value is not None and len(value) != len(labels):
            raise ParameterError(
                f"{name} is for {len(value)} classes, the target has {len(labels)}: {labels}. Give one entry "
                "for each."
            )
