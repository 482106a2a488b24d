"""Words in the types of parameters are those that the estimators take."""

from typing import Self, get_args, get_type_hints

import pytest

import treewright as tw
from treewright.estimators import parameters, pruning, quinlan
from treewright.parts.pruners import RISKS, RULES


def words_of(kind, name):
    """Collect the words in the type of a parameter."""
    waiting, words = [get_type_hints(kind.__init__)[name]], set()
    while waiting:
        hint = waiting.pop()
        if isinstance(hint, str):
            words.add(hint)
        waiting.extend(get_args(hint))
    return words


CART = (tw.DecisionTreeClassifier, tw.DecisionTreeRegressor, tw.CARTClassifier, tw.CARTRegressor)
TABLES = {
    "splitter": parameters.SPLITTERS,
    "categorical_split": parameters.CATEGORICAL,
    "missing": parameters.MISSING,
    "missing_penalty": get_args(parameters.Penalty),
    "growth": parameters.ORDERS,
    "max_features": ("sqrt", "log2"),
}


@pytest.mark.parametrize("kind", CART)
@pytest.mark.parametrize("name", TABLES)
def test_words_of_cart(kind, name):
    assert words_of(kind, name) == set(TABLES[name])


@pytest.mark.parametrize("kind", CART)
def test_words_of_targets_and_pruning(kind):
    of_numbers = "Regressor" in kind.__name__
    known = {*parameters.CRITERIA["numbers" if of_numbers else "classes"]}
    known |= {"friedman_mse"} if of_numbers else set()
    assert words_of(kind, "criterion") == known
    if of_numbers:
        assert words_of(kind, "leaf_value") == set(parameters.LEAF_VALUES)
    if kind in CART[2:]:
        assert words_of(kind, "pruning") == set(RULES)
        assert words_of(kind, "risk") == set(RISKS)


def test_words_of_quinlan():
    assert words_of(tw.C45Classifier, "variant") == set(quinlan.VARIANTS)
    assert words_of(tw.C45Classifier, "criterion") == {"gain", "gain_ratio"}
    assert words_of(tw.C45Classifier, "cut_at") == {"observed", "middle"}
    assert words_of(tw.ID3Classifier, "missing") == {"refuse", "spread", "branch", "majority"}
    for kind in (*CART, tw.C45Classifier, tw.ID3Classifier):
        assert words_of(kind, "engine") == {"local"}


def test_methods_are_typed():
    hints = tw.CARTClassifier.prune.__annotations__
    assert set(get_args(hints["method"])) == set(pruning.OPTIONS)
    assert hints["return"] is Self
    assert tw.load.__annotations__["return"] == "BaseTree"
