"""`treewright importances`: how much each column matters to a model, by its splits and on rows."""

from argparse import Namespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli import output, tables, words
from treewright.cli.evaluate import are_training_rows
from treewright.cli.figures import plain_score, with_error
from treewright.errors import ParameterError
from treewright.estimators.scores import Score, mean_score
from treewright.formatting import format_count
from treewright.grid import Grid
from treewright.model import files
from treewright.model.model import Model
from treewright.table.read import Table

_WHICH_ROWS = {
    True: ", those the tree was grown on; new rows show better which columns matter",
    False: ", not the table it was grown on",
    None: "",
}
"""Description of the rows, by whether they are the training rows."""


def run(args: Namespace) -> None:
    """Run the command."""
    if args.repeats < 1:
        raise ParameterError(f"--repeats {args.repeats}: give 1 or more.")
    saved = files.read(args.model)
    model = saved.model
    names, by_splits = model.schema.names, model.tree.compute_feature_importances()
    order = np.argsort(-by_splits, kind="stable").tolist()
    by_rows = [] if args.table is None else _worse_when_shuffled(args, saved)
    if args.json:
        output.put_json(
            [
                {"column": names[at], "importance": float(by_splits[at])}
                | ({"worse_when_shuffled": plain_score(by_rows[at])} if by_rows else {})
                for at in order
            ]
        )
        return
    columns = {"column": [names[at] for at in order], "importance": [float(by_splits[at]) for at in order]}
    if by_rows:
        loss = "accuracy lost" if model.schema.labels else "absolute error gained"
        columns[f"{loss} when shuffled"] = [with_error(by_rows[at]) for at in order]
    output.put(str(Grid(columns, {"importance": ".3f"})))


def _worse_when_shuffled(args: Namespace, saved: files.Saved) -> list[Score]:
    """Shuffle each column among the rows, and return how much worse the model predicts then."""
    model = saved.model
    table, target = tables.rows_with_target(args, model, model.tree)
    labels = list(model.schema.labels)
    true = tables.coded(table.columns[table.position(target)], labels)
    rows = tables.known_columns(table, model)
    codes = [model.codes(rows)] if set(model.schema.names) <= set(table.names) else []
    whose = _WHICH_ROWS[are_training_rows(saved, codes, true)]
    words.say(f"Shuffled {args.repeats:,} times among {format_count(rows.n_rows, 'row')}{whose}.")
    before, rng = _losses(model, rows, true), np.random.default_rng(args.seed)
    orders = [rng.permutation(rows.n_rows) for _ in range(args.repeats)]
    asked = set(model.tree.column[model.tree.column >= 0].tolist()) | set(
        model.tree.surrogates.column.tolist()
    )
    found = []
    for at in words.steps("shuffling column", range(len(rows.columns)), len(rows.columns)):
        worse = np.zeros(rows.n_rows)
        for order in orders if at in asked else ():
            shuffled = list(rows.columns)
            shuffled[at] = rows.take(order).columns[at]
            worse += _losses(model, Table(rows.names, shuffled, rows.n_rows), true) - before
        found.append(mean_score(worse / args.repeats))
    return found


def _losses(model: Model, rows: Table, true: NDArray[Any]) -> NDArray[np.float64]:
    if model.schema.labels:
        return np.asarray(model.answers(rows) != true, dtype=np.float64)
    return np.asarray(np.abs(model.numbers(rows) - true), dtype=np.float64)
