"""`treewright audit`: the candidate splits of a node, with every figure, and why the winner won."""

import argparse

import treewright
from treewright.cli.output import put_json, put_sections
from treewright.cli.shown import plain_ledger
from treewright.cli.tables import rows_with_target
from treewright.cli.words import say
from treewright.estimators.auditing import audit
from treewright.formatting import format_count


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    estimator = treewright.load(args.model)
    table, target = rows_with_target(args, estimator.model_)
    provenance = estimator.model_.provenance
    if provenance is not None and provenance.n_rows != table.n_rows:
        say(
            f"note: {args.model} was grown on {format_count(provenance.n_rows, 'row')}, not on these "
            f"{table.n_rows:,}; the figures are for these rows."
        )
    ledger = audit(estimator, table, target, node=args.node, every_cut=args.every_cut)
    if args.json:
        put_json({"node": args.node, "why": ledger.why(args.node), "candidates": plain_ledger(ledger)})
        return
    formulas = [ledger.formula(at) for at, row in enumerate(ledger) if row.gain is not None]
    put_sections(str(ledger), *(formulas if args.formulas else ()))
