"""Tables for commands: to learn from, with words about what is in them, and for a model that is there."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treewright.cli.arguments import kinds, reading
from treewright.cli.words import say
from treewright.errors import ColumnError, ParameterError, TableError, TargetError
from treewright.files.reader import kinds_of, read_batches, read_file
from treewright.files.source import STDIN
from treewright.formatting import format_count, format_percent
from treewright.grid import Grid, shortened
from treewright.model.model import Model
from treewright.table.profile import Profile, describe_columns
from treewright.table.read import Raw, Table

MOST_CLASSES = 20
"""A target of whole numbers with more different values than this does not hold classes."""
ROWS_OF_CLASS = 10
"""With fewer rows a value, on average, neither, unless there are two values or they count from 0 or 1."""

_MOST_SHOWN = 40  # columns, of which a table has a line each
_KINDS = {"category": "categories", "integer": "number"}


@dataclass(frozen=True, slots=True)
class Lesson:
    """What to learn from.

    Parameters
    ----------
    table : Table
        The columns to use, the target included; rows without a target are gone.
    target : str
        Name of the target.
    profile : Profile
        What was in the file.
    n_without_target : int
        Rows left out because they have none.
    is_classification : bool
        Whether to predict classes.
    """

    table: Table
    target: str
    profile: Profile
    n_without_target: int
    is_classification: bool

    @property
    def raw_target(self) -> Raw:
        """The target's values."""
        return self.table.columns[self.table.position(self.target)]


def lesson(args: argparse.Namespace) -> Lesson:
    """Read a table to learn from, and say what was understood."""
    told = kinds(args.kind)
    table = read_file(args.table, kinds=told, **reading(args))
    profile = describe_columns(table, target=args.target, keep=args.keep, drop=args.drop)
    used = profile.table
    if len(used.columns) == 1:
        raise TableError(
            f"{named(args.table)} has no column to learn from besides {args.target!r}"
            + ("; those left out can be asked for with --keep." if profile.left_out else ".")
        )
    has_none = used.columns[used.position(args.target)].is_missing()
    n_without = int(has_none.sum())
    if n_without == used.n_rows:
        raise TargetError(f"column {args.target!r} has no value in any row; there is nothing to learn.")
    if n_without:
        used = used.take(np.flatnonzero(~has_none))
    target = used.columns[used.position(args.target)]
    decided, why = _task(target, args.algorithm)
    is_classification = decided if args.task is None else args.task == "classification"
    _say_understood(args, table, profile, n_without)
    if args.task is None:
        word, other = ("classification", "regression") if decided else ("regression", "classification")
        way_out = f" (--task {other} overrules)" if args.algorithm == "cart" and why.startswith("num") else ""
        say(f"Target {args.target}: {why}, so {word}{way_out}.")
    return Lesson(used, args.target, profile, n_without, is_classification)


def _task(raw: Raw, algorithm: str) -> tuple[bool, str]:
    """Tell whether a target holds classes, and why."""
    kind = raw.values.dtype.kind
    if raw.labels is not None or kind not in "fiu":
        what = {"b": "booleans", "M": "dates", "m": "durations"}.get(kind, "texts")
        return True, what if raw.labels is None else "texts"
    if algorithm != "cart":
        return True, f"numbers, and {algorithm} predicts classes"
    n_distinct = len(np.unique(raw.values))
    if (raw.values != np.floor(raw.values)).any():
        return False, "numbers with fractions"
    low, high = raw.values.min(), raw.values.max()
    counts_up = low in (0, 1) and high - low == n_distinct - 1
    is_shared = len(raw.values) >= ROWS_OF_CLASS * n_distinct
    if n_distinct > MOST_CLASSES or not (n_distinct <= 2 or counts_up or is_shared):
        return False, f"numbers, {n_distinct:,} different ones"
    return True, f"numbers, but only {format_count(n_distinct, 'different one')}, all whole"


def _say_understood(args: argparse.Namespace, table: Table, profile: Profile, n_without: int) -> None:
    n_rows, n_columns = format_count(table.n_rows, "row"), format_count(len(table.columns), "column")
    say(f"{named(args.table)}: {n_rows}, {n_columns}")
    reports = profile.columns
    # Of very many columns only those are listed about which there is something to say.
    shown = [each for each in reports if len(reports) <= _MOST_SHOWN or each.left_out or each.is_target]
    shown = shown[:_MOST_SHOWN]
    grid = Grid(
        {
            "column": [shortened(each.name, 26) for each in shown],
            "kind": [_KINDS.get(each.kind, each.kind) for each in shown],
            "categories": [each.n_categories or None for each in shown],
            "missing": [_share(each.missing_share) for each in shown],
            "use": [
                "target" if each.is_target else f"left out: {each.left_out}" if each.left_out else ""
                for each in shown
            ],
        }
    )
    say("\n".join(f"  {line}" for line in str(grid).splitlines()))
    if len(shown) < len(reports):
        say(f"  … and {format_count(len(reports) - len(shown), 'more column')}")
    if any(name not in args.drop for name in profile.left_out):
        say("--keep NAME uses a column all the same; --kind NAME=KIND reads it otherwise.")
    if n_without:
        rows = format_count(n_without, "row")
        say(f"{rows} of {table.n_rows:,} without a value of {args.target}: left out.")


def named(place: str) -> str:
    """Name a table for people."""
    return STDIN if place == "-" else place


def _share(share: float) -> str | None:
    return format_percent(share, decimals=1) if share else None


def batches(
    args: argparse.Namespace, model: Model, target: str | None = None, keep: bool = False
) -> Iterator[Table]:
    """Read rows for a model some at a time.

    Parameters
    ----------
    args : Namespace
        The command line.
    model : Model
        What they are for.
    target : str, optional
        The target, where it is needed too.
    keep : bool
        Whether other columns are wanted as well.
    """
    columns = None if keep else [*model.schema.names, *(() if target is None else (target,))]
    told = kinds_of(model.schema, with_target=target is not None and target == model.schema.target_name)
    found = read_batches(
        args.table, columns=columns, kinds=told, other_kind="text" if keep else None, **reading(args)
    )
    try:
        yield from found
    except ColumnError as error:
        raise ColumnError(f"{named(args.table)} does not fit {args.model}: {error}") from error


def known_columns(table: Table, model: Model) -> Table:
    """Give the columns that a model asks for, in its order."""
    names = model.schema.names
    if table.names == names:
        return table
    columns = [table.columns[table.position(name)] for name in names]
    return Table(names, columns, table.n_rows, has_names=table.has_names)


def rows_with_target(args: argparse.Namespace, model: Model) -> tuple[Table, str]:
    """Read the rows that a fitted tree is to be looked at with; those without a target are left out."""
    target = target_of(args, model)
    told = kinds_of(model.schema, with_target=target == model.schema.target_name)
    try:
        table = read_file(args.table, columns=[*model.schema.names, target], kinds=told, **reading(args))
    except ColumnError as error:
        raise ColumnError(f"{named(args.table)} does not fit {args.model}: {error}") from error
    has_none = table.columns[table.position(target)].is_missing()
    if has_none.all():
        raise TargetError(f"column {target!r} has no value in any row.")
    if has_none.any():
        say_left_out(int(has_none.sum()), table.n_rows, target)
        table = table.take(np.flatnonzero(~has_none))
    return table, target


def target_of(args: argparse.Namespace, model: Model) -> str:
    """Tell which column holds the target."""
    name: str | None = args.target or model.schema.target_name
    if name is None:
        raise ParameterError(
            f"{args.model} does not know what its target was called; say it with --target NAME."
        )
    return name


def say_left_out(n_rows: int, of: int, target: str) -> None:
    """Say how many rows have no target."""
    say(f"{format_count(n_rows, 'row')} of {of:,} without a value of {target}: left out.")
