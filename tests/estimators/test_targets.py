"""Targets and weights as scikit-learn hands them over."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.class_weight import compute_sample_weight

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.errors import ParameterError, TargetError, WeightError
from treewright.estimators.costs import class_weights
from treewright.table.read import Raw
from treewright.table.target import CodedClasses, read_classes

FRAME = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9], "bought": ["no", "no", "yes", "yes"]}


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame], ids=["dict", "pandas", "polars"])
def test_the_target_may_be_a_column_which_is_then_taken_out(make):
    tree = DecisionTreeClassifier().fit(make(FRAME), "bought")
    assert tree.feature_names_in_.tolist() == ["age", "visits"]
    assert tree.model_.schema.target_name == "bought"
    assert tree.predict(make(FRAME)).tolist() == FRAME["bought"]
    assert tree.score(make(FRAME), "bought") == 1.0


def test_the_target_by_name_is_the_target_as_an_array():
    rest = {name: values for name, values in FRAME.items() if name != "bought"}
    by_name = DecisionTreeClassifier().fit(FRAME, "bought")
    assert by_name.tree_ == DecisionTreeClassifier().fit(rest, FRAME["bought"]).tree_


def test_a_path_of_pruning_takes_the_target_by_name():
    by_name = DecisionTreeClassifier().cost_complexity_pruning_path(FRAME, "bought")
    assert by_name.ccp_alphas[0] == 0.0


def test_a_misspelt_target_is_answered_with_the_nearest_column():
    with pytest.raises(ValueError, match=r"column 'bougth' is not in the table\. Did you mean 'bought'\?"):
        DecisionTreeClassifier().fit(FRAME, "bougth")


def test_a_target_cannot_be_named_in_a_table_without_names():
    with pytest.raises(ValueError, match="It has no column names"):
        DecisionTreeClassifier().fit(np.eye(3), "bought")


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_a_target_left_in_the_table_is_refused(library):
    frame = library.DataFrame({"age": [1, 2, 3], "price": [3.0, 1.0, 2.0]})
    with pytest.raises(TargetError, match=r"y is also column 'price' of X.*y='price'"):
        DecisionTreeRegressor().fit(frame, frame["price"])


def test_a_column_of_the_targets_name_with_other_values_is_a_column():
    frame = pd.DataFrame({"price": [3.0, 1.0, 2.0]})
    tree = DecisionTreeRegressor().fit(frame, pd.Series([1.0, 2.0, 3.0], name="price"))
    assert tree.feature_names_in_.tolist() == ["price"]


def test_a_column_vector_is_taken_with_a_warning():
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        DecisionTreeRegressor().fit([[1], [2]], np.array([[1.0], [2.0]]))


def test_several_targets_are_refused():
    for targets in (np.eye(2), pd.DataFrame(np.eye(2)), pl.DataFrame(np.eye(2))):
        with pytest.raises(TargetError, match="several targets at once are not supported"):
            DecisionTreeRegressor().fit([[1], [2]], targets)


@pytest.mark.parametrize("make", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_no_target_is_refused(make):
    with pytest.raises(TargetError, match="requires y to be passed"):
        make().fit([[1], [2]], None)


CODED = CodedClasses(np.array([0, 0, 1], dtype=np.int32), np.array([0, 1]))


def test_class_weights_multiply_row_weights_as_in_the_exercise():
    weights = class_weights({0: 40, 1: 60}, CODED, np.array([20.0, 30.0, 10.0]))
    assert weights.tolist() == [800.0, 1200.0, 600.0]


@pytest.mark.parametrize("class_weight", ["balanced", {0: 2.0}, {0: 2.0, 1: 0.5}, {0: 1, 1: 1, 7: 9}])
def test_class_weights_are_those_of_scikit_learn(class_weight):
    y = np.array([0, 0, 1, 0, 1])
    expected = compute_sample_weight(class_weight, y)
    np.testing.assert_allclose(class_weights(class_weight, read_classes(Raw(y)), None), expected)


def test_balanced_classes_count_rows_not_weights():
    weights = class_weights("balanced", CODED, np.array([5.0, 1.0, 1.0]))
    assert weights.tolist() == [3.75, 0.75, 1.5]


def test_no_class_weights_leave_the_weights_alone():
    weights = np.array([1.0, 2.0, 3.0])
    assert class_weights(None, CODED, weights) is weights


def test_a_class_that_does_not_exist_is_answered_with_the_nearest():
    with pytest.raises(WeightError, match=r"class_weight names 'yess', .* Did you mean 'yes'\?"):
        DecisionTreeClassifier(class_weight={"yess": 2}).fit([[1], [2]], ["no", "yes"])


@pytest.mark.parametrize("weight", [-1, float("nan"), "much"])
def test_the_weight_of_a_class_is_a_number_not_below_zero(weight):
    with pytest.raises(ValueError, match=r"class_weight\[0\]="):
        DecisionTreeClassifier(class_weight={0: weight}).fit([[1], [2]], [0, 1])


@pytest.mark.parametrize(
    ("value", "text"),
    [("balance", "Did you mean 'balanced'"), ([{0: 1}], "several targets"), (3, "cannot be used")],
)
def test_other_class_weights_are_refused(value, text):
    with pytest.raises(ParameterError, match=text):
        DecisionTreeClassifier(class_weight=value).fit([[1], [2]], [0, 1])


def test_weights_that_cancel_out_are_refused():
    with pytest.raises(WeightError, match="all weights are zero"):
        DecisionTreeClassifier(class_weight={0: 0.0}).fit([[1], [2]], [0, 1], sample_weight=[1, 0])
