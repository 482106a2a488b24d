"""The classic learners by name: other defaults, nothing else."""

import numpy as np
import pytest
from sklearn.base import clone

from treewright import CARTClassifier, CARTRegressor, DecisionTreeClassifier, DecisionTreeRegressor
from treewright.errors import ParameterError

BOTH = pytest.mark.parametrize(
    ("named", "plain"), [(CARTClassifier, DecisionTreeClassifier), (CARTRegressor, DecisionTreeRegressor)]
)
OWN = {"max_surrogates": 5, "pruning": "1-se", "cv": 10, "risk": "error"}
X = {"town": ["Ulm", "Bonn", None, "Kiel", "Bonn", "Ulm"], "age": [31, 47, 22, None, 58, 61]}
Y = [0, 1, 1, 0, 1, 0]


@BOTH
def test_only_defaults_differ(named, plain):
    parameters = named().get_params()
    assert parameters == plain().get_params() | OWN | {"missing": "surrogate"}
    own = {name for name in vars(named) if not name.startswith("_") and not name.endswith("_request")}
    assert own == {*OWN, "missing"}, "declared parameters and nothing else"


@BOTH
def test_without_pruning_and_surrogates_it_is_the_same_tree(named, plain):
    tree = named(pruning=None, missing="majority").fit(X, Y)
    assert tree.tree_ == plain(missing="majority").fit(X, Y).tree_
    assert clone(tree).get_params() == tree.get_params()


@BOTH
@pytest.mark.parametrize(
    ("name", "value"),
    [("pruning", "2-se"), ("risk", "eror"), ("max_surrogates", -1), ("max_surrogates", 1.5)],
)
def test_parameters_of_its_own_are_checked(named, plain, name, value):
    with pytest.raises(ParameterError, match=name):
        named(**{"pruning": None, name: value}).fit(X, Y)


def test_priors_and_losses_reach_the_tree():
    tree = CARTClassifier(
        pruning=None, missing="learned", max_depth=1, prior=[0.5, 0.5], loss=[[0, 1], [9, 0]]
    )
    assert np.isfinite(tree.fit(X, Y).predict_proba(X)).all()
