"""Scores are those of scikit-learn; their standard errors are those that drawing the rows again shows."""

import numpy as np
import pytest
from sklearn import metrics

from sklearn_versions import RELEASE
from treewright.estimators.scores import class_scores, constant_class, constant_number, number_scores

N_ROWS = 300


def drawn(n_classes):
    rng = np.random.default_rng(n_classes)
    true = rng.integers(0, n_classes, N_ROWS)
    shares = rng.dirichlet(np.ones(n_classes), N_ROWS) + 0.6 * np.eye(n_classes)[true]
    shares = np.round(shares / shares.sum(axis=1, keepdims=True), 1)  # with ties
    shares /= shares.sum(axis=1, keepdims=True)
    return true, shares.argmax(axis=1), shares


def drawn_again(score, times=1200):
    rng = np.random.default_rng(0)
    return np.std([score(rng.integers(0, N_ROWS, N_ROWS)) for _ in range(times)])


def brier_score(true, shares):
    if shares.shape[1] == 2:
        return metrics.brier_score_loss(true, shares[:, 1])
    if RELEASE < (1, 7):  # it took one column
        return ((shares - np.eye(shares.shape[1])[true]) ** 2).sum(axis=1).mean()
    return metrics.brier_score_loss(true, shares)


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_scores_of_classes_are_those_of_scikit_learn(n_classes):
    true, answers, shares = drawn(n_classes)
    expected = {
        "accuracy": metrics.accuracy_score(true, answers),
        "balanced_accuracy": metrics.balanced_accuracy_score(true, answers),
        "log_loss": metrics.log_loss(true, shares),
        "roc_auc": metrics.roc_auc_score(true, shares[:, 1] if n_classes == 2 else shares, multi_class="ovr"),
        "brier_score": brier_score(true, shares),
        "kappa": metrics.cohen_kappa_score(true, answers),
    }
    found = class_scores(true, answers, shares)
    assert {name: score.value for name, score in found.items()} == pytest.approx(expected)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "name", ["accuracy", "balanced_accuracy", "log_loss", "roc_auc", "brier_score", "kappa"]
)
def test_scores_of_classes_have_the_error_that_drawing_again_shows(name, n_classes):
    true, answers, shares = drawn(n_classes)
    error = class_scores(true, answers, shares)[name].error
    again = drawn_again(lambda rows: class_scores(true[rows], answers[rows], shares[rows])[name].value)
    assert error == pytest.approx(again, rel=0.08)


def test_scores_of_numbers_are_those_of_scikit_learn_and_have_the_error_of_drawing_again():
    rng = np.random.default_rng(2)
    true = rng.normal(size=N_ROWS)
    given = true + rng.normal(size=N_ROWS) * 0.5
    found = number_scores(true, given)
    assert {name: score.value for name, score in found.items()} == pytest.approx(
        {
            "mean_absolute_error": metrics.mean_absolute_error(true, given),
            "root_mean_squared_error": metrics.root_mean_squared_error(true, given),
            "r2": metrics.r2_score(true, given),
        }
    )
    for name, score in found.items():
        again = drawn_again(lambda rows, name=name: number_scores(true[rows], given[rows])[name].value)
        assert score.error == pytest.approx(again, rel=0.08), name


def test_the_difference_of_two_scores_has_the_error_of_rows_in_pairs():
    true, answers, shares = drawn(3)
    other = np.where(np.arange(N_ROWS) % 5 == 0, 0, answers)
    difference = class_scores(true, answers, shares)["kappa"].minus(
        class_scores(true, other, shares)["kappa"]
    )

    def of(rows):
        one, two = (class_scores(true[rows], each[rows], shares[rows]) for each in (answers, other))
        return one["kappa"].value - two["kappa"].value

    assert difference.error == pytest.approx(drawn_again(of), rel=0.08)
    apart = class_scores(true, answers, shares)["kappa"].error
    assert difference.error < apart, "most rows count alike in both"


def test_the_baseline_is_the_most_frequent_class_or_the_mean():
    true = np.array([2, 2, 0, 1, 2])
    commonest, scores = constant_class(true, 4)
    assert commonest == 2
    assert scores["accuracy"].value == 0.6
    assert scores["balanced_accuracy"].value == pytest.approx(1 / 3), "of the classes that occur"
    assert (scores["kappa"].value, scores["kappa"].error) == (0, 0)
    assert scores["roc_auc"].value == 0.5
    mean, scores = constant_number(np.array([1.0, 2.0, 6.0]))
    assert mean == 3
    assert (scores["r2"].value, scores["r2"].error) == (0, 0)


def test_what_is_not_defined_is_nan():
    same = np.zeros(3, dtype=int)
    found = class_scores(same, same, np.eye(2)[same])
    assert np.isnan([found["roc_auc"].value, found["roc_auc"].error, found["kappa"].value]).all()
    assert found["accuracy"].value == 1
    assert np.isnan(number_scores(np.ones(3), np.zeros(3))["r2"].value)


def test_a_class_without_probability_has_a_finite_log_loss():
    true = np.array([0, 1])
    shares = np.array([[0.0, 1.0], [0.0, 1.0]])
    assert class_scores(true, true, shares)["log_loss"].value == pytest.approx(metrics.log_loss(true, shares))
