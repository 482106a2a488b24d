"""How one row goes down a tree: its branch at every node, and the fractional weight that reaches it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright.errors import ParameterError
from treewright.missing_values import is_missing_code
from treewright.model.questions import QuestionArrays
from treewright.model.records import Array, Bool, Float64, Int32, Intp
from treewright.model.tree import Tree
from treewright.table.encode import Codes


@dataclass(frozen=True, eq=False)
class Decisions:
    """The branch of one row at every node of a tree, whether the row reaches the node or not.

    Parameters
    ----------
    tree : Tree
        The tree.
    branch : array of int32
        Branch that the row takes; −1 if it goes down every branch with fractional weights, and at leaves.
    column : array of int32
        The column that decided: the node's own or, if the row's value there is missing, that of a surrogate;
        −1 at leaves.
    surrogate : array of int32
        Which of the node's surrogates decided; −1 if none did.
    is_known : array of bool
        Whether the row's value in the node's own column decided.
    """

    tree: Tree
    branch: Int32
    column: Int32
    surrogate: Int32
    is_known: Bool

    @cached_property
    def share(self) -> Float64:
        """The fraction of the weight at its parent that goes on to each node; 1 for the root."""
        tree = self.tree
        spreads = np.repeat(self.branch < 0, np.diff(tree.child_begin))
        share = np.zeros(tree.n_nodes)
        share[0] = 1.0
        share[tree.child[spreads]] = branch_shares(tree)[tree.child[spreads]]
        chosen = np.flatnonzero(self.branch >= 0)
        share[tree.child[tree.child_begin[chosen] + self.branch[chosen]]] = 1.0
        return share

    @cached_property
    def reach(self) -> Float64:
        """The fractional weight of the row that reaches each node."""
        reach = self.share.copy()
        for level in self.tree.levels[1:]:
            reach[level] = reach[self.tree.parent[level]] * self.share[level]
        return reach


def branch_shares(tree: Tree) -> Float64:
    """Return each node's share of the training weight of its parent's branches; 1 for the root.

    If all branches of a node have weight 0, as may happen after pruning on other rows, they count equally.
    """
    refuse_rows_that_stop(tree)
    sizes = np.diff(tree.child_begin)
    inner = np.flatnonzero(sizes)
    share = np.ones(tree.n_nodes)
    begin, sizes = tree.child_begin[:-1][inner], sizes[inner]
    weight = tree.weight[tree.child]
    total = np.zeros(len(inner))
    for branch in range(sizes.max(initial=0)):  # add in the same order as prediction, for the same sum
        has_it = sizes > branch
        total[has_it] += weight[begin[has_it] + branch]
    is_empty = np.repeat(total == 0, sizes)
    share[tree.child] = np.where(is_empty, 1.0, weight) / np.repeat(np.where(total == 0, sizes, total), sizes)
    return share


def decide(tree: Tree, codes: Codes, row: int = 0) -> Decisions:
    """Find the branch of one row at every node of a tree.

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
    own = _branches(tree, np.zeros(tree.n_nodes, dtype=np.int32), codes, row)
    is_known = own >= 0
    branch = np.where(is_known, own, tree.missing_branch).astype(np.int32)
    column = tree.column.copy()
    surrogate = np.full(tree.n_nodes, -1, dtype=np.int32)
    surrogates = tree.surrogates
    if len(surrogates):
        said = _branches(surrogates, surrogates.low_branch, codes, row)
        node_of = np.repeat(np.arange(tree.n_nodes), np.diff(surrogates.begin))
        usable = np.flatnonzero((said >= 0) & ~is_known[node_of])
        nodes, first = np.unique(node_of[usable], return_index=True)  # the best one comes first
        at = usable[first]
        branch[nodes], column[nodes] = said[at], surrogates.column[at]
        surrogate[nodes] = at - surrogates.begin[nodes]
    return Decisions(tree, branch, column, surrogate, is_known)


def branches_at(tree: Tree, node: int, codes: Codes, rows: Intp) -> Int32:
    """Return the branch of some rows at one inner node; −1 if a row goes down every branch.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        Number of the node.
    codes : list of arrays
        The encoded columns of a table.
    rows : array of int
        The rows.
    """
    begin, end = tree.surrogates.begin[node : node + 2]
    branch = _branches_of_one(tree, node, 0, codes, rows)
    for at in range(begin, end):
        waiting = np.flatnonzero(branch < 0)
        low_branch = int(tree.surrogates.low_branch[at])
        branch[waiting] = _branches_of_one(tree.surrogates, at, low_branch, codes, rows[waiting])
    branch[branch < 0] = tree.missing_branch[node]
    return branch


def _branches_of_one(of: QuestionArrays, at: int, low_branch: int, codes: Codes, rows: Intp) -> Int32:
    """Return the branch of some rows at one question; −1 if their value is missing."""
    column = codes[int(of.column[at])][rows]
    branch = np.full(len(rows), -1, dtype=np.int32)
    begin, end = of.set_begin[at : at + 2]
    if begin < end:
        place = np.minimum(np.searchsorted(of.set_code[begin:end], column), end - begin - 1) + begin
        return np.where(of.set_code[place] == column, of.set_branch[place], branch)
    known = ~is_missing_code(column)
    cut = of.cut_integer[at] if column.dtype == np.int64 else of.cut[at]
    is_low = np.full(len(rows), True) if np.isposinf(of.cut[at]) else column <= cut
    branch[known] = np.where(is_low[known], low_branch, 1 - low_branch)
    return branch


def refuse_rows_that_stop(tree: Tree) -> None:
    """Refuse trees in which a row may stop before it reaches a leaf."""
    if tree.lets_rows_stop.any():
        raise ParameterError(
            "a row is followed from the root to its leaves, and in this tree rows with missing values stop "
            "at inner nodes; grow it with Surrogates(otherwise='majority')."
        )


def _branches(of: QuestionArrays, low_branch: Int32, codes: Codes, row: int) -> Array:
    """Return the branch of a row at each question; −1 if its value is missing."""
    is_known = np.array([not is_missing_code(each[row : row + 1])[0] for each in codes])
    # The values of the row in each of the types that questions compare.
    number = np.array([each[row] if each.dtype.kind == "f" else np.nan for each in codes])
    integer = np.array([each[row] if each.dtype == np.int64 else 0 for each in codes])
    code = np.array([each[row] if each.dtype == np.int32 else -1 for each in codes])
    column = np.maximum(of.column, 0)
    at_most = np.where(np.isnan(number[column]), integer[column] <= of.cut_integer, number[column] <= of.cut)
    branch = np.where(at_most | np.isposinf(of.cut), low_branch, 1 - low_branch)
    sizes = np.diff(of.set_begin)
    branch[(of.column < 0) | ~is_known[column] | (sizes > 0)] = -1
    question = np.repeat(np.arange(len(of.column)), sizes)
    found = of.set_code == code[column[question]]
    branch[question[found]] = of.set_branch[found]
    return branch
