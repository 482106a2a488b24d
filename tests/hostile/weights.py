"""Hostile weights of rows."""

# ruff: noqa: E501 - a case is a line
# fmt: off
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from hostile.trial import ONE, SOUND, Case, N, V

nan, inf = float("nan"), float("inf")
C45 = "C45"


def weights(name: str, make: Callable[[], Any], *says: str, **more: Any) -> Case:
    return Case(name, weight=make, says=says, **more)


def each(name: str, weight: Any, *says: str, **more: Any) -> Case:
    """Give a case in which all rows have the same weight."""
    return weights(f"every row {name}", lambda: [weight] * N, *says, **more)


def one(name: str, weight: Any, *says: str, **more: Any) -> Case:
    """Give a case in which row 3 alone has a weight other than 1."""
    return weights(f"one row {name}", lambda: [1.0] * 3 + [weight] + [1.0] * (N - 4), *says, **more)


CASES = [
    each("1", 1),
    each("2", 2.0),
    each("1/3", 1 / 3),
    each("1e-3", 1e-3, but={C45: ONE, "CART": SOUND}),
    each("1e-149", 1e-149, but={C45: ONE, "CART": SOUND}),
    each("1e149", 1e149, but={"CART": SOUND}),
    each("1e150", 1e150, but={"CART": SOUND}),
    each("2^52", 2.0**52, but={"CART": SOUND}),
    each("True", True),
    each("0", 0, "sample_weight: all weights are zero", "at least one row"),
    each("-0.0", -0.0, "sample_weight: all weights are zero", "at least one row"),
    each("-1", -1, "sample_weight holds -1.0 in row 0", "not negative"),
    each("NaN", nan, "sample_weight holds nan in row 0", "finite"),
    each("None", None, "sample_weight holds nan in row 0", "finite"),
    each("infinity", inf, "sample_weight holds inf in row 0", "finite"),
    each("1e308", 1e308, "sample_weight holds 1e+308 in row 0", "at most 1e+150"),
    each("5e-324", 5e-324, "sample_weight holds 5e-324 in row 0", "below 1e-150", "multiply all weights"),
    each("10**400", 10**400, "sample_weight", "1.000e+400", "row 0"),
    each("a text", "1", "sample_weight must be numbers", "'1' in row 0"),
    each("bytes", b"1", "sample_weight must be numbers", "row 0"),
    each("complex", 1j, "sample_weight must be numbers", "Complex"),
    each("Decimal", Decimal("0.5")),
    each("Fraction", Fraction(1, 2)),
    each("an object", object(), "sample_weight must be numbers", "row 0", "object"),
    each("a list", [1.0]),
    one("0", 0.0),
    one("2", 2.0),
    one("1e-9", 1e-9),
    one("1e-149", 1e-149),
    one("1e9", 1e9, answers=SOUND),
    one("1e149", 1e149, answers=SOUND),
    one("-0.0", -0.0),
    one("-1e-300", -1e-300, "sample_weight holds -1e-300 in row 3", "not negative"),
    one("-1", -1.0, "sample_weight holds -1.0 in row 3", "not negative"),
    one("NaN", nan, "sample_weight holds nan in row 3", "finite"),
    one("None", None, "sample_weight holds nan in row 3", "finite"),
    one("infinity", inf, "sample_weight holds inf in row 3", "finite"),
    one("1e200", 1e200, "sample_weight holds 1e+200 in row 3", "at most 1e+150"),
    one("1e-200", 1e-200, "sample_weight holds 1e-200 in row 3", "below 1e-150", "Give 0"),
    one("a text", "heavy", "sample_weight must be numbers", "'heavy' in row 3"),
    weights("both ends at once", lambda: [1e150, 1e-150] * (N // 2), answers=SOUND),
    weights("a single row counts", lambda: [1.0] + [0.0] * (N - 1), answers=ONE),
    weights("two rows count", lambda: [1.0, 1.0] + [0.0] * (N - 2), answers=SOUND),
    weights("one class counts", lambda: [float(v < 4) for v in V], answers=ONE),
    weights("shares of 1", lambda: np.full(N, 1 / N)),
    weights("fractions without end", lambda: [1 / (3 + v) for v in V], but={C45: SOUND, "CART": SOUND}),
    weights("powers of two from -300 to 300", lambda: [2.0 ** (50 * v - 300) for v in V], answers=SOUND),
    weights("a number for all", lambda: 2.0),
    weights("0 for all", lambda: 0.0, "all weights are zero"),
    weights("NaN for all", lambda: nan, "sample_weight holds nan", "finite"),
    weights("True for all", lambda: True, "sample_weight", "48 rows"),
    weights("a text for all", lambda: "balanced", "sample_weight", "48 rows"),
    weights("too few", lambda: [1.0] * (N - 1), "sample_weight has 47 values", "48 rows", "one weight for each row"),
    weights("too many", lambda: [1.0] * (N + 1), "sample_weight has 49 values", "48 rows", "one weight for each row"),
    weights("none at all", list, "sample_weight has 0 values", "48 rows"),
    weights("two columns", lambda: np.ones((N, 2)), "sample_weight has shape (48, 2)", "one weight for each"),
    weights("one column", lambda: np.full((N, 1), 2.0)),
    weights("ragged", lambda: [[1.0] * (1 + v % 2) for v in V], "ragged"),
    weights("a generator", lambda: (1.0 for v in V), "generator", "give an array"),
    weights("a dict", lambda: {0: 1.0}, "dict", "give an array"),
    weights("datetimes", lambda: np.full(N, np.datetime64("2020")), "sample_weight is of type datetime64", "numbers"),
    weights("booleans", lambda: [v != 5 for v in V], but={"ID3": SOUND}),
    weights("int8", lambda: np.full(N, 3, np.int8)),
    weights("uint64", lambda: np.full(N, 3, np.uint64)),
    weights("float16", lambda: np.full(N, 0.5, np.float16)),
    weights("big-endian", lambda: np.full(N, 2.0, ">f8")),
    weights("long doubles", lambda: np.full(N, 2.0, np.longdouble)),
    weights("strided", lambda: np.ones(3 * N)[::3]),
    weights("broadcast, and read-only", lambda: np.broadcast_to(2.0, N)),
    weights("a masked array", lambda: np.ma.masked_array(np.ones(N), np.array(V) == 5), "sample_weight holds nan in row 6", "finite"),
    weights("pandas with another index", lambda: pd.Series([2.0] * N, index=range(N, 2 * N))),
    weights("nullable of pandas", lambda: pd.array([2] * N, dtype="Int64")),
    weights("a gap of pandas", lambda: pd.array([2] * (N - 1) + [None], dtype="Int64"), "sample_weight holds nan in row 47"),
    weights("polars", lambda: pl.Series([2.0] * N)),
    weights("Arrow", lambda: pa.chunked_array([[2.0] * N])),
]
