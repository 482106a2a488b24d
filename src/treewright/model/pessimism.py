"""How many errors to expect in a leaf: more than it made on the training rows.

Pruning uses this, and rules use it to bound their errors.
"""

from functools import cache

from treewright._core import Pessimism
from treewright.parts.pruners import ErrorBased


def pessimism(pruner: ErrorBased) -> Pessimism:
    """Make the core's object that computes the extra errors."""
    return Pessimism(
        confidence=pruner.confidence,
        deviate=pruner.z,
        all_wrong=pruner.all_wrong,
        least_extra=pruner.least_extra,
        no_errors=pruner.no_errors,
        one_error=pruner.one_error,
        adds_none=pruner.confidence > pruner.most_confident,
    )


@cache
def quinlans(confidence: float = 0.25) -> Pessimism:
    """Make the rule by which C4.5, Release 8, expects errors.

    Examples
    --------
    >>> round(quinlans().extra(14, 5), 4)
    1.795
    """
    return pessimism(ErrorBased(confidence=confidence))
