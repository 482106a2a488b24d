"""How mixed the classes of nodes are."""

import numpy as np
from numpy.typing import NDArray

from treewright.parts.criteria import Criterion, Entropy, GainRatio, Misclassification, TaylorEntropy


def impurity_of(outcome: NDArray[np.float64], criterion: Criterion) -> NDArray[np.float64]:
    """Give the impurity that nodes of these class weights show in a tree grown by `criterion`.

    Examples
    --------
    >>> from treewright.parts.criteria import Gini
    >>> weights = np.array([[1.0, 1.0], [0.0, 4.0]])
    >>> impurity_of(weights, Gini()), impurity_of(weights, Entropy())
    (array([0.5, 0. ]), array([1., 0.]))
    """
    total = outcome.sum(axis=1, keepdims=True)
    shares = outcome / np.where(total > 0, total, 1.0)
    if isinstance(criterion, Entropy | GainRatio):
        parts = -shares * np.log2(np.where(shares > 0, shares, 1.0))
    elif isinstance(criterion, TaylorEntropy):
        parts = shares * ((1 - shares) + (1 - shares) ** 2 / 2)
    elif isinstance(criterion, Misclassification):
        return np.asarray(np.where(total[:, 0] > 0, 1.0 - shares.max(axis=1), 0.0))
    else:
        parts = shares * (1 - shares)  # Gini, which those without an impurity of their own show too
    return np.asarray(parts.sum(axis=1) + 0.0)
