"""The walk from a table to a model."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from labelled import fit
from treewright.errors import ColumnError, ParameterError, TableError, TargetError
from treewright.parts.missing import Refuse
from treewright.parts.monotone import Monotone
from treewright.parts.pruners import CostComplexity
from treewright.recipes import CART_CLASSES, CART_NUMBERS
from treewright.schema import Classes, Column, Numbers
from treewright.table.read import Raw
from treewright.table.target import read_classes

BLOCK = np.array([[1, 7], [2, 5], [3, 8], [4, 1], [5, 9], [6, 2]], dtype=np.float64)
CLASSES = read_classes(Raw(np.array(["no", "no", "yes", "no", "yes", "yes"])))
NUMBERS = np.array([1.0, 2.0, 2.5, 4.0, 4.5, 6.0])


def test_a_model_remembers_its_table():
    model = fit({"age": [1.0, None], "id": [2**53 + 1, 2**53 + 2]}, np.array([1.0, 2.0]), recipe=CART_NUMBERS)
    assert model.schema.columns == (Column("age", has_missing=True), Column("id", "integer"))
    assert model.schema.target == Numbers()
    assert fit(BLOCK, CLASSES, recipe=CART_CLASSES).schema.target == Classes(("no", "yes"))


CONTAINERS = {
    "float32": lambda: BLOCK.astype(np.float32),
    "int64": lambda: BLOCK.astype(np.int64),
    "int8": lambda: BLOCK.astype(np.int8),
    "objects": lambda: BLOCK.astype(object),
    "columns in memory": lambda: np.asfortranarray(BLOCK),
    "strided": lambda: np.repeat(np.repeat(BLOCK, 2, axis=0), 3, axis=1)[::2, ::3],
    "read-only": lambda: np.frombuffer(BLOCK.tobytes()).reshape(BLOCK.shape),
    "lists": BLOCK.tolist,
    "dict": lambda: {"x0": BLOCK[:, 0], "x1": BLOCK[:, 1].tolist()},
    "pandas": lambda: pd.DataFrame(BLOCK, columns=["x0", "x1"]),
    "pandas without names": lambda: pd.DataFrame(BLOCK),
    "pandas nullable": lambda: pd.DataFrame(BLOCK, columns=["x0", "x1"]).convert_dtypes(),
    "polars": lambda: pl.DataFrame({"x0": BLOCK[:, 0], "x1": BLOCK[:, 1].astype(np.int32)}),
    "arrow": lambda: pa.table({"x0": BLOCK[:, 0], "x1": BLOCK[:, 1]}),
    "arrow in chunks": lambda: pa.concat_tables(
        [pa.table({"x0": BLOCK[i : i + 2, 0], "x1": BLOCK[i : i + 2, 1]}) for i in (0, 2, 4)]
    ),
}


@pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)
@pytest.mark.parametrize(
    ("target", "recipe"), [(CLASSES, CART_CLASSES), (NUMBERS, CART_NUMBERS)], ids=["classes", "numbers"]
)
def test_the_same_values_in_any_container_give_the_same_model_bit_for_bit(make, target, recipe):
    reference = fit(BLOCK, target, recipe=recipe)
    model = fit(make(), target, recipe=recipe)
    assert model == reference
    assert pickle.dumps(model) == pickle.dumps(reference)


def test_a_table_with_gaps_is_the_same_from_any_container():
    values = [1, None, 3, 4, None, 6]
    tables = [
        {"a": values},
        pd.DataFrame({"a": pd.Series(values, dtype="Int64")}),
        pd.DataFrame({"a": values}),
        pl.DataFrame({"a": values}),
        pa.table({"a": values}),
    ]
    models = [fit(table, CLASSES, recipe=CART_CLASSES) for table in tables]
    assert all(model == models[0] for model in models)


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ([2**53 + 1, 2**53 + 2, 2**53 + 3, 2**53 + 4, 2**53 + 5, 2**53 + 6], np.int64),
        ([0, 1, 2, 3, 4, 5], "datetime64[ns]"),
        ([0, 1, 2, 3, 4, 5], "timedelta64[ns]"),
    ],
)
def test_neighbours_that_a_float_cannot_tell_apart_are_parted(values, unit):
    base = np.array(values).astype(unit) if unit is np.int64 else np.array(values, "i8") + 2**60
    column = base.astype(unit)
    model = fit({"a": column}, NUMBERS, recipe=CART_NUMBERS)
    assert model.tree.n_leaves == 6
    assert model.predict({"a": column}).tolist() == NUMBERS.tolist()


def test_a_row_of_weight_zero_takes_no_part():
    weights = np.array([1.0, 1.0, 0.0, 1.0, 1.0, 1.0])
    model = fit(BLOCK, CLASSES, recipe=CART_CLASSES, weights=weights)
    assert model.tree.n_rows[0] == 5
    assert model.tree.outcome[0].tolist() == [3.0, 2.0]


def test_pruning_is_part_of_the_walk():
    grown = fit(BLOCK, NUMBERS, recipe=CART_NUMBERS)
    pruned = fit(BLOCK, NUMBERS, recipe=replace(CART_NUMBERS, pruner=CostComplexity(100.0)))
    assert grown.tree.n_leaves > 1
    assert pruned.tree.n_leaves == 1


def test_an_infinite_value_is_refused_by_column_and_row():
    with pytest.raises(ColumnError, match="column 'b' holds infinity in row 1"):
        fit({"a": [1.0, np.nan], "b": [1.0, -np.inf]}, np.array([1.0, 2.0]), recipe=CART_NUMBERS)


def test_missing_values_are_refused_where_they_should_be():
    with pytest.raises(ColumnError, match="column 'b' contains NaN: it has no value in row 1"):
        fit(
            {"a": [1.0, 2.0], "b": [1, None]},
            np.array([1.0, 2.0]),
            recipe=replace(CART_NUMBERS, missing=Refuse()),
        )


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_an_empty_table_is_refused(shape):
    with pytest.raises(TableError, match="nothing to learn from"):
        fit(np.empty(shape), np.zeros(shape[0]), recipe=CART_NUMBERS)


def test_a_target_of_another_length_is_refused():
    with pytest.raises(TargetError, match="the target has 2 values, the table 6 rows"):
        fit(BLOCK, np.zeros(2), recipe=CART_NUMBERS)


def test_progress_is_reported_in_rows():
    seen = []
    fit(
        np.arange(5000.0)[:, None],
        np.arange(5000.0),
        recipe=CART_NUMBERS,
        progress=lambda *at: seen.append(at),
    )
    assert all(0 <= settled <= rows == 5000 for settled, rows in seen)


def test_a_recipe_needs_a_direction_for_each_column_or_none_at_all():
    recipe = replace(CART_NUMBERS, monotone=Monotone((1,)))
    with pytest.raises(ParameterError, match="monotone has 1 directions, the table 2 columns; give one"):
        fit(BLOCK, NUMBERS, recipe=recipe)
