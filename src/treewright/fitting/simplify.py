"""Remove the splits that change no prediction."""

from dataclasses import replace

import numpy as np

from treewright.fitting.leaves import as_leaves
from treewright.model.questions import EVERY_BRANCH
from treewright.model.tree import Tree


def simplified(tree: Tree) -> Tree:
    """Return a tree that predicts the same, without splits that make no difference.

    A subtree whose leaves all predict the same becomes a leaf. The predicted class or number stays the same
    for every row; class probabilities may change to those of the new leaf. Where rows with a missing value go
    down several branches, the shares of their leaves are averaged, so these leaves must have the same shares.

    Parameters
    ----------
    tree : Tree
        Left unchanged.

    Returns
    -------
    Tree
        `tree` itself if every split makes a difference.

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
    # Leaves, and nodes where rows stop, are numbered in order: those of a subtree are adjacent, and they
    # differ if any two neighbours differ.
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
        # By rounding, the mean of equal numbers may differ from them; the new leaf takes their number.
        tree = replace(tree, outcome=np.where(alike[:, None], says[leaves[first]], says))
    return as_leaves(tree, np.flatnonzero(alike).astype(np.int32))
