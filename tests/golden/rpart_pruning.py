"""Prune as rpart does: the library's growing, links and folds with rpart's two habits of asking and charging.

rpart asks x < cut, the library x <= cut. A row held out may lie just at a cut, so the cuts are moved down by
one unit in the last place, which changes nothing for the rows grown on. Held-out rows are charged with
the loss matrix transposed (definitions 1.2); the library charges them as the matrix says, and the test
transposes it. A held-out row that stops at an inner node is charged by rpart what the row before it was; the
library charges it for what the node answers, and `charged` has both.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from golden import rpart_stored
from golden.rpart_ours import recipe_of
from golden.rpart_stored import Result
from treewright.engines.engine import Grown
from treewright.engines.local import LocalTrainingSet
from treewright.fitting.costs import alter_priors
from treewright.fitting.folds import judge_by_folds, scoring_of, sequence_of, table_of, tree_of
from treewright.fitting.judge import Judged, Scoring
from treewright.fitting.sequence import Sequence
from treewright.fitting.trainer import Trainer
from treewright.model.labelled_rows import EncodedRows
from treewright.model.model import Model, router_of
from treewright.model.pruning_table import PruningTable
from treewright.parts.pruners import CrossValidated
from treewright.schema import Classes, Numbers, Schema
from treewright.table.encode import encode
from treewright.table.read import read
from treewright.table.target import CodedClasses


class AsksBelow(Trainer):
    """Grows trees that send a row at a cut to the right."""

    def grow(self, sample, progress=None, *, own_rows_only=False) -> Grown:
        tree = super().grow(sample, progress, own_rows_only=own_rows_only).tree
        return Grown(replace(tree, cut=np.nextafter(tree.cut, -np.inf)))


def risk_of(result: Result) -> str:
    return "loss" if "loss" in result.parms else "error"


def trainer_of(result: Result) -> Trainer:
    """Put the table in order."""
    recipe = recipe_of(result)
    codes, columns = encode(read(result.data.whole()), None, None, None)
    if result.is_regression:
        target, altered = result.y, None
    else:
        labels = np.unique(result.y)
        target = CodedClasses(np.searchsorted(labels, result.y).astype(np.int32), labels)
        altered = alter_priors(target, result.weights, recipe.costs)
    return AsksBelow(LocalTrainingSet(codes, columns), target, recipe, altered)


def schema_of(result: Result) -> Schema:
    """Give the names and categories that questions are read by."""
    _, columns = encode(read(result.data.whole()), None, None, None)
    return Schema(tuple(columns), Numbers() if result.is_regression else Classes(()))


def folds_of(result: Result) -> np.ndarray:
    """Give the stored groups: rows with a target are numbered before those without any value are left out."""
    stored = result.stored
    path = rpart_stored.SHARED / "data" / f"{stored['dataset']}.csv"
    numbered = rpart_stored.table(
        stored["dataset"], path, tuple(stored["ignored_columns"]), weighted=True
    ).places
    number = {place: at for at, place in enumerate(numbered)}
    return np.array([number[place] % 10 for place in result.data.places], dtype=np.int32)


def pruned(
    result: Result, *, with_folds: bool = True, judge: Callable[..., Judged | None] = judge_by_folds
) -> tuple[Model, PruningTable]:
    """Give the tree at rpart's cp, and the table down to it; `judge` charges the rows held out."""
    trainer, schema = trainer_of(result), schema_of(result)
    grown = trainer.grow(trainer.sample(result.weights)).tree
    probe = sequence_of(grown, CrossValidated(risk=risk_of(result)))
    pruner = CrossValidated(risk=risk_of(result), least_alpha=result.control["cp"] * probe.root_risk)
    sequence = sequence_of(grown, pruner)
    judged = None
    if with_folds:
        factors = None if trainer.altered is None else trainer.altered.reported
        scoring = scoring_of(grown, pruner.risk, trainer.recipe.criterion, factors)
        if scoring.losses is not None:
            scoring = replace(scoring, losses=scoring.losses.T)
        judged = judge(sequence, pruner, trainer, trainer.rows(result.weights), folds_of(result), scoring)
    table = table_of(sequence, judged, "min")
    return Model(schema, tree_of(sequence, replace(table, chosen=len(table) - 1))), table


def charged(
    sequence: Sequence,
    pruner: CrossValidated,
    trainer: Trainer,
    encoded: EncodedRows,
    folds: np.ndarray,
    scoring: Scoring,
    *,
    as_rpart: bool,
) -> Judged:
    """Judge nested trees row by row and price by price, in the order of the file."""
    targets, weights = encoded.targets, encoded.weight_of_each
    prices = sequence.between
    losses = np.zeros((len(targets), len(prices)))
    charge = np.zeros(len(prices))  # of the row before, at each price
    for fold in range(10):
        tree = trainer.grow(trainer.sample(np.where(folds == fold, 0.0, weights))).tree
        price = sequence_of(tree, pruner).price
        rows = np.flatnonzero(folds == fold)
        ends = router_of(tree).apply([column[rows] for column in encoded.codes], 1)
        for row, end in zip(rows.tolist(), ends.tolist(), strict=True):
            _, path = tree.path_of(np.array([end]))
            costs = scoring.of_nodes(tree, np.repeat(targets[row], len(path)), path)
            for at, alpha in enumerate(prices):
                leaf = next((i for i, node in enumerate(path) if price[node] <= alpha), None)
                if leaf is not None:
                    charge[at] = costs[leaf]
                elif not as_rpart:
                    charge[at] = costs[-1]  # it stops where the tree goes on
            losses[row] = charge
    return Judged(weights @ losses, weights @ losses**2, float(weights.sum()))


def reversed_columns(result: Result) -> Result:
    """Give the table with its columns in reverse order, so that the last of equals wins."""
    data = result.data
    turned = {name: getattr(data, name)[::-1] for name in ("names", "is_category", "levels", "columns")}
    return replace(result, data=replace(data, **turned))


def ties_in_folds(result: Result) -> Iterator[tuple[int, int, float, float]]:
    """Find nodes of the folds' trees where the order of the columns tells which of two questions is asked.

    Gives the fold, the node and the gain of both questions.
    """
    folds, other = folds_of(result), reversed_columns(result)
    n_columns = len(result.data.names)
    trainers = trainer_of(result), trainer_of(other)
    for fold in range(10):
        weights = np.where(folds == fold, 0.0, result.weights)
        ours, theirs = (each.grow(each.sample(weights)).tree for each in trainers)
        pairs = [(0, 0)]
        while pairs:
            a, b = pairs.pop()
            if ours.column[a] < 0 or theirs.column[b] < 0:
                continue
            if ours.column[a] != n_columns - 1 - theirs.column[b]:
                yield fold, a, float(ours.gain[a]), float(theirs.gain[b])
                continue
            pairs += zip(ours.children(a), theirs.children(b), strict=True)
