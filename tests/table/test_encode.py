"""Codes out: the same values give the same codes from any dtype and container."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright.errors import ColumnError
from treewright.missing_values import MISSING_INTEGER, is_missing_code
from treewright.table.checks import first_infinite
from treewright.table.encode import encode, encode_as
from treewright.table.read import read


def encode_one(values):
    codes, columns = encode(read({"a": values}))
    return codes[0], columns[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_are_kept_as_they_are(dtype):
    values = np.array([1.5, np.nan], dtype=dtype)
    code, column = encode_one(values)
    assert code.dtype == dtype
    assert np.shares_memory(code, values)
    assert column.kind == "number"


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", ">f4", ">i8", "g"])
def test_small_numbers_of_any_type_are_the_same_numbers(dtype):
    code, column = encode_one(np.array([0, 1, 1], dtype=dtype))
    assert code.dtype in (np.float32, np.float64)
    assert code.dtype.isnative
    assert code.tolist() == [0.0, 1.0, 1.0]
    assert column.kind == "number"


@pytest.mark.parametrize("value", [2**24, 2**24 + 1, -(2**24) - 1, 2**31 - 1, 2**53, -(2**53)])
def test_whole_numbers_that_a_float_holds_are_exact(value):
    code, column = encode_one(np.array([value, 0], dtype=np.int64))
    assert int(code[0]) == value
    assert column.kind == "number"


def test_sparse_large_numbers_are_numbers_if_a_float_holds_them():
    assert encode_one(np.array([2**60, 2**61]))[1].kind == "number"


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_whole_numbers_beyond_a_float_are_compared_as_integers(dtype):
    values = np.array([2**53 + 1, 2**53 + 2], dtype=dtype)
    code, column = encode_one(values)
    assert code.dtype == np.int64
    assert code.tolist() == values.tolist()
    assert column.kind == "integer"


def test_the_greatest_integers_are_not_taken_for_floats():
    assert encode_one(np.array([2**63 - 2, 0]))[1].kind == "integer"


def test_whole_numbers_beyond_int64_are_refused_with_the_value():
    with pytest.raises(ColumnError, match=r"column 'a' holds 9223372036854775809 in row 1"):
        encode_one(np.array([1, 2**63 + 1], dtype=np.uint64))


def test_the_code_of_a_gap_is_refused_as_a_value():
    with pytest.raises(ColumnError, match="holds -9223372036854775808 in row 0"):
        encode_one(np.array([-(2**63), 2**53 + 1]))


NULLABLE = {
    "pandas": lambda v: pd.Series(v, dtype="Int64"),
    "pandas on arrow": lambda v: pd.Series(v, dtype="int64[pyarrow]"),
    "polars": pl.Series,
    "arrow": lambda v: pa.chunked_array([v]),
    "list": list,
    "objects": lambda v: np.array(v, dtype=object),
}


@pytest.mark.parametrize("make", NULLABLE.values(), ids=NULLABLE)
def test_integers_with_gaps_are_numbers_with_gaps(make):
    code, column = encode_one(make([1, None, 3]))
    np.testing.assert_array_equal(code, [1.0, np.nan, 3.0])
    assert column.kind == "number"


@pytest.mark.parametrize("make", NULLABLE.values(), ids=NULLABLE)
def test_large_integers_with_gaps_stay_exact(make):
    code, column = encode_one(make([2**53 + 1, None, 2**53 + 2]))
    assert code.tolist() == [2**53 + 1, MISSING_INTEGER, 2**53 + 2]
    assert column.kind == "integer"
    assert is_missing_code(code).tolist() == [False, True, False]


@pytest.mark.parametrize("absent", [None, np.nan, pd.NA, pd.NaT, Decimal("NaN")], ids=str)
def test_every_word_for_missing_is_missing_among_objects(absent):
    values = np.array([1.5, absent, 2], dtype=object)
    np.testing.assert_array_equal(encode_one(values)[0], [1.5, np.nan, 2.0])


def test_objects_that_are_numbers_are_numbers():
    values = np.array([1, 2.5, Decimal("0.5"), Fraction(1, 4), np.float32(3)], dtype=object)
    assert encode_one(values)[0].tolist() == [1.0, 2.5, 0.5, 0.25, 3.0]


def test_decimals_of_arrow_and_polars_are_numbers():
    assert encode_one(pa.chunked_array([[Decimal("1.25"), Decimal("2.50")]]))[0].tolist() == [1.25, 2.5]
    assert encode_one(pl.Series([Decimal("1.25"), None]))[0][0] == 1.25


def test_a_column_of_nothing_but_gaps_is_a_number():
    for values in (
        [None, None],
        pl.Series([None, None]),
        pl.Series([None, None], dtype=pl.String),
        pd.Series([None, None], dtype="boolean"),
        pa.chunked_array([pa.nulls(2)]),
        pd.Series([pd.NA, pd.NA]),
    ):
        code, column = encode_one(values)
        assert np.isnan(code).all()
        assert column.kind == "number"


DAYS = [dt.datetime(2024, 2, 29), None, dt.datetime(2025, 1, 1)]
DATETIMES = {
    "numpy days": lambda: np.array(DAYS, dtype="datetime64[D]"),
    "numpy ns": lambda: np.array(DAYS, dtype="datetime64[ns]"),
    "pandas": lambda: pd.Series(DAYS),
    "pandas s": lambda: pd.Series(DAYS).astype("datetime64[s]"),
    "polars": lambda: pl.Series(DAYS),
    "polars dates": lambda: pl.Series(DAYS).cast(pl.Date),
    "arrow": lambda: pa.chunked_array([pa.array(DAYS, type=pa.timestamp("ms"))]),
    "arrow dates": lambda: pa.chunked_array([pa.array(DAYS, type=pa.date32())]),
    "pandas dates on arrow": lambda: pd.Series([d and d.date() for d in DAYS], dtype="date32[pyarrow]"),
    "objects": lambda: np.array(DAYS, dtype=object),
    "dates": lambda: [d and d.date() for d in DAYS],
    "timestamps": lambda: np.array([d and pd.Timestamp(d) for d in DAYS], dtype=object),
}


@pytest.mark.parametrize("make", DATETIMES.values(), ids=DATETIMES)
def test_the_same_instants_give_the_same_codes(make):
    code, column = encode_one(make())
    assert code.tolist() == [1709164800 * 10**9, MISSING_INTEGER, 1735689600 * 10**9]
    assert (column.kind, column.unit, column.zone) == ("datetime", "ns", "")


ZONED = [dt.datetime(2024, 2, 29, 1, tzinfo=dt.timezone(dt.timedelta(hours=1)))]


@pytest.mark.parametrize(
    "values",
    [pd.Series(ZONED), pl.Series(["2024-02-29T00:00:00Z"]).str.to_datetime(time_zone="Europe/Paris"), ZONED],
    ids=["pandas", "polars", "objects"],
)
def test_instants_with_a_zone_are_counted_in_utc(values):
    code, column = encode_one(values)
    assert code.tolist() == [1709164800 * 10**9]
    assert column.zone == "UTC"


def test_zones_are_not_mixed():
    with pytest.raises(ColumnError, match="mixes datetimes with and without a time zone"):
        encode_one([*ZONED, dt.datetime(2024, 1, 1)])


@pytest.mark.parametrize(
    "values",
    [
        np.array([60, "NaT"], dtype="timedelta64[s]"),
        pd.Series([dt.timedelta(minutes=1), None]),
        pl.Series([dt.timedelta(minutes=1), None]),
        pa.chunked_array([pa.array([dt.timedelta(minutes=1), None])]),
        [dt.timedelta(minutes=1), None],
        np.array([pd.Timedelta(minutes=1), None], dtype=object),
    ],
    ids=["numpy", "pandas", "polars", "arrow", "objects", "pandas objects"],
)
def test_the_same_durations_give_the_same_codes(values):
    code, column = encode_one(values)
    assert code.tolist() == [60 * 10**9, MISSING_INTEGER]
    assert (column.kind, column.unit) == ("duration", "ns")


def test_nanoseconds_are_not_rounded():
    stamps = pd.Series(pd.to_datetime(["2024-01-01T00:00:00.000000001", "2024-01-01T00:00:00.000000002"]))
    assert np.diff(encode_one(stamps)[0]).tolist() == [1]
    assert np.diff(encode_one(np.array(list(stamps), dtype=object))[0]).tolist() == [1]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (np.array([1j, 2.0]), "Complex data not supported: column 'a'"),
        (np.array([1, {"b": 2}], dtype=object), "column 'a' holds a dict in row 1"),
        (pl.Series([[1], [2]]), "column 'a' is of type List"),
        (pl.Series([dt.time(1, 2)]), "column 'a' is of type Time"),
        ([2**70 + 1, 1], "beyond 64 bits"),
    ],
    ids=["complex", "dict", "list", "time", "huge"],
)
def test_values_without_an_order_are_refused_by_column(values, text):
    with pytest.raises(ColumnError, match=text):
        encode_one(values)


class TestNewRows:
    """Columns of a learned kind, from other types than in training."""

    def encode_new(self, trained, new):
        _, column = encode_one(trained)
        return encode_as([column], read({"a": new}).columns)[0]

    def test_whole_numbers_fit_a_column_of_floats(self):
        assert self.encode_new([0.5], [3]).tolist() == [3.0]

    def test_floats_fit_a_column_of_large_integers_rounded_down(self):
        code = self.encode_new([2**53 + 1], [1.5, -1.5, np.nan, 1e300, -1e300])
        assert code.tolist() == [1, -2, MISSING_INTEGER, 2**63 - 2, MISSING_INTEGER + 1]

    def test_unsigned_integers_beyond_int64_stop_at_its_end(self):
        assert self.encode_new([2**53 + 1], np.array([2**64 - 1], dtype=np.uint64)).tolist() == [2**63 - 2]

    def test_booleans_fit_a_column_of_large_integers(self):
        assert self.encode_new([2**53 + 1], [True, False]).tolist() == [1, 0]

    def test_the_least_int64_is_a_value_at_prediction(self):
        assert self.encode_new([2**53 + 1], np.array([-(2**63)])).tolist() == [MISSING_INTEGER + 1]

    def test_other_units_of_time_are_converted(self):
        new = np.array(["1970-01-02"], dtype="datetime64[D]")
        assert self.encode_new(np.array(["2000"], dtype="datetime64[ns]"), new).tolist() == [86400 * 10**9]

    def test_moments_beyond_the_unit_stop_at_its_ends(self):
        new = np.array(["9999-12-31", "0001-01-01", "NaT"], dtype="datetime64[D]")
        code = self.encode_new(np.array(["2000"], dtype="datetime64[ns]"), new)
        assert code.tolist() == [2**63 - 2, MISSING_INTEGER + 1, MISSING_INTEGER]

    def test_finer_moments_are_rounded_down(self):
        trained = np.array(["9999-12-31"], dtype="datetime64[D]")  # counted in us
        new = np.array([-1, 1999], dtype="datetime64[ns]")
        assert self.encode_new(trained, new).tolist() == [-1, 1]

    def test_nothing_but_gaps_fits_any_column(self):
        assert self.encode_new(np.array(["2000"], dtype="datetime64[ns]"), [None]).tolist() == [
            MISSING_INTEGER
        ]
        assert self.encode_new(np.array([5], dtype="timedelta64[s]"), [None]).tolist() == [MISSING_INTEGER]

    def test_another_kind_is_refused_with_both_kinds(self):
        with pytest.raises(ColumnError, match="column 'a' held numbers in training and holds datetimes now"):
            self.encode_new([1.5], np.array(["2000"], dtype="datetime64[ns]"))
        with pytest.raises(ColumnError, match="held durations in training and holds numbers now"):
            self.encode_new(np.array([5], dtype="timedelta64[s]"), [5])

    def test_infinity_is_refused_before_it_becomes_an_integer(self):
        with pytest.raises(ColumnError, match="column 'a' holds infinity in row 1"):
            self.encode_new([2**53 + 1], [1.0, np.inf])

    def test_a_zone_is_not_forgotten(self):
        with pytest.raises(ColumnError, match="with a time zone in training and without one now"):
            self.encode_new(ZONED, [dt.datetime(2024, 1, 1)])


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint16, np.float16, bool])
def test_a_block_of_numbers_is_encoded_as_its_columns_are(dtype):
    block = np.array([[0, 1], [1, 1]], dtype=dtype)
    codes, columns = encode(read(block))
    again, columns_again = encode(read({"x0": block[:, 0], "x1": block[:, 1]}))
    assert [code.tolist() for code in codes] == [code.tolist() for code in again]
    assert columns == columns_again


def test_a_block_with_large_integers_is_encoded_column_by_column():
    codes, columns = encode(read(np.array([[2**53 + 1, 1], [2**53 + 2, 2]])))
    assert [column.kind for column in columns] == ["integer", "number"]
    assert codes[1].tolist() == [1.0, 2.0]


def test_an_infinite_value_is_found_beside_gaps():
    codes = [np.array([1.0, np.nan, 2.0]), np.array([1.0, 2.0, -np.inf])]
    assert first_infinite(codes) == (1, 2)
    assert first_infinite(codes[:1]) is None


def test_a_sum_beyond_float64_is_not_an_infinite_value():
    huge = np.full((4, 2), 1e308)
    assert first_infinite(list(huge.T), huge) is None


def test_encoding_with_gaps_leaves_the_data_alone():
    values, mask = np.array([1.0, 2.0]), np.array([True, False])
    table = read(np.ma.MaskedArray(values[:, None], mask=mask[:, None]))
    assert np.isnan(encode(table)[0][0][0])
    assert values.tolist() == [1.0, 2.0]
