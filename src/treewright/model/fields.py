"""The fields of a model file: every value is checked before it is used, and knows its place in the file.

Errors say what is wrong and where in the file; `treewright.model.files` adds the name of the file.
"""

import binascii
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NoReturn, TypeVar, get_args, get_type_hints

import numpy as np

from treewright.errors import ModelFileError, did_you_mean, listed
from treewright.formatting import format_number
from treewright.model.records import Array, ArrayRecord, Bool, Int64, Per
from treewright.model.values import Plain
from treewright.schema import Label

MOST_PLAIN = 4096
"""Largest number of values that an array may have to be written as numbers; larger arrays are packed."""

T = TypeVar("T")
_SPECIAL = {None: math.nan, "inf": math.inf, "-inf": -math.inf}


@dataclass(frozen=True, slots=True)
class Field:
    """A value in a file, and its place there.

    Parameters
    ----------
    value : plain value
        As JSON represents it.
    place : str
        The path that leads to it, such as ``"table.columns[3].name"``.

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
        """Raise an error that says what the value should be."""
        raise ModelFileError(f"{self.place} is {short(self.value)}; it should be {should}.")

    def fields(self, needed: Iterable[str], optional: Iterable[str] = ()) -> dict[str, "Field"]:
        """Return the fields of an object by name; raise if a needed one is absent or one is unknown."""
        needed, known = tuple(needed), {*needed, *optional}
        for name in self.object():
            if name not in known:
                what = f"{self.place or 'the file'} has a field {name!r:.60} that this version does not know"
                knows = f"it knows {listed(sorted(known), most=40)}.{did_you_mean(name, known)}"
                raise ModelFileError(f"{what}; {knows}")
        for name in needed:
            if name not in self.value:
                raise ModelFileError(f"{self.place or 'the file'} has no field {name!r}, which it needs.")
        within = f"{self.place}." if self.place else ""
        return {name: Field(value, f"{within}{name}") for name, value in self.value.items()}

    def object(self) -> dict[str, Plain]:
        """Return the value, which must be an object."""
        return self._of(dict, "an object")

    def items(self) -> list["Field"]:
        """Return the entries of the value, which must be a list."""
        return [Field(each, f"{self.place}[{at}]") for at, each in enumerate(self._of(list, "a list"))]

    def text(self, of: Sequence[str] | None = None) -> str:
        """Return the value, which must be a text and, if `of` is given, one of those."""
        text = self._of(str, "a text")
        if of is not None and text not in of:
            self.refuse(f"one of {listed(of)}")
        return text

    def flag(self) -> bool:
        """Return the value, which must be true or false."""
        return self._of(bool, "true or false")

    def _of(self, kind: type[T], should: str) -> T:
        if not isinstance(self.value, kind):
            self.refuse(should)
        return self.value

    def whole(self, least: int = 1, most: int = 2**63 - 1) -> int:
        """Return the value, which must be a whole number in a range."""
        if type(self.value) is not int or not least <= self.value <= most:
            self.refuse(f"a whole number from {least} to {most}")
        return self.value

    def real(self) -> float:
        """Return the value, which must be a finite number of at least 0."""
        if type(self.value) not in (int, float) or not 0 <= self.value <= 2**1023:
            self.refuse("a finite number of at least 0.0")
        return float(self.value)

    def label(self) -> Label:
        """Return the value, which must be a text, true, false, or a number of 64 bits."""
        value = self.value
        if isinstance(value, str | bool):
            return value
        if isinstance(value, int) and not -(2**63) <= value < 2**64:
            self.refuse("a whole number of 64 bits, or another label")
        if not isinstance(value, int | float) or not math.isfinite(value):
            self.refuse("a text, true, false or a finite number")
        return value

    def array(self, per: Per) -> Array:
        """Return the value as an array of the declared type and dimensions.

        If values may be NaN (null in the file), they may be infinite too.
        """
        kind, n_dimensions = np.dtype(per.dtype), 2 if per.columns else 1
        if isinstance(self.value, dict):
            array = self._unpacked(kind, n_dimensions)
        else:
            values, shape = self._flat(n_dimensions)
            array = self._numbers(values, kind, per.nullable).reshape(shape)
        if kind.kind == "f":
            flat = array.ravel()
            bad = flat == -np.inf if per.nullable else ~np.isfinite(flat)
            refuse_first(bad, flat, self.place, "a finite number")
        array.flags.writeable = False
        return array

    def scalars(self, of: type, optional: Iterable[str] = ()) -> tuple[dict[str, "Field"], dict[str, Any]]:
        """Read an object with the fields of a dataclass: return its fields, and its texts, numbers and flags.

        Parameters
        ----------
        of : type
            The dataclass. Its annotations give the type of each value; whole numbers are at least 1.
        optional : iterable of str
            Fields that may be absent.
        """
        hints = get_type_hints(of, include_extras=True)
        fields = self.fields([name for name in hints if name not in optional], optional)
        readers: dict[Any, Any] = {bool: Field.flag, int: Field.whole, float: Field.real, str: Field.text}
        values: dict[str, Any] = {}
        for name, field in fields.items():
            if words := [word for word in get_args(hints[name]) if isinstance(word, str)]:
                values[name] = field.text(of=words)
            elif hints[name] in readers:
                values[name] = readers[hints[name]](field)
        return fields, values

    def record(
        self, of: type[ArrayRecord], needed: Iterable[str] = (), optional: Iterable[str] = ()
    ) -> tuple[dict[str, "Field"], dict[str, Array]]:
        """Read an object with a record's arrays and some other fields: return all fields, and the arrays.

        Parameters
        ----------
        of : type
            The record.
        needed, optional : iterable of str
            The other fields.
        """
        arrays = of.arrays()
        always = [name for name, per in arrays.items() if not (per.omit or per.is_optional)]
        fields = self.fields([*needed, *always], [*optional, *arrays])
        return fields, {name: fields[name].array(per) for name, per in arrays.items() if name in fields}

    def _flat(self, n_dimensions: int) -> tuple[list[Any], tuple[int, ...]]:
        """Return the values of a list, or of a list of lists of equal length, and their shape."""
        rows = self._of(list, "a list of numbers, or a packed array")
        if n_dimensions == 1:
            return rows, (len(rows),)
        for at, row in enumerate(rows):
            if not isinstance(row, list) or len(row) != len(rows[0]):
                Field(row, f"{self.place}[{at}]").refuse("a list of numbers, as long as the others")
        return list(chain.from_iterable(rows)), (len(rows), len(rows[0]) if rows else 0)

    def _numbers(self, values: list[Any], kind: np.dtype[Any], nullable: bool) -> Array:
        if kind.kind == "i":
            low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
            fits = [type(each) is int and low <= each <= high for each in values]
            should = f"a whole number from {low} to {high}"
        else:
            if nullable:
                special = list(_SPECIAL)  # compared one by one, because a wrong value may have no hash
                values = [_SPECIAL[each] if each in special else each for each in values]
            fits = [type(each) is float or (type(each) is int and abs(each) <= 2**53) for each in values]
            should = "a number that a float64 holds"
        if not all(fits):
            at = fits.index(False)
            Field(values[at], f"{self.place}[{at}]").refuse(should)
        return np.array(values, dtype=kind)

    def _unpacked(self, kind: np.dtype[Any], n_dimensions: int) -> Array:
        of = self.fields(["type", "shape", "base64"])
        of["type"].text(of=[kind.name])
        shape = tuple(length.whole(0, 2**40) for length in of["shape"].items())
        if len(shape) != n_dimensions:
            of["shape"].refuse(f"a list of {n_dimensions} lengths")
        try:
            packed = binascii.a2b_base64(of["base64"].text(), strict_mode=True)
        except ValueError as error:
            raise ModelFileError(f"{self.place}.base64 is not base64: {error}.") from error
        if len(packed) != (n := math.prod(shape) * kind.itemsize):
            n_bytes = f"{len(packed):,} bytes, and its shape {list(shape)} needs {n:,}"
            raise ModelFileError(f"{self.place} has {n_bytes}.")
        return np.frombuffer(packed, dtype=kind.newbyteorder("<")).astype(kind, copy=False).reshape(shape)


def packed(array: Array) -> Plain:
    """Write an array as numbers or, if it is large, as its bytes in base64.

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
        array = np.where(np.isnan(array), np.nan, array)  # write all NaNs with the same bits
    raw = np.ascontiguousarray(array, dtype=kind.newbyteorder("<"))
    text = binascii.b2a_base64(raw.data, newline=False).decode("ascii")
    return {"type": kind.name, "shape": list(array.shape), "base64": text}


def arrays_to_plain(record: ArrayRecord) -> dict[str, Plain]:
    """Write the arrays of a record by name, in the order of their declaration."""
    plain = {}
    for name, per in record.arrays().items():
        values = getattr(record, name)
        is_omitted = (per.omit == "zero" and not values.any()) or (per.omit == "empty" and not len(values))
        if values is not None and not is_omitted:
            plain[name] = packed(values)
    return plain


def refuse_first(bad: Bool, values: Array, place: str, should: str) -> None:
    """Raise for the first bad value of an array."""
    if bad.any():
        at = int(bad.argmax())
        Field(values[at].tolist(), f"{place}[{at}]").refuse(should)


def check_length(values: Array, n: int, place: str) -> None:
    """Raise unless an array has n values."""
    if len(values) != n:
        raise ModelFileError(f"{place} has {len(values):,} values; there should be {n:,}.")


def check_runs(begin: Array, n: int, n_entries: int, place: str) -> Int64:
    """Check that n runs follow each other and fill their array, and return their sizes.

    Examples
    --------
    >>> check_runs(np.array([0, 2, 2, 5]), 3, 5, "tree.child_begin")
    array([2, 0, 3])
    """
    check_length(begin, n + 1, place)
    # Compared, not subtracted: the difference of two 64-bit numbers may wrap around.
    falls = np.append(begin[:1] != 0, begin[1:] < begin[:-1])
    refuse_first(falls, begin, place, "0 at first, and never fall")
    refuse_first(begin[-1:] != n_entries, begin[-1:], f"{place}, its last value,", f"{n_entries:,}")
    return np.diff(begin).astype(np.int64)


def check_record(record: ArrayRecord, n_entries: Mapping[str, int], place: str) -> dict[str, Int64]:
    """Check the arrays of a record against their declaration.

    Parameters
    ----------
    record : ArrayRecord
        The arrays.
    n_entries : dict of str to int
        Number of entries of each kind. For other kinds, the first array of that kind sets the number.
    place : str
        The name of the record in the file.

    Returns
    -------
    dict of str to array of int64
        The sizes of all runs, by the kind of entry that the runs consist of.
    """
    counts, sizes = dict(n_entries), {}
    arrays = {name: per for name, per in record.arrays().items() if getattr(record, name) is not None}
    for name, per in arrays.items():
        counts.setdefault(per.entry, len(getattr(record, name)))
    for name, per in arrays.items():
        values, place_of = getattr(record, name), f"{place}.{name}"
        if per.runs_of:
            sizes[per.runs_of] = check_runs(values, counts[per.entry], counts[per.runs_of], place_of)
        elif len(values) or not per.may_be_empty:
            check_length(values, counts[per.entry], place_of)
        if per.columns and len(values):
            check_length(values[0], counts[per.columns], f"{place_of}[0]")
        _check_values(values.ravel(), per, counts, place_of)
    return sizes


def _check_values(values: Array, per: Per, counts: Mapping[str, int], place: str) -> None:
    least, most = per.least, counts[per.indexes] - 1 if per.indexes else per.most
    bad = np.zeros(len(values), dtype=bool)
    if values.dtype.kind == "f":
        kind = "a finite number"
        bad |= (np.isinf(values) & (not per.may_be_infinite)) | (np.isnan(values) & (not per.nullable))
    else:
        kind = f"a {per.indexes}'s number" if per.indexes else "a whole number"
    if least is not None:
        bad |= values < least
        low = format_number(least)
        kind += f" of at least {low}" if most is None else f" from {low} to {format_number(most)}"
    if most is not None:
        bad |= values > most
    refuse_first(bad, values, place, f"{kind}, or null" if per.nullable else kind)


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
