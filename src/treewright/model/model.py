"""The model: a tree plus the schema that made it. It answers for new rows and needs nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.model.ledger import Ledger
from treewright.model.plain import Plain, Shortcut
from treewright.model.provenance import Provenance
from treewright.model.pruning_table import PruningTable
from treewright.model.rows import Row, given_values, read_row
from treewright.model.tree import Tree
from treewright.schema import Classes, Schema
from treewright.table.checks import first_infinite, refuse_infinite, refuse_missing
from treewright.table.encode import Codes, encode_as, encode_block
from treewright.table.match import match
from treewright.table.read import Table, read

# Parts of a row add up to what they should but for rounding, which must not tell equals apart.
_ROUNDING = 2**-40


@dataclass(frozen=True)
class Model:
    """A tree and its schema.

    Parameters
    ----------
    schema : Schema
        What the tree knows of tables.
    tree : Tree
        The nodes.
    grown : Tree, optional
        The tree before it was pruned; other ways to prune, and rules, start from it.
    pruning : PruningTable, optional
        The trees that pruning had to choose from.
    factors : tuple of float, optional
        What a row of each class counts, its weight apart, where priors say so.
    provenance : Provenance, optional
        What it was grown from, and by what.
    """

    schema: Schema
    tree: Tree
    grown: Tree | None = None
    pruning: PruningTable | None = None
    factors: tuple[float, ...] | None = None
    provenance: Provenance | None = None

    def __post_init__(self) -> None:
        for tree in filter(None, (self.tree, self.grown)):
            tree.name_columns(self.schema.names)

    def __reduce__(self) -> tuple[type["Model"], tuple[Any, ...]]:
        # What was laid out for predicting is laid out again where it is needed.
        return Model, tuple(getattr(self, each.name) for each in fields(self))

    def codes(self, data: object) -> Codes:
        """Give the columns of a table in the order of the schema, encoded as the tree compares them."""
        return self._encode(read(data))

    @property
    def ledger(self) -> Ledger | None:
        """What was considered at each node, None where that was not kept."""
        arrays = self.tree.ledger
        return None if arrays is None else Ledger(self.schema, arrays, self.tree.integer_columns)

    def plain(self, data: object) -> Plain | None:
        """Give rows as the core takes them, None where they have to be read first."""
        return self._shortcut.take(data)

    def apply(self, data: object, n_threads: int = 1) -> NDArray[np.int64]:
        """Find the leaf of every row.

        Parameters
        ----------
        data : table
            Anything `treewright.table.read.read` takes; columns are matched by name.
        n_threads : int
            Threads to use.

        Returns
        -------
        array of int64
            Numbers of leaves; of several that a row is in the heaviest one, and where rows without a value
            stop that of the inner node.
        """
        return self._take(data, self._numbers_of_nodes, n_threads)[:, 0]

    def shares(self, data: object, n_threads: int = 1) -> NDArray[np.float64]:
        """Give for every row the probability of each class."""
        return self._take(data, self.tree.probabilities, n_threads)

    def predict(self, data: object, n_threads: int = 1) -> NDArray[Any]:
        """Give for every row its heaviest class, or its number."""
        if not isinstance(self.schema.target, Classes):
            return self.numbers(data, n_threads)
        labels: NDArray[Any] = np.array(self.schema.target.labels)
        return labels[self.answers(data, n_threads)]

    def answers(self, data: object, n_threads: int = 1) -> NDArray[np.intp]:
        """Give for every row the position of its class."""
        if not self._router.spreads:
            return self._take(data, self._answers_of_nodes, n_threads)[:, 0]
        return self._likeliest(self._take(data, self.tree.shares, n_threads))

    def answers_to_codes(self, codes: Codes, n_threads: int = 1) -> NDArray[Any]:
        """Give for every row of `codes` the position of its class, or its number."""
        of_nodes: NDArray[Any] = self.tree.outcome
        if self.tree.is_classifier:
            of_nodes = self.tree.shares if self._router.spreads else self._answers_of_nodes
        taken = self._router.take(codes, of_nodes, True, n_threads)
        assert taken is not None, "infinities were refused"
        if self.tree.is_classifier and self._router.spreads:
            return self._likeliest(taken)
        return taken[:, 0]

    def labelled(self, rows: Table | Plain, labels: NDArray[Any], n_threads: int = 1) -> NDArray[Any]:
        """Give for every row the label of its class, out of an array of them."""
        n_rows = len(rows.block) if isinstance(rows, Plain) else rows.n_rows
        if n_rows < self.tree.n_nodes or labels.dtype != np.int64 or self._router.spreads:
            return labels.take(self.answers(rows, n_threads))
        # Numbers can stand in the leaves themselves, which saves rows their way over the position.
        return self._take(rows, labels.take(self.tree.answer)[:, None], n_threads)[:, 0]

    def numbers(self, data: object, n_threads: int = 1) -> NDArray[np.float64]:
        """Give for every row its number."""
        return self._take(data, self.tree.outcome, n_threads)[:, 0]

    @property
    def spreads(self) -> bool:
        """Whether rows without a value may reach several leaves."""
        return self._router.spreads

    def row(self, data: object) -> Row:
        """Read one row.

        Parameters
        ----------
        data : dict, series, 1-D array, list or table
            See `treewright.model.rows.read_row`.

        Returns
        -------
        Row
        """
        table = read_row(data, self.schema)
        codes = self._encode(table)
        return Row(self.schema, codes, given_values(table, codes, self.schema))

    def answer_in(self, leaves: Sequence[int], shares: Sequence[float]) -> int:
        """Give the position of the class of a row that is in these leaves, with so much of it in each."""
        if not self.spreads:
            return int(self.tree.answer[leaves[0]])
        mixed = self.mixed(leaves, shares, self.tree.shares)
        return int(self.tree.answers_to(mixed[None], rounding=_ROUNDING)[0])

    @staticmethod
    def mixed(
        leaves: Sequence[int], shares: Sequence[float], of_nodes: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Give what some leaves say of a row, in proportion to what of it is in each."""
        if len(leaves) == 1:
            return np.asarray(of_nodes[leaves[0]])
        mixed = np.zeros(of_nodes.shape[1])
        for leaf, share in zip(leaves, shares, strict=True):
            mixed += share * of_nodes[leaf]
        return mixed

    def path(
        self, data: object, n_threads: int = 1
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """List for every row the nodes it passes, and how much of it does.

        Returns
        -------
        begin, nodes, shares : arrays
            The path of row i is ``nodes[begin[i]:begin[i + 1]]``, in pre-order.
        """
        if not self._router.spreads:
            begin, nodes = self.tree.path_of(self.apply(data, n_threads))
            return begin, nodes, np.ones(len(nodes))
        leaf_begin, leaves, shares = self._spread(data)
        rows = np.repeat(np.arange(len(leaf_begin) - 1), np.diff(leaf_begin))
        path_begin, nodes = self.tree.path_of(leaves)
        of_leaf = np.diff(path_begin)
        # A node that several leaves of a row lie below is passed once, with what reaches all of them.
        key = np.repeat(rows, of_leaf) * self.tree.n_nodes + nodes
        passed, at = np.unique(key, return_inverse=True)
        amount = np.zeros(len(passed))
        np.add.at(amount, at, np.repeat(shares, of_leaf))
        begin = np.searchsorted(passed // self.tree.n_nodes, np.arange(len(leaf_begin)))
        return begin.astype(np.int64), passed % self.tree.n_nodes, amount

    def _likeliest(self, shares: NDArray[Any]) -> NDArray[np.intp]:
        """Give for every row the position of its class, by the shares of the leaves that it is in."""
        return self.tree.answers_to(shares, rounding=_ROUNDING)

    def _take(self, data: object, of_nodes: NDArray[Any], n_threads: int) -> NDArray[Any]:
        """Give for every row what its leaf says; numbers of several leaves in their proportions."""
        takes_missing = self.schema.takes_missing
        plain = data if isinstance(data, Plain) else self._shortcut.take(data)
        if plain is not None:
            taken = self._router.take(plain.block, of_nodes, takes_missing, n_threads)
            if taken is not None:
                return taken
            data = plain.block  # with an infinity, or a gap that is refused
        table = read(data)
        codes = self._encoded(table) if takes_missing else self._encode(table)
        if not table.n_rows:
            return np.zeros((0, of_nodes.shape[1]), of_nodes.dtype)
        taken = self._router.take(codes, of_nodes, takes_missing, n_threads)
        if taken is None:
            self._refuse(codes, table.block)
        assert taken is not None, "infinities were refused"
        return taken

    def _spread(self, data: object) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        if isinstance(data, Plain):
            codes, n_rows = self._shortcut.columns(data), len(data.block)
            self._refuse(codes)
        else:
            table = read(data)
            codes, n_rows = self._encode(table), table.n_rows
        if not n_rows:
            return np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0)
        return self._router.spread(codes)

    @cached_property
    def _router(self) -> _core.Router:
        return router_of(self.tree)

    @cached_property
    def _shortcut(self) -> Shortcut:
        return Shortcut.of(self.schema)

    @cached_property
    def _numbers_of_nodes(self) -> NDArray[np.int64]:
        return np.arange(self.tree.n_nodes, dtype=np.int64)[:, None]

    @cached_property
    def _answers_of_nodes(self) -> NDArray[np.int64]:
        return self.tree.answer.astype(np.int64, copy=False)[:, None]

    def _encode(self, table: Table) -> Codes:
        codes = self._encoded(table)
        self._refuse(codes, table.block)
        return codes

    def _encoded(self, table: Table) -> Codes:
        raws = match(table, self.schema)
        if table.block is not None and self._shortcut.is_all_numbers:
            codes = encode_block(table.block)
            if codes is not None:
                return codes
        return encode_as(self.schema.columns, raws, self.schema.takes_missing)

    def _refuse(self, codes: Codes, block: NDArray[Any] | None = None) -> None:
        """Raise if there are infinities, or gaps where none are taken."""
        infinite = first_infinite(codes, block)
        if infinite is not None:
            column, row = infinite
            refuse_infinite(self.schema.columns[column].name, row)
        if not self.schema.takes_missing:
            refuse_missing(codes, self.schema.names)


def router_of(tree: Tree) -> _core.Router:
    """Lay a tree out for rows to be sent down."""
    surrogates = tree.surrogates
    return _core.Router(
        tree.for_core(),
        tree.child_begin,
        tree.child,
        tree.missing_branch,
        tree.weight,
        surrogates.begin,
        surrogates.for_core(),
        surrogates.low_branch,
    )
