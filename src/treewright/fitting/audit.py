"""Audit a node: send the rows down the tree and score every column there again."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treewright import _core, parts
from treewright.engines.engine import Engine, TrainingSet
from treewright.errors import ParameterError, TableError
from treewright.fitting.costs import alter_priors
from treewright.fitting.every_category import with_every_category
from treewright.fitting.held_out import HeldOut, for_some_rows, observed_in
from treewright.fitting.squares import squares_of_branches
from treewright.missing_values import is_missing_code
from treewright.model.labelled_rows import EncodedRows, LabelledRows
from treewright.model.ledger import Ledger
from treewright.model.ledger_arrays import STOPS
from treewright.model.model import Model
from treewright.model.tree import Tree
from treewright.recipes import Recipe
from treewright.table.encode import Encoding
from treewright.table.target import CodedClasses, refuse_unfit_for_poisson


@dataclass(frozen=True)
class Auditor:
    """Rows that were sent down a tree, to score the columns of its nodes again as they were in growing."""

    model: Model
    rows: EncodedRows  # with the weights used in growing
    own_weights: NDArray[np.float64] | None
    recipe: Recipe
    unit: float
    takes_part: NDArray[np.bool_]  # includes held-out rows: their values may become cuts
    leaves: tuple[NDArray[np.intp], NDArray[np.int32], NDArray[np.float64]]  # row, leaf, fraction
    training_set: TrainingSet

    @classmethod
    def of(
        cls, model: Model, labelled: LabelledRows, recipe: Recipe, n_threads: int, engine: Engine
    ) -> "Auditor":
        """Send rows down a tree.

        Parameters
        ----------
        model : Model
            The tree.
        labelled : LabelledRows
            Usually the rows that the tree was grown on.
        recipe : Recipe
            How the tree was grown.
        n_threads : int
            Threads to use.
        engine : Engine
            The engine that scores the columns.
        """
        engine.check(recipe, isinstance(labelled.target, CodedClasses))
        rows = labelled.encoded(model)
        target = rows.target
        if isinstance(recipe.criterion, parts.Poisson) and not isinstance(target, CodedClasses):
            refuse_unfit_for_poisson(target, labelled.weights)
        leaves = rows.leaves(model.tree, n_threads)
        own_weights, unit, takes_part = None, 1.0, rows.weight_of_each > 0
        if isinstance(target, CodedClasses):
            altered = alter_priors(target, rows.weights, recipe.costs)
            if altered is not None:
                own_weights, unit = rows.weight_of_each, altered.unit
                rows = replace(rows, weights=altered.weights(target, rows.weights))
                recipe = replace(recipe, limits=altered.limits(recipe.limits))
            if isinstance(recipe.pruner, parts.HeldOutFold):
                rows = replace(rows, weights=HeldOut.of(rows, recipe.pruner.n_folds).others)
        encoding = Encoding(columns=model.schema.columns, takes_missing=model.schema.takes_missing)
        training_set = engine.prepare(labelled, encoding, n_threads)
        return cls(model, rows, own_weights, recipe, unit, takes_part, leaves, training_set)

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.model.tree

    def ledger(self, node: int, *, every_cut: bool = False) -> Ledger:
        """Score the columns of one node.

        Parameters
        ----------
        node : int
            Which node.
        every_cut : bool
            Whether to list every cut of numeric columns, including those that limits forbid, and every
            category against the others.
        """
        tree, schema = self.tree, self.model.schema
        if not 0 <= node < tree.n_nodes:
            raise ParameterError(f"node={node} does not exist; the tree has nodes 0 to {tree.n_nodes - 1}.")
        weights, own_weights = self.weights_at(node)
        low, high = self.bounds(node)
        sample = self.training_set.sample(self.rows.target, weights, own_weights)
        recipe, path = self.recipe_at(weights), _core.path_of(self.branches(node))
        arrays = sample.look(recipe, every_cut=every_cut, path=path, low=low, high=high)
        if every_cut:
            arrays = with_every_category(arrays, self.rows, weights, recipe)
        if self.recipe.numeric.cut_at == "observed":
            arrays = arrays.with_cuts(observed_in(self.rows.codes, self.takes_part), tree.integer_columns)
        arrays = arrays.compared().scaled(self.unit)
        # The audit itself limits the tree to one leaf; the grown tree stopped for another reason.
        if STOPS[arrays.stop[0]] == "leaves spent":
            arrays = replace(arrays, stop=np.array([STOPS.index(self.why_stopped(node))], dtype=np.int8))
        above = frozenset(int(tree.column[at]) for at in self.path(node)[:-1])
        is_category = np.array([column.is_category for column in schema.columns])
        arrays = arrays.used_above(above, is_category)
        squares = None
        if every_cut and isinstance(recipe.criterion, parts.Variance):
            squares = squares_of_branches(arrays, self.rows, weights, tree.integer_columns)
        return Ledger(
            schema, arrays, tree.integer_columns, numbers=(node,), every_cut=every_cut, squares=squares
        )

    def path(self, node: int) -> list[int]:
        """List the nodes from the root to a node."""
        return [int(above) for above in self.tree.path_of(np.array([node]))[1]]

    def fraction(self, node: int) -> NDArray[np.float64]:
        """Return the fraction of every row that reaches a node."""
        row, leaf, fraction = self.leaves
        is_below = (leaf >= node) & (leaf < self.tree.end[node])
        return np.bincount(row[is_below], fraction[is_below], self.rows.n_rows).astype(np.float64)

    def weights_at(self, node: int) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Return the weights of the rows that reach a node, with and without altered priors."""
        fraction = self.fraction(node)
        weights = self.rows.weight_of_each * fraction
        if not weights.any():
            raise TableError(
                f"no row of the table reaches node {node}; give the rows that the tree was fitted on."
            )
        return weights, None if self.own_weights is None else self.own_weights * fraction

    def recipe_at(self, weights: NDArray[np.float64]) -> Recipe:
        """Return the recipe that scores the columns of a node of these weights as growing did."""
        recipe = self.recipe
        # The columns are scored even where the limits on nodes forbid a split.
        limits = replace(
            recipe.limits,
            max_depth=None,
            min_rows_split=2,
            min_weight_split=0.0,
            min_impurity=0.0,
            min_gain=recipe.limits.min_gain * self.rows.weight / float(weights.sum()),
        )
        if isinstance(recipe.categorical, parts.GroupingSplitter):
            # Whether growing had switched to this limit depends on nodes grown earlier.
            recipe = replace(recipe, categorical=replace(recipe.categorical, min_weight_once_unknown=None))
        n_of_table, n_here = np.count_nonzero(self.takes_part), np.count_nonzero(weights)
        return for_some_rows(replace(recipe, limits=limits), int(n_of_table) / int(n_here))

    def why_stopped(self, node: int) -> str:
        """Say why a node is not split, in the ledger's words."""
        tree, limits = self.tree, self.recipe.limits
        depth = limits.max_depth
        why = {
            "asks": tree.column[node] >= 0,
            "max depth": depth is not None and tree.depth[node] >= depth,
            "too few rows": tree.n_rows[node] < limits.min_rows_split,
            "too light": tree.weight[node] < limits.min_weight_split * self.unit,
            "pure enough": tree.impurity[node] <= limits.min_impurity,
            "pruned": not isinstance(self.recipe.pruner, parts.NoPruning),
            "leaves spent": limits.max_leaves is not None,
        }
        return next((stop for stop, holds in why.items() if holds), "asks")

    def branches(self, node: int) -> list[int]:
        """List the branches that lead to a node."""
        return [self.tree.children(above).index(below) for above, below in pairwise(self.path(node))]

    def bounds(self, node: int) -> tuple[float, float]:
        """Compute the bounds of a node's value under monotonic constraints."""
        low, high = -np.inf, np.inf
        if not self.recipe.monotone.is_constrained:
            return low, high
        for above, branch in zip(self.path(node), self.branches(node), strict=False):
            direction = self.recipe.monotone.directions[int(self.tree.column[above])]
            # The third branch holds the missing values.
            if not direction or self.tree.cut[above] == np.inf or branch > 1:
                continue
            middle = float(np.clip(sum(self.sides(above)) / 2, low, high))
            if (branch == 0) == (direction > 0):
                high = middle
            else:
                low = middle
        return low, high

    def sides(self, node: int) -> tuple[float, float]:
        """Return the values of the two sides of a node's cut as growing scored them."""
        tree = self.tree
        column = self.rows.codes[int(tree.column[node])]
        weight = self.rows.weight_of_each * self.fraction(node)
        cut = tree.cut_integer[node] if column.dtype == np.int64 else tree.cut[node]
        missing = is_missing_code(column)
        with np.errstate(invalid="ignore"):
            left, right = ~missing & (column <= cut), ~missing & (column > cut)
        if isinstance(self.recipe.missing, parts.LearnedBranch):
            side = left if tree.missing_branch[node] == 0 else right
            side |= missing
        return self.value(weight * left), self.value(weight * right)

    def value(self, weight: NDArray[np.float64]) -> float:
        """Return the share of the second class, the mean or the median of the rows with these weights."""
        targets = self.rows.targets
        if isinstance(self.rows.target, CodedClasses):
            return float(weight[targets == 1].sum() / weight.sum())
        if not isinstance(self.recipe.criterion, parts.AbsoluteError):
            return float((weight * targets).sum() / weight.sum())
        targets, weight = targets[weight > 0], weight[weight > 0]
        order = np.argsort(targets, kind="stable")
        numbers, upto = targets[order], np.cumsum(weight[order])
        at = int(np.searchsorted(upto, upto[-1] / 2))
        return float(numbers[at] if upto[at] > upto[-1] / 2 else (numbers[at] + numbers[at + 1]) / 2)
