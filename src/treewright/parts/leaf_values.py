"""Leaf values say what a node answers: of numbers, and how sure it is of its classes."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from treewright.parts.bounds import real


@dataclass(frozen=True, slots=True)
class Mean:
    """The weighted mean of the targets: no other answer has a smaller squared error."""


@dataclass(frozen=True, slots=True)
class Median:
    """The weighted median of the targets: no other answer has a smaller absolute error.

    Where exactly half the weight lies at or below a target it is the midpoint of that one and the next.
    """


LeafValue: TypeAlias = Mean | Median


@dataclass(frozen=True, slots=True)
class Shares:
    """The shares of classes that a leaf gives as probabilities.

    Parameters
    ----------
    smoothing : float
        Weight added to every class first; 1 is Laplace's. It does not change the answer.
    empty : {"parent", "certain"}
        What a leaf without rows knows: what its parent knows, or nothing but the parent's answer, for sure.
    """

    smoothing: float = 0.0
    empty: Literal["parent", "certain"] = "parent"

    def __post_init__(self) -> None:
        real("smoothing", self.smoothing, at_least=0.0)
