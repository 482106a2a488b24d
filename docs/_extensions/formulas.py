"""Formulas as MathML: browsers draw it by themselves, no script or network is needed."""

import re

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

_THIN = '<mspace width="0.17em"/>'
_FUNCTION = re.compile(r"(?:<msub>\s*|<munder>\s*)?<mi[^>]*>(?:log|ln|max|min)</mi>")


def spaced(formula: str) -> str:
    """Part names of functions from what stands before and after them: browsers do not."""
    formula = _FUNCTION.sub(lambda found: _THIN + found[0], formula)
    return formula.replace("<mo>&ApplyFunction;</mo>", _THIN)


def drawn(node: nodes.math | nodes.math_block, as_block: bool) -> str:
    """Turn LaTeX into MathML; what it cannot read is a warning that names the page."""
    try:
        return spaced(latex2mathml.tex2mathml(node.astext(), as_block=as_block))
    except MathError as error:
        logging.getLogger(__name__).warning("%s In: %s", error, node.astext(), location=node)
        return ""


def visit_inline(writer: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    writer.body.append(drawn(node, as_block=False))
    raise nodes.SkipNode


def visit_block(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula in a line of its own."""
    writer.body.append(f'<div class="formula">{drawn(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Take the place of MathJax."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
