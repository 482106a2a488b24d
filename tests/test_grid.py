"""Tables for people: they line up, leave out what is too much, and are escaped."""

import sys

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright.errors import MissingPackageError
from treewright.grid import Grid, padded, shortened, text_width


def test_wide_and_combining_characters_take_the_places_a_terminal_gives_them():
    assert [text_width(text) for text in ("", "abc", "密度", "e\u0301", "密度 ≤ 0.38", "ﾊ")] == [
        0,
        3,
        4,
        1,
        11,
        1,
    ]


@pytest.mark.parametrize("width", range(1, 12))
def test_a_shortened_text_fits_and_says_that_it_was_cut(width):
    for text in ("plain ascii text", "一二三四五六七", "混 of both 两"):
        cut = shortened(text, width)
        assert text_width(cut) <= width
        assert cut.endswith("…")
    assert shortened("abc", 3) == "abc"


def test_every_line_of_a_grid_has_its_columns_at_the_same_place():
    grid = Grid({"色泽": ["青绿", "b", None], "gain": [0.5, 12.25, None], "why": ["x", "又长又宽", "y"]})
    lines = str(grid).splitlines()
    starts = {text_width(line[: line.index(mark)]) for line, mark in zip(lines, "wx又y", strict=True)}
    assert len(starts) == 1
    assert padded("1", 3, "right") == "  1"


def test_long_grids_keep_their_two_ends():
    text = Grid({"n": list(range(100))}).to_text(max_rows=5)
    assert text.split() == ["n", "0", "1", "2", "…", "95", "more", "98", "99"]
    html = Grid({"n": list(range(100)), "m": list(range(100))}).to_html(max_rows=5)
    assert '>2</td></tr><tr><td colspan="2">… 95 more</td></tr><tr><td style="text-align:right">98<' in html


def test_html_is_escaped_and_may_be_cut():
    html = Grid({"<b>": ["<script>", "&"]}).to_html(max_rows=1)
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "… 1 more" in html


def test_the_frame_is_of_what_is_installed(monkeypatch):
    grid = Grid({"a": [1, 2], "b": ["x", None]})
    makers = [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)]
    for package, kind in makers:
        assert isinstance(grid.to_frame(), kind)
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackageError, match="pip install pandas"):
        grid.to_frame()
