"""Renamed parameters: the old name is still accepted, with a warning."""

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar, cast

from treewright.errors import warn

Init = TypeVar("Init", bound=Callable[..., None])

# Old and new name. In version 0.1 the parameter had the name of the method.
RENAMED: Mapping[str, str] = {"prune": "pruning"}


def by_new_names(given: Mapping[str, Any], known: Collection[str], *, warns: bool = True) -> dict[str, Any]:
    """Rename parameters from old to present names.

    Parameters
    ----------
    given : dict
        Values by name, old or new.
    known : collection of str
        The parameters that an estimator has; an old name is kept if its new name is not among them.
    warns : bool
        Whether to warn about old names: users can change their code, but not a file of version 0.1.

    Examples
    --------
    >>> by_new_names({"cv": 5, "prune": "min"}, ["cv", "pruning"], warns=False)
    {'cv': 5, 'pruning': 'min'}
    """
    found: dict[str, Any] = {}
    for name, value in given.items():
        new = RENAMED.get(name, "")
        if new not in known:
            new = name
        elif warns:
            warn(
                f"the parameter {name!r} is called {new!r} now; write {new}={value!r}. Version 0.3 takes the "
                "new name only.",
                FutureWarning,
            )
        found[new] = value
    return found


def takes_old_names(init: Init) -> Init:
    """Make a constructor accept old names, which its signature does not show."""
    known = inspect.signature(init).parameters

    @functools.wraps(init)
    def taking(self: Any, *args: Any, **given: Any) -> None:
        init(self, *args, **by_new_names(given, known))

    return cast("Init", taking)
