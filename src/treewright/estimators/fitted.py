"""What the estimators' ways to read, prune and hand over a tree ask of an estimator."""

import weakref
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright.estimators.targets import read_labelled
from treewright.model.labelled_rows import LabelledRows
from treewright.parts.pruners import Risk
from treewright.recipes import Recipe
from treewright.table.read import Raw, Table
from treewright.table.target import CodedClasses

if TYPE_CHECKING:
    from treewright.model.model import Model
    from treewright.model.plain import Plain


class RowsAtHand:
    """What `fit` was given, as long as somebody else holds on to it; copies and pickles do not come along.

    Examples
    --------
    >>> table = np.zeros((2, 3))
    >>> rows = RowsAtHand(table, "town", None)
    >>> rows.get()[1:]
    ('town', None)
    >>> del table
    >>> rows.get() is None
    True
    """

    __slots__ = ("_given",)

    def __init__(self, *given: Any) -> None:
        try:
            self._given = tuple(
                each if each is None or isinstance(each, str) else weakref.ref(each) for each in given
            )
        except TypeError:  # lists and dicts cannot be looked for
            self._given = ()

    def get(self) -> tuple[Any, ...] | None:
        """Give it all, None where some of it is gone."""
        found = tuple(
            (each(), True) if isinstance(each, weakref.ref) else (each, False) for each in self._given
        )
        is_gone = any(each is None and was_weak for each, was_weak in found)
        return None if is_gone or not found else tuple(each for each, _ in found)

    def __reduce__(self) -> tuple[type["RowsAtHand"], tuple[()]]:
        return RowsAtHand, ()


@dataclass(frozen=True, slots=True)
class FittedState:
    """All that `fit` finds out, published by one assignment.

    A thread that predicts while another one fits sees the old state or the new one, never half of each.

    Parameters
    ----------
    model : Model
        The tree and the schema of its table.
    has_names : bool
        Whether the columns of the training table had names.
    classes : array or None
        Labels in the type of the target; None of a target of numbers.
    max_features : int or None
        Columns drawn for each node, where the estimator draws some.
    rows : RowsAtHand
        What it was fitted with.
    """

    model: "Model"
    has_names: bool
    classes: NDArray[Any] | None = None
    max_features: int | None = None
    rows: RowsAtHand = field(default_factory=RowsAtHand)


class Fitted:
    """An estimator with a tree, as its mixins see it; `BaseTree` and its children fill it in."""

    _state: FittedState

    def _fitted(self) -> FittedState:
        """Give what `fit` found out, or raise where nothing was fitted yet.

        Whatever needs no more than this asks once, and holds on to the answer.
        """
        state: FittedState | None = self.__dict__.get("_state")
        if state is None:
            check_is_fitted(self)
        assert state is not None, "check_is_fitted has raised"
        return state

    def _still(self) -> Self:
        """Give a copy that shares everything, and that a `fit` in another thread does not change.

        Whatever asks for the fitted state in several places does so on such a copy.
        """
        still = object.__new__(type(self))
        still.__dict__ = self.__dict__.copy()
        return still

    def __sklearn_is_fitted__(self) -> bool:
        return "_state" in self.__dict__

    @property
    def model_(self) -> "Model":
        """The tree together with what it remembers of the table."""
        return self._fitted().model

    @property
    def n_features_in_(self) -> int:
        """Columns of the training table."""
        return len(self._fitted().model.schema.columns)

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the columns of the training table, where all of them are texts."""
        state = self._fitted()
        if not state.has_names:
            raise AttributeError(f"this {type(self).__name__} was fitted without feature names.")
        return np.array(state.model.schema.names, dtype=object)

    @property
    def n_outputs_(self) -> int:
        """1."""
        self._fitted()
        return 1

    def _table(self, X: Any) -> Table:
        """Read a table to ask about, and refuse other columns."""
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

    def _answers(self, rows: "Table | Plain", state: FittedState) -> NDArray[Any]:
        """Give for every row its class or its number."""
        raise NotImplementedError

    def _n_columns_drawn(self, n_columns: int) -> int | None:
        """Tell how many columns are drawn for each node; None where the estimator draws none."""
        return None

    def _risk(self) -> Risk:
        """Tell what cost-complexity pruning weighs against leaves."""
        return "impurity"

    def _weighed(self, rows: LabelledRows) -> LabelledRows:
        """Let the classes of rows weigh in where they have weights."""
        return replace(rows, weights=self._weigh(rows.target, rows.weights))

    def _labelled(self, X: Any, y: Any, sample_weight: Any, purpose: str) -> LabelledRows:
        """Read rows of the columns that the tree was grown on, with their target and weights as given."""
        rows = read_labelled(X, y, sample_weight, self, purpose)
        return replace(rows, table=self._table(rows.table))
