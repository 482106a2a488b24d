"""`treewright report`: an interactive report as one HTML page."""

import argparse

import treewright
from treewright.cli.output import PAGE, check_output, put, put_json
from treewright.cli.tables import rows_with_target
from treewright.cli.words import say
from treewright.estimators.reporting import summary_of
from treewright.report.render import check_language, render


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    check_language(args.lang)
    check_output(args.output, args.force, *(("--json writes JSON", ".json") if args.json else PAGE))
    estimator = treewright.load(args.model)
    summary = summary_of(estimator, *rows_with_target(args, estimator.model_), title=args.title)
    if args.json:
        put_json(summary, args.output)
    else:
        put(render(summary, args.lang), args.output)
    if args.output is not None:
        say(f"Saved in {args.output}.")
