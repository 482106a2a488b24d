"""`treewright evaluate`: how good a model's answers are on a table."""

import argparse
from typing import TYPE_CHECKING, Any

from treewright.cli.arguments import add_json, add_reading, command

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from treewright.cli.figures import Classified, Measured
    from treewright.model.model import Model

_MORE = """\
Judge a model on rows whose target is known: a confusion matrix and figures for
every class, or the errors of numbers, each with its standard error. Give rows
that the model was not grown on, or it will look better than it is."""

_EXAMPLES = """\
  treewright evaluate melons.tw.json others.csv
  treewright evaluate cars.tw.json cars.csv --json"""


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands, "evaluate", run, "judge a model on rows whose target is known", _MORE, _EXAMPLES
    )
    parser.add_argument("model", metavar="MODEL", help="model file, *.tw.json")
    parser.add_argument("table", metavar="TABLE", help="rows with their target; - is standard input")
    parser.add_argument(
        "--target", metavar="COLUMN", help="column with the target, if it is now called otherwise"
    )
    add_json(parser)
    add_reading(parser)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    from treewright.cli.output import put
    from treewright.cli.shown import put_json
    from treewright.cli.tables import named
    from treewright.model import files

    saved = files.read(args.model)
    judged = _judged(args, saved.model)
    if args.json:
        put_json({"model": args.model, "table": args.table, "estimator": saved.estimator, **judged.plain()})
    else:
        put(f"{saved.estimator} on {named(args.table)}\n{judged}", None)


def _judged(args: argparse.Namespace, model: "Model") -> "Classified | Measured":
    import numpy as np

    from treewright.cli.figures import Measured, tally
    from treewright.cli.tables import batches, known_columns, named, say_left_out, target_of
    from treewright.cli.words import say
    from treewright.errors import TargetError, listed
    from treewright.schema import Classes
    from treewright.table.target import read_classes, read_numbers

    name = target_of(args, model)
    classes = model.schema.target.labels if isinstance(model.schema.target, Classes) else None
    labels = [] if classes is None else list(classes)
    true: list[NDArray[Any]] = []
    given: list[NDArray[Any]] = []
    n_rows = 0
    for table in batches(args, model, target=name):
        n_rows += table.n_rows
        has_one = np.flatnonzero(~table.columns[table.position(name)].is_missing())
        rows = table.take(has_one)
        raw = rows.columns[rows.position(name)]
        if classes is None:
            true.append(read_numbers(raw))
            given.append(model.numbers(known_columns(rows, model)))
            continue
        target = read_classes(raw)
        labels = [*labels, *(label for label in target.names if label not in labels)]
        true.append(target.renumbered(labels).codes)
        given.append(model.answers(known_columns(rows, model)))
    all_true, all_given = np.concatenate(true), np.concatenate(given)
    if not len(all_true):
        raise TargetError(
            f"column {name!r} has no value in any row of {named(args.table)}; there is nothing to judge by."
        )
    if len(all_true) < n_rows:
        say_left_out(n_rows - len(all_true), n_rows, name)
    if classes is None:
        return Measured(all_true, all_given)
    strange = labels[len(classes) :]
    if strange:
        say(f"note: {args.model} knows nothing of class {listed(strange, most=5)}; it is never predicted.")
    return tally(labels, all_true.astype(np.intp), all_given.astype(np.intp))
