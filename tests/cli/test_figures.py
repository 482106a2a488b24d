"""Figures of classes and numbers, and their standard errors, held to drawing the rows again and again."""

import math

import numpy as np
import pytest

from treewright.cli.figures import Measured, compare, proportion


def drawn_again(figure, n_rows, times=4000, seed=0):
    rng = np.random.default_rng(seed)
    return np.std([figure(rng.integers(0, n_rows, n_rows)) for _ in range(times)])


@pytest.fixture(scope="module")
def classes():
    rng = np.random.default_rng(1)
    true = rng.integers(0, 3, 400)
    return true, np.where(rng.random(400) < 0.7, true, rng.integers(0, 3, 400))


@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_figures_of_a_class_have_the_error_that_drawing_again_shows(classes, name):
    true, given = classes

    def figure(rows):
        return compare("abc", true[rows], given[rows]).scores(1)[name].value

    found = compare("abc", true, given).scores(1)[name]
    assert found.error == pytest.approx(drawn_again(figure, len(true), 1500), rel=0.08)


def test_figures_of_a_class_are_those_of_their_formulas(classes):
    true, given = classes
    found = compare("abc", true, given)
    scores = found.scores(2)
    hits = ((true == 2) & (given == 2)).sum()
    assert scores["recall"].value == hits / (true == 2).sum()
    assert scores["precision"].value == hits / (given == 2).sum()
    assert scores["f1"].value == pytest.approx(
        2 / (1 / scores["recall"].value + 1 / scores["precision"].value)
    )
    assert found.accuracy.value == (true == given).mean()


def test_errors_of_numbers_have_the_error_that_drawing_again_shows():
    rng = np.random.default_rng(2)
    true = rng.normal(size=500)
    given = true + rng.normal(size=500) * 0.5
    found = Measured(true, given)
    for name in ("mean_absolute_error", "root_mean_squared_error", "r2"):
        again = drawn_again(
            lambda rows, name=name: Measured(true[rows], given[rows]).scores()[name].value, 500, 1500
        )
        assert found.scores()[name].error == pytest.approx(again, rel=0.08)


def test_figures_without_rows_are_left_empty():
    assert str(proportion(0, 0)) == ""
    assert all(map(math.isnan, proportion(0, 0).plain().values())), "null in JSON"
    assert str(compare("ab", np.array([0, 0]), np.array([0, 0])).scores(1)["f1"]) == ""
    assert math.isnan(compare([], np.array([1.0]), np.array([1.0])).plain()["r2"]["value"])


@pytest.mark.parametrize(
    ("part", "whole", "text"), [(1, 1, "1 ± 0"), (75, 100, "0.750 ± 0.043"), (1, 4, "0.25 ± 0.22")]
)
def test_a_figure_has_as_many_digits_as_its_error_allows(part, whole, text):
    assert str(proportion(part, whole)) == text
