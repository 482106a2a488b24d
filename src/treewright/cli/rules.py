"""`treewright rules`: a model as rules, one for each leaf or C4.5's rule set; text, Markdown, JSON or SQL."""

from argparse import Namespace

import treewright
from treewright.cli import output, tables, words
from treewright.errors import ParameterError
from treewright.explain.rules import RuleSet
from treewright.formatting import format_count

_SUFFIXES = {".txt": "text", ".md": "markdown", ".json": "json", ".sql": "sql"}


def run(args: Namespace) -> None:
    """Run the command."""
    format = _format(args)
    output.check_output(args.output, args.force)
    if args.kind == "c45rules" and args.table is None:
        raise ParameterError("--kind c45rules needs the training rows; give them as TABLE.")
    if args.kind == "leaves" and args.table is not None:
        raise ParameterError("--kind leaves reads the model alone; leave TABLE out, or use --kind c45rules.")
    if args.sql_table is not None and format != "sql":
        raise ParameterError(f"--sql-table is for SQL, and the format is {format}; add --format sql.")
    rules = _rules(args)
    words.say(f"{format_count(len(rules), 'rule')}, of kind {rules.kind}.")
    if format == "sql":
        output.put(rules.to_sql(args.sql_table), args.output)
    else:
        output.put(getattr(rules, f"to_{format}")(), args.output)


def _format(args: Namespace) -> str:
    if args.json and args.format not in (None, "json"):
        raise ParameterError(f"--json and --format {args.format} exclude each other.")
    suffix = output.suffix_of(args.output)
    format: str | None = "json" if args.json else args.format
    if format is None and suffix and suffix not in _SUFFIXES:
        raise ParameterError(
            f"-o {args.output}: no format has the suffix {suffix}; end the name with one of "
            f"{', '.join(_SUFFIXES)}, or add --format."
        )
    return format or _SUFFIXES.get(suffix, "text")


def _rules(args: Namespace) -> RuleSet:
    estimator = treewright.load(args.model)
    model = estimator.model_
    rows = () if args.table is None else tables.rows_for(args, model, model.grown or model.tree)
    estimator.set_params(verbose=1)  # slow rules say how far they are
    rules: RuleSet = estimator.rules(args.kind, *rows)
    return rules
