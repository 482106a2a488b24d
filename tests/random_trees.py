"""Random trees without a table: any shape, any weights of classes; and small ones grown on mixed tables."""

import numpy as np

from mixed_tables import MixedTable, Way, mixed_table
from treewright.model.tree import Tree

# One of each way with gaps and with categories.
WAYS_OF_CLASSES = [
    Way("gini"),
    Way("entropy", "multiway", "branch"),
    Way("misclassification", "one-vs-rest", "majority"),
    Way("taylor_entropy", "subset", "surrogate"),
    Way("twoing", "subset", "spread"),
    Way("gain_ratio", "multiway", "spread"),
]
WAYS_OF_NUMBERS = [
    Way("squared_error", "subset", "surrogate"),
    Way("absolute_error", "multiway", "learned"),
    Way("poisson", "one-vs-rest", "spread"),
]


def shape(children: list[list[int]]) -> dict:
    """Give the arrays of a tree of these children; node 0, 1, ... in pre-order, with questions of no use."""
    n = len(children)
    is_inner = np.array([bool(each) for each in children])
    return {
        "column": np.where(is_inner, 0, -1).astype(np.int32),
        "cut": np.where(is_inner, 0.5, np.nan),
        "cut_integer": np.zeros(n, np.int64),
        "child_begin": np.cumsum([0, *map(len, children)]).astype(np.int32),
        "child": np.array([child for each in children for child in each], np.int32),
        "missing_branch": np.where(is_inner, 0, -1).astype(np.int32),
        "set_begin": np.zeros(n + 1, np.int32),
        "set_code": np.zeros(0, np.int32),
        "set_branch": np.zeros(0, np.int32),
        "search": np.zeros(n, np.int8),
        "n_rows": np.arange(n),  # tells which node this was
        "gain": np.zeros(n),
        "n_columns": 1,
    }


def random_children(rng: np.random.Generator, most_leaves: int) -> list[list[int]]:
    """Draw a tree of two to four branches a node; some are chains."""
    children: list[list[int]] = []
    stack = [(int(rng.integers(1, most_leaves + 1)), -1)]
    while stack:
        n_leaves, parent = stack.pop()
        number = len(children)
        children.append([])
        if parent >= 0:
            children[parent].append(number)
        if n_leaves > 1:
            n_branches = int(rng.integers(2, min(4, n_leaves) + 1))
            cuts = np.sort(rng.choice(n_leaves - 1, n_branches - 1, replace=False) + 1)
            sizes = np.diff([0, *cuts, n_leaves])
            if rng.random() < 0.3:
                sizes = np.array([1] * (n_branches - 1) + [n_leaves - n_branches + 1])
            stack += [(int(size), number) for size in sizes[::-1]]
    return children


def random_tree_of_classes(rng: np.random.Generator, most_leaves: int = 12, empty: float = 0.1) -> Tree:
    """Draw a tree whose leaves lean to a class each; some are empty. Impurity is Gini."""
    children = random_children(rng, most_leaves)
    n, n_classes = len(children), int(rng.integers(2, 5))
    weights = np.zeros((n, n_classes))
    for node in reversed(range(n)):
        if children[node]:
            weights[node] = weights[children[node]].sum(axis=0)
        elif rng.random() >= empty or node == 0:
            weights[node] = rng.integers(0, rng.integers(2, 9), n_classes)
            weights[node, rng.integers(n_classes)] += 1 + rng.integers(0, 20) * (rng.random() < 0.4)
    total = weights.sum(axis=1)
    for node in range(n):
        if children[node] and not total[node]:  # a tree has no question that no row came to
            return random_tree_of_classes(rng, most_leaves, empty)
    shares = weights / np.where(total > 0, total, 1)[:, None]
    return Tree(
        **shape(children),
        weight=total,
        outcome=weights,
        impurity=(shares * (1 - shares)).sum(axis=1),
        is_classifier=True,
    )


def small_model(rng: np.random.Generator, way: Way, **options) -> tuple[MixedTable, MixedTable, object]:
    """Grow a tree of at most 7 leaves on some rows of a table; give these, the others, and the estimator."""
    table = mixed_table(rng, way, rows=(12, 40))
    is_grown_on = rng.random(table.n_rows) < 0.6
    is_grown_on[0] = True
    rows = np.arange(table.n_rows)
    grown_on, others = table.take(rows[is_grown_on]), table.take(rows[~is_grown_on])
    estimator = grown_on.fit(way, max_leaf_nodes=7, **options)
    return grown_on, others, estimator
