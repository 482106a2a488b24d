"""`treewright report`: an interactive report as one HTML page."""

from argparse import Namespace

import treewright
from treewright.cli import output, shown, tables, words
from treewright.estimators.reporting import summary_of
from treewright.report.render import render


def run(args: Namespace) -> None:
    """Run the command."""
    lang = shown.language(args)
    output.check_output(
        args.output, args.force, *(("--json writes JSON", ".json") if args.json else output.PAGE)
    )
    estimator = treewright.load(args.model)
    model = estimator.model_
    tree = model.grown or model.tree if model.schema.takes_missing else None
    table, target = tables.rows_with_target(args, model, tree)
    rows = tables.filled(table, model)
    summary = summary_of(estimator, rows, target, title=args.title, examples=args.examples)
    if rows is not table and table.n_rows == summary["grown_on"]:
        summary["rows"]["are_training"] = None  # the columns that it lacks would tell
    if args.json:
        output.put_json(summary, args.output)
    else:
        output.put(render(summary, lang), args.output)
    if args.output is not None:
        words.say(f"Saved in {args.output}.")
