"""Where training rows ended in the tree that was grown on them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.model.tree import Tree


@dataclass(frozen=True)
class Ended:
    """Where rows ended in the tree that was grown on them.

    Parameters
    ----------
    tree : Tree
        As it was grown.
    nodes : array of int32
        The leaf of each row of positive weight, or the first node that splits by a column in which the row
        has no value.
    """

    tree: Tree
    nodes: NDArray[np.int32]

    def in_cut(self, tree: Tree) -> NDArray[np.int32] | None:
        """Give the nodes where they end in a tree that was cut from this one; None if its splits differ."""
        grown = self.tree
        number, origin = _core.find_in_cut(grown.child_begin, grown.child, tree.child_begin)
        if not len(origin):
            return None
        asks_the_same = grown.column.take(origin) == tree.column
        # By their bits: questions about categories have no number for a cut.
        asks_the_same &= grown.cut.view(np.int64).take(origin) == tree.cut.view(np.int64)
        asks_the_same &= grown.cut_integer.take(origin) == tree.cut_integer
        return number.take(self.nodes) if (asks_the_same | (tree.column < 0)).all() else None
