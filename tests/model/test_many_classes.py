"""Answers of trees with many classes are those of trees with few: the first of the heaviest."""

import numpy as np
import pytest

import treewright as tw
from treewright.model import tree_arrays


@pytest.mark.parametrize("n_classes", [2, 32, 33, 200])
@pytest.mark.parametrize("rounding", [0.0, 1e-9])
@pytest.mark.parametrize("chunk", [1, 1_000_000])
def test_the_first_of_the_heaviest_classes_is_chosen(n_classes, rounding, chunk, monkeypatch):
    monkeypatch.setattr(tree_arrays, "_CHUNK", chunk)
    rng = np.random.default_rng(n_classes)
    tree = tw.DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1]).tree_
    shares = rng.integers(0, 4, (50, n_classes)) / 4 + rng.integers(0, 2, (50, n_classes)) * rounding / 2
    expected = [next(k for k in range(n_classes) if row[k] >= row.max() - rounding) for row in shares]
    assert tree.answers_to(shares, rounding).tolist() == expected
    assert tree.answers_to(shares[:0], rounding).tolist() == []


def test_rows_that_all_have_a_class_of_their_own_are_told_apart():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 2)), rng.permutation(600)
    for criterion in ("gini", "entropy"):
        tree = tw.DecisionTreeClassifier(criterion=criterion).fit(X, y)
        assert tree.predict(X).tolist() == y.tolist()
    # By Gini every cut is as good as any other, so each takes the lowest row of the first column off.
    assert tw.DecisionTreeClassifier().fit(X, y).get_depth() == 599
