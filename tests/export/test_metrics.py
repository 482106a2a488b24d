"""Widths of texts are on the safe side."""

import string

import pytest

from treewright.export.metrics import shortened, width

ft2font = pytest.importorskip("matplotlib.ft2font", reason="matplotlib brings the fonts to measure")


def advance(text, file):
    from pathlib import Path

    import matplotlib

    font = ft2font.FT2Font(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / file))
    glyphs = [font.load_char(ord(character), ft2font.LoadFlags.NO_SCALE) for character in text]
    return sum(glyph.horiAdvance for glyph in glyphs) / font.units_per_EM


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
