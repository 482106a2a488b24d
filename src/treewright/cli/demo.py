"""`treewright demo`: seventeen watermelons, every figure, one tree."""

import argparse
import os
from typing import Any

from treewright.cli.arguments import add_width, command

_MORE = """\
Needs nothing: grows a tree with C4.5 on the watermelons of a textbook (Zhou
Zhihua, Machine Learning, table 4.3), and shows every figure behind its first
question, the tree, its rules, and a picture in a file."""

_EXAMPLES = """\
  treewright demo
  treewright demo -o melons.svg
  treewright demo --table melons.csv      write the table too, to go on with:
  treewright fit melons.csv --target 好瓜 --algorithm c45"""

_TABLE = "watermelon_30"
_SHOWN = ("纹理", "密度")  # worked out in full: a column of categories and one of numbers


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(commands, "demo", run, "seventeen melons, every figure, one tree", _MORE, _EXAMPLES)
    parser.add_argument(
        "-o",
        "--output",
        metavar="PICTURE",
        default="watermelon.svg",
        help="the picture's file (watermelon.svg)",
    )
    parser.add_argument("--table", metavar="CSV", help="write the table to this file, too")
    parser.add_argument("--force", action="store_true", help="replace files that exist")
    add_width(parser)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    import treewright
    from treewright.cli.output import check_name, check_output, opened
    from treewright.cli.shown import compact, put_parts, text_columns
    from treewright.cli.words import say
    from treewright.files.writer import format_of_name, writer_of
    from treewright.table.read import read

    width = text_columns(args.width)
    check_name(args.output, "the picture is SVG", ".svg")
    check_output(args.table, args.force)
    columns, target = treewright.datasets.load(_TABLE)
    if args.table is not None:
        table_format = format_of_name(args.table)
        with opened(args.table) as stream:
            writer = writer_of(table_format, stream)
            writer.write(read(columns))
            writer.close()
        say(f"The table is in {args.table}.")
    tree = treewright.C45Classifier(keep_ledger=True).fit(columns, target)
    root = tree.ledger_[0]
    put_parts(
        [
            f"Seventeen watermelons, six looks and two measures each: which are good ({target})?\n"
            "C4.5 asks one column at a time. What each offered first:",
            compact(root),
            "How two of these figures come about:",
            *(root.formula(name) for name in _SHOWN),
            "The tree:",
            tree.to_text(width=width),
            "The same as rules:",
            str(tree.rules()),
        ]
    )
    _draw(tree.to_svg(), args)


def _draw(picture: str, args: argparse.Namespace) -> None:
    """Put the picture in a file, if there is room for it; the demo does not fail for that."""
    from treewright.cli.output import put
    from treewright.cli.words import say

    path: str = args.output
    try:
        with open(path, encoding="utf-8") as file:
            is_ours = file.read() == picture
    except (OSError, UnicodeDecodeError):
        is_ours = False
    if os.path.exists(path) and not is_ours and not args.force:
        say(f"{path} exists and is something else: no picture drawn. Add --force, or -o ANOTHER.svg.")
        return
    try:
        put(picture, path)
    except OSError as error:
        say(f"No picture: {path} cannot be written ({error.strerror}).")
        return
    say(f"A picture of the tree is in {path}; a browser shows it.")
