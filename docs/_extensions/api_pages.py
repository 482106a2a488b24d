"""A page for every public name, found where it is: nobody has to list them.

Public are the names of `treewright` itself and of its modules `parts`, `information`, `datasets` and
`errors`; and the classes that methods of public classes return: an explanation, a pruning table, a tree.
"""

import builtins
import functools
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from written import underlined, write_pages

import treewright

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# scikit-learn's own, which its pages describe.
NOT_OURS = ("get_metadata_routing", "set_fit_request", "set_score_request", "get_params", "set_params")
MODULES = ("parts", "information", "datasets", "errors")


def estimators() -> list[type]:
    """List what is fitted."""
    named = (getattr(treewright, name) for name in treewright.__all__)
    return [each for each in named if inspect.isclass(each) and hasattr(each, "fit")]


def functions() -> list[str]:
    """List what the package itself offers to be called."""
    return [name for name in treewright.__all__ if inspect.isfunction(getattr(treewright, name))]


def results() -> list[type]:
    """List the public classes that are neither fitted nor errors, and those of what methods give."""
    public = [getattr(treewright, name) for name in treewright.__all__]
    waiting = [each for each in public if inspect.isclass(each) or inspect.isfunction(each)]
    found = [each for each in waiting if inspect.isclass(each) and each not in estimators()]
    found = [each for each in found if not issubclass(each, Exception)]
    while waiting:
        for each in given_by(waiting.pop()):
            if each not in found and not any(issubclass(kind, each) for kind in estimators()):
                found.append(each)
                waiting.append(each)
    return sorted(found, key=lambda each: each.__name__)


class Names(dict[str, object]):
    """What annotations call things; a stranger, such as a class of matplotlib's, is anything."""

    def __missing__(self, name: str) -> object:
        return object


@functools.cache
def names() -> Names:
    """Collect the names of all modules: annotations may use some that are imported for type checkers only."""
    found = Names(vars(builtins))
    for module in pkgutil.walk_packages(treewright.__path__, "treewright."):
        found |= vars(importlib.import_module(module.name))
    return found


def given_by(of: object) -> Iterator[type]:
    """Yield the classes of ours that a function, or the public methods of a class, say they give."""
    members = [of] if inspect.isfunction(of) else [getattr(of, n) for n in dir(of) if not n.startswith("_")]
    for member in members:
        function = getattr(member, "fget", None) or getattr(member, "func", member)
        if not inspect.isfunction(function) or not function.__module__.startswith("treewright."):
            continue
        hint = function.__annotations__.get("return")
        yield from ours_in(eval(hint, {}, names()) if isinstance(hint, str) else hint)


def ours_in(hint: object) -> Iterator[type]:
    """Yield the classes of ours in a type, however it is put together."""
    if inspect.isclass(hint) and hint.__module__.startswith("treewright."):
        yield hint
    for part in typing.get_args(hint):
        yield from ours_in(part)


def class_page(of: type, module: str) -> str:
    """Write the page of a class that is found in a module."""
    return "\n".join(
        (
            underlined(of.__name__),
            f".. currentmodule:: {module}\n",
            f".. autoclass:: {of.__name__}",
            "   :members:",
            "   :inherited-members: tuple, object",
            f"   :exclude-members: {', '.join(NOT_OURS)}\n",
        )
    )


def function_page(name: str) -> str:
    """Write the page of a function of the package itself."""
    return f"{underlined(f'treewright.{name}')}\n.. autofunction:: treewright.{name}\n"


def defined_in(module: ModuleType) -> list[str]:
    """List the classes that a module without `__all__` defines."""
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__
    ]


def module_page(name: str) -> str:
    """Write the page of a module with all it offers."""
    module = importlib.import_module(f"treewright.{name}")
    title = underlined(f"treewright.{name}")
    body = [f"{title}\n.. automodule:: treewright.{name}\n   :no-members:\n"]
    for each in getattr(module, "__all__", None) or defined_in(module):
        if callable(value := getattr(module, each)):
            kind = "autoclass" if inspect.isclass(value) else "autofunction"
            body.append(f".. {kind}:: treewright.{name}.{each}\n")
    return "\n".join(body)


def section(title: str, named: Iterable[str]) -> str:
    """Write a heading and the list of the pages under it."""
    return f"{underlined(title, '-')}\n.. toctree::\n   :maxdepth: 1\n\n   " + "\n   ".join(named) + "\n"


def list_of_pages() -> str:
    """Write the page that lists the others."""
    return "\n".join(
        (
            underlined("Every public name"),
            section("Estimators", (each.__name__ for each in estimators())),
            section("Functions", functions()),
            section("Modules", MODULES),
            section("What methods give", (each.__name__ for each in results())),
        )
    )


def pages() -> dict[str, str]:
    """Write all pages: by name of the file, its text."""
    written = {"index.rst": list_of_pages()}
    written |= {f"{each.__name__}.rst": class_page(each, "treewright") for each in estimators()}
    written |= {f"{name}.rst": function_page(name) for name in functions()}
    written |= {f"{name}.rst": module_page(name) for name in MODULES}
    return written | {f"{each.__name__}.rst": class_page(each, each.__module__) for each in results()}


def write(app: "Sphinx") -> None:
    """Write them where Sphinx looks for pages."""
    write_pages(Path(app.srcdir) / "reference" / "api", pages())


def setup(app: "Sphinx") -> dict[str, bool]:
    """Write the pages before Sphinx reads any."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
