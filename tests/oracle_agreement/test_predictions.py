"""Rows go where the oracle's tree sends them, gaps included, and take home its values."""

import numpy as np
import pytest

from oracle.agreement import WITH_BLOCKS, check, fit, table_for
from oracle.exact_scores import OF_NUMBERS
from oracle.naive_tree import Rules, apply, grow
from tables import Table, random_table, with_gaps


def probes(table: Table, rng: np.random.Generator) -> np.ndarray:
    """Make rows that sit on the cuts, between them, beyond them, and rows with gaps the table never had."""
    values = np.unique(table.X[~np.isnan(table.X)])
    if len(values) == 0:
        values = np.zeros(1)
    between = values[:-1] / 2 + values[1:] / 2
    beyond = np.array([-1.75e308, 1.75e308])
    pool = np.concatenate(
        [values, np.nextafter(values, np.inf), np.nextafter(values, -np.inf), between, beyond]
    )
    pool = np.clip(pool, -1.79e308, 1.79e308)
    return np.concatenate([table.X, with_gaps(rng, rng.choice(pool, (40, table.X.shape[1])))])


@pytest.mark.parametrize(("criterion", "block"), WITH_BLOCKS)
def test_rows_go_where_the_oracle_sends_them(criterion, block):
    def wrong(table: Table) -> str | None:
        rules = Rules(criterion)
        nodes = grow(table.X, table.y, rules, table.weights)
        estimator = fit(table, rules)
        X = probes(table, np.random.default_rng(0))
        leaves = apply(nodes, X)
        if estimator.apply(X).tolist() != leaves:
            return f"leaves {estimator.apply(X).tolist()}, expected {leaves} of\n{X.tolist()}"
        if criterion in OF_NUMBERS:
            expected = [float(nodes[leaf].value[0]) for leaf in leaves]
            found = estimator.predict(X)
            return None if np.allclose(found, expected, rtol=1e-12, atol=1e-12) else f"{found} not {expected}"
        shares = [[float(v / nodes[leaf].weight) for v in nodes[leaf].value] for leaf in leaves]
        if not np.allclose(estimator.predict_proba(X), shares, rtol=1e-12, atol=1e-12):
            return f"{estimator.predict_proba(X)} not {shares}"
        heaviest = [max(range(len(nodes[leaf].value)), key=nodes[leaf].value.__getitem__) for leaf in leaves]
        if estimator.predict(X).tolist() != heaviest:  # the first of equally heavy classes
            return f"{estimator.predict(X).tolist()} not {heaviest}"
        return None

    for seed in range(250 * block, 250 * (block + 1)):
        rng = np.random.default_rng([seed, 3])
        gaps, weighted = seed % 2 == 0, seed % 3 == 0
        table = table_for(criterion, rng, gaps=gaps, weighted=weighted)
        check(table, wrong)


def test_decision_paths_are_the_ancestors_of_the_leaf():
    for seed in range(100):
        rng = np.random.default_rng(seed)
        table = random_table(rng, gaps=seed % 2 == 0)
        estimator = fit(table, Rules())
        X = probes(table, rng)
        paths = estimator.decision_path(X).toarray()
        parent = np.full(estimator.tree_.node_count, -1)
        for side in (estimator.tree_.children_left, estimator.tree_.children_right):
            inner = np.flatnonzero(np.asarray(side) >= 0)
            parent[np.asarray(side)[inner]] = inner
        for path, leaf in zip(paths, estimator.apply(X), strict=True):
            ancestors, node = [], leaf
            while node >= 0:
                ancestors.append(node)
                node = parent[node]
            assert sorted(ancestors) == np.flatnonzero(path).tolist(), str(table)
