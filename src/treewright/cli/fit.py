"""`treewright fit`: from a table to a tree that is judged, shown and saved."""

import argparse
from typing import TYPE_CHECKING, Any

from treewright.cli.arguments import add_json, add_output, add_reading, add_width, command

if TYPE_CHECKING:
    from treewright.cli.tables import Lesson

_MORE = """\
Grow a tree on a table. Says what it makes of every column, judges the tree on
rows it was not grown on, and prints the tree, its errors, and what every column
offered at the root. The tree shown and saved is grown on all rows."""

_EXAMPLES = """\
  treewright fit melons.csv --target good
  treewright fit adult.csv --target income --algorithm c45 -o adult.tw.json
  treewright fit cars.csv --target mpg --drop name --kind cylinders=categorical
  treewright fit golf.csv --target class --set max_depth=3 --set cv=5
  treewright fit big.parquet --target y --holdout 0.25 --json > report.json
  zcat golf.csv.gz | treewright fit - --target class"""

_LINES = 60  # of a tree that is printed
_NAMES = {
    "cart": ("CARTClassifier", "CARTRegressor"),
    "c45": ("C45Classifier",),
    "id3": ("ID3Classifier",),
}
_TASKS = {"classification": "Classifier", "regression": "Regressor"}


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands, "fit", run, "grow a tree on a table, judge it, show it, save it", _MORE, _EXAMPLES
    )
    parser.add_argument("table", metavar="TABLE", help="file to learn from; - is standard input")
    parser.add_argument("--target", required=True, metavar="COLUMN", help="column to predict")
    parser.add_argument(
        "--algorithm",
        choices=("cart", "c45", "id3"),
        default="cart",
        help="CART (the default: two branches, surrogates, pruned by cross-validation), C4.5 or ID3",
    )
    add_output(parser, "MODEL", "where to save the model, *.tw.json")
    parser.add_argument("--report", metavar="PAGE", help="also write a page to hand over, *.html")
    judge = parser.add_mutually_exclusive_group()
    judge.add_argument(
        "--folds", type=int, default=10, metavar="N", help="cross-validate with N folds (10); 0 to leave it"
    )
    judge.add_argument("--holdout", type=float, metavar="SHARE", help="hold a share of the rows out instead")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="number that folds are drawn by (0)")
    parser.add_argument(
        "--task", choices=("classification", "regression"), help="instead of what the target suggests"
    )
    parser.add_argument(
        "--set",
        action="append",
        metavar="NAME=VALUE",
        help="a parameter of the estimator: a number, true, false, null, JSON or a text",
    )
    parser.add_argument(
        "--keep", action="append", default=[], metavar="NAME", help="use a column that would be left out"
    )
    parser.add_argument("--drop", action="append", default=[], metavar="NAME", help="leave a column out")
    parser.add_argument(
        "--kind",
        action="append",
        metavar="NAME=KIND",
        help="what a column holds: categorical, numeric, boolean, datetime, text",
    )
    add_width(parser)
    add_json(parser)
    add_reading(parser)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    from treewright.cli.output import check_name, check_output
    from treewright.cli.shown import text_columns
    from treewright.errors import ParameterError

    text_columns(args.width)  # before a table is read
    check_name(args.output, "a model is written as JSON", ".tw.json", ".json")
    check_name(args.report, "a report is a page of HTML", ".html", ".htm", option="--report")
    check_output(args.output, args.force, must_be_file=True)
    check_output(args.report, args.force, must_be_file=True)
    if args.folds < 0 or args.folds == 1:
        raise ParameterError(f"--folds {args.folds}: give 2 or more, or 0 to leave it.")
    if args.holdout is not None and not 0 < args.holdout < 1:
        raise ParameterError(f"--holdout {args.holdout}: give a share between 0 and 1, such as 0.25.")
    if args.seed < 0:
        raise ParameterError(f"--seed {args.seed}: give 0 or more.")
    _refuse_unknown_settings(args)
    _learn(args)


def _refuse_unknown_settings(args: argparse.Namespace) -> None:
    """Refuse misspelt parameters before a table is read, for which there may be time to go and have tea."""
    import treewright
    from treewright.cli.settings import settings

    if not args.set:
        return  # without loading what takes its time
    names = _names(args.algorithm, args.task)
    known = {each for name in names for each in _parameters(getattr(treewright, name))}
    settings(args.set, known, " and ".join(names))


def _parameters(kind: Any) -> set[str]:
    """List the parameters of an estimator, and their old names."""
    from treewright.estimators.renamed import RENAMED

    known = set(kind().get_params())
    return known | {old for old, new in RENAMED.items() if new in known}


def _names(algorithm: str, task: str | None) -> list[str]:
    """List the estimators for an algorithm and a task."""
    from treewright.errors import ParameterError

    names = [name for name in _NAMES[algorithm] if task is None or _TASKS[task] in name]
    if not names:
        raise ParameterError(f"--algorithm {algorithm} predicts classes; for numbers use --algorithm cart.")
    return names


def _learn(args: argparse.Namespace) -> None:
    from treewright.cli.shown import compact, put_json, put_parts, root_ledger, text_columns, tree_text
    from treewright.cli.tables import lesson
    from treewright.cli.words import on_terminal, say
    from treewright.formatting import format_count

    found = lesson(args)
    estimator, chosen = _estimator(args, found)
    if "verbose" not in chosen and on_terminal():
        estimator.set_params(verbose=1)
    estimator.fit(found.table, found.target)
    if "verbose" not in chosen:
        estimator.set_params(verbose=0)  # the file should not depend on who was looking
    tree = estimator.tree_
    labels = estimator.classes_.tolist() if found.is_classification else []
    judged, how = _judged(args, estimator, found, labels)
    ledger = root_ledger(estimator, found.table, found.target)
    if args.json:
        put_json(_report(args, estimator, found, judged, how, ledger))
    else:
        shape = f"{format_count(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.max_depth}"
        written = tree_text(estimator.model_, _LINES, text_columns(args.width))
        parts = [f"{type(estimator).__name__}: {shape}\n{written}"]
        if judged is not None:
            parts.append(f"{how}\n{judged}")
        parts.append(f"What every column offered at the root\n{compact(ledger)}")
        put_parts(parts)
    if args.report is not None:
        _hand_over(args, estimator, found)
    if args.output is None:
        say("Not saved; add -o MODEL.tw.json to keep the model.")
        return
    estimator.save(args.output)
    say(f"Saved in {args.output}. Next: treewright predict {args.output} TABLE")


def _hand_over(args: argparse.Namespace, estimator: Any, found: "Lesson") -> None:
    from treewright.cli.output import put
    from treewright.cli.words import say
    from treewright.estimators.reporting import summary_of
    from treewright.report.render import render

    put(render(summary_of(estimator, found.table, found.target)), args.report)
    say(f"Report in {args.report}.")


def _estimator(args: argparse.Namespace, found: "Lesson") -> tuple[Any, dict[str, Any]]:
    import treewright
    from treewright.cli.settings import settings, with_labels

    (name,) = _names(args.algorithm, "classification" if found.is_classification else "regression")
    kind = getattr(treewright, name)
    chosen = settings(args.set, _parameters(kind), name)
    if found.is_classification:
        values = found.raw_target.decoded().values
        labels = list(dict.fromkeys(values.tolist()))
        for parameter in ("class_weight", "prior", "loss"):
            if parameter in chosen:
                chosen[parameter] = with_labels(chosen[parameter], labels)
    if "cv" in kind().get_params() and "cv" not in chosen:
        chosen["cv"] = max(2, min(10, found.table.n_rows))
    return kind(**chosen), chosen


def _judged(args: argparse.Namespace, estimator: Any, found: "Lesson", labels: list[Any]) -> tuple[Any, str]:
    """Try trees out on rows they have not seen; None where that is not asked for, or cannot be."""
    from treewright.cli import trials
    from treewright.cli.words import say

    n_rows = found.table.n_rows
    if args.holdout is not None and n_rows > 1:
        folds = trials.held_out(found, args.holdout, args.seed, labels)
        n_held = int((folds == 0).sum())
        how = f"Judged on {n_held:,} rows held out, by a tree grown on the other {n_rows - n_held:,}"
    elif args.folds and n_rows > 1:
        n_folds = min(args.folds, n_rows)
        folds = trials.dealt(found, n_folds, args.seed, labels)
        how = f"Cross-validated, {n_folds} folds: each judged by a tree grown on the others"
    else:
        if n_rows == 1:
            say("One row: there is nothing to judge the tree by.")
        return None, ""
    return trials.try_out(estimator, found, folds, labels), how


def _report(
    args: argparse.Namespace, estimator: Any, found: "Lesson", judged: Any, how: str, ledger: Any
) -> dict[str, Any]:
    from treewright.cli.shown import plain_ledger
    from treewright.model.values import to_plain

    tree = estimator.tree_
    return {
        "table": args.table,
        "target": found.target,
        "task": "classification" if found.is_classification else "regression",
        "rows": found.table.n_rows,
        "rows_without_target": found.n_without_target,
        "columns": [
            {
                "name": each.name,
                "kind": each.kind,
                "categories": each.n_categories,
                "missing": each.n_missing,
                "left_out": each.left_out or None,
                "is_target": each.is_target,
            }
            for each in found.profile.columns
        ],
        "estimator": type(estimator).__name__,
        "parameters": {name: to_plain(value) for name, value in estimator.get_params().items()},
        "tree": {"nodes": tree.n_nodes, "leaves": tree.n_leaves, "depth": tree.max_depth},
        "judged": None if judged is None else {"how": how, **judged.plain()},
        "root": plain_ledger(ledger),
        "model": args.output,
    }
