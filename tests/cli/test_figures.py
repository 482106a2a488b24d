"""Scores in print, beside the baseline; those of a class are held to drawing the rows again and again."""

import math

import numpy as np
import pytest

from treewright.cli.figures import Confusion, evaluation, proportion


def confusion(true, given):
    return Confusion("abc", np.bincount(3 * true + given, minlength=9).reshape(3, 3))


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
        return confusion(true[rows], given[rows]).scores(1)[name].value

    found = confusion(true, given).scores(1)[name]
    assert found.error == pytest.approx(drawn_again(figure, len(true), 1500), rel=0.08)


def test_figures_of_a_class_are_those_of_their_formulas(classes):
    true, given = classes
    found = evaluation("abc", true, given, np.eye(3)[given])
    scores = found.confusion.scores(2)
    hits = ((true == 2) & (given == 2)).sum()
    assert scores["recall"].value == hits / (true == 2).sum()
    assert scores["precision"].value == hits / (given == 2).sum()
    assert scores["f1"].value == pytest.approx(
        2 / (1 / scores["recall"].value + 1 / scores["precision"].value)
    )
    assert found.scores["accuracy"].value == (true == given).mean()


def test_figures_without_rows_are_left_empty():
    assert str(proportion(0, 0)) == ""
    assert all(map(math.isnan, proportion(0, 0).plain().values())), "null in JSON"
    assert str(Confusion("ab", np.array([[2, 0], [0, 0]])).scores(1)["f1"]) == ""


def judged(true, answers):
    true, answers = np.array(true), np.array(answers)
    return str(evaluation(["no", "yes"], true, answers, np.eye(2)[answers]))


def test_scores_stand_beside_the_baseline_and_say_when_they_are_no_better():
    text = judged([0, 0, 0, 1], [0, 0, 1, 0])
    assert "2 of 4 rows wrong; baseline: always no, the most frequent class" in text
    assert "The tree is no better than the baseline." in text
    assert "may be chance" in judged([0] * 6 + [1] * 4, [0] * 6 + [1, 0, 0, 0])
    clear = judged([0] * 50 + [1] * 50, [0] * 50 + [1] * 50)
    assert "no better" not in clear
    assert "chance" not in clear
    line = next(line for line in clear.splitlines() if line.startswith("accuracy"))
    assert line.split() == ["accuracy", *"1±0", "0.500", "±", "0.050", "0.500", "±", "0.050"]


def test_numbers_stand_beside_their_mean():
    true = np.array([1.0, 2.0, 6.0, 7.0])
    found = evaluation([], true, true + 0.5, None)
    assert "4 rows; baseline: always the mean, 4" in str(found)
    assert found.plain()["baseline"]["prediction"] == 4
    assert found.plain()["baseline"]["r2"]["value"] == 0
    assert found.plain()["differences"]["mean_absolute_error"]["value"] == -2
    assert "no better" in str(evaluation([], true, true[::-1], None))
    assert math.isnan(evaluation([], np.ones(1), np.ones(1), None).plain()["r2"]["value"])


@pytest.mark.parametrize(
    ("part", "whole", "text"), [(1, 1, "1 ± 0"), (75, 100, "0.750 ± 0.043"), (1, 4, "0.25 ± 0.22")]
)
def test_a_figure_has_as_many_digits_as_its_error_allows(part, whole, text):
    assert str(proportion(part, whole)) == text
