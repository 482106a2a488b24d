"""Choose among nested trees by cross-validation: assign rows to folds, grow without each, and score it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias, TypeVar

import numpy as np

from treewright.engines.engine import Progress
from treewright.fitting.judge import Judged, Scoring, judge, unit_of
from treewright.fitting.progress import stage
from treewright.fitting.sequence import Sequence
from treewright.fitting.trainer import Trainer
from treewright.model.labelled_rows import EncodedRows
from treewright.model.pruning_table import PruningTable
from treewright.model.records import Bool, Float64, Int32, Intp
from treewright.model.tree import Tree
from treewright.parts import AbsoluteError, CrossValidated, Poisson
from treewright.parts.criteria import Criterion
from treewright.parts.pruners import Risk, Rule
from treewright.table.fingerprint import numbers_of_rows

# The fold in which each row is held out; rows without a fold (-1) are grown on every time.
Folds: TypeAlias = Int32
T = TypeVar("T")

SAME = 1e-12  # errors this close to each other, relatively, are equal


def prune_by_folds(
    grown: Tree,
    pruner: CrossValidated,
    trainer: Trainer,
    rows: EncodedRows,
    folds: Folds,
    progress: Progress | None = None,
) -> tuple[Tree, PruningTable]:
    """Choose the subtree that does best in cross-validation.

    Parameters
    ----------
    grown : Tree
        The tree grown on all rows.
    pruner : CrossValidated
        How to choose.
    trainer : Trainer
        Grows the trees of the folds.
    rows : EncodedRows
        All rows.
    folds : array of int32
        Fold of every row.
    progress : callable, optional
        As for `fit`; the tree on all rows has already been grown.

    Returns
    -------
    Tree, PruningTable
        The chosen subtree, and the table of all candidates.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 3.4.2.
    """
    sequence = sequence_of(grown, pruner)
    factors = None if trainer.altered is None else trainer.altered.reported
    scoring = scoring_of(grown, pruner.risk, trainer.recipe.criterion, factors)
    judged = judge_by_folds(sequence, pruner, trainer, rows, folds, scoring, progress)
    table = table_of(sequence, judged, pruner.rule)
    return tree_of(sequence, table), table


def sequence_of(tree: Tree, pruner: CrossValidated) -> Sequence:
    """Return the trees that a pruner chooses from."""
    return Sequence.of(tree, pruner.risk, pruner.least_alpha, pruner.links)


def judge_by_folds(
    sequence: Sequence,
    pruner: CrossValidated,
    trainer: Trainer,
    rows: EncodedRows,
    folds: Folds,
    scoring: Scoring,
    progress: Progress | None = None,
) -> Judged | None:
    """Judge nested trees by cross-validation, each at a price of a leaf inside its range.

    At that price, the tree grown without a fold has a best subtree; it is scored on the rows of the fold.
    """
    weights = rows.weight_of_each
    n_folds = int(folds.max()) + 1
    if n_folds < 2 and (folds[weights > 0] >= 0).all():
        return None  # holding out the only fold would leave no rows to grow on
    # Sums are taken in this order, so that they are the same for any order of the table.
    order = order_by_content(rows, pruner.seed)
    prices = sequence.between
    unit = unit_of(sequence.root_risk)
    total = Judged(np.zeros(len(prices)), np.zeros(len(prices)), 0.0, unit)

    def grow(fold: int, held: Bool) -> Sequence:
        sample = trainer.sample(np.where(held, 0.0, weights))
        of_all = stage(progress, fold + 1, n_folds + 1, rows.n_rows)
        return sequence_of(trainer.grow(sample, of_all, own_rows_only=True).tree, pruner)

    for held, subtrees in cross_validate(folds, grow):
        total += judge(rows.take(order[held[order]]), subtrees, prices, scoring, unit)
    return total


def scoring_of(
    tree: Tree, risk: Risk, criterion: Criterion | None = None, factors: Float64 | None = None
) -> Scoring:
    """Score new rows by the same risk that the tree is pruned by."""
    if not tree.is_classifier:
        if isinstance(criterion, Poisson):
            return Scoring(distance="deviance")
        return Scoring(distance="absolute" if isinstance(criterion, AbsoluteError) else "squared")
    if risk == "impurity":
        return Scoring(factors=factors)
    return Scoring(tree.loss if risk == "loss" else 1.0 - np.eye(tree.outcome.shape[1]), factors=factors)


def folds_of(pruner: CrossValidated, rows: EncodedRows) -> Folds:
    """Assign the rows of positive weight to folds by their values; never more folds than rows."""
    order = order_by_content(rows, pruner.seed)
    return deal(order, rows.n_rows, min(pruner.n_folds, len(order)))


def cross_validate(folds: Folds, fit: Callable[[int, Bool], T], threads: int = 1) -> Iterator[tuple[Bool, T]]:
    """Fit without each fold in turn; yield the rows held out and the result of the fit on the others.

    Parameters
    ----------
    folds : array of int32
        Fold of every row; −1 is never held out.
    fit : callable
        Fits without some rows: called with the number of the fold, and True for each of its rows.
    threads : int
        How many fits run at a time.

    Examples
    --------
    >>> y = np.array([1.0, 2.0, 6.0])
    >>> for held, mean in cross_validate(np.array([0, 1, -1]), lambda _, held: y[~held].mean()):
    ...     print(held, mean)
    [ True False False] 4.0
    [False  True False] 3.5
    """
    found = side_by_side(lambda fold: fit(fold, folds == fold), int(folds.max()) + 1, threads)
    for fold, each in zip(range(int(folds.max()) + 1), found, strict=True):
        yield folds == fold, each


def side_by_side(work: Callable[[int], T], n_steps: int, threads: int) -> Iterator[T]:
    """Yield the results of numbered steps in order; with several threads, several steps run at a time.

    Examples
    --------
    >>> list(side_by_side(lambda step: step**2, 4, threads=2))
    [0, 1, 4, 9]
    """
    if threads == 1:
        yield from map(work, range(n_steps))
        return
    pool = ThreadPoolExecutor(min(threads, n_steps))
    try:
        yield from pool.map(work, range(n_steps))
    finally:
        pool.shutdown(cancel_futures=True)


def table_of(
    sequence: Sequence, judged: Judged | None, rule: Rule, root_cost: float | None = None
) -> PruningTable:
    """List the trees of a sequence as a table, the root first, and choose one.

    Parameters
    ----------
    sequence : Sequence
        The trees.
    judged : Judged or None
        Their costs on unseen rows; without them the largest tree is chosen.
    rule : {"1-se", "min"}
        Choose the smallest tree whose cost is within one standard error of the least, or equal to the least.
    root_cost : float, optional
        Cost of the root alone on its own rows, if trees are scored by another measure than the one used for
        pruning.

    Returns
    -------
    PruningTable
    """
    unit = sequence.root_risk or 1.0  # a pure root has no risk to divide by
    error, std = np.full((2, len(sequence)), np.nan)
    chosen = len(sequence) - 1
    if judged is not None:
        judged_in = unit if root_cost is None else root_cost or 1.0
        error, std = judged.mean[::-1] / judged_in, judged.standard_error[::-1] / judged_in
        best = int(np.argmin(error))  # among equals the smallest tree
        allowed = error[best] + (std[best] if rule == "1-se" else 0.0)
        chosen = int(np.argmax(error <= allowed * (1 + SAME)))
    return PruningTable(
        complexity=sequence.alphas[::-1] / unit,
        n_leaves=sequence.n_leaves[::-1].copy(),
        relative_error=sequence.risks[::-1] / unit,
        cv_error=error,
        cv_std=std,
        root_risk=unit,
        chosen=chosen,
    )


def tree_of(sequence: Sequence, table: PruningTable) -> Tree:
    """Return the chosen tree."""
    return sequence.at(float(sequence.alphas[len(sequence) - 1 - table.chosen]))


def deal(order: Intp, n_rows: int, n_folds: int) -> Folds:
    """Deal rows to folds like cards, in the order given; rows not in it get no fold.

    Examples
    --------
    >>> deal(np.array([3, 0, 1, 4]), 5, 2)
    array([ 1,  0, -1,  0,  1], dtype=int32)
    """
    folds = np.full(n_rows, -1, dtype=np.int32)
    folds[order] = np.arange(len(order)) % n_folds
    return folds


def order_by_content(rows: EncodedRows, seed: int) -> Intp:
    """Shuffle the rows of positive weight by their values: the same shuffle for any order of the table.

    Rows of one class end up next to each other, so that dealing them out keeps the proportions of the
    classes. So do identical rows, whose order does not matter.

    Parameters
    ----------
    rows : EncodedRows
        The rows.
    seed : int
        Another seed gives another shuffle.

    Returns
    -------
    array of int
        Rows of positive weight.
    """
    targets = rows.targets
    numbers = numbers_of_rows(rows.codes, targets, rows.weights, seed)
    classes = np.zeros(rows.n_rows) if targets.dtype.kind == "f" else targets
    counted = np.flatnonzero(rows.weight_of_each)
    return counted[np.lexsort((numbers[counted], classes[counted]))]
