"""The model: a tree and the schema of its table. It needs nothing else to predict for new rows."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from treewright import _core
from treewright.model.ledger import Ledger
from treewright.model.plain import Plain, Shortcut
from treewright.model.provenance import Provenance
from treewright.model.pruning_table import PruningTable
from treewright.model.records import Array, Float64, Int32, Int64, Intp
from treewright.model.rows import Row, given_values, read_row
from treewright.model.tree import Tree
from treewright.model.tree_arrays import router_of
from treewright.schema import Classes, Schema
from treewright.table.checks import first_infinite, refuse_infinite, refuse_missing
from treewright.table.encode import Codes, encode_as, encode_block
from treewright.table.match import match
from treewright.table.read import Table, read

# Fractional weights add up to 1 except for rounding, which must not break ties.
_ROUNDING = 2**-40


@dataclass(frozen=True)
class Model:
    """A tree and the schema of the table that it was grown on.

    It predicts for tables with the columns of the training table, in any order, and is immutable.

    Parameters
    ----------
    schema : Schema
        Columns of the training table, their kinds and units, and the target.
    tree : Tree
        The tree.
    grown : Tree, optional
        The tree before pruning. Other pruning rules and the extraction of rules start from it.
    pruning : PruningTable, optional
        The nested trees that pruning chose from.
    factors : tuple of float, optional
        Factor of the weights of the rows of each class, from the priors.
    provenance : Provenance, optional
        The library, the choices and the rows from which the tree was grown.

    See Also
    --------
    treewright.model.tree.Tree : The nodes.

    Examples
    --------
    >>> import treewright as tw
    >>> columns, target = tw.datasets.load("golf")
    >>> model = tw.C45Classifier().fit(columns, target).model_
    >>> model.schema.names
    ('outlook', 'temperature', 'humidity', 'windy')
    >>> rows = {"outlook": ["overcast", "rain"], "temperature": [70, 70], "humidity": [80, 80]}
    >>> rows["windy"] = ["true", "true"]
    >>> model.predict(rows).tolist(), model.apply(rows).tolist()
    (['Play', "Don't Play"], [1, 4])
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
        # Leave out cached properties: the core's layout of the tree is made again when needed.
        return Model, tuple(getattr(self, each.name) for each in fields(self))

    def codes(self, data: object) -> Codes:
        """Read a table and encode its columns as the tree compares them.

        Parameters
        ----------
        data : table
            Anything `treewright.table.read.read` takes; columns are matched by name.

        Returns
        -------
        list of arrays
            The columns in the order of the schema.
        """
        return self._encode(read(data))

    @property
    def ledger(self) -> Ledger | None:
        """The candidates that were compared at every node; None if they were not kept."""
        arrays = self.tree.ledger
        return None if arrays is None else Ledger(self.schema, arrays, self.tree.integer_columns)

    def plain(self, data: object) -> Plain | None:
        """Convert rows that need no reading.

        Parameters
        ----------
        data : object
            See `treewright.model.plain.Shortcut.take`.

        Returns
        -------
        Plain or None
            None if the rows have to be read first.
        """
        return self._shortcut.take(data)

    def apply(self, data: object, n_threads: int = 1) -> Int64:
        """Find the leaf of every row.

        Parameters
        ----------
        data : table
            Anything `treewright.table.read.read` takes; columns are matched by name.
        n_threads : int
            Number of threads.

        Returns
        -------
        array of int64
            Numbers of leaves. A row that reaches several leaves gets the heaviest one, and a row that stops
            at an inner node because a value is missing gets that node.
        """
        return self._take(data, self._numbers_of_nodes, n_threads)

    def shares(self, data: object, n_threads: int = 1) -> Float64:
        """Return the probability of each class for every row.

        Parameters
        ----------
        data : table
            As for `apply`.
        n_threads : int
            Number of threads.

        Returns
        -------
        array of float64, (n_rows, n_classes)
            The probabilities.
        """
        return self._take(data, self._probabilities_of_nodes, n_threads)

    def predict(self, data: object, n_threads: int = 1) -> Array:
        """Predict the class or the number of every row.

        Parameters
        ----------
        data : table
            As for `apply`.
        n_threads : int
            Number of threads.

        Returns
        -------
        array
            Labels of classes, or numbers.
        """
        if not isinstance(self.schema.target, Classes):
            return self.numbers(data, n_threads)
        labels: Array = np.array(self.schema.target.labels)
        return labels[self.answers(data, n_threads)]

    def answers(self, data: object, n_threads: int = 1) -> Intp:
        """Predict the position of the class of every row.

        Parameters
        ----------
        data : table
            As for `apply`.
        n_threads : int
            Number of threads.

        Returns
        -------
        array of int
            Positions among the classes of the schema.
        """
        return self._chosen(self._take(data, self._answers_of_nodes, n_threads))

    def answers_to_codes(self, codes: Codes, n_threads: int = 1) -> Array:
        """Predict the position of the class, or the number, of every row of encoded columns.

        Parameters
        ----------
        codes : list of arrays
            Columns as `codes` gives them.
        n_threads : int
            Number of threads.

        Returns
        -------
        array
            Positions among the classes of the schema, or numbers.
        """
        of_nodes = self._answers_of_nodes if self.tree.is_classifier else self._outcomes_of_nodes
        taken = self._router.take(codes, of_nodes, True, n_threads)
        assert taken is not None, "codes hold no infinity"
        return self._chosen(taken) if self.tree.is_classifier else taken

    def labelled(self, rows: Table | Plain, labels: Array, n_threads: int = 1) -> Array:
        """Predict the label of every row.

        Parameters
        ----------
        rows : Table or Plain
            Rows that have been read.
        labels : array
            A label for each class of the schema.
        n_threads : int
            Number of threads.

        Returns
        -------
        array
            A label for each row.
        """
        n_rows = len(rows.block) if isinstance(rows, Plain) else rows.n_rows
        if n_rows < self.tree.n_nodes or labels.dtype != np.int64 or self.spreads:
            return labels.take(self.answers(rows, n_threads))
        # Labels that are numbers can be stored in the leaves themselves, which saves a lookup.
        return self._take(rows, _core.Answers(labels.take(self.tree.answer)), n_threads)

    def numbers(self, data: object, n_threads: int = 1) -> Float64:
        """Predict the number of every row.

        Parameters
        ----------
        data : table
            As for `apply`.
        n_threads : int
            Number of threads.

        Returns
        -------
        array of float64
            A number for each row.
        """
        return self._take(data, self._outcomes_of_nodes, n_threads)

    @property
    def spreads(self) -> bool:
        """Whether a row with missing values may reach several leaves, with a fractional weight in each."""
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
            The row, its codes and its values.
        """
        table = read_row(data, self.schema)
        codes = self._encode(table)
        return Row(self.schema, codes, given_values(table, codes, self.schema))

    def answer_in(self, leaves: Sequence[int], shares: Sequence[float]) -> int:
        """Predict the class of a row from the leaves that it reaches.

        Parameters
        ----------
        leaves : sequence of int
            The leaves.
        shares : sequence of float
            The fractional weight of the row in each of them.

        Returns
        -------
        int
            Position of the class.
        """
        if not self.spreads:
            return int(self.tree.answer[leaves[0]])
        return int(self._chosen(self.mixed(leaves, shares, self.tree.shares)[None])[0])

    @staticmethod
    def mixed(leaves: Sequence[int], shares: Sequence[float], of_nodes: Float64) -> Float64:
        """Average the values of the leaves that a row reaches.

        Parameters
        ----------
        leaves : sequence of int
            The leaves.
        shares : sequence of float
            The fractional weight of the row in each of them.
        of_nodes : array of float64
            A row of values for each node of the tree.

        Returns
        -------
        array of float64
            The average, by weight.
        """
        if len(leaves) == 1:
            return np.asarray(of_nodes[leaves[0]])
        parts = (share * of_nodes[leaf] for leaf, share in zip(leaves, shares, strict=True))
        return sum(parts, np.zeros(of_nodes.shape[1]))

    def path(self, data: object, n_threads: int = 1) -> tuple[Int64, Int64, Float64]:
        """List the nodes that every row passes.

        Parameters
        ----------
        data : table
            As for `apply`.
        n_threads : int
            Number of threads.

        Returns
        -------
        begin, nodes, shares : arrays
            The path of row i is ``nodes[begin[i]:begin[i + 1]]``, in pre-order, and `shares` has the
            fractional weight of the row in each of these nodes.
        """
        if not self.spreads:
            begin, nodes = self.tree.path_of(self.apply(data, n_threads))
            return begin, nodes, np.ones(len(nodes))
        leaf_begin, leaves, shares = self._spread(data)
        rows = np.repeat(np.arange(len(leaf_begin) - 1), np.diff(leaf_begin))
        path_begin, nodes = self.tree.path_of(leaves)
        of_leaf = np.diff(path_begin)
        # A node above several leaves of a row counts once, with the sum of their fractional weights.
        key = np.repeat(rows, of_leaf) * self.tree.n_nodes + nodes
        passed, at = np.unique(key, return_inverse=True)
        amount = np.bincount(at, np.repeat(shares, of_leaf), len(passed)).astype(np.float64, copy=False)
        begin = np.searchsorted(passed // self.tree.n_nodes, np.arange(len(leaf_begin)))
        return begin.astype(np.int64), passed % self.tree.n_nodes, amount

    def _chosen(self, taken: Array) -> Intp:
        """Return the class of each row, given the `_answers_of_nodes` of its leaf."""
        return self.tree.answers_to(taken, rounding=_ROUNDING) if self.spreads else taken

    def _take(self, data: object, of_nodes: _core.Answers, n_threads: int) -> Array:
        """Return the value of the leaf of every row; values of several leaves are averaged by weight."""
        takes_missing = self.schema.takes_missing
        plain = data if isinstance(data, Plain) else self._shortcut.take(data)
        if plain is not None:
            taken = self._router.take(plain.block, of_nodes, takes_missing, n_threads)
            if taken is not None:
                return taken
            data = plain.block  # has an infinity, or a missing value where none is allowed
        table = read(data)
        codes = self._encoded(table) if takes_missing else self._encode(table)
        taken = self._router.take(codes, of_nodes, takes_missing, n_threads)
        if taken is None:
            self._refuse(codes, table.block)
        assert taken is not None, "infinities were refused"
        return taken

    def _spread(self, data: object) -> tuple[Int64, Int32, Float64]:
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
    def _numbers_of_nodes(self) -> _core.Answers:
        return _core.Answers(np.arange(self.tree.n_nodes, dtype=np.int64))

    @cached_property
    def _outcomes_of_nodes(self) -> _core.Answers:
        return _core.Answers(self.tree.outcome[:, 0])

    @cached_property
    def _probabilities_of_nodes(self) -> _core.Answers:
        return _core.Answers(self.tree.probabilities)

    @cached_property
    def _answers_of_nodes(self) -> _core.Answers:
        """The values of nodes that decide the class: proportions if a row may reach several leaves."""
        return _core.Answers(
            self.tree.shares if self.spreads else self.tree.answer.astype(np.int64, copy=False)
        )

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

    def _refuse(self, codes: Codes, block: Array | None = None) -> None:
        """Raise if there are infinities, or missing values that are not allowed."""
        if (infinite := first_infinite(codes, block)) is not None:
            refuse_infinite(self.schema.names[infinite[0]], infinite[1])
        if not self.schema.takes_missing:
            refuse_missing(codes, self.schema.names)
