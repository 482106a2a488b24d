"""`treewright prune`: a smaller tree from one that is there."""

import argparse
from typing import Any

from treewright.cli.arguments import add_json, add_output, add_reading, add_width, command

_MORE = """\
Make a smaller tree; nothing is grown again. Methods, and options for --set:
  cost-complexity  alpha, cp or leaves; or held-out rows as TABLE, with scoring,
                   rule (min, 1-se); risk
  reduced-error    held-out rows as TABLE
  error-based      the training rows as TABLE; confidence, raising
  pessimistic      standard_errors
  minimum-error    m"""

_EXAMPLES = """\
  treewright prune adult.tw.json --method pessimistic -o small.tw.json
  treewright prune adult.tw.json --method cost-complexity --set leaves=8
  treewright prune adult.tw.json new.csv --method reduced-error -o few.tw.json"""

_LINES = 60
_NEEDED = {"reduced-error": "rows held out of fit", "error-based": "the rows that the model was grown on"}


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(commands, "prune", run, "make a smaller tree of a model", _MORE, _EXAMPLES)
    parser.add_argument("model", metavar="MODEL", help="model file, *.tw.json")
    parser.add_argument("table", metavar="TABLE", nargs="?", help="rows, for the methods that need some")
    parser.add_argument("--method", required=True, metavar="METHOD", help="see above")
    add_output(parser, "MODEL", "where to save the smaller model, *.tw.json")
    parser.add_argument("--set", action="append", metavar="NAME=VALUE", help="an option of the method")
    parser.add_argument(
        "--target", metavar="COLUMN", help="column with the target, if it is now called otherwise"
    )
    add_width(parser)
    add_json(parser)
    add_reading(parser)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    import treewright
    from treewright.cli.output import check_name, check_output, put
    from treewright.cli.settings import settings
    from treewright.cli.shown import put_json, text_columns, tree_text
    from treewright.cli.tables import rows_with_target
    from treewright.cli.words import say
    from treewright.errors import ParameterError, did_you_mean, listed
    from treewright.estimators.pruning import OPTIONS
    from treewright.formatting import format_count

    width = text_columns(args.width)
    check_name(args.output, "a model is written as JSON", ".tw.json", ".json")
    check_output(args.output, args.force, must_be_file=True)
    if args.method not in OPTIONS:
        raise ParameterError(
            f"--method {args.method}: there is no such method; there are {listed(OPTIONS)}."
            + did_you_mean(args.method, OPTIONS)
        )
    if args.method in _NEEDED and args.table is None:
        raise ParameterError(f"--method {args.method} needs {_NEEDED[args.method]}; give them as TABLE.")
    options = settings(args.set, OPTIONS[args.method], f"the method {args.method}")
    estimator = treewright.load(args.model)
    rows: tuple[Any, ...] = ()
    if args.table is not None:
        rows = rows_with_target(args, estimator.model_)
    smaller = estimator.prune(args.method, *rows, **options)
    before, after = estimator.get_n_leaves(), smaller.get_n_leaves()
    if args.json:
        put_json({"method": args.method, "leaves_before": before, "leaves": after, "model": args.output})
    else:
        put(tree_text(smaller.model_, _LINES, width), None)
    say(f"{args.method}: {format_count(after, 'leaf', 'leaves')}, where there were {before:,}.")
    if args.output is None:
        say("Not saved; add -o MODEL.tw.json to keep the smaller model.")
        return
    smaller.save(args.output)
    say(f"Saved in {args.output}.")
