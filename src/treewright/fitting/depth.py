"""Warn about trees that have become chains."""

from treewright.engines.engine import Grown
from treewright.errors import DeepTreeWarning, warn
from treewright.parts.criteria import GainRatio
from treewright.parts.rankings import AboveAverageGain
from treewright.recipes import Recipe

MOST_LEVELS = 1_000


def warn_if_deep(grown: Grown, recipe: Recipe) -> None:
    """Warn where a tree that was just grown has more than a thousand levels.

    Splits of any balance end after some tens of levels. Beyond a thousand each takes a few rows off the rest,
    and growing takes rows × levels steps, predicting one row as many as there are levels.
    """
    max_depth = grown.tree.max_depth if grown.work is None else grown.work.max_depth
    if max_depth <= MOST_LEVELS:
        return
    (word, *_) = recipe.criterion.words() or ("of your own",)
    cause, remedy = "each split takes a few rows off the rest", "set max_depth or min_samples_leaf"
    if isinstance(recipe.ranking, AboveAverageGain):
        remedy = "set max_depth or raise min_cases"
    elif isinstance(recipe.criterion, GainRatio):
        cause = "the gain ratio favours cuts near the ends, which take a few rows off the rest"
        remedy += ", or use C45Classifier, where only columns of at least average gain compete"
    warn(
        f"the tree has {max_depth:,} levels on {int(grown.tree.n_rows[0]):,} rows, by the criterion "
        f"{word}: {cause}. It is slow to grow and to predict with; {remedy}.",
        DeepTreeWarning,
    )
