"""`treewright audit`: the candidate splits of a node, with every figure, and why the winner won."""

from argparse import Namespace

import treewright
from treewright.cli import output, shown, tables, words
from treewright.formatting import format_count


def run(args: Namespace) -> None:
    """Run the command."""
    estimator = treewright.load(args.model)
    table, target = tables.rows_with_target(args, estimator.model_)
    provenance = estimator.model_.provenance
    if provenance is not None and provenance.n_rows != table.n_rows:
        words.say(
            f"note: {args.model} was grown on {format_count(provenance.n_rows, 'row')}, not on these "
            f"{table.n_rows:,}; the figures are for these rows."
        )
    ledger = treewright.audit(estimator, table, target, node=args.node, every_cut=args.every_cut)
    if args.json:
        output.put_json(
            {"node": args.node, "why": ledger.why(args.node), "candidates": shown.plain_ledger(ledger)}
        )
        return
    formulas = [ledger.formula(at) for at, row in enumerate(ledger) if row.gain is not None]
    output.put_sections(str(ledger), *(formulas if args.formulas else ()))
