"""The formats that a model can be written in, by name.

An exporter has a `name`, a `suffix` for files, and ``write(model)``, which may take options by name and
returns text, or bytes if the exporter has ``is_text = False``. Ours are listed in
`treewright.export.formats`. Other packages add theirs under the entry point ``treewright.exporters``::

    [project.entry-points."treewright.exporters"]
    rust = "their_package.rust"
"""

from importlib.metadata import entry_points
from typing import Any

from treewright.errors import ParameterError, did_you_mean, listed
from treewright.export.formats import OURS

GROUP = "treewright.exporters"


def names() -> tuple[str, ...]:
    """List the formats: ours, then those of other packages that are installed.

    Examples
    --------
    >>> names()[:8]
    ('text', 'dot', 'mermaid', 'json', 'svg', 'html', 'png', 'pdf')
    """
    return (*OURS, *sorted({point.name for point in entry_points(group=GROUP)} - OURS.keys()))


def exporter(name: str, others: tuple[str, ...] = ()) -> Any:
    """Find a format by its name; if two have the same name, ours is used.

    The error for an unknown name also lists `others`.

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
