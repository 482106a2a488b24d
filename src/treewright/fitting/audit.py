"""Audit a node: send rows down to it, and look into every column there again."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.engines.local import LocalEngine
from treewright.errors import ParameterError, TableError
from treewright.fitting.costs import alter_priors
from treewright.fitting.held_out import HeldOut, observed_in
from treewright.missing_values import is_missing_code
from treewright.model.labelled_rows import LabelledRows
from treewright.model.ledger import Ledger
from treewright.model.ledger_arrays import STOPS, LedgerArrays
from treewright.model.model import Model
from treewright.parts.criteria import AbsoluteError, Poisson
from treewright.parts.missing import LearnedBranch
from treewright.parts.pruners import HeldOutFold, NoPruning
from treewright.parts.rankings import AboveAverageGain
from treewright.parts.splitters import GroupingSplitter
from treewright.recipes import Recipe
from treewright.table.encode import Codes, encode_as
from treewright.table.match import match
from treewright.table.read import Table
from treewright.table.target import CodedClasses, refuse_unfit_for_poisson


def audit(
    model: Model,
    rows: LabelledRows,
    *,
    recipe: Recipe,
    node: int = 0,
    every_cut: bool = False,
    n_threads: int = 1,
) -> Ledger:
    """Look into the columns of one node of a grown tree, as growing did.

    Parameters
    ----------
    model : Model
        The tree.
    rows : LabelledRows
        Rows to send down, as a rule those the tree was grown on.
    recipe : Recipe
        How the tree was grown.
    node : int
        Which node.
    every_cut : bool
        Whether to list every cut of numeric columns, those that limits forbid included.
    n_threads : int
        Threads to use.

    Returns
    -------
    Ledger
        Of one node.
    """
    tree = model.tree
    if not 0 <= node < tree.n_nodes:
        raise ParameterError(f"node={node} does not exist; the tree has nodes 0 to {tree.n_nodes - 1}.")
    if isinstance(recipe.criterion, Poisson) and not isinstance(rows.target, CodedClasses):
        refuse_unfit_for_poisson(rows.target, rows.weights)
    sent = _Rows.of(model, rows.table, rows.target_for(model), rows.weights, recipe, n_threads)
    arrays = sent.look(node, every_cut)
    path = _path(model, node)
    asked = frozenset(int(tree.column[at]) for at in path[:-1])
    return Ledger(
        model.schema,
        sent.stopped(arrays.used_above(asked, sent.is_category), node),
        tree.integer_columns,
        numbers=(node,),
    )


@dataclass(frozen=True)
class _Rows:
    """Rows with the shares of them that come to each node."""

    model: Model
    codes: Codes
    target: CodedClasses | NDArray[np.float64]
    weights: NDArray[np.float64]
    own_weights: NDArray[np.float64] | None
    recipe: Recipe
    unit: float
    n_threads: int
    takes_part: NDArray[np.bool_]  # rows held out, too, tell which values there are
    passed: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]  # row, node, share

    @classmethod
    def of(
        cls,
        model: Model,
        table: Table,
        target: CodedClasses | NDArray[np.float64],
        weights: NDArray[np.float64] | None,
        recipe: Recipe,
        n_threads: int,
    ) -> "_Rows":
        codes = encode_as(model.schema.columns, match(table, model.schema), model.schema.takes_missing)
        begin, nodes, shares = model.path(table, n_threads)
        rows = np.repeat(np.arange(table.n_rows), np.diff(begin))
        given = np.ones(table.n_rows) if weights is None else weights
        own_weights, unit, takes_part = None, 1.0, given > 0
        if isinstance(target, CodedClasses):
            altered = alter_priors(target, weights, recipe.costs)
            if altered is not None:
                own_weights, unit = given, altered.unit
                altered_weights = altered.weights(target, weights)
                given = given if altered_weights is None else altered_weights
                recipe = replace(recipe, limits=altered.limits(recipe.limits))
            if isinstance(recipe.pruner, HeldOutFold):
                given = HeldOut.of(codes, target, given, recipe.pruner.n_folds).others
        return cls(
            model,
            codes,
            target,
            given,
            own_weights,
            recipe,
            unit,
            n_threads,
            takes_part,
            (rows, nodes, shares),
        )

    @property
    def is_category(self) -> NDArray[np.bool_]:
        return np.array([column.is_category for column in self.model.schema.columns])

    def share(self, node: int) -> NDArray[np.float64]:
        """Give how much of every row comes to a node."""
        rows, nodes, shares = self.passed
        share = np.zeros(len(self.weights))
        share[rows[nodes == node]] = shares[nodes == node]
        return share

    def look(self, node: int, every_cut: bool) -> LedgerArrays:
        """Look into the columns of a node."""
        share = self.share(node)
        here = self.weights * share
        if not here.any():
            raise TableError(
                f"no row of the table comes to node {node}; give the rows that the tree was fitted on."
            )
        recipe = self.recipe
        total, weight = float(self.weights.sum()), float(here.sum())
        if isinstance(recipe.ranking, AboveAverageGain):  # many values are many of the whole table's rows
            scale = int(np.count_nonzero(self.takes_part)) / int(np.count_nonzero(here))
            ranking = replace(recipe.ranking, many_values=recipe.ranking.many_values * scale)
            recipe = replace(recipe, ranking=ranking)
        # Whatever the limits on nodes say, their columns are looked into.
        limits = replace(
            recipe.limits,
            max_depth=None,
            min_rows_split=2,
            min_weight_split=0.0,
            min_impurity=0.0,
            min_gain=recipe.limits.min_gain * total / weight,
        )
        if isinstance(recipe.categorical, GroupingSplitter):
            # Whether it was forgotten hangs on nodes that were grown before; a node alone does not tell.
            recipe = replace(recipe, categorical=replace(recipe.categorical, min_weight_once_unknown=None))
        is_observed = recipe.numeric.cut_at == "observed"
        numeric = replace(recipe.numeric, cut_at="middle")
        categories = [
            max(1, len(column.categories)) if column.is_category else 0
            for column in self.model.schema.columns
        ]
        own = None if self.own_weights is None else self.own_weights * share
        engine = LocalEngine(self.codes, self.target, here, self.n_threads, categories, own)
        low, high = self.bounds(node)
        arrays = engine.look(
            replace(recipe, limits=limits, numeric=numeric),
            every_cut=every_cut,
            path=_core.path_of(self.branches(node)),
            low=low,
            high=high,
        )
        if is_observed:
            observed = observed_in(self.codes, self.takes_part)
            arrays = arrays.with_cuts(observed, self.model.tree.integer_columns)
        return arrays.compared().scaled(self.unit)

    def stopped(self, arrays: LedgerArrays, node: int) -> LedgerArrays:
        """Say why the node asks nothing, if so."""
        if STOPS[arrays.stop[0]] != "leaves spent":
            return arrays  # the core has closed it itself
        return replace(arrays, stop=np.array([STOPS.index(self.why_stopped(node))], dtype=np.int8))

    def why_stopped(self, node: int) -> str:
        tree, limits = self.model.tree, self.recipe.limits
        depth = limits.max_depth
        why = {
            "asks": tree.column[node] >= 0,
            "max depth": depth is not None and tree.depth[node] >= depth,
            "too few rows": tree.n_rows[node] < limits.min_rows_split,
            "too light": tree.weight[node] < limits.min_weight_split * self.unit,
            "pure enough": tree.impurity[node] <= limits.min_impurity,
            "pruned": not isinstance(self.recipe.pruner, NoPruning),
            "leaves spent": limits.max_leaves is not None,
        }
        return next((stop for stop, holds in why.items() if holds), "asks")

    def branches(self, node: int) -> list[int]:
        """List the branches that lead to a node."""
        path = _path(self.model, node)
        tree = self.model.tree
        return [tree.children(above).index(below) for above, below in pairwise(path)]

    def bounds(self, node: int) -> tuple[float, float]:
        """Work out what a node may answer, where answers are monotone."""
        low, high = -np.inf, np.inf
        tree, directions = self.model.tree, self.recipe.monotone.directions
        path = _path(self.model, node)
        for above, branch in zip(path, self.branches(node), strict=False):
            column = int(tree.column[above])
            if not self.recipe.monotone.is_constrained or not directions[column] or tree.cut[above] == np.inf:
                continue
            if branch > 1:  # a branch of rows without a value
                continue
            middle = float(np.clip(sum(self.sides(above)) / 2, low, high))
            if (branch == 0) == (directions[column] > 0):
                high = middle
            else:
                low = middle
        return low, high

    def sides(self, node: int) -> tuple[float, float]:
        """Give the values of the two sides of a node's cut, as they were scored."""
        tree = self.model.tree
        column = self.codes[int(tree.column[node])]
        weight = self.weights * self.share(node)
        cut = tree.cut_integer[node] if column.dtype == np.int64 else tree.cut[node]
        missing = is_missing_code(column)
        with np.errstate(invalid="ignore"):
            left, right = ~missing & (column <= cut), ~missing & (column > cut)
        if isinstance(self.recipe.missing, LearnedBranch):
            side = left if tree.missing_branch[node] == 0 else right
            side |= missing
        return self.value(weight * left), self.value(weight * right)

    def value(self, weight: NDArray[np.float64]) -> float:
        if isinstance(self.target, CodedClasses):
            return float(weight[self.target.codes == 1].sum() / weight.sum())
        if not isinstance(self.recipe.criterion, AbsoluteError):
            return float((weight * self.target).sum() / weight.sum())
        order = np.argsort(self.target[weight > 0], kind="stable")
        numbers, upto = self.target[weight > 0][order], np.cumsum(weight[weight > 0][order])
        at = int(np.searchsorted(upto, upto[-1] / 2))
        return float(numbers[at] if upto[at] > upto[-1] / 2 else (numbers[at] + numbers[at + 1]) / 2)


def _path(model: Model, node: int) -> list[int]:
    """List the nodes from the root to a node."""
    path = [node]
    while path[0]:
        path.insert(0, int(model.tree.parent[path[0]]))
    return path
