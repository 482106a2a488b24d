"""Pre-pruning: keep the splits that lower the cost on held-out rows, judged one by one from the root down."""

import numpy as np

from treewright.fitting.leaves import ROUNDING, as_leaves
from treewright.fitting.reduced_error import held_out_costs
from treewright.model.labelled_rows import EncodedRows
from treewright.model.records import Bool, Float64
from treewright.model.tree import Tree


def pre_prune(tree: Tree, rows: EncodedRows, *, of_medians: bool) -> Tree:
    """Keep the splits that lower the cost on held-out rows, with their branches as leaves.

    The split of a node does not depend on what is pruned elsewhere. So the fully grown tree has every split
    that growing would have tried, and the result is the tree at which growing would have stopped.

    Parameters
    ----------
    tree : Tree
        A grown tree; left unchanged.
    rows : EncodedRows
        The rows held out; all others have weight 0.
    of_medians : bool
        Whether a regression tree predicts medians instead of means.

    Returns
    -------
    Tree
        The smaller tree. Its nodes report the rows it was grown on.

    References
    ----------
    Zhou (2016), Machine Learning, section 4.3.1.
    """
    pays = splits_that_pay(tree, held_out_costs(tree, rows, of_medians=of_medians))
    return as_leaves(tree, np.flatnonzero((tree.column >= 0) & ~pays).astype(np.int32))


def splits_that_pay(tree: Tree, as_leaf: Float64) -> Bool:
    """Return for every node whether its children as leaves cost less than the node as a leaf."""
    after = np.zeros(tree.n_nodes)
    np.add.at(after, tree.parent[1:], as_leaf[1:])
    return (tree.column >= 0) & (after < as_leaf * (1 - ROUNDING))
