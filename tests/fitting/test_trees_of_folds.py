"""Trees of folds leave out what the rows they judge cannot need; the choice is the same, bit for bit."""

from collections import Counter

import numpy as np
import pytest

import treewright as tw
from oracle.agreement import TIMES
from treewright.engines.local import LocalSample
from treewright.parts import CrossValidated, Gini, Recipe, Surrogates, Variance


def table_with_gaps(rng):
    """Numbers and categories with and without gaps; some categories are so rare that folds lack them."""
    n = int(rng.integers(30, 120))
    common = np.array(["u", "v", "w"])[rng.integers(0, 3, n)]
    X = {
        "whole": rng.integers(0, 12, n).astype(float),
        "gaps": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
        "rare": np.where(rng.random(n) < 0.1, [f"rare {at % 7}" for at in range(n)], common),
        "gaps among categories": np.where(rng.random(n) < 0.2, None, common[::-1]),
    }
    if rng.random() < 0.3:
        X = {"whole": X["whole"], "another": rng.normal(size=n)}
    score = X["whole"] / 6 + (common == "u") + rng.normal(size=n)
    weights = rng.integers(0, 4, n).astype(float) if rng.random() < 0.5 else None
    return X, score, weights


def recording(monkeypatch, trees, *, complete):
    grow = LocalSample.grow

    def grown(self, recipe, progress=None, keep_ledger=False, *, own_rows_only=False):
        made = grow(self, recipe, progress, keep_ledger, own_rows_only=own_rows_only and not complete)
        if own_rows_only:
            trees.append(made.tree)
        return made

    monkeypatch.setattr(LocalSample, "grow", grown)


@pytest.mark.parametrize("otherwise", ["majority", "stop"])
@pytest.mark.parametrize("kind", [tw.CARTClassifier, tw.CARTRegressor])
def test_folds_choose_the_tree_that_they_choose_with_every_surrogate(kind, otherwise):
    rng = np.random.default_rng([kind is tw.CARTRegressor, otherwise == "stop", 0])
    seen = Counter()
    for _ in range(40 * TIMES):
        X, score, weights = table_with_gaps(rng)
        y = score if kind is tw.CARTRegressor else np.where(score > 1.5, "yes", "no")
        recipe = Recipe(
            criterion=Variance() if kind is tw.CARTRegressor else Gini(),
            missing=Surrogates(otherwise=otherwise),
            pruner=CrossValidated("min", 5),
        )
        found = []
        for complete in (True, False):
            trees = []
            with pytest.MonkeyPatch.context() as patch:
                recording(patch, trees, complete=complete)
                fitted = kind(recipe=recipe).fit(X, y, weights)
            found.append((fitted.tree_, fitted.pruning_table_, trees))
        (tree, table, with_all), (same_tree, same_table, lean) = found
        assert same_tree == tree
        assert same_table == table
        for ours, theirs in zip(lean, with_all, strict=True):
            needs = np.array([name not in {"whole", "another"} for name in X])
            kept, n_all = (np.diff(each.surrogates.begin) for each in (ours, theirs))
            assert np.array_equal(ours.column, theirs.column)
            assert np.array_equal(kept, np.where(needs[ours.column] & (ours.column >= 0), n_all, 0))
            seen.update(kept=int(kept.sum()), left_out=int((n_all - kept).sum()))
    assert seen["kept"] > 100 < seen["left_out"]
