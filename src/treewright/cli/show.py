"""`treewright show`: a model as text, rules, a graph, JSON, a drawing or a page."""

import argparse
import inspect
from functools import partial
from typing import Any

from treewright.cli.output import check_output, put, suffix_of
from treewright.cli.shown import text_width_of
from treewright.errors import ParameterError, did_you_mean, listed
from treewright.explain.rules import leaf_rules
from treewright.export import exporter, plot
from treewright.model import files
from treewright.model.model import Model

_RULES = "rules"
# Names of files may end with these, besides the suffix that each format has itself.
_MORE_SUFFIXES = {".md": "mermaid", ".gv": "dot", ".htm": "html", ".png": "png", ".pdf": "pdf"}


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    if args.json and args.format not in (None, "json"):
        raise ParameterError(f"--json and --format {args.format} exclude each other.")
    format = "json" if args.json else args.format or _format_of_name(args.output)
    suffix = suffix_of(args.output)
    if suffix in (".png", ".pdf") and f".{format}" != suffix:
        raise ParameterError(
            f"-o {args.output}: the format is {format}, not {suffix}; leave --format out, or choose "
            "another name."
        )
    width = text_width_of(args.width, args.output)
    check_output(args.output, args.force)
    known = (*exporter.names(), *plot.FORMATS, _RULES)
    if format not in known:
        raise ParameterError(
            f"format {format!r} is not known; there are {listed(known, most=20)}."
            + did_you_mean(format, known)
        )
    put(_written(files.read(args.model).model, format, args, width), args.output)


def _format_of_name(output: str | None) -> str:
    """Return the format that the name of a file stands for; text if it has no suffix."""
    if output is None or not suffix_of(output):
        return "text"
    known = {exporter.exporter(name).suffix: name for name in exporter.names()} | _MORE_SUFFIXES
    for suffix, name in known.items():
        if output.lower().endswith(suffix):
            return name
    raise ParameterError(
        f"-o {output}: no format has the suffix {suffix_of(output)}; end the name with one of "
        f"{', '.join(known)}, or add --format."
    )


def _written(model: Model, format: str, args: argparse.Namespace, width: int | None) -> str | bytes:
    given: dict[str, Any] = {}
    if args.max_depth is not None:
        given["max_depth"] = args.max_depth
    if args.max_nodes is not None:
        given["max_nodes"] = args.max_nodes or None
    if format == "text" or args.width is not None:
        given["width"] = width
    write: Any
    if format == _RULES:
        write = _rules
    elif format in plot.FORMATS:
        write = partial(plot.saved, format=format)
    else:
        write = exporter.exporter(format).write
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if name not in inspect.signature(write).parameters:
            raise ParameterError(f"{option} does not apply to {format}.")
        if value is not None and value < 0:
            raise ParameterError(f"{option} {value}: give 0 or more.")
    written: str | bytes = write(model, **given)
    if isinstance(written, str) and format == "mermaid" and suffix_of(args.output) == ".md":
        return f"```mermaid\n{written.rstrip()}\n```\n"
    return written


def _rules(model: Model) -> str:
    return leaf_rules(model).to_text()
