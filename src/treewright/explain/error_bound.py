"""How often a leaf must be expected to be wrong, at worst, judged by its training rows alone."""

from treewright.model.pessimism import quinlans

CONFIDENCE = 0.25


def error_bound(weight: float, wrong: float, confidence: float = CONFIDENCE) -> float:
    """Give the share of errors at which so few would be seen once in four times: Quinlan's U(E, N).

    It is the upper limit of a one-sided interval for the share of errors among rows like those of the leaf,
    at C4.5's default CF of 25%, as Release 8 works it out: from the binomial distribution where there is no
    error, from the normal one with a correction of half a row otherwise. The leaf was chosen because it
    looked pure, so this is a rule of thumb and no guarantee; it is good at telling 0 of 2 from 0 of 200.

    Parameters
    ----------
    weight : float
        Of the rows, which counts as their number. Above 0.
    wrong : float
        Of those that are not of the class answered.
    confidence : float
        C4.5's CF: how often so few errors may be seen. The smaller, the higher is the bound.

    Returns
    -------
    float
        A share, between 0 and 1.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, section 4.2.

    Examples
    --------
    >>> [round(error_bound(*leaf), 3) for leaf in ((2, 0), (6, 0), (9, 0), (16, 1), (200, 0))]
    [0.5, 0.206, 0.143, 0.157, 0.007]
    """
    return min(1.0, (wrong + quinlans(confidence).extra(weight, wrong)) / weight)
