"""What a model remembers of its table: columns, their kinds and units, the target.

A schema is plain data. Together with a tree it makes a model that needs nothing else to read a new table,
to answer for its rows and to describe itself.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal, TypeAlias

Kind: TypeAlias = Literal["number", "integer", "datetime", "duration", "category"]
# Texts, one of these: model files hold no other.
Unit: TypeAlias = Annotated[str, "", "ns", "us", "ms", "s"]
Zone: TypeAlias = Annotated[str, "", "UTC"]
Label: TypeAlias = str | bool | int | float


@dataclass(frozen=True, slots=True)
class Bins:
    """The intervals that the values of a column are cut into, to be categories.

    Parameters
    ----------
    edges : tuple of float or int
        Inner edges, rising; a value on an edge belongs to the interval below it. The first and the last
        interval have no outer edge.
    kind : {"number", "datetime", "duration"}
        What is cut; edges of moments are counts, as in `Column`.
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
        Its name; ``x0``, ``x1``, ... where the table had none.
    kind : {"number", "integer", "datetime", "duration", "category"}
        ``"number"`` is compared as a float64. ``"integer"`` holds whole numbers that a float64 cannot tell
        apart; these, like datetimes and durations, are compared as int64. A ``"category"`` is one of
        `categories` and is looked up.
    unit : str
        Unit of a datetime or duration: ``"ns"``, ``"us"``, ``"ms"`` or ``"s"``.
    zone : str
        ``"UTC"`` where the datetimes knew their time zone.
    has_missing : bool
        Whether values were missing in training.
    categories : tuple of str, bool, int or float
        In declared order, those never seen included; where nobody declared them, those seen, sorted. The code
        of a category is its position.
    bins : Bins or None
        Where the categories are intervals of values: which ones.
    """

    name: str
    kind: Kind = "number"
    unit: Unit = ""
    zone: Zone = ""
    has_missing: bool = False
    categories: tuple[Label, ...] = ()
    bins: Bins | None = None

    @property
    def is_integer(self) -> bool:
        """Whether the column is compared as int64 rather than as a float."""
        return self.kind in ("integer", "datetime", "duration")

    @property
    def is_category(self) -> bool:
        """Whether the column holds categories, which have no order that counts."""
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
    """The training table as a model remembers it.

    Parameters
    ----------
    columns : tuple of Column
        In the order of the training table; trees refer to them by position.
    target : Classes or Numbers
        What the tree answers.
    target_name : str or None
        Name of the target, where it was a column of the table. Such a column may come along at prediction.
    takes_missing : bool
        Whether rows with missing values may be asked about.

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
        """The labels of the classes; none where the target is numeric."""
        return self.target.labels if isinstance(self.target, Classes) else ()

    @property
    def has_names(self) -> bool:
        """Whether somebody named the columns; otherwise they are known by their position."""
        return self.names != default_names(len(self.columns))


@lru_cache(maxsize=64)  # asked for at every prediction
def default_names(n_columns: int) -> tuple[str, ...]:
    """Name the columns of a table that has no names.

    Examples
    --------
    >>> default_names(3)
    ('x0', 'x1', 'x2')
    """
    return tuple(f"x{position}" for position in range(n_columns))
