"""Upper bounds of the width of text.

The font of the viewer is unknown. Latin letters get the widths of DejaVu Sans, the widest of the usual screen
fonts; letters of other scripts all get the width of their widest letter.
"""

import unicodedata

from treewright import grid

# Advance widths of the characters from space to tilde, in hundredths of the font size.
_REGULAR = (
    *(32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64),
    *(64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79),
    *(61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64),
    *(64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84),
)
_BOLD = (
    *(35, 46, 53, 84, 70, 101, 88, 31, 46, 46, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70),
    *(70, 70, 40, 40, 84, 84, 84, 59, 100, 78, 77, 74, 84, 69, 69, 83, 84, 38, 38, 78, 64, 100, 84, 86),
    *(74, 86, 78, 73, 69, 82, 78, 111, 78, 73, 73, 46, 37, 46, 84, 50, 50, 68, 72, 60, 72, 68, 44, 72),
    *(72, 35, 35, 67, 35, 105, 72, 69, 72, 72, 50, 60, 48, 72, 66, 93, 65, 66, 59, 72, 37, 72, 84),
)
_NO_WIDTH = ("Cf", "Me", "Mn")


def width(text: str, size: float, is_bold: bool = False) -> float:
    """Compute an upper bound of the width of a text.

    Examples
    --------
    >>> width("gain", 10.0) < width("gain", 10.0, is_bold=True) < width("色泽色泽", 10.0)
    True
    """
    advances = _BOLD if is_bold else _REGULAR
    hundredths = (advances[ord(each) - 32] if " " <= each <= "~" else _wide(each, is_bold) for each in text)
    return sum(hundredths) * size / 100


def _wide(character: str, is_bold: bool) -> float:
    code = ord(character)
    if unicodedata.category(character) in _NO_WIDTH:
        return 0.0
    if unicodedata.east_asian_width(character) in "WF" and code < 0x1F000:
        return 102.0
    if code >= 0x1F000:  # emoji, and rare characters of any script
        return 140.0
    if 0xFDF0 <= code <= 0xFDFF:  # ligatures of whole sentences
        return 1000.0
    if character.islower() and code < 0x600:
        return 111.0 if is_bold else 95.0
    return 135.0 if is_bold else 112.0


def shortened(text: str, room: float, size: float, is_bold: bool = False) -> str:
    """Cut off a text that is wider than `room`, and end it with an ellipsis.

    Examples
    --------
    >>> shortened("occupation", 40.0, 10.0), shortened("色泽", 40.0, 10.0)
    ('occu…', '色泽')
    """
    return grid.shortened(text, room, lambda each: width(each, size, is_bold))
