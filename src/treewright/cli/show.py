"""`treewright show`: a model as text, rules, a graph, JSON, a drawing or a page."""

import argparse
from typing import TYPE_CHECKING, Any

from treewright.cli.arguments import add_output, add_width, command

if TYPE_CHECKING:
    from treewright.model.model import Model

_MORE = """\
Write a model down, or draw it. What is drawn may be limited; what is left out
is counted."""

_EXAMPLES = """\
  treewright show melons.tw.json
  treewright show melons.tw.json --format rules
  treewright show melons.tw.json -o melons.svg
  treewright show melons.tw.json -o melons.png --max-depth 3
  treewright show melons.tw.json --format dot | dot -Tpdf > melons.pdf"""

RULES = "rules"
# What a name may also end with, besides the suffix that a format has itself.
_MORE_SUFFIXES = {".md": "mermaid", ".gv": "dot", ".htm": "html", ".png": "png", ".pdf": "pdf"}


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(commands, "show", run, "write a model down, or draw it", _MORE, _EXAMPLES)
    parser.add_argument("model", metavar="MODEL", help="model file, *.tw.json")
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        help="text (the default), rules, dot, mermaid, json, svg, html, png, pdf; or as the name of the "
        "output ends: .txt, .dot, .mmd, .md (Mermaid in Markdown), .json, .svg, .html, .png, .pdf",
    )
    add_output(parser, "OUT", "where to write; by default to standard output")
    parser.add_argument("--max-depth", type=int, metavar="N", help="deepest level to show; the root is 0")
    parser.add_argument("--max-nodes", type=int, metavar="N", help="nodes to draw at most; 0 for all")
    add_width(parser)
    parser.add_argument("--json", action="store_true", help="the same as --format json")


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    from treewright.cli.output import check_output, put, suffix_of
    from treewright.cli.shown import text_columns
    from treewright.errors import ParameterError
    from treewright.model import files

    if args.json and args.format not in (None, "json"):
        raise ParameterError(f"--json and --format {args.format}: say one of them.")
    format = "json" if args.json else args.format or _by_name(args.output)
    suffix = suffix_of(args.output)
    if suffix in (".png", ".pdf") and f".{format}" != suffix:
        raise ParameterError(
            f"-o {args.output}: {format} is no {suffix}; leave --format out, or choose another name."
        )
    width = text_columns(args.width, args.output)
    check_output(args.output, args.force)
    if format != RULES:
        _refuse_unknown(format)
    model = files.read(args.model).model
    put(_written(model, format, args, width), args.output)


def _by_name(output: str | None) -> str:
    """Tell the format by how the name of a file ends; what goes elsewhere is text."""
    from treewright.cli.output import suffix_of
    from treewright.errors import ParameterError
    from treewright.export import exporter

    if not suffix_of(output):
        return "text"
    assert output is not None, "it has a suffix"
    known = {exporter.exporter(name).suffix: name for name in exporter.names()} | _MORE_SUFFIXES
    for suffix, name in known.items():
        if output.lower().endswith(suffix):
            return name
    raise ParameterError(
        f"-o {output}: no format goes by {suffix_of(output)}; end the name with one of {', '.join(known)}, "
        "or say --format."
    )


def _refuse_unknown(format: str) -> None:
    from treewright.errors import ParameterError, did_you_mean, listed
    from treewright.export import exporter, plot

    known = (*exporter.names(), *plot.FORMATS, RULES)
    if format not in known:
        raise ParameterError(
            f"format {format!r} is not known; there are {listed(known, most=20)}."
            + did_you_mean(format, known)
        )


def _written(model: "Model", format: str, args: argparse.Namespace, width: int | None) -> str | bytes:
    import inspect
    from functools import partial

    from treewright.cli.output import suffix_of
    from treewright.errors import ParameterError
    from treewright.export import exporter, plot

    asked: dict[str, Any] = {}
    if args.max_depth is not None:
        asked["max_depth"] = args.max_depth
    if args.max_nodes is not None:
        asked["max_nodes"] = args.max_nodes or None
    if format == "text" or args.width is not None:
        asked["width"] = width
    if format == RULES:
        from treewright.explain.rules import leaf_rules

        if asked:
            raise ParameterError(f"--{next(iter(asked)).replace('_', '-')} has no meaning for rules.")
        return leaf_rules(model).to_text()
    is_picture = format in plot.FORMATS
    write: Any = partial(plot.saved, format=format) if is_picture else exporter.exporter(format).write
    takes = inspect.signature(write).parameters
    for name, value in asked.items():
        if name not in takes:
            raise ParameterError(f"--{name.replace('_', '-')} has no meaning for {format}.")
        if value is not None and value < 0:
            raise ParameterError(f"--{name.replace('_', '-')} {value}: give 0 or more.")
    written: str | bytes = write(model, **asked)
    if isinstance(written, str) and format == "mermaid" and suffix_of(args.output) == ".md":
        return f"```mermaid\n{written.rstrip()}\n```\n"
    return written
