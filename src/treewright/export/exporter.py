"""The formats that a model can be written in, by name.

An exporter is anything with a `name`, a `suffix` for files, and ``write(model) -> str``; `write` may take
options by name. Each module of this room that has the three is one. Other packages add theirs under the entry
point ``treewright.exporters``::

    [project.entry-points."treewright.exporters"]
    rust = "their_package.rust"
"""

import importlib
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Protocol

from treewright.errors import ParameterError, did_you_mean, listed
from treewright.model.model import Model

GROUP = "treewright.exporters"

_OURS = MappingProxyType(
    {name: f"treewright.export.{name}" for name in ("text", "dot", "mermaid", "json", "svg", "html")}
)


class Exporter(Protocol):
    """What writes a model down."""

    name: str
    suffix: str

    def write(self, model: Model, /) -> str:
        """Write a model."""


def names() -> tuple[str, ...]:
    """List the formats: ours, then those of other packages that are installed.

    Examples
    --------
    >>> names()[:6]
    ('text', 'dot', 'mermaid', 'json', 'svg', 'html')
    """
    others = sorted({point.name for point in entry_points(group=GROUP)} - _OURS.keys())
    return (*_OURS, *others)


def exporter(name: str) -> Exporter:
    """Find a format by its name; of two with the same name ours is meant.

    Examples
    --------
    >>> exporter("svg").suffix
    '.svg'
    """
    if name in _OURS:
        return importlib.import_module(_OURS[name])
    found = [point for point in entry_points(group=GROUP) if point.name == name]
    if not found:
        known = names()
        raise ParameterError(
            f"format {name!r} is not known; there are {listed(known)}.{did_you_mean(name, known)}"
        )
    loaded = found[0].load()
    absent = [each for each in ("name", "suffix", "write") if not hasattr(loaded, each)]
    if absent:
        raise ParameterError(
            f"format {name!r} comes from {found[0].value!r}, which has no {' and no '.join(absent)}; "
            "an exporter has name, suffix and write(model)."
        )
    return loaded  # type: ignore[no-any-return]  # it has the three
