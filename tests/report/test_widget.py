"""The same page in a notebook."""

import subprocess
import sys

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
    pytest.importorskip("anywidget", reason="anywidget is not installed: pip install -e .[test]")
    X, y = tw.datasets.load("golf")
    tree = tw.C45Classifier().fit(X, y)
    shown = tree.view(X, y, lang="zh")
    state = shown.get_state()
    assert state["summary"] == summary_of(tree, X, y)
    assert state["lang"] == "zh-CN"
    assert shown._esm == static("report.js")
    with pytest.raises(ParameterError, match="no language"):
        tree.view(X, y, lang="fr")
