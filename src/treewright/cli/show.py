"""`treewright show`: a model as text, rules, a graph, JSON, a drawing or a page."""

import inspect
from argparse import Namespace
from typing import Any

from treewright.cli import output, shown
from treewright.cli.parser import RULES
from treewright.errors import ParameterError
from treewright.explain.rules import leaf_rules
from treewright.export.exporter import by_suffix, exporter
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
    options = {name: each for name in ("max_depth", "max_nodes") if (each := getattr(args, name)) is not None}
    if options.get("max_nodes") == 0:
        options["max_nodes"] = None
    if format == "text" or args.width is not None:
        options["width"] = width
    if format == "text" or args.lang is not None:
        options["lang"] = shown.language(args)
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if name not in inspect.signature(write).parameters:
            raise ParameterError(f"{option} does not apply to {format}.")
        if isinstance(value, int) and value < 0:
            raise ParameterError(f"{option} {value}: give 0 or more.")
    written: str | bytes = write(files.read(args.model).model, **options)
    if isinstance(written, str) and format == "mermaid" and suffix == ".md":
        written = f"```mermaid\n{written.rstrip()}\n```\n"
    output.put(written, args.output)


def _rules(model: Model) -> str:
    return leaf_rules(model).to_text()
