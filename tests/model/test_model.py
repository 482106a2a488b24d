"""The model: a tree and its schema answer for new rows on their own."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelled import fit
from treewright.errors import ColumnError
from treewright.model.model import Model
from treewright.recipes import CART_CLASSES, CART_NUMBERS
from treewright.schema import Column
from treewright.table.read import Raw, read
from treewright.table.target import read_classes

AGES = {"age": [22.0, 35.0, None, 58.0], "visits": [1, 4, 4, 9]}


@pytest.fixture(name="model")
def fitted_model():
    return fit(AGES, read_classes(Raw(np.array(["no", "no", "yes", "yes"]))), recipe=CART_CLASSES)


def test_a_model_answers_with_labels_or_numbers(model):
    assert model.predict(AGES).tolist() == ["no", "no", "yes", "yes"]
    of_numbers = fit(AGES, np.array([1.0, 2.0, 3.0, 4.0]), recipe=CART_NUMBERS)
    assert of_numbers.predict(AGES).tolist() == [1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize(
    "labels", [np.array([-3, 40]), np.array([7, 8], dtype=np.int8), np.array([0.5, 2.0])]
)
@pytest.mark.parametrize("n_rows", [2, 500])  # fewer than the tree has nodes, and more
def test_labels_are_those_of_the_positions(model, labels, n_rows):
    rows = read({"age": np.resize([22.0, np.nan, 58.0], n_rows), "visits": np.resize([4, 9], n_rows)})
    found = model.labelled(rows, labels)
    assert found.dtype == labels.dtype
    assert found.tolist() == labels[model.answers(rows)].tolist()
    assert len(set(found.tolist())) == 2


def test_shares_add_up_to_one(model):
    assert model.shares(AGES).sum(axis=1).tolist() == [1.0] * 4


def test_rows_find_their_leaves_and_pass_the_nodes_above(model):
    leaves = model.apply(AGES)
    assert leaves.dtype == np.int64
    assert (model.tree.column[leaves] < 0).all()
    begin, nodes, shares = model.path(AGES)
    assert (shares == 1).all()
    assert nodes[begin[:-1]].tolist() == [0, 0, 0, 0]
    assert nodes[begin[1:] - 1].tolist() == leaves.tolist()


def test_questions_and_leaves_agree(model):
    rows = list(zip(*AGES.values(), strict=True))
    for row, leaf in zip(rows, model.apply(AGES), strict=True):
        node = model.tree.node(0)
        while not node.is_leaf:
            node = model.tree.node(node.children[node.question.branch_of(row[node.question.column])])
        assert node.id == leaf


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame], ids=["dict", "pandas", "polars"])
def test_columns_in_another_order_give_the_same_answers(model, make):
    turned = make({"visits": AGES["visits"], "age": AGES["age"]})
    assert model.predict(turned).tolist() == ["no", "no", "yes", "yes"]


def test_no_rows_give_no_answers(model):
    assert model.predict({"age": [], "visits": []}).shape == (0,)


def test_an_infinite_value_is_refused_by_column_and_row(model):
    with pytest.raises(ColumnError, match="column 'visits' holds infinity in row 1"):
        model.apply({"age": [1.0, np.nan], "visits": [1.0, np.inf]})


def test_a_pickled_model_is_the_same_and_carries_no_router(model):
    before = pickle.dumps(model)
    model.predict(AGES)
    assert pickle.dumps(model) == before
    again = pickle.loads(before)
    assert again == model
    assert again.predict(AGES).tolist() == model.predict(AGES).tolist()


def test_a_pickle_holds_nothing_compiled(model):
    text = pickle.dumps(model)
    assert b"treewright._core" not in text
    assert b"treewright.model.model" in text


def test_models_of_other_tables_are_not_equal(model):
    other = fit(
        {"years": AGES["age"], "visits": AGES["visits"]},
        read_classes(Raw(np.array(["no", "no", "yes", "yes"]))),
        recipe=CART_CLASSES,
    )
    assert other.tree == model.tree
    assert other != model
    assert isinstance(other, Model)


def test_a_column_pickled_by_a_version_with_fewer_fields_gets_the_defaults():
    column = Column("age", "datetime", unit="ns", has_missing=True)
    older = object.__new__(Column)
    older.__setstate__(column.__getstate__()[:-2])
    assert older == column
    assert pickle.loads(pickle.dumps(replace(column, notation="%Y"))).notation == "%Y"
