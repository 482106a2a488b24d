"""The parts of pictures: rectangles, branches and lines of text, with their positions in pixels."""

from typing import Literal, NamedTuple, TypeAlias

# Font size in pixels, and whether it is bold, by the style of a text.
FONTS = {
    "title": (13.0, True),
    "foot": (11.0, False),
    "label": (12.0, False),
    "note": (11.0, False),
    "name": (12.0, True),
    "tick": (9.0, False),
}


class Rect(NamedTuple):
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    style: str
    radius: float = 0.0


class Curve(NamedTuple):
    """A branch: straight down to `bend`, across until `land`, and straight down again.

    With `is_across` it goes to the right: x and y are swapped.
    """

    x: float
    y: float
    bend: float
    to_x: float
    land: float
    to_y: float
    thickness: float
    style: str
    is_across: bool = False


class Text(NamedTuple):
    """A line of text; `y` is its baseline, `x` its middle or its start."""

    x: float
    y: float
    text: str
    style: str
    anchor: Literal["middle", "start"] = "middle"


Part: TypeAlias = Rect | Curve | Text
