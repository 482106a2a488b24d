"""Growth orders say which open node is split next.

They affect the tree only if the limit on the number of leaves is reached.
"""

from dataclasses import dataclass
from typing import TypeAlias

from treewright.parts.part import Part

__all__ = ["BestFirst", "DepthFirst", "LevelByLevel"]


@dataclass(frozen=True, slots=True)
class DepthFirst(Part):
    """Finish one branch before the next."""

    word = "depth"


@dataclass(frozen=True, slots=True)
class LevelByLevel(Part):
    """Split all nodes of a level before those below."""

    word = "breadth"


@dataclass(frozen=True, slots=True)
class BestFirst(Part):
    """Split the node with the largest gain first."""

    word = "best"


GrowthOrder: TypeAlias = DepthFirst | LevelByLevel | BestFirst
