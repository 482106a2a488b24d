"""`treewright audit`: what every column offered at a node, every figure, and why the winner won."""

import argparse
from typing import Any

from treewright.cli.arguments import add_json, add_reading, command

_MORE = """\
Look into a node again: send the rows down the tree, and score every column
there as growing did. Give the rows that the model was grown on. The numbers of
nodes are those of 'treewright show MODEL --format json' and of drawings."""

_EXAMPLES = """\
  treewright audit melons.tw.json melons.csv
  treewright audit melons.tw.json melons.csv --node 2 --formulas
  treewright audit melons.tw.json melons.csv --every-cut --json"""


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands, "audit", run, "what every column offered at a node, and why one won", _MORE, _EXAMPLES
    )
    parser.add_argument("model", metavar="MODEL", help="model file, *.tw.json")
    parser.add_argument("table", metavar="TABLE", help="the rows that it was grown on; - is standard input")
    parser.add_argument("--node", type=int, default=0, metavar="N", help="number of the node; the root is 0")
    parser.add_argument("--every-cut", action="store_true", help="list each cut of each numeric column")
    parser.add_argument("--formulas", action="store_true", help="write the arithmetic of every column out")
    parser.add_argument(
        "--target", metavar="COLUMN", help="column with the target, if it is now called otherwise"
    )
    add_json(parser)
    add_reading(parser)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    import treewright
    from treewright.cli.shown import plain_ledger, put_json, put_parts
    from treewright.cli.tables import rows_with_target
    from treewright.cli.words import say
    from treewright.estimators.auditing import audit
    from treewright.formatting import format_count

    estimator = treewright.load(args.model)
    table, target = rows_with_target(args, estimator.model_)
    provenance = estimator.model_.provenance
    if provenance is not None and provenance.n_rows != table.n_rows:
        say(
            f"note: {args.model} was grown on {format_count(provenance.n_rows, 'row')}, and here are "
            f"{table.n_rows:,}: the figures are those of these rows."
        )
    ledger = audit(estimator, table, target, node=args.node, every_cut=args.every_cut)
    if args.json:
        put_json({"node": args.node, "why": ledger.why(args.node), "candidates": plain_ledger(ledger)})
        return
    parts = [str(ledger)]
    if args.formulas:
        parts += [ledger.formula(at) for at, row in enumerate(ledger) if row.gain is not None]
    put_parts(parts)
