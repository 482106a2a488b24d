"""Read tables for commands: training tables, with a report of their content, and rows for a model."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli import settings
from treewright.cli.words import say
from treewright.errors import ColumnError, ParameterError, TableError, TargetError, listed
from treewright.files.reader import kinds_of, notations_of, read_batches, read_file
from treewright.files.source import STDIN
from treewright.formatting import format_count, format_percent
from treewright.grid import Grid, shortened
from treewright.model.model import Model
from treewright.model.tree import Tree
from treewright.table.profile import Profile, describe_columns
from treewright.table.read import Raw, Table
from treewright.table.target import read_classes, read_numbers

ALGORITHMS = {
    "cart": {"classification": "CARTClassifier", "regression": "CARTRegressor"},
    "c45": {"classification": "C45Classifier"},
    "id3": {"classification": "ID3Classifier"},
}
"""Estimators by algorithm: for classes and, if there is one, for numbers."""

# A target of whole numbers holds classes if it has at most _MOST_CLASSES distinct values and there are two of
# them, they count up from 0 or 1, or they have on average at least _ROWS_OF_CLASS rows each.
_MOST_CLASSES = 20
_ROWS_OF_CLASS = 10
_MOST_SHOWN = 40  # columns listed one by one
_KINDS = {"category": "categories", "integer": "number"}


@dataclass(frozen=True, slots=True)
class TrainingTable:
    """A table to grow a tree on.

    Parameters
    ----------
    table : Table
        The columns to use, with the target; rows without a target are left out.
    target : str
        Name of the target.
    raw_target : Raw
        Its values.
    profile : Profile
        The content of the file.
    task : {"classification", "regression"}
        What to predict.
    """

    table: Table
    target: str
    raw_target: Raw
    profile: Profile
    task: str


def read_training_table(args: Namespace, algorithm: str) -> TrainingTable:
    """Read a table to grow trees on by an algorithm, and report how it was read."""
    table = read_file(args.table, kinds=settings.kinds(args.kind, args.text), **_reading(args))
    profile = describe_columns(table, target=args.target, keep=args.keep, drop=args.drop)
    _report_columns(args, table, profile)
    if len(profile.table.columns) == 1:
        left_out = "; all others were left out." if profile.left_out else "."
        raise TableError(f"{named(args.table)} has no column to learn from besides {args.target!r}{left_out}")
    used = with_target(profile.table, args.target, args)
    raw = used.columns[used.position(args.target)]
    task, why = _task(raw, algorithm)
    if args.task is None:
        can_choose = algorithm == "cart" and raw.labels is None and raw.values.dtype.kind in "fiu"
        (other,) = {"classification", "regression"} - {task}
        say(f"Target {args.target}: {why}, so {task}{f' (or --task {other})' if can_choose else ''}.")
    return TrainingTable(used, args.target, raw, profile, args.task or task)


def labels_of(rows: TrainingTable) -> list[Any]:
    """Return the classes of a training table; empty for regression."""
    return list(read_classes(rows.raw_target).names) if rows.task == "classification" else []


def _task(raw: Raw, algorithm: str) -> tuple[str, str]:
    """Choose the task by the values of the target; also return the reason."""
    values, kind = raw.values, raw.values.dtype.kind
    if raw.labels is not None or kind not in "fiu":
        return "classification", {"b": "booleans", "M": "dates", "m": "durations"}.get(kind, "texts")
    if algorithm != "cart":
        return "classification", f"numbers, and {algorithm} predicts classes"
    if (values != np.floor(values)).any():
        return "regression", "numbers with fractions"
    n = len(np.unique(values))
    counts_up = values.min() in (0, 1) and values.max() - values.min() == n - 1
    if n <= _MOST_CLASSES and (n <= 2 or counts_up or len(values) >= _ROWS_OF_CLASS * n):
        return "classification", f"whole numbers with only {format_count(n, 'distinct value')}"
    return "regression", f"numbers with {n:,} distinct values"


def _report_columns(args: Namespace, table: Table, profile: Profile) -> None:
    columns = profile.columns
    say(f"{named(args.table)}: {format_count(table.n_rows, 'row')}, {format_count(len(columns), 'column')}")
    # If there are very many columns, only the notable ones are listed.
    shown = [each for each in columns if len(columns) <= _MOST_SHOWN or each.left_out or each.is_target]
    shown = shown[:_MOST_SHOWN]
    cells = [
        (
            shortened(each.name, 26),
            _KINDS.get(each.kind, each.kind),
            each.n_categories or None,
            format_percent(each.missing_share, decimals=1) if each.n_missing else None,
            "target" if each.is_target else each.left_out and f"left out: {each.left_out}",
        )
        for each in shown
    ]
    names = ("column", "kind", "categories", "missing", "use")
    grid = Grid(dict(zip(names, zip(*cells, strict=True), strict=True)))
    say("\n".join(f"  {line}" for line in str(grid).splitlines()))
    for each in columns:
        if each.note:
            say(f"  {shortened(each.name, 26)}: {each.note}")
    if len(shown) < len(columns):
        say(f"  … and {format_count(len(columns) - len(shown), 'more column')}")
    if any(name not in args.drop for name in profile.left_out):
        say("--keep NAME uses a column that was left out; --kind NAME=KIND sets how it is read.")


def _reading(args: Namespace) -> dict[str, Any]:
    """Return the options for reading a table, as `read_file` takes them."""
    return {
        "format": args.table_format,
        "delimiter": "\t" if args.delimiter in ("\\t", "tab") else args.delimiter,
        "na": args.na or None,
        "thousands": " " if args.thousands == "space" else args.thousands,
        "date_formats": tuple(args.date_format),
        **{name: getattr(args, name) for name in ("encoding", "decimal", "header", "percent", "missing")},
    }


def named(place: str) -> str:
    """Return the name of a table for messages."""
    return STDIN if place == "-" else place


def lean(model: Model) -> Model:
    """Return a model that needs no column but those that its tree asks about."""
    asked = _asked(model, model.tree)
    columns = (replace(each, is_left_out=each.name not in asked) for each in model.schema.columns)
    return replace(model, schema=replace(model.schema, columns=tuple(columns)))


def _asked(model: Model, tree: Tree) -> dict[str, bool]:
    """Return the columns that a tree asks about, and whether rows may lack them: surrogates stand in."""
    split, stand_in = set(tree.column.tolist()), set(tree.surrogates.column.tolist())
    names = enumerate(model.schema.names)
    return {name: at not in split for at, name in names if at in split | stand_in}


def batches(args: Namespace, model: Model, target: str | None = None, keep: bool = False) -> Iterator[Table]:
    """Read rows for a lean model in batches: the columns that its tree asks about.

    Parameters
    ----------
    args : Namespace
        The command line.
    model : Model
        The model; its columns are read as they were in training.
    target : str, optional
        The target, to be read as well.
    keep : bool
        Whether to read all other columns too, as texts if the model does not know them.
    """
    asked = _asked(model, model.tree)
    with _for_model(args, model, target) as how:
        may_lack = {name for name in model.schema.names if asked.get(name, True)}
        if keep or not asked:  # for a single leaf only the number of rows matters
            how |= {"columns": None, "other_kind": "text"}
        else:
            how["columns"] = [name for name in how["columns"] if name in asked or name == target]
            how["kinds"] = {name: kind for name, kind in how["kinds"].items() if name in how["columns"]}
        yield from read_batches(args.table, **how, may_lack=may_lack)


def rows_with_target(args: Namespace, model: Model, tree: Tree | None = None) -> tuple[Table, str]:
    """Read rows for a model with their target; rows without a target are left out.

    Parameters
    ----------
    args : Namespace
        The command line.
    model : Model
        The model.
    tree : Tree, optional
        What the rows are for: the table may lack columns that it does not ask about. By default it must have
        all.
    """
    target, may_lack = target_of(args, model), set[str]()
    if tree is not None:
        asked = _asked(model, tree)
        may_lack = {name for name in model.schema.names if asked.get(name, True)}
    with _for_model(args, model, target) as how:
        table = read_file(args.table, **how, may_lack=may_lack)
    return with_target(table, target, args), target


def rows_for(args: Namespace, model: Model, tree: Tree | None) -> tuple[Table, str]:
    """Read rows with their target as `rows_with_target` does, and all columns of the model."""
    table, target = rows_with_target(args, model, tree)
    return filled(table, model), target


def filled(table: Table, model: Model) -> Table:
    """Return a table with all columns of a model; those that it lacks have no values, and are reported."""
    absent = [name for name in model.schema.names if name not in table.names]
    if not absent:
        return table
    say(f"note: the table has no column {listed(absent, most=5)}; the tree does not ask about it.")
    empty = Raw(np.full(table.n_rows, np.nan))
    names, columns = (*table.names, *absent), (*table.columns, *[empty] * len(absent))
    return replace(table, names=names, columns=columns)


@contextmanager
def _for_model(args: Namespace, model: Model, target: str | None) -> Iterator[dict[str, Any]]:
    """Yield how to read the columns of a model, and a target; add table and model to errors about columns."""
    columns = [*model.schema.names, *(() if target is None else (target,))]
    kinds = kinds_of(model.schema, with_target=target == model.schema.target_name)
    try:
        yield {"columns": columns, "kinds": kinds, "notations": notations_of(model.schema), **_reading(args)}
    except ColumnError as error:
        raise ColumnError(f"{named(args.table)} does not fit {args.model}: {error}") from error


def with_target(table: Table, target: str, args: Namespace) -> Table:
    """Return the rows that have a target, and report how many have none."""
    is_missing = table.columns[table.position(target)].is_missing()
    report_left_out(int((~is_missing).sum()), table.n_rows, target, args.table)
    return table.take(~is_missing) if is_missing.any() else table


def report_left_out(n_known: int, n_rows: int, target: str, place: str) -> None:
    """Report how many rows have no target; reject a table without any target value."""
    if not n_known:
        raise TargetError(f"column {target!r} has no value in any row of {named(place)}; fill some in.")
    if n_known < n_rows:
        say(f"{format_count(n_rows - n_known, 'row')} of {n_rows:,} left out: no value of {target}.")


def coded(raw: Raw, labels: list[Any]) -> NDArray[Any]:
    """Return numbers or, with `labels`, classes as positions among these; new classes are appended to them.

    Examples
    --------
    >>> labels = ["no", "yes"]
    >>> coded(Raw(np.array(["yes", "maybe"])), labels).tolist(), labels
    ([1, 2], ['no', 'yes', 'maybe'])
    """
    if not labels:
        return read_numbers(raw)
    target = read_classes(raw)
    labels += [label for label in target.names if label not in labels]
    return target.renumbered(labels).codes


def known_columns(table: Table, model: Model) -> Table:
    """Return the columns of a model, in its order; columns that the table lacks have no values."""
    found = dict(zip(table.names, table.columns, strict=True))
    absent = Raw(np.full(table.n_rows, np.nan))
    names = model.schema.names
    return replace(table, names=names, columns=[found.get(name, absent) for name in names])


def target_of(args: Namespace, model: Model) -> str:
    """Return the name of the target column."""
    name: str | None = args.target or model.schema.target_name
    if name is None:
        raise ParameterError(f"{args.model} does not know the name of its target; give --target NAME.")
    return name
