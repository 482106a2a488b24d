"""Records of read-only arrays, whose types and shapes are declared once, with their fields.

Copying, comparing, checking, saving and selecting entries follow from the declaration::

    class Grades(ArrayRecord):
        begin: Annotated[Int32, Per("pupil", runs_of="grade")]
        grade: Annotated[Float64, Per("grade")]

says that `begin` has an entry for each pupil and one more, and that the grades of pupil i are
``grade[begin[i]:begin[i + 1]]``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from operator import eq
from types import NoneType
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

LARGE = 1e300
"""Largest weight of a node or class, so that all sums stay finite; a row weighs at most 1e150."""

Int8: TypeAlias = NDArray[np.int8]
Int32: TypeAlias = NDArray[np.int32]
Int64: TypeAlias = NDArray[np.int64]
Intp: TypeAlias = NDArray[np.intp]
Float64: TypeAlias = NDArray[np.float64]
Bool: TypeAlias = NDArray[np.bool_]
Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Per:
    """Declares what the entries of an array in a record stand for.

    Parameters
    ----------
    entry : str
        What the array has one entry for, such as ``"node"``.
    runs_of : str
        If the array holds the position at which the run of each entry begins: what the runs consist of. Such
        an array has one more entry, the end of the last run.
    columns : str
        For an array of two dimensions: what it has one column for.
    nullable, may_be_infinite : bool
        Whether values may be NaN, or infinite.
    least, most : float, optional
        Bounds of the values.
    indexes : str
        What the values are positions of; they start at `least`.
    may_be_empty : bool
        Whether the array may have no entries at all, because a recipe has no such figures.
    omit : {"", "zero", "empty"}
        When model files leave the array out: never, if all its values are 0, or if it is empty.
    at_leaf : float, optional
        The value of an array about questions at a leaf.
    dtype, is_optional : type, bool
        Type of the values, and whether the array may be None; taken from the annotation.
    """

    entry: str
    runs_of: str = ""
    columns: str = ""
    nullable: bool = False
    may_be_infinite: bool = False
    least: float | None = None
    most: float | None = None
    indexes: str = ""
    may_be_empty: bool = False
    omit: str = ""
    at_leaf: float | None = None
    dtype: type[np.generic] = np.float64
    is_optional: bool = False


class ArrayRecord:
    """A frozen dataclass of arrays; subclasses declare them as ``name: Annotated[type, Per(...)]``.

    Arrays become read-only. Records are equal if all arrays are equal, bit for bit, and all other fields are.
    """

    @classmethod
    def arrays(cls) -> Mapping[str, Per]:
        """Return the declaration of each array, by name.

        Returns
        -------
        mapping of str to Per
            In the order of the fields.
        """
        record: Any = cls
        return _arrays_of(record)

    @classmethod
    def zeros(cls, n_entries: Mapping[str, int]) -> dict[str, Array]:
        """Make arrays of zeros.

        Parameters
        ----------
        n_entries : mapping of str to int
            Number of entries of each kind; 0 for all other kinds.

        Returns
        -------
        dict of str to array
            The arrays by name.
        """
        return {
            name: np.zeros(n_entries.get(per.entry, 0) + bool(per.runs_of), per.dtype)
            for name, per in cls.arrays().items()
        }

    def __post_init__(self) -> None:
        for name in self.arrays():
            if (values := getattr(self, name)) is not None:
                values.setflags(write=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # Copy through the constructor, so that copies are read-only too and have no cached properties.
        return _rebuilt, (type(self), self._fields())

    def __eq__(self, other: object) -> bool:
        """Compare bit for bit."""
        if not isinstance(other, ArrayRecord) or type(other) is not type(self):
            return NotImplemented
        return all(map(eq, self._comparable(), other._comparable()))

    def __hash__(self) -> int:
        return hash(tuple(self._comparable()))

    def _fields(self) -> dict[str, Any]:
        record: Any = self
        return {each.name: getattr(self, each.name) for each in fields(record)}

    def _comparable(self) -> Iterator[Any]:
        for value in self._fields().values():
            yield value.tobytes() if isinstance(value, np.ndarray) else value

    def selected(self, entry: str, at: Array, inner: Bool | None = None, but: str = "") -> dict[str, Any]:
        """Select entries, and the runs that belong to them, from all arrays with one value per `entry`.

        Parameters
        ----------
        entry : str
            What the arrays have an entry for.
        at : array of int
            Positions to take.
        inner : array of bool, optional
            Which of these are not leaves. Leaves have no runs, and the value `Per.at_leaf` if it is declared.
        but : str
            An array to skip, with its runs.

        Returns
        -------
        dict of str to array
            The new arrays by name.
        """
        taken: dict[str, Any] = {}
        not_leaves = None if inner is None else np.flatnonzero(inner)
        for name, per in self.arrays().items():
            values = getattr(self, name)
            if per.entry != entry or name == but or values is None:
                continue
            if per.runs_of:
                sizes = np.diff(values).take(at)
                if inner is not None:
                    sizes[~inner] = 0
                taken[name] = begins_of(sizes).astype(values.dtype)
                taken |= self.selected(per.runs_of, runs(values.take(at), sizes))
            elif not_leaves is not None and per.at_leaf is not None:
                taken[name] = np.full(len(at), per.at_leaf, dtype=values.dtype)
                taken[name][not_leaves] = values.take(at.take(not_leaves))
            else:
                taken[name] = values.take(at, axis=0) if len(values) or not per.may_be_empty else values
        return taken


def runs(begins: Array, sizes: Array) -> Array:
    """List the positions of runs, one run after the other.

    Examples
    --------
    >>> runs(np.array([7, 2]), np.array([2, 3]))
    array([7, 8, 2, 3, 4])
    """
    before = np.cumsum(sizes) - sizes
    return np.repeat(begins - before, sizes) + np.arange(int(sizes.sum()))


def begins_of(sizes: Array) -> Int64:
    """Return the starts of consecutive runs of these sizes, and the end of the last run.

    Examples
    --------
    >>> begins_of(np.array([2, 0, 3]))
    array([0, 2, 2, 5])
    """
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))


def read_only(values: Array) -> Array:
    """Make an array read-only."""
    values.setflags(write=False)
    return values


def _declared(hint: Any, per: Per) -> Per:
    """Add the type of an annotation such as ``Int32 | None`` to a declaration."""
    is_optional = NoneType in get_args(hint)
    while inner := [each for each in get_args(hint) if each is not NoneType]:
        hint = inner[-1]
    return replace(per, dtype=hint, is_optional=is_optional)


@cache
def _arrays_of(cls: Any) -> Mapping[str, Per]:
    hints = get_type_hints(cls, include_extras=True)
    names = [each.name for each in fields(cls) if get_origin(hints[each.name]) is Annotated]
    return {name: _declared(*get_args(hints[name])) for name in names}


def _rebuilt(cls: type[ArrayRecord], values: dict[str, Any]) -> ArrayRecord:
    return cls(**values)
