"""`compare` and `tune` find what Python finds on the same folds, and judge it on rows it has not seen."""

import itertools
import json

import numpy as np
import pytest

import treewright as tw
from cli.commands import refused, run
from treewright.cli.trials import deal_rows
from treewright.files.reader import read_file
from treewright.fitting import folds as fitting_folds


@pytest.fixture(scope="module")
def noisy(tmp_path_factory):
    """A table whose trees overfit: two classes by one column, and every fifth label turned."""
    rng = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("noisy") / "noisy.csv"
    rows = rng.random((240, 3))
    labels = (rows[:, 0] > 0.5) ^ (rng.random(240) < 0.2)
    text = "".join(
        f"{a:.3f},{b:.3f},{c:.3f},{'ny'[int(y)]}\n" for (a, b, c), y in zip(rows, labels, strict=True)
    )
    path.write_text("a,b,c,y\n" + text)
    return path


def test_compare_gives_the_errors_of_compare_pruning_on_the_same_folds(noisy):
    table = read_file(noisy)
    folds = deal_rows(table, "y", ["n", "y"], 3, 4)
    words = ("compare", noisy, "--target", "y", "--folds", 4, "--seed", 3)
    results = json.loads(run(*words, "--json").out)["results"]
    assert {each["algorithm"] for each in results} == {"cart", "c45", "baseline"}
    for name, estimator in (("cart", tw.CARTClassifier()), ("c45", tw.C45Classifier())):
        expected = tw.compare_pruning(estimator, table, "y", cv=folds)
        found = {each["pruning"]: each for each in results if each["algorithm"] == name}
        assert found.keys() == set(expected.method)
        for at, method in enumerate(expected.method):
            assert found[method]["leaves"] == expected.leaves[at]
            assert found[method]["error"]["value"] == pytest.approx(expected.cv_error[at])
            assert found[method]["error"]["standard_error"] == pytest.approx(expected.cv_std[at])
    values = [each["error"]["value"] for each in results]
    assert values == sorted(values)
    assert results[0]["above_the_best"] == {"value": 0, "standard_error": 0}
    for each in results[1:]:
        gap, error = each["above_the_best"], each["error"]["standard_error"]
        assert gap["value"] == pytest.approx(each["error"]["value"] - values[0])
        assert gap["standard_error"] < error + results[0]["error"]["standard_error"], "rows in pairs"


def test_compare_grows_folds_side_by_side_with_the_same_result(noisy, monkeypatch):
    words = ("compare", noisy, "--target", "y", "--folds", 3, "--only", "cart", "--json")
    pools = []

    class Watched(fitting_folds.ThreadPoolExecutor):
        def __init__(self, n_threads):
            pools.append(n_threads)
            super().__init__(n_threads)

    monkeypatch.setattr(fitting_folds, "ThreadPoolExecutor", Watched)
    monkeypatch.setenv("TREEWRIGHT_THREADS", "1")
    alone = run(*words).out
    assert not pools
    monkeypatch.setenv("TREEWRIGHT_THREADS", "2")
    assert run(*words).out == alone
    assert pools == [2]


def test_compare_says_what_is_left_out_and_what_is_no_better(golf, tmp_path):
    table = golf / "golf.csv"
    ran = run("compare", table, "--target", "class", "--folds", 3)
    assert "id3" in ran.out, "whole numbers are categories to it"
    table = tmp_path / "noise.csv"
    rng = np.random.default_rng(0)
    table.write_text(
        "x,y\n" + "".join(f"{x:.3f},{'ab'[row % 3 == 0]}\n" for row, x in enumerate(rng.random(90)))
    )
    ran = run("compare", table, "--target", "y", "--folds", 3)
    assert "id3 left out: column 'x' holds" in ran.said
    assert "baseline" in ran.out
    assert "better" in ran.out.splitlines()[-1]
    refused(run("compare", table, "--target", "y", "--only", "id3"), 1, "column 'x' holds")
    refused(run("compare", table, "--target", "y", "--only", "cat"), 2, "Did you mean 'cart'?")
    refused(run("compare", table, "--target", "y", "--folds", 0), 2, "--folds 0: give 2 or more")


def test_compare_takes_numbers_and_judges_by_squared_errors(tmp_path):
    table = tmp_path / "t.csv"
    rng = np.random.default_rng(1)
    table.write_text("x,y\n" + "".join(f"{x:.3f},{x + rng.normal() / 9:.4f}\n" for x in rng.random(120)))
    told = json.loads(run("compare", table, "--target", "y", "--folds", 3, "--json").out)
    assert told["error"] == "mean squared error"
    assert {each["algorithm"] for each in told["results"]} == {"cart", "baseline"}
    y = np.array([float(line.split(",")[1]) for line in table.read_text().splitlines()[1:]])
    (baseline,) = (each for each in told["results"] if each["algorithm"] == "baseline")
    assert baseline["error"]["value"] == pytest.approx(y.var())


GRID = {"max_depth": [1, None], "min_samples_leaf": [20, 1], "cp": [0.05, 0.0]}


def brute_force(table, folds):
    """Give the share of wrong predictions by setting, tree by tree."""
    wrong = {}
    y = table.columns[table.position("y")].decoded().values
    for depth, leaf, cp in itertools.product(*GRID.values()):
        n_wrong = 0
        for fold in range(folds.max() + 1):
            kind = tw.CARTClassifier(pruning=None, max_depth=depth, min_samples_leaf=leaf)
            tree = kind.fit(table.take(folds != fold), "y").prune("cost-complexity", cp=cp)
            n_wrong += (tree.predict(table.take(folds == fold)) != y[folds == fold]).sum()
        wrong[depth, leaf, cp] = n_wrong / table.n_rows
    return wrong


def test_tune_tries_every_setting_and_keeps_the_best(noisy, tmp_path):
    model = tmp_path / "m.tw.json"
    tries = [f"--try={name}={json.dumps(values)}" for name, values in GRID.items()]
    words = ("tune", noisy, "--target", "y", "--folds", 3, *tries)
    told = json.loads(run(*words, "--json", "-o", model).out)
    table = read_file(noisy)
    expected = brute_force(table, deal_rows(table, "y", ["n", "y"], 0, 3))
    found = {tuple(each[name] for name in GRID): each for each in told["tried"]}
    assert {setting: each["error"]["value"] for setting, each in found.items()} == pytest.approx(expected)
    best = min(expected, key=expected.get)
    assert next(iter(found)) == best
    assert sum(each["folds_that_chose_it"] for each in told["tried"]) == 3
    tree = tw.CARTClassifier(pruning=None, max_depth=best[0], min_samples_leaf=best[1]).fit(table, "y")
    assert tw.load(model).to_text() == tree.prune("cost-complexity", cp=best[2]).to_text()
    out = run(*words).out
    assert out.index("Nested cross-validation, 3 folds") < out.index("Settings tried") < out.index("The tree")


def test_tune_judges_each_fold_by_a_tree_tuned_without_it(noisy):
    tries = [f"--try={name}={json.dumps(values)}" for name, values in GRID.items()]
    told = json.loads(run("tune", noisy, "--target", "y", "--folds", 3, *tries, "--json").out)
    table = read_file(noisy)
    y = table.columns[table.position("y")].decoded().values
    folds, hits = deal_rows(table, "y", ["n", "y"], 0, 3), 0
    for fold in range(3):
        rest, held = table.take(folds != fold), folds == fold
        wrong = brute_force(rest, deal_rows(rest, "y", ["n", "y"], 0, 3))
        depth, leaf, cp = min(wrong, key=wrong.get)
        kind = tw.CARTClassifier(pruning=None, max_depth=depth, min_samples_leaf=leaf)
        tree = kind.fit(rest, "y").prune("cost-complexity", cp=cp)
        hits += (tree.predict(table.take(held)) == y[held]).sum()
    assert told["judged"]["accuracy"]["value"] == pytest.approx(hits / len(y))


def test_tune_prunes_c45_by_confidence_and_takes_numbers(noisy, tmp_path):
    words = ("tune", noisy, "--target", "y", "--folds", 2, "--json")
    told = json.loads(run(*words, "--algorithm", "c45", "--try", "confidence=[0.1,null]").out)
    assert {each["confidence"] for each in told["tried"]} == {0.1, None}
    refused(run(*words, "--try", "max_dept=3"), 2, "Did you mean 'max_depth'?")
    refused(run(*words, "--try", "cp=[]"), 2, "at least one value")
    refused(run(*words, "--try", "cp=x"), 2, "--try cp=x is not a number")
    table = tmp_path / "t.csv"
    table.write_text("x,y\n" + "".join(f"{row % 30},{row % 30 + 0.25}\n" for row in range(90)))
    told = json.loads(
        run("tune", table, "--target", "y", "--folds", 2, "--try", "max_depth=[1,9]", "--json").out
    )
    assert told["tried"][0]["max_depth"] == 9
    assert told["judged"]["r2"]["value"] > 0.9
    few = tmp_path / "few.csv"
    few.write_text("x,y\n1,a\n2,b\n")
    refused(run("tune", few, "--target", "y", "--keep", "x"), 1, "3 or more")


def test_what_is_left_out_is_said_without_pythons_words(noisy):
    """How to mend it there is of no use in a comparison."""
    ran = run("compare", noisy, "--target", "y", "--folds", 3)
    (left_out,) = [line for line in ran.said.splitlines() if line.startswith("id3 left out: ")]
    assert left_out.endswith("a fraction, and every value would be a category of its own.")
