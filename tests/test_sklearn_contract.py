"""scikit-learn's own checks of an estimator: all of them, for several parameterisations."""

import os
import subprocess
import sys

import pytest
import sklearn.tree
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

from treewright import CARTClassifier, CARTRegressor, DecisionTreeClassifier, DecisionTreeRegressor

ESTIMATORS = [
    CARTClassifier(prune=None, missing="majority"),
    CARTRegressor(prune=None, missing="majority"),
    DecisionTreeClassifier(missing="branch", categorical_split="multiway"),
    DecisionTreeRegressor(missing="branch", categorical_split="one-vs-rest"),
    DecisionTreeClassifier(),
    DecisionTreeClassifier(splitter="random"),
    DecisionTreeClassifier(max_leaf_nodes=8),
    DecisionTreeClassifier(criterion="entropy"),
    DecisionTreeClassifier(growth="breadth"),
    DecisionTreeClassifier(growth="best", max_features="sqrt"),
    DecisionTreeClassifier(missing="refuse"),
    DecisionTreeRegressor(),
    DecisionTreeRegressor(splitter="random"),
    DecisionTreeRegressor(max_leaf_nodes=16),
    DecisionTreeRegressor(growth="breadth"),
    DecisionTreeRegressor(missing="refuse", n_jobs=2),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learns_check_passes(estimator, check):
    check(estimator)


@pytest.mark.parametrize("module", [sklearn.tree, None], ids=["scikit-learn", "treewright"])
def test_balanced_classes_fail_one_check_here_as_in_scikit_learn(module):
    # "balanced" counts rows, not weights, so a row of weight 2 is not a row given twice. scikit-learn defines
    # it that way and its own tree fails the same check, and no other.
    estimator = (module.DecisionTreeClassifier if module else DecisionTreeClassifier)(class_weight="balanced")
    results = check_estimator(estimator, on_fail=None, on_skip=None)
    failed = {result["check_name"] for result in results if result["status"] == "failed"}
    assert {name for name in failed if "sparse" not in name} == {
        "check_sample_weight_equivalence_on_dense_data"
    }


def test_checks_that_need_an_environment_variable_pass_with_it():
    # SciPy looks at SCIPY_ARRAY_API when it is imported; without it scikit-learn skips the array API checks.
    code = (
        "from sklearn.utils.estimator_checks import check_estimator\n"
        "from treewright import DecisionTreeClassifier, DecisionTreeRegressor\n"
        "for estimator in (DecisionTreeClassifier(), DecisionTreeRegressor()):\n"
        "    for result in check_estimator(estimator, on_fail=None, on_skip=None):\n"
        "        assert result['status'] == 'passed', result\n"
    )
    environment = os.environ | {"SCIPY_ARRAY_API": "1"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment, check=True)
