"""Widths of texts are on the safe side."""

import functools
import string
from pathlib import Path

import pytest

from treewright.export.metrics import shortened, width

ttlib = pytest.importorskip("fontTools.ttLib", reason="comes with matplotlib, which has the fonts to measure")


@functools.cache
def font(file):
    import matplotlib

    return ttlib.TTFont(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / file)


def advance(character, file):
    glyph = font(file).getBestCmap()[ord(character)]
    return font(file)["hmtx"][glyph][0] / font(file)["head"].unitsPerEm


@pytest.mark.parametrize(("file", "is_bold"), [("DejaVuSans.ttf", False), ("DejaVuSans-Bold.ttf", True)])
@pytest.mark.parametrize(
    "text", [string.printable.strip(), "ÄÖÜßéñŁ", "ШЩЖДЮшщждю", "ΑΒΓΩαβγω", "≤ … · → ↵ ×"]
)
def test_no_letter_of_the_widest_usual_font_is_wider(text, file, is_bold):
    for character in text:
        assert width(character, 100.0, is_bold) >= 100.0 * advance(character, file) - 1e-9, character


def test_a_character_of_double_width_is_as_wide_as_the_font_is_high():
    assert width("色泽", 10.0) >= 20.0
    assert width("e\u0301", 10.0) == width("e", 10.0)


@pytest.mark.parametrize("room", [0.0, 5.0, 20.0, 63.0, 1000.0])
@pytest.mark.parametrize("text", ["occupation", "色泽根蒂敲声", "👩‍👩‍👧 family", ""])
def test_a_shortened_text_fits_or_is_only_the_ellipsis(text, room):
    made = shortened(text, room, 12.0)
    assert width(made, 12.0) <= room or made == "…"
    assert made == text or made.endswith("…")
