"""Hostile values in a column: how each of the numbers 0 to 11 is spelled, and what must come out.

Where the order of the spelled values is that of the numbers, every row must get its target.
"""

# ruff: noqa: E501 - a case is a line
# fmt: off
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from hostile.trial import KNOWN, ONE, SOUND, B, Case, N, V

nan, inf = float("nan"), float("inf")
FLOAT_MAX, LARGEST, LEAST = np.finfo(np.float64).max, 2**63 - 1, -(2**63)
DAY = datetime(2020, 1, 1)
BEIJING = timezone(timedelta(hours=8))
C45, ID3 = "C45", "ID3"
# C4.5 takes values within 1e-5 of each other for one, as its authors wrote it, and says so.
TOO_CLOSE = {C45: ONE}


class Colour(Enum):
    RED = 1


class NoOrder:
    def __repr__(self) -> str:
        return "<no order>"


def spelled(name: str, spell: Callable[[int], Any], *says: str, **more: Any) -> Case:
    """Give a case whose column `a` is a list of spelled values."""
    return Case(name, lambda: {"a": [spell(v) for v in V]}, says=says, **more)


def column(name: str, make: Callable[[], Any], *says: str, **more: Any) -> Case:
    """Give a case whose column `a` is made as a whole."""
    return Case(name, lambda: {"a": make()}, says=says, **more)


def objects(values: list[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def gap(missing: Any, spell: Callable[[int], Any] = float) -> Callable[[int], Any]:
    """Spell the number 5 as a gap."""
    return lambda v: missing if v == 5 else spell(v)


def one_is(bad: Any, spell: Callable[[int], Any] = float) -> Callable[[int], Any]:
    """Spell 9, which is in row 5 first, as something that cannot be."""
    return lambda v: bad if v == 9 else spell(v)


NUMBERS = [
    spelled("whole numbers", int),
    spelled("fractions", lambda v: v / 7),
    spelled("negative numbers", lambda v: v - 20.5),
    spelled("zeros of both signs", lambda v: (-0.0 if v == 3 else 0.0) if v < 4 else float(v)),
    spelled("denormals", lambda v: v * 5e-324, but=TOO_CLOSE),
    spelled("normals beside denormals", lambda v: v * 2.0**-1024, but=TOO_CLOSE),
    spelled("about 1e-300", lambda v: v * 1e-300, but=TOO_CLOSE),
    spelled("from -1e308 to 1e308", lambda v: (v - 5.5) * 1.8e307),
    spelled("up to the largest double", lambda v: FLOAT_MAX / 13 * (v + 1)),
    spelled("neighbours of the largest double", lambda v: FLOAT_MAX - (11 - v) * 2.0**971),
    spelled("the largest double and its negative", lambda v: -FLOAT_MAX if v < 4 else 0 if v < 8 else FLOAT_MAX),
    spelled("neighbouring doubles at 1", lambda v: 1 + v * 2.0**-52, but=TOO_CLOSE),
    spelled("apart only beyond float32", lambda v: 0.1 + v * 1e-9, but=TOO_CLOSE),
    spelled("neighbouring doubles at 1e16", lambda v: 1e16 + 2 * v),
    spelled("1e12 and a little noise", lambda v: 1e12 + v / 64),
    spelled("of very different sizes", lambda v: 10.0 ** (50 * v - 250), but={C45: SOUND}),
    spelled("whole numbers beyond float32", lambda v: 2**24 + v),
    spelled("whole numbers beyond 2^53", lambda v: 2**53 + v),
    spelled("negative ones beyond 2^53", lambda v: -(2**53) - 12 + v),
    spelled("whole numbers about 2^62", lambda v: 2**62 + v),
    spelled("up to just below int64's largest", lambda v: LARGEST - 12 + v),
    spelled("from just above int64's least", lambda v: LEAST + 1 + v),
    spelled("of both ends of int64", lambda v: LEAST + 1 + v if v < 4 else LARGEST - 12 + v),
    spelled("beyond int64, and floats all of them", lambda v: v * 2**100),
    spelled("NumPy scalars of several types", lambda v: [np.int8, np.float32, np.uint64, np.float64][v % 4](v)),
    spelled("booleans among numbers", lambda v: bool(v) if v < 2 else v),
    spelled("Decimal", lambda v: Decimal(v) / 7),
    spelled("Decimal of many digits", lambda v: Decimal("0.1") + v),
    spelled("Fraction", lambda v: Fraction(v, 7)),
    spelled("all kinds of numbers", lambda v: [int, float, Decimal, Fraction][v % 4](v)),
    column("int8", lambda: np.array(V, np.int8)),
    column("uint8", lambda: np.array(V, np.uint8) + np.uint8(240)),
    column("uint16", lambda: np.array(V, np.uint16) + np.uint16(60_000)),
    column("uint32", lambda: np.array(V, np.uint32) + np.uint32(2**32 - 12)),
    column("uint64 below 2^63", lambda: np.array(V, np.uint64) + np.uint64(2**62)),
    column("float16", lambda: np.array(V, np.float16)),
    column("float32", lambda: np.array(V, np.float32) / np.float32(3)),
    column("long double", lambda: np.array(V, np.longdouble) / 3),
    column("big-endian floats", lambda: np.array(V, ">f8") / 2),
    column("big-endian whole numbers beyond 2^53", lambda: np.array([2**53 + v for v in V], ">i8")),
    column("little-endian float32", lambda: np.array(V, "<f4")),
    column("objects", lambda: objects([float(v) for v in V])),
    column("a range", lambda: np.arange(N), answers=SOUND),
    column("constant", lambda: np.ones(N), answers=ONE),
    column("constant but for a gap", lambda: [1.0] * (N - 1) + [nan], answers=SOUND),
]

MISSING = [
    spelled("NaN", gap(nan), answers=KNOWN),
    spelled("NaN of NumPy", gap(np.float64("nan")), answers=KNOWN),
    spelled("NaN with another sign and payload", gap(np.array([0xFFF8000000000123], np.uint64).view("f8")[0]), answers=KNOWN),
    spelled("None", gap(None), answers=KNOWN),
    spelled("NA of pandas", gap(pd.NA), answers=KNOWN),
    spelled("Decimal's NaN", gap(Decimal("NaN"), Decimal), answers=KNOWN),
    spelled("gaps of several kinds", lambda v: [None, nan, pd.NA, v][min(v % 5, 3)] if v == 5 else v, answers=KNOWN),
    spelled("gaps among whole numbers beyond 2^53", gap(None, lambda v: 2**53 + v), answers=KNOWN),
    spelled("gaps among texts", gap(None, lambda v: f"c{v}"), answers=KNOWN),
    spelled("NaN among texts", gap(nan, lambda v: f"c{v}"), answers=KNOWN),
    spelled("NaT among moments", gap(np.datetime64("NaT"), lambda v: np.datetime64(DAY) + v), answers=KNOWN),
    spelled("gaps among booleans", lambda v: None if v == 5 else v >= 4, answers=SOUND),
    column("a mask", lambda: np.ma.masked_array(np.array(V, float), np.array(V) == 5), answers=KNOWN),
    column("a mask over int64's largest", lambda: np.ma.masked_array([LARGEST if v == 5 else v for v in V], np.array(V) == 5), answers=KNOWN),
    column("a mask over infinity", lambda: np.ma.masked_array([inf if v == 5 else v for v in V], np.array(V) == 5), answers=KNOWN),
    column("a mask that masks nothing", lambda: np.ma.masked_array(np.array(V, float), False)),
    column("all NaN", lambda: [nan] * N, answers=ONE),
    column("all None", lambda: [None] * N, answers=ONE),
    column("all masked", lambda: np.ma.masked_all(N), answers=ONE),
    column("all NaT", lambda: np.full(N, np.datetime64("NaT", "s")), answers=ONE),
    column("all gaps but one", lambda: [1.0] + [nan] * (N - 1), answers=SOUND),
    column("nullable integers of pandas", lambda: pd.array([None if v == 5 else v for v in V], dtype="Int64"), answers=KNOWN),
    column("nullable booleans of pandas", lambda: pd.array([None if v == 5 else v > 3 for v in V], dtype="boolean"), answers=SOUND),
    column("gaps in polars", lambda: pl.Series([None if v == 5 else v for v in V]), answers=KNOWN),
    column("gaps in Arrow", lambda: pa.chunked_array([[None if v == 5 else v for v in V]]), answers=KNOWN),
    column("NaN and null in polars", lambda: pl.Series([[None, nan][i % 2] if v == 5 else float(v) for i, v in enumerate(V)]), answers=KNOWN),
]

MOMENTS = [
    spelled("datetime", lambda v: DAY + timedelta(v)),
    spelled("datetime with a zone", lambda v: (DAY + timedelta(v)).replace(tzinfo=UTC)),
    spelled("datetimes of several zones", lambda v: (DAY + timedelta(v)).replace(tzinfo=UTC if v % 2 else BEIJING)),
    spelled("dates", lambda v: date(2020, 1, 1 + v)),
    spelled("dates of year 1", lambda v: date(1, 1, 1 + v)),
    spelled("datetimes of year 9999", lambda v: datetime(9999, 12, 20 + v)),
    spelled("years 1 and 9999", lambda v: datetime(1 if v < 4 else 2000 if v < 8 else 9999, 1, 1 + v)),
    spelled("a microsecond apart", lambda v: DAY + timedelta(microseconds=v)),
    spelled("a nanosecond apart", lambda v: pd.Timestamp(1_600_000_000_000_000_000 + v)),
    spelled("Timestamp of pandas with a zone", lambda v: pd.Timestamp("2020-01-01", tz="Asia/Shanghai") + timedelta(v)),
    spelled("datetime64 of days", lambda v: np.datetime64("2020-01-01", "D") + v),
    spelled("datetime64 of several units", lambda v: np.datetime64("2020-01-01", ["D", "s", "ns"][v % 3]) + np.timedelta64(v, "D")),
    spelled("datetimes beside dates", lambda v: DAY + timedelta(v) if v % 2 else date(2020, 1, 1 + v)),
    spelled("durations", lambda v: timedelta(hours=v)),
    spelled("negative durations", lambda v: timedelta(hours=v - 20)),
    spelled("timedelta64 of minutes", lambda v: np.timedelta64(v, "m")),
    column("an array of datetime64", lambda: np.datetime64("1969-12-30") + np.array(V)),
    column("big-endian datetime64", lambda: (np.datetime64("2020-01-01", "s") + np.array(V)).astype(">M8[s]")),
    column("datetime64 of years", lambda: np.array([2000 + v for v in V]).astype(str).astype("M8[Y]")),
    column("datetime64 of months", lambda: np.datetime64("2020-01", "M") + np.array(V)),
    column("Arrow's dates", lambda: pa.chunked_array([pa.array([date(2020, 1, 1 + v) for v in V])])),
    column("polars' durations", lambda: pl.Series([timedelta(v) for v in V])),
    column("pandas' zones", lambda: pd.Series(pd.to_datetime([f"2020-01-{v + 1:02}" for v in V], utc=True))),
    spelled("moments with and without a zone", lambda v: DAY if v % 2 else DAY.replace(tzinfo=UTC), "column 'a'", "time zone"),
    spelled("times of day", time, "column 'a'", "row 0", "datetime.time(7, 0)"),
    column("Arrow's times of day", lambda: pa.chunked_array([pa.array([time(v) for v in V])]), "column 'a'", "no order"),
    column("periods of pandas", lambda: pd.Series(pd.period_range("2020-01", periods=12, freq="M"))[V], "column 'a'"),
    spelled("moments among numbers", one_is(DAY), "column 'a'", "row 5"),
    spelled("durations among moments", lambda v: timedelta(v) if v == 9 else DAY, "column 'a'", "row 5", "datetimes and durations", "timedelta"),
    spelled("year 1 beside nanoseconds", lambda v: datetime(1, 1, 1) if v < 4 else pd.Timestamp(1_600_000_000_000_000_000 + v)),
]

TEXTS = [
    spelled("texts", lambda v: f"c{v}"),
    spelled("an empty text", lambda v: "x" * v),
    spelled("texts that look like numbers", str),
    spelled("texts that look like gaps", lambda v: ["nan", "None", "NA", "NaT", "null", "", "?", "-", "inf", "NULL", "n/a", "<NA>"][v]),
    spelled("texts that differ in spaces", lambda v: " " * v + "x"),
    spelled("texts that differ in case", lambda v: ["abcd", "Abcd", "aBcd", "abCd", "abcD", "ABcd", "AbCd", "AbcD", "aBCd", "aBcD", "abCD", "ABCD"][v]),
    spelled("texts that differ in how they are composed", lambda v: ["\u00e9", "e\u0301"][v % 2] * (v + 1)),
    spelled("NUL in texts", lambda v: "\0" * v + "x"),
    spelled("newlines in texts", lambda v: "x\n\r\n" * v),
    spelled("control characters", lambda v: chr(v + 1)),
    spelled("HTML and scripts", lambda v: f"<script>alert({v})</script>"),
    spelled("quotes and backslashes", lambda v: "'\"\\" * v),
    spelled("SQL", lambda v: f"'; DROP TABLE t{v}; --"),
    spelled("formulas of a spreadsheet", lambda v: f"=cmd|'/C calc'!A{v}"),
    spelled("emoji and other planes", lambda v: chr(0x1F600 + v)),
    spelled("right to left, and overrides", lambda v: "\u202e" + "\u05d0" * v),
    spelled("lone surrogates", lambda v: chr(0xD800 + v), "was not written", "half a character"),
    spelled("invisible differences", lambda v: "x" + "\u200b" * v),
    spelled("texts of 10,000 characters", lambda v: "x" * 10_000 + str(v)),
    spelled("a format string", lambda v: "{0.__class__}%s%n" + str(v)),
    spelled("subclasses of str", lambda v: type("Text", (str,), {})(f"c{v}")),
    column("NumPy's texts", lambda: np.array([f"c{v}" for v in V])),
    *(
        [column("NumPy's texts of variable width", lambda: np.array([f"c{v}" for v in V], dtype=np.dtypes.StringDType()))]
        if hasattr(np.dtypes, "StringDType")  # since NumPy 2
        else []
    ),
    column("big-endian texts", lambda: np.array([f"c{v}" for v in V], dtype=">U3")),
    column("categories in an order", lambda: pd.Categorical([f"c{v}" for v in V], [f"c{v}" for v in reversed(range(12))], ordered=True)),
    column("categories that never occur", lambda: pd.Categorical([f"c{v}" for v in V], [f"c{v}" for v in range(50)])),
    column("categories that are numbers", lambda: pd.Categorical(V)),
    column("categories that are fractions", lambda: pd.Categorical([v / 7 for v in V])),
    column("categories that are large numbers", lambda: pd.Categorical([2**60 + v for v in V])),
    column("categories that are booleans", lambda: pd.Categorical([v > 3 for v in V]), answers=SOUND),
    column("gaps among categories", lambda: pd.Categorical([None if v == 5 else f"c{v}" for v in V]), answers=KNOWN),
    column("an enum of polars", lambda: pl.Series([f"c{v}" for v in V], dtype=pl.Enum([f"c{v}" for v in range(13)]))),
    column("categories of polars", lambda: pl.Series([f"c{v}" for v in V], dtype=pl.Categorical)),
    column("a dictionary of Arrow", lambda: pa.chunked_array([pa.array([f"c{v}" for v in V]).dictionary_encode()])),
    column("a dictionary of Arrow in several chunks", lambda: pa.chunked_array([pa.array([f"c{v}" for v in V[:9]]).dictionary_encode(), pa.array([f"c{v}" for v in V[9:]]).dictionary_encode()])),
    column("large texts of Arrow", lambda: pa.chunked_array([pa.array([f"c{v}" for v in V], pa.large_string())])),
    column("views of texts of Arrow", lambda: pa.chunked_array([pa.array([f"c{v}" for v in V], pa.string_view())])),
    spelled("booleans", lambda v: v >= 4, answers=SOUND),
    spelled("NumPy's booleans", lambda v: np.bool_(v >= 4), answers=SOUND),
    spelled("each row its own text", lambda v: str(object()), answers=SOUND),
]

REFUSED = [
    spelled("infinity", one_is(inf), "column 'a'", "infinity", "row 5", "Replace it"),
    spelled("minus infinity", one_is(-inf), "column 'a'", "infinity", "row 5", "Replace it"),
    spelled("Decimal's infinity", one_is(Decimal("inf"), Decimal), "column 'a'", "infinity", "row 5"),
    column("infinity in float16", lambda: np.array([v if v != 9 else inf for v in V], np.float16), "column 'a'", "infinity", "row 5"),
    spelled("10**400", one_is(10**400), "column 'a'", "1.000e+400", "row 5", "scale it down"),
    spelled("10**5000", one_is(10**5000), "column 'a'", "1.000e+5000", "row 5", "scale it down"),
    spelled("Decimal 1e400", one_is(Decimal("1e400"), Decimal), "column 'a'", "1E+400", "row 5", "scale it down"),
    spelled("Fraction beyond a double", one_is(Fraction(10**400, 3), Fraction), "column 'a'", "row 5", "scale it down"),
    spelled("beyond 64 bits, and rounded", lambda v: 2**70 + v, "column 'a'", "row 0", "would be rounded"),
    spelled("int64's largest value", lambda v: LARGEST - 11 + v, "column 'a'", str(LARGEST), "row 2", "Scale it down", but={ID3: ()}),
    spelled("int64's least value", lambda v: LEAST + v, "column 'a'", str(LEAST), "row 1", "Scale it down", but={ID3: ()}),
    spelled("from 2^63", lambda v: 2**63 + 1 + v, "column 'a'", "row 0", "Scale it down", but={ID3: ()}),
    spelled("Decimals that a double does not tell apart", lambda v: Decimal(f"1.{v:030}"), "column 'a'", "row", "one float64"),
    spelled("Decimals below every double", lambda v: Decimal(v).scaleb(-400), "column 'a'", "row", "one float64"),
    spelled("Fractions that a double does not tell apart", lambda v: 1 + Fraction(v, 10**30), "column 'a'", "row", "one float64"),
    column("long doubles that a double does not tell apart", lambda: 1 + np.array(V) * np.longdouble("1e-18"), "column 'a'", "row", "one float64"),
    column("long doubles beyond a double", lambda: (1 + np.array(V)) * np.longdouble("1e4000"), "column 'a'", "row"),
    column("Arrow decimals that a double does not tell apart", lambda: pa.chunked_array([pa.array([Decimal(f"1.{v:030}") for v in V], pa.decimal128(38, 30))]), "column 'a'", "one float64"),
    column("datetimes of the last moment", lambda: np.array([LARGEST - v for v in V]).view("M8[ns]"), "column 'a'", "row 1", "the very last"),
    spelled("complex numbers", lambda v: complex(v, 1), "Complex data not supported", "column 'a'"),
    spelled("a complex number among others", one_is(1j), "Complex data not supported", "column 'a'"),
    spelled("a text among numbers", one_is("nine"), "column 'a'", "'nine'", "row 5"),
    spelled("a number among texts", lambda v: 9 if v == 9 else f"c{v}", "column 'a'", "row 5"),
    spelled("booleans among texts", lambda v: True if v == 9 else f"c{v}", "column 'a'", "row 5"),
    spelled("bytes", lambda v: bytes([v]), "column 'a'", "b'\\x07'", "row 0", "Decode"),
    column("NumPy's bytes", lambda: np.array([bytes([65 + v]) for v in V]), "column 'a'", "S1"),
    column("bytes of Arrow", lambda: pa.chunked_array([pa.array([bytes([v]) for v in V])]), "column 'a'", "Binary", "no order"),
    spelled("tuples", lambda v: (v, v), "column 'a'"),
    spelled("sets", lambda v: {v}, "column 'a'", "set", "row 0"),
    spelled("dicts", lambda v: {"v": v}, "column 'a'", "dict", "row 0"),
    spelled("frozensets", lambda v: frozenset([v]), "column 'a'", "frozenset", "row 0"),
    spelled("objects without an order", lambda v: NoOrder(), "column 'a'", "NoOrder", "row 0"),
    spelled("an enum of Python", lambda v: Colour.RED, "column 'a'", "Colour", "row 0"),
    spelled("functions", lambda v: abs, "column 'a'", "row 0"),
    spelled("types", lambda v: int, "column 'a'", "row 0"),
    spelled("arrays in a column", np.arange, "column 'a'"),
    column("lists of polars", lambda: pl.Series([[v] for v in V]), "column 'a'", "List", "no order"),
    column("structs of polars", lambda: pl.Series([{"v": v} for v in V]), "column 'a'", "Struct", "no order"),
    column("structs of Arrow", lambda: pa.chunked_array([pa.array([{"v": v} for v in V])]), "column 'a'", "Struct", "no order"),
    column("intervals of pandas", lambda: pd.Series(pd.interval_range(0, 12))[V], "column 'a'", "Interval"),
    column("categories that are tuples", lambda: pd.Categorical([(v, v) for v in V])),
    column("categories that are bytes", lambda: pd.Categorical([bytes([v]) for v in V])),
    column("a structured array as a column", lambda: np.array([(v, v) for v in V], dtype=[("x", "i4"), ("y", "i4")]), "column 'a'", "no order"),
    column("raw memory", lambda: np.zeros(N, "V8"), "column 'a'", "no order"),
    column("two columns in one", lambda: np.array([V, V]).T, "column 'a'", "shape (48, 2)"),
    column("a scalar", lambda: 3.0, "column 'a'", "single value, 3.0"),
    column("a text for a column", lambda: "abc", "column 'a'", "single value, 'abc'"),
    column("nothing", lambda: None, "column 'a'", "NoneType"),
    column("a generator", lambda: (v for v in V), "column 'a'", "generator"),
    column("an iterator", lambda: iter(V), "column 'a'", "iterator"),
    column("a set", lambda: set(V), "column 'a'", "set"),
    column("a dict", lambda: dict(enumerate(V)), "column 'a'", "dict"),
    column("an ordered dict", lambda: OrderedDict(enumerate(V)), "column 'a'", "OrderedDict"),
    Case("a short column", lambda: {"b": B, "a": V[:-1]}, says=("column 'b' has 48 rows and column 'a' 47", "same number")),
    column("a ragged column", lambda: [[v] * (1 + v % 2) for v in V], "column 'a'", "ragged"),
    column("a sparse column of pandas", lambda: pd.arrays.SparseArray([float(v) for v in V])),
]

CASES = [*NUMBERS, *MISSING, *MOMENTS, *TEXTS, *REFUSED]
