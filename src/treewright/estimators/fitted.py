"""The state that `fit` gives an estimator."""

import weakref
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from treewright.model.model import Model


class RowsAtHand:
    """The arguments of `fit`, held by weak references; copies and pickles of an estimator leave them out.

    Examples
    --------
    >>> import numpy as np
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
        except TypeError:  # lists and dicts have no weak references
            self._given = ()

    def get(self) -> tuple[Any, ...] | None:
        """Return all arguments, or None if one of them no longer exists."""
        found = tuple(each() if isinstance(each, weakref.ref) else each for each in self._given)
        is_gone = any(
            now is None and given is not None for now, given in zip(found, self._given, strict=True)
        )
        return None if is_gone or not found else found

    def __reduce__(self) -> tuple[type["RowsAtHand"], tuple[()]]:
        return RowsAtHand, ()


@dataclass(frozen=True, slots=True)
class FittedState:
    """All results of `fit`, set by one assignment.

    A thread that predicts while another one fits sees the old state or the new one, never a mixture.

    Parameters
    ----------
    model : Model
        The tree and the schema of its table.
    has_names : bool
        Whether the columns of the training table had names.
    classes : array or None
        Class labels in the type of the target; None for a numeric target.
    max_features : int or None
        Number of columns drawn for each node, if the estimator draws columns.
    rows : RowsAtHand
        The arguments of `fit`.
    """

    model: Model
    has_names: bool
    classes: NDArray[Any] | None = None
    max_features: int | None = None
    rows: RowsAtHand = field(default_factory=RowsAtHand)
