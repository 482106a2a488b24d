"""`treewright report`: one page to hand over."""

import argparse
from typing import Any

from treewright.cli.arguments import add_json, add_output, add_reading, command

_MORE = """\
Write one page that opens from disk and fetches nothing: the tree to walk, to
prune and to ask, its rules, and how well it does on the rows of TABLE."""

_EXAMPLES = """\
  treewright report melons.tw.json melons.csv -o melons.html
  treewright report melons.tw.json melons.csv -o melons.html --lang zh
  treewright report melons.tw.json melons.csv --json > melons.json"""


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(commands, "report", run, "write a page to hand over", _MORE, _EXAMPLES)
    parser.add_argument("model", metavar="MODEL", help="model file, *.tw.json")
    parser.add_argument("table", metavar="TABLE", help="rows with their target, to judge the tree by")
    add_output(parser, "PAGE", "where to write, *.html; by default to standard output")
    parser.add_argument("--lang", default="en", metavar="LANG", help="language of the page: en or zh")
    parser.add_argument("--title", metavar="TEXT", help="what to call it")
    parser.add_argument(
        "--target", metavar="COLUMN", help="column with the target, if it is now called otherwise"
    )
    add_json(parser)
    add_reading(parser)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    import treewright
    from treewright.cli.output import check_name, check_output, put
    from treewright.cli.shown import put_json
    from treewright.cli.tables import rows_with_target
    from treewright.cli.words import say
    from treewright.estimators.reporting import summary_of
    from treewright.report.render import check_language, render

    check_language(args.lang)
    if args.json:
        check_name(args.output, "--json writes JSON", ".json")
    else:
        check_name(args.output, "a report is a page of HTML", ".html", ".htm")
    check_output(args.output, args.force)
    estimator = treewright.load(args.model)
    table, target = rows_with_target(args, estimator.model_)
    summary = summary_of(estimator, table, target, title=args.title)
    if args.json:
        put_json(summary, args.output)
    else:
        put(render(summary, args.lang), args.output)
    if args.output is not None:
        say(f"Written to {args.output}.")
