"""The tree: read-only arrays in pre-order, with the root as node 0, and ways to walk them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from treewright import _core
from treewright.model.questions import Question, Surrogate
from treewright.model.records import Int32
from treewright.model.sklearn_names import SklearnNames

HEURISTIC = 2  # a value of `search`


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a tree.

    It is a copy of the entries that the arrays of the tree have for the node.

    Parameters
    ----------
    id : int
        Its number. Nodes are numbered in pre-order, and the root is 0.
    parent : int or None
        Number of its parent, None at the root.
    depth : int
        Number of edges from the root.
    question : Threshold, Branches or None
        Its split; None at a leaf.
    children : tuple of int
        A node for each branch; empty at a leaf.
    n_rows : int
        Number of training rows of positive weight that reached it.
    weight : float
        Weight of these rows in growing.
    impurity : float
        Impurity of their targets.
    gain : float
        Weight / total weight × decrease of impurity; 0 at a leaf.
    outcome : tuple of float
        Weight of each class, or the mean or median; clipped to its bounds if the tree is monotone.
    surrogates : tuple of Surrogate
        Questions about other columns, for rows with a missing value, the best first.
    errors : float or None
        Errors expected below it, if pruning has estimated them.

    Examples
    --------
    >>> import treewright as tw
    >>> tree = tw.DecisionTreeClassifier().fit({"age": [22, 35, 58]}, ["no", "no", "yes"]).tree_
    >>> root = tree.node(0)
    >>> root.question, root.children, root.n_rows
    (Threshold(column=0, cut=46.5, missing_branch=0), (1, 2), 3)
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


class Tree(SklearnNames):
    """A grown tree: read-only arrays with an entry for each node, in pre-order, the root first.

    The arrays described here exist for every tree. The names of scikit-learn's ``tree_`` (`feature`,
    `threshold`, `children_left`, ...) exist where every node has two branches. Two trees are equal if all
    their arrays are, bit for bit.

    Parameters
    ----------
    column : array of int32
        Column that each node splits on, −1 at a leaf.
    cut : array of float64
        Threshold: values up to and including it take branch 0. If infinite, all known values do. NaN at a
        leaf and if a node splits on categories.
    missing_branch : array of int32
        Branch of a missing value; −1 at a leaf, and if such rows go down every branch with fractional
        weights; −2 if they stop at the node.
    child_begin, child : arrays of int32
        The children of node i are ``child[child_begin[i]:child_begin[i + 1]]``.
    n_rows : array of int64
        Number of training rows of positive weight.
    weight : array of float64
        Weight of these rows in growing.
    outcome : array of float64, (n_nodes, n_classes) or (n_nodes, 1)
        Weight of each class, or the mean or median; clipped to its bounds if the tree is monotone.
    impurity : array of float64
        Impurity of the targets.
    gain : array of float64
        Weight / total weight × decrease of impurity; 0 at a leaf.
    cut_integer : array of int64
        The threshold if the column is compared as int64, else 0.
    search : array of int8
        How a split on categories was found: 1 by a search that finds the best one, 2 by a heuristic; 0 for
        all other nodes.
    set_begin, set_code, set_branch : arrays of int32
        If node i splits on categories, those in ``set_code[set_begin[i]:set_begin[i + 1]]``, in ascending
        order, take the branches at the same positions of `set_branch`. All others count as missing.
    loss : array of float64, (n_classes, n_classes), optional
        Cost of a prediction: a row for each true class, a column for each prediction. None counts errors.
    errors : array of float64, optional
        Expected errors of every subtree, if pruning has estimated them.
    label : array of int32, optional
        The class that each node predicts, if pruning has broken ties.
    net_gain, ratio : arrays of float64, optional
        For trees grown by gain ratio: the gain in bits, minus the charge for the cuts tried and with missing
        values taken into account, and the ratio or gain that columns were compared by.
    n_columns : int
        Number of columns of the training table.
    is_classifier : bool
        Whether outcomes are weights of classes.
    integer_columns : tuple of int
        Columns that are compared as int64.
    smoothing : float
        Weight added to every class for probabilities. The predicted class does not depend on it.
    is_certain_when_empty : bool
        Whether a leaf without training rows gives its class the probability 1, instead of repeating the
        probabilities of the node above it.
    surrogates : SurrogateArrays, optional
        Questions about other columns, for rows with a missing value. By default there are none.
    ledger : LedgerArrays, optional
        The candidates that were compared at every node, if they were kept.

    See Also
    --------
    treewright.model.model.Model : A tree with the schema of its table.

    Examples
    --------
    >>> import treewright as tw
    >>> columns, target = tw.datasets.load("golf")
    >>> tree = tw.C45Classifier().fit(columns, target).tree_
    >>> tree
    <Tree: 8 nodes, 5 leaves, depth 2>
    >>> tree.column.tolist(), tree.children(0)
    ([0, -1, 3, -1, -1, 2, -1, -1], (1, 2, 5))
    >>> [node.id for node in tree.walk() if node.is_leaf]
    [1, 3, 4, 6, 7]
    """

    def __repr__(self) -> str:
        return f"<Tree: {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.max_depth}>"

    def children(self, node: int) -> tuple[int, ...]:
        """List the children of a node.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        tuple of int
            A node for each branch; empty at a leaf.
        """
        begin, end = self.child_begin[node], self.child_begin[node + 1]
        return tuple(self.child[begin:end].tolist())

    def question(self, node: int) -> Question | None:
        """Return the question of a node.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        Threshold, Branches or None
            None at a leaf.
        """
        if self.column[node] < 0:
            return None
        n_branches, missing_branch = len(self.children(node)), int(self.missing_branch[node])
        is_exact = bool(self.search[node] != HEURISTIC)
        return self.question_at(node, n_branches, missing_branch, self.integer_columns, is_exact)

    def inner_question(self, node: int) -> Question:
        """Return the question of an inner node.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        Threshold or Branches
            The question.
        """
        question = self.question(node)
        assert question is not None, "an inner node has a question"
        return question

    def node(self, number: int) -> Node:
        """Return one node with everything known about it.

        Parameters
        ----------
        number : int
            Number of the node.

        Returns
        -------
        Node
            The node, with its question, weights and children.

        Raises
        ------
        IndexError
            If the tree has no such node.
        """
        if not 0 <= number < self.n_nodes:
            raise IndexError(f"node {number} does not exist; the tree has nodes 0 to {self.n_nodes - 1}.")
        return Node(
            id=number,
            parent=int(self.parent[number]) if number else None,
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
        """Visit all nodes in pre-order, that is, in the order of their numbers.

        Returns
        -------
        iterator of Node
            The nodes, the root first.
        """
        return (self.node(number) for number in range(self.n_nodes))

    def collapsed(self, nodes: Iterable[int]) -> "Tree":
        """Make a tree in which some nodes are leaves, without the nodes below them.

        Parameters
        ----------
        nodes : iterable of int
            Numbers of the nodes.

        Returns
        -------
        Tree
            The smaller tree.
        """
        leaves = np.asarray(nodes if isinstance(nodes, np.ndarray) else list(nodes), dtype=np.int32)
        return self.taken(*_core.cut_at(self.child_begin, self.child, leaves))

    def taken(self, nodes: Int32, child_begin: Int32, child: Int32) -> "Tree":
        """Make a tree of some nodes of this one.

        Parameters
        ----------
        nodes : array of int32
            The nodes, in their new order.
        child_begin, child : arrays of int32
            Their children in the new tree. A node without children is a leaf of it.

        Returns
        -------
        Tree
            The tree of these nodes.
        """
        kept = nodes.astype(np.intp)  # converted once instead of once per array
        inner = np.diff(child_begin) > 0
        taken = self.selected("node", kept, inner, but="child_begin")
        taken |= {"child_begin": child_begin, "child": child}
        taken["surrogates"] = self.surrogates.of_nodes(kept, inner)
        if self.ledger is not None:
            taken["ledger"] = self.ledger.of_nodes(kept, ~inner & (self.column[kept] >= 0))
        return replace(self, **taken)
