"""The formats that a model can be written in, by name.

An exporter has a `name`, a `suffix` for files, and ``write(model)``, which returns text, or bytes where
`is_text` says so, and may take options by name. Ours are the functions in `OURS`. Other packages add objects
with these attributes under the entry point ``treewright.exporters``::

    [project.entry-points."treewright.exporters"]
    rust = "their_package.rust"
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from treewright.errors import ParameterError, did_you_mean, listed

GROUP = "treewright.exporters"


@dataclass(frozen=True)
class Exporter:
    """A format that a model can be written in.

    Parameters
    ----------
    name : str
        Its name.
    function : str
        The module of this room that writes it, and the function there.
    suffixes : tuple of str
        How names of such files may end, the usual suffix first.
    is_text : bool
        Whether text is written, and not bytes.
    """

    name: str
    function: str
    suffixes: tuple[str, ...]
    is_text: bool = True

    @property
    def suffix(self) -> str:
        """The usual suffix."""
        return self.suffixes[0]

    @property
    def write(self) -> Callable[..., Any]:
        """The function that takes a model, and options by name."""
        module, _, function = self.function.rpartition(".")
        found: Callable[..., Any] = getattr(importlib.import_module(f"{__package__}.{module}"), function)
        return found


OURS = {
    each.name: each
    for each in (
        Exporter("text", "text.write", (".txt",)),
        Exporter("dot", "dot.write", (".dot", ".gv")),
        Exporter("mermaid", "mermaid.write", (".mmd", ".md")),
        Exporter("json", "json.write", (".json",)),
        Exporter("svg", "svg.write", (".svg",)),
        Exporter("html", "html.write", (".html", ".htm")),
        Exporter("png", "plot.png", (".png",), is_text=False),
        Exporter("pdf", "plot.pdf", (".pdf",), is_text=False),
    )
}


def names() -> tuple[str, ...]:
    """List the formats: ours, then those of other packages that are installed.

    Examples
    --------
    >>> names()[:8]
    ('text', 'dot', 'mermaid', 'json', 'svg', 'html', 'png', 'pdf')
    """
    return (*OURS, *sorted({point.name for point in entry_points(group=GROUP)} - OURS.keys()))


def exporter(name: str, others: tuple[str, ...] = ()) -> Any:
    """Find a format by its name; where two have the same name, ours.

    The error for an unknown name lists `others` too.

    Examples
    --------
    >>> exporter("svg").suffix
    '.svg'
    """
    if name in OURS:
        return OURS[name]
    for point in entry_points(group=GROUP):
        if point.name == name:
            loaded = point.load()
            absent = [each for each in ("name", "suffix", "write") if not hasattr(loaded, each)]
            if not absent:
                return loaded
            raise ParameterError(
                f"format {name!r} comes from {point.value!r}, which has no {' and no '.join(absent)}; "
                "an exporter has name, suffix and write(model)."
            )
    known = (*names(), *others)
    raise ParameterError(
        f"format {name!r} is not known; there are {listed(known, most=20)}.{did_you_mean(name, known)}"
    )


def by_suffix() -> dict[str, Any]:
    """Find formats by the suffixes of their files.

    Examples
    --------
    >>> by_suffix()[".gv"].name
    'dot'
    """
    found = [exporter(name) for name in names()]
    return {suffix: each for each in found for suffix in getattr(each, "suffixes", (each.suffix,))}
