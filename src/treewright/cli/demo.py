"""`treewright demo`: a tree on the watermelon table of a textbook, with every figure."""

import os
from argparse import Namespace
from pathlib import Path

import treewright
from treewright.cli import output, shown
from treewright.cli.words import say
from treewright.files.writer import format_of_name
from treewright.table.read import read
from treewright.wording import said

_INTRODUCTION = (
    "Seventeen watermelons with six categorical and two numeric columns: which are good ({target})?\n"
    "The candidate splits of C4.5 at the root:"
)
_SHOWN = ("纹理", "密度")  # shown with their arithmetic: a categorical and a numeric column


def run(args: Namespace) -> None:
    """Run the command."""
    width, lang = shown.text_width_of(args.width), shown.language(args)
    output.check_name(args.output, "the drawing is SVG", ".svg")
    output.check_output(args.table, args.force, option="--table")
    columns, target = treewright.datasets.load("watermelon_30")
    if args.table is not None:
        output.put_tables([read(columns)], args.table, format_of_name(args.table))
        say(f"The table is in {args.table}.")
    tree = treewright.C45Classifier(keep_ledger=True).fit(columns, target)
    root = tree.ledger_[0].in_language(lang)
    drawn = _drawn(tree.to_svg(), args.output, args.force)  # before printing, as in `output.saved`
    output.put_sections(
        said(lang, _INTRODUCTION, target=target),
        shown.compact(root, width),
        said(lang, "How two of these scores are computed:"),
        *(root.formula(name) for name in _SHOWN),
        said(lang, "The tree:"),
        tree.to_text(width=width, lang=lang),
        said(lang, "The same tree as rules:"),
        str(tree.rules()),
    )
    say(drawn)


def _drawn(picture: str, path: str, force: bool) -> str:
    """Write the drawing to a file and return a message; if that fails, the demo still succeeds."""
    try:
        if not force and os.path.exists(path) and Path(path).read_bytes() != picture.encode():
            return f"{path} exists and holds something else: no drawing. Add --force, or -o ANOTHER.svg."
        output.put(picture, path)
    except OSError as error:
        return f"No drawing: {path} cannot be written ({error.strerror})."
    return f"The drawing of the tree is in {path}; open it in a browser."
