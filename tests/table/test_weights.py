"""Weights of rows."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright.errors import WeightError
from treewright.table.weights import read_weights


@pytest.mark.parametrize(
    "data", [[1, 2], np.array([1, 2], dtype=np.int8), pd.Series([1.0, 2.0]), pl.Series([1, 2])]
)
def test_weights_are_read_from_any_container(data):
    assert read_weights(data, 2).tolist() == [1.0, 2.0]


def test_a_number_stands_for_every_row():
    assert read_weights(2.5, 2).tolist() == [2.5, 2.5]


def test_weights_of_one_are_no_weights():
    assert read_weights([1, 1.0], 2) is None


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ([1, -1], "sample_weight holds -1.0 in row 1"),
        ([1, np.nan], "sample_weight holds nan in row 1"),
        ([1, np.inf], "sample_weight holds inf in row 1"),
        ([0, 0], "all weights are zero"),
        ([1, 2, 3], "sample_weight has 3 values, the table 2 rows"),
        (np.ones((2, 2)), r"sample_weight has shape \(2, 2\)"),
        (["a", "b"], "sample_weight must be numbers"),
        (pd.Series([1, None], dtype="Int64"), "sample_weight holds nan in row 1"),
        (np.array([1, 2], dtype="timedelta64[s]"), "sample_weight is of type"),
    ],
)
def test_bad_weights_are_refused_with_what_is_wrong(data, text):
    with pytest.raises(WeightError, match=text):
        read_weights(data, 2, "sample_weight")
