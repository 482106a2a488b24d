"""`treewright report`: an interactive report as one HTML page."""

from argparse import Namespace

import treewright
from treewright.cli import output, tables, words
from treewright.estimators.reporting import summary_of
from treewright.report.render import check_language, render


def run(args: Namespace) -> None:
    """Run the command."""
    check_language(args.lang)
    output.check_output(
        args.output, args.force, *(("--json writes JSON", ".json") if args.json else output.PAGE)
    )
    estimator = treewright.load(args.model)
    rows = tables.rows_with_target(args, estimator.model_)
    summary = summary_of(estimator, *rows, title=args.title, examples=args.examples)
    if args.json:
        output.put_json(summary, args.output)
    else:
        output.put(render(summary, args.lang), args.output)
    if args.output is not None:
        words.say(f"Saved in {args.output}.")
