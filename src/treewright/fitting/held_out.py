"""Rows held out of growing: which ones, and a tree grown on the others."""

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
    """A table whose rows are grown on or held out.

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
        """Hold out the last of so many folds."""
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
        """Give the recipe by which a tree is grown on the others; `finish` does the rest."""
        return for_some_rows(recipe, self.takes_part.sum() / max(1, (self.others > 0).sum()))

    def finish(self, tree: Tree, recipe: Recipe) -> Tree:
        """Move the cuts of a tree to values of all rows, if the recipe cuts at such."""
        if recipe.numeric.cut_at == "middle":
            return tree
        observed, integers = observed_in(self.codes, self.takes_part), tree.integer_columns
        ledger = None if tree.ledger is None else tree.ledger.with_cuts(observed, integers)
        return replace(tree.with_cuts(observed, integers), ledger=ledger)


def for_some_rows(recipe: Recipe, factor: float) -> Recipe:
    """Give the recipe for some rows of a table where the whole table is the measure.

    A column has many values if it has many compared to all rows, `factor` times as many as these, and a cut
    lies at a value that any row has: here it is left in the middle, to be moved later.
    """
    if isinstance(recipe.ranking, AboveAverageGain):
        ranking = replace(recipe.ranking, many_values=recipe.ranking.many_values * float(factor))
        recipe = replace(recipe, ranking=ranking)
    return replace(recipe, numeric=replace(recipe.numeric, cut_at="middle"))


def last_fold(classes: Int32, takes_part: Bool, n_folds: int) -> Bool:
    """Deal rows to folds like cards, class by class, and mark those of the last fold.

    Parameters
    ----------
    classes : array of int32
        Class of every row.
    takes_part : array of bool
        Rows that are dealt at all.
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
    """Bring rows of a class together: each is swapped to the end of the run of its class so far.

    So does Weka, and any other order would hold out other rows.
    """
    order = np.arange(len(classes))
    end = 1
    while end < len(order):
        label = classes[order[end - 1]]
        # Swaps bring only rows to a place that were compared before, so one comparison is enough.
        for at in (end + np.flatnonzero(classes[order[end:]] == label)).tolist():
            order[end], order[at] = order[at], order[end]
            end += 1
        end += 1
    return order


def observed_in(codes: Codes, takes_part: Bool) -> Callable[[int, Array], Array]:
    """Give a function of a column and cuts of it: the largest value that a row has and that is not above."""

    def observed(column: int, cuts: Array) -> Array:
        values = codes[column][takes_part]
        values = np.unique(values[~is_missing_code(values)])
        return values[np.searchsorted(values, cuts, side="right") - 1]

    return observed
