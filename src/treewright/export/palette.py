"""The colours, dashes and fonts of pictures.

People with any kind of colour vision can distinguish the colours of classes, and no information is given by
colour alone.

References
----------
Tol (2021), Colour schemes, SRON technical note 09-002.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

# Browsers search these fonts in turn for each character; the later ones have Chinese.
FONT_FAMILY = (
    "'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', 'PingFang SC', 'Microsoft YaHei', "
    "'Noto Sans CJK SC', 'Source Han Sans SC', 'WenQuanYi Micro Hei', sans-serif"
)
# Fonts with Chinese; matplotlib uses the first one that is installed.
CHINESE_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN"),
    *("PingFang SC", "Hiragino Sans GB", "Heiti SC", "STHeiti", "Microsoft YaHei", "SimHei", "SimSun"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback", "Arial Unicode MS", "Unifont"),
)

# Lengths of dashes and of the gaps between them, by style.
DASHES = {"missing": (7, 4), "empty": (2, 3), "left-out": (2, 3), "more-box": (2, 3)}


@dataclass(frozen=True)
class Palette:
    """Colours, by what they are for."""

    page: str
    box: str
    ink: str
    faint: str
    line: str
    track: str
    branch: str
    rest: str
    classes: tuple[str, ...]

    @cached_property
    def paints(self) -> Mapping[str, Mapping[str, str]]:
        """The fill and the stroke of every style."""
        paints = {
            "page": {"fill": self.page},
            "box": {"fill": self.box, "stroke": self.line},
            "leaf": {"fill": self.page, "stroke": self.line},
            "label-box": {"fill": self.page},
            "more-box": {"fill": self.page, "stroke": self.faint},
            "track": {"fill": self.track},
            "value": {"fill": self.classes[0]},
            "branch": {"fill": "none", "stroke": self.branch},
            **{style: {"fill": self.ink} for style in ("title", "name", "label")},
            **{style: {"fill": self.faint} for style in ("foot", "note", "tick", "dot")},
            "axis": {"fill": self.line},
            "cut": {"fill": self.ink},
            "mean": {"fill": self.classes[1]},
        }
        named = {f"c{at}": colour for at, colour in enumerate(self.classes)} | {"rest": self.rest}
        for name, colour in named.items():
            paints |= {f"fill-{name}": {"fill": colour}, f"line-{name}": {"stroke": colour}}
        return paints

    def paint(self, styles: str) -> dict[str, str]:
        """Return the fill and the stroke of one or more styles; later styles override earlier ones.

        Examples
        --------
        >>> LIGHT.paint("leaf line-c0 empty")
        {'fill': '#ffffff', 'stroke': '#4477aa'}
        """
        paints = [self.paints.get(style, {}) for style in styles.split()]
        return {name: colour for paint in paints for name, colour in paint.items()}


# Each colour on a light page and on a dark one.
_COLOURS = {
    "page": ("#ffffff", "#14181d"),
    "box": ("#f4f6f8", "#1f262e"),
    "ink": ("#1c2430", "#e8edf2"),
    "faint": ("#566270", "#a3afbb"),
    "line": ("#b4bdc8", "#4a5663"),
    "track": ("#e3e8ed", "#323b45"),
    "branch": ("#bcc6d0", "#4b5866"),
    "rest": ("#b0b5bb", "#7d8590"),
}
_CLASSES = (
    *(("#4477aa", "#6699cc"), ("#ee8866", "#ee8866"), ("#228833", "#55aa66"), ("#ccbb44", "#ddcc66")),
    *(("#66ccee", "#77ccee"), ("#aa3377", "#cc6699"), ("#ee6677", "#ee7788"), ("#44bb99", "#55ccaa")),
    ("#997755", "#bb9977"),
)
LIGHT, DARK = (
    Palette(**{name: of[at] for name, of in _COLOURS.items()}, classes=tuple(of[at] for of in _CLASSES))
    for at in (0, 1)
)
