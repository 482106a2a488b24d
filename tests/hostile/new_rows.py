"""Hostile rows to predict for, after a fit of a plain table: a number `a` and a category `b`."""

# ruff: noqa: E501 - a case is a line
# fmt: off
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp

from hostile.trial import SOUND, B, Case, V

nan, inf = float("nan"), float("inf")
TEXTS = [f"b{b}" for b in B]
ID3 = "ID3"
CHANGED = ("convert it to what it was",)


def after(name: str, new: Callable[[], Any], *says: str, answers: Any = SOUND, train: Any = None, **more: Any) -> Case:
    """Give a case that fits numbers `a` and texts `b`, and predicts for new rows."""
    return Case(name, train or (lambda: {"a": V, "b": TEXTS}), new=new, says=says, answers=answers, **more)


def spelled(name: str, spell: Callable[[int], Any], *says: str, answers: Any = (9, 1, 6), **more: Any) -> Case:
    """Give a case whose three new rows are 9, 1 and 6, spelled otherwise than in training."""
    return after(name, lambda: {"a": [spell(9), spell(1), spell(6)], "b": TEXTS[:3]}, *says, answers=list(answers), **more)


def grown_on(name: str, column: Callable[[], Any], new: Callable[[], Any], *says: str, **more: Any) -> Case:
    """Give a case that is grown on another column `a` alone."""
    return after(name, lambda: {"a": new()}, *says, train=lambda: {"a": column()}, **more)


CATEGORIES = lambda: [f"c{v}" for v in V]  # noqa: E731
MOMENTS = lambda: np.datetime64("2020-01-01") + np.array(V)  # noqa: E731
ZONED = lambda: pd.Series(pd.to_datetime([f"2020-01-{v + 1:02}" for v in V], utc=True))  # noqa: E731
FLAGS = lambda: [v >= 4 for v in V]  # noqa: E731

CASES = [
    spelled("floats", float),
    spelled("float32", np.float32),
    spelled("int8", np.int8),
    spelled("Decimal", Decimal),
    spelled("Fraction", Fraction),
    spelled("a mixture of numbers", lambda v: Decimal(v) if v == 9 else v),
    after("int8 arrays", lambda: {"a": np.array([9, 1, 6], np.int8), "b": TEXTS[:3]}, answers=[9, 1, 6]),
    after("uint64 arrays", lambda: {"a": np.array([9, 1, 6], np.uint64), "b": TEXTS[:3]}, answers=[9, 1, 6]),
    after("big-endian arrays", lambda: {"a": np.array([9, 1, 6], ">i2"), "b": TEXTS[:3]}, answers=[9, 1, 6]),
    after("long doubles", lambda: {"a": np.array([9, 1, 6], np.longdouble), "b": TEXTS[:3]}, answers=[9, 1, 6]),
    after("another order of columns", lambda: {"b": TEXTS[:3], "a": [9, 1, 6]}, answers=[9, 1, 6]),
    after("pandas", lambda: pd.DataFrame({"a": [9, 1, 6], "b": TEXTS[:3]}), answers=[9, 1, 6]),
    after("pandas with an index", lambda: pd.DataFrame({"a": [9, 1, 6], "b": TEXTS[:3]}, index=[5, 5, 5]), answers=[9, 1, 6]),
    after("polars", lambda: pl.DataFrame({"a": [9, 1, 6], "b": TEXTS[:3]}), answers=[9, 1, 6]),
    after("Arrow", lambda: pa.table({"a": [9, 1, 6], "b": TEXTS[:3]}), answers=[9, 1, 6]),
    after("a categorical for texts", lambda: pd.DataFrame({"a": [9, 1, 6], "b": pd.Categorical(TEXTS[:3])}), answers=[9, 1, 6]),
    after("a categorical in another order", lambda: pd.DataFrame({"a": [9, 1, 6], "b": pd.Categorical(TEXTS[:3], ["zz", *sorted(set(TEXTS))[::-1]])}), answers=[9, 1, 6]),
    after("no rows", lambda: {"a": [], "b": []}, answers=[]),
    after("no rows, a data frame", lambda: pd.DataFrame({"a": pd.Series([], dtype=float), "b": pd.Series([], dtype=str)}), answers=[]),
    after("one row as a dict of values", lambda: {"a": [9], "b": ["b0"]}, answers=[9]),
    after("gaps in every column", lambda: {"a": [nan, None], "b": [None, None]}),
    after("a gap of pandas", lambda: pd.DataFrame({"a": pd.array([None, 9], dtype="Int64"), "b": ["b0", "b0"]})),
    after("a mask", lambda: {"a": np.ma.masked_array([9, 1, 6], [True, False, False]), "b": TEXTS[:3]}),
    after("infinity beneath a mask", lambda: {"a": np.ma.masked_array([inf, 1, 6], [True, False, False]), "b": TEXTS[:3]}),
    after("infinity", lambda: {"a": [1.0, inf], "b": TEXTS[:2]}, "column 'a' holds infinity in row 1", "Replace it", but={ID3: ("column 'a' holds infinity in row 1",)}),
    after("minus infinity", lambda: {"a": [1.0, -inf], "b": TEXTS[:2]}, "column 'a' holds infinity in row 1", "Replace it"),
    after("1e308", lambda: {"a": [1e308, -1e308], "b": TEXTS[:2]}, answers=[11, 0], but={ID3: SOUND}),
    after("denormals", lambda: {"a": [5e-324, -5e-324], "b": TEXTS[:2]}, answers=[0, 0], but={ID3: SOUND}),
    after("10**400", lambda: {"a": [1, 10**400], "b": TEXTS[:2]}, "column 'a'", "1.000e+400", "row 1", "scale it down"),
    after("2^63", lambda: {"a": [2**63, -(2**63)], "b": TEXTS[:2]}, answers=[11, 0], but={ID3: SOUND}),
    after("2^64 - 1", lambda: {"a": np.array([2**64 - 1], np.uint64), "b": TEXTS[:1]}, answers=[11], but={ID3: SOUND}),
    after("texts for numbers", lambda: {"a": ["9", "1"], "b": TEXTS[:2]}, "column 'a'", "'9' in row 0", but={ID3: ("column 'a' held numbers", *CHANGED)}),
    after("a text among numbers", lambda: {"a": [9, "x"], "b": TEXTS[:2]}, "column 'a'", "'x' in row 1"),
    after("numbers for texts", lambda: {"a": [9, 1], "b": [0, 1]}, "column 'b' held texts in training and holds numbers now", *CHANGED),
    after("booleans for texts", lambda: {"a": [9, 1], "b": [True, False]}, "column 'b' held texts in training and holds booleans now", *CHANGED),
    after("bytes for texts", lambda: {"a": [9, 1], "b": [b"b0", b"b1"]}, "column 'b'", "bytes", "row 0", "Decode"),
    after("datetimes for numbers", lambda: {"a": MOMENTS()[:2], "b": TEXTS[:2]}, "column 'a'"),
    after("durations for numbers", lambda: {"a": np.array([1, 2], "m8[s]"), "b": TEXTS[:2]}, "column 'a'"),
    after("objects for numbers", lambda: {"a": [object(), 1], "b": TEXTS[:2]}, "column 'a'", "object", "row 0"),
    after("complex numbers", lambda: {"a": [1j, 1], "b": TEXTS[:2]}, "Complex data not supported", "column 'a'"),
    after("lists for numbers", lambda: {"a": [[1, 2], [3, 4]], "b": TEXTS[:2]}, "column 'a' has shape (2, 2)"),
    after("a column less", lambda: {"a": [9]}, "column 'b'", "missing from the table"),
    after("a column more", lambda: {"a": [9], "b": ["b0"], "c": [1]}, "absent in training: column 'c'", "Drop the columns"),
    after("a column in other case", lambda: {"A": [9], "b": ["b0"]}, "missing from the table: column 'a'", "Is it now called 'A'?"),
    after("all columns under other names", lambda: {"x": [9], "y": ["b0"]}, "missing from the table", "'a', 'b'"),
    after("two columns of one name", lambda: pd.DataFrame([[9, "b0", 1]], columns=["a", "b", "a"]), "more than one column named 'a'"),
    after("a target left in the table", lambda: {"a": [9], "b": ["b0"], "y": [1]}, "absent in training: column 'y'", "Drop the columns"),
    after("an array of too few columns", lambda: np.ones((2, 1)), "X has 1 features", "expecting 2 features"),
    after("an array of too many columns", lambda: np.ones((2, 3)), "X has 3 features", "expecting 2 features"),
    after("one dimension", lambda: np.ones(2), "Expected 2D array, got 1D array", "Reshape your data"),
    after("three dimensions", lambda: np.ones((2, 2, 2)), "Expected 2D array, got 3D array"),
    after("a sparse matrix", lambda: sp.csr_matrix(np.ones((2, 2))), "Sparse data", ".toarray()"),
    after("ragged lists", lambda: [[1, 2], [3]], "ragged", "same number of values"),
    after("columns of unequal length", lambda: {"a": [9, 1], "b": ["b0"]}, "column 'a' has 2 rows and column 'b' 1"),
    after("None", lambda: None, "None is not a table", "give a dataframe"),
    after("a text", lambda: "rows.csv", "'rows.csv' is not a table", "give a dataframe"),
    after("a generator", lambda: (row for row in [[9, "b0"]]), "generator cannot be read as the table", "give an array"),
    after("a series", lambda: pd.Series([9, 1]), "X is a Series", "to_frame()"),
    after("a new category", lambda: {"a": [9, 1, 6], "b": ["b7", "b0", "b8"]}),
    after("a new category of HTML", lambda: {"a": [9], "b": ["<script>"]}),
    after("a new category with NUL", lambda: {"a": [9], "b": ["b0\0"]}),
    after("a lone surrogate", lambda: {"a": [9], "b": ["\ud800"]}),
    after("an empty text", lambda: {"a": [9], "b": [""]}),
    after("a thousand new categories", lambda: {"a": [9] * 1000, "b": [f"n{at}" for at in range(1000)]}),
    grown_on("floats after whole numbers beyond 2^53", lambda: [2**53 + v for v in V], lambda: [2.0**53, 2.0**53 + 10], answers=[0, 10]),
    grown_on("infinity after whole numbers beyond 2^53", lambda: [2**53 + v for v in V], lambda: [inf], "column 'a' holds infinity in row 0", "Replace it"),
    grown_on("NaN after whole numbers beyond 2^53", lambda: [2**53 + v for v in V], lambda: [nan]),
    grown_on("uint64 after whole numbers beyond 2^53", lambda: [2**53 + v for v in V], lambda: np.array([2**64 - 1], np.uint64), answers=[11], but={ID3: SOUND}),
    grown_on("a moment of another unit", MOMENTS, lambda: [np.datetime64("2020-01-01T05:00", "m"), np.datetime64("2020-01-12T00:00", "m")], answers=[0, 11]),
    grown_on("moments of years 1 and 9999", MOMENTS, lambda: [datetime(1, 1, 1), datetime(9999, 12, 31)], answers=[0, 11]),
    grown_on("NaT", MOMENTS, lambda: [np.datetime64("NaT")]),
    grown_on("numbers for moments", MOMENTS, lambda: [1, 2], "column 'a' held datetimes in training and holds numbers now", *CHANGED),
    grown_on("durations for moments", MOMENTS, lambda: np.array([1], "m8[D]"), "column 'a' held datetimes in training and holds durations now", *CHANGED),
    grown_on("texts for moments", MOMENTS, lambda: ["2020-01-01"], "column 'a' holds '2020-01-01' in row 0", "convert it"),
    grown_on("a zone where there was none", MOMENTS, ZONED, "time zone", *CHANGED),
    grown_on("no zone where there was one", ZONED, MOMENTS, "time zone", *CHANGED),
    grown_on("another zone", ZONED, lambda: pd.Series(pd.to_datetime(["2020-01-01", "2020-01-12"]).tz_localize("Asia/Shanghai")), answers=[0, 11], but={ID3: SOUND}),
    grown_on("0 and 1 for booleans", FLAGS, lambda: [0, 1]),
    grown_on("2 for booleans", FLAGS, lambda: [2, 1]),
    grown_on("texts for booleans", FLAGS, lambda: ["yes", "no"], "column 'a' held booleans in training and holds texts now", *CHANGED),
    grown_on("booleans and a text", FLAGS, lambda: [True, "yes"], "column 'a' mixes booleans and texts", "'yes' in row 1"),
    grown_on("booleans and a gap", FLAGS, lambda: [True, None]),
    grown_on("booleans of pandas", FLAGS, lambda: pd.array([True, None], dtype="boolean")),
    grown_on("numbers for declared categories", lambda: pd.Categorical(V), lambda: [0, 11, 99]),
    grown_on("texts for categories that are numbers", lambda: pd.Categorical(V), lambda: ["0"], "column 'a' held numbers in training and holds texts now", *CHANGED),
    grown_on("a constant column that varies now", lambda: [1] * len(V), lambda: [1, 2, 3]),
    grown_on("a column of gaps that holds numbers now", lambda: [nan] * len(V), lambda: [1, 2, 3]),
    grown_on("a column of gaps that holds texts now", lambda: [None] * len(V), lambda: ["a"], "column 'a'", "'a' in row 0", but={ID3: SOUND}),
    grown_on("a category of 10,000 characters", CATEGORIES, lambda: ["x" * 10_000]),
]
