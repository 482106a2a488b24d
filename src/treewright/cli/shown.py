"""Models and ledgers as commands show them."""

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.cli.output import put
from treewright.cli.words import say
from treewright.errors import ParameterError
from treewright.export import text
from treewright.formatting import format_count
from treewright.grid import Grid, shortened, text_width
from treewright.model.model import Model

if TYPE_CHECKING:
    from treewright.model.ledger import Ledger
    from treewright.model.ledger_rows import LedgerRow

_WIDTH = 80
_MOST_CANDIDATES = 40  # that are printed


def put_parts(parts: list[str], path: str | None = None) -> None:
    """Write texts with a blank line between them."""
    put("\n\n".join(part.rstrip("\n") for part in parts), path)


def put_json(value: Any, path: str | None = None) -> None:
    """Write a value as JSON that is easy on the eye; NaN and infinities, which JSON has not, as null."""
    put(json.dumps(_plain(value), ensure_ascii=False, indent=1, allow_nan=False), path)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def text_columns(told: int | None, path: str | None = None) -> int | None:
    """Tell how wide the text of a tree may be: as told, as the terminal is, or as it happens to be (None).

    Parameters
    ----------
    told : int or None
        ``--width``.
    path : str or None
        Where the text goes; None and ``"-"`` are standard output.
    """
    if told is not None:
        if told != 0 and told < text.LEAST_WIDTH:
            raise ParameterError(f"--width {told}: give at least {text.LEAST_WIDTH}, or 0 for no limit.")
        return told or None
    if path not in (None, "-") or not sys.stdout.isatty():
        return None
    return max(shutil.get_terminal_size().columns, text.LEAST_WIDTH)


def tree_text(model: Model, lines: int, width: int | None) -> str:
    """Write a tree, as many levels of it as fit."""
    depths = np.bincount(model.tree.depth).cumsum()
    deepest = max(1, int(np.searchsorted(depths, lines, side="right")) - 1)
    if deepest >= model.tree.max_depth:
        return text.write(model, width=width)
    say(
        f"The tree has {format_count(model.tree.n_nodes, 'node')} on {model.tree.max_depth + 1} levels; "
        f"{deepest + 1} of them are printed. 'treewright show MODEL' prints all."
    )
    return text.write(model, deepest, width)


def root_ledger(estimator: Any, table: Any, target: str) -> "Ledger":
    """Look into the root again."""
    import treewright

    return treewright.audit(estimator, table, target)


def compact(ledger: "Ledger") -> str:
    """Write the ledger of one node in lines of 80 columns, the best candidate first."""
    rows = sorted(ledger, key=lambda row: (row.rank is None, row.rank or 0))
    figures: dict[str, list[float | None]] = {
        "gain": [row.gain for row in rows],
        "cost": [row.cost for row in rows],
        "ratio": [row.ratio for row in rows],
    }
    columns: dict[str, list[Any]] = {
        "column": [shortened(row.column, 18) for row in rows],
        "question": [_question(row, ledger) for row in rows],
        **{name: values for name, values in figures.items() if any(each is not None for each in values)},
    }
    formats = dict.fromkeys(figures, ".4f")
    taken = max(text_width(line) for line in str(Grid(columns, formats)).splitlines())
    columns["why"] = [shortened(row.reason, max(16, _WIDTH - 2 - taken)) for row in rows]
    return f"{ledger.why(ledger.nodes[0])}\n{Grid(columns, formats).to_text(_MOST_CANDIDATES)}"


def _question(row: "LedgerRow", ledger: "Ledger") -> str:
    if row.question is None:
        return ""
    if row.kind == "categories" and len(row.branches) > 2:
        return f"each of {len(row.branches)}"
    asked = row.question.describe(ledger.schema).removesuffix(" or missing")
    return shortened(asked.removeprefix(row.column).strip(), 16)


def plain_ledger(ledger: "Ledger") -> list[dict[str, Any]]:
    """Give a ledger for JSON, a row for each candidate."""
    return [
        {
            "node": row.node,
            "column": row.column,
            "kind": row.kind,
            "branches": [
                {"condition": each.condition, "weight": each.weight, "outcome": list(each.outcome)}
                for each in row.branches
            ],
            "known": row.known,
            "gain": row.gain,
            "cost": row.cost,
            "split_information": row.split_information,
            "ratio": row.ratio,
            "score": row.score,
            "rank": row.rank,
            "verdict": row.verdict,
            "reason": row.reason,
        }
        for row in ledger
    ]
