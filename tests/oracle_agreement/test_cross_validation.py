"""Cross-validated pruning does as the oracle does: fit every fold apart, walk every row, tree by tree."""

import numpy as np
import pandas as pd
import pytest

from oracle import naive_cross_validation as naive
from treewright import CARTClassifier, CARTRegressor, DecisionTreeClassifier
from treewright.fitting.sequence import Sequence, risks_as_leaves


def table(rng, *, classes: int, gaps: bool):
    n = int(rng.integers(12, 40))
    columns = {
        "a": rng.integers(0, 6, n).astype(float),
        "b": rng.normal(size=n).round(1),
        "c": rng.choice(["p", "q", "r", "s"], n).astype(object),
    }
    if gaps:
        for values in (columns["a"], columns["c"]):
            values[rng.random(n) < 0.2] = np.nan if values.dtype == float else None
    y = rng.integers(0, classes, n) if classes else (columns["b"] + rng.normal(size=n)).round(2)
    columns["c"] = pd.Series(pd.Categorical(columns["c"], categories=["p", "q", "r", "s"]))
    return columns, y, rng.integers(1, 4, n).astype(float), rng.integers(0, 3, n)


def kinds():
    for seed in range(60):
        rng = np.random.default_rng([seed, 5])
        classes, gaps = (0, 2, 3)[seed % 3], seed % 2 == 0
        missing = ("surrogate", "spread", "majority", "learned")[seed % 4]
        yield pytest.param(rng, classes, gaps, missing, id=f"{seed}-{classes}-{missing}")


def risk_of(seed_risk, tree):
    return [float(each) for each in risks_as_leaves(tree, seed_risk)]


def loss_of(estimator, row, answer, target):
    if hasattr(estimator, "classes_"):
        return float(answer != target)
    return (answer - target) ** 2


@pytest.mark.parametrize(("rng", "classes", "gaps", "missing"), list(kinds()))
def test_the_table_is_that_of_trees_fitted_and_pruned_one_by_one(rng, classes, gaps, missing):
    columns, y, weights, folds = table(rng, classes=classes, gaps=gaps)
    if len(set(folds)) < 2 or (classes and len(set(y)) < 2):
        return
    kind = CARTClassifier if classes else CARTRegressor
    options = {"missing": missing, "max_depth": 4, "n_jobs": 1}
    whole = kind(cv=folds, pruning="min", **options).fit(columns, y, weights)
    found = whole.pruning_table_

    grown = whole.model_.grown
    total = weights.sum()
    root = naive.knots(grown, risk_of("error", grown))
    price = {node: p / total for node, p in naive.complexities(root, 0.0).items()}
    nothing = 1e-14 * root.risk / total
    alphas = sorted({0.0, *(p for node, p in price.items() if grown.column[node] >= 0 and p > nothing)})
    alphas = [a for a, b in zip(alphas, [*alphas[1:], 2 * alphas[-1] + 1], strict=True) if b - a > 1e-12 * b]
    assert found.alpha[::-1] == pytest.approx(alphas, rel=1e-9, abs=1e-12)
    sizes = [len(naive.leaves_at(root, price, alpha * (1 + 1e-12) + nothing)) for alpha in alphas]
    assert found.n_leaves[::-1].tolist() == sizes

    losses = {alpha: np.zeros(len(y)) for alpha in alphas}
    for fold in set(folds.tolist()):
        held = folds == fold
        part = kind(pruning=None, **options).fit(columns, y, np.where(held, 0.0, weights))
        sequence = Sequence.of(part.tree_, "error", links="rpart")
        for alpha, middle in zip(alphas, naive.between(alphas), strict=True):
            pruned = part.prune("cost-complexity", alpha=min(middle, 1e300), risk="error")
            assert pruned.tree_ == sequence.at(middle)
            answers = pruned.predict(columns)
            for row in np.flatnonzero(held):
                losses[alpha][row] = loss_of(part, row, answers[row], y[row])
    unit = root.risk / total or 1.0
    means = [float(weights @ losses[alpha]) / total / unit for alpha in alphas]
    assert found.cv_error[::-1] == pytest.approx(means, rel=1e-9, abs=1e-12)
    errors = [naive.standard_error(losses[a].tolist(), weights.tolist()) / unit for a in alphas]
    assert found.cv_std[::-1] == pytest.approx(errors, rel=1e-7, abs=1e-9)

    least = min(means)
    chosen = max(at for at, mean in enumerate(means) if mean <= least * (1 + 1e-9) + 1e-12)
    assert found.n_leaves[found.chosen] == sizes[chosen] == whole.get_n_leaves()
    one_se = kind(cv=folds, **options).fit(columns, y, weights)
    allowed = least + errors[chosen]
    smallest = max(at for at, mean in enumerate(means) if mean <= allowed * (1 + 1e-9))
    assert one_se.get_n_leaves() == sizes[smallest]


def test_folds_whose_target_has_a_class_of_its_own_are_judged():
    X, y = {"x": [1.0, 2, 3, 4, 5, 6]}, ["a", "a", "b", "b", "c", "c"]
    tree = CARTClassifier(cv=[0, 0, 1, 1, 2, 2], pruning="min").fit(X, y)
    assert tree.pruning_table_.cv_error == pytest.approx(np.full(len(tree.pruning_table_), 6 / 4))


@pytest.mark.parametrize("seed", range(40))
def test_links_are_measured_as_the_recursion_does(seed):
    rng = np.random.default_rng([seed, 9])
    X, y = rng.integers(0, 9, (60, 3)).astype(float), rng.integers(0, 3, 60)
    tree = DecisionTreeClassifier(max_depth=6, categorical_split="multiway").fit(X, y).tree_
    risks = risk_of("error", tree)
    for least in (0.0, 0.5, 1.0):
        expected = naive.complexities(naive.knots(tree, risks), least)
        found = Sequence.of(tree, "error", least / 60, links="rpart").price * 60
        inner = tree.column >= 0
        assert found[inner] == pytest.approx(np.array([expected[n] for n in range(tree.n_nodes)])[inner])
