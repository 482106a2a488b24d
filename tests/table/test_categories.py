"""Categories: the same values give the same codes from any container; what is declared counts."""

import datetime as dt
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright.errors import ColumnError, UnseenCategoryWarning
from treewright.missing_values import is_missing_code
from treewright.table.checks import refuse_missing
from treewright.table.encode import encode, encode_as
from treewright.table.read import Declared, read

TEXTS = ["red", "blue", None, "red"]


def learn(values, categorical=None, counts=None):
    codes, columns = encode(read({"a": values}), categorical, counts)
    return codes[0], columns[0]


OBSERVED = {
    "list": list,
    "numpy": lambda v: np.array(v, dtype=object),
    "masked": lambda v: np.ma.array([each or "" for each in v], mask=[each is None for each in v]),
    "pandas": pd.Series,
    "pandas objects": lambda v: pd.Series(v, dtype=object),
    "pandas string": lambda v: pd.Series(v, dtype="string"),
    "pandas on arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.string())),
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "polars": pl.Series,
    "polars category": lambda v: pl.Series(v, dtype=pl.Categorical),
    "arrow": lambda v: pa.chunked_array([v[:1], v[1:]]),
    "arrow dictionary": lambda v: pa.chunked_array([pa.array(v).dictionary_encode()]),
    "arrow dictionaries": lambda v: pa.chunked_array(
        [pa.array(v[1:2]).dictionary_encode(), pa.array(v[2:]).dictionary_encode()]
    ).slice(0, 3),
}


@pytest.mark.parametrize("make", OBSERVED.values(), ids=OBSERVED)
def test_texts_of_any_container_are_the_same_categories(make):
    code, column = learn(make(TEXTS))
    assert code.dtype == np.int32
    assert code.tolist() == ([1, 0, -1, 1] if len(code) == 4 else [0, -1, 1])
    assert (column.kind, column.categories) == ("category", ("blue", "red"))
    assert all(type(each) is str for each in column.categories)
    assert is_missing_code(code).tolist() == (code < 0).tolist()


def test_the_order_of_rows_does_not_show():
    assert learn(TEXTS[::-1])[1] == learn(TEXTS)[1]
    others = pl.Series(["zebra", "ant"], dtype=pl.Categorical)  # share one list with all polars categoricals
    assert len(others) == 2
    assert learn(pl.Series(TEXTS, dtype=pl.Categorical))[1].categories == ("blue", "red")


DECLARED = {
    "pandas": lambda v, c: pd.Series(pd.Categorical(v, categories=c)),
    "pandas ordered": lambda v, c: pd.Series(pd.Categorical(v, categories=c, ordered=True)),
    "polars enum": lambda v, c: pl.Series(v, dtype=pl.Enum(c)),
    "arrow ordered": lambda v, c: pa.chunked_array(
        [
            pa.DictionaryArray.from_arrays(
                pa.array([None if each is None else c.index(each) for each in v], pa.int8()),
                pa.array(c),
                ordered=True,
            )
        ]
    ),
}


@pytest.mark.parametrize("make", DECLARED.values(), ids=DECLARED)
def test_declared_categories_count_in_their_order_and_unused_ones_too(make):
    code, column = learn(make(TEXTS, ["red", "green", "blue"]))
    assert code.tolist() == [0, 2, -1, 0]
    assert column.categories == ("red", "green", "blue")


BOOLEANS = {
    "list": list,
    "pandas": lambda v: pd.Series(v, dtype="boolean"),
    "pandas objects": lambda v: pd.Series(v, dtype=object),
    "polars": pl.Series,
    "arrow": lambda v: pa.chunked_array([v]),
}


@pytest.mark.parametrize("make", BOOLEANS.values(), ids=BOOLEANS)
def test_booleans_are_categories(make):
    code, column = learn(make([True, None, False]))
    assert code.tolist() == [1, -1, 0]
    assert column.categories == (False, True)


def test_a_block_of_booleans_is_categories_unless_nothing_is_to_be():
    block = np.array([[True, False], [False, False]])
    codes, columns = encode(read(block))
    assert [code.tolist() for code in codes] == [[1, 0], [0, 0]]
    assert [column.categories for column in columns] == [(False, True), (False,)]
    codes, columns = encode(read(block), frozenset())
    assert [code.tolist() for code in codes] == [[1.0, 0.0], [0.0, 0.0]]
    assert [column.kind for column in columns] == ["number", "number"]


@pytest.mark.parametrize(
    "values",
    [
        [30, 4, None],
        np.array([30.0, 4.0, np.nan]),
        pd.Series([30, 4, None], dtype="Int64"),
        pl.Series([30, 4, None]),
        pl.Series([30.0, 4.0, None]),
    ],
    ids=["list", "floats", "pandas", "polars", "polars floats"],
)
def test_numbers_that_are_to_be_categories_are_sorted_as_numbers(values):
    code, column = learn(values, {0})
    assert code.tolist() == [1, 0, -1]
    assert column.categories == (4, 30)
    assert all(type(each) is int for each in column.categories)


def test_columns_of_a_block_may_be_categories():
    codes, columns = encode(read(np.array([[7.5, 1.0], [2.0, 3.0]])), {0})
    assert [column.kind for column in columns] == ["category", "number"]
    assert columns[0].categories == (2, 7.5)
    assert codes[0].tolist() == [1, 0]


def test_declared_numbers_are_categories_or_numbers_as_one_wishes():
    values = pd.Series([None, 3, 4], dtype="category")
    assert learn(values)[1].categories == (3, 4)
    np.testing.assert_array_equal(learn(values, frozenset())[0], [np.nan, 3.0, 4.0])


def test_declared_objects_are_known_by_how_they_read():
    code, column = learn(pd.Series(pd.Categorical([pd.Interval(0, 1), None])))
    assert (code.tolist(), column.categories) == ([0, -1], ("(0, 1]",))


def test_a_category_that_only_rows_of_no_weight_have_is_none():
    code, column = learn(["a", "b", "c"], counts=np.array([True, False, True]))
    assert column.categories == ("a", "c")
    assert code.tolist() == [0, -1, 1]


def test_texts_that_are_not_to_be_categories_are_refused_with_the_way_out():
    with pytest.raises(
        ColumnError, match=r"column 'a' holds 'red' in row 0, .* name it in categorical_features"
    ):
        learn(TEXTS, frozenset())
    with pytest.raises(ColumnError, match="column 'a' holds 'red' in row 0"):
        learn(pl.Series(TEXTS), frozenset())


def test_mixed_types_are_refused_with_both_values():
    with pytest.raises(
        ColumnError, match=r"column 'a' mixes numbers and texts: it holds 1 in row 0 and 'a' in row 1"
    ):
        learn(np.array([1, "a"], dtype=object))
    with pytest.raises(TypeError, match="mixes booleans and texts"):
        learn(np.array([True, "a"], dtype=object))


@pytest.mark.parametrize("odd", [{"b": 2}, dt.date(2024, 1, 1), b"red"], ids=["dict", "date", "bytes"])
def test_what_is_no_category_is_refused_by_row(odd):
    with pytest.raises(ColumnError, match=r"column 'a' holds a \w+ in row 1"):
        learn(np.array(["red", odd], dtype=object))


def test_moments_are_no_categories_until_they_are_texts():
    with pytest.raises(ColumnError, match="cannot be a category; turn it into texts"):
        learn(np.array(["2024-01-01"], dtype="datetime64[D]"), {0})


def test_infinity_is_no_category():
    with pytest.raises(ColumnError, match="column 'a' holds infinity in row 1"):
        learn(np.array([1.0, np.inf]), {0})


class TestNewRows:
    """Columns of categories, from other containers than in training."""

    def encode_new(self, trained, new, **options):
        _, column = learn(trained)
        return encode_as([column], read({"a": new}).columns, **options)[0].tolist()

    @pytest.mark.parametrize("make", OBSERVED.values(), ids=OBSERVED)
    def test_codes_are_those_of_training(self, make):
        new = make(TEXTS)
        assert self.encode_new(["red", "green", "blue"], new)[-2:] == [-1, 2]

    def test_a_declaration_of_new_rows_does_not_count(self):
        new = pl.Series(["red"], dtype=pl.Enum(["purple", "red"]))
        assert self.encode_new(TEXTS, new) == [1]

    def test_new_categories_are_missing_with_one_warning(self):
        columns = encode(read({"a": TEXTS, "b": list("xyzx")}))[1]
        new = read({"a": ["mauve", "red", "teal"], "b": ["x", "q", None]})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            codes = encode_as(columns, new.columns)
        assert [code.tolist() for code in codes] == [[-1, 1, -1], [0, -1, -1]]
        assert [each.category for each in caught] == [UnseenCategoryWarning]
        assert "column 'a': 'mauve', 'teal'; column 'b': 'q'" in str(caught[0].message)
        assert caught[0].filename == __file__

    def test_many_new_categories_are_counted(self):
        with pytest.warns(UnseenCategoryWarning, match=r"'n0', 'n1', 'n2' and 7 more"):
            self.encode_new(TEXTS, [f"n{each}" for each in range(10)])

    def test_declared_categories_are_known(self):
        assert self.encode_new(pd.Series(pd.Categorical(["a"], categories=["b", "a"])), ["b"]) == [0]

    def test_new_categories_are_refused_where_gaps_are(self):
        with pytest.raises(
            ColumnError, match=r"column 'a' holds 'mauve', first in row 1: it did not occur in training"
        ):
            self.encode_new(TEXTS, ["red", "mauve"], takes_missing=False)

    def test_booleans_are_zero_and_one(self):
        assert self.encode_new([True, False], [0, 1, None]) == [0, 1, -1]
        assert self.encode_new([1.5, 0.5], [True, False]) == [1.0, 0.0]

    def test_nothing_but_gaps_fits_any_column(self):
        assert self.encode_new(TEXTS, [None, None]) == [-1, -1]
        assert self.encode_new(TEXTS, np.array(["NaT"], dtype="datetime64[ns]")) == [-1]
        assert np.isnan(self.encode_new([1.5], pl.Series([None], dtype=pl.String))).all()

    def test_another_kind_is_refused_with_both_kinds(self):
        with pytest.raises(ColumnError, match="column 'a' held texts in training and holds numbers now"):
            self.encode_new(TEXTS, [1.5])
        with pytest.raises(
            ColumnError, match=r"column 'a' holds 'red' in row 0, .* it held numbers in training"
        ):
            self.encode_new([1.5], TEXTS)


def test_gaps_of_categories_are_refused_by_row():
    with pytest.raises(ColumnError, match="column 'a' contains NaN: it has no value in row 1"):
        refuse_missing([np.array([0, -1], dtype=np.int32)], ["a"])


@pytest.mark.parametrize("make", OBSERVED.values(), ids=OBSERVED)
def test_categories_of_a_table_that_is_a_target_are_spelt_out(make):
    raw = read({"a": make(TEXTS)}).columns[0].decoded()
    assert raw.values.tolist()[-1] == "red"


@pytest.mark.parametrize(
    "make",
    [
        Declared,
        lambda v, c: pd.Categorical(v, categories=c),
        lambda v, c: pd.Series(pd.Categorical(v, categories=c)),
        lambda v, c: pa.DictionaryArray.from_arrays(
            pa.array([None if each is None else c.index(each) for each in v], pa.int32()), c, ordered=True
        ),
    ],
    ids=["declared", "pandas categorical", "pandas series", "arrow dictionary"],
)
def test_categories_declared_by_one_column_of_a_dict_count(make):
    codes, column = learn(make(["low", None, "high"], ["low", "middle", "high"]))
    assert column.categories == ("low", "middle", "high")
    assert codes.tolist() == [0, -1, 2]


def test_declared_numbers_are_categories():
    codes, column = learn(Declared(np.array([3, 1]), [3, 2, 1]))
    assert (codes.tolist(), column.categories) == ([0, 2], (3, 2, 1))
    codes, column = learn(Declared([1.0, float("nan")], [1.0, 2.0]))
    assert (codes.tolist(), column.categories) == ([0, -1], (1, 2))


def test_a_value_that_was_not_declared_is_refused():
    with pytest.raises(ColumnError, match=r"'a' holds 'hihg' in row 1, .* declared .* Did you mean 'high'\?"):
        learn(Declared(["low", "hihg"], ["low", "high"]))
    with pytest.raises(ColumnError, match="column 'a' declares 'low' more than once"):
        learn(Declared(["low"], ["low", "high", "low"]))
