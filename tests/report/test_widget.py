"""The same page in a notebook."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from treewright.errors import ParameterError
from treewright.estimators.reporting import summary_of
from treewright.report.render import static


def test_without_the_package_it_says_how_to_get_it():
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import treewright as tw\n"
        "X, y = tw.datasets.load('golf')\n"
        "try:\n"
        "    tw.C45Classifier().fit(X, y).view(X, y)\n"
        "except ImportError as error:\n"
        "    print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install 'treewright[notebook]'" in said


def test_a_widget_holds_the_script_and_the_summary():
    anywidget = pytest.importorskip("anywidget", reason="anywidget is not installed: pip install -e .[test]")
    X, y = tw.datasets.load("golf")
    tree = tw.C45Classifier().fit(X, y)
    shown = tree.view(X, y, lang="zh")
    state = shown.get_state()
    assert state["summary"] == summary_of(tree, X, y)
    assert state["lang"] == "zh-CN"
    assert shown._esm == static("report.js")
    names = set(shown.trait_names()) - set(anywidget.AnyWidget().trait_names())
    assert names.isdisjoint({"layout", "style"}), "which Jupyter takes for models of its own"
    with pytest.raises(ParameterError, match="not a language"):
        tree.view(X, y, lang="fr")


def test_without_rows_it_is_about_those_of_the_fit_as_long_as_they_are_at_hand():
    pytest.importorskip("anywidget", reason="anywidget is not installed: pip install -e .[test]")
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 3 == 0
    weights = np.ones(10)
    tree = tw.DecisionTreeClassifier().fit(X, y, weights)
    assert tree.view().summary == tree.view(X, y, weights).summary
    named = pd.DataFrame({"a": range(10), "y": y})
    assert tw.DecisionTreeClassifier().fit(named, "y").view() is not None
    with pytest.raises(ParameterError, match="give X and y"):
        tree.view(y=y)
    copied = pickle.loads(pickle.dumps(tree))
    given = tw.DecisionTreeClassifier().fit({"a": [1, 2]}, [0, 1])
    del X
    for gone in (tree, copied, given):
        with pytest.raises(ParameterError, match="view needs rows to evaluate the tree on; give X and y"):
            gone.view()
