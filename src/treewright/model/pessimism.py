"""How many errors to expect of a leaf: more than it made on the rows it was chosen for.

Pruning asks this, and so do rules, which bound their error by it.
"""

from treewright._core import Pessimism
from treewright.parts.pruners import ErrorBased


def pessimism(pruner: ErrorBased) -> Pessimism:
    """Put the rule for extra errors in the core's words."""
    return Pessimism(
        confidence=pruner.confidence,
        deviate=pruner.z,
        all_wrong=pruner.all_wrong,
        least_extra=pruner.least_extra,
        no_errors=pruner.no_errors,
        one_error=pruner.one_error,
        adds_none=pruner.confidence > pruner.most_confident,
    )


def quinlans(confidence: float = 0.25) -> Pessimism:
    """Expect errors as C4.5, Release 8, does.

    Examples
    --------
    >>> round(quinlans().extra(14, 5), 4)
    1.795
    """
    return pessimism(ErrorBased(confidence=confidence))
