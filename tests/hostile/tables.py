"""Hostile tables: containers, memory layouts, names of columns, and sizes."""

# ruff: noqa: E501 - a case is a line
# fmt: off
import warnings
from collections import ChainMap, OrderedDict, UserList, namedtuple
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp

from hostile.trial import LABELS, NUMBERS, ONE, SOUND, B, Case, N, V

ID3 = "ID3"
Row = namedtuple("Row", ["a", "b"])
PAIRS = [[float(v), float(b)] for v, b in zip(V, B, strict=True)]
ARRAY = np.array(PAIRS)


def table(name: str, make: Callable[[], Any], *says: str, **more: Any) -> Case:
    """Give a case whose table is made by a function."""
    return Case(name, make, says=says, **more)


def named(what: str, *names: Any, says: tuple[str, ...] = ()) -> Case:
    """Give a case whose two columns have these names, in a data frame."""
    return table(what, lambda: pd.DataFrame(PAIRS, columns=list(names)), *says)


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


def matrix() -> Any:
    """Give NumPy's matrix, of which NumPy itself warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.asmatrix(ARRAY)


def on_disk() -> Any:
    """Give a file that is mapped into memory, and read-only."""
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        ARRAY.tofile(file.name)
        return np.memmap(file.name, dtype=np.float64, mode="r", shape=ARRAY.shape)


def spread(array: Any, by: int) -> Any:
    """Give the array as every `by`-th row and column of a larger one."""
    large = np.full((len(array) * by, array.shape[1] * by), np.nan)
    large[::by, ::by] = array
    return large[::by, ::by]


def unaligned() -> Any:
    memory = np.zeros(ARRAY.nbytes + 1, np.uint8)
    array = memory[1:].view(np.float64).reshape(ARRAY.shape)
    array[:] = ARRAY
    return array


class Wrapped:
    """An object with nothing but NumPy's protocol."""

    def __init__(self) -> None:
        self.kept = ARRAY

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.kept

    def __getitem__(self, rows: Any) -> Any:
        return self.kept[rows]


class Stream:
    """An object with nothing but Arrow's protocol."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(schema)

    def __getitem__(self, rows: slice) -> "Stream":
        return Stream(self.table.slice(rows.start or 0, rows.stop))


CONTAINERS = [
    table("a list of lists", lambda: [list(row) for row in PAIRS]),
    table("a list of tuples", lambda: [tuple(row) for row in PAIRS]),
    table("a tuple of lists", lambda: tuple(PAIRS)),
    table("a list of arrays", lambda: list(ARRAY)),
    table("a list of named tuples", lambda: [Row(*row) for row in PAIRS]),
    table("a list of lists with texts", lambda: [[v, f"b{b}"] for v, b in PAIRS]),
    table("a list of lists with gaps", lambda: [[v, None if b == 1 else b] for v, b in PAIRS]),
    table("an array in the order of C", lambda: np.ascontiguousarray(ARRAY)),
    table("an array in the order of Fortran", lambda: np.asfortranarray(ARRAY)),
    table("a read-only array", lambda: read_only(ARRAY.copy())),
    table("every third row and column of an array", lambda: spread(ARRAY, 3)),
    table("an array read backwards", lambda: ARRAY[::-1].copy()[::-1]),
    table("an array with its columns backwards", lambda: ARRAY[:, ::-1].copy()[:, ::-1]),
    table("an array that is not aligned", unaligned),
    table("a big-endian array", lambda: ARRAY.astype(">f8")),
    table("an array of float16", lambda: ARRAY.astype(np.float16)),
    table("an array of int8", lambda: ARRAY.astype(np.int8)),
    table("an array of uint64 beyond 2^53", lambda: ARRAY.astype(np.uint64) + np.uint64(2**54)),
    table("an array of objects", lambda: ARRAY.astype(object)),
    table("an array of Python's whole numbers beyond 2^53", lambda: np.array([[2**53 + v, b] for v, b in zip(V, B, strict=True)], object)),
    table("an array of long doubles", lambda: ARRAY.astype(np.longdouble)),
    table("a mapped file", on_disk),
    table("a masked array", lambda: np.ma.masked_array(ARRAY, False)),
    table("a masked array with a mask over one column", lambda: np.ma.masked_array(ARRAY, [[False, True]] * N)),
    table("a hard mask", lambda: np.ma.masked_array(ARRAY, [[False, b == 1] for b in B], hard_mask=True)),
    table("a matrix", matrix),
    table("a structured array", lambda: np.array([tuple(row) for row in PAIRS], dtype=[("a", "f8"), ("b", "f4")])),
    table("a record array", lambda: np.rec.fromarrays(ARRAY.T, names="a,b")),
    table("a packed structured array", lambda: np.array([(int(b), v) for v, b in PAIRS], dtype=[("b", "u1"), ("a", "f8")])),
    table("an array of one column", lambda: ARRAY[:, :1]),
    table("an object with __array__", Wrapped),
    table("an object with __arrow_c_stream__", lambda: Stream(pa.table({"a": V, "b": B}))),
    table("a dict of lists", lambda: {"a": V, "b": B}),
    table("a dict of tuples", lambda: {"a": tuple(V), "b": tuple(B)}),
    table("a dict of ranges and lists", lambda: {"b": range(N), "a": V}, answers=SOUND),
    table("an ordered dict", lambda: OrderedDict(a=V, b=B)),
    table("a dict of series of several packages", lambda: {"a": pl.Series(V), "b": pd.Series(B), "c": pa.chunked_array([B])}),
    table("a dict with columns of n × 1", lambda: {"a": ARRAY[:, :1], "b": B}),
    table("a data frame", lambda: pd.DataFrame(PAIRS, columns=["a", "b"])),
    table("a data frame with an index of its own", lambda: pd.DataFrame(PAIRS, columns=["a", "b"], index=[7] * N)),
    table("a data frame with a MultiIndex of rows", lambda: pd.DataFrame(PAIRS, columns=["a", "b"], index=pd.MultiIndex.from_product([[0, 1], range(N // 2)]))),
    table("a data frame of Arrow's types", lambda: pd.DataFrame({"a": pd.array(V, "int64[pyarrow]"), "b": pd.array(B, "double[pyarrow]")})),
    table("a data frame of nullable types", lambda: pd.DataFrame({"a": V, "b": B}).convert_dtypes()),
    table("a data frame of objects", lambda: pd.DataFrame({"a": V, "b": B}).astype(object)),
    table("a data frame of sparse columns", lambda: pd.DataFrame({"a": pd.arrays.SparseArray(V), "b": B})),
    table("a slice of a data frame", lambda: pd.DataFrame({"a": np.repeat(V, 2), "b": np.repeat(B, 2)})[::2]),
    table("a subclass of a data frame", lambda: type("Frame", (pd.DataFrame,), {})({"a": V, "b": B})),
    table("a frame of polars", lambda: pl.DataFrame({"a": V, "b": B})),
    table("a frame of polars in chunks", lambda: pl.concat([pl.DataFrame({"a": V[:9], "b": B[:9]}), pl.DataFrame({"a": V[9:], "b": B[9:]})], rechunk=False)),
    table("a table of Arrow", lambda: pa.table({"a": V, "b": B})),
    table("a table of Arrow in chunks", lambda: pa.concat_tables([pa.table({"a": V[:9], "b": B[:9]}), pa.table({"a": V[9:], "b": B[9:]})])),
    table("a slice of a table of Arrow", lambda: pa.table({"a": [0, *V, 0], "b": [0, *B, 0]}).slice(1, N)),
    table("a batch of Arrow", lambda: pa.record_batch({"a": V, "b": B})),
    table("a lazy frame of polars", lambda: pl.LazyFrame({"a": V, "b": B})),
    table("a user's list", lambda: UserList(PAIRS), answers=SOUND),
]

NO_TABLES = [
    table("None", lambda: None, "None is not a table", "give a dataframe"),
    table("a text", lambda: "table.csv", "'table.csv' is not a table", "give a dataframe"),
    table("bytes", lambda: b"a,b", "is not a table", "give a dataframe"),
    table("a number", lambda: 7, "7 is not a table", "give a dataframe"),
    table("NaN", lambda: float("nan"), "nan is not a table", "give a dataframe"),
    table("an object", object, "object cannot be read as the table", "give an array"),
    table("a function", lambda: len, "cannot be read as the table", "give an array"),
    table("a class", lambda: pd.DataFrame, "cannot be read as the table", "give an array"),
    table("a generator", lambda: (row for row in PAIRS), "generator cannot be read as the table", "give an array"),
    table("an iterator", lambda: iter(PAIRS), "list_iterator cannot be read as the table", "give an array"),
    table("a set", lambda: set(V), "set cannot be read as the table", "give an array"),
    table("a zip", lambda: zip(V, B, strict=True), "zip cannot be read as the table", "give an array"),
    table("a view of a dict", {"a": V}.values, "dict_values cannot be read as the table"),
    table("a series of pandas", lambda: pd.Series(V), "X is a Series", "Expected 2D array", "to_frame()"),
    table("a series of polars", lambda: pl.Series(V), "X is a Series", "Expected 2D array", "to_frame()"),
    table("an array of Arrow", lambda: pa.array(V), "Expected 2D array, got 1D array"),
    table("chunks of Arrow", lambda: pa.chunked_array([V]), "X is a ChunkedArray", "Expected 2D array"),
    table("a stream of single values", lambda: Stream(pa.chunked_array([V])), "X is a Stream", "Expected 2D array"),
    table("a list of numbers", lambda: V, "Expected 2D array, got 1D array of shape (48,)", "Reshape your data"),
    table("one array", lambda: np.array(V), "Expected 2D array, got 1D array of shape (48,)", "Reshape your data"),
    table("an array of no dimension", lambda: np.array(3.0), "Expected 2D array, got 0D array", "Reshape your data"),
    table("an array of three dimensions", lambda: ARRAY[:, :, None], "Expected 2D array, got 3D array of shape (48, 2, 1)"),
    table("lists of lists of lists", lambda: [[[v]] for v in V], "Expected 2D array, got 3D array of shape (48, 1, 1)"),
    table("ragged lists", lambda: [[v] * (1 + v % 2) for v in V], "the table is ragged", "same number of values"),
    table("an empty list", list, "Expected 2D array, got 1D array of shape (0,)", "Reshape your data"),
    table("a list of texts", lambda: [str(v) for v in V], "Expected 2D array, got 1D array", "Reshape your data"),
    table("a list of dicts", lambda: [{"a": v} for v in V], "Expected 2D array, got 1D array", "Reshape your data"),
    table("CSR", lambda: sp.csr_matrix(ARRAY), "Sparse data", ".toarray()"),
    table("COO, an array", lambda: sp.coo_array(ARRAY), "Sparse data", ".toarray()"),
    table("DOK, which is a dict", lambda: sp.dok_matrix(ARRAY), "Sparse data", ".toarray()"),
    table("complex numbers", lambda: ARRAY * 1j, "Complex data not supported", "column 'x0'"),
    table("an array of bytes", lambda: ARRAY.astype("S4"), "column 'x0'", "S4"),
    table("an array with infinity", lambda: np.where(ARRAY == 9, np.inf, ARRAY), "column 'x0' holds infinity in row 5", "Replace it", but={ID3: ("column 'x0' holds infinity in row 5",)}),
    table("an array of nothing but infinity", lambda: np.full((N, 2), -np.inf), "column 'x0' holds infinity in row 0"),
]

SIZES = [
    table("no rows, an array", lambda: np.empty((0, 2)), "0 sample(s)", "no rows", y=list),
    table("no rows, a dict", lambda: {"a": [], "b": []}, "0 sample(s)", "no rows", y=list),
    table("no rows, a data frame", lambda: pd.DataFrame({"a": []}), "0 sample(s)", "no rows", y=list),
    table("no rows, a table of Arrow", lambda: pa.table({"a": pa.array([], pa.float64())}), "0 sample(s)", "no rows", y=list),
    table("no columns, an array", lambda: np.empty((N, 0)), "0 feature(s)", "no columns"),
    table("no columns, a dict", dict, "0 feature(s)", "no columns", y=list),
    table("no columns, a data frame", lambda: pd.DataFrame(index=range(N)), "0 feature(s)", "no columns"),
    table("lists without columns", lambda: [[] for _ in V], "0 feature(s)", "no columns"),
    table("one row", lambda: [[1.0, 2.0]], y=lambda: [3], answers=ONE),
    table("one row with a gap", lambda: [[np.nan, 2.0]], y=lambda: [3], answers=ONE),
    table("two rows", lambda: [[1.0], [2.0]], y=lambda: [3, 4], answers=SOUND),
    table("two equal rows with different targets", lambda: [[1.0], [1.0]], y=lambda: [3, 4], answers=SOUND),
    table("three rows", lambda: [[1.0], [2.0], [3.0]], y=lambda: [0, 1, 1], answers=SOUND),
    table("all rows the same", lambda: np.ones((N, 3)), answers=ONE),
    table("all columns the same", lambda: np.array([V] * 30).T),
    table("20,000 columns", lambda: np.column_stack([np.array(V, np.float32), np.zeros((N, 19_999), np.float32)])),
    table("500 columns of a dict", lambda: {"a": V} | {f"c{at}": B for at in range(500)}, answers=SOUND),
    table("1,000 columns of a data frame", lambda: pd.DataFrame(np.column_stack([V, np.zeros((N, 999), int)])).rename(columns=str)),
    table("an empty column beside others", lambda: {"a": V, "b": [None] * N}),
    table("a column without rows beside others", lambda: {"b": B, "a": []}, "'b' has 48 rows and column 'a' 0"),
]

NAMES = [
    named("whole numbers for names", 0, 1),
    named("other whole numbers for names", 2020, 2021),
    named("fractions for names", 0.5, 1.5),
    named("None for a name", None, "b", says=("names of the columns", type(pd.Index([None, "b"])[0]).__name__, "str")),
    named("a name that is NaN", float("nan"), 1.0),
    named("numbers beside texts", 0, "b", says=("names of the columns", "int", "str", "Name all of them")),
    named("tuples for names", ("a", 1), ("a", 2)),
    table("a MultiIndex of columns", lambda: pd.DataFrame(PAIRS, columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")]))),
    named("timestamps for names", pd.Timestamp("2020"), pd.Timestamp("2021")),
    named("two columns of one name", "a", "a", says=("more than one column named 'a'", "Rename or drop")),
    named("names that differ in case", "a", "A"),
    named("names that differ in spaces", "a", " a"),
    named("an empty name", "", "b"),
    named("a name of spaces", "   ", "b"),
    named("NUL in a name", "a\0b", "b"),
    named("a newline in a name", "a\nb", "b\r\n"),
    named("HTML in a name", "<script>alert(1)</script>", "<b>b</b>"),
    named("quotes and backslashes in a name", "a\"'\\", "`b`"),
    named("brackets of XGBoost's dislike", "a[0]<1", "b"),
    named("emoji in a name", "\U0001f333", "b"),
    named("right to left in a name", "\u202e\u05d0", "b"),
    table("a lone surrogate in a name", lambda: {"\ud800": V, "b": B}, "was not written", "half a character"),
    named("names of 10,000 characters", "x" * 10_000, "y" * 10_000),
    named("a format string for a name", "{0}%s", "%(b)s"),
    named("the name of the target", "y", "target"),
    named("names of the library's own", "x1", "x0"),
    table("names that are subclasses of str", lambda: {type("Name", (str,), {})("a"): V, "b": B}),
    table("a name of bytes", lambda: {b"a": V, "b": B}, "names of the columns", "bytes", "str"),
    table("names in a structured array", lambda: np.array([tuple(row) for row in PAIRS], dtype=[("<a>", "f8"), ("\u00e9", "f8")])),
]

MAPPINGS = [
    table("a proxy of a dict", lambda: MappingProxyType({"a": V, "b": B}), answers=SOUND),
    table("a chain of dicts", lambda: ChainMap({"a": V}, {"b": B}), answers=SOUND),
    table("a dict of scalars", lambda: {"a": 1, "b": 2}, "column 'a' is a single value, 1"),
    table("the target's labels as a column", lambda: {"a": LABELS, "b": B}),
    table("the target's numbers as a column", lambda: {"a": NUMBERS, "b": B}),
]

CASES = [*CONTAINERS, *NO_TABLES, *SIZES, *NAMES, *MAPPINGS]
