"""The schema of a table: columns, their kinds and units, the target.

A schema is plain data. A tree and a schema form a model, which needs nothing else to read a new table, to
predict its rows and to describe itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias

from treewright.errors import ParameterError, suggestion

Kind: TypeAlias = Literal["number", "integer", "datetime", "duration", "category"]
# Texts, each one of those listed. Model files are checked against these lists.
Unit: TypeAlias = Annotated[str, "", "ns", "us", "ms", "s"]
Zone: TypeAlias = Annotated[str, "", "UTC"]
Label: TypeAlias = str | bool | int | float


@dataclass(frozen=True, slots=True)
class Bins:
    """The intervals that turn the values of a column into categories.

    Parameters
    ----------
    edges : tuple of float or int
        Inner edges, in ascending order; a value on an edge belongs to the interval below it. The first and
        the last interval have no outer edge.
    kind : {"number", "datetime", "duration"}
        Kind of the values. Edges of datetimes and durations are counts of units, as in `Column`.
    unit, zone : str
        As in `Column`.
    """

    edges: tuple[float | int, ...]
    kind: Kind = "number"
    unit: Unit = ""
    zone: Zone = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the training table.

    Parameters
    ----------
    name : str
        Its name; ``x0``, ``x1``, ... if the table had no names.
    kind : {"number", "integer", "datetime", "duration", "category"}
        Values of kind ``"number"`` are compared as float64. ``"integer"`` is for whole numbers that a
        float64 cannot represent exactly; these, like datetimes and durations, are compared as int64. A
        ``"category"`` is one of `categories`.
    unit : str
        Unit of a datetime or duration: ``"ns"``, ``"us"``, ``"ms"`` or ``"s"``.
    zone : str
        ``"UTC"`` if the datetimes had a time zone.
    has_missing : bool
        Whether values were missing in training.
    categories : tuple of str, bool, int or float
        All declared categories, in their order; otherwise those of the training table, sorted. The code of a
        category is its position.
    bins : Bins or None
        The intervals, if the categories are intervals of values.
    is_left_out : bool
        Whether no tree may split on the column. New rows may hold anything there, or lack the column.
    notation : str
        How a file wrote the numbers or dates, if not as plain values, such as ``"1.234,5 €"`` or
        ``"%d.%m.%Y"``: see `treewright.files.everyday`.
    """

    name: str
    kind: Kind = "number"
    unit: Unit = ""
    zone: Zone = ""
    has_missing: bool = False
    categories: tuple[Label, ...] = ()
    bins: Bins | None = None
    is_left_out: bool = False
    notation: str = ""

    def __setstate__(self, state: Sequence[Any]) -> None:
        """Restore the values of a pickle, which may come from a version with fewer fields."""
        new = (each.default for each in fields(self)[len(state) :])
        for each, value in zip(fields(self), (*state, *new), strict=True):
            object.__setattr__(self, each.name, value)

    @property
    def is_integer(self) -> bool:
        """Whether the column is compared as int64 rather than as float64."""
        return self.kind in ("integer", "datetime", "duration")

    @property
    def is_category(self) -> bool:
        """Whether the column holds categories."""
        return self.kind == "category"


@dataclass(frozen=True, slots=True)
class Classes:
    """A target of classes: its labels, sorted."""

    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """A numeric target."""


Target: TypeAlias = Classes | Numbers


@dataclass(frozen=True, slots=True)
class Schema:
    """The training table, as far as a model needs it.

    Parameters
    ----------
    columns : tuple of Column
        In the order of the training table; trees refer to them by position.
    target : Classes or Numbers
        The target.
    target_name : str or None
        Name of the target, if it was a column of the table. Such a column is ignored at prediction.
    takes_missing : bool
        Whether rows to predict may have missing values.

    Examples
    --------
    >>> schema = Schema((Column("age"), Column("joined", "datetime", unit="ns")), Classes(("no", "yes")))
    >>> schema.names
    ('age', 'joined')
    >>> schema.has_names
    True
    """

    columns: tuple[Column, ...]
    target: Target
    target_name: str | None = None
    takes_missing: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels of the classes; empty if the target is numeric."""
        return self.target.labels if isinstance(self.target, Classes) else ()

    def code_of_class(self, label: object, name: str) -> int:
        """Return the position of a class; `name` is the parameter that names it."""
        if label not in self.labels:
            hint = suggestion(label, self.labels)
            raise ParameterError(f"{name}={label!r} is not one of the classes.{hint}")
        return self.labels.index(label)

    @property
    def has_names(self) -> bool:
        """Whether the columns had names; otherwise they are matched by position."""
        return self.names != default_names(len(self.columns))


@lru_cache(maxsize=64)  # needed at every prediction
def default_names(n_columns: int) -> tuple[str, ...]:
    """Name the columns of a table that has no names.

    Examples
    --------
    >>> default_names(3)
    ('x0', 'x1', 'x2')
    """
    return tuple(f"x{position}" for position in range(n_columns))
