"""Pairs on the command line: ``--set NAME=VALUE`` and ``--kind NAME=KIND``."""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from treewright.errors import ParameterError, did_you_mean, listed

_WORDS = {"None": None, "True": True, "False": False}
# Kinds of columns as users type them, and their names in tables.
_KINDS = {"categorical": "category", "numeric": "number"}
_KINDS |= {kind: kind for kind in ("category", "number", "boolean", "datetime", "text")}


def parameters(
    pairs: Sequence[str], known: Collection[str], owner: str, option: str = "--set"
) -> dict[str, Any]:
    """Parse pairs of a name and a value.

    Parameters
    ----------
    pairs : sequence of str
        ``NAME=VALUE``.
    known : collection of str
        The names that exist.
    owner : str
        The owner of the parameters, for error messages.
    option : str
        The option that takes the pairs.

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
    >>> parameters(["max_depth=3", "pruning=None"], ["max_depth", "pruning"], "a tree")
    {'max_depth': 3, 'pruning': None}
    """
    found: dict[str, Any] = {}
    for pair, name, text in _split(option, pairs, "NAME=VALUE, such as max_depth=5"):
        if name not in known:
            hint = did_you_mean(name, known) or f" There are {listed(sorted(known), most=40) or 'none'}."
            raise ParameterError(f"{option} {pair!r}: {owner} has no parameter {name!r}.{hint}")
        if name in found:
            raise ParameterError(f"{option} {name}=... is given twice; give it once.")
        found[name] = value_of(text)
    return found


def _split(option: str, pairs: Sequence[str], form: str) -> Iterator[tuple[str, str, str]]:
    """Yield each pair with its name and its text."""
    for pair in pairs:
        name, _, text = pair.rpartition("=") if option == "--kind" else pair.partition("=")
        if not name or "=" not in pair:
            raise ParameterError(f"{option} {pair!r} is not {form}.")
        yield pair, name, text


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
    """Replace the keys of a dict by labels, since JSON keys are texts but labels may be numbers or booleans.

    Examples
    --------
    >>> with_labels({"0": {"1": 5}}, [0, 1])
    {0: {1: 5}}
    """
    if not isinstance(value, dict):
        return value
    return {_label(key, labels): with_labels(each, labels) for key, each in value.items()}


def _label(key: str, labels: Sequence[Any]) -> Any:
    return key if key in labels or (parsed := value_of(key)) not in labels else parsed


def kinds(pairs: Sequence[str], texts: Sequence[str] = ()) -> dict[str, Any]:
    """Parse pairs of a column and its kind, and add columns of texts.

    Raises
    ------
    ParameterError
        If a pair cannot be parsed, its kind is unknown, or a column has a kind and is also in `texts`.

    Examples
    --------
    >>> kinds(["pclass=categorical"])
    {'pclass': 'category'}
    """
    found = {}
    for pair, name, kind in _split("--kind", pairs, "NAME=KIND, such as age=numeric"):
        if kind not in _KINDS:
            hint = did_you_mean(kind, _KINDS) or f" There are {listed(_KINDS)}."
            raise ParameterError(f"--kind {pair!r}: {kind!r} is not a kind of column.{hint}")
        found[name] = _KINDS[kind]
    for name in texts:
        if name in found:
            raise ParameterError(f"column {name!r} is given to --kind and to --text; choose one.")
        found[name] = "category"
    return found
