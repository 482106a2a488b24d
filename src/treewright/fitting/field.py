"""Where trees are grown: encoded rows and a recipe, and a tree on all of them or on some."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright.engines.engine import Progress
from treewright.engines.local import LocalEngine, TrainingSet
from treewright.fitting.costs import AlteredPriors
from treewright.model.tree import Tree
from treewright.parts.leaf_values import Shares
from treewright.parts.missing import Spread
from treewright.parts.pruners import CrossValidated, InTurn
from treewright.recipes import Recipe
from treewright.table.encode import Codes
from treewright.table.target import CodedClasses


@dataclass(frozen=True)
class Field:
    """Rows and a recipe.

    Parameters
    ----------
    codes : list of arrays
        Columns as `treewright.table.encode.encode` gives them.
    target : CodedClasses or array of float64
        Classes or numbers.
    recipe : Recipe
        How to grow.
    n_categories : sequence of int
        Categories that each column declares, 0 where it holds numbers.
    n_threads : int
        Threads to use.
    altered : AlteredPriors or None
        How the rows of each class count; worked out once, on all rows.
    training_set : TrainingSet or None
        The columns in order, where several trees are grown; None puts them in order for one.
    """

    codes: Codes
    target: CodedClasses | NDArray[np.float64]
    recipe: Recipe
    n_categories: Sequence[int]
    n_threads: int = 1
    altered: AlteredPriors | None = None
    training_set: TrainingSet | None = None

    def in_order(self) -> "Field":
        """Put the columns in order once, where the recipe asks for more trees than one."""
        pruner = self.recipe.pruner
        last = pruner.pruners[-1] if isinstance(pruner, InTurn) and pruner.pruners else pruner
        if not isinstance(last, CrossValidated):
            return self
        rows = TrainingSet(self.codes, self.n_rows, self.n_threads, self.n_categories)
        return replace(self, training_set=rows)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.target.codes if isinstance(self.target, CodedClasses) else self.target)

    def engine(self, weights: NDArray[np.float64] | None) -> LocalEngine:
        """Put the rows of positive weight in order; without weights each row counts as 1."""
        own = None
        if self.altered is not None and isinstance(self.target, CodedClasses):
            own = np.ones(self.n_rows) if weights is None else weights
            weights = self.altered.weights(self.target, weights)
        rows = self.training_set or self.codes
        return LocalEngine(rows, self.target, weights, self.n_threads, self.n_categories, own)

    def grow(self, engine: LocalEngine, progress: Progress | None = None, keep_ledger: bool = False) -> Tree:
        """Grow a tree on the rows of an engine of this field."""
        recipe = self.recipe
        if self.altered is not None:
            recipe = replace(recipe, limits=self.altered.limits(recipe.limits))
        return self.told(engine.grow(recipe, progress, keep_ledger), engine)

    def told(self, tree: Tree, engine: LocalEngine) -> Tree:
        """Let the nodes of a tree grown by `engine` tell what they are to tell."""
        tree = _with_shares(tree, self.recipe.shares)
        if self.altered is None:
            return tree
        is_in_shares = isinstance(self.recipe.missing, Spread) and bool(engine.n_missing.any())
        return self.altered.told(
            tree, has_whole_rows=not (self.recipe.monotone.is_constrained or is_in_shares)
        )


def _with_shares(tree: Tree, shares: Shares) -> Tree:
    """Let the leaves give their classes as probabilities in this way."""
    is_certain = shares.empty == "certain"
    if (tree.smoothing, tree.is_certain_when_empty) == (shares.smoothing, is_certain):
        return tree
    return replace(tree, smoothing=shares.smoothing, is_certain_when_empty=is_certain)
