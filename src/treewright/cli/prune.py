"""`treewright prune`: a smaller tree from a model."""

import argparse

import treewright
from treewright.cli.output import MODEL, check_output, put, put_json, save
from treewright.cli.settings import settings
from treewright.cli.shown import text_width_of, tree_text
from treewright.cli.tables import rows_with_target
from treewright.cli.words import say
from treewright.errors import ParameterError, did_you_mean, listed
from treewright.estimators.pruning import OPTIONS
from treewright.formatting import format_count

_NEEDED = {"reduced-error": "rows held out of fit", "error-based": "the training rows"}


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    width = text_width_of(args.width)
    check_output(args.output, args.force, *MODEL, must_be_file=True)
    if args.method not in OPTIONS:
        raise ParameterError(
            f"--method {args.method}: there is no such method; there are {listed(OPTIONS)}."
            + did_you_mean(args.method, OPTIONS)
        )
    if args.method in _NEEDED and args.table is None:
        raise ParameterError(f"--method {args.method} needs {_NEEDED[args.method]}; give them as TABLE.")
    options = settings(args.set, OPTIONS[args.method], f"the method {args.method}")
    estimator = treewright.load(args.model)
    rows = () if args.table is None else rows_with_target(args, estimator.model_)
    smaller = estimator.prune(args.method, *rows, **options)
    before, after = estimator.get_n_leaves(), smaller.get_n_leaves()
    if args.json:
        put_json({"method": args.method, "leaves_before": before, "leaves": after, "model": args.output})
    else:
        put(tree_text(smaller.model_, width))
    say(f"{args.method}: {format_count(after, 'leaf', 'leaves')}, down from {before:,}.")
    save(smaller, args.output)
