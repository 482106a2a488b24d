"""The name of the target: that of the series, the data frame or the column that `fit` was given."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treewright as tw

X = {"age": [22.0, 35.0, 47.0, 58.0], "visits": [1, 4, 4, 9]}
LABELS = ["no", "no", "yes", "yes"]
NAMED = {
    "a series of pandas": pd.Series(LABELS, name="bought"),
    "a series of polars": pl.Series("bought", LABELS),
    "a table of pandas": pd.DataFrame({"bought": LABELS}),
    "a table of polars": pl.DataFrame({"bought": LABELS}),
    "a table of Arrow": pa.table({"bought": LABELS}),
}


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
@pytest.mark.parametrize("kind", NAMED)
def test_the_name_of_the_target_is_kept(kind, tmp_path):
    tree = tw.DecisionTreeClassifier().fit(X, NAMED[kind])
    assert tree.model_.schema.target_name == "bought"
    assert "<title>Decision tree for bought: " in tree.to_svg()
    assert str(tree.explain({"age": 50, "visits": 2})).startswith("bought: yes")
    tree.save(tmp_path / "tree.tw.json")
    assert tw.load(tmp_path / "tree.tw.json").model_.schema.target_name == "bought"
    # Rows may hold the target, as when it was a column of the table.
    assert tree.predict({**X, "bought": LABELS}).tolist() == LABELS


@pytest.mark.parametrize(
    "y", [LABELS, np.array(LABELS), pd.Series(LABELS), pd.Series(LABELS, name=3), pl.Series(LABELS)]
)
def test_a_target_without_a_name_has_none(y):
    assert tw.DecisionTreeClassifier().fit(X, y).model_.schema.target_name is None


def test_the_name_of_a_column_is_not_the_name_of_the_target_too(tmp_path):
    for table, name in ((X, "age"), (np.column_stack(list(X.values())), "x0")):
        tree = tw.DecisionTreeClassifier().fit(table, pd.Series(LABELS, name=name))
        assert tree.model_.schema.target_name is None
        tree.save(tmp_path / "tree.tw.json")
        assert tw.load(tmp_path / "tree.tw.json").predict(table).tolist() == LABELS


def test_numbers_keep_their_name_too():
    tree = tw.DecisionTreeRegressor().fit(X, pd.Series([1.0, 2.0, 3.0, 4.0], name="price"))
    assert tree.model_.schema.target_name == "price"
