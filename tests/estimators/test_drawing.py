"""The methods that draw, and what a notebook shows."""

import pickle

import pytest
import sklearn
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

import treewright as tw
from drawn_trees import tree_of

METHODS = ("to_text", "to_dot", "to_mermaid", "to_json", "to_svg")


@pytest.mark.parametrize("method", [*METHODS, "to_html", "plot"])
def test_an_unfitted_tree_is_not_drawn(method):
    with pytest.raises(NotFittedError):
        getattr(tw.DecisionTreeClassifier(), method)(*["x.html"][: method == "to_html"])


@pytest.mark.parametrize("method", METHODS)
def test_a_copy_from_a_file_draws_the_same(method):
    for kind in ("golf", "gaps have surrogates", "numbers"):
        tree = tree_of(kind)
        copy = pickle.loads(pickle.dumps(tree))
        assert getattr(copy, method)() == getattr(tree, method)()


def test_a_notebook_shows_the_parameters_and_the_tree():
    # Before 1.7 scikit-learn shows only the parameters that are not at their defaults.
    tree = tw.C45Classifier(min_cases=3).fit(*tw.datasets.load("golf"))
    shown = tree._repr_html_()
    assert "min_cases" in shown
    assert tree.to_svg() in shown
    assert tree.to_svg() in tree._repr_mimebundle_()["text/html"]
    assert tree._repr_mimebundle_()["text/plain"] == repr(tree)


def test_an_unfitted_tree_is_shown_as_scikit_learn_shows_it():
    tree = tw.C45Classifier(min_cases=3)
    assert "<svg xmlns" not in tree._repr_html_().split("</style>")[-1]
    assert "min_cases" in tree._repr_html_()


def test_where_text_is_wanted_there_is_no_html():
    with sklearn.config_context(display="text"):
        assert not hasattr(tree_of("golf"), "_repr_html_")
        assert "text/html" not in tree_of("golf")._repr_mimebundle_()


def test_a_pipeline_is_shown_as_scikit_learn_shows_it():
    assert tree_of("golf").to_svg() not in make_pipeline(tree_of("golf"))._repr_html_()
