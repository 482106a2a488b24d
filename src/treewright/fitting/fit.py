"""Fit a model: encode, grow, prune. All the steps on one page."""

from collections.abc import Sequence, Set
from dataclasses import replace

from treewright import parts
from treewright.engines.engine import Engine, Grown, Progress, Report, Sample
from treewright.engines.local import LocalEngine
from treewright.errors import ParameterError, TableError, listed
from treewright.fitting.close_values import warn_if_too_close
from treewright.fitting.costs import alter_priors
from treewright.fitting.depth import warn_if_deep, warn_if_large
from treewright.fitting.folds import Folds, folds_of, prune_by_folds
from treewright.fitting.groups import without_excluded
from treewright.fitting.held_out import HeldOut
from treewright.fitting.progress import stage
from treewright.fitting.provenance import provenance
from treewright.fitting.prune import prune, prune_in_turn
from treewright.fitting.trainer import Trainer
from treewright.model.labelled_rows import LabelledRows
from treewright.model.model import Model
from treewright.model.pruning_table import PruningTable
from treewright.model.records import Float64, Int64
from treewright.model.tree import Tree
from treewright.parts.pruners import Pruner
from treewright.recipes import Recipe
from treewright.schema import Classes, Column, Label, Numbers, Schema
from treewright.table.bins import Binning
from treewright.table.checks import refuse_infinite, refuse_missing
from treewright.table.encode import Encoding
from treewright.table.identifiers import OnIdentifier
from treewright.table.target import (
    CodedClasses,
    refuse_too_large,
    refuse_too_many,
    refuse_unfit_for_poisson,
)


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
    on_identifier: OnIdentifier = "ignore",
    engine: Engine | None = None,
) -> Model:
    """Grow and prune a tree on a table.

    Parameters
    ----------
    rows : LabelledRows
        The training table with its target and its weights.
    recipe : Recipe
        How to grow and prune.
    categorical : set of int, optional
        Positions of the columns that hold categories; by default their types decide.
    n_bins : int, optional
        Intervals into which columns of fractions or moments are cut if they are to be categorical.
    folds : array of int32, optional
        Fold of every row, −1 for none, if the recipe prunes by cross-validation; by default rows are assigned
        to folds by their values.
    n_threads : int
        Threads to use; the model is the same for any number of them.
    progress : callable, optional
        Called from time to time with the number of rows settled and the number of all rows.
    report : callable, optional
        Called with the `Work` that growing took, once it is known; not for the trees of folds.
    keep_ledger : bool
        Whether the tree keeps the candidates of every node.
    on_identifier : {"warn", "drop", "ignore", "raise"}
        What to do about categorical columns that identify rows.
    engine : Engine, optional
        The engine that grows trees; by default the local one.

    Returns
    -------
    Model
        The tree and the schema of its table.

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
    _check(rows, recipe)
    target, weights, pruner = rows.target, rows.weights, recipe.pruner
    classes = target.names if isinstance(target, CodedClasses) else None
    engine = LocalEngine() if engine is None else engine
    engine.check(recipe, classes is not None)
    binning = None if n_bins is None else Binning(n_bins, weights)
    encoding = Encoding(categorical, binning, on_identifier=on_identifier)
    training_set = engine.prepare(rows, encoding, n_threads)
    _check_monotone(recipe, training_set.columns, classes)
    warn_if_too_close(training_set, weights, recipe)
    altered = alter_priors(target, weights, recipe.costs) if isinstance(target, CodedClasses) else None
    trainer = Trainer(training_set, target, recipe, altered)
    last = _in_turn(pruner)[-1]
    if isinstance(last, parts.CrossValidated) and folds is None:
        folds = folds_of(last, trainer.rows(weights))
    fold, is_last = None, folds is None
    if isinstance(pruner, parts.HeldOutFold):
        fold = HeldOut.of(trainer.rows(weights), pruner.n_folds)
        trainer = replace(trainer, recipe=fold.recipe(recipe))
    sample = trainer.sample(weights, is_last=is_last and fold is None)
    n_missing = _check_values(sample, trainer)
    if fold is not None:
        sample, weights = trainer.sample(fold.others, is_last=is_last), fold.weights
    n_growths = 1 if folds is None else 2 + int(folds.max())
    grown = trainer.grow(sample, stage(progress, 0, n_growths, rows.table.n_rows), keep_ledger)
    if fold is not None:
        grown = Grown(fold.finish(grown.tree, recipe), grown.work)
    warn_if_deep(grown, recipe)
    warn_if_large(grown, recipe)
    if report is not None and grown.work is not None:
        report(grown.work)
    tree, before, table = _pruned(grown, trainer, weights, folds, progress)
    columns = training_set.columns
    if any(counts := n_missing.tolist()):
        counted = zip(columns, counts, strict=True)
        columns = tuple(replace(column, has_missing=True) if n else column for column, n in counted)
    takes_missing = not isinstance(recipe.missing, parts.Refuse)
    schema_target = Numbers() if classes is None else Classes(classes)
    return Model(
        Schema(columns, schema_target, rows.target_name, takes_missing),
        tree,
        before,
        table,
        None if altered is None else tuple(altered.reported.tolist()),
        provenance(training_set, rows, recipe),
    )


def _in_turn(pruner: Pruner) -> tuple[Pruner, ...]:
    """Return the pruners that are applied one after the other."""
    return pruner.pruners if isinstance(pruner, parts.InTurn) and pruner.pruners else (pruner,)


def _check_values(sample: Sample, trainer: Trainer) -> Int64:
    """Count missing values by column; reject infinite values, and missing ones if the recipe does."""
    names = [column.name for column in trainer.training_set.columns]
    if sample.first_infinite is not None:
        column, row = sample.first_infinite
        refuse_infinite(names[column], row)
    if isinstance(trainer.recipe.missing, parts.Refuse) and sample.n_missing.any():
        refuse_missing(trainer.training_set.codes, names)
    return sample.n_missing


def _pruned(
    grown: Grown, trainer: Trainer, weights: Float64 | None, folds: Folds | None, progress: Progress | None
) -> tuple[Tree, Tree | None, PruningTable | None]:
    """Prune a tree; also return the tree before pruning, and the table that pruning chose from, if any."""
    recipe = trainer.recipe
    if isinstance(recipe.pruner, parts.NoPruning):
        return grown.tree, None, None
    *first, last = _in_turn(recipe.pruner)
    rows = None if isinstance(last, parts.CostComplexity) else trainer.rows(weights)
    collapsed, table = prune_in_turn(grown, first, rows, recipe), None
    before = collapsed.tree
    if isinstance(last, parts.CrossValidated):
        assert rows is not None, "cross-validation reads rows"
        assert folds is not None, "rows were dealt to folds"
        tree, table = prune_by_folds(before, last, trainer, rows, folds, progress)
    else:
        tree = prune(before, last, rows, recipe, collapsed.ends)
    if not isinstance(last, parts.ErrorBased | parts.HeldOutFold | parts.CrossValidated):
        return tree, None, None
    if isinstance(recipe.categorical, parts.GroupingSplitter):
        tree = without_excluded(tree)
    return tree, before, table


def _check_monotone(recipe: Recipe, columns: Sequence[Column], classes: Sequence[Label] | None) -> None:
    """Reject monotonic constraints on over two classes, on categories, or on values leaves do not predict."""
    if not recipe.monotone.is_constrained:
        return
    if classes is not None and len(classes) > 2:
        raise ParameterError(
            f"monotonic constraints order the shares of two classes, and the target has {len(classes)}: "
            f"{listed(classes)}. Leave them out, or merge the classes into two."
        )
    if len(recipe.monotone.directions) != len(columns):
        raise ParameterError(
            f"monotone has {len(recipe.monotone.directions)} directions, the table {len(columns)} columns; "
            "give one for each column."
        )
    by_median = isinstance(recipe.criterion, parts.AbsoluteError)
    if classes is None and by_median != isinstance(recipe.leaf_value, parts.Median):
        bound, given = ("median", "mean") if by_median else ("mean", "median")
        raise ParameterError(
            f"monotonic constraints with this criterion bound {bound}s, and leaves predict {given}s; set "
            f"leaf_value to the {bound}, or use {'another criterion' if by_median else 'the absolute error'}."
        )
    for column, direction in zip(columns, recipe.monotone.directions, strict=True):
        if direction and column.is_category:
            raise ParameterError(
                f"the monotonic constraint on column {column.name!r} is {direction}, but its categories have "
                "no order; give 0 there, or numbers in the column."
            )


def _check(rows: LabelledRows, recipe: Recipe) -> None:
    """Reject tables without rows or columns, and targets that the criterion or the core cannot handle."""
    n_rows, n_columns = rows.table.n_rows, len(rows.table.columns)
    if not n_rows or not n_columns:
        raise TableError(f"the table has {n_rows} rows and {n_columns} columns: nothing to learn from.")
    if isinstance(rows.target, CodedClasses):
        refuse_too_many(rows.target)
    else:
        refuse_too_large(rows.target)
        if isinstance(recipe.criterion, parts.Poisson):
            refuse_unfit_for_poisson(rows.target, rows.weights)
