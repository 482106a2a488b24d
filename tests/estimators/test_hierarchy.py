"""The classes of an estimator: few, where version 0.1 had them, and with every method on each."""

import inspect
import pickle

import pytest
from sklearn.base import BaseEstimator

import treewright as tw
from treewright.estimators.fitted import FittedState
from treewright.estimators.saving import ESTIMATORS


@pytest.mark.parametrize("name", ESTIMATORS)
def test_no_estimator_has_more_than_twelve_classes(name):
    """Six of them are scikit-learn's and `object`; three of ours share what all or some estimators do."""
    order = getattr(tw, name).__mro__
    assert len(order) <= 12
    ours = [kind.__name__ for kind in order if kind.__module__.startswith("treewright.")]
    shared = {"BaseTree", "ReadableTree", "BaseDecisionTree", "Classifies"}
    assert set(ours) - shared <= set(tw.__all__)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_what_pickles_of_version_01_name_is_still_there(name):
    homes = {
        "C45Classifier": "quinlan",
        "CARTClassifier": "named",
        "CARTRegressor": "named",
        "DecisionTreeClassifier": "classifier",
        "DecisionTreeRegressor": "regressor",
        "ID3Classifier": "quinlan",
    }
    for home, kind in ((homes[name], name), ("fitted", "FittedState")):
        found = pickle.loads(f"ctreewright.estimators.{home}\n{kind}\n.".encode())
        assert found is getattr(tw, kind, FittedState)
    assert isinstance(getattr(tw, name)(), BaseEstimator)


def test_a_tree_lists_all_its_methods():
    """Tab completion, and what version 0.1 had."""
    methods = {
        *("apply", "counterfactual", "decision_path", "explain", "fit", "get_depth", "get_n_leaves"),
        *("get_params", "plot", "plot_pruning", "predict", "prune", "report", "rules", "save", "score"),
        *("set_params", "shapley_values", "simplify", "to_dot", "to_html", "to_json", "to_mermaid"),
        *("to_sklearn", "to_svg", "to_text", "view"),
    }
    of_classes = {"predict_proba", "predict_log_proba", "classes_", "n_classes_"}
    attributes = {"tree_", "model_", "ledger_", "pruning_table_", "feature_importances_", "n_features_in_"}
    for name in ESTIMATORS:
        expected = methods | (of_classes if "Classifier" in name else set())
        assert expected | attributes <= set(dir(getattr(tw, name)))
        assert expected <= set(dir(getattr(tw, name)().fit({"a": ["x", "y"]}, [0, 1])))
        for method in methods:
            assert inspect.getdoc(getattr(getattr(tw, name), method))
