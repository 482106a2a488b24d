"""Prediction: rows in, what their leaves say out."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from treewright.engines.threads import n_threads
from treewright.errors import TableError
from treewright.estimators.fitted import Fitted, FittedState
from treewright.model.plain import Plain
from treewright.model.rows import holds_values, read_row
from treewright.table.match import refuse_other_names
from treewright.table.read import Table, read

# Below this many values a second thread costs more than it saves.
_VALUES_WORTH_THREADS = 20_000


class Predicting(Fitted):
    """Ways to ask a fitted tree about rows."""

    n_jobs: int | None

    def predict(self, X: Any, check_input: bool = True) -> NDArray[Any]:
        """Predict the class or the number of every row.

        Parameters
        ----------
        X : table
            As for `fit`, or one row as a dict of values. Columns are matched by name where they have names,
            in any order. A category that was not there in training counts as missing, with a warning.
        check_input : bool
            For compatibility with scikit-learn; input is always checked.

        Returns
        -------
        array of shape (n_samples,)
            Labels of classes, or numbers.
        """
        state = self._fitted()
        return self._answers(self._rows(X, state), state)

    def apply(self, X: Any, check_input: bool = True) -> NDArray[np.int64]:
        """Find the leaf of every row.

        Parameters
        ----------
        X : table
            As for `predict`.
        check_input : bool
            For compatibility with scikit-learn; input is always checked.

        Returns
        -------
        array of int64, shape (n_samples,)
            Numbers of leaves; nodes are numbered in pre-order, the root is 0. The heaviest leaf of a row that
            is in several.
        """
        state = self._fitted()
        rows = self._rows(X, state)
        return state.model.apply(rows, self._n_threads(rows))

    def decision_path(self, X: Any, check_input: bool = True) -> csr_matrix:
        """List the nodes that every row passes.

        Parameters
        ----------
        X : table
            As for `predict`.
        check_input : bool
            For compatibility with scikit-learn; input is always checked.

        Returns
        -------
        sparse matrix of shape (n_samples, n_nodes)
            1 where a row passes a node; a share where rows without a value go down every branch.
        """
        state = self._fitted()
        rows, model = self._rows(X, state), state.model
        begin, nodes, shares = model.path(rows, self._n_threads(rows))
        if (shares == 1).all():
            shares = shares.astype(np.int64)  # as scikit-learn has it
        return csr_matrix((shares, nodes, begin), shape=(len(begin) - 1, model.tree.n_nodes))

    def _rows(self, X: Any, state: FittedState) -> Table | Plain:
        """Take rows to predict for: as they are where that will do, otherwise read and with names checked."""
        model = state.model
        if isinstance(X, dict) == state.has_names:
            plain = model.plain(X)
            if plain is not None:
                return plain
        is_row = isinstance(X, Mapping) and holds_values(X)
        table = read_row(X, model.schema) if is_row else read(X)
        self._check_names(table, state)
        return table

    def _table(self, X: Any) -> Table:
        state = self._fitted()
        table = read(X)
        self._check_names(table, state)
        return table

    def _check_names(self, table: Table, state: FittedState) -> None:
        """Refuse other columns, and warn in scikit-learn's words where they are matched by position."""
        was_named, n_columns = state.has_names, len(state.model.schema.columns)
        estimator = type(self).__name__
        if not (was_named and table.has_names) and len(table.columns) != n_columns:
            raise TableError(
                f"X has {len(table.columns)} features, but {estimator} is expecting {n_columns} "
                "features as input."
            )
        if was_named and table.has_names:
            refuse_other_names(table, state.model.schema)
        if was_named and not table.has_names:
            warnings.warn(
                f"X does not have valid feature names, but {estimator} was fitted with feature names",
                UserWarning,
                stacklevel=4,
            )
        if table.has_names and not was_named:
            warnings.warn(
                f"X has feature names, but {estimator} was fitted without feature names",
                UserWarning,
                stacklevel=4,
            )

    def _n_threads(self, rows: Table | Plain) -> int:
        n_values = rows.block.size if isinstance(rows, Plain) else rows.n_rows * len(rows.columns)
        is_small = n_values < _VALUES_WORTH_THREADS
        if is_small and self.n_jobs is None:
            return 1  # without asking the system: this is the way of single rows
        threads = n_threads(self.n_jobs)
        return 1 if is_small else threads
