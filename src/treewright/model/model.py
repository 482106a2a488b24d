"""The model: a tree plus the schema that made it. It answers for new rows and needs nothing else."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.model.surrogates import SurrogateArrays
from treewright.model.tree import Tree
from treewright.schema import Classes, Schema
from treewright.table.encode import Codes, encode_as, encode_block
from treewright.table.gaps import first_infinite, refuse_infinite, refuse_missing
from treewright.table.match import match
from treewright.table.read import Table, read


@dataclass(frozen=True)
class Model:
    """A tree and its schema.

    Parameters
    ----------
    schema : Schema
        What the tree knows of tables.
    tree : Tree
        The nodes.
    """

    schema: Schema
    tree: Tree

    def __reduce__(self) -> tuple[type["Model"], tuple[Schema, Tree]]:
        return Model, (self.schema, self.tree)  # the router is built again where it is needed

    def apply(self, data: object, n_threads: int = 1) -> NDArray[np.int32]:
        """Find the leaf of every row.

        Parameters
        ----------
        data : table
            Anything `treewright.table.read.read` takes; columns are matched by name.
        n_threads : int
            Threads to use.

        Returns
        -------
        array of int32
            Numbers of leaves.
        """
        table = read(data)
        codes = self._encode(table)
        if not table.n_rows:
            return np.zeros(0, dtype=np.int32)
        return self._router.apply(codes, n_threads)

    def shares(self, data: object, n_threads: int = 1) -> NDArray[np.float64]:
        """Give for every row the share of each class in its leaf."""
        return self.tree.shares[self.apply(data, n_threads)]

    def predict(self, data: object, n_threads: int = 1) -> NDArray[Any]:
        """Give for every row its leaf's heaviest class, or its mean."""
        leaves = self.apply(data, n_threads)
        if isinstance(self.schema.target, Classes):
            labels: NDArray[Any] = np.array(self.schema.target.labels)
            return labels[self.tree.answer[leaves]]
        return self.tree.outcome[:, 0][leaves]

    def path(self, data: object, n_threads: int = 1) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """List for every row the nodes it passes; see `Tree.path_of`."""
        return self.tree.path_of(self.apply(data, n_threads))

    @cached_property
    def _router(self) -> _core.Router:
        tree, surrogates = self.tree, self.tree.surrogates
        return _core.Router(
            _questions(tree),
            tree.child_begin,
            tree.child,
            tree.missing_branch,
            surrogates.begin,
            _questions(surrogates),
            surrogates.low_branch,
        )

    @cached_property
    def _all_numbers(self) -> bool:
        return all(column.kind == "number" for column in self.schema.columns)

    def _encode(self, table: Table) -> Codes:
        raws = match(table, self.schema)
        codes = None
        if table.block is not None and self._all_numbers:
            codes = encode_block(table.block)
        if codes is None:
            codes = encode_as(self.schema.columns, raws, self.schema.takes_missing)
        infinite = first_infinite(codes, table.block)
        if infinite is not None:
            column, row = infinite
            refuse_infinite(self.schema.columns[column].name, row)
        if not self.schema.takes_missing:
            refuse_missing(codes, self.schema.names)
        return codes


def _questions(of: Tree | SurrogateArrays) -> _core.Questions:
    return _core.Questions(of.column, of.cut, of.cut_integer, of.set_begin, of.set_code, of.set_branch)
