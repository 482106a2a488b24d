"""Write a report as an HTML page that loads nothing and runs only its own script, or as a notebook widget."""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from treewright.errors import MissingPackageError
from treewright.wording import as_language

# The tag of a language, the title of a report without one, and the text shown if scripts are blocked.
LANGUAGES = {
    "en": ("en", "Report on a tree", "This page draws the tree with its own script; please allow scripts."),
    "zh": ("zh-CN", "决策树报告", "本页用自带的脚本绘制决策树，请允许运行脚本。"),
}

_PAGE = """\
<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {script_hash}; \
style-src {style_hash}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<noscript><p>{needs_script}</p></noscript>
<div id="treewright"></div>
<script type="application/json" id="treewright-data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def render(summary: Mapping[str, Any], lang: str = "en") -> str:
    """Return a report as an HTML page.

    Parameters
    ----------
    summary : dict
        The result of `treewright.report.summary.summarize`.
    lang : {"en", "zh"}
        Language of the page; names, categories and classes stay as they are.

    Returns
    -------
    str
        The page. It loads nothing else, and a Content-Security-Policy allows only its own script and style,
        by their hashes.
    """
    tag, untitled, needs_script = LANGUAGES[as_language(lang)]
    script, style = static("report.js"), static("report.css")
    title = summary["title"] or untitled
    return _PAGE.format(
        lang=tag,
        script_hash=_hash(script),
        style_hash=_hash(style),
        title=escape("".join(each if each.isprintable() else " " for each in title)[:200]),
        style=style,
        needs_script=needs_script,
        data=_as_data(summary),
        script=script,
    )


def widget(summary: Mapping[str, Any], lang: str = "en") -> Any:
    """Return a report as a notebook widget.

    Parameters
    ----------
    summary : dict
        The result of `treewright.report.summary.summarize`.
    lang : {"en", "zh"}
        Its language.

    Returns
    -------
    anywidget.AnyWidget
    """
    tag, *_ = LANGUAGES[as_language(lang)]
    try:
        import anywidget
        import traitlets
    except ImportError as problem:
        raise MissingPackageError(
            "view needs anywidget, which is not installed: pip install 'treewright[notebook]'. "
            "report() needs no other package."
        ) from problem
    traits = {
        "_esm": static("report.js"),
        "sheet": traitlets.Unicode(static("report.css")).tag(sync=True),  # Jupyter has a `style` of its own
        "summary": traitlets.Dict(dict(summary)).tag(sync=True),
        "lang": traitlets.Unicode(tag).tag(sync=True),
    }
    return type("TreeReport", (anywidget.AnyWidget,), traits)()


@cache
def static(name: str) -> str:
    """Return the text of one of the files that make up the page."""
    return (files("treewright.report") / "static" / name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _as_data(summary: Mapping[str, Any]) -> str:
    """Return JSON that cannot end the surrounding script element, whatever the names contain."""
    text = json.dumps(summary, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
