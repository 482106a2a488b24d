"""Draw a tree as SVG, for browsers, documents and notebooks; no other program is needed.

The picture has its own background and follows the reader's choice of light or dark. Point at a box to read
all about it. Nothing in it runs, and nothing is fetched.
"""

from collections.abc import Iterator
from html import escape

from treewright.export.drawn import MOST_NODES
from treewright.export.palette import DARK, FONT_FAMILY, LIGHT, Palette
from treewright.export.picture import FONTS, Curve, Group, Part, Picture, Rect, Text, picture
from treewright.model.model import Model

name = "svg"
suffix = ".svg"


def write(model: Model, max_depth: int | None = None, max_nodes: int | None = MOST_NODES) -> str:
    """Draw a tree.

    Parameters
    ----------
    model : Model
        What to draw.
    max_depth : int, optional
        Deepest level to draw.
    max_nodes : int, optional
        Nodes to draw at most. What is left out is counted in its place.

    Returns
    -------
    str
        An SVG document, which may also stand inside HTML.
    """
    return "".join(_document(picture(model, max_depth, max_nodes)))


def _document(drawing: Picture) -> Iterator[str]:
    width, height = _number(drawing.width), _number(drawing.height)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treewright" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">\n<title>{escape(drawing.summary)}</title>\n'
        f'<style>\n{STYLE}</style>\n<rect class="page" width="{width}" height="{height}"/>\n'
    )
    for group in drawing.groups:
        yield from _group(group)
    yield "</svg>\n"


def _group(group: Group) -> Iterator[str]:
    if group.kind == "branch":
        yield "".join(map(_part, group.parts)) + "\n"
        return
    # A browser shows the title where the mouse rests.
    title = escape("\n".join(group.story))
    yield f'<g class="{group.kind}"><title>{title}</title>{"".join(map(_part, group.parts))}</g>\n'


def _part(part: Part) -> str:
    if isinstance(part, Rect):
        corners = f' rx="{_number(part.radius)}"' if part.radius else ""
        return (
            f'<rect class="{part.style}" x="{_number(part.x)}" y="{_number(part.y)}" '
            f'width="{_number(part.width)}" height="{_number(part.height)}"{corners}/>'
        )
    if isinstance(part, Text):
        anchor = " start" if part.anchor == "start" else ""
        return (
            f'<text class="{part.style}{anchor}" x="{_number(part.x)}" y="{_number(part.y)}">'
            f"{escape(part.text)}</text>"
        )
    return _curve(part)


def _curve(part: Curve) -> str:
    x, to_x = _number(part.x), _number(part.to_x)
    middle = _number((part.bend + part.land) / 2)
    return (
        f'<path class="{part.style}" stroke-width="{_number(part.thickness)}" d="M{x} {_number(part.y)}'
        f"V{_number(part.bend)}C{x} {middle} {to_x} {middle} {to_x} {_number(part.land)}"
        f'V{_number(part.to_y)}"/>'
    )


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _colours(palette: Palette, indent: str = "") -> str:
    rules = [
        f".page, .label-box, .more-box {{ fill: {palette.page} }}",
        f".box {{ fill: {palette.box}; stroke: {palette.line} }}",
        f".leaf {{ fill: {palette.page}; stroke: {palette.line} }}",
        f".more-box {{ stroke: {palette.faint} }}",
        f".track {{ fill: {palette.track} }}",
        f".value {{ fill: {palette.classes[0]} }}",
        f".branch {{ stroke: {palette.branch} }}",
        f".title, .name, .label {{ fill: {palette.ink} }}",
        f".foot, .note {{ fill: {palette.faint} }}",
        f".fill-rest {{ fill: {palette.rest} }}",
        f".line-rest {{ stroke: {palette.rest} }}",
    ]
    for at, colour in enumerate(palette.classes):
        rules.append(f".fill-c{at} {{ fill: {colour} }}")
        rules.append(f".line-c{at} {{ stroke: {colour} }}")
    scoped = (".treewright " + rule.replace(", .", ", .treewright .") for rule in rules)
    return "".join(f"{indent}{rule}\n" for rule in scoped)


def _fonts() -> str:
    return "".join(
        f".treewright .{style} {{ font-size: {_number(size)}px{'; font-weight: 700' if is_bold else ''} }}\n"
        for style, (size, is_bold) in FONTS.items()
    )


STYLE = (
    f".treewright text {{ font-family: {FONT_FAMILY}; text-anchor: middle }}\n"
    f"{_fonts()}"
    ".treewright .start { text-anchor: start }\n"
    ".treewright .note { font-style: italic }\n"
    ".treewright .box, .treewright .leaf, .treewright .more-box { stroke-width: 1.5 }\n"
    ".treewright .branch { fill: none }\n"
    ".treewright .branch.missing { stroke-dasharray: 7 4 }\n"
    ".treewright .empty, .treewright .branch.rest, .treewright .more-box { stroke-dasharray: 2 3 }\n"
    f"{_colours(LIGHT)}"
    f"@media (prefers-color-scheme: dark) {{\n{_colours(DARK, '  ')}}}\n"
)
