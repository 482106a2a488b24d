"""`treewright audit`: the candidate splits of a node and why one won, or what pruning compared."""

from argparse import Namespace
from dataclasses import asdict
from typing import Any

import treewright
from treewright.cli import output, settings, shown, tables, words
from treewright.errors import ParameterError, did_you_mean, listed
from treewright.estimators.auditing import NEED_ROWS, PRUNING_OPTIONS
from treewright.formatting import format_count


def run(args: Namespace) -> None:
    """Run the command."""
    lang = shown.language(args)
    _check(args)
    estimator = treewright.load(args.model)
    model = estimator.model_
    tree = (
        model.tree if model.schema.takes_missing else None
    )  # every column is scored: an absent one as empty
    table, target = tables.rows_for(args, model, model.grown or model.tree if args.pruning else tree)
    if args.pruning:
        _pruning(args, estimator, table, target)
        return
    provenance = model.provenance
    if provenance is not None and provenance.n_rows != table.n_rows:
        words.say(
            f"note: {args.model} was grown on {format_count(provenance.n_rows, 'row')}, not on these "
            f"{table.n_rows:,}; the figures are for these rows."
        )
    node = args.node or 0
    ledger = treewright.audit(estimator, table, target, node=node, every_cut=args.every_cut, lang=lang)
    if args.json:
        output.put_json({"node": node, "why": ledger.why(node), "candidates": shown.plain_ledger(ledger)})
        return
    formulas = [ledger.formula(at) for at, row in enumerate(ledger) if row.gain is not None]
    output.put_sections(str(ledger), *(formulas if args.formulas else ()))


def _check(args: Namespace) -> None:
    """Reject options that cannot be combined, before the table is read."""
    if args.pruning and (args.node is not None or args.every_cut):
        given = "--every-cut" if args.node is None else "--node"
        raise ParameterError(f"{given} does not apply to --pruning, which lists all nodes.")
    if not args.pruning and (args.method or args.set):
        raise ParameterError(f"{'--method' if args.method else '--set'} needs --pruning.")
    if args.set and args.method is None:
        raise ParameterError("--set needs --method, which has options.")
    if args.method is not None and args.method not in PRUNING_OPTIONS:
        hint = did_you_mean(args.method, PRUNING_OPTIONS)
        methods = listed(PRUNING_OPTIONS, most=9)
        raise ParameterError(f"--method {args.method}: no such method; there are {methods}.{hint}")


def _pruning(args: Namespace, estimator: Any, table: Any, target: Any) -> None:
    """Print the pruning ledger."""
    options = {}
    if args.method is not None:
        options = settings.parameters(args.set, PRUNING_OPTIONS[args.method], f"the method {args.method}")
    needs_rows = args.method is None or args.method in NEED_ROWS
    X, y = (table, target) if needs_rows else (None, None)
    lang = shown.language(args)
    ledger = treewright.audit_pruning(estimator, X, y, args.method, lang=lang, **options)
    if args.json:
        output.put_json({"method": ledger.method, "comparisons": [asdict(row) for row in ledger]})
        return
    formulas = [ledger.formula(row) for row in ledger]
    output.put_sections(str(ledger), *(formulas if args.formulas else ()))
