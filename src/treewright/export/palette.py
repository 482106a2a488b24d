"""The colours and letters of pictures.

The colours of classes can be told apart by people who see colours differently; no colour says anything that
words do not say too.

References
----------
Tol (2021), Colour schemes, SRON technical note 09-002.
"""

from dataclasses import dataclass

# Names that browsers look for in turn, letter by letter; the later ones have Chinese.
FONT_FAMILY = (
    "'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', 'PingFang SC', 'Microsoft YaHei', "
    "'Noto Sans CJK SC', 'Source Han Sans SC', 'WenQuanYi Micro Hei', sans-serif"
)
# The same for matplotlib: fonts that have Chinese, the first one that is installed.
CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "STHeiti",
    "Microsoft YaHei",
    "SimHei",
    "SimSun",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "Arial Unicode MS",
    "Unifont",
)


@dataclass(frozen=True, slots=True)
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


LIGHT = Palette(
    page="#ffffff",
    box="#f4f6f8",
    ink="#1c2430",
    faint="#566270",
    line="#b4bdc8",
    track="#e3e8ed",
    branch="#bcc6d0",
    rest="#b0b5bb",
    classes=(
        *("#4477aa", "#ee8866", "#228833", "#ccbb44", "#66ccee"),
        *("#aa3377", "#ee6677", "#44bb99", "#997755"),
    ),
)
DARK = Palette(
    page="#14181d",
    box="#1f262e",
    ink="#e8edf2",
    faint="#a3afbb",
    line="#4a5663",
    track="#323b45",
    branch="#4b5866",
    rest="#7d8590",
    classes=(
        *("#6699cc", "#ee8866", "#55aa66", "#ddcc66", "#77ccee"),
        *("#cc6699", "#ee7788", "#55ccaa", "#bb9977"),
    ),
)
