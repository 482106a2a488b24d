"""Draw a tree with matplotlib: the same picture as in SVG, on the caller's axes or in a file.

Text is drawn as shapes, so that it scales with the boxes at any size of the figure.
"""

import logging
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import MissingPackageError, ParameterTypeError
from treewright.export.drawn import MOST_NODES
from treewright.export.look import PLAIN, Look
from treewright.export.palette import CHINESE_FONTS, DASHES, LIGHT
from treewright.export.parts import FONTS, Curve, Rect, Text
from treewright.export.picture import Picture, picture
from treewright.model.labelled_rows import EncodedRows
from treewright.model.model import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties

PIXELS_PER_INCH = 96.0
WIDEST = 40.0  # inches, of a figure made here
DOTS_PER_INCH = 2 * PIXELS_PER_INCH  # in files, to be sharp on any screen


def matplotlib_module(name: str, what: str, instead: str = "") -> Any:
    """Import a module of matplotlib.

    Parameters
    ----------
    name : str
        The module.
    what : str
        What it is needed for, as the subject of "is drawn with matplotlib".
    instead : str
        What to do instead.

    Raises
    ------
    MissingPackageError
        If matplotlib is not installed.
    """
    try:
        return import_module(f"matplotlib.{name}")
    except ImportError as problem:
        raise MissingPackageError(
            f"{what} is drawn with matplotlib, which is not installed: pip install 'treewright[plot]'."
            f"{instead and ' '}{instead}"
        ) from problem


def draw(
    model: Model,
    ax: Any = None,
    max_depth: int | None = None,
    max_nodes: int | None = MOST_NODES,
    look: Look = PLAIN,
    rows: EncodedRows | None = None,
) -> "Axes":
    """Draw a tree.

    Parameters
    ----------
    model : Model
        The tree to draw.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new figure as large as the drawing.
    max_depth : int, optional
        Deepest level to draw.
    max_nodes : int, optional
        Most nodes to draw. Nodes left out are counted in their place.
    look : Look
        Additional content of boxes, and the direction of branches.
    rows : EncodedRows, optional
        Rows to chart at inner nodes, see `treewright.export.charts`.

    Returns
    -------
    matplotlib.axes.Axes
    """
    pyplot = matplotlib_module("pyplot", "a plot", "to_svg() needs no other package.")
    drawing = picture(model, max_depth, max_nodes, look, rows)
    axes = _whole(pyplot.figure(), drawing) if ax is None else ax
    if not isinstance(axes, pyplot.Axes):
        raise ParameterTypeError(f"ax={ax!r} is not a matplotlib Axes; give one, or None for a new figure.")
    return _filled(axes, drawing)


def png(
    model: Model,
    max_depth: int | None = None,
    max_nodes: int | None = MOST_NODES,
    look: Look = PLAIN,
    rows: EncodedRows | None = None,
) -> bytes:
    """Draw a tree as a PNG image; see `draw`."""
    return _file("png", picture(model, max_depth, max_nodes, look, rows))


def pdf(
    model: Model,
    max_depth: int | None = None,
    max_nodes: int | None = MOST_NODES,
    look: Look = PLAIN,
    rows: EncodedRows | None = None,
) -> bytes:
    """Draw a tree as a PDF file; see `draw`."""
    # Without a date, so that the same picture always gives the same bytes.
    return _file("pdf", picture(model, max_depth, max_nodes, look, rows), metadata={"CreationDate": None})


def _file(format: str, drawing: Picture, **options: Any) -> bytes:
    """Draw a file without opening a window, and without leaving a figure in pyplot."""
    instead = "SVG needs no other package, and a browser prints it as PDF."
    figure = matplotlib_module("figure", format.upper(), instead).Figure()
    _filled(_whole(figure, drawing), drawing)
    file = BytesIO()
    figure.savefig(file, format=format, dpi=DOTS_PER_INCH, **options)
    return file.getvalue()


def _filled(axes: "Axes", drawing: Picture) -> "Axes":
    # One pixel of the picture is one unit of the axes, counted from the top.
    axes.set(xlim=(0, drawing.width), ylim=(drawing.height, 0), aspect="equal")
    axes.set_axis_off()
    # Chinese fonts often have no bold letters, and matplotlib would report this for every file.
    logger = logging.getLogger("matplotlib.font_manager")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        _draw(axes, drawing)
    finally:
        logger.setLevel(level)
    return axes


def _draw(axes: "Axes", drawing: Picture) -> None:
    fonts = _fonts()
    for depth, group in enumerate(drawing.groups):
        for part in group.parts:
            if isinstance(part, Text):
                patch = _letters(part, fonts[part.style])
            else:
                patch = _box(part) if isinstance(part, Rect) else _ribbon(part)
            patch.set_zorder(2 + depth / len(drawing.groups))  # from back to front
            axes.add_artist(patch)  # faster than add_patch, which would update the limits for every letter


def _whole(figure: "Figure", drawing: Picture) -> "Axes":
    """Make a figure as large as a drawing, and axes that cover it."""
    scale = min(1 / PIXELS_PER_INCH, WIDEST / max(drawing.width, drawing.height))
    figure.set_size_inches(drawing.width * scale, drawing.height * scale)
    figure.set_facecolor(LIGHT.page)
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


def _fonts() -> "dict[str, FontProperties]":
    """Choose fonts by the style of a text: matplotlib's own, and one with Chinese if one is installed."""
    from matplotlib.font_manager import FontProperties, fontManager

    installed = {font.name for font in fontManager.ttflist}
    families = ["DejaVu Sans", *[family for family in CHINESE_FONTS if family in installed][:1]]
    looks: dict[str, dict[str, Any]] = {
        style: {"weight": "bold"} if is_bold else {} for style, (_, is_bold) in FONTS.items()
    }
    looks["note"] = {"style": "italic"}
    return {style: FontProperties(family=families, **look) for style, look in looks.items()}


def _box(part: Rect) -> Any:
    from matplotlib.patches import FancyBboxPatch

    paint = LIGHT.paint(part.style)
    radius = min(part.radius, part.width / 2, part.height / 2)
    shape = f"round,pad=0,rounding_size={radius}"
    box = FancyBboxPatch((part.x, part.y), part.width, part.height, shape, linewidth=1.0)
    dashes = ":" if DASHES.keys() & part.style.split() else "-"
    box.set(facecolor=paint["fill"], edgecolor=paint.get("stroke", "none"), linestyle=dashes)
    return box


def _letters(part: Text, font: "FontProperties") -> Any:
    from matplotlib import patches, path, textpath

    size, _ = FONTS[part.style]
    shapes = textpath.TextToPath()
    # The text is taken literally: a dollar sign does not begin a formula.
    points, codes = shapes.get_text_path(font, part.text)
    at = np.asarray(points, dtype=float).reshape(-1, 2) * (size / shapes.FONT_SCALE)
    middle = (at[:, 0].min() + at[:, 0].max()) / 2 if len(at) and part.anchor == "middle" else 0.0
    outline = path.Path(at * (1, -1) + (part.x - middle, part.y), codes)
    return patches.PathPatch(outline, facecolor=LIGHT.paint(part.style)["fill"], edgecolor="none")


def _ribbon(part: Curve) -> Any:
    """Draw a branch as a shape, in one piece or in dashes, so that its width is also in units of the axes."""
    from matplotlib import patches
    from matplotlib.path import Path

    along = _along(part)
    steps = np.hypot(*np.diff(along, axis=0).T)
    gone = np.concatenate(([0.0], np.cumsum(steps)))
    normal = np.gradient(along, axis=0)[:, ::-1] * (-1, 1)
    normal /= np.hypot(*normal.T)[:, None]
    on, off = next((DASHES[style] for style in part.style.split() if style in DASHES), (gone[-1], 1.0))
    pieces = []
    for begin in np.arange(0.0, gone[-1], on + off):
        end = min(begin + on, gone[-1])
        # Include the end of the dash, which lies between two points.
        at = np.concatenate(([begin], gone[(gone > begin) & (gone < end)], [end]))
        middle, out = (
            np.column_stack([np.interp(at, gone, values) for values in of.T]) for of in (along, normal)
        )
        out *= part.thickness / 2
        pieces.append(Path(np.concatenate((middle + out, (middle - out)[::-1]))))
    return patches.PathPatch(Path.make_compound_path(*pieces), facecolor=LIGHT.branch, edgecolor="none")


def _along(part: Curve) -> NDArray[np.float64]:
    """List points of a branch, close enough to look smooth."""
    t = np.linspace(0.0, 1.0, 65)[:, None]
    middle = (part.bend + part.land) / 2
    corners = np.array([(part.x, part.bend), (part.x, middle), (part.to_x, middle), (part.to_x, part.land)])
    weights = np.hstack(((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3))
    points = np.vstack(((part.x, part.y), weights @ corners, (part.to_x, part.to_y)))
    is_new = np.abs(np.diff(points, axis=0, prepend=np.inf)).sum(axis=1) > 1e-9
    points = points[is_new]
    return np.asarray(points[:, ::-1] if part.is_across else points)
