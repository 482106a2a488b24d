"""Pages named `*.zh.md` are Chinese: say so to the browser, which chooses fonts and hyphens by it."""

from typing import Any

from sphinx.application import Sphinx


def name_the_language(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Set the language of the page."""
    if page.endswith(".zh"):
        context["language"] = "zh-CN"


def setup(app: Sphinx) -> dict[str, bool]:
    """Look at every page before it is written."""
    app.connect("html-page-context", name_the_language)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
