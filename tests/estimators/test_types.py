"""Words in the types of parameters are those that the estimators take."""

import subprocess
import sys
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
    assert tw.load.__annotations__["return"] == "ReadableTree"


SNIPPET = """
import treewright as tw
from treewright import Counterfactual, Explanation, Ledger, RuleSet

tree = tw.C45Classifier(min_cases=3).fit([[1.0], [2.0]], [0, 1])
reveal_type(tree)
reveal_type(tree.prune("pessimistic"))
reveal_type(tw.CARTRegressor().prune("cost-complexity", leaves=2))
reveal_type(tree.min_cases)
reveal_type(tree.rules())
reveal_type(tree.explain([1.0]))
reveal_type(tree.counterfactual([1.0]))
reveal_type(tree.ledger_)
reveal_type(tw.load("model.tw.json"))
tw.CARTClassifier(criterion="ginny")
tw.CARTClassifier(pruning="2-se")
tw.DecisionTreeRegressor(max_depht=3)
tree.prune("pesimistic")
def shown(ledger: Ledger, rules: RuleSet, why: Explanation, change: Counterfactual) -> None: ...
"""
REVEALED = (
    "quinlan.C45Classifier",
    "quinlan.C45Classifier",
    "named.CARTRegressor",
    "float",
    "RuleSet",
    "Explanation",
    "Counterfactual",
    "Ledger",
    "ReadableTree",
)
REFUSED = (
    'Argument "criterion" to "CARTClassifier" has incompatible type "Literal[\'ginny\']"',
    'Argument "pruning" to "CARTClassifier" has incompatible type "Literal[\'2-se\']"',
    'Unexpected keyword argument "max_depht" for "DecisionTreeRegressor"',
    "has incompatible type \"Literal['pesimistic']\"",
)


def test_a_type_checker_knows_parameters_methods_and_results(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "snippet.py").write_text(SNIPPET)
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\nfollow_untyped_imports = false\nignore_missing_imports = true\n"
    )
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "snippet.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    print(ran.stdout, ran.stderr)
    revealed = [line for line in ran.stdout.splitlines() if "Revealed type" in line]
    assert len(revealed) == len(REVEALED)
    for line, expected in zip(revealed, REVEALED, strict=True):
        assert line.rstrip('"').endswith(expected)
    errors = [line for line in ran.stdout.splitlines() if ": error: " in line]
    for line, expected in zip(errors, REFUSED, strict=True):
        assert expected in line
