"""Pairs on the command line: ``--set NAME=VALUE`` and ``--kind NAME=KIND``."""

import json
from collections.abc import Collection, Sequence
from typing import Any

from treewright.errors import ParameterError, did_you_mean, listed

_WORDS = {"None": None, "True": True, "False": False}
# The words for users, and those of a table.
_KINDS = {
    "categorical": "category",
    "category": "category",
    "numeric": "number",
    "number": "number",
    "boolean": "boolean",
    "datetime": "datetime",
    "text": "text",
}


def settings(pairs: Sequence[str] | None, known: Collection[str], owner: str) -> dict[str, Any]:
    """Parse pairs of a name and a value.

    Parameters
    ----------
    pairs : sequence of str or None
        ``NAME=VALUE``.
    known : collection of str
        The names that exist.
    owner : str
        What has these parameters, for error messages.

    Returns
    -------
    dict
        Values by name, see `value_of`.

    Raises
    ------
    ParameterError
        If a pair cannot be parsed, or a name is unknown (the nearest is suggested) or given twice.

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
            raise ParameterError(f"--set {pair!r}: {owner} has no parameter {name!r}.{hint}")
        if name in found:
            raise ParameterError(f"--set {name}=... is given twice; give it once.")
        found[name] = value_of(text)
    return found


def value_of(text: str) -> Any:
    """Parse a value: a number, true, false, null (also None, True and False), JSON, or else text.

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
        if text.startswith(("[", "{")):
            raise ParameterError(f"{text!r:.60} is not valid JSON; texts in it need double quotes.") from None
        return text


def with_labels(value: Any, labels: Sequence[Any]) -> Any:
    """Replace the keys of a dict by labels: keys of JSON are texts, labels may be numbers or booleans.

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
    parsed = value_of(key)
    return parsed if not isinstance(parsed, dict | list) and parsed in labels else key


def kinds(pairs: Sequence[str] | None) -> dict[str, Any]:
    """Parse pairs of a column and what it holds.

    Raises
    ------
    ParameterError
        If a pair cannot be parsed, or its kind is unknown.

    Examples
    --------
    >>> kinds(["pclass=categorical"])
    {'pclass': 'category'}
    """
    found = {}
    for pair in pairs or ():
        name, sign, kind = pair.rpartition("=")
        if not sign or not name:
            raise ParameterError(f"--kind {pair!r} is not NAME=KIND, such as age=numeric.")
        if kind not in _KINDS:
            hint = did_you_mean(kind, _KINDS) or f" There are {listed(_KINDS)}."
            raise ParameterError(f"--kind {pair!r}: {kind!r} is not a kind of column.{hint}")
        found[name] = _KINDS[kind]
    return found
