"""Pruners say which smaller tree is better."""

from dataclasses import dataclass
from typing import TypeAlias

from treewright.parts.bounds import real


@dataclass(frozen=True, slots=True)
class NoPruning:
    """Keep the tree as it was grown."""


@dataclass(frozen=True, slots=True)
class CostComplexity:
    """Cut weakest links while a leaf saved costs at most `alpha`.

    Parameters
    ----------
    alpha : float
        Price of a leaf in units of risk, which is weight / total weight × impurity.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 3.3.

    Examples
    --------
    >>> CostComplexity(alpha=0.01)
    CostComplexity(alpha=0.01)
    """

    alpha: float

    def __post_init__(self) -> None:
        real("alpha", self.alpha, at_least=0.0)


Pruner: TypeAlias = NoPruning | CostComplexity
