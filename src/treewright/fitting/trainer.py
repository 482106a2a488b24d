"""Grow trees by one recipe on all or some rows of a training set."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright.engines.engine import Grown, Progress, Sample, TrainingSet
from treewright.fitting.costs import AlteredPriors
from treewright.model.labelled_rows import EncodedRows
from treewright.parts import Recipe, Spread
from treewright.table.target import CodedClasses, Target


@dataclass(frozen=True)
class Trainer:
    """A training set and a recipe.

    Parameters
    ----------
    training_set : TrainingSet
        The columns, as an engine prepared them.
    target : CodedClasses or array of float64
        Classes or numbers.
    recipe : Recipe
        How to grow.
    altered : AlteredPriors or None
        The factors of the classes; computed once, from all rows.
    """

    training_set: TrainingSet
    target: Target
    recipe: Recipe
    altered: AlteredPriors | None = None

    def rows(self, weights: NDArray[np.float64] | None) -> EncodedRows:
        """Return all rows, for pruners that read them."""
        return EncodedRows(self.training_set.codes, self.target, weights)

    def sample(self, weights: NDArray[np.float64] | None, *, is_last: bool = False) -> Sample:
        """Choose the rows of positive weight; without weights each row counts as 1."""
        own = None
        if self.altered is not None and isinstance(self.target, CodedClasses):
            own = np.ones(len(self.target)) if weights is None else weights
            weights = self.altered.weights(self.target, weights)
        return self.training_set.sample(self.target, weights, own, is_last=is_last)

    def grow(
        self,
        sample: Sample,
        progress: Progress | None = None,
        keep_ledger: bool = False,
        *,
        own_rows_only: bool = False,
    ) -> Grown:
        """Grow a tree on a sample; its nodes report weights and shares as the recipe defines them."""
        altered, recipe = self.altered, self.recipe
        if altered is not None:
            recipe = replace(recipe, limits=altered.limits(recipe.limits))
        grown = sample.grow(recipe, progress, keep_ledger, own_rows_only=own_rows_only)
        tree, smoothing, is_certain = grown.tree, recipe.shares.smoothing, recipe.shares.empty == "certain"
        if (tree.smoothing, tree.is_certain_when_empty) != (smoothing, is_certain):
            tree = replace(tree, smoothing=smoothing, is_certain_when_empty=is_certain)
        if altered is not None:
            is_fractional = isinstance(recipe.missing, Spread) and bool(sample.n_missing.any())
            tree = altered.report(tree, not (recipe.monotone.is_constrained or is_fractional))
        return grown if tree is grown.tree else replace(grown, tree=tree)
