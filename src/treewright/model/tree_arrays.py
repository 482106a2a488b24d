"""The arrays of a tree: how its nodes are connected and what each of them predicts."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from treewright import _core
from treewright.model.ledger_arrays import LedgerArrays
from treewright.model.questions import NO_BRANCH, QuestionArrays
from treewright.model.records import LARGE, Array, Bool, Float64, Int8, Int32, Int64, Intp, Per, read_only
from treewright.model.surrogates import SurrogateArrays

_MANY_CLASSES = 32  # with more classes, nodes are compared row by row instead of class by class
_CHUNK = 1_000_000


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TreeArrays(QuestionArrays):
    """The arrays of a tree, which `treewright.model.tree.Tree` describes, and what is derived from them."""

    column: Annotated[Int32, Per("node", at_leaf=-1, indexes="column", least=-1)]
    cut: Annotated[Float64, Per("node", at_leaf=np.nan, nullable=True, may_be_infinite=True)]
    missing_branch: Annotated[Int32, Per("node", at_leaf=-1)]
    child_begin: Annotated[Int32, Per("node", runs_of="child")]
    child: Annotated[Int32, Per("child")]
    n_rows: Annotated[Int64, Per("node", least=0)]
    weight: Annotated[Float64, Per("node", least=0, most=LARGE)]
    outcome: Annotated[Float64, Per("node", columns="class")]
    impurity: Annotated[Float64, Per("node")]
    gain: Annotated[Float64, Per("node", at_leaf=0)]
    cut_integer: Annotated[Int64, Per("node", at_leaf=0, omit="zero")]
    search: Annotated[Int8, Per("node", at_leaf=0, omit="zero", least=0, most=2)]
    set_begin: Annotated[Int32, Per("node", runs_of="set", omit="zero")]
    set_code: Annotated[Int32, Per("set", omit="empty")]
    set_branch: Annotated[Int32, Per("set", omit="empty")]
    loss: Annotated[Float64 | None, Per("class", columns="class", least=0)] = None
    errors: Annotated[Float64 | None, Per("node", least=0, most=LARGE)] = None
    label: Annotated[Int32 | None, Per("node", indexes="class", least=0)] = None
    net_gain: Annotated[Float64 | None, Per("node", at_leaf=0)] = None
    ratio: Annotated[Float64 | None, Per("node", at_leaf=0)] = None
    n_columns: int
    is_classifier: bool
    integer_columns: tuple[int, ...] = ()
    smoothing: float = 0.0
    is_certain_when_empty: bool = False
    surrogates: SurrogateArrays = None  # type: ignore[assignment]  # set below where none are given
    ledger: LedgerArrays | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.surrogates is None:
            object.__setattr__(self, "surrogates", SurrogateArrays.none(len(self.column)))

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.column)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.column < 0).sum())

    @property
    def max_depth(self) -> int:
        """Depth of the deepest leaf."""
        return int(self.depth.max())

    @property
    def lets_rows_stop(self) -> Bool:
        """Whether rows with a missing value stop at a node, which then predicts for them like a leaf."""
        return np.equal(self.missing_branch, NO_BRANCH)

    @cached_property
    def parent(self) -> Int32:
        """Parent of every node, −1 for the root."""
        parent = np.full(self.n_nodes, -1, dtype=np.int32)
        parent[self.child] = np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.child_begin))
        return read_only(parent)

    @cached_property
    def levels(self) -> tuple[Intp, ...]:
        """The nodes of each depth, from the root down."""
        by_depth = np.argsort(self.depth, kind="stable")
        return tuple(np.split(by_depth, np.cumsum(np.bincount(self.depth))[:-1]))

    @cached_property
    def depth(self) -> Int32:
        """Depth of every node."""
        return read_only(self.over_ancestors(np.add, np.ones(self.n_nodes, dtype=np.int32), 0))

    @cached_property
    def end(self) -> Int32:
        """End of every subtree: the subtree of node i consists of the nodes i, i + 1, ..., ``end[i] - 1``."""
        return read_only(last_below(self.column >= 0, self.child_begin, self.child) + 1)

    def over_ancestors(self, reduce: np.ufunc, values: Array, at_root: float) -> Array:
        """Reduce values over all ancestors of every node.

        Each round combines twice as many ancestors as the one before, so even deep trees take few rounds.

        Parameters
        ----------
        reduce : numpy.ufunc
            A function of two values, such as ``np.add`` or ``np.maximum``.
        values : array
            A value, or a row of values, for each node.
        at_root : float
            Result at the root, which has no ancestors.

        Returns
        -------
        array
            The result at each node, of the same shape as `values`.

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
    def outcome_weight(self) -> Float64:
        """Sum of `outcome` over the classes of every node: its weight without the loss."""
        # Class by class, so that the sum is the same on every machine.
        return sum(self.outcome.T, np.zeros(self.n_nodes))

    @cached_property
    def shares(self) -> Float64:
        """Proportion of each class in every node, or the mean or median."""
        if not self.is_classifier:
            return self.outcome
        weight = self.weight if self.loss is None else self.outcome_weight
        if weight.all():
            return read_only(self.outcome / weight[:, None])
        # A branch that no row took has weight 0. Its proportions come from its own outcome, which growing may
        # have copied from its parent, or else from the nearest ancestor with an outcome.
        total = np.where(weight > 0, weight, self.outcome_weight)
        shares = self.outcome / np.where(total > 0, total, 1.0)[:, None]
        if not total.all():
            source = np.where(total > 0, np.arange(self.n_nodes), np.maximum(self.parent, 0))
            shares = shares.take(_followed(source), axis=0)
        if self.is_certain_when_empty:
            empty = np.flatnonzero(weight == 0)
            known = shares.argmax(axis=1) if self.label is None else self.label
            shares[empty] = np.eye(shares.shape[1])[known[empty]]
        return read_only(shares)

    @cached_property
    def probabilities(self) -> Float64:
        """`shares`, smoothed if `smoothing` is above 0."""
        if not self.is_classifier or not self.smoothing:
            return self.shares
        total = self.outcome_weight + self.smoothing * self.outcome.shape[1]
        return read_only((self.outcome + self.smoothing) / total[:, None])

    @cached_property
    def answer(self) -> Intp:
        """The heaviest class of every node, or the one of least expected loss; the first class of a tie."""
        label = self.answers_to(self.shares) if self.label is None else self.label.astype(np.intp)
        return read_only(label)

    def answers_to(self, shares: Float64, rounding: float = 0.0) -> Intp:
        """Choose the heaviest class, or the one of least expected loss, for each row of proportions.

        Parameters
        ----------
        shares : array of float64, (n, n_classes)
            The proportions.
        rounding : float
            Proportions that differ by at most this are tied. The first class of a tie is chosen.

        Returns
        -------
        array of int
            Position of the class chosen for each row.
        """
        n_classes = shares.shape[1]
        if self.loss is None and n_classes > _MANY_CLASSES:
            # A chunk of nodes at a time: a copy of all proportions may be larger than the tree.
            size = max(1, _CHUNK // n_classes)
            parts = (shares[begin : begin + size] for begin in range(0, len(shares), size))
            found = [(part >= part.max(axis=1, keepdims=True) - rounding).argmax(axis=1) for part in parts]
            return np.concatenate(found) if found else np.zeros(0, dtype=np.intp)
        if self.loss is None:
            by_class = np.ascontiguousarray(shares.T)  # few classes, many nodes: long rows are faster
            is_heaviest = by_class >= by_class.max(axis=0) - rounding
            answer = np.full(len(shares), n_classes - 1, dtype=np.intp)
            for each in range(n_classes - 2, -1, -1):  # backwards, so that the first class of a tie remains
                answer[is_heaviest[each]] = each
            return answer
        expected = np.zeros_like(shares)
        for true, costs in enumerate(self.loss):  # class by class: a matrix product may add up in any order
            expected += shares[:, true, None] * costs
        least = expected.min(axis=1, keepdims=True) + rounding * self.loss.max()
        return np.asarray((expected <= least).argmax(axis=1))

    def path_of(self, leaves: Array) -> tuple[Int64, Int64]:
        """List the nodes from the root to the leaf of each row.

        Parameters
        ----------
        leaves : array of int
            The leaf of every row.

        Returns
        -------
        begin, nodes : arrays of int64
            The path of row i is ``nodes[begin[i]:begin[i + 1]]``.
        """
        begin = np.concatenate(([0], np.cumsum(self.depth[leaves] + 1, dtype=np.int64)))
        nodes = np.empty(int(begin[-1]), dtype=np.int64)
        at, row = np.asarray(leaves, dtype=np.int64), np.arange(len(leaves))
        while len(at):
            nodes[begin[row] + self.depth[at]] = at
            above = self.parent[at]
            inside = above >= 0
            at, row = above[inside].astype(np.int64), row[inside]
        return begin, nodes


CoreArrays = tuple[_core.Questions, Int32, Int32, Int32, Float64, Int32, _core.Questions, Int32]


def core_arrays(tree: TreeArrays) -> CoreArrays:
    """List the arrays that the core needs to send rows down a tree."""
    of = tree.surrogates
    nodes = tree.for_core(), tree.child_begin, tree.child, tree.missing_branch, tree.weight
    return *nodes, of.begin, of.for_core(), of.low_branch


def router_of(tree: TreeArrays) -> _core.Router:
    """Make the core's router, which lays the tree out for sending rows down."""
    return _core.Router(*core_arrays(tree))


def last_below(inner: Bool, child_begin: Int32, child: Int32) -> Int32:
    """Find the last node of every subtree by following last children; `inner` marks nodes with children."""
    last = np.arange(len(inner), dtype=np.int32)
    last[inner] = child[child_begin[1:][inner] - 1]
    return _followed(last)


def _followed(to: Array) -> Array:
    """Follow every pointer to its end, twice as far in each round."""
    while not np.array_equal(further := to.take(to), to):
        to = further
    return to
