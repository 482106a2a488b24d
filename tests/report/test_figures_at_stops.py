"""Figures that change with the tree: at every stop of the slider they are those of the pruned tree."""

import json

import numpy as np
import pytest

import kinds_of_trees
import report_pages
import treewright as tw
from labelled import fit
from loans import MADE, classifier
from oracle.naive_distributions import spread_over_values
from treewright.errors import UnseenCategoryWarning
from treewright.estimators.reporting import summary_of
from treewright.parts.criteria import Variance
from treewright.parts.limits import Limits
from treewright.parts.missing import Surrogates
from treewright.recipes import Recipe

MOST_IMPORTANT = 40


def figures_of(tree, X, y, weights=None):
    """Work out the figures of a fitted tree from what it predicts."""
    y = np.asarray(y)
    weights = np.ones(len(y)) if weights is None else weights
    answers, score = tree.predict(X), tree.score(X, y, weights)
    if not tree.tree_.is_classifier:
        residuals = y - answers
        return {
            "r2": score if np.ptp(y) else None,
            "mean_absolute_error": np.average(np.abs(residuals), weights=weights),
            "root_mean_squared_error": np.sqrt(np.average(residuals**2, weights=weights)),
            "residuals": np.sum(spread_over_values(residuals, np.zeros(len(y), int), weights, 1)[2], axis=1),
        }
    labels = tree.classes_.tolist()
    matrix = np.zeros((len(labels), len(labels)))
    for truth, answer, weight in zip(y.tolist(), answers.tolist(), weights, strict=True):
        matrix[labels.index(truth), labels.index(answer)] += weight
    return {"accuracy": score, "matrix": matrix}


def importances_of(tree):
    """List columns by importance, the highest first."""
    importances = tree.feature_importances_
    order = np.argsort(-importances, kind="stable")[:MOST_IMPORTANT].tolist()
    return [(column, float(importances[column])) for column in order if importances[column] > 0]


def assert_figures(told, expected):
    """Compare the figures that a summary holds with those of a tree."""
    for name, figure in expected.items():
        if figure is None:
            assert told[name] is None
        else:
            of_told = told[name]["counts"] if name == "residuals" else told[name]
            assert np.allclose(of_told, figure, rtol=1e-12, atol=1e-12), name
    if "residuals" in expected:
        assert np.sum(told["map"]["cells"]) == pytest.approx(expected["residuals"].sum())


def assert_every_stop(tree, X, y, weights=None):
    """Compare the figures of all stops with those of the trees that `prune` gives."""
    summary = summary_of(tree, X, y, weights)
    path = summary["path"]
    assert len(path["alphas"]) == len(path["quality"]) == len(path["importances"])
    for alpha, told, importances in zip(path["alphas"], path["quality"], path["importances"], strict=True):
        pruned = tree.prune("cost-complexity", alpha=alpha)
        assert_figures(told, figures_of(pruned, X, y, weights))
        assert [(int(column), each) for column, each in importances.items()] == importances_of(pruned)
    assert_figures(summary["quality"], figures_of(tree, X, y, weights))
    return summary


@pytest.mark.parametrize("name", kinds_of_trees.KINDS)
@pytest.mark.filterwarnings(f"ignore::{UnseenCategoryWarning.__module__}.{UnseenCategoryWarning.__name__}")
def test_the_figures_of_every_stop_are_those_of_the_tree_that_prune_gives(name):
    tree, X, y = report_pages.kind_with_rows(name)
    assert_every_stop(tree, X, y)
    rows = kinds_of_trees.KINDS[name].rows()  # with gaps, and categories that nobody has seen
    n_rows = len(next(iter(rows.values())))
    weights = np.random.default_rng(8).integers(0, 5, n_rows) / 4
    assert_every_stop(tree, rows, np.asarray(y)[:n_rows], weights)


def rows_that_stop():
    """Give a tree in which rows without a value stop at inner nodes."""
    rng = np.random.default_rng(2)
    X = {name: np.where(rng.random(200) < 0.3, np.nan, rng.random(200)) for name in ("a", "b", "c")}
    y = np.nan_to_num(X["a"]) + 2 * np.nan_to_num(X["b"]) + rng.random(200)
    tree = tw.DecisionTreeRegressor().fit(X, y)
    recipe = Recipe(criterion=Variance(), missing=Surrogates(1, otherwise="stop"), limits=Limits(max_depth=5))
    tree = tree._with(fit(X, y, recipe=recipe))
    return tree, X, y


def test_rows_that_stop_at_a_node_count_there_at_every_stop():
    tree, X, y = rows_that_stop()
    assert (tree.tree_.column[tree.apply(X)] >= 0).any()
    path = assert_every_stop(tree, X, y)["path"]
    assert len({quality["r2"] for quality in path["quality"]}) == len(path["alphas"]) > 5


def test_matrices_of_all_stops_tell_the_same_classes_apart():
    rng = np.random.default_rng(4)
    X = rng.random((600, 3))
    y = np.minimum((X[:, 0] * 12).astype(int) * 3 + (X[:, 1] * 3).astype(int), 34)
    tree = tw.DecisionTreeClassifier(max_depth=6).fit(X, y)
    summary = summary_of(tree, X, y)
    path, shown = summary["path"], summary["quality"]["labels"]
    assert len(shown) == 30 < len(tree.classes_)
    place = {code: at for at, code in enumerate(shown)}
    for alpha, told in zip(path["alphas"], path["quality"], strict=True):
        pruned = tree.prune("cost-complexity", alpha=alpha)
        matrix = np.zeros((31, 31))
        np.add.at(
            matrix,
            tuple([place.get(int(code), 30) for code in codes] for codes in (y, pruned.predict(X))),
            1,
        )
        assert told["matrix"] == matrix.tolist()
        assert told["accuracy"] == pytest.approx(pruned.score(X, y))


def test_importances_of_a_stop_are_those_of_the_columns_that_have_most():
    rng = np.random.default_rng(6)
    X, y = rng.random((400, 60)), rng.integers(0, 2, 400)
    tree = tw.DecisionTreeClassifier(max_features=8, random_state=0).fit(X, y)
    path = assert_every_stop(tree, X, y)["path"]
    assert len(path["importances"][0]) == MOST_IMPORTANT < (tree.feature_importances_ > 0).sum()
    assert path["importances"][-1] == {}


# Moves the slider as a hand would, where a stop is given, and reads all figures.
READ = """stop => {
  const slider = document.querySelector('#stop');
  if (stop !== null) {
    slider.value = slider.max - stop;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  }
  const cells = row => [...row.cells].map(cell => cell.textContent);
  const charts = [...document.querySelectorAll('#quality .chart')];
  return JSON.stringify({
    facts: {
      ...Object.fromEntries([...document.querySelectorAll('.summary dl div')].map(
        each => [each.querySelector('dt').textContent, each.querySelector('dd').textContent])),
      ...Object.fromEntries([...document.querySelectorAll('.headline tr[data-of=rows] td')].map(
        each => [each.dataset.label, each.textContent])),
    },
    matrix: [...document.querySelectorAll('#quality .matrix tbody tr')].map(row => cells(row).slice(1)),
    importances: [...document.querySelectorAll('#importances tr')].map(cells),
    note: document.querySelector('#importances > div > p')?.textContent ?? '',
    bars: charts.length
      ? [...charts[0].querySelectorAll('rect')].map(bar => Number(bar.getAttribute('height'))) : [],
    columns: charts.length
      ? new Set([...charts[1].querySelectorAll('rect.c0')].map(cell => cell.getAttribute('x'))).size : 0,
  });
}"""


def number(text):
    return float(text.replace(",", "").rstrip("%"))


def assert_shown(page, stop, tree, X, y, weights):
    """Compare all figures on a page, at a stop, with those of a tree; None leaves the slider alone."""
    shown = json.loads(page.evaluate(READ, stop))
    facts, nodes, expected = shown["facts"], tree.tree_, figures_of(tree, X, y, weights)
    assert [facts[name] for name in ("Nodes", "Leaves", "Depth")] == [
        f"{nodes.n_nodes:,}",
        f"{nodes.n_leaves:,}",
        f"{nodes.max_depth:,}",
    ]
    assert facts["Columns"] == f"{len(set(nodes.column[nodes.column >= 0]))} of {len(X)} asked about"
    names = tree.model_.schema.names
    importances = importances_of(tree)
    assert [[row[0], row[2]] for row in shown["importances"]] == [
        [names[column], f"{each:.3f}"] for column, each in importances
    ]
    assert bool(shown["note"]) == (not importances)
    if nodes.is_classifier:
        assert number(facts["Right answers"]) == pytest.approx(100 * expected["accuracy"], abs=0.0501)
        matrix = [[number(cell) for cell in line] for line in shown["matrix"]]
        assert np.allclose(matrix, expected["matrix"], rtol=1e-3)
        return facts["Right answers"]
    for name, of in (
        ("Mean absolute error", "mean_absolute_error"),
        ("Root mean squared error", "root_mean_squared_error"),
    ):
        assert number(facts[name]) == pytest.approx(expected[of], rel=1e-3)
    assert number(facts["R²"]) == pytest.approx(expected["r2"], abs=0.000501)
    assert not facts["R²"].startswith("-0.000")
    counts = expected["residuals"]
    assert shown["bars"] == pytest.approx((74 * counts / counts.max()).tolist(), abs=1e-6)
    assert shown["columns"] <= nodes.n_leaves
    return facts["R²"]


@pytest.mark.parametrize("name", MADE)
def test_figures_on_the_page_follow_the_slider(name, folder, opened):
    tree, X, y, weights = MADE[name]()
    page = opened(tree.report(folder / f"{name}.html", X, y, weights))
    alphas = report_pages.data_of(page)["path"]["alphas"]
    assert len(alphas) > 5
    as_fitted = assert_shown(page, None, tree, X, y, weights)
    told = []
    for stop in np.linspace(0, len(alphas) - 1, 5).astype(int).tolist():
        pruned = tree.prune("cost-complexity", alpha=alphas[stop])
        told.append(assert_shown(page, stop, pruned, X, y, weights))
    assert len(set(told)) >= 3
    page.click("#fitted")
    assert assert_shown(page, None, tree, X, y, weights) == as_fitted


def test_a_single_leaf_is_right_about_the_heaviest_class_only(folder, opened):
    tree, X, y, _ = classifier()
    page = opened(tree.report(folder / "credit-zh.html", X, y, lang="zh"))
    page.locator("#stop").fill("0")
    for of in ("rows", "baseline"):
        assert page.locator(f".headline tr[data-of={of}] td").text_content() == "70.0%"
    assert page.locator("#importances > div").text_content() == "在这棵树中，没有哪一列有重要性。"
