"""Print trees and ledgers for commands."""

import os
import shutil
import sys
from argparse import Namespace
from dataclasses import asdict
from typing import Any

import numpy as np

from treewright.cli.words import say
from treewright.errors import ParameterError
from treewright.export import text
from treewright.formatting import format_count
from treewright.grid import Grid, shortened, text_width
from treewright.model.ledger import Ledger
from treewright.model.ledger_rows import LedgerRow, condition_of
from treewright.model.model import Model
from treewright.wording import Language, as_language, said

_ROOM = 16  # for a question on a screen; the tree and `audit` have more of it
_MOST_CANDIDATES = 40  # printed by `compact`
_MOST_LINES = 60  # of a tree, printed by `tree_text`
_PLAIN = (
    *("node", "column", "kind", "known", "impurity", "gain", "cost", "split_information", "ratio"),
    *("score", "rank", "verdict", "reason"),
)


def text_width_of(width: int | None, path: str | None = None) -> int | None:
    """Return the maximum width of the text of a tree; None for no limit.

    Parameters
    ----------
    width : int or None
        ``--width``; by default the width of the terminal, or no limit if the text goes elsewhere.
    path : str or None
        Where the text goes; None and ``"-"`` are standard output.
    """
    if width is not None:
        if width != 0 and width < text.LEAST_WIDTH:
            raise ParameterError(f"--width {width}: give at least {text.LEAST_WIDTH}, or 0 for no limit.")
        return width or None
    if path not in (None, "-") or not sys.stdout.isatty():
        return None
    return max(shutil.get_terminal_size().columns, text.LEAST_WIDTH)


def language(args: Namespace, *, of_page: bool = False) -> Language:
    """Return the language to write in: ``--lang``, else Chinese where the environment says so, for people."""
    if args.lang is not None:
        return as_language(args.lang)
    is_for_programs = getattr(args, "json", False) and not of_page
    name = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return "zh" if name.lower().startswith("zh") and not is_for_programs else "en"


def tree_text(model: Model, width: int | None, lang: Language) -> str:
    """Return the text of a tree, down to the deepest level that fits on a page."""
    n_lines = np.bincount(model.tree.depth).cumsum()
    deepest = max(1, int(np.searchsorted(n_lines, _MOST_LINES, side="right")) - 1)
    if deepest >= model.tree.max_depth:
        return text.write(model, width=width, lang=lang)
    say(
        f"The tree has {format_count(model.tree.n_nodes, 'node')} on {model.tree.max_depth + 1} levels; "
        f"the first {deepest + 1} levels are printed. 'treewright show MODEL' prints all."
    )
    return text.write(model, deepest, width, lang)


def compact(ledger: Ledger, width: int | None) -> str:
    """Return the ledger of one node, best candidate first, in lines of this width; None for no limit."""
    rows = sorted(ledger, key=lambda row: (row.rank is None, row.rank or 0))
    figures = {name: [getattr(row, name) for row in rows] for name in ("gain", "cost", "ratio")}
    columns: dict[str, list[Any]] = {
        "column": [row.column if width is None else shortened(row.column, 18) for row in rows],
        "question": [_question(row, ledger, _ROOM if width is not None else None) for row in rows],
        **{name: values for name, values in figures.items() if any(each is not None for each in values)},
    }
    formats = dict.fromkeys(figures, ".4f")
    taken = max(map(text_width, str(Grid(columns, formats)).splitlines()))
    room = max(16, width - 2 - taken) if width is not None else None
    columns["why"] = [row.reason if room is None else shortened(row.reason, room) for row in rows]
    grid = Grid(
        {said(ledger.lang, name): values for name, values in columns.items()},
        {said(ledger.lang, name): form for name, form in formats.items()},
    )
    return f"{ledger.why(ledger.nodes[0])}\n{grid.to_text(_MOST_CANDIDATES)}"


def _question(row: LedgerRow, ledger: Ledger, room: int | None) -> str:
    if row.question is None:
        return ""
    if row.kind == "categories" and len(row.branches) > 2:
        return said(ledger.lang, "each of {n}", n=len(row.branches))
    text = condition_of(row.question, ledger.schema, lang=ledger.lang)
    return text if room is None else shortened(text, room)


def plain_ledger(ledger: Ledger) -> list[dict[str, Any]]:
    """Return a ledger as plain values for JSON, one dict for each candidate."""
    return [
        {name: getattr(row, name) for name in _PLAIN} | {"branches": [asdict(each) for each in row.branches]}
        for row in ledger
    ]
