"""Warn about trees that have become chains."""

import numpy as np

from treewright.errors import DeepTreeWarning, warn
from treewright.model.tree import Tree
from treewright.parts import AboveAverageGain, GainRatio, Recipe

MOST_LEVELS = 1_000


def warn_if_deep(tree: Tree, recipe: Recipe) -> None:
    """Warn where a tree that was just grown has more than a thousand levels.

    Splits of any balance end after some tens of levels. Beyond a thousand each takes a few rows off the rest,
    and growing takes rows × levels steps, predicting one row as many as there are levels.
    """
    # Every level below the root has two nodes at least.
    if tree.n_nodes <= 2 * MOST_LEVELS or not _may_be_deep(tree) or tree.max_depth <= MOST_LEVELS:
        return
    (word, *_) = recipe.criterion.words() or ("of your own",)
    cause, remedy = "each split takes a few rows off the rest", "set max_depth or min_samples_leaf"
    if isinstance(recipe.ranking, AboveAverageGain):
        remedy = "set max_depth or raise min_cases"
    elif isinstance(recipe.criterion, GainRatio):
        cause = "the gain ratio favours cuts near the ends, which take a few rows off the rest"
        remedy += ", or use C45Classifier, where only columns of at least average gain compete"
    warn(
        f"the tree has {tree.max_depth:,} levels on {int(tree.n_rows[0]):,} rows, by the criterion "
        f"{word}: {cause}. It is slow to grow and to predict with; {remedy}.",
        DeepTreeWarning,
    )


def _may_be_deep(tree: Tree) -> bool:
    """Check whether a tree has half as many levels or more, which is faster than computing its depth."""
    above = np.maximum(tree.parent, 0, dtype=np.intp)
    for _ in range(MOST_LEVELS.bit_length() - 1):  # twice as far up each time
        above = above.take(above)
        if not above.any():
            return False
    return True
