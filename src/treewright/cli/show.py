"""`treewright show`: a model as text, rules, a graph, JSON, a drawing or a page."""

import argparse
import inspect
from typing import Any

from treewright.cli.output import check_output, put, suffix_of
from treewright.cli.parser import RULES
from treewright.cli.shown import text_width_of
from treewright.errors import ParameterError
from treewright.explain.rules import leaf_rules
from treewright.export.exporter import by_suffix, exporter
from treewright.model import files
from treewright.model.model import Model


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    if args.json and args.format not in (None, "json"):
        raise ParameterError(f"--json and --format {args.format} exclude each other.")
    format = "json" if args.json else args.format or _format_of_name(args.output)
    suffix = suffix_of(args.output)
    named = by_suffix().get(suffix)
    if named is not None and named.name != format and not getattr(named, "is_text", True):
        raise ParameterError(
            f"-o {args.output}: the format is {format}, not {suffix}; leave --format out, or choose "
            "another name."
        )
    width = text_width_of(args.width, args.output)
    check_output(args.output, args.force)
    write: Any = _rules if format == RULES else exporter(format, others=(RULES,)).write
    options = _options(args, format, width)
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if name not in inspect.signature(write).parameters:
            raise ParameterError(f"{option} does not apply to {format}.")
        if value is not None and value < 0:
            raise ParameterError(f"{option} {value}: give 0 or more.")
    written: str | bytes = write(files.read(args.model).model, **options)
    if isinstance(written, str) and format == "mermaid" and suffix == ".md":
        written = f"```mermaid\n{written.rstrip()}\n```\n"
    put(written, args.output)


def _format_of_name(output: str | None) -> str:
    """Return the format that the name of a file stands for; text if it has no suffix."""
    if output is None or not suffix_of(output):
        return "text"
    known = by_suffix()
    for suffix, found in known.items():
        if output.lower().endswith(suffix):
            return str(found.name)
    raise ParameterError(
        f"-o {output}: no format has the suffix {suffix_of(output)}; end the name with one of "
        f"{', '.join(known)}, or add --format."
    )


def _options(args: argparse.Namespace, format: str, width: int | None) -> dict[str, Any]:
    """Return the options for the exporter that were given."""
    given: dict[str, Any] = {}
    if args.max_depth is not None:
        given["max_depth"] = args.max_depth
    if args.max_nodes is not None:
        given["max_nodes"] = args.max_nodes or None
    if format == "text" or args.width is not None:
        given["width"] = width
    return given


def _rules(model: Model) -> str:
    return leaf_rules(model).to_text()
