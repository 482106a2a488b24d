"""ROC, lift and calibration curves, and what a threshold costs: held to scikit-learn and to counts."""

import re

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, roc_auc_score, roc_curve

import kinds_of_trees
import report_pages
import treewright as tw
from loans import MADE
from treewright.estimators.reporting import summary_of
from treewright.report.curves import MOST_CLASSES


def number(text):
    return float(text.replace(",", ""))


def assert_curve(told, score, is_class, weights):
    """Compare a curve with the probabilities of a class that rows have."""
    assert told["brier"] == pytest.approx(brier_score_loss(is_class, score, sample_weight=weights))
    if 0 < is_class.sum() < len(is_class):
        assert told["auc"] == pytest.approx(roc_auc_score(is_class, score, sample_weight=weights))
    else:
        assert told["auc"] is None
    assert told["scores"] == sorted(told["scores"], reverse=True)
    for at, least in enumerate(told["scores"]):
        above = score >= least * (1 - 1e-5) - 1e-9
        assert sum(told["all"][: at + 1]) == pytest.approx(weights[above].sum())
        assert sum(told["hits"][: at + 1]) == pytest.approx(weights[above & is_class].sum())
    assert sum(weight for *_, weight in told["bands"]) == pytest.approx(weights.sum())
    mean = sum(expected * weight for expected, _, weight in told["bands"]) / weights.sum()
    assert mean == pytest.approx(np.average(score, weights=weights), rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("name", ["classifier", "c45_with_gaps", "cart_with_losses"])
def test_curves_are_those_of_predict_proba_at_every_stop(name):
    tree, X, y, weights = MADE[name]()
    weights = np.ones(len(y)) if weights is None else weights
    summary = summary_of(tree, X, y, weights)
    ranked, path = summary["quality"]["ranked"], summary["path"]
    assert ranked == [0, 1]
    for at in (0, len(path["alphas"]) // 2, -1):
        shares = tree.prune("cost-complexity", alpha=path["alphas"][at]).predict_proba(X).round(12)
        for code, told in zip(ranked, path["quality"][at]["curves"], strict=True):
            assert_curve(told, shares[:, code], y == tree.classes_[code], weights)


def test_many_probabilities_are_put_together_and_many_classes_left_out():
    rng = np.random.default_rng(2)
    X, y = rng.random((4000, 2)), rng.integers(0, 12, 4000)
    weights = rng.integers(1, 3, 4000).astype(float)
    tree = tw.DecisionTreeClassifier(min_samples_leaf=7).fit(X, y, weights)
    summary = summary_of(tree, X, y, weights)
    assert len(summary["quality"]["ranked"]) == MOST_CLASSES
    for code, told in zip(summary["quality"]["ranked"], summary["quality"]["curves"], strict=True):
        assert 20 < len(told["scores"]) <= 100
        assert_curve(told, tree.predict_proba(X)[:, code], y == code, weights)


def test_a_class_that_no_row_has_gets_no_curve():
    tree, X, y = report_pages.kind_with_rows("gini")
    rows = kinds_of_trees.training_table()["class"] != "差"
    X = {name: np.asarray(values, dtype=object)[rows] for name, values in X.items()}
    quality = summary_of(tree, X, np.asarray(y)[rows])["quality"]
    assert len(quality["ranked"]) == len(quality["curves"]) == 2


def points_of(page, chart):
    points = page.locator("#curves .chart").nth(chart).locator(".curve").get_attribute("points").split()
    return [tuple(map(float, point.split(","))) for point in points]


def test_the_page_draws_them_and_follows_slider_class_threshold_and_cost(folder, opened):
    tree, X, y, _ = MADE["classifier"]()
    page = opened(tree.report(folder / "curves.html", X, y))
    alphas = report_pages.data_of(page)["path"]["alphas"]
    stop = len(alphas) - 4
    page.locator("#stop").fill(str(len(alphas) - 1 - stop))
    pruned = tree.prune("cost-complexity", alpha=alphas[stop])
    assert page.locator("#curve-class option:checked").text_content() == "bad", "the rarer class"
    for label in ("bad", "good"):
        page.select_option("#curve-class", label=label)
        score, is_class = pruned.predict_proba(X)[:, pruned.classes_.tolist().index(label)], y == label
        false, true, _ = roc_curve(is_class, score, drop_intermediate=False)
        drawn = [((x - 40) / 228, (200 - height) / 190) for x, height in points_of(page, 0)]
        assert np.array(drawn) == pytest.approx(np.column_stack([false, true]))
        facts = page.locator("#curves .facts").first.text_content()
        assert f"{roc_auc_score(is_class, score):.3f}" in facts
        assert f"{brier_score_loss(is_class, score):.4f}" in facts
        distinct = np.unique(score)[::-1]
        for at in range(len(distinct) + 1):
            page.locator("#threshold").fill(str(at))
            taken = score >= distinct[at - 1] if at else np.zeros(len(y), bool)
            cells = [number(text) for text in page.locator("#curves .matrix tbody td").all_text_contents()]
            assert cells == [
                np.sum(taken & is_class),
                np.sum(~taken & is_class),
                np.sum(taken & ~is_class),
                np.sum(~taken & ~is_class),
            ]
        for power in (-1, 0, 0.5, 2):
            page.locator("#cost").fill(str(power))
            costs = [
                10**power * np.sum(is_class & (score < least)) + np.sum(~is_class & (score >= least))
                for least in (np.inf, *distinct)
            ]
            told = dict(
                page.locator("#threshold-told .facts div").evaluate_all(
                    "all => all.map(each => [...each.children].map(part => part.textContent))"
                )
            )
            here = number(told["Cost of a row, in false alarms"])
            assert here == pytest.approx(min(costs) / len(y), rel=1e-3)
            assert page.locator("#threshold").input_value() == str(int(np.argmin(costs)))
            assert number(re.match(r"[\d.]+", told["Least cost"])[0]) == here
    assert page.locator("#curves .chart").count() == 3
    mark = page.locator("#curves .chart").first.locator(".dot").bounding_box()
    page.locator("#threshold").fill("0")
    assert page.locator("#curves .chart").first.locator(".dot").bounding_box()["x"] < mark["x"]


def test_lift_and_calibration_are_counted_from_the_same_rows(folder, opened):
    tree, X, y, _ = MADE["classifier"]()
    page = opened(tree.report(folder / "lift.html", X, y))
    score, is_class = tree.predict_proba(X)[:, 0], y == "bad"
    shares, lifts = [], []
    for least in np.unique(score)[::-1]:
        shares.append(np.mean(score >= least))
        lifts.append(np.mean(is_class[score >= least]) / np.mean(is_class))
    drawn = np.array(points_of(page, 1))
    assert (drawn[:, 0] - 40) / 228 == pytest.approx(shares)
    assert (200 - drawn[:, 1]) / 190 * max(lifts) == pytest.approx(lifts)
    # A tree is calibrated on its own rows: in every band the share is the mean probability.
    assert all(
        (x - 40) / 228 == pytest.approx((200 - height) / 190, abs=1e-5) for x, height in points_of(page, 2)
    )


def test_a_regression_has_no_curves(shared, folder, opened):
    page = opened(report_pages.report_of("california", shared, folder)[1])
    assert page.locator("#curves").count() == 0
