"""Growth orders say which open node comes next.

They decide the tree only where a limit on the number of leaves binds.
"""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class DepthFirst:
    """Finish one branch before the next."""


@dataclass(frozen=True, slots=True)
class LevelByLevel:
    """Open all nodes of a level before those below."""


@dataclass(frozen=True, slots=True)
class BestFirst:
    """Open the node with the largest gain first."""


GrowthOrder: TypeAlias = DepthFirst | LevelByLevel | BestFirst
