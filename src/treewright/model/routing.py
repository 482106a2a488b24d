"""How one row goes down a tree: what every node makes of it, and how much of it reaches where."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError
from treewright.missing_values import is_missing_code
from treewright.model.surrogates import SurrogateArrays
from treewright.model.tree import Tree
from treewright.table.encode import Codes


@dataclass(frozen=True, eq=False)
class Decisions:
    """What every node of a tree makes of one row, whether the row comes there or not.

    Parameters
    ----------
    tree : Tree
        The tree.
    branch : array of int32
        Branch that the row takes; −1 where it goes down every branch in shares, and at leaves.
    column : array of int32
        The column that decided: the one asked about or, where the row has no value there, that of the
        surrogate that was asked instead; −1 at leaves.
    surrogate : array of int32
        Which of the node's surrogates decided, −1 where none did.
    is_known : array of bool
        Whether the row's value in the node's own column decided.
    """

    tree: Tree
    branch: NDArray[np.int32]
    column: NDArray[np.int32]
    surrogate: NDArray[np.int32]
    is_known: NDArray[np.bool_]

    @cached_property
    def share(self) -> NDArray[np.float64]:
        """Of what is at its parent, the share that goes on to each node; 1 for the root."""
        tree = self.tree
        spreads = np.repeat(self.branch < 0, np.diff(tree.child_begin))
        share = np.zeros(tree.n_nodes)
        share[0] = 1.0
        share[tree.child[spreads]] = branch_shares(tree)[tree.child[spreads]]
        chosen = np.flatnonzero(self.branch >= 0)
        share[tree.child[tree.child_begin[chosen] + self.branch[chosen]]] = 1.0
        return share

    @cached_property
    def reach(self) -> NDArray[np.float64]:
        """Share of the row that reaches each node."""
        reach = self.share.copy()
        for level in self.tree.levels[1:]:
            reach[level] = reach[self.tree.parent[level]] * self.share[level]
        return reach


def branch_shares(tree: Tree) -> NDArray[np.float64]:
    """Tell for each node its part of the training weight of its parent's branches; 1 for the root.

    Where all branches of a node weigh nothing, as pruning may leave them, they count the same.
    """
    refuse_rows_that_stop(tree)
    sizes = np.diff(tree.child_begin)
    inner = np.flatnonzero(sizes)
    share = np.ones(tree.n_nodes)
    if not len(inner):
        return share
    begin, sizes = tree.child_begin[:-1][inner], sizes[inner]
    weight = tree.weight[tree.child]
    total = np.zeros(len(inner))
    for branch in range(sizes.max()):  # one after the other, so that it is the sum that predicting takes
        has_it = sizes > branch
        total[has_it] += weight[begin[has_it] + branch]
    is_empty = np.repeat(total == 0, sizes)
    share[tree.child] = np.where(is_empty, 1.0, weight) / np.repeat(np.where(total == 0, sizes, total), sizes)
    return share


def decide(tree: Tree, codes: Codes, row: int = 0) -> Decisions:
    """Ask every node of a tree about one row.

    Parameters
    ----------
    tree : Tree
        The tree.
    codes : list of arrays
        The encoded columns of a table.
    row : int
        Which of its rows.

    Returns
    -------
    Decisions
    """
    refuse_rows_that_stop(tree)
    values = _Values.of(codes, row)
    own = values.branches(tree, np.zeros(tree.n_nodes, dtype=np.int32))
    is_inner = tree.column >= 0
    is_known = is_inner & (own >= 0)
    branch = np.where(is_known, own, tree.missing_branch).astype(np.int32)
    column = tree.column.copy()
    surrogate = np.full(tree.n_nodes, -1, dtype=np.int32)
    surrogates = tree.surrogates
    if len(surrogates):
        said = values.branches(surrogates, surrogates.low_branch)
        node_of = np.repeat(np.arange(tree.n_nodes), np.diff(surrogates.begin))
        usable = np.flatnonzero((said >= 0) & ~is_known[node_of])
        nodes, first = np.unique(node_of[usable], return_index=True)  # the best one stands first
        at = usable[first]
        branch[nodes], column[nodes] = said[at], surrogates.column[at]
        surrogate[nodes] = at - surrogates.begin[nodes]
    return Decisions(tree, branch, column, surrogate, is_known)


def refuse_rows_that_stop(tree: Tree) -> None:
    """Refuse trees in which a row need not come to a leaf."""
    if tree.lets_rows_stop.any():
        raise ParameterError(
            "a row is followed from the root to its leaves, and in this tree rows without a value stop at "
            "inner nodes; grow it with Surrogates(otherwise='majority')."
        )


@dataclass(frozen=True, slots=True)
class _Values:
    """One row, column by column, in each of the forms that questions compare."""

    number: NDArray[np.float64]
    integer: NDArray[np.int64]
    code: NDArray[np.int32]
    is_integer: NDArray[np.bool_]
    is_known: NDArray[np.bool_]

    @classmethod
    def of(cls, codes: Codes, row: int) -> "_Values":
        n = len(codes)
        values = cls(
            np.full(n, np.nan),
            np.zeros(n, dtype=np.int64),
            np.full(n, -1, dtype=np.int32),
            np.zeros(n, dtype=bool),
            np.zeros(n, dtype=bool),
        )
        for at, column in enumerate(codes):
            if column.dtype == np.int32:
                values.code[at] = column[row]
            elif column.dtype.kind == "i":
                values.is_integer[at] = True
                values.integer[at] = column[row]
            else:
                values.number[at] = column[row]
            values.is_known[at] = not is_missing_code(column[row : row + 1])[0]
        return values

    def branches(self, of: Tree | SurrogateArrays, low_branch: NDArray[np.int32]) -> NDArray[Any]:
        """Tell which branch each question gives the row, −1 where it cannot tell."""
        column = np.maximum(of.column, 0)
        low = np.where(
            self.is_integer[column],
            self.integer[column] <= of.cut_integer,
            self.number[column] <= of.cut,
        ) | np.isposinf(of.cut)
        branch = np.where(low, low_branch, 1 - low_branch)
        sizes = np.diff(of.set_begin)
        branch[(of.column < 0) | ~self.is_known[column] | (sizes > 0)] = -1
        question = np.repeat(np.arange(len(of.column)), sizes)
        found = of.set_code == self.code[column[question]]
        branch[question[found]] = of.set_branch[found]
        return branch
