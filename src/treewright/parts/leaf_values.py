"""Leaf values say what a node answers where the target is a number."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Mean:
    """The weighted mean of the targets: no other answer has a smaller squared error."""


@dataclass(frozen=True, slots=True)
class Median:
    """The weighted median of the targets: no other answer has a smaller absolute error.

    Where exactly half the weight lies at or below a target it is the midpoint of that one and the next.
    """


LeafValue: TypeAlias = Mean | Median
