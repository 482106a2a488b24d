"""The names that users type."""

import importlib.metadata
import inspect
import pickle
import subprocess
import sys

import pytest

import treewright as tw


@pytest.mark.parametrize("name", tw.__all__)
def test_every_public_name_resolves_and_is_listed(name):
    assert getattr(tw, name) is not None
    assert name in dir(tw)


@pytest.mark.parametrize("module", [tw, tw.parts, tw.information, tw.datasets], ids=lambda m: m.__name__)
def test_the_tab_key_offers_public_names_only(module):
    assert [name for name in dir(module) if not name.startswith("_")] == sorted(module.__all__)


def test_names_can_be_imported_from_the_package():
    from treewright import DecisionTreeClassifier, DecisionTreeRegressor, information

    assert DecisionTreeClassifier.__name__ == "DecisionTreeClassifier"
    assert DecisionTreeRegressor.__module__ == "treewright.estimators.regressor"
    assert information.entropy is not None


def test_what_is_given_to_users_has_a_name_for_their_annotations():
    X, y = tw.datasets.load("golf")
    tree = tw.DecisionTreeClassifier(keep_ledger=True).fit(X, y)
    assert isinstance(tree.ledger_, tw.Ledger)
    assert isinstance(tree.rules(), tw.RuleSet)
    row = {name: values[0] for name, values in X.items()}
    assert isinstance(tree.explain(row), tw.Explanation)
    assert isinstance(tree.counterfactual(row), tw.Counterfactual)
    assert isinstance(tree.tree_, tw.Tree)
    assert isinstance(tree.model_, tw.Model)
    with pytest.warns(tw.UnseenCategoryWarning):
        tree.predict({**row, "outlook": "hail"})


def test_a_star_import_brings_the_public_names():
    names = {}
    exec("from treewright import *", names)  # a star import is not allowed inside a function
    assert set(tw.__all__) <= set(names)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'treewright' has no attribute 'RandomForest'"):
        _ = tw.RandomForest


def test_the_version_is_that_of_the_installed_package():
    assert tw.__version__ == importlib.metadata.version("treewright")


def test_classes_are_pickled_by_their_home():
    assert pickle.loads(pickle.dumps(tw.DecisionTreeClassifier)) is tw.DecisionTreeClassifier


def test_a_type_checker_sees_every_public_name():
    # What resolves lazily must also stand in the TYPE_CHECKING block, or editors know nothing of it.
    source = inspect.getsource(tw)
    for name in tw.__all__:
        assert f"{name} as {name}" in source


def test_names_resolve_in_a_fresh_process():
    code = "import treewright as tw; tw.information.entropy; tw.datasets.names; tw.DecisionTreeRegressor()"
    subprocess.run([sys.executable, "-c", code], check=True)
