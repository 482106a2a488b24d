"""Draw a tree as SVG, for browsers, documents and notebooks; no other program is needed.

The picture has its own background and follows the reader's choice of light or dark. Hovering over a box shows
details. The picture runs no script and loads nothing.
"""

import functools
from html import escape

from treewright.export.drawn import MOST_NODES
from treewright.export.look import PLAIN, Look
from treewright.export.palette import DARK, DASHES, FONT_FAMILY, LIGHT
from treewright.export.parts import FONTS, Part, Rect, Text
from treewright.export.picture import Group, Picture, picture
from treewright.model.labelled_rows import EncodedRows
from treewright.model.model import Model


def write(
    model: Model,
    max_depth: int | None = None,
    max_nodes: int | None = MOST_NODES,
    look: Look = PLAIN,
    rows: EncodedRows | None = None,
) -> str:
    """Draw a tree.

    Parameters
    ----------
    model : Model
        The model.
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
    str
        An SVG document, which can also be embedded in HTML.
    """
    return document(picture(model, max_depth, max_nodes, look, rows))


def document(drawing: Picture) -> str:
    """Write a picture as an SVG document."""
    width, height = _number(drawing.width), _number(drawing.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treewright" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONT_FAMILY}" text-anchor="middle">\n'
        f"<title>{escape(drawing.summary)}</title>\n<style>\n{STYLE}</style>\n"
        f'<rect{_look("page")} width="{width}" height="{height}"/>\n'
    )
    return f"{head}{''.join(map(_group, drawing.groups))}</svg>\n"


def _group(group: Group) -> str:
    parts = "".join(map(_part, group.parts))
    if group.kind == "branch":
        return f"{parts}\n"
    # A browser shows the title on hover.
    title = escape("\n".join(group.story))
    return f'<g class="tw-{group.kind}"><title>{title}</title>{parts}</g>\n'


def _part(part: Part) -> str:
    if isinstance(part, Rect):
        corners = {"rx": part.radius} if part.radius else {}
        numbers = _numbers(x=part.x, y=part.y, width=part.width, height=part.height, **corners)
        return f"<rect{_look(part.style)}{numbers}/>"
    if isinstance(part, Text):
        anchor = ' text-anchor="start"' if part.anchor == "start" else ""
        look = _look(part.style) + _font(part.style) + anchor
        return f"<text{look}{_numbers(x=part.x, y=part.y)}>{escape(part.text)}</text>"
    x, to_x, middle = map(_number, (part.x, part.to_x, (part.bend + part.land) / 2))
    y, bend, land, to_y = map(_number, (part.y, part.bend, part.land, part.to_y))
    path = f"M{x} {y}V{bend}C{x} {middle} {to_x} {middle} {to_x} {land}V{to_y}"
    if part.is_across:
        path = f"M{y} {x}H{bend}C{middle} {x} {middle} {to_x} {land} {to_x}H{to_y}"
    return f'<path{_look(part.style)} stroke-width="{_number(part.thickness)}" d="{path}"/>'


def _numbers(**attributes: float) -> str:
    return "".join(f' {name}="{_number(value)}"' for name, value in attributes.items())


@functools.cache
def _look(style: str) -> str:
    """Write the attributes of a style: classes, and light colours for viewers without style sheets."""
    classes = " ".join(f"tw-{each}" for each in style.split())
    attributes = {"class": classes, **LIGHT.paint(style)}
    if "stroke" in attributes and "branch" not in style.split():
        attributes["stroke-width"] = "1.5"
    for each in DASHES.keys() & style.split():
        attributes["stroke-dasharray"] = "{} {}".format(*DASHES[each])
    return "".join(f' {name}="{value}"' for name, value in attributes.items())


@functools.cache
def _font(style: str) -> str:
    size, is_bold = FONTS[style]
    weight = ' font-weight="700"' if is_bold else ""
    slant = ' font-style="italic"' if style == "note" else ""
    return f' font-size="{_number(size)}"{weight}{slant}'


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


_RULES = "".join(
    f"  .treewright .tw-{style} {{ {'; '.join(f'{name}: {value}' for name, value in paint.items())} }}\n"
    for style, paint in DARK.paints.items()
)
STYLE = f"@media (prefers-color-scheme: dark) {{\n{_RULES}}}\n"
