"""What the estimators' ways to read, prune and hand over a tree ask of an estimator."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import TargetError, did_you_mean, listed
from treewright.parts.pruners import Risk
from treewright.recipes import Recipe
from treewright.table.read import Raw, Table
from treewright.table.target import CodedClasses

if TYPE_CHECKING:
    from treewright.model.model import Model
    from treewright.model.plain import Plain


class Fitted:
    """An estimator with a tree, as its mixins see it; `BaseTree` and its children fill it in."""

    def _fitted(self) -> "Model":
        """Give the model, or raise where there is none yet."""
        raise NotImplementedError

    def _table(self, X: Any) -> Table:
        """Read a table to ask about, and refuse other columns."""
        raise NotImplementedError

    def _rows(self, X: Any) -> "Table | Plain":
        """Take rows to predict for, and refuse other columns."""
        raise NotImplementedError

    def _read_target(self, raw: Raw) -> CodedClasses | NDArray[np.float64]:
        """Read a target of the estimator's kind."""
        raise NotImplementedError

    def _weigh(
        self, target: CodedClasses | NDArray[np.float64], weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        """Let classes weigh in where they have weights."""
        raise NotImplementedError

    def _as_grown(self) -> Recipe:
        """Give the parts that pruning asks of growing: criterion, leaf values, error-based pruner."""
        raise NotImplementedError

    def _n_threads(self, rows: "Table | Plain") -> int:
        """Tell how many threads rows are worth."""
        raise NotImplementedError

    def _answers(self, rows: "Table | Plain") -> NDArray[Any]:
        """Give for every row its class or its number."""
        raise NotImplementedError

    def _risk(self) -> Risk:
        """Tell what cost-complexity pruning weighs against leaves."""
        return "impurity"

    def _as_known(self, target: CodedClasses) -> CodedClasses:
        """Give classes the numbers that the tree has for them."""
        labels = self._fitted().schema.target.labels  # type: ignore[union-attr]  # a tree of classes
        place = {label: at for at, label in enumerate(labels)}
        strangers = [label for label in target.names if label not in place]
        if strangers:
            raise TargetError(
                f"y holds {listed(strangers)}, which the tree was not grown on; its classes are "
                f"{listed(labels)}." + did_you_mean(strangers[0], labels)
            )
        renumbered = np.array([place[label] for label in target.names], dtype=np.int32)
        return CodedClasses(renumbered[target.codes], np.array(labels), target.n_declared)
