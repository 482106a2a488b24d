"""``--set NAME=VALUE``: every parameter of an estimator, or option of a method, from the command line."""

import json
from collections.abc import Collection, Sequence
from typing import Any

from treewright.errors import ParameterError, did_you_mean, listed

_WORDS = {"None": None, "True": True, "False": False}


def settings(pairs: Sequence[str] | None, known: Collection[str], whose: str) -> dict[str, Any]:
    """Read pairs of a name and a value.

    Parameters
    ----------
    pairs : sequence of str or None
        ``NAME=VALUE``.
    known : collection of str
        Names there are.
    whose : str
        Who has them, for errors.

    Returns
    -------
    dict
        Values by name, see `value_of`.

    Raises
    ------
    ParameterError
        If a pair is none, a name is unknown (the nearest is suggested) or stands twice.

    Examples
    --------
    >>> settings(["max_depth=3", "pruning=None"], ["max_depth", "pruning"], "a tree")
    {'max_depth': 3, 'pruning': None}
    """
    found: dict[str, Any] = {}
    for pair in pairs or ():
        name, sign, text = pair.partition("=")
        if not sign or not name:
            raise ParameterError(f"--set {pair!r} is not NAME=VALUE, such as max_depth=5.")
        if name not in known:
            names = listed(sorted(known), most=40) if known else "none"
            hint = did_you_mean(name, known) or f" There are {names}."
            raise ParameterError(f"--set {pair!r}: {whose} has no parameter {name!r}.{hint}")
        if name in found:
            raise ParameterError(f"--set {name}=... is there twice; say it once.")
        found[name] = value_of(text)
    return found


def value_of(text: str) -> Any:
    """Read a value: a number, true, false, null (None, True and False too), JSON, or else a text.

    Examples
    --------
    >>> [value_of(text) for text in ("3", "1e-3", "None", "gini", '"3"', '{"yes": 2}')]
    [3, 0.001, None, 'gini', '3', {'yes': 2}]
    """
    if text in _WORDS:
        return _WORDS[text]
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        if text[:1] in "[{" and text:
            raise ParameterError(
                f"{text!r:.60} begins like JSON and is none; texts in it need double quotes."
            ) from None
        return text


def with_labels(value: Any, labels: Sequence[Any]) -> Any:
    """Let the keys of a dict be labels: JSON has texts for keys, and classes may be numbers or booleans.

    Examples
    --------
    >>> with_labels({"0": {"1": 5}}, [0, 1])
    {0: {1: 5}}
    """
    if not isinstance(value, dict):
        return value
    return {_label(key, labels): with_labels(each, labels) for key, each in value.items()}


def _label(key: str, labels: Sequence[Any]) -> Any:
    if key in labels:
        return key
    meant = value_of(key)
    return meant if not isinstance(meant, dict | list) and meant in labels else key
