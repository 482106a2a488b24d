"""Write an HTML page with the drawing and the text of a tree. It needs no other file and runs no script."""

from html import escape

from treewright.export import svg, text
from treewright.export.drawn import MOST_NODES, Words
from treewright.export.look import PLAIN, Look
from treewright.export.palette import DARK, FONT_FAMILY, LIGHT
from treewright.export.picture import picture
from treewright.model.labelled_rows import EncodedRows
from treewright.model.model import Model

TEXT_DEPTH = 12  # levels of the text, to limit the size of a page

# A wide drawing opens with its root in view: it snaps there, and can be scrolled a moment later.
_STYLE = f"""\
:root {{ color-scheme: light dark }}
body {{ margin: 0 auto; padding: 1.5rem; font: 16px/1.5 {FONT_FAMILY}; color: {LIGHT.ink};
  background: {LIGHT.page} }}
h1 {{ font-size: 1.35rem; margin: 0 }}
h2 {{ font-size: 1.1rem; margin: 1.5rem 0 0 }}
p {{ margin: .25rem 0 1rem; color: {LIGHT.faint} }}
label {{ margin-right: 1rem }}
.drawing {{ overflow: auto; border: 1px solid {LIGHT.line}; border-radius: 8px; max-height: 85vh;
  margin-top: .5rem; position: relative; scroll-snap-type: x mandatory; animation: let-go 1s forwards }}
@keyframes let-go {{ to {{ scroll-snap-type: none }} }}
.root {{ position: absolute; top: 0; width: 1px; height: 1px; scroll-snap-align: center }}
.drawing svg {{ display: block; margin: 0 auto }}
#fit:checked ~ .drawing svg {{ max-width: 100%; height: auto }}
#half:checked ~ .drawing svg {{ zoom: .5 }}
#double:checked ~ .drawing svg {{ zoom: 2 }}
pre {{ overflow: auto; font: 13px/1.45 ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono',
  'Noto Sans Mono CJK SC', monospace }}
@media (prefers-color-scheme: dark) {{
  body {{ color: {DARK.ink}; background: {DARK.page} }}
  p {{ color: {DARK.faint} }}
  .drawing {{ border-color: {DARK.line} }}
}}
@media print {{ .drawing {{ max-height: none; border: 0 }} input, label {{ display: none }} }}
"""

_SIZES = {"half": "50%", "whole": "100%", "double": "200%"}
_CODES = {"en": "en", "zh": "zh-CN"}  # of languages, for browsers


def write(
    model: Model,
    max_depth: int | None = None,
    max_nodes: int | None = MOST_NODES,
    look: Look = PLAIN,
    rows: EncodedRows | None = None,
) -> str:
    """Write a page.

    Parameters
    ----------
    model : Model
        The model.
    max_depth : int, optional
        Deepest level to show.
    max_nodes : int, optional
        Most nodes to draw. Nodes left out are counted in their place.
    look : Look
        Additional content of boxes, and the direction of branches.
    rows : EncodedRows, optional
        Rows to chart at inner nodes, see `treewright.export.charts`.

    Returns
    -------
    str
        An HTML document.
    """
    words = Words(model, look)
    drawing = picture(model, max_depth, max_nodes, look, rows)
    title, levels = escape(words.title), model.tree.max_depth
    nodes, leaves = words.size
    text_of_levels = "{n} level of questions" if levels == 1 else "{n} levels of questions"
    facts = f"{nodes}, {leaves}, {words.said(text_of_levels, n=levels)}"
    choices = "".join(
        f'<input type="radio" name="size" id="{key}"{" checked" if key == "whole" else ""}>'
        f'<label for="{key}">{text}</label>\n'
        for key, text in {"fit": words.said("fit the window"), **_SIZES}.items()
    )
    as_text = text.write(model, TEXT_DEPTH if max_depth is None else max_depth, lang=look.lang)
    return (
        f'<!DOCTYPE html>\n<html lang="{_CODES[look.lang]}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{_STYLE}"
        f".root {{ left: {drawing.root:.0f}px }}\n</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n<p>{facts}. {words.said('Point at a box for details.')}</p>\n{choices}"
        f'<div class="drawing">\n<span class="root"></span>\n{svg.document(drawing)}</div>\n'
        f"<h2>{words.said('As text')}</h2>\n<pre>{escape(as_text)}</pre>\n</body>\n</html>\n"
    )
