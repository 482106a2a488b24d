"""`prune` the parameter is `pruning`: what version 0.1 took is still taken, and said."""

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import treewright as tw
from treewright.errors import ParameterError

SAVED = Path(__file__).parents[1] / "model" / "saved_by_0_1"
KINDS = [tw.CARTClassifier, tw.CARTRegressor, tw.C45Classifier]
X = {"x": [float(i) for i in range(1, 11)]}
Y = [5.56, 5.7, 5.91, 6.4, 6.8, 7.05, 8.9, 8.7, 9.0, 9.05]
OLD = pytest.warns(FutureWarning, match="'prune' is called 'pruning' now; write pruning=")


@pytest.mark.parametrize("kind", KINDS)
def test_prune_is_a_method_and_pruning_a_parameter(kind):
    estimator = kind(pruning=None)
    assert estimator.pruning is None
    assert callable(estimator.prune)
    assert "prune" not in estimator.get_params()
    assert "prune" not in vars(estimator)
    assert "pruning=None" in repr(estimator)
    for other in (pickle.loads(pickle.dumps(estimator)), copy.deepcopy(estimator), clone(estimator)):
        assert other.pruning is None
        assert callable(other.prune)


@pytest.mark.parametrize("kind", KINDS)
def test_the_old_name_is_taken_with_a_warning(kind):
    with OLD as told:
        estimator = kind(prune=None)
    assert told[0].filename == __file__
    with OLD as told:
        other = kind().set_params(prune=None)
    assert told[0].filename == __file__
    for each in (estimator, other):
        assert each.get_params() == kind(pruning=None).get_params()
        assert "prune" not in vars(each)


@pytest.mark.parametrize("kind", KINDS)
def test_what_no_version_knew_is_refused_as_python_does(kind):
    with pytest.raises(TypeError, match="unexpected keyword argument 'prunning'"):
        kind(prunning=None)
    with pytest.raises(ValueError, match="Invalid parameter 'prunning'"):
        kind().set_params(prunning=None)
    with pytest.raises(TypeError, match="prune"):
        tw.DecisionTreeClassifier(prune=None)
    with pytest.raises(ValueError, match="Invalid parameter 'prune'"):
        tw.DecisionTreeClassifier().set_params(prune=None)


def test_an_attribute_of_the_old_name_does_not_pass_silently():
    estimator = tw.CARTRegressor(pruning=None)
    estimator.prune = "min"  # as in version 0.1
    with pytest.raises(ParameterError, match=r"'prune' is a method; write set_params\(pruning='min'\)"):
        estimator.fit(X, Y)


@pytest.mark.parametrize("name", ["pruning", "prune"])
def test_both_names_can_be_searched(name):
    rng = np.random.default_rng(0)
    table, target = rng.normal(size=(120, 3)), rng.integers(0, 2, 120)
    search = GridSearchCV(tw.CARTClassifier(n_jobs=1, cv=3), {name: ["1-se", "min", None]}, cv=3)
    if name == "prune":
        with OLD:
            search.fit(table, target)
    else:
        search.fit(table, target)
    assert search.best_estimator_.pruning == search.best_params_[name]


def test_the_old_name_reaches_the_step_of_a_pipeline():
    steps = make_pipeline(tw.CARTRegressor())
    with OLD:
        steps.set_params(cartregressor__prune=None)
    assert steps[-1].pruning is None


@pytest.mark.parametrize(
    "name", ["c45", "cart_classifier", "cart_regressor", "classifier", "regressor", "id3"]
)
def test_a_file_of_version_01_loads_without_a_warning_and_answers_the_same(name):
    tables = {
        "c45": tw.datasets.load("golf")[0],
        "classifier": tw.datasets.load("golf")[0],
        "cart_classifier": tw.datasets.load("loan_lihang")[0],
        "id3": tw.datasets.load("weather_nominal")[0],
    }
    answers = json.loads((SAVED / "answers.json").read_text("utf-8"))
    estimator = tw.load(SAVED / f"{name}.tw.json")
    assert estimator.predict(tables.get(name, X)).tolist() == answers[name]
    if "pruning" in estimator.get_params():
        assert estimator.pruning == {"c45": False, "cart_classifier": "min", "cart_regressor": None}[name]
