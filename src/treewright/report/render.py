"""A report as one HTML page, which loads nothing and runs only its own script."""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from treewright.errors import ParameterError, did_you_mean, listed

LANGUAGES = {"en": "en", "zh": "zh-CN"}
_UNTITLED = {"en": "Report on a tree", "zh": "决策树报告"}
_NEEDS_SCRIPT = {
    "en": "This page draws the tree with the script it contains; please allow scripts for it.",
    "zh": "本页用自带的脚本绘制决策树，请允许运行脚本。",
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
    check_language(lang)
    script, style = static("report.js"), static("report.css")
    title = summary["title"] or _UNTITLED[lang]
    return _PAGE.format(
        lang=LANGUAGES[lang],
        script_hash=_hash(script),
        style_hash=_hash(style),
        title=escape("".join(each if each.isprintable() else " " for each in title)[:200]),
        style=style,
        needs_script=_NEEDS_SCRIPT[lang],
        data=_as_data(summary),
        script=script,
    )


def check_language(lang: str) -> None:
    """Raise if reports are not written in a language."""
    if lang not in LANGUAGES:
        raise ParameterError(
            f"lang={lang!r} is not a language of reports; available: {listed(LANGUAGES)}."
            + did_you_mean(lang, LANGUAGES)
        )


@cache
def static(name: str) -> str:
    """Return the text of one of the files that make up the page."""
    return (files("treewright.report") / "static" / name).read_text("utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _as_data(summary: Mapping[str, Any]) -> str:
    """Return JSON that cannot end the script element it stands in, whatever the names contain."""
    text = json.dumps(summary, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
