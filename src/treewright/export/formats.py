"""The formats of this package, one line each. Their modules load on use, so that ``--help`` is fast."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Exporter:
    """A format that a model can be written in.

    Parameters
    ----------
    name : str
        Its name.
    function : str
        The module in `treewright.export` that writes it, and the function there.
    suffixes : tuple of str
        The suffixes that such files may have, the usual one first.
    is_text : bool
        Whether the function returns text; otherwise bytes.
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
