"""The tree: flat, read-only arrays in pre-order, root 0, and ways to walk them.

The arrays of our own (`column`, `cut`, `outcome`, ...) hold for every tree. The names of scikit-learn's
``tree_`` (`feature`, `threshold`, `children_left`, ...) are views on them for trees with two branches a node.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.model.ledger_arrays import LedgerArrays
from treewright.model.questions import NO_BRANCH, Branches, Question, Surrogate, Threshold
from treewright.model.sklearn_names import SklearnNames
from treewright.model.surrogates import SurrogateArrays, branches_of, runs


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a tree.

    Parameters
    ----------
    id : int
        Its number; nodes are numbered in pre-order, the root is 0.
    parent : int or None
        None at the root.
    depth : int
        Edges from the root.
    question : Threshold, Branches or None
        None at a leaf.
    children : tuple of int
        One node per branch, none at a leaf.
    n_rows : int
        Training rows of positive weight that reached it.
    weight : float
        Their weight, as it counted in growing.
    impurity : float
        Of their targets.
    gain : float
        Weight / total weight × decrease of impurity; 0 at a leaf.
    outcome : tuple of float
        Weight of each class, or the mean or median; within its bounds where the tree is monotone.
    surrogates : tuple of Surrogate
        What is asked of rows without a value, the best first.
    errors : float or None
        Errors to expect below it, where pruning has estimated them.
    """

    id: int
    parent: int | None
    depth: int
    question: Question | None
    children: tuple[int, ...]
    n_rows: int
    weight: float
    impurity: float
    gain: float
    outcome: tuple[float, ...]
    surrogates: tuple[Surrogate, ...] = ()
    errors: float | None = None

    @property
    def is_leaf(self) -> bool:
        """Whether it has no children."""
        return not self.children


@dataclass(frozen=True, eq=False, repr=False)
class Tree(SklearnNames):
    """A grown tree as flat arrays, one entry per node.

    Parameters
    ----------
    column : array of int32
        Column asked about, −1 at a leaf.
    cut : array of float64
        See `Threshold`; NaN at a leaf.
    cut_integer : array of int64
        The cut where the column is compared as int64.
    child_begin, child : arrays of int32
        The children of node i are ``child[child_begin[i]:child_begin[i + 1]]``.
    missing_branch : array of int32
        Branch of a missing value; −1 at a leaf, and where such rows go down every branch in shares; −2 where
        they stop at the node.
    set_begin, set_code, set_branch : arrays of int32
        Where node i asks about categories, those of ``set_code[set_begin[i]:set_begin[i + 1]]``, rising, take
        the branches in the same places of `set_branch`; others have none, see `Branches`. Elsewhere this is
        empty.
    search : array of int8
        How the categories of a node were parted: 1 by a search that finds the best way, 2 by one that may
        miss it; 0 where there was nothing to part.
    n_rows : array of int64
        Training rows of positive weight.
    weight : array of float64
        Their weight, as it counted in growing.
    outcome : array of float64, (n_nodes, n_classes) or (n_nodes, 1)
        Weight of each class, or the mean or median; within its bounds where the tree is monotone.
    impurity, gain : arrays of float64
        See `Node`.
    n_columns : int
        Columns of the training table.
    is_classifier : bool
        Whether outcomes are weights of classes.
    integer_columns : tuple of int
        Columns compared as int64.
    loss : array of float64, (n_classes, n_classes), optional
        What an answer costs: row the true class, column the answer. None counts errors.
    surrogates : SurrogateArrays
        What is asked of rows without a value for the node's question; by default nothing.
    errors : array of float64, optional
        Errors to expect of every subtree, where pruning has estimated them.
    label : array of int32, optional
        The class of every node, where pruning has settled which of two equally heavy ones it is.
    smoothing : float
        Weight added to every class for probabilities; answers do not depend on it.
    is_certain_when_empty : bool
        Whether a leaf without rows is sure of its answer, rather than as unsure as the node above it.
    net_gain, ratio : arrays of float64, optional
        Of trees grown by gain ratio: what each question gained in bits, known share and charge for the cuts
        tried taken off, and what it competed on.
    ledger : LedgerArrays, optional
        What every column offered at every node, where that was kept.
    """

    column: NDArray[np.int32]
    cut: NDArray[np.float64]
    cut_integer: NDArray[np.int64]
    child_begin: NDArray[np.int32]
    child: NDArray[np.int32]
    missing_branch: NDArray[np.int32]
    set_begin: NDArray[np.int32]
    set_code: NDArray[np.int32]
    set_branch: NDArray[np.int32]
    search: NDArray[np.int8]
    n_rows: NDArray[np.int64]
    weight: NDArray[np.float64]
    outcome: NDArray[np.float64]
    impurity: NDArray[np.float64]
    gain: NDArray[np.float64]
    n_columns: int
    is_classifier: bool
    integer_columns: tuple[int, ...] = ()
    loss: NDArray[np.float64] | None = None
    surrogates: SurrogateArrays = None  # type: ignore[assignment]  # set below where none are given
    errors: NDArray[np.float64] | None = None
    label: NDArray[np.int32] | None = None
    smoothing: float = 0.0
    is_certain_when_empty: bool = False
    net_gain: NDArray[np.float64] | None = None
    ratio: NDArray[np.float64] | None = None
    ledger: LedgerArrays | None = None

    def __post_init__(self) -> None:
        if self.surrogates is None:
            object.__setattr__(self, "surrogates", SurrogateArrays.none(len(self.column)))
        for name in ARRAYS:
            getattr(self, name).flags.writeable = False
        for optional in (self.loss, *(getattr(self, name) for name in OPTIONAL)):
            if optional is not None:
                optional.flags.writeable = False

    def __reduce__(self) -> tuple[type["Tree"], tuple[Any, ...]]:
        # Through the constructor, so that a copy is read-only too and carries nothing that was worked out.
        return Tree, tuple(getattr(self, each.name) for each in fields(self))

    def __eq__(self, other: object) -> bool:
        """Compare bit for bit."""
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            all(getattr(self, name).tobytes() == getattr(other, name).tobytes() for name in ARRAYS)
            and all(
                getattr(self, name) == getattr(other, name)
                for name in ("n_columns", "is_classifier", "integer_columns", *FLAGS)
            )
            and _bytes(self.loss) == _bytes(other.loss)
            and all(_bytes(getattr(self, name)) == _bytes(getattr(other, name)) for name in OPTIONAL)
            and self.surrogates == other.surrogates
            and self.ledger == other.ledger
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    def __repr__(self) -> str:
        return f"<Tree: {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.max_depth}>"

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.column)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.column < 0).sum())

    @property
    def lets_rows_stop(self) -> NDArray[np.bool_]:
        """Whether rows without a value stop at a node, which then answers for them as a leaf would."""
        return np.equal(self.missing_branch, NO_BRANCH)

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """Parent of every node, −1 for the root."""
        parent = np.full(self.n_nodes, -1, dtype=np.int32)
        parent[self.child] = np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.child_begin))
        return _read_only(parent)

    @cached_property
    def levels(self) -> tuple[NDArray[np.intp], ...]:
        """The nodes of each depth, from the root down."""
        by_depth = np.argsort(self.depth, kind="stable")
        ends = np.cumsum(np.bincount(self.depth)).tolist()
        return tuple(by_depth[begin:end] for begin, end in itertools.pairwise([0, *ends]))

    @cached_property
    def depth(self) -> NDArray[np.int32]:
        """Depth of every node."""
        return _read_only(self.over_ancestors(np.add, np.ones(self.n_nodes, dtype=np.int32), 0))

    @cached_property
    def end(self) -> NDArray[np.int32]:
        """One more than the last node of every subtree: that of node i is i, i + 1, ..., ``end[i] - 1``."""
        last = np.arange(self.n_nodes, dtype=np.int32)
        inner = self.column >= 0
        last[inner] = self.child[self.child_begin[1:][inner] - 1]
        while not np.array_equal(further := last[last], last):
            last = further
        return _read_only(last + 1)

    def over_ancestors(self, reduce: np.ufunc, values: NDArray[Any], at_root: float) -> NDArray[Any]:
        """Reduce values over all nodes above every node; the root, which has none, gets `at_root`.

        Twice as many of them are taken together in each round, so that a tree of any depth takes few rounds.

        Examples
        --------
        >>> import treewright as tw
        >>> tree = tw.DecisionTreeClassifier().fit([[0], [1], [2]], [0, 1, 2]).tree_
        >>> tree.over_ancestors(np.add, tree.n_rows, 0).tolist()
        [0, 3, 3, 5, 5]
        """
        above = np.maximum(self.parent, 0, dtype=np.intp)
        reduced = values.take(above, axis=0)
        reduced[0] = at_root
        while above.any():
            reduced = reduce(reduced, reduced.take(above, axis=0))
            above = above.take(above)
        return reduced

    @property
    def told_weight(self) -> NDArray[np.float64]:
        """Sum of the weights of classes in every node, by priors that no loss altered."""
        total = np.zeros(self.n_nodes)
        for weights in self.outcome.T:  # one after the other, so that it is the same sum everywhere
            total += weights
        return total

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Share of each class in every node, or the mean."""
        if not self.is_classifier:
            return self.outcome
        weight = self.weight if self.loss is None else self.told_weight
        if weight.all():
            return _read_only(self.outcome / weight[:, None])
        # A branch that no row took weighs nothing; what it knows, it was told by the node above it, or it is
        # what the nearest node above knows that was told anything.
        told = np.where(weight > 0, weight, self.told_weight)
        shares = self.outcome / np.where(told > 0, told, 1.0)[:, None]
        if not told.all():
            above = np.maximum(self.parent, 0)
            who = np.where(told > 0, np.arange(self.n_nodes), above)
            while not np.array_equal(further := who.take(who), who):
                who = further
            shares = shares.take(who, axis=0)
        if self.is_certain_when_empty:
            empty = np.flatnonzero(weight == 0)
            known = shares.argmax(axis=1) if self.label is None else self.label
            shares[empty] = np.eye(shares.shape[1])[known[empty]]
        return _read_only(shares)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """`shares`, smoothed if that was asked for."""
        if not self.is_classifier or not self.smoothing:
            return self.shares
        total = self.told_weight + self.smoothing * self.outcome.shape[1]
        return _read_only((self.outcome + self.smoothing) / total[:, None])

    @cached_property
    def answer(self) -> NDArray[np.intp]:
        """The heaviest class of every node, or that of least expected loss; of equals the first one."""
        if self.label is not None:
            return _read_only(self.label.astype(np.intp))
        return _read_only(self.answers_to(self.shares))

    def answers_to(self, shares: NDArray[np.float64], rounding: float = 0.0) -> NDArray[np.intp]:
        """Choose a class for each row of shares: the heaviest, or that of least expected loss.

        The first of equals is chosen, and shares within `rounding` are equal.
        """
        if self.loss is None:
            by_class = np.ascontiguousarray(shares.T)  # few classes of many nodes: long rows are quicker
            is_heaviest = by_class >= by_class.max(axis=0) - rounding
            answer = np.full(len(shares), shares.shape[1] - 1, dtype=np.intp)
            for each in range(shares.shape[1] - 2, -1, -1):  # the first of equals comes last
                answer[is_heaviest[each]] = each
            return answer
        expected = np.zeros_like(shares)
        for true, costs in enumerate(self.loss):  # class by class: a matrix product may add up in any order
            expected += shares[:, true, None] * costs
        least = expected.min(axis=1, keepdims=True) + rounding * self.loss.max()
        return np.asarray((expected <= least).argmax(axis=1))

    def children(self, node: int) -> tuple[int, ...]:
        """List the children of a node, one per branch."""
        begin, end = self.child_begin[node], self.child_begin[node + 1]
        return tuple(self.child[begin:end].tolist())

    def question(self, node: int) -> Question | None:
        """Give what a node asks, None at a leaf."""
        column = int(self.column[node])
        if column < 0:
            return None
        begin, end = self.set_begin[node], self.set_begin[node + 1]
        if begin < end:
            n_branches = int(self.child_begin[node + 1] - self.child_begin[node])
            return Branches(
                column,
                codes=branches_of(self.set_code[begin:end], self.set_branch[begin:end], n_branches),
                missing_branch=int(self.missing_branch[node]),
                is_exact=bool(self.search[node] != HEURISTIC),
            )
        cut: float | int = float(self.cut[node])
        if column in self.integer_columns and np.isfinite(cut):
            cut = int(self.cut_integer[node])
        return Threshold(column, cut, int(self.missing_branch[node]))

    def node(self, number: int) -> Node:
        """Give one node by its number."""
        if not 0 <= number < self.n_nodes:
            raise IndexError(f"node {number} does not exist; the tree has nodes 0 to {self.n_nodes - 1}.")
        parent = int(self.parent[number])
        return Node(
            id=number,
            parent=None if parent < 0 else parent,
            depth=int(self.depth[number]),
            question=self.question(number),
            children=self.children(number),
            n_rows=int(self.n_rows[number]),
            weight=float(self.weight[number]),
            impurity=float(self.impurity[number]),
            gain=float(self.gain[number]),
            outcome=tuple(self.outcome[number].tolist()),
            surrogates=self.surrogates.of(number, self.integer_columns),
            errors=None if self.errors is None else float(self.errors[number]),
        )

    def walk(self) -> Iterator[Node]:
        """Visit all nodes in pre-order, that is, in the order of their numbers."""
        return (self.node(number) for number in range(self.n_nodes))

    def collapsed(self, nodes: Iterable[int]) -> "Tree":
        """Give a new tree in which `nodes` are leaves and what was below them is gone."""
        leaves = np.asarray(nodes if isinstance(nodes, np.ndarray) else list(nodes), dtype=np.int32)
        return self.taken(*_core.cut_at(self.child_begin, self.child, leaves))

    def taken(
        self, nodes: NDArray[np.int32], child_begin: NDArray[np.int32], child: NDArray[np.int32]
    ) -> "Tree":
        """Give a new tree of some nodes, in this order, with these children; without any it is a leaf."""
        kept = nodes.astype(np.intp)  # once, not again for every array
        leaf = np.diff(child_begin) == 0
        inner = np.flatnonzero(~leaf)
        asking = kept.take(inner)
        begins = self.set_begin.take(asking)
        sizes = self.set_begin.take(asking + 1) - begins
        in_sets = runs(begins, sizes)
        set_begin = np.zeros(len(kept) + 1, dtype=np.int32)
        set_begin[inner + 1] = sizes

        def at_inner(values: NDArray[Any], otherwise: float) -> NDArray[Any]:
            taken = np.full(len(kept), otherwise, dtype=values.dtype)
            taken[inner] = values.take(asking)
            return taken

        return replace(
            self,
            column=at_inner(self.column, -1),
            cut=at_inner(self.cut, np.nan),
            cut_integer=at_inner(self.cut_integer, 0),
            child_begin=child_begin,
            child=child,
            missing_branch=at_inner(self.missing_branch, -1),
            set_begin=np.cumsum(set_begin, dtype=np.int32),
            set_code=self.set_code.take(in_sets),
            set_branch=self.set_branch.take(in_sets),
            search=at_inner(self.search, 0),
            n_rows=self.n_rows.take(kept),
            weight=self.weight.take(kept),
            outcome=self.outcome.take(kept, axis=0),
            impurity=self.impurity.take(kept),
            gain=at_inner(self.gain, 0.0),
            surrogates=self.surrogates.of_nodes(kept, ~leaf),
            errors=None if self.errors is None else self.errors.take(kept),
            label=None if self.label is None else self.label.take(kept),
            net_gain=None if self.net_gain is None else at_inner(self.net_gain, 0.0),
            ratio=None if self.ratio is None else at_inner(self.ratio, 0.0),
            ledger=None
            if self.ledger is None
            else self.ledger.of_nodes(kept, leaf & (self.column[kept] >= 0)),
        )

    def path_of(self, leaves: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """List for each row the nodes from the root to its leaf.

        Parameters
        ----------
        leaves : array of int
            The leaf of every row.

        Returns
        -------
        begin, nodes : arrays of int64
            The path of row i is ``nodes[begin[i]:begin[i + 1]]``.
        """
        begin = np.zeros(len(leaves) + 1, dtype=np.int64)
        np.cumsum(self.depth[leaves] + 1, out=begin[1:])
        nodes = np.empty(int(begin[-1]), dtype=np.int64)
        at, row = np.asarray(leaves, dtype=np.int64), np.arange(len(leaves))
        while len(at):
            nodes[begin[row] + self.depth[at]] = at
            above = self.parent[at]
            inside = above >= 0
            at, row = above[inside].astype(np.int64), row[inside]
        return begin, nodes


ARRAYS = tuple(each.name for each in fields(Tree))[:15]
OPTIONAL = ("errors", "label", "net_gain", "ratio")
FLAGS = ("smoothing", "is_certain_when_empty")
HEURISTIC = 2


def _bytes(values: NDArray[Any] | None) -> bytes | None:
    return None if values is None else values.tobytes()


def _read_only(values: NDArray[Any]) -> NDArray[Any]:
    values.flags.writeable = False
    return values
