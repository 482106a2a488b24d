"""Fit a model: read, encode, grow, prune. The whole walk on one page."""

from collections.abc import Sequence, Set
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from treewright.engines.engine import Progress
from treewright.engines.local import LocalEngine
from treewright.errors import ParameterError, TableError, TargetError, listed
from treewright.fitting.costs import alter_priors
from treewright.fitting.groups import without_excluded
from treewright.fitting.held_out import HeldOut
from treewright.fitting.prune import TrainingRows, prune
from treewright.model.model import Model
from treewright.model.tree import Tree
from treewright.parts.criteria import AbsoluteError, Poisson
from treewright.parts.leaf_values import Median, Shares
from treewright.parts.missing import Refuse, Spread
from treewright.parts.pruners import ErrorBased, InTurn, ReducedError
from treewright.parts.splitters import GroupingSplitter
from treewright.recipes import Recipe
from treewright.schema import Classes, Column, Label, Numbers, Schema
from treewright.table.bins import Binning
from treewright.table.encode import encode
from treewright.table.gaps import refuse_infinite, refuse_missing
from treewright.table.read import Table, read
from treewright.table.target import CodedClasses, refuse_unfit_for_poisson


def fit(
    data: object,
    target: CodedClasses | NDArray[np.float64],
    *,
    recipe: Recipe,
    weights: NDArray[np.float64] | None = None,
    target_name: str | None = None,
    categorical: Set[int] | None = None,
    n_bins: int | None = None,
    n_threads: int = 1,
    progress: Progress | None = None,
    keep_ledger: bool = False,
) -> Model:
    """Grow and prune a tree on a table.

    Parameters
    ----------
    data : table
        Anything `treewright.table.read.read` takes, without the target.
    target : CodedClasses or array of float64
        As `treewright.table.target` reads it.
    recipe : Recipe
        How to grow and prune.
    weights : array of float64, optional
        One per row.
    target_name : str, optional
        The target's name, if it was a column of the table.
    categorical : set of int, optional
        Positions of the columns that hold categories; by default their types tell.
    n_bins : int, optional
        Intervals that columns of fractions or moments are cut into where they are to hold categories.
    n_threads : int
        Threads to use; the model is the same for any number of them.
    progress : callable, optional
        Called now and then with the number of rows settled and of all rows.
    keep_ledger : bool
        Whether the tree keeps what every column offered at every node.

    Returns
    -------
    Model
        The tree and what it remembers of the table.

    Examples
    --------
    >>> from treewright.recipes import CART_NUMBERS
    >>> model = fit({"age": [22, 35, 47, 58]}, np.array([0.0, 0.0, 1.0, 1.0]), recipe=CART_NUMBERS)
    >>> model.predict({"age": [30, 50]})
    array([0., 1.])
    """
    table = read(data)
    classes = target.names if isinstance(target, CodedClasses) else None
    _check_shape(table, len(target.codes if isinstance(target, CodedClasses) else target))

    if isinstance(recipe.criterion, Poisson) and not isinstance(target, CodedClasses):
        refuse_unfit_for_poisson(target, weights)
    binning = None if n_bins is None else Binning(n_bins, weights)
    codes, columns = encode(table, categorical, None if weights is None else weights > 0, binning)
    if recipe.monotone.is_asked:
        _check_monotone(recipe, columns, classes)
    altered = alter_priors(target, weights, recipe.costs) if isinstance(target, CodedClasses) else None
    own_weights = None
    if altered is not None and isinstance(target, CodedClasses):
        own_weights = np.ones(table.n_rows) if weights is None else weights
        weights = altered.weights(target, weights)
        recipe = replace(recipe, limits=altered.limits(recipe.limits))
    # A column whose categories nobody knows still is one of categories.
    n_categories = [max(1, len(column.categories)) if column.is_category else 0 for column in columns]
    fold = None
    if isinstance(recipe.pruner, ReducedError) and isinstance(target, CodedClasses):
        fold = HeldOut.of(codes, target, weights, recipe.pruner.n_folds)
        weights = fold.others
    engine = LocalEngine(codes, target, weights, n_threads, n_categories, own_weights)
    infinite = engine.first_infinite or (fold.first_infinite if fold else None)
    if infinite is not None:
        refuse_infinite(table.names[infinite[0]], infinite[1])
    n_missing = (engine.n_missing + (fold.n_missing if fold else 0)).tolist()
    takes_missing = not isinstance(recipe.missing, Refuse)
    if not takes_missing and any(n_missing):
        refuse_missing(codes, table.names)

    sent = fold.weights if fold else weights
    rows = TrainingRows(codes, target, sent) if isinstance(target, CodedClasses) else None
    *first, last = recipe.pruner.pruners if isinstance(recipe.pruner, InTurn) else (recipe.pruner,)
    grow = engine.grow if fold is None else partial(fold.grow, engine)
    tree = grow(recipe, progress, keep_ledger)
    grown = prune(with_shares(tree, recipe.shares), InTurn(tuple(first)), rows)
    tree = prune(grown, last, rows)
    is_pruned = isinstance(last, ErrorBased | ReducedError)
    if is_pruned and isinstance(recipe.categorical, GroupingSplitter):
        tree = without_excluded(tree)
    if altered is not None:
        is_in_shares = isinstance(recipe.missing, Spread) and any(n_missing)
        tree = altered.told(tree, has_whole_rows=not (recipe.monotone.is_asked or is_in_shares))

    remembered = tuple(
        replace(column, has_missing=True) if gaps else column
        for column, gaps in zip(columns, n_missing, strict=True)
    )
    return Model(
        Schema(remembered, Numbers() if classes is None else Classes(classes), target_name, takes_missing),
        tree,
        grown if is_pruned else None,
    )


def with_shares(tree: Tree, shares: Shares) -> Tree:
    """Let the leaves give their classes as probabilities in this way."""
    is_certain = shares.empty == "certain"
    return replace(tree, smoothing=shares.smoothing, is_certain_when_empty=is_certain)


def _check_monotone(recipe: Recipe, columns: Sequence[Column], classes: Sequence[Label] | None) -> None:
    """Refuse orders that do not exist: of more than two classes, by categories, of means by medians."""
    if classes is not None and len(classes) > 2:
        raise ParameterError(
            f"monotonic_cst orders the shares of two classes, and the target has {len(classes)}: "
            f"{listed(classes)}. Leave it out, or part the classes in two."
        )
    if len(recipe.monotone.directions) != len(columns):
        raise ParameterError(
            f"monotone has {len(recipe.monotone.directions)} directions, the table {len(columns)} columns; "
            "give one for each."
        )
    by_median = isinstance(recipe.criterion, AbsoluteError)
    if classes is None and by_median != isinstance(recipe.leaf_value, Median):
        value = "mean" if by_median else "median"
        raise ParameterError(
            f"monotonic_cst with this criterion bounds {'medians' if by_median else 'means'}, which "
            f"leaf_value={value!r} does not answer with; leave leaf_value=None, or use criterion="
            f"{'squared_error' if by_median else 'absolute_error'!r}."
        )
    for column, direction in zip(columns, recipe.monotone.directions, strict=True):
        if direction and column.is_category:
            raise ParameterError(
                f"monotonic_cst holds {direction} for column {column.name!r}, whose categories have no "
                "order; give 0 there, or numbers in the column."
            )


def _check_shape(table: Table, n_targets: int) -> None:
    if not table.columns or not table.n_rows:
        raise TableError(
            f"the table has {table.n_rows} rows and {len(table.columns)} columns: nothing to learn from."
        )
    if n_targets != table.n_rows:
        raise TargetError(
            f"the target has {n_targets} values, the table {table.n_rows} rows; give one for each."
        )
