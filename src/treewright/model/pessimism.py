"""How many errors to expect of a leaf: more than it made on the rows it was chosen for.

Pruning asks this, and so do rules, which bound their error by it.
"""

from treewright._core import Pessimism
from treewright.parts.pruners import ErrorBased

__all__ = ["Pessimism", "pessimism", "quinlans", "upper_rate"]


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
    """Expect errors as C4.5, Release 8, does."""
    return pessimism(ErrorBased(confidence=confidence))


def upper_rate(n: float, errors: float, extra: Pessimism) -> float:
    """Bound the share of errors among more rows like these `n`, of which `errors` are wrong.

    Examples
    --------
    >>> round(upper_rate(14, 5, quinlans()), 4)
    0.4854
    """
    return (errors + extra.extra(n, errors)) / n
