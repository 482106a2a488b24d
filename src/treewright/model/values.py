"""Parameters of estimators as JSON, and back.

Values that JSON has are written as they are. Anything else is an object whose first name gives its type:
``{"tuple": [...]}``, ``{"dict": [[key, value], ...]}``, ``{"number": "inf"}``, ``{"array": [...], "type":
"float64"}``, or a part of a recipe, ``{"part": "Spread", "with": {...}}``. Functions and other objects would
need code to run when they are read, so only their names are kept.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, NoReturn, TypeAlias

import numpy as np

from treewright import parts
from treewright.errors import ModelFileError, ParameterError, listed
from treewright.model.records import Array

Plain: TypeAlias = Any  # None, bool, int, float, str, a list of plain values, or a dict of them by name

_PARTS: Mapping[str, Any] = {name: getattr(parts, name) for name in parts.__all__}
_BESIDE = {"array": ("type",), "part": ("with",)}  # the other names that such an object has
_DEEPEST = 16
_MOST_CHARACTERS = 2**26
_INTEGERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
_NUMBERS = ("bool", *_INTEGERS, "float16", "float32", "float64")
TYPES = (*_NUMBERS, "str", "object", "string")
"""Types of arrays in files; ``"string"`` is NumPy's text of variable length."""


@dataclass(frozen=True, slots=True)
class NotSaved:
    """A placeholder for a parameter that a file cannot hold.

    Parameters
    ----------
    kind : {"function", "object"}
        The kind of parameter.
    name : str
        Name of the function or of the object's type, with its module.

    Examples
    --------
    >>> from_plain(to_plain(math.hypot))
    <function math.hypot, not saved>
    """

    kind: str
    name: str

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}, not saved>"

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Raise an error: a tree without it can be read and pruned, but not grown again."""
        raise ParameterError(f"{self!r}: a model file holds the name of a {self.kind}, not the {self.kind}.")


def to_plain(value: Any, depth: int = 0) -> Plain:
    """Convert a value to one that JSON can hold; `depth` counts the containers around it.

    Examples
    --------
    >>> to_plain({"no": 1.5, True: (np.int64(2), None)})
    {'dict': [['no', 1.5], [True, {'tuple': [2, None]}]]}
    >>> to_plain(np.array([[0.0, 1.0], [5.0, 0.0]]))
    {'array': [[0.0, 1.0], [5.0, 0.0]], 'type': 'float64'}
    """
    if depth > _DEEPEST:
        what = f"a parameter is nested more than {_DEEPEST} levels deep, down to {value!r:.60}"
        raise ModelFileError(f"{what}, which a model file cannot hold. Give it in a flatter form.")

    def inner(each: Any) -> Plain:
        return to_plain(each, depth + 1)

    for types, encode in _ENCODERS:
        if isinstance(value, types):
            return encode(value, inner)
    if not isinstance(value, type) and hasattr(value, "__array__"):  # a column of any library
        array = np.asarray(value)
        if (name := type_name(array.dtype)) is not None:
            return {"array": inner(array.tolist()), "type": name}
    if callable(value) and hasattr(value, "__qualname__"):
        return {"function": _full_name(value)}
    return {"object": _full_name(type(value))}


def _part_to_plain(value: Any, inner: Callable[[Any], Plain]) -> Plain:
    options = {each.name: inner(getattr(value, each.name)) for each in fields(value)}
    return {"part": type(value).__name__, "with": options}


# The first entry that fits is used; the order matters, as a boolean is also an integer.
_ENCODERS: tuple[tuple[Any, Callable[[Any, Callable[[Any], Plain]], Plain]], ...] = (
    (type(None), lambda _value, _inner: None),
    (bool | np.bool_, lambda value, _inner: bool(value)),
    (int | np.integer, lambda value, _inner: int(value)),
    (
        float | np.floating,
        lambda value, _inner: float(value) if math.isfinite(value) else {"number": str(float(value))},
    ),
    (str, lambda value, _inner: str(value)),
    (list, lambda value, inner: [inner(each) for each in value]),
    (tuple, lambda value, inner: {"tuple": [inner(each) for each in value]}),
    (Mapping, lambda value, inner: {"dict": [[inner(key), inner(each)] for key, each in value.items()]}),
    (NotSaved, lambda value, _inner: {value.kind: value.name}),
    ((*_PARTS.values(),), _part_to_plain),
)


def from_plain(plain: Plain, depth: int = 0) -> Any:
    """Convert the result of `to_plain` back to the value; `depth` counts the containers around it.

    Raises
    ------
    ModelFileError
        If `to_plain` could not have made it.
    """
    if depth > _DEEPEST * 2:  # a dict is two lists deep
        raise ModelFileError("is nested too deeply")
    if isinstance(plain, list):
        return [from_plain(each, depth + 1) for each in plain]
    if not isinstance(plain, dict):
        return plain
    tag = next(iter(plain), None)
    decode = _DECODERS.get(tag) if isinstance(tag, str) else None
    if decode is None or set(plain) != {tag, *_BESIDE.get(str(tag), ())}:
        known = listed(_DECODERS, most=20)
        raise ModelFileError(f"is {plain!r:.60}, an object with other names than {known}")
    return decode(plain, depth + 1)


def _dict(plain: dict[str, Plain], depth: int) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    for pair in _items(plain["dict"], depth):
        if not isinstance(pair, list) or len(pair) != 2 or not _is_key(pair[0]) or pair[0] in result:
            raise ModelFileError(f"is a dict in which {pair!r:.60} is not a new key with its value")
        result[pair[0]] = pair[1]
    return result


def _is_key(key: Any) -> bool:
    # Integers beyond 64 bits can be chosen to have equal hashes, which makes a dict extremely slow.
    is_large = isinstance(key, int) and not -(2**63) <= key < 2**64
    return isinstance(key, str | int | float | None) and not is_large


def _number(plain: dict[str, Plain], _depth: int) -> float:
    if plain["number"] not in ("nan", "inf", "-inf"):
        raise ModelFileError(f"is the number {plain['number']!r:.60}; it should be 'nan', 'inf' or '-inf'")
    return float(plain["number"])


def array_of(values: list[Any], name: object) -> Array:
    """Make an array of a type, given by its name in files.

    Examples
    --------
    >>> array_of([1, 2], "int8"), array_of(["no", "yes"], "object")
    (array([1, 2], dtype=int8), array(['no', 'yes'], dtype=object))
    """
    if name not in TYPES:
        raise ModelFileError(f"is an array of type {name!r:.60}; types are {listed(TYPES, most=20)}")
    try:
        if name == "str":
            _refuse_wide(values)
        return np.array(values, np.dtypes.StringDType() if name == "string" else np.dtype(str(name)))
    except (ValueError, TypeError, OverflowError) as error:
        raise ModelFileError(f"is an array that cannot be of type {name}: {error}") from error


def _refuse_wide(values: list[Any]) -> None:
    """Reject texts whose array, as wide as the longest text, would take far more memory than they do."""
    texts = np.array(values, dtype=object).ravel().tolist()
    width = max((len(text) for text in texts if isinstance(text, str)), default=0)
    if (n := len(texts)) * width > _MOST_CHARACTERS:
        raise ModelFileError(f"holds {n:,} texts of up to {width:,} characters: too large for type 'str'")


def type_name(dtype: np.dtype[Any]) -> str | None:
    """Return the name of an array's type in files; None if it has no name there."""
    others = {"U": "str", "T": "string", "O": "object", "f": "float64"}
    return dtype.name if dtype.name in _NUMBERS else others.get(dtype.kind)  # without the order of bytes


def _part(plain: dict[str, Plain], depth: int) -> Any:
    kind, given = _PARTS.get(str(plain["part"])), plain["with"]
    known = set() if kind is None else {each.name for each in fields(kind)}
    if kind is None or not isinstance(given, dict) or not given.keys() <= known:
        raise ModelFileError(
            f"is the part {plain['part']!r:.60}, which this version does not know in this form"
        )
    try:
        return kind(**{name: from_plain(each, depth + 1) for name, each in given.items()})
    except (TypeError, ParameterError) as error:
        raise ModelFileError(f"is a part that cannot be made: {error}") from error


def _not_saved(plain: dict[str, Plain], _depth: int) -> NotSaved:
    ((kind, name),) = plain.items()
    if not isinstance(name, str):
        raise ModelFileError(f"is the {kind} {name!r:.60}, which is not a name")
    return NotSaved(kind, name)


def _items(plain: Plain, depth: int) -> list[Any]:
    if not isinstance(plain, list):
        raise ModelFileError(f"holds {plain!r:.60} instead of a list")
    return [from_plain(each, depth + 1) for each in plain]


_DECODERS: Mapping[str, Callable[[dict[str, Plain], int], Any]] = {
    "tuple": lambda plain, depth: tuple(_items(plain["tuple"], depth)),
    "dict": _dict,
    "number": _number,
    "array": lambda plain, depth: array_of(_items(plain["array"], depth), plain["type"]),
    "part": _part,
    "function": _not_saved,
    "object": _not_saved,
}


def _full_name(named: Any) -> str:
    return f"{named.__module__}.{named.__qualname__}"
