"""Any data in: what a table is, and what is not one."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from treewright.errors import ColumnError, TableError
from treewright.table.read import read, read_values

COLUMNS = {"age": [31.0, 52.0, 40.0], "income": [1.5, 2.5, 3.5]}


@pytest.mark.parametrize(
    "make",
    [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table, lambda c: pa.table(c).to_batches()[0]],
    ids=["dict", "pandas", "polars", "polars lazy", "arrow", "arrow batch"],
)
def test_every_container_gives_the_same_columns(make):
    table = read(make(COLUMNS))
    assert table.names == ("age", "income")
    assert table.n_rows == 3
    assert [raw.values.tolist() for raw in table.columns] == list(COLUMNS.values())


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_an_array_is_read_in_place(order, dtype):
    array = np.array([[1, 2, 3], [4, 5, 6]], dtype=dtype, order=order)
    table = read(array)
    assert all(np.shares_memory(raw.values, array) for raw in table.columns)


def test_a_strided_array_is_read_in_place():
    array = np.arange(24.0).reshape(4, 6)[::-2, 1::2]
    table = read(array)
    assert [raw.values.tolist() for raw in table.columns] == array.T.tolist()
    assert np.shares_memory(table.columns[0].values, array)


def test_polars_and_arrow_floats_are_read_in_place():
    frame = pl.DataFrame({"a": np.arange(5.0)})
    assert np.shares_memory(read(frame).columns[0].values, frame["a"].to_numpy())
    arrow = pa.table({"a": np.arange(5.0)})
    assert np.shares_memory(read(arrow).columns[0].values, arrow["a"].chunk(0).to_numpy())


def test_pandas_floats_are_read_in_place():
    frame = pd.DataFrame({"a": np.arange(5.0), "b": np.arange(5.0)})
    assert np.shares_memory(read(frame).columns[0].values, frame["a"].to_numpy())


def test_columns_without_names_are_numbered():
    assert read(np.eye(2)).names == ("x0", "x1")
    assert not read(np.eye(2)).has_names


def test_a_frame_whose_names_are_numbers_counts_as_unnamed():
    assert read(pd.DataFrame(np.eye(2))).names == ("x0", "x1")
    assert not read(pd.DataFrame(np.eye(2))).has_names


def test_names_of_mixed_types_are_refused():
    with pytest.raises(TypeError, match=r"of the types 'int', 'str'.*by texts, or none"):
        read(pd.DataFrame({"a": [1], 3: [2]}))


@pytest.mark.parametrize("library", ["pandas", "arrow"])
def test_doubled_names_are_refused_by_name(library):
    doubled = (
        pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"])
        if library == "pandas"
        else pa.table([pa.array([1])] * 3, names=["a", "b", "a"])
    )
    with pytest.raises(ColumnError, match="more than one column named 'a'"):
        read(doubled)


def test_a_structured_array_has_named_columns():
    array = np.array([(31, 1.5), (52, 2.5)], dtype=[("age", "i4"), ("income", "f8")])
    assert read(array).names == ("age", "income")


def test_a_masked_array_has_gaps_where_it_is_masked():
    masked = np.ma.MaskedArray([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    first, second = read(masked).columns
    assert first.missing.tolist() == [False, False]
    assert second.missing.tolist() == [True, False]


def test_an_object_with_an_array_interface_is_a_table():
    class Wrapped:
        def __init__(self, array):
            self.__array_interface__ = array.__array_interface__
            self.keep = array

    assert read(Wrapped(np.eye(3))).n_rows == 3


def test_large_whole_numbers_in_lists_stay_whole_beside_fractions():
    table = read([[2**53 + 1, 0.5], [2**53 + 2, 1.5]])
    assert table.columns[0].values.tolist() == [2**53 + 1, 2**53 + 2]


def test_numbers_beside_texts_in_lists_stay_numbers():
    assert read([[1, "a"], [2, "b"]]).columns[0].values.tolist() == [1, 2]


@pytest.mark.parametrize("make", [scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.dok_matrix])
def test_sparse_data_is_refused(make):
    with pytest.raises(TypeError, match=r"Sparse data.*toarray"):
        read(make(np.eye(3)))


@pytest.mark.parametrize("data", [None, "table.csv", 3, 2.5])
def test_what_is_no_table_is_refused(data):
    with pytest.raises(TypeError, match="not a table"):
        read(data)


def test_an_object_that_is_no_array_is_refused_by_its_type():
    with pytest.raises(TypeError, match="object cannot be read"):
        read(object())


def test_one_dimension_is_refused_with_the_way_out():
    with pytest.raises(TableError, match="Reshape your data"):
        read(np.arange(3.0))


def test_ragged_rows_are_refused():
    with pytest.raises(TableError, match="ragged"):
        read([[1, 2], [3]])


def test_unequal_columns_are_refused_with_their_lengths():
    with pytest.raises(TableError, match="column 'a' has 2 rows and column 'b' 3"):
        read({"a": [1, 2], "b": [1, 2, 3]})


def test_a_column_of_two_dimensions_is_refused():
    with pytest.raises(ColumnError, match="column 'a' has shape"):
        read({"a": np.eye(2)})


def test_a_misspelt_column_is_answered_with_the_nearest_name():
    with pytest.raises(ColumnError, match=r"column 'agee' is not in the table\. Did you mean 'age'\?"):
        read(COLUMNS).position("agee")


def test_a_column_can_be_taken_out():
    rest, income = read(COLUMNS).split_off("income")
    assert rest.names == ("age",)
    assert income.values.tolist() == [1.5, 2.5, 3.5]


@pytest.mark.parametrize(
    "data",
    [
        [1, 2],
        np.array([1, 2]),
        pd.Series([1, 2]),
        pl.Series([1, 2]),
        pa.chunked_array([[1, 2]]),
        pd.Index([1, 2]),
    ],
    ids=["list", "array", "pandas", "polars", "arrow", "index"],
)
def test_a_column_on_its_own_is_read_from_any_container(data):
    raw, was_two_dimensional = read_values(data)
    assert raw.values.tolist() == [1, 2]
    assert not was_two_dimensional


@pytest.mark.parametrize(
    "data", [np.array([[1], [2]]), pd.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [1, 2]})]
)
def test_a_table_of_one_column_is_taken_for_that_column(data):
    raw, was_two_dimensional = read_values(data)
    assert raw.values.tolist() == [1, 2]
    assert was_two_dimensional


def test_some_rows_of_a_table_keep_what_columns_know():
    frame = pd.DataFrame({"n": pd.array([1, None, 3], dtype="Int64"), "c": pd.Categorical(["b", "a", "b"])})
    part = read(frame).take(np.array([True, True, False]))
    assert part.n_rows == 2
    assert part.columns[0].missing.tolist() == [False, True]
    assert part.columns[1].is_declared
    assert part.columns[1].values.tolist() == [1, 0]
    assert read(np.eye(3)).take(np.array([2])).columns[2].values.tolist() == [1.0]
