"""How often a leaf must be expected to be wrong, at worst, judged by its training rows alone."""

from math import sqrt

CONFIDENCE = 0.25
_DEVIATE = 0.84 + (0.25 - 0.84) * (CONFIDENCE - 0.20) / (0.40 - 0.20)  # between two entries of C4.5's table


def error_bound(weight: float, wrong: float) -> float:
    """Give the share of errors at which so few would be seen once in four times: Quinlan's U(E, N).

    It is the upper limit of a one-sided interval for the share of errors among rows like those of the leaf,
    at C4.5's default CF of 25 %, as Release 8 works it out: from the binomial distribution where there is no
    error, from the normal one with a correction of half a row otherwise. The leaf was chosen because it
    looked pure, so this is a rule of thumb and no guarantee; it is good at telling 0 of 2 from 0 of 200.

    Parameters
    ----------
    weight : float
        Of the rows, which counts as their number. Above 0.
    wrong : float
        Of those that are not of the class answered.

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
    return min(1.0, (wrong + _extra(weight, wrong)) / weight)


def _extra(weight: float, wrong: float) -> float:
    none: float = weight * (1 - CONFIDENCE ** (1 / weight))
    if wrong < 1e-6:
        return none
    if wrong < 0.9999:
        return none + wrong * (_extra(weight, 1.0) - none)
    if wrong + 0.5 >= weight:
        return 0.67 * (weight - wrong)
    c = _DEVIATE**2
    corrected = wrong + 0.5
    spread = sqrt(c * (corrected * (1 - corrected / weight) + c / 4))
    return weight * (corrected + c / 2 + spread) / (weight + c) - wrong
