"""Leaf values say what a leaf predicts: which number, or how the classes become probabilities."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from treewright.parts.bounds import NonNegative
from treewright.parts.part import Part

__all__ = ["Mean", "Median", "Shares"]


@dataclass(frozen=True, slots=True)
class Mean(Part):
    """The weighted mean of the targets: no other answer has a smaller squared error."""

    word = "mean"


@dataclass(frozen=True, slots=True)
class Median(Part):
    """The weighted median of the targets: no other answer has a smaller absolute error.

    Where exactly half the weight lies at or below a target, it is the midpoint of that target and the next.
    """

    word = "median"
    suits = ("numbers",)


LeafValue: TypeAlias = Mean | Median


@dataclass(frozen=True, slots=True)
class Shares(Part):
    """The probabilities of the classes in a leaf.

    Parameters
    ----------
    smoothing : float
        Weight added to every class first; 1 is Laplace smoothing. It does not change the predicted class.
    empty : {"parent", "certain"}
        The prediction of a leaf without rows: the probabilities of its parent, or probability 1 for the
        parent's class.
    """

    suits = ("classes",)

    smoothing: NonNegative = 0.0
    empty: Literal["parent", "certain"] = "parent"
