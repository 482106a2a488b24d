"""Hold rows out of growing: choose them, and grow a tree on the others."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treewright.errors import ParameterError
from treewright.missing_values import is_missing_code
from treewright.model.labelled_rows import EncodedRows
from treewright.model.records import Array, Bool, Float64, Int32, Intp
from treewright.model.tree import Tree
from treewright.parts import AboveAverageGain, Recipe
from treewright.table.encode import Codes


@dataclass(frozen=True)
class HeldOut:
    """A table whose rows are divided into those grown on and those held out.

    Parameters
    ----------
    codes : list of arrays
        Its columns.
    weights : array of float64
        Weights of the rows held out, 0 for all others.
    others : array of float64
        Weights of the rows grown on, 0 for all others.
    """

    codes: Codes
    weights: Float64
    others: Float64

    @classmethod
    def of(cls, rows: EncodedRows, n_folds: int) -> "HeldOut":
        """Hold out the last of `n_folds` folds."""
        given = rows.weight_of_each
        n_rows = np.count_nonzero(given)
        if n_rows < n_folds:
            raise ParameterError(
                f"{n_folds} folds need at least as many rows, and there are {n_rows}; use fewer folds, or "
                "prune without them."
            )
        is_held = last_fold(rows.targets, given > 0, n_folds)
        return cls(rows.codes, np.where(is_held, given, 0.0), np.where(is_held, 0.0, given))

    @property
    def takes_part(self) -> Bool:
        """Whether each row has a positive weight, held out or not."""
        return (self.weights > 0) | (self.others > 0)

    def recipe(self, recipe: Recipe) -> Recipe:
        """Return the recipe by which a tree is grown on the others; `finish` does the rest."""
        return for_some_rows(recipe, self.takes_part.sum() / max(1, (self.others > 0).sum()))

    def finish(self, tree: Tree, recipe: Recipe) -> Tree:
        """Move the cuts of a tree to values that occur in any row, if the recipe cuts at observed values."""
        if recipe.numeric.cut_at == "middle":
            return tree
        observed, integers = observed_in(self.codes, self.takes_part), tree.integer_columns
        ledger = None if tree.ledger is None else tree.ledger.with_cuts(observed, integers)
        return replace(tree.with_cuts(observed, integers), ledger=ledger)


def for_some_rows(recipe: Recipe, factor: float) -> Recipe:
    """Adapt a recipe to growing on some rows where its limits refer to the whole table.

    A column has many values if it has many compared to all rows; the whole table has `factor` times as many
    rows as these. Cuts at observed values may lie at a value of any row, so they stay in the middle here and
    are moved later.
    """
    if isinstance(recipe.ranking, AboveAverageGain):
        ranking = replace(recipe.ranking, many_values=recipe.ranking.many_values * float(factor))
        recipe = replace(recipe, ranking=ranking)
    return replace(recipe, numeric=replace(recipe.numeric, cut_at="middle"))


def last_fold(classes: Int32, takes_part: Bool, n_folds: int) -> Bool:
    """Deal rows out to folds like cards, class by class, and mark those of the last fold.

    Parameters
    ----------
    classes : array of int32
        Class of every row.
    takes_part : array of bool
        Rows that are dealt out at all.
    n_folds : int
        Number of folds.

    Examples
    --------
    >>> last_fold(np.array([0, 0, 0, 1, 1, 1]), np.ones(6, dtype=bool), 3)
    array([False, False,  True, False, False,  True])
    """
    rows = np.flatnonzero(takes_part)
    order = rows[_by_class(classes[rows])]
    dealt = np.concatenate([order[fold::n_folds] for fold in range(n_folds)])
    is_last = np.zeros(len(classes), dtype=bool)
    is_last[dealt[len(dealt) - len(dealt) // n_folds :]] = True
    return is_last


def _by_class(classes: Int32) -> Intp:
    """Bring rows of a class together by swapping each to the end of the run of its class so far.

    Weka does the same; any other order would hold out other rows.
    """
    order = np.arange(len(classes))
    end = 1
    while end < len(order):
        label = classes[order[end - 1]]
        # A swap only moves rows back that were compared before, so one comparison per row is enough.
        for at in (end + np.flatnonzero(classes[order[end:]] == label)).tolist():
            order[end], order[at] = order[at], order[end]
            end += 1
        end += 1
    return order


def observed_in(codes: Codes, takes_part: Bool) -> Callable[[int, Array], Array]:
    """Make a function that lowers cuts of a column to the largest value that some row has."""

    def observed(column: int, cuts: Array) -> Array:
        values = codes[column][takes_part]
        values = np.unique(values[~is_missing_code(values)])
        return values[np.searchsorted(values, cuts, side="right") - 1]

    return observed
