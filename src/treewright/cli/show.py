"""`treewright show`: a model as text, rules, a graph, JSON, a drawing or a page."""

import inspect
from argparse import Namespace
from typing import Any

import treewright
from treewright.cli import output, shown, tables
from treewright.cli.parser import RULES
from treewright.cli.words import say
from treewright.errors import ParameterError
from treewright.explain.rules import leaf_rules
from treewright.export.exporter import by_suffix, exporter
from treewright.export.look import Look, LookOptions
from treewright.model import files
from treewright.model.model import Model


def run(args: Namespace) -> None:
    """Run the command."""
    if args.json and args.format not in (None, "json"):
        raise ParameterError(f"--json and --format {args.format} exclude each other.")
    suffix, known = output.suffix_of(args.output), by_suffix()
    named = next((known[end] for end in known if suffix and args.output.lower().endswith(end)), None)
    format = "json" if args.json else args.format
    if format is None and suffix and named is None:
        raise ParameterError(
            f"-o {args.output}: no format has the suffix {suffix}; end the name with one of "
            f"{', '.join(known)}, or add --format."
        )
    format = format or ("text" if named is None else named.name)
    if named is not None and named.name != format and not getattr(named, "is_text", True):
        hint = "leave --format out, or choose another name"
        raise ParameterError(f"-o {args.output}: the format is {format}, not {suffix}; {hint}.")
    width = shown.text_width_of(args.width, args.output)
    output.check_output(args.output, args.force)
    write: Any = _rules if format == RULES else exporter(format, others=(RULES,)).write
    options = _options(args, write, format)
    if format in ("text", RULES):
        options["width"] = width
    if args.table is None:
        model = files.read(args.model).model
    else:
        # Only charts of rows need estimators, which are slow to load.
        from treewright.estimators.reporting import rows_to_draw

        estimator = treewright.load(args.model)
        model = estimator.model_
        options["rows"] = rows_to_draw(estimator, True, *tables.rows_for(args, model, model.tree))
    written: str | bytes = write(model, **options)
    if isinstance(written, str) and format == "mermaid" and suffix == ".md":
        written = f"```mermaid\n{written.rstrip()}\n```\n"
    output.put(written, args.output)


def _options(args: Namespace, write: Any, format: str) -> dict[str, Any]:
    """Return the given options of a format; reject those that it does not have."""
    known = inspect.signature(write).parameters
    if args.lang is not None and not known.keys() & {"lang", "look"}:
        raise ParameterError(f"--lang does not apply to {format}.")
    if args.table is not None and "rows" not in known:
        raise ParameterError(f"TABLE does not apply to {format}, which charts no rows.")
    lang = shown.language(args)
    limits = {name: getattr(args, name) for name in ("max_depth", "max_nodes", "width")}
    limits = {name: value for name, value in limits.items() if value is not None}
    look = {name: getattr(args, name) for name in LookOptions.__annotations__ if name != "lang"}
    look = {name: value for name, value in look.items() if value is not None and value is not False}
    for name in (*limits, *look):
        option = f"--{name.replace('_', '-')}"
        if ("look" if name in look else name) not in known:
            raise ParameterError(f"{option} does not apply to {format}.")
        if limits.get(name, 0) < 0:
            raise ParameterError(f"{option} {limits[name]}: give 0 or more.")
    if limits.get("max_nodes") == 0:
        limits["max_nodes"] = None
    found = limits | ({"look": Look.of(look | {"lang": lang})} if "look" in known else {})
    return found | ({"lang": lang} if "lang" in known else {})


def _rules(model: Model, width: int | None) -> str:
    rules = leaf_rules(model)
    text = rules.to_text(width=width)
    if text != rules.to_text():
        say("Long lists of categories are shortened; --width 0 writes them whole.")
    return text
