"""Small tables for people: columns that line up in a terminal, Chinese included, as HTML and as a frame."""

import importlib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np

from treewright.errors import MissingPackageError
from treewright.formatting import format_number

Align: TypeAlias = Literal["left", "right"]
Format: TypeAlias = str | Callable[[Any], str]

ELLIPSIS = "…"
# Who may hold a frame, the first one that is installed; each takes a dict of columns.
_FRAMES = (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table"))


def text_width(text: str) -> int:
    """Count the places that a text takes in a terminal.

    Examples
    --------
    >>> text_width("gain"), text_width("色泽")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(map(_places, text))


def _places(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int, align: Align = "left") -> str:
    """Fill a text up with blanks.

    Examples
    --------
    >>> padded("色泽", 6) + "|"
    '色泽  |'
    """
    blanks = " " * max(0, width - text_width(text))
    return blanks + text if align == "right" else text + blanks


def shortened(text: str, width: int) -> str:
    """Cut a text that takes more places than there are, and say so with an ellipsis.

    Examples
    --------
    >>> shortened("a long sentence", 8)
    'a long …'
    >>> shortened("short", 8)
    'short'
    """
    if text_width(text) <= width:
        return text
    taken, left = "", width - 1
    for character in text:
        left -= _places(character)
        if left < 0:
            break
        taken += character
    return taken + ELLIPSIS


@dataclass(frozen=True)
class Grid:
    """Columns of equal length, to be looked at.

    Parameters
    ----------
    columns : mapping of str to sequence
        Values by the name of their column. None is shown as nothing.
    formats : mapping of str to str or callable, optional
        How values of a column are written: a format as `format` takes it, or a function. By default
        fractions have four significant digits.

    Examples
    --------
    >>> grid = Grid({"column": ["色泽", "density"], "gain": [0.25, 0.123456]}, {"gain": ".3f"})
    >>> print(grid)
    column    gain
    色泽     0.250
    density  0.123
    """

    columns: Mapping[str, Sequence[Any]]
    formats: Mapping[str, Format] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, max_rows: int | None = None) -> str:
        """Write the columns beside each other, numbers to the right.

        Parameters
        ----------
        max_rows : int, optional
            Where there are more, only the first and the last ones are written, with the number left out.

        Returns
        -------
        str
        """
        wanted = len(self) if max_rows is None else max_rows
        head = wanted - wanted // 2
        rows = list(range(len(self)))
        n_left_out = max(0, len(self) - wanted)
        if n_left_out:
            rows = rows[:head] + rows[head + n_left_out :]
        cells = {name: [self._cell(name, row) for row in rows] for name in self.columns}
        widths = {name: max(map(text_width, [name, *texts])) for name, texts in cells.items()}
        aligns = {name: self._align(name) for name in self.columns}

        def line(texts: Mapping[str, str]) -> str:
            return "  ".join(padded(texts[name], widths[name], aligns[name]) for name in texts).rstrip()

        lines = [line({name: name for name in self.columns})]
        lines += [line({name: cells[name][at] for name in cells}) for at in range(len(rows))]
        if n_left_out:
            lines.insert(1 + head, f"{ELLIPSIS} {n_left_out:,} more")
        return "\n".join(lines)

    def to_html(self, max_rows: int | None = None) -> str:
        """Write an HTML table; everything in it is escaped.

        Parameters
        ----------
        max_rows : int, optional
            Rows to write, from the first one on.

        Returns
        -------
        str
        """
        aligns = {name: f' style="text-align:{self._align(name)}"' for name in self.columns}
        head = "".join(f"<th{aligns[name]}>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>"
            + "".join(f"<td{aligns[name]}>{escape(self._cell(name, row))}</td>" for name in self.columns)
            + "</tr>"
            for row in islice(range(len(self)), max_rows)
        )
        n_left_out = 0 if max_rows is None else max(0, len(self) - max_rows)
        more = f"<p>{ELLIPSIS} {n_left_out:,} more</p>" if n_left_out else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def to_markdown(self) -> str:
        r"""Write a table in Markdown; what has a meaning there is escaped.

        Returns
        -------
        str

        Examples
        --------
        >>> print(Grid({"if": ["a | b", "a"], "rows": [3, 1]}).to_markdown())
        | if | rows |
        |---|---:|
        | a \| b | 3 |
        | a | 1 |
        """
        rows = [
            list(self.columns),
            *([self._cell(name, row) for name in self.columns] for row in range(len(self))),
        ]
        lines = [f"| {' | '.join(map(in_markdown, cells))} |" for cells in rows]
        lines.insert(
            1, f"|{'|'.join('---:' if self._align(name) == 'right' else '---' for name in self.columns)}|"
        )
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """Give a data frame of pandas, polars or Arrow, whichever is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        for package, maker in _FRAMES:
            try:
                found = importlib.import_module(package)
            except ImportError:
                continue
            return getattr(found, maker)({name: list(values) for name, values in self.columns.items()})
        raise MissingPackageError(
            "to_frame makes a data frame, and none of pandas, polars and pyarrow is installed: "
            "pip install pandas."
        )

    def _cell(self, name: str, row: int) -> str:
        value = self.columns[name][row]
        if value is None:
            return ""
        way = self.formats.get(name)
        if callable(way):
            return way(value)
        if way is None:
            return (
                format_number(float(value), digits=4)
                if isinstance(value, float | np.floating)
                else str(value)
            )
        return format(value, way)

    def _align(self, name: str) -> Align:
        values = [value for value in self.columns[name] if value is not None]
        is_number = values and all(isinstance(v, Real) and not isinstance(v, bool) for v in values)
        return "right" if is_number else "left"


def in_markdown(text: str) -> str:
    """Escape what has a meaning in a table of Markdown."""
    for mark in "\\|`*_<[":
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\n", " ")
