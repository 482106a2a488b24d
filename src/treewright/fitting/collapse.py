"""Splits that lower no errors on the training rows."""

from treewright.fitting.leaves import leaves_where_no_worse
from treewright.model.tree import Tree
from treewright.parts.pruners import Collapse


def collapse(tree: Tree, pruner: Collapse) -> Tree:
    """Turn nodes into leaves where their leaves make no fewer errors on the training rows than they would."""
    as_leaf = tree.weight - tree.outcome.max(axis=1)
    as_leaf[tree.weight == 0] = 0.0
    return leaves_where_no_worse(tree, as_leaf, pruner.slack, bottom_up=pruner.bottom_up)
