"""Hostile targets, of classes and of numbers."""

# ruff: noqa: E501 - a case is a line
# fmt: off
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp

from hostile.trial import LABELS, NUMBERS, ONE, SOUND, Case, N, V

TOO_SMALL = ("target differ by so little", "Scale it up")
nan, inf = float("nan"), float("inf")
CLASSES, FIGURES, EITHER = ("DecisionTreeC", "CARTC", "C45", "ID3"), ("DecisionTreeR", "CARTR"), ("",)


def target(name: str, make: Callable[[], Any], *says: str, only: tuple[str, ...] = EITHER, **more: Any) -> Case:
    return Case(name, y=make, says=says, only=only, **more)


def classes(name: str, low: Any, middle: Any, high: Any, *says: str, **more: Any) -> Case:
    """Give a case for classifiers, whose three classes have these labels."""
    return target(f"classes: {name}", lambda: [[low, middle, high][v // 4] for v in V], *says, only=CLASSES, **more)


def figures(name: str, spell: Callable[[float], Any], *says: str, **more: Any) -> Case:
    """Give a case for regressors, whose three numbers 10, 30 and 20 are spelled so."""
    return target(f"numbers: {name}", lambda: [spell(number) for number in NUMBERS], *says, only=FIGURES, **more)


OF_CLASSES = [
    classes("whole numbers", 0, 1, 2),
    classes("whole numbers far apart", -10**9, 7, 10**15),
    classes("beyond 2^53", 2**53 + 1, 2**53 + 2, 2**53 + 3),
    classes("both ends of int64", -(2**63), 0, 2**63 - 1),
    classes("beyond int64", 2**63 + 1, 1, 2**63 + 3),
    classes("beyond 64 bits", 2**64, 1, 2, "target holds 18446744073709551616 in row 1", "texts"),
    classes("below int64", -(2**63) - 1, 1, 2, "target holds -9223372036854775809 in row 1", "texts"),
    classes("10**400", 10**400, 1, 2, "target holds 1.000e+400 in row 1", "texts"),
    classes("both signs beyond int64", -1, 1, 2**63, "target holds 9223372036854775808 in row 2", "texts"),
    classes("whole floats", 0.0, 1.0, 2.0),
    classes("floats of both zeros", -0.0, 1.0, 2.0),
    classes("large whole floats", 1e20, 2e20, 3e20, "target holds 2e+20 in row 0", "texts"),
    classes("fractions", 0.5, 1.5, 2.5, "continuous", "holds 1.5 in row 0", "Use a regressor"),
    classes("NaN", 0.0, 1.0, nan, "target holds NaN", "row 2", "Remove these rows"),
    classes("infinity", 0.0, 1.0, inf, "target holds infinity in row 2", "Remove these rows"),
    classes("None among texts", "a", "b", None, "no value at all in row 2", "Remove these rows"),
    classes("NA of pandas", "a", "b", pd.NA, "no value at all in row 2", "Remove these rows"),
    classes("NaT", "a", "b", pd.NaT, "no value at all in row 2", "Remove these rows"),
    classes("booleans", False, True, True),
    classes("NumPy's booleans", np.False_, np.True_, np.True_),
    classes("booleans among numbers", False, True, 2),
    classes("texts and numbers", "a", 1, 2, "Unknown label type", "'a' (str)", "1 (int)", "convert it"),
    classes("texts and booleans", "a", True, "c", "Unknown label type", "convert it"),
    classes("bytes", b"a", b"b", b"c", "Unknown label type", "onvert it"),
    classes("tuples", (0, 0), (1, 1), (2, 2), "1d array", "several targets"),
    classes("tuples of one", (0,), (1,), (2,)),
    classes("lists", [0], [1], [2]),
    classes("sets", {0}, {1}, {2}, "Unknown label type", "convert it"),
    classes("dicts", {0: 0}, {1: 1}, {2: 2}, "Unknown label type", "convert it"),
    classes("objects", object(), object(), object(), "Unknown label type", "convert it"),
    classes("Decimals", Decimal(0), Decimal(1), Decimal(2), "Unknown label type", "convert it"),
    classes("Fractions", Fraction(0), Fraction(1), Fraction(2), "Unknown label type", "convert it"),
    classes("dates", date(2020, 1, 1), date(2020, 1, 2), date(2020, 1, 3), "Unknown label type", "convert it"),
    classes("complex numbers", 0j, 1j, 2j, "Complex data not supported"),
    classes("an empty text", "", "b", "c"),
    classes("texts that look like gaps", "nan", "None", "NA"),
    classes("texts that look like numbers", "1", "01", "1.0"),
    classes("texts that differ in case", "a", "A", "aa"),
    classes("texts that differ in spaces", "a", " a", "a "),
    classes("NUL", "a\0", "a", "b\0c"),
    classes("newlines", "a\n", "a\r\n", "\n"),
    classes("HTML", "<script>alert(1)</script>", "<b>", "&amp;"),
    classes("quotes", "'", '"', "\\"),
    classes("emoji", "\U0001f333", "\U0001f332", "\U0001f334"),
    classes("lone surrogates", "\ud800", "b", "c", "was not written", "half a character"),
    classes("texts of 10,000 characters", "a" * 10_000, "b" * 10_000, "c" * 10_000),
    classes("NumPy's texts", np.str_("a"), np.str_("b"), np.str_("c")),
    classes("one class", "a", "a", "a", answers=ONE),
    classes("two classes", "a", "b", "a"),
    target("classes: as many as rows", lambda: [f"r{at}" for at in range(N)], only=CLASSES, answers=SOUND),
    target("classes: all but one the same", lambda: ["a"] * (N - 1) + ["b"], only=CLASSES, answers=SOUND),
    target("classes: a series of pandas", lambda: pd.Series(LABELS), only=CLASSES),
    target("classes: a categorical with classes that never occur", lambda: pd.Categorical(LABELS, ["high", "low", "middle", "never"]), only=CLASSES),
    target("classes: an ordered categorical", lambda: pd.Series(pd.Categorical(LABELS, ["low", "middle", "high"], ordered=True)), only=CLASSES),
    target("classes: polars", lambda: pl.Series(LABELS), only=CLASSES),
    target("classes: an enum of polars", lambda: pl.Series(LABELS, dtype=pl.Enum(["low", "middle", "high"])), only=CLASSES),
    target("classes: Arrow", lambda: pa.chunked_array([LABELS]), only=CLASSES),
    target("classes: int8", lambda: np.array([v // 4 for v in V], np.int8), only=CLASSES),
    target("classes: big-endian", lambda: np.array([v // 4 for v in V], ">i4"), only=CLASSES),
    target("classes: read-only", lambda: np.broadcast_to(np.array(["a"]), N), only=CLASSES, answers=ONE),
    target("classes: strided", lambda: np.repeat([v // 4 for v in V], 3)[::3], only=CLASSES),
]

OF_NUMBERS = [
    figures("whole", int),
    figures("fractions", lambda y: y / 7, answers=SOUND),
    figures("negative", lambda y: -y),
    figures("zeros of both signs", lambda y: -0.0 if y == 10 else y - 10),
    figures("1e12 and a little", lambda y: 1e12 + y),
    figures("2^53 and a little", lambda y: 2.0**53 + 2 * y, answers=SOUND),
    figures("denormals", lambda y: y * 5e-324, but={"CART": TOO_SMALL}, answers=SOUND),
    figures("about 1e-300", lambda y: y * 1e-300, but={"CART": TOO_SMALL}),
    figures("about 1e-140", lambda y: y * 1e-140),
    figures("about 1e140", lambda y: y * 1e140),
    figures("beyond 1e150", lambda y: y * 1e150, "target holds 3e+151 in row 0", "Scale it down"),
    figures("about 1e308", lambda y: y * 1e306, "target holds", "in row 0", "Scale it down"),
    figures("10**400", lambda y: 10**400 if y == 20 else y, "target", "1.000e+400", "row 2"),
    figures("Decimal", Decimal),
    figures("Decimal 1e400", lambda y: Decimal("1e400"), "target", "1E+400", "row 0"),
    figures("Fraction", lambda y: Fraction(int(y), 2)),
    figures("NaN", lambda y: nan if y == 20 else y, "target holds NaN", "row 2", "Remove these rows"),
    figures("infinity", lambda y: inf if y == 20 else y, "target holds infinity in row 2", "Remove these rows"),
    figures("None", lambda y: None if y == 20 else y, "no value at all in row 2", "Remove these rows"),
    figures("booleans", lambda y: y == 10, answers=SOUND),
    figures("texts", str, "target", "'30.0' in row 0", "numbers"),
    figures("a text among numbers", lambda y: "x" if y == 20 else y, "target", "'x' in row 2", "numbers"),
    figures("bytes", lambda y: b"1", "target", "b'1'", "row 0"),
    figures("complex", lambda y: 1j * y, "Complex data not supported"),
    figures("datetimes", lambda y: np.datetime64("2020-01-01") + int(y), "target is of type datetime64", "convert it"),
    figures("objects", lambda y: object(), "target", "object", "row 0"),
    figures("lists", lambda y: [y], answers=SOUND),
    figures("constant", lambda y: 3.5, answers=ONE),
    figures("constant, far from 0", lambda y: 1e15 + 0.125, answers=ONE),
    figures("one far value", lambda y: 1e100 if y == 20 else y, answers=SOUND),
    target("numbers: each row its own", lambda: [float(at) for at in range(N)], only=FIGURES, answers=SOUND),
    target("numbers: float32", lambda: np.array(NUMBERS, np.float32), only=FIGURES),
    target("numbers: float16", lambda: np.array(NUMBERS, np.float16), only=FIGURES),
    target("numbers: big-endian", lambda: np.array(NUMBERS, ">f8"), only=FIGURES),
    target("numbers: uint64", lambda: np.array(NUMBERS, np.uint64), only=FIGURES),
    target("numbers: strided", lambda: np.repeat(NUMBERS, 3)[::3], only=FIGURES),
    target("numbers: long doubles", lambda: np.array(NUMBERS, np.longdouble), only=FIGURES),
    target("numbers: nullable of pandas", lambda: pd.Series(NUMBERS, dtype="Float64"), only=FIGURES),
    target("numbers: polars", lambda: pl.Series(NUMBERS), only=FIGURES),
    target("numbers: Arrow", lambda: pa.chunked_array([NUMBERS]), only=FIGURES),
    target("numbers: a masked array", lambda: np.ma.masked_array(NUMBERS, np.array(V) == 5), "no value at all in row 6", only=FIGURES),
    target("numbers: a categorical of numbers", lambda: pd.Categorical(NUMBERS), only=FIGURES),
    target("numbers: long doubles beyond a double", lambda: np.array(NUMBERS, np.longdouble) * np.longdouble("1e4000"), "target", "row 0", only=FIGURES),
]

OF_EITHER = [
    target("None", lambda: None, "requires y to be passed"),
    target("the name of no column", lambda: "c", "column 'c' is not in the table", "'a', 'b'"),
    target("a number", lambda: 3, "y should be a 1d array"),
    target("too short", lambda: [1] * (N - 1), "y has 47 values and X 48 rows", "one value for each row"),
    target("too long", lambda: [1] * (N + 1), "y has 49 values and X 48 rows", "one value for each row"),
    target("empty", list, "y has 0 values and X 48 rows", "one value for each row"),
    target("a generator", lambda: (v for v in V), "generator", "give an array"),
    target("a set", lambda: set(V), "set", "give an array"),
    target("two columns", lambda: np.array([V, V]).T, "y should be a 1d array", "shape (48, 2)", "several targets"),
    target("a frame of two columns", lambda: pd.DataFrame({"a": V, "b": V}), "y should be a 1d array", "several targets"),
    target("one column of an array", lambda: np.array([[v // 4] for v in V]), answers=SOUND),
    target("a frame of one column", lambda: pd.DataFrame({"y": [v // 4 for v in V]}), answers=SOUND),
    target("no dimension", lambda: np.array(3), "y should be a 1d array", "shape ()"),
    target("three dimensions", lambda: np.ones((N, 1, 1)), "y should be a 1d array", "shape (48, 1, 1)"),
    target("ragged", lambda: [[1] * (1 + v % 2) for v in V], "ragged"),
    target("sparse", lambda: sp.csr_matrix(np.ones((N, 1))), "Sparse data"),
    target("a column of X once more", lambda: pd.Series(V, name="a"), "y is also column 'a' of X", "Drop the column"),
    target("all NaN", lambda: [nan] * N, "target holds NaN or no value at all in row 0", "48 of 48 rows"),
    target("all None", lambda: [None] * N, "target holds NaN or no value at all in row 0", "48 of 48 rows"),
]

CASES = [*OF_CLASSES, *OF_NUMBERS, *OF_EITHER]
