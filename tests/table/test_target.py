"""Targets: labels become codes, numbers stay what they are, gaps are refused."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright.errors import TargetError
from treewright.table.read import Raw, read_values
from treewright.table.target import read_classes, read_numbers, refuse_unfit_for_poisson


def classes(data):
    return read_classes(read_values(data)[0])


def numbers(data):
    return read_numbers(read_values(data)[0])


LABELS = {
    "texts": (["b", "a", "b"], ("a", "b")),
    "numpy texts": (np.array(["b", "a", "b"]), ("a", "b")),
    "pandas": (pd.Series(["b", "a", "b"]), ("a", "b")),
    "pandas category": (pd.Series(["b", "a", "b"], dtype="category"), ("a", "b")),
    "pandas category of numbers": (pd.Series([7, 3, 7], dtype="category"), (3, 7)),
    "polars": (pl.Series(["b", "a", "b"]), ("a", "b")),
    "polars category": (pl.Series(["b", "a", "b"], dtype=pl.Categorical), ("a", "b")),
    "arrow dictionary": (pa.chunked_array([pa.array(["b", "a", "b"]).dictionary_encode()]), ("a", "b")),
    "whole numbers": ([7, -3, 7], (-3, 7)),
    "unsigned": (np.array([7, 3, 7], dtype=np.uint8), (3, 7)),
    "int8 at its ends": (np.array([127, -128, 127], dtype=np.int8), (-128, 127)),
    "far apart": ([10**15, -(10**15), 10**15], (-(10**15), 10**15)),
    "whole floats": ([1.0, 0.0, 1.0], (0, 1)),
    "booleans": ([True, False, True], (False, True)),
    "objects": (np.array([2, 1, 2], dtype=object), (1, 2)),
    "boolean objects": (np.array([True, False, True], dtype=object), (False, True)),
    "objects of whole floats": (np.array([2.0, 1, 2], dtype=object), (1, 2)),
}


@pytest.mark.parametrize(("data", "names"), LABELS.values(), ids=LABELS)
def test_labels_of_any_type_are_sorted_and_coded(data, names):
    target = classes(data)
    assert target.names == names
    assert [type(name) for name in target.names] == [type(name) for name in names]
    assert target.codes.tolist() == [1, 0, 1]
    assert target.codes.dtype == np.int32


@pytest.mark.parametrize("dtype", ["i2", "f4", "?", "<U1", object])
def test_labels_keep_the_type_they_came_in(dtype):
    values = np.array(["b", "a"], dtype=dtype) if dtype in ("<U1", object) else np.array([1, 0], dtype=dtype)
    assert classes(values).labels.dtype == np.dtype(dtype)


CODED = {
    "texts": ["b", "a", "never"],
    "numbers": [7, 3, 5],
    "whole floats": [2.0, 1.0, 0.0],
    "booleans": [True, False],
    "fractions": [0.5, 1.0],
    "texts and numbers": ["b", 3],
    "an infinite one": [1.0, float("inf")],
    "moments": [dt.date(2020, 1, 2), dt.date(2020, 1, 1)],
}


@pytest.mark.parametrize("is_declared", [True, False])
@pytest.mark.parametrize("codes", [[0, 1, 0, 0], [1, 0], [1, 1], [0, 1, -1]])
@pytest.mark.parametrize("labels", CODED.values(), ids=CODED)
def test_labels_of_a_coded_column_are_read_as_those_of_its_rows(labels, codes, is_declared):
    raw = Raw(np.array(codes, dtype=np.int32), labels=labels, is_declared=is_declared)

    def outcome(raw):
        try:
            read = read_classes(raw)
        except TargetError as error:
            return str(error)
        return read.codes.tolist(), read.names, read.labels.dtype

    assert outcome(raw) == outcome(raw.decoded())
    if not isinstance(outcome(raw), str):
        assert read_classes(raw).n_declared == (len(labels) if is_declared else 0)


def test_many_distinct_labels_are_coded_like_few():
    values = np.random.default_rng(0).integers(0, 10**9, 500)
    target = classes(values)
    np.testing.assert_array_equal(target.labels[target.codes], values)


def test_fractions_are_no_labels():
    with pytest.raises(TargetError, match=r"Unknown label type: continuous.*0\.5 in row 1"):
        classes([1.0, 0.5])


@pytest.mark.parametrize(
    "data",
    [["a", 1], [b"a", b"b"], [dt.date(2024, 1, 1)], np.array(["2024"], dtype="datetime64[D]"), [(1,), (2,)]],
)
def test_labels_of_other_or_mixed_types_are_refused(data):
    values = np.empty(len(data), dtype=object)
    values[:] = list(data)
    with pytest.raises(TargetError, match="Unknown label type"):
        classes(values)


@pytest.mark.parametrize(
    "data",
    [
        ["a", None],
        [1.0, np.nan],
        [1.0, np.inf],
        pd.Series(["a", None]),
        pd.Series(["a", None], dtype=object),
        pd.Series(["a", None], dtype="string"),
        pd.Series(["a", None], dtype="category"),
        pd.Series([1, None], dtype="Int64"),
        pl.Series(["a", None]),
        pa.chunked_array([pa.array(["a", None]).dictionary_encode()]),
    ],
    ids=[
        *("texts", "floats", "infinite", "pandas", "pandas objects", "pandas string", "pandas category"),
        *("integers", "polars", "arrow dictionary"),
    ],
)
def test_a_gap_among_labels_is_refused_with_its_row(data):
    with pytest.raises(TargetError, match="in row 1"):
        classes(data)


@pytest.mark.parametrize(
    "data", [[1, 2], [1.0, 2.0], [True, 2], np.array([1, 2], dtype=object), pl.Series([1, 2])]
)
def test_numbers_become_floats(data):
    values = numbers(data)
    assert values.dtype == np.float64
    assert values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, None])
def test_a_gap_among_numbers_is_refused_with_its_row(bad):
    with pytest.raises(TargetError, match="in row 2"):
        numbers([1.0, 2.0, bad])


def test_zeros_have_no_sign():
    assert not np.signbit(numbers([-0.0, 0.0])).any()


def test_numbers_whose_sum_is_beyond_float64_are_taken():
    assert numbers([1e308, 1e308]).tolist() == [1e308, 1e308]


@pytest.mark.parametrize("data", [["1.5", "2"], np.array(["2024"], dtype="datetime64[D]")])
def test_what_is_no_number_is_refused(data):
    with pytest.raises(TargetError, match=r"the target (is|cannot be)"):
        numbers(data)


def test_complex_targets_are_refused():
    with pytest.raises(TargetError, match="Complex data not supported"):
        numbers([1j])


def test_poisson_deviance_wants_numbers_of_at_least_zero_and_some_above():
    with pytest.raises(TargetError, match=r"the target holds -0\.5 in row 2; Poisson deviance needs"):
        refuse_unfit_for_poisson(np.array([1.0, 0.0, -0.5]), None)
    with pytest.raises(TargetError, match=r"0 in every row .*needs a positive sum"):
        refuse_unfit_for_poisson(np.array([0.0, 3.0]), np.array([1.0, 0.0]))
    refuse_unfit_for_poisson(np.array([-7.0, 3.0]), np.array([0.0, 1.0]))  # a row of weight 0 is absent
