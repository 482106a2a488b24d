"""A tree without splits that change no prediction."""

from dataclasses import replace

import numpy as np

from treewright.fitting.leaves import as_leaves
from treewright.model.questions import EVERY_BRANCH
from treewright.model.tree import Tree


def simplified(tree: Tree) -> Tree:
    """Give a tree that predicts the same without splits that make no difference.

    A subtree all of whose leaves answer alike becomes a leaf. The class, or the number, that is predicted for
    any row stays what it was; probabilities of classes may change, to those of the node that is a leaf now.
    Where rows without a value go down several branches, what the leaves answer is mixed, so there they must
    have the same shares of classes.

    Parameters
    ----------
    tree : Tree
        Left unchanged.

    Returns
    -------
    Tree
        `tree` itself where every split makes a difference.

    Examples
    --------
    >>> import treewright as tw
    >>> tree = tw.DecisionTreeClassifier().fit([[0], [1], [2], [2], [2]], [0, 0, 0, 0, 1]).tree_
    >>> tree.n_nodes, simplified(tree).n_nodes
    (3, 1)
    """
    is_leaf = tree.column < 0
    spreads = bool((tree.missing_branch[~is_leaf] == EVERY_BRANCH).any())
    says = tree.shares if spreads else tree.answer[:, None] if tree.is_classifier else tree.outcome
    # Leaves, and nodes where rows stop, are in order: those of a subtree stand side by side, and differ if
    # two neighbours do.
    answers = is_leaf | tree.lets_rows_stop
    leaves = np.flatnonzero(answers)
    differs = (says[leaves[1:]] != says[leaves[:-1]]).any(axis=1)
    n_changes = np.concatenate(([0], np.cumsum(differs)))
    n_before = np.concatenate(([0], np.cumsum(answers)))
    first, last = n_before[:-1], n_before[tree.end] - 1
    alike = ~is_leaf & (n_changes[first] == n_changes[last])
    if not alike.any():
        return tree
    if tree.is_classifier:
        alike &= (says == says[leaves[first]]).all(axis=1)
    else:
        # The mean of equal numbers may be another one, by rounding; the leaf is to answer as those did.
        tree = replace(tree, outcome=np.where(alike[:, None], says[leaves[first]], says))
    return as_leaves(tree, np.flatnonzero(alike).astype(np.int32))
