"""`treewright evaluate`: how well a model predicts the rows of a table."""

from argparse import Namespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli import output, tables, words
from treewright.cli.figures import Evaluation, evaluation
from treewright.errors import listed
from treewright.formatting import format_count
from treewright.model import files
from treewright.table.encode import Codes
from treewright.table.fingerprint import fingerprint

_WHICH_ROWS = {
    True: "{rows}, those it was grown on\nNew rows are predicted less well; --folds 10 estimates how well.",
    False: "{rows}, not the table it was grown on",
    None: "{rows}; it is not known whether the tree was grown on them",
}
"""Description of the rows, by whether they are the training rows."""


def run(args: Namespace) -> None:
    """Run the command."""
    saved = files.read(args.model)
    if args.folds is None:
        figures, are_training = _evaluated(args, saved)
        how = _WHICH_ROWS[are_training].format(rows=format_count(figures.n_rows, "row"))
    else:
        figures, how, are_training = *_cross_validated(args), False
    if args.json:
        about = {"model": args.model, "table": args.table, "estimator": saved.estimator}
        output.put_json({**about, "how": how, "are_training": are_training, **figures.plain()})
    else:
        output.put(f"{saved.estimator} on {tables.named(args.table)}\n{how}\n{figures}")


def _cross_validated(args: Namespace) -> tuple[Evaluation, str]:
    """Grow a tree without each fold of the table, with the parameters of the model, and predict the folds."""
    import treewright
    from treewright.cli import trials  # loads scikit-learn

    trials.check_folds(args, least=2)
    estimator = treewright.load(args.model)
    table, target = tables.rows_with_target(args, estimator.model_)
    labels = list(estimator.model_.schema.labels)
    n_folds = trials.n_folds_of(args, table.n_rows, args.folds)
    folds = trials.deal_rows(table, target, labels, args.seed, n_folds)
    return trials.predict_folds(estimator, table, target, folds, labels), trials.cross_validation(
        n_folds, table.n_rows
    )


def _evaluated(args: Namespace, saved: files.Saved) -> tuple[Evaluation, bool | None]:
    """Predict the rows of the table; also return whether they are the training rows, if that is known."""
    model = saved.model
    target, n_rows = tables.target_of(args, model), 0
    labels = list(model.schema.labels)
    n_known = len(labels)
    lean = tables.lean(model)
    true: list[NDArray[Any]] = []
    predicted: list[NDArray[Any]] = []
    shares: list[NDArray[np.float64]] = []
    codes: list[Codes] = []
    # Only as many rows as in training can be the training rows; they are compared only if unweighted.
    n_kept = _n_unweighted(saved)
    for table in tables.batches(args, model, target, keep=n_kept >= 0):
        n_rows += table.n_rows
        rows = table.take(~table.columns[table.position(target)].is_missing())
        true.append(tables.coded(rows.columns[rows.position(target)], labels))
        known = tables.known_columns(rows, lean)
        predicted.append(lean.answers(known) if n_known else lean.numbers(known))
        if n_known:
            shares.append(lean.shares(known))
        if sum(map(len, true)) <= n_kept and set(model.schema.names) <= set(table.names):
            codes.append(model.codes(tables.known_columns(rows, model)))
    all_true, n_classes = np.concatenate(true), len(labels)
    tables.report_left_out(len(all_true), n_rows, target, args.table)
    if n_classes > n_known:
        unknown = listed(labels[n_known:], most=5)
        words.say(f"note: {args.model} does not know class {unknown} and never predicts it.")
    all_shares = None
    if n_known:
        all_shares = np.pad(np.concatenate(shares), ((0, 0), (0, n_classes - n_known)))
    figures = evaluation(labels, all_true, np.concatenate(predicted), all_shares)
    return figures, are_training_rows(saved, codes, all_true)


def _n_unweighted(saved: files.Saved) -> int:
    """Return the number of rows that a model was grown on if all had weight 1, otherwise -1."""
    grown_on = saved.model.provenance
    if grown_on is None or grown_on.weight != grown_on.n_rows or saved.parameters.get("class_weight"):
        return -1
    return grown_on.n_rows


def are_training_rows(saved: files.Saved, codes: list[Codes], true: NDArray[Any]) -> bool | None:
    """Return whether rows are those that a model was grown on, in any order; None if that is not known.

    Parameters
    ----------
    saved : Saved
        The model, and the parameters it was fitted with.
    codes : list of list of arrays
        Its columns, in batches; empty if the table lacks columns that the tree does not use.
    true : array
        The targets.
    """
    n_kept, grown_on = _n_unweighted(saved), saved.model.provenance
    if n_kept < 0 or grown_on is None:
        return None
    if len(true) != n_kept or not codes:
        return None if len(true) == n_kept else False
    columns = [np.concatenate(parts) for parts in zip(*codes, strict=True)]
    targets = true.astype(np.int32) if saved.model.schema.labels else true
    return fingerprint(columns, targets, None) == grown_on.fingerprint
