"""Columns of a new table find their place by name, else by position."""

import numpy as np
import pytest

from treewright.errors import ColumnError, TableError
from treewright.schema import Column, Numbers, Schema
from treewright.table.match import match
from treewright.table.read import read

SCHEMA = Schema((Column("age"), Column("income")), Numbers(), target_name="bought")


def first_values(data, schema=SCHEMA):
    return [raw.values[0] for raw in match(read(data), schema)]


def test_columns_are_matched_by_name_in_any_order():
    assert first_values({"income": [2], "age": [1]}) == [1, 2]


def test_columns_without_names_are_matched_by_position():
    assert first_values(np.array([[1, 2]])) == [1, 2]


def test_the_target_may_come_along_if_it_was_a_column():
    assert first_values({"bought": [3], "income": [2], "age": [1]}) == [1, 2]


def test_names_mean_nothing_to_a_model_trained_without_them():
    unnamed = Schema((Column("x0"), Column("x1")), Numbers())
    assert first_values({"b": [1], "a": [2]}, unnamed) == [1, 2]


def test_default_names_are_matched_where_the_table_has_them():
    unnamed = Schema((Column("x0"), Column("x1")), Numbers())
    assert first_values({"x1": [1], "x0": [2]}, unnamed) == [2, 1]


def test_a_missing_column_is_named_with_the_nearest_one_there():
    with pytest.raises(ColumnError, match=r"column 'age', present in training\. Is it now called 'agee'\?"):
        first_values({"income": [2], "agee": [1]})


def test_a_column_not_there_in_training_is_named():
    with pytest.raises(ColumnError, match="absent in training: column 'height'"):
        first_values({"income": [2], "age": [1], "height": [3]})


def test_the_wrong_number_of_columns_is_refused_with_both_numbers():
    with pytest.raises(TableError, match="the table has 3 columns, the training table had 2"):
        first_values(np.zeros((1, 3)))
