"""Rows with targets and weights: read in one place, their classes numbered in one place."""

import ast
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from treewright.errors import TableError, TargetError, WeightError
from treewright.model.labelled_rows import EncodedRows, LabelledRows
from treewright.table.read import Raw, read
from treewright.table.target import read_classes

X = {"age": [22, 35, None, 58], "town": ["a", "b", "a", "b"]}
Y = ["no", "no", "yes", "yes"]


def rows(y=Y, weights=None) -> LabelledRows:
    return LabelledRows(read(X), read_classes(Raw(np.array(y))), weights, "answer")


def test_rows_are_encoded_as_the_model_compares_them():
    model = tw.DecisionTreeClassifier().fit(X, ["no", "maybe", "yes", "yes"]).model_
    encoded = rows().encoded(model)
    assert encoded.targets.tolist() == [1, 1, 2, 2]
    assert encoded.n_classes == 3
    assert [codes.tolist()[1] for codes in encoded.codes] == [35.0, 1]
    assert encoded.weight_of_each.tolist() == [1.0] * 4
    assert encoded.weight_of_classes().tolist() == [0.0, 2.0, 2.0]


def test_unknown_classes_and_missing_targets_are_refused():
    model = tw.DecisionTreeClassifier().fit(X, Y).model_
    with pytest.raises(TargetError, match=r"holds 'yess', which the tree was not .* Did you mean 'yes'"):
        rows(["no", "no", "yess", "yes"]).encoded(model)
    with pytest.raises(TargetError, match="the target has 3 values, the table 4 rows"):
        rows(Y[:3])


def test_rows_are_frozen():
    with pytest.raises(FrozenInstanceError):
        rows().table = None  # type: ignore[misc]


def test_rows_are_sent_down_in_fractions_where_missing_values_are_spread():
    tree = tw.DecisionTreeClassifier(missing="spread", max_depth=1).fit({"age": X["age"]}, [0, 1, 1, 1])
    codes = tree.model_.codes({"age": X["age"]})
    row, leaf, fraction = EncodedRows(codes, np.zeros(4)).leaves(tree.tree_)
    assert row.tolist() == [0, 1, 2, 2, 3]
    assert leaf.tolist() == [1, 2, 1, 2, 2]
    np.testing.assert_allclose(fraction, [1, 1, 1 / 3, 2 / 3, 1])


def test_some_rows_may_count():
    encoded = EncodedRows([np.arange(3.0)], np.arange(3.0), np.array([0.0, 2.0, 1.0]))
    assert encoded.of_positive_weight().targets.tolist() == [1.0, 2.0]
    assert encoded.counted().tolist() == [1, 2]
    with pytest.raises(WeightError, match="all rows to prune by have weight 0"):
        EncodedRows([np.arange(1.0)], np.arange(1.0), np.zeros(1)).counted()
    with pytest.raises(TableError, match="no rows to prune by"):
        EncodedRows([np.arange(0.0)], np.arange(0.0)).counted()


@pytest.mark.parametrize(
    ("function", "home"),
    [
        ("_split_target", "estimators/targets.py"),
        ("read_weights", "estimators/targets.py"),
        ("renumbered", "model/labelled_rows.py"),
    ],
)
def test_rows_with_a_target_are_read_in_one_place(function, home):
    """Commands read rows in batches, without an estimator, and may meet classes that are new."""
    source = Path(tw.__file__).parent
    calls = {
        file.relative_to(source).as_posix()
        for file in source.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == function
    }
    assert {file for file in calls if not file.startswith("cli/")} == {home}
