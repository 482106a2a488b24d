"""Upper limit of the error rate of a leaf, computed from its training rows alone."""

from treewright.model.pessimism import quinlans
from treewright.model.tree import Tree

CONFIDENCE = 0.25


def error_bound(weight: float, wrong: float, confidence: float = CONFIDENCE) -> float:
    """Return Quinlan's U(E, N): the error rate at which so few errors would occur one time in four.

    It is the upper limit of a one-sided confidence interval for the error rate among rows like those of the
    leaf, at C4.5's default CF of 25%, computed as in Release 8: from the binomial distribution if there is no
    error, otherwise from the normal distribution with a continuity correction. The leaf was chosen because it
    looked pure, so this is a rule of thumb and no guarantee; but it distinguishes 0 of 2 from 0 of 200.

    Parameters
    ----------
    weight : float
        Weight of the rows, used as their number. Above 0.
    wrong : float
        Weight of the rows of other classes than the predicted one.
    confidence : float
        C4.5's CF. The smaller it is, the higher the bound.

    Returns
    -------
    float
        A rate, between 0 and 1.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, section 4.2.

    Examples
    --------
    >>> [round(error_bound(*leaf), 3) for leaf in ((2, 0), (6, 0), (9, 0), (16, 1), (200, 0))]
    [0.5, 0.206, 0.143, 0.157, 0.007]
    """
    return min(1.0, (wrong + quinlans(confidence).extra(weight, wrong)) / weight)


def bound_at(tree: Tree, leaf: int, answer: int, confidence: float = CONFIDENCE) -> float | None:
    """Return the upper limit of the error rate of a class in a leaf; None if it has no training rows."""
    weights = tree.outcome[leaf]  # weighted by the priors, not by the priors altered for losses
    weight = float(weights.sum())
    return error_bound(weight, weight - float(weights[answer]), confidence) if tree.n_rows[leaf] else None
