"""Whole numbers and moments at the ends of 64 bits: never read as missing, in any container."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright import DecisionTreeClassifier, ID3Classifier
from treewright.errors import ColumnError
from treewright.files.reader import read_file

LARGEST = 2**63 - 1
CONTAINERS = {
    "dict of lists": lambda values: {"a": values},
    "dict of an array": lambda values: {"a": np.array(values)},
    "dict of uint64": lambda values: {"a": np.array(values, dtype=np.uint64)},
    "dict of objects": lambda values: {"a": np.array(values, dtype=object)},
    "array": lambda values: np.array(values).reshape(-1, 1),
    "lists": lambda values: [[value] for value in values],
    "pandas": lambda values: pd.DataFrame({"a": values}),
    "pandas with a mask": lambda values: pd.DataFrame({"a": pd.array(values, dtype="Int64")}),
    "polars": lambda values: pl.DataFrame({"a": values}),
    "arrow": lambda values: pa.table({"a": values}),
}
BELOW, ABOVE = [2**62 + 1, 2**62 + 3], [LARGEST - 3, LARGEST - 1]
IN_EVERY_CONTAINER = pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)


@IN_EVERY_CONTAINER
@pytest.mark.parametrize("missing", ["learned", "refuse"])
def test_the_largest_integer_is_refused_by_name_in_training(make, missing):
    tree = DecisionTreeClassifier(missing=missing)
    with pytest.raises(ColumnError, match=f"holds {LARGEST} in row 2, beyond the whole numbers"):
        tree.fit(make([*BELOW, LARGEST, LARGEST]), [0, 0, 1, 1])


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
def test_the_largest_integer_of_a_file_is_refused_by_name(tmp_path, suffix):
    path, frame = tmp_path / f"table.{suffix}", pl.DataFrame({"a": [*BELOW, LARGEST]})
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}[suffix](path)
    with pytest.raises(ColumnError, match=f"column 'a' holds {LARGEST} in row 2"):
        DecisionTreeClassifier().fit(read_file(path), [0, 0, 1])


@IN_EVERY_CONTAINER
def test_the_largest_integer_is_a_value_at_prediction(make):
    """A gap would go to the left, where most rows are."""
    tree = DecisionTreeClassifier(missing="majority").fit(make([*BELOW, 0, *ABOVE]), [0, 0, 0, 1, 1])
    rows = make([LARGEST, LARGEST - 1])
    assert tree.predict(rows).tolist() == [1, 1]
    assert tree.explain(make([LARGEST])).answer == 1


def test_a_gap_may_hide_any_integer():
    column = np.ma.masked_array([*BELOW, LARGEST, -(2**63)], [False, False, True, True])
    tree = DecisionTreeClassifier().fit({"a": column}, [0, 0, 1, 1])
    assert tree.predict({"a": [2**62 + 1, None]}).tolist() == [0, 1]


MOMENTS = {
    "datetimes": (pd.Timestamp("2020-01-01"), pd.Timestamp.max, pd.Timestamp.min),
    "durations": (pd.Timedelta(days=1), pd.Timedelta.max, pd.Timedelta.min),
}
MAKERS = {
    "pandas": lambda values: pd.DataFrame({"a": values}),
    "polars": lambda values: pl.from_pandas(pd.DataFrame({"a": values})),
    "arrow": lambda values: pa.Table.from_pandas(pd.DataFrame({"a": values})),
    "objects": lambda values: {"a": np.array(values, dtype=object)},
}


@pytest.mark.parametrize("kind", MOMENTS)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_last_moment_is_refused_in_training_and_the_first_is_not(kind, make):
    some, last, first = MOMENTS[kind]
    with pytest.raises(ColumnError, match=f"in row 1, beyond the {kind} that compare exactly"):
        DecisionTreeClassifier().fit(make([some, last]), [0, 1])
    tree = DecisionTreeClassifier().fit(make([some, first]), [0, 1])
    assert not tree.model_.schema.columns[0].has_missing
    assert tree.predict(make([some, first, last])).tolist() == [0, 1, 0]


def test_moments_beyond_the_unit_of_training_are_no_gaps():
    """Gaps go where most rows are, to the left; the year 9999 is on the right of every cut."""
    years = np.array(["2001", "2002", "2003", "2020", "2021"], dtype="datetime64[ns]")
    X = {"a": years, "b": ["x"] * 5}  # with a category beside it rows go down by keys
    tree = DecisionTreeClassifier(missing="majority").fit(X, [0, 0, 0, 1, 1])
    new = {"a": np.array(["9999-12-31", "0001-01-01"], dtype="datetime64[D]"), "b": ["x", "x"]}
    assert tree.predict(new).tolist() == [1, 0]


def test_the_last_moment_is_refused_where_it_would_be_cut_into_intervals():
    X = {"a": np.array(["2001", "2002", LARGEST], dtype="datetime64[ns]")}
    with pytest.raises(ColumnError, match="in row 2, beyond the datetimes"):
        ID3Classifier(bins=2).fit(X, [0, 0, 1])


@pytest.mark.parametrize("value", [LARGEST, LARGEST - 1, 2**64 - 1, -(2**63), -LARGEST])
def test_an_explanation_shows_the_value_that_was_given(value):
    tree = DecisionTreeClassifier().fit({"a": [2**53 + 1, 2**53 + 2]}, [0, 1])
    assert str(value) in str(tree.explain({"a": value}))


def test_an_explanation_shows_the_moment_that_was_given():
    tree = DecisionTreeClassifier().fit({"a": np.array(["2001", "2002"], dtype="datetime64[ns]")}, [0, 1])
    assert "9999-12-31" in str(tree.explain({"a": np.datetime64("9999-12-31")}))
