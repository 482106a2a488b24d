"""A report inside a notebook: the script of the page, run by anywidget."""

from collections.abc import Mapping
from typing import Any

from treewright.errors import MissingPackageError
from treewright.report.render import LANGUAGES, check_language, static


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
    check_language(lang)
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
        "_css": static("report.css"),
        "summary": traitlets.Dict(dict(summary)).tag(sync=True),
        "lang": traitlets.Unicode(LANGUAGES[lang]).tag(sync=True),
    }
    return type("TreeReport", (anywidget.AnyWidget,), traits)()
