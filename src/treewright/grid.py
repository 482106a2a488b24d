"""Small tables for people: as aligned text (also with Chinese), HTML, Markdown and data frames."""

import importlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from itertools import accumulate
from numbers import Real
from typing import Any, Literal, TypeAlias

from treewright.errors import MissingPackageError
from treewright.formatting import format_value

Align: TypeAlias = Literal["left", "right"]
Format: TypeAlias = str | Callable[[Any], str]

ELLIPSIS = "…"
# The first of these packages that is installed makes a data frame from a dict of columns.
_FRAMES = (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table"))


def text_width(text: str) -> int:
    """Return the width of a text in a terminal, in columns.

    Examples
    --------
    >>> text_width("gain"), text_width("色泽")
    (4, 4)
    """
    return len(text) if text.isascii() else sum(map(_places, text))


def _places(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int, align: Align = "left") -> str:
    """Pad a text with blanks.

    Examples
    --------
    >>> padded("色泽", 6) + "|"
    '色泽  |'
    """
    blanks = " " * max(0, width - text_width(text))
    return blanks + text if align == "right" else text + blanks


def shortened(text: str, width: float, measure: Callable[[str], float] = text_width) -> str:
    """Cut off a text that is wider than `width`, and end it with an ellipsis.

    Widths are measured in columns of a terminal, or by `measure`.

    Examples
    --------
    >>> shortened("a long sentence", 8)
    'a long …'
    >>> shortened("short", 8)
    'short'
    """
    if measure(text) <= width:
        return text
    room = width - measure(ELLIPSIS)
    n_kept = sum(end <= room for end in accumulate(map(measure, text)))
    return text[:n_kept] + ELLIPSIS


def aligned(lines: Sequence[Sequence[str]], aligns: Sequence[Align]) -> list[str]:
    """Join the cells of each line so that the columns are aligned.

    Examples
    --------
    >>> aligned([["色泽", "1"], ["a", "12"]], ["left", "right"])
    ['色泽   1', 'a     12']
    """
    widths = [max(map(text_width, cells)) for cells in zip(*lines, strict=True)]
    return ["  ".join(map(padded, cells, widths, aligns)).rstrip() for cells in lines]


@dataclass(frozen=True)
class Grid:
    """Columns of equal length, to be printed.

    Parameters
    ----------
    columns : mapping of str to sequence
        Values by the name of their column. None makes an empty cell.
    formats : mapping of str to str or callable, optional
        How to write the values of a column: a format specification or a function. By default floats have
        four significant digits.

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
        """Return aligned text, with numbers aligned to the right.

        Parameters
        ----------
        max_rows : int, optional
            If there are more, only the first and the last rows are shown, and the number of rows left out.

        Returns
        -------
        str
        """
        head, n_left_out, lines = self._shown(max_rows)
        texts = aligned(lines, [self._align(name) for name in self.columns])
        if n_left_out:
            texts.insert(1 + head, f"{ELLIPSIS} {n_left_out:,} more")
        return "\n".join(texts)

    def to_html(self, max_rows: int | None = None) -> str:
        """Return an HTML table; all texts are escaped.

        Parameters
        ----------
        max_rows : int, optional
            As for `to_text`.

        Returns
        -------
        str
        """
        styles = [f'style="text-align:{self._align(name)}"' for name in self.columns]

        def row(tag: str, cells: list[str]) -> str:
            pairs = zip(styles, cells, strict=True)
            return f"<tr>{''.join(f'<{tag} {style}>{escape(cell)}</{tag}>' for style, cell in pairs)}</tr>"

        head, n_left_out, lines = self._shown(max_rows)
        rows = [row("td", cells) for cells in lines[1:]]
        if n_left_out:
            rows.insert(head, f'<tr><td colspan="{len(styles)}">{ELLIPSIS} {n_left_out:,} more</td></tr>')
        return f"<table><thead>{row('th', lines[0])}</thead><tbody>{''.join(rows)}</tbody></table>"

    def to_markdown(self) -> str:
        r"""Return a Markdown table; all texts are escaped.

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
        rules = ("---:" if self._align(name) == "right" else "---" for name in self.columns)
        lines = [f"| {' | '.join(map(in_markdown, cells))} |" for cells in self._lines(range(len(self)))]
        return "\n".join((lines[0], f"|{'|'.join(rules)}|", *lines[1:]))

    def to_frame(self) -> Any:
        """Return a data frame of pandas, polars or Arrow, the first that is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        for package, maker in _FRAMES:
            with suppress(ImportError):
                made = getattr(importlib.import_module(package), maker)
                return made({name: list(values) for name, values in self.columns.items()})
        raise MissingPackageError(
            "to_frame makes a data frame, and none of pandas, polars and pyarrow is installed: "
            "pip install pandas."
        )

    def _shown(self, max_rows: int | None) -> tuple[int, int, list[list[str]]]:
        """Return the number of rows before those left out, the number left out, and the lines to show."""
        n_left_out = 0 if max_rows is None else max(0, len(self) - max_rows)
        head = (len(self) - n_left_out + 1) // 2
        return head, n_left_out, self._lines([*range(head), *range(head + n_left_out, len(self))])

    def _lines(self, rows: Iterable[int]) -> list[list[str]]:
        """Return the cells of the header and of some rows."""
        return [list(self.columns), *([self._cell(name, row) for name in self.columns] for row in rows)]

    def _cell(self, name: str, row: int) -> str:
        value, form = self.columns[name][row], self.formats.get(name)
        if value is None:
            return ""
        if callable(form):
            return form(value)
        return format_value(value, digits=4) if form is None else format(value, form)

    def _align(self, name: str) -> Align:
        values = [value for value in self.columns[name] if value is not None]
        is_number = values and all(isinstance(v, Real) and not isinstance(v, bool) for v in values)
        return "right" if is_number else "left"


def in_markdown(text: str) -> str:
    """Escape the characters that have a meaning in a Markdown table."""
    return re.sub(r"[\\|`*_<[]", r"\\\g<0>", text).replace("\n", " ")
