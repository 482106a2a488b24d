"""`treewright prune`: make a smaller tree from a model."""

from argparse import Namespace

import treewright
from treewright.cli import output, settings, shown, tables, words
from treewright.errors import ParameterError, did_you_mean, listed
from treewright.estimators.pruning import OPTIONS
from treewright.formatting import format_count

_HELD_OUT = "rows held out of fit"
_NEEDED = {"reduced-error": _HELD_OUT, "pre-pruning": _HELD_OUT, "error-based": "the training rows"}


def run(args: Namespace) -> None:
    """Run the command."""
    width, lang = shown.text_width_of(args.width), shown.language(args)
    output.check_output(args.output, args.force, *output.MODEL, only_file=True)
    if args.method not in OPTIONS:
        hint = did_you_mean(args.method, OPTIONS)
        raise ParameterError(f"--method {args.method}: no such method; there are {listed(OPTIONS)}.{hint}")
    if args.method in _NEEDED and args.table is None:
        raise ParameterError(f"--method {args.method} needs {_NEEDED[args.method]}; give them as TABLE.")
    options = settings.parameters(args.set, OPTIONS[args.method], f"the method {args.method}")
    sizes = {"alpha", "cp", "leaves"} & options.keys()
    if args.method == "cost-complexity" and len(sizes) + (args.table is not None) != 1:
        raise ParameterError(
            "--method cost-complexity takes one of --set alpha=..., --set cp=..., --set leaves=... and "
            "held-out rows as TABLE; give exactly one."
        )
    estimator = treewright.load(args.model)
    model = estimator.model_
    largest = model.grown or model.tree  # what methods begin with, whatever is left of it by now
    rows = () if args.table is None else tables.rows_for(args, model, largest)
    smaller = estimator.prune(args.method, *rows, **options)
    grown, after = largest.n_leaves, smaller.get_n_leaves()
    with output.saved(smaller, args.output):
        if args.json:
            output.put_json(
                {
                    "method": args.method,
                    "leaves_grown": grown,
                    "leaves_before": model.tree.n_leaves,
                    "leaves": after,
                    "model": args.output,
                }
            )
        else:
            output.put(shown.tree_text(smaller.model_, width, lang))
        of_model = "" if grown == model.tree.n_leaves else f"; {args.model} has {model.tree.n_leaves:,}"
        leaves = format_count(after, "leaf", "leaves")
        words.say(f"{args.method}: {leaves} of the {grown:,} that were grown{of_model}.")
