"""`treewright evaluate`: how well a model predicts the rows of a table."""

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli.figures import Classified, Measured, tally
from treewright.cli.output import put, put_json
from treewright.cli.tables import batches, known_columns, named, report_left_out, target_of
from treewright.cli.words import say
from treewright.errors import TargetError, listed
from treewright.model import files
from treewright.model.model import Model
from treewright.schema import Classes
from treewright.table.target import read_classes, read_numbers


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    saved = files.read(args.model)
    figures = _evaluated(args, saved.model)
    if args.json:
        put_json({"model": args.model, "table": args.table, "estimator": saved.estimator, **figures.plain()})
    else:
        put(f"{saved.estimator} on {named(args.table)}\n{figures}")


def _evaluated(args: argparse.Namespace, model: Model) -> Classified | Measured:
    name = target_of(args, model)
    classes = model.schema.target.labels if isinstance(model.schema.target, Classes) else None
    labels = list(classes or ())
    true: list[NDArray[Any]] = []
    predicted: list[NDArray[Any]] = []
    n_rows = 0
    for table in batches(args, model, target=name):
        n_rows += table.n_rows
        rows = table.take(np.flatnonzero(~table.columns[table.position(name)].is_missing()))
        raw, known = rows.columns[rows.position(name)], known_columns(rows, model)
        if classes is None:
            true.append(read_numbers(raw))
            predicted.append(model.numbers(known))
        else:
            target = read_classes(raw)
            # Classes that the model does not know come after those that it does.
            labels += [label for label in target.names if label not in labels]
            true.append(target.renumbered(labels).codes)
            predicted.append(model.answers(known))
    all_true, all_predicted = np.concatenate(true), np.concatenate(predicted)
    if not len(all_true):
        raise TargetError(
            f"column {name!r} has no value in any row of {named(args.table)}; there is nothing to "
            "compare with."
        )
    if len(all_true) < n_rows:
        report_left_out(n_rows - len(all_true), n_rows, name)
    if classes is None:
        return Measured(all_true, all_predicted)
    unknown = labels[len(classes) :]
    if unknown:
        say(f"note: {args.model} does not know class {listed(unknown, most=5)} and never predicts it.")
    return tally(labels, all_true.astype(np.intp), all_predicted.astype(np.intp))
