"""`treewright fit`: from a table to a tree that is evaluated, printed and saved."""

import math
from argparse import Namespace
from typing import Any

import treewright
from treewright.cli import output, settings, shown, trials
from treewright.cli.figures import Evaluation
from treewright.cli.tables import ALGORITHMS, TrainingTable, read_training_table
from treewright.cli.words import say
from treewright.errors import ParameterError
from treewright.estimators.renamed import RENAMED
from treewright.estimators.reporting import summary_of
from treewright.formatting import format_count
from treewright.model.values import to_plain
from treewright.report.render import render
from treewright.wording import said

_FOLDS = 10  # of the cross-validation, by default


def run(args: Namespace) -> None:
    """Run the command."""
    width, lang = shown.text_width_of(args.width), shown.language(args)
    _check(args)
    rows = read_training_table(args, args.algorithm)
    estimator, chosen = _estimator(args, rows)
    estimator.set_params(verbose=chosen.get("verbose", 2 if args.verbose else 1))
    estimator.fit(rows.table, rows.target)
    estimator.set_params(verbose=chosen.get("verbose", 0))  # the progress of this run is not saved
    figures, how = _evaluated(args, estimator, rows)
    ledger = treewright.audit(estimator, rows.table, rows.target, lang=lang)
    page = None
    if args.report is not None:
        judged = None if figures is None else _judged(args, figures)
        page = render(
            summary_of(estimator, rows.table, rows.target, judged=judged), shown.language(args, of_page=True)
        )
    with output.saved(estimator, args.output, page, args.report):
        if args.json:
            scores = None if figures is None else {"how": how, **figures.plain()}
            found = {"judged": scores, "root": shown.plain_ledger(ledger)}
            output.put_json(_summary(args, estimator, rows) | found)
        else:
            name, tree = type(estimator).__name__, estimator.tree_
            size = f"{format_count(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.max_depth}"
            output.put_sections(
                f"{name}: {size}",
                how if figures is None else f"{how}\n{figures}",
                f"The tree, grown on all {format_count(rows.table.n_rows, 'row')}\n"
                f"{shown.tree_text(estimator.model_, width, lang)}",
                f"{said(lang, 'Candidate splits at the root')}\n{shown.compact(ledger, width)}",
            )
    if args.output is not None:
        say(f"Next: treewright predict {args.output} TABLE")


def _check(args: Namespace) -> None:
    """Reject a bad command line before the table, which may be large, is read."""
    output.check_output(args.output, args.force, *output.MODEL, only_file=True)
    output.check_output(args.report, args.force, *output.PAGE, option="--report", only_file=True)
    if args.folds is not None and args.holdout is not None:
        raise ParameterError("--folds is not allowed with --holdout; give one of them.")
    trials.check_folds(args)
    if args.holdout is not None and not 0 < args.holdout < 1:
        raise ParameterError(f"--holdout {args.holdout}: give a fraction between 0 and 1, such as 0.25.")
    names = ALGORITHMS[args.algorithm]
    if args.task not in (None, *names):
        raise ParameterError(f"--algorithm {args.algorithm} predicts classes; for regression use cart.")
    kinds = [name for task, name in names.items() if args.task in (None, task)]
    settings.parameters(args.set, {each for name in kinds for each in _parameters(name)}, " and ".join(kinds))


def _parameters(name: str) -> set[str]:
    """Return the parameters of an estimator, with their old names."""
    known = set(getattr(treewright, name)().get_params())
    return known | {old for old, new in RENAMED.items() if new in known}


def _estimator(args: Namespace, rows: TrainingTable) -> tuple[Any, dict[str, Any]]:
    name = ALGORITHMS[args.algorithm][rows.task]
    chosen = settings.parameters(args.set, _parameters(name), name)
    if rows.task == "classification":
        labels = list(dict.fromkeys(rows.raw_target.decoded().values.tolist()))
        for parameter in {"class_weight", "prior", "loss"} & chosen.keys():
            chosen[parameter] = settings.with_labels(chosen[parameter], labels)
    chosen.setdefault("on_identifier", "ignore")  # the profile has left them out, except those of --keep
    if "cv" in _parameters(name):
        chosen.setdefault("cv", max(2, min(_FOLDS, rows.table.n_rows)))
    return getattr(treewright, name)(**chosen), chosen


def _evaluated(args: Namespace, estimator: Any, rows: TrainingTable) -> tuple[Evaluation | None, str]:
    """Grow trees without some of the rows and predict these; return the scores and how they were obtained."""
    n_rows = rows.table.n_rows
    labels = estimator.classes_.tolist() if rows.task == "classification" else []
    if n_rows == 1:
        return None, "Not evaluated: there is no other row."
    if args.folds == 0:
        return None, "Not evaluated on other rows than its own (--folds 0)."
    n_folds = min(_FOLDS if args.folds is None else args.folds, n_rows)
    folds = trials.deal_rows(rows.table, rows.target, labels, args.seed, n_folds, args.holdout)
    how = trials.cross_validation(n_folds, n_rows)
    if args.holdout is not None:
        n_held = int((folds == 0).sum())
        how = f"Predictions for {n_held:,} held-out rows by a tree grown on the other {n_rows - n_held:,}"
    return trials.predict_folds(estimator, rows.table, rows.target, folds, labels), how


def _judged(args: Namespace, figures: Evaluation) -> dict[str, Any]:
    """Return the scores of the trees grown without some of the rows, in the form that the page shows."""
    found = figures.plain()
    names = ("accuracy", "mean_absolute_error", "root_mean_squared_error", "r2")
    scores = {
        name: {key: value if math.isfinite(value) else None for key, value in found[name].items()}
        for name in names
        if name in found
    }
    folds = None if args.holdout is not None else min(args.folds or _FOLDS, found["rows"])
    return {"folds": folds, "rows": found["rows"], **scores}


def _summary(args: Namespace, estimator: Any, rows: TrainingTable) -> dict[str, Any]:
    tree = estimator.tree_
    return {
        "table": args.table,
        "target": rows.target,
        "task": rows.task,
        "rows": rows.table.n_rows,
        "rows_without_target": rows.profile.table.n_rows - rows.table.n_rows,
        "columns": [
            {
                **{name: getattr(each, name) for name in ("name", "kind", "is_target")},
                "categories": each.n_categories,
                "missing": each.n_missing,
                "left_out": each.left_out or None,
                "note": each.note or None,
            }
            for each in rows.profile.columns
        ],
        "estimator": type(estimator).__name__,
        "parameters": {name: to_plain(value) for name, value in estimator.get_params().items()},
        "tree": {"nodes": tree.n_nodes, "leaves": tree.n_leaves, "depth": tree.max_depth},
        "model": args.output,
    }
