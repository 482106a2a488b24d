"""The fields of a model file, read with care: every value is checked before it is used, and knows its place.

Errors raised here say what is wrong and where inside the file; `treewright.model.files` adds which file.
"""

import binascii
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFileError, did_you_mean, listed
from treewright.model.values import Plain
from treewright.schema import Label

MOST_PLAIN = 4096
"""Values of an array up to which it is written out in numbers; a larger one is packed."""

LARGE = 1e300
"""Up to it weights can be added up in any order and stay finite; a row weighs 1e150 at most."""

_TEXTS = {"inf": math.inf, "-inf": -math.inf}


@dataclass(frozen=True, slots=True)
class Field:
    """A value of a file and its place there.

    Parameters
    ----------
    value : plain value
        As JSON has it.
    place : str
        The names that lead to it, such as ``"table.columns[3].name"``.

    Examples
    --------
    >>> field = Field({"name": "age", "kind": 7}, "table.columns[0]")
    >>> of = field.fields(["name", "kind"], optional=["unit"])
    >>> of["name"].text()
    'age'
    >>> of["kind"].text()
    Traceback (most recent call last):
    ...
    treewright.errors.ModelFileError: table.columns[0].kind is 7; it should be a text.
    """

    value: Plain
    place: str

    def refuse(self, should: str) -> NoReturn:
        """Raise: the value is not what it should be."""
        raise ModelFileError(f"{self.place} is {short(self.value)}; it should be {should}.")

    def fields(self, needed: Iterable[str], optional: Iterable[str] = ()) -> dict[str, "Field"]:
        """Give the fields of an object by name; there must be all those needed, and no others."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        needed, known = tuple(needed), {*needed, *optional}
        for name in self.value:
            if name not in known:
                raise ModelFileError(
                    f"{self.place or 'the file'} has a field {name!r:.60} that this version does not know; "
                    f"it knows {listed(sorted(known), most=40)}.{did_you_mean(name, known)}"
                )
        for name in needed:
            if name not in self.value:
                raise ModelFileError(f"{self.place or 'the file'} has no field {name!r}, which it needs.")
        within = f"{self.place}." if self.place else ""
        return {name: Field(value, f"{within}{name}") for name, value in self.value.items()}

    def items(self) -> list["Field"]:
        """Give the entries of a list."""
        if not isinstance(self.value, list):
            self.refuse("a list")
        return [Field(value, f"{self.place}[{at}]") for at, value in enumerate(self.value)]

    def text(self, of: Sequence[str] | None = None) -> str:
        """Give a text, one of those in `of`."""
        if not isinstance(self.value, str):
            self.refuse("a text")
        if of is not None and self.value not in of:
            self.refuse(f"one of {listed(of)}")
        return self.value

    def flag(self) -> bool:
        """Give true or false."""
        if not isinstance(self.value, bool):
            self.refuse("true or false")
        return self.value

    def whole(self, least: int, most: int = 2**63 - 1) -> int:
        """Give a whole number."""
        if type(self.value) is not int or not least <= self.value <= most:
            self.refuse(f"a whole number from {least} to {most}")
        return self.value

    def real(self, least: float = 0.0) -> float:
        """Give a finite number."""
        value = self.value
        if type(value) not in (int, float) or not least <= value < math.inf or value > 2**1023:
            self.refuse(f"a finite number of at least {least}")
        return float(value)

    def label(self) -> Label:
        """Give a text, true, false, or a number of 64 bits."""
        value = self.value
        if isinstance(value, str | bool):
            return value
        if isinstance(value, int) and not -(2**63) <= value < 2**64:
            self.refuse("a whole number of 64 bits, or another label")
        if not isinstance(value, int | float) or not math.isfinite(value):
            self.refuse("a text, true, false or a finite number")
        return value

    def array(self, dtype: type[np.generic], *shape: int | None, has_gaps: bool = False) -> NDArray[Any]:
        """Give an array.

        Parameters
        ----------
        dtype : type
            What it holds: whole numbers of some width, or float64.
        *shape : int or None
            How long it is in every dimension; None is any length.
        has_gaps : bool
            Whether there may be NaN (null in the file) and infinity.

        Returns
        -------
        array
            Of this type and shape, read-only.
        """
        kind = np.dtype(dtype)
        if isinstance(self.value, dict):
            array = self._unpacked(kind, len(shape))
        else:
            flat, width = self._flat(len(shape))
            numbers = self._whole_numbers(flat, kind) if kind.kind == "i" else self._floats(flat, has_gaps)
            array = numbers if len(shape) == 1 else numbers.reshape(len(self.value), width)
        if any(n is not None and n != found for n, found in zip(shape, array.shape, strict=True)):
            expected = " × ".join("any number" if n is None else f"{n:,}" for n in shape)
            found = " × ".join(f"{n:,}" for n in array.shape)
            raise ModelFileError(f"{self.place} has {found} values; there should be {expected}.")
        if kind.kind == "f":
            self._refuse_not_finite(array, has_gaps)
        array.flags.writeable = False
        return array

    def _flat(self, n_dimensions: int) -> tuple[list[Any], int]:
        """Give the values of a list, or of its lists, which must be equally long."""
        if not isinstance(self.value, list):
            self.refuse("a list of numbers, or a packed array")
        if n_dimensions == 1:
            return self.value, 0
        for at, row in enumerate(self.value):
            if not isinstance(row, list) or len(row) != len(self.value[0]):
                Field(row, f"{self.place}[{at}]").refuse("a list of numbers, as long as the others")
        return list(chain.from_iterable(self.value)), len(self.value[0]) if self.value else 0

    def _whole_numbers(self, values: list[Any], kind: np.dtype[Any]) -> NDArray[Any]:
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        if values and (set(map(type, values)) != {int} or min(values) < low or max(values) > high):
            at = next(
                at for at, each in enumerate(values) if type(each) is not int or not low <= each <= high
            )
            Field(values[at], f"{self.place}[{at}]").refuse(f"a whole number from {low} to {high}")
        return np.array(values, dtype=kind)

    def _floats(self, values: list[Any], has_gaps: bool) -> NDArray[np.float64]:
        if set(map(type, values)) <= {float}:
            return np.array(values, dtype=np.float64)
        return np.array([self._float(at, each, has_gaps) for at, each in enumerate(values)], dtype=np.float64)

    def _float(self, at: int, value: Plain, has_gaps: bool) -> float:
        if type(value) is float or (type(value) is int and abs(value) <= 2**53):
            return float(value)
        if has_gaps and value is None:
            return math.nan
        if has_gaps and isinstance(value, str) and value in _TEXTS:
            return _TEXTS[value]
        return Field(value, f"{self.place}[{at}]").refuse("a number that a float64 holds")

    def _unpacked(self, kind: np.dtype[Any], n_dimensions: int) -> NDArray[Any]:
        of = self.fields(["type", "shape", "base64"])
        of["type"].text(of=[kind.name])
        shape = tuple(length.whole(0, 2**40) for length in of["shape"].items())
        if len(shape) != n_dimensions:
            of["shape"].refuse(f"a list of {n_dimensions} lengths")
        try:
            packed = binascii.a2b_base64(of["base64"].text(), strict_mode=True)
        except ValueError as error:
            raise ModelFileError(f"{self.place}.base64 is not base64: {error}.") from error
        if len(packed) != math.prod(shape) * kind.itemsize:
            raise ModelFileError(
                f"{self.place} has {len(packed):,} bytes, and its shape {list(shape)} needs "
                f"{math.prod(shape) * kind.itemsize:,}."
            )
        return np.frombuffer(packed, dtype=kind.newbyteorder("<")).astype(kind, copy=False).reshape(shape)

    def _refuse_not_finite(self, array: NDArray[Any], has_gaps: bool) -> None:
        flat = array.ravel()
        refuse_first(flat == -np.inf if has_gaps else ~np.isfinite(flat), flat, self.place, "a finite number")


def packed(array: NDArray[Any]) -> Plain:
    """Write an array: in numbers, or, if it is large, as its bytes in base64.

    Examples
    --------
    >>> packed(np.array([0.5, np.nan, np.inf])), packed(np.eye(2))
    ([0.5, None, 'inf'], [[1.0, 0.0], [0.0, 1.0]])
    >>> packed(np.zeros(5000, dtype=np.int8))["shape"]
    [5000]
    """
    kind = array.dtype
    if array.size <= MOST_PLAIN:
        plain: Plain = array.tolist()
        if kind.kind == "f" and array.ndim == 1 and not np.isfinite(array).all():
            names = {math.inf: "inf", -math.inf: "-inf"}
            return [None if each != each else names.get(each, each) for each in plain]  # noqa: PLR0124 - NaN
        return plain
    if kind.kind == "f":
        array = np.where(np.isnan(array), np.nan, array)  # one NaN of many
    raw = np.ascontiguousarray(array, dtype=kind.newbyteorder("<"))
    text = binascii.b2a_base64(raw.data, newline=False).decode("ascii")
    return {"type": kind.name, "shape": list(array.shape), "base64": text}


def refuse_first(bad: NDArray[np.bool_], values: NDArray[Any], place: str, should: str) -> None:
    """Raise for the first bad value of an array."""
    if bad.any():
        at = int(bad.argmax())
        Field(values[at].tolist(), f"{place}[{at}]").refuse(should)


def check_length(values: NDArray[Any] | None, n: int, place: str) -> None:
    """Raise unless an array, if it is there, has n values."""
    if values is not None and len(values) != n:
        raise ModelFileError(f"{place} has {len(values):,} values; there should be {n:,}.")


def check_runs(begin: NDArray[Any], n: int, n_entries: int, place: str) -> NDArray[np.int64]:
    """Check that n runs lie one after the other and fill their array; give their lengths.

    Examples
    --------
    >>> check_runs(np.array([0, 2, 2, 5]), 3, 5, "tree.child_begin")
    array([2, 0, 3])
    """
    check_length(begin, n + 1, place)
    # Compared, not subtracted: the difference of two numbers of 64 bits may wrap, and look as if it rose.
    falls = np.append(begin[:1] != 0, begin[1:] < begin[:-1])
    refuse_first(falls, begin, place, "0 at first, and never fall")
    refuse_first(begin[-1:] != n_entries, begin[-1:], f"{place}, its last value,", f"{n_entries:,}")
    return np.diff(begin).astype(np.int64)


def check_weights(values: NDArray[np.float64], place: str) -> None:
    """Raise unless all values are weights: neither below 0 nor so large that a sum of them is infinite."""
    refuse_first(
        ~((values >= 0) & (values <= LARGE)),
        values,
        place,
        f"a finite number from 0 to {LARGE}",
    )


def short(value: Plain) -> str:
    """Write a value for an error.

    Examples
    --------
    >>> short(None), short([1, 2]), short("yes")
    ('null', 'a list of length 2', "'yes'")
    """
    if isinstance(value, dict):
        return f"an object of {len(value):,} fields"
    if isinstance(value, list):
        return f"a list of length {len(value):,}"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
