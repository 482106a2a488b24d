"""Trees and ledgers as commands print them."""

import shutil
import sys
from dataclasses import asdict
from typing import Any

import numpy as np

from treewright.cli.words import say
from treewright.errors import ParameterError
from treewright.export import text
from treewright.formatting import format_count
from treewright.grid import Grid, shortened, text_width
from treewright.model.ledger import Ledger
from treewright.model.ledger_rows import LedgerRow
from treewright.model.model import Model

_WIDTH = 80
_MOST_CANDIDATES = 40  # printed by `compact`
_MOST_LINES = 60  # of a tree, printed by `tree_text`
_PLAIN = (
    *("node", "column", "kind", "known", "gain", "cost", "split_information", "ratio"),
    *("score", "rank", "verdict", "reason"),
)


def text_width_of(width: int | None, path: str | None = None) -> int | None:
    """Return how wide the text of a tree may be; None for no limit.

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


def tree_text(model: Model, width: int | None) -> str:
    """Return the text of a tree, down to the level that still fits on a page."""
    n_lines = np.bincount(model.tree.depth).cumsum()
    deepest = max(1, int(np.searchsorted(n_lines, _MOST_LINES, side="right")) - 1)
    if deepest >= model.tree.max_depth:
        return text.write(model, width=width)
    say(
        f"The tree has {format_count(model.tree.n_nodes, 'node')} on {model.tree.max_depth + 1} levels; "
        f"{deepest + 1} of them are printed. 'treewright show MODEL' prints all."
    )
    return text.write(model, deepest, width)


def compact(ledger: Ledger) -> str:
    """Return the ledger of one node in lines of 80 characters, best candidate first."""
    rows = sorted(ledger, key=lambda row: (row.rank is None, row.rank or 0))
    figures = {name: [getattr(row, name) for row in rows] for name in ("gain", "cost", "ratio")}
    columns: dict[str, list[Any]] = {
        "column": [shortened(row.column, 18) for row in rows],
        "question": [_question(row, ledger) for row in rows],
        **{name: values for name, values in figures.items() if any(each is not None for each in values)},
    }
    formats = dict.fromkeys(figures, ".4f")
    taken = max(map(text_width, str(Grid(columns, formats)).splitlines()))
    columns["why"] = [shortened(row.reason, max(16, _WIDTH - 2 - taken)) for row in rows]
    return f"{ledger.why(ledger.nodes[0])}\n{Grid(columns, formats).to_text(_MOST_CANDIDATES)}"


def _question(row: LedgerRow, ledger: Ledger) -> str:
    if row.question is None:
        return ""
    if row.kind == "categories" and len(row.branches) > 2:
        return f"each of {len(row.branches)}"
    condition = row.question.describe(ledger.schema).removesuffix(" or missing")
    return shortened(condition.removeprefix(row.column).strip(), 16)


def plain_ledger(ledger: Ledger) -> list[dict[str, Any]]:
    """Return a ledger as plain values for JSON, one dict for each candidate."""
    return [
        {name: getattr(row, name) for name in _PLAIN} | {"branches": [asdict(each) for each in row.branches]}
        for row in ledger
    ]
