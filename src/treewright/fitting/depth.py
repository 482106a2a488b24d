"""Warn about trees that have become chains, or far larger than their table."""

from treewright.engines.engine import Grown
from treewright.errors import DeepTreeWarning, warn
from treewright.parts import AboveAverageGain, GainRatio, Recipe, Spread

MOST_LEVELS = 1_000
MOST_NODES = 20  # times the number of rows; without fractional rows the factor is below 2


def warn_if_deep(grown: Grown, recipe: Recipe) -> None:
    """Warn if a newly grown tree has more than a thousand levels.

    Reasonably balanced splits end after some tens of levels. Beyond a thousand, each split separates only a
    few rows from the rest: growing takes rows × levels steps, and predicting one row as many steps as levels.
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


def warn_if_large(grown: Grown, recipe: Recipe) -> None:
    """Warn if fractional rows have made a tree many times as large as its table.

    A row with a missing value goes down every branch, and limits on rows count each fraction as a row.
    """
    n_nodes, n_rows = grown.tree.n_nodes, int(grown.tree.n_rows[0])
    if isinstance(recipe.missing, Spread) and n_nodes > MOST_NODES * n_rows:
        remedy = f"Set min_weight_fraction_leaf to 1 / {n_rows}, or max_depth"
        if isinstance(recipe.ranking, AboveAverageGain):
            remedy = "Raise min_cases, or set max_depth"
        elif recipe.limits.needs_gain:  # ID3, which has no limit of weight
            remedy = "Set max_depth or min_gain"
        warn(
            f"the tree has {n_nodes:,} nodes on {n_rows:,} rows: missing='spread' sends rows with a missing "
            f"value down every branch, in ever smaller fractions. {remedy}.",
            DeepTreeWarning,
        )
