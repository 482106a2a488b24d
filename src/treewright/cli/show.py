"""`treewright show`: a model as text, rules, a graph, JSON, a drawing or a page."""

import argparse
from typing import TYPE_CHECKING, Any

from treewright.cli.arguments import add_output, add_width, command
from treewright.export.formats import OURS

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


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(commands, "show", run, "write a model down, or draw it", _MORE, _EXAMPLES)
    parser.add_argument("model", metavar="MODEL", help="model file, *.tw.json")
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        help=f"{', '.join((*OURS, RULES))}; by default the one that the suffix of the output stands for ("
        + ", ".join(suffix for each in OURS.values() for suffix in each.suffixes)
        + "), otherwise text",
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
    from treewright.export.exporter import by_suffix, exporter
    from treewright.model import files

    if args.json and args.format not in (None, "json"):
        raise ParameterError(f"--json and --format {args.format}: say one of them.")
    format = "json" if args.json else args.format or _by_name(args.output)
    suffix = suffix_of(args.output)
    named = by_suffix().get(suffix)
    if named is not None and named.name != format and not getattr(named, "is_text", True):
        raise ParameterError(
            f"-o {args.output}: {format} is no {suffix}; leave --format out, or choose another name."
        )
    width = text_columns(args.width, args.output)
    check_output(args.output, args.force)
    if format != RULES:
        exporter(format, others=(RULES,))
    model = files.read(args.model).model
    put(_written(model, format, args, width), args.output)


def _by_name(output: str | None) -> str:
    """Tell the format by how the name of a file ends; what goes elsewhere is text."""
    from treewright.cli.output import suffix_of
    from treewright.errors import ParameterError
    from treewright.export.exporter import by_suffix

    if not suffix_of(output):
        return "text"
    assert output is not None, "it has a suffix"
    known = by_suffix()
    for suffix, found in known.items():
        if output.lower().endswith(suffix):
            return str(found.name)
    raise ParameterError(
        f"-o {output}: no format goes by {suffix_of(output)}; end the name with one of {', '.join(known)}, "
        "or say --format."
    )


def _written(model: "Model", format: str, args: argparse.Namespace, width: int | None) -> str | bytes:
    import inspect

    from treewright.cli.output import suffix_of
    from treewright.errors import ParameterError
    from treewright.export.exporter import exporter

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
    write = exporter(format).write
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
