"""Fit a model: read, encode, grow, prune. The whole walk on one page."""

from collections.abc import Sequence, Set
from dataclasses import replace

from treewright.engines.engine import Progress, Report
from treewright.errors import ParameterError, TableError, listed
from treewright.fitting.costs import alter_priors
from treewright.fitting.depth import warn_if_deep
from treewright.fitting.ended import Ended
from treewright.fitting.field import Field
from treewright.fitting.folds import Folds, folds_of, prune_by_folds
from treewright.fitting.groups import without_excluded
from treewright.fitting.held_out import HeldOut
from treewright.fitting.progress import stage
from treewright.fitting.provenance import provenance
from treewright.fitting.prune import prune
from treewright.model.labelled_rows import EncodedRows, LabelledRows
from treewright.model.model import Model
from treewright.parts.criteria import AbsoluteError, Poisson
from treewright.parts.leaf_values import Median
from treewright.parts.missing import Refuse
from treewright.parts.pruners import CrossValidated, ErrorBased, HeldOutFold, InTurn
from treewright.parts.splitters import GroupingSplitter
from treewright.recipes import Recipe
from treewright.schema import Classes, Column, Label, Numbers, Schema
from treewright.table.bins import Binning
from treewright.table.checks import refuse_infinite, refuse_missing
from treewright.table.encode import encode
from treewright.table.target import CodedClasses, refuse_too_large, refuse_unfit_for_poisson


def fit(
    rows: LabelledRows,
    *,
    recipe: Recipe,
    categorical: Set[int] | None = None,
    n_bins: int | None = None,
    folds: Folds | None = None,
    n_threads: int = 1,
    progress: Progress | None = None,
    report: Report | None = None,
    keep_ledger: bool = False,
) -> Model:
    """Grow and prune a tree on a table.

    Parameters
    ----------
    rows : LabelledRows
        The training table with its target and its weights.
    recipe : Recipe
        How to grow and prune.
    categorical : set of int, optional
        Positions of the columns that hold categories; by default their types tell.
    n_bins : int, optional
        Intervals that columns of fractions or moments are cut into where they are to hold categories.
    folds : array of int32, optional
        Fold of every row, −1 for none, where the recipe prunes by cross-validation; by default rows are dealt
        by what is in them.
    n_threads : int
        Threads to use; the model is the same for any number of them.
    progress : callable, optional
        Called now and then with the number of rows settled and of all rows.
    report : callable, optional
        Called with what growing the tree took, once that is known; not for the trees of folds.
    keep_ledger : bool
        Whether the tree keeps what every column offered at every node.

    Returns
    -------
    Model
        The tree and what it remembers of the table.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.recipes import CART_NUMBERS
    >>> from treewright.table.read import read
    >>> rows = LabelledRows(read({"age": [22, 35, 47, 58]}), np.array([0.0, 0.0, 1.0, 1.0]))
    >>> model = fit(rows, recipe=CART_NUMBERS)
    >>> model.predict({"age": [30, 50]})
    array([0., 1.])
    """
    table, target, weights = rows.table, rows.target, rows.weights
    _check(rows, recipe)
    classes = target.names if isinstance(target, CodedClasses) else None

    binning = None if n_bins is None else Binning(n_bins, weights)
    codes, columns = encode(table, categorical, None if weights is None else weights > 0, binning)
    origin = provenance(codes, target, weights, recipe)
    if recipe.monotone.is_constrained:
        _check_monotone(recipe, columns, classes)
    altered = alter_priors(target, weights, recipe.costs) if isinstance(target, CodedClasses) else None
    # A column whose categories nobody knows still is one of categories.
    n_categories = [max(1, len(column.categories)) if column.is_category else 0 for column in columns]
    field = Field(codes, target, recipe, n_categories, n_threads, altered).in_order()
    fold = None
    if isinstance(recipe.pruner, HeldOutFold) and isinstance(target, CodedClasses):
        fold = HeldOut.of(codes, target, weights, recipe.pruner.n_folds)
    engine = field.engine(fold.others if fold else weights)
    infinite = engine.first_infinite or (fold.first_infinite if fold else None)
    if infinite is not None:
        refuse_infinite(table.names[infinite[0]], infinite[1])
    n_missing = (engine.n_missing + (fold.n_missing if fold else 0)).tolist()
    takes_missing = not isinstance(recipe.missing, Refuse)
    if not takes_missing and any(n_missing):
        refuse_missing(codes, table.names)

    *first, last = recipe.pruner.pruners if isinstance(recipe.pruner, InTurn) else (recipe.pruner,)
    if isinstance(last, CrossValidated) and folds is None:
        folds = folds_of(last, field, weights)
    n_growths = 1 if folds is None else 2 + int(folds.max())
    shown = stage(progress, 0, n_growths)
    if fold:
        tree = field.told(fold.grow(engine, recipe, shown, keep_ledger), engine)
    else:
        tree = field.grow(engine, shown, keep_ledger)
    warn_if_deep(tree, recipe)
    if report is not None:
        report(engine.work)
    sent, ends = (fold.weights, None) if fold else (weights, engine.ends)
    ended = None if ends is None else Ended(tree, ends)
    to_prune_by = EncodedRows(codes, target, sent)
    grown = prune(tree, InTurn(tuple(first)), to_prune_by, recipe, ended)
    pruning = None
    if isinstance(last, CrossValidated) and folds is not None:
        tree, pruning = prune_by_folds(grown, last, field, weights, folds, progress)
    else:
        tree = prune(grown, last, to_prune_by, recipe, ended)
    is_pruned = isinstance(last, ErrorBased | HeldOutFold | CrossValidated)
    if is_pruned and isinstance(recipe.categorical, GroupingSplitter):
        tree = without_excluded(tree)
    remembered = tuple(
        replace(column, has_missing=True) if gaps else column
        for column, gaps in zip(columns, n_missing, strict=True)
    )
    return Model(
        Schema(
            remembered, Numbers() if classes is None else Classes(classes), rows.target_name, takes_missing
        ),
        tree,
        grown if is_pruned else None,
        pruning,
        None if altered is None else tuple(altered.telling.tolist()),
        origin,
    )


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


def _check(rows: LabelledRows, recipe: Recipe) -> None:
    """Refuse tables without rows or columns, and numbers that the criterion cannot take."""
    n_rows, n_columns = rows.table.n_rows, len(rows.table.columns)
    if not n_rows or not n_columns:
        raise TableError(f"the table has {n_rows} rows and {n_columns} columns: nothing to learn from.")
    if not isinstance(rows.target, CodedClasses):
        refuse_too_large(rows.target)
        if isinstance(recipe.criterion, Poisson):
            refuse_unfit_for_poisson(rows.target, rows.weights)
