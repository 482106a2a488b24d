"""`treewright evaluate`: how well a model predicts the rows of a table."""

from argparse import Namespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli import output, tables, words
from treewright.cli.figures import Evaluation, compare
from treewright.errors import listed
from treewright.model import files
from treewright.model.model import Model


def run(args: Namespace) -> None:
    """Run the command."""
    saved = files.read(args.model)
    figures = _evaluated(args, saved.model)
    if args.json:
        about = {"model": args.model, "table": args.table, "estimator": saved.estimator}
        output.put_json(about | figures.plain())
    else:
        output.put(f"{saved.estimator} on {tables.named(args.table)}\n{figures}")


def _evaluated(args: Namespace, model: Model) -> Evaluation:
    target, n_rows = tables.target_of(args, model), 0
    labels = list(model.schema.labels)
    n_known = len(labels)
    lean = tables.lean(model)
    predict = lean.answers if labels else lean.numbers
    true: list[NDArray[Any]] = []
    predicted: list[NDArray[Any]] = []
    for table in tables.batches(args, model, target):
        n_rows += table.n_rows
        rows = table.take(~table.columns[table.position(target)].is_missing())
        true.append(tables.coded(rows.columns[rows.position(target)], labels))
        predicted.append(predict(tables.known_columns(rows, lean)))
    all_true = np.concatenate(true)
    tables.report_left_out(len(all_true), n_rows, target, args.table)
    if len(labels) > n_known:
        unknown = listed(labels[n_known:], most=5)
        words.say(f"note: {args.model} does not know class {unknown} and never predicts it.")
    return compare(labels, all_true, np.concatenate(predicted))
