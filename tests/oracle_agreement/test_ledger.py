"""Ledgers of random trees: the winner is the tree's split, and every figure follows from the rows."""

from functools import lru_cache

import numpy as np
import pytest
from sklearn.base import is_regressor

import treewright as tw
from mixed_tables import MixedTable, Way, mixed_table
from oracle.exact_scores import OF_NUMBERS
from oracle.naive_ledger import NaiveNode, split_information
from treewright.model.ledger_arrays import STOPS, VERDICTS

N_TREES = 300
WON = VERDICTS.index("won")


def least_squares(y, weight, cuts):
    amount, size = np.cumsum(weight * y), np.cumsum(weight)
    left, right = amount[cuts - 1], amount[-1] - amount[cuts - 1]
    n_left, n_right = size[cuts - 1], size[-1] - size[cuts - 1]
    return left**2 / n_left + right**2 / n_right - amount[-1] ** 2 / size[-1]


def classes(**options):
    return lambda: tw.DecisionTreeClassifier(random_state=7, keep_ledger=True, **options)


def numbers(**options):
    return lambda: tw.DecisionTreeRegressor(random_state=7, keep_ledger=True, **options)


def c45(**options):
    return lambda: tw.C45Classifier(keep_ledger=True, **options)


def cart(make, **options):
    return lambda: make(random_state=7, keep_ledger=True, **options)


def id3(**options):
    return lambda: tw.ID3Classifier(keep_ledger=True, **{"bins": 3, **options})


RECIPES = {
    "gini": classes(),
    "entropy, a branch a category": classes(criterion="entropy", categorical_split="multiway"),
    "misclassification, one against the rest": classes(
        criterion="misclassification", categorical_split="one-vs-rest"
    ),
    "taylor entropy, the majority": classes(criterion="taylor_entropy", missing="majority"),
    "twoing, surrogates": classes(criterion="twoing", missing="surrogate"),
    "gain ratio": classes(criterion="gain_ratio"),
    "gain ratio, spread": classes(criterion="gain_ratio", missing="spread"),
    "gini, spread": classes(missing="spread", missing_penalty="quadratic"),
    "entropy, spread for nothing": classes(criterion="entropy", missing="spread", missing_penalty=None),
    "gini, a branch of their own": classes(missing="branch", categorical_split="multiway"),
    "gini, limits": classes(min_samples_leaf=3, max_depth=3, min_impurity_decrease=0.01),
    "gini, best first": classes(max_leaf_nodes=5),
    "gini, pruned": classes(ccp_alpha=0.02),
    "gini, drawn": classes(splitter="random", max_features=2),
    "weights of classes": classes(class_weight="balanced"),
    "priors and losses": classes(prior="drawn", loss="drawn"),
    "gini, no gaps": classes(missing="refuse"),
    "gini, the widest first": classes(growth="breadth"),
    "a function of classes": classes(
        criterion=lambda y, w, cuts: least_squares((y == 1).astype(float), w, cuts)
    ),
    "variance": numbers(),
    "variance, a branch a category": numbers(categorical_split="multiway", missing="branch"),
    "variance, spread": numbers(missing="spread"),
    "poisson": numbers(criterion="poisson"),
    "absolute error": numbers(criterion="absolute_error"),
    "absolute error, the majority": numbers(criterion="absolute_error", missing="majority"),
    "a function of numbers": numbers(criterion=least_squares),
    "variance, one against the rest": numbers(categorical_split="one-vs-rest", missing="majority"),
    "variance, in order": numbers(monotonic_cst="drawn"),
    "cart": cart(tw.CARTClassifier, pruning=None),
    "cart of numbers": cart(tw.CARTRegressor, pruning=None),
    "cart, pruned": cart(tw.CARTClassifier, cv=2),
    "cart of numbers, pruned": cart(tw.CARTRegressor, cv=2),
    "release 8": c45(),
    "release 8, groups": c45(group_categories=True, min_cases=1),
    "release 8 by gain": c45(criterion="gain", pruning=False, collapse=False),
    "textbook": c45(variant="textbook", min_cases=1),
    "j48": c45(variant="j48"),
    "j48, two branches": c45(variant="j48", binary_splits=True),
    "j48, rows held out": c45(variant="j48", reduced_error_folds=2),
    "j48 by gain, cuts for nothing": c45(variant="j48", criterion="gain", numeric_cost=False),
    "textbook, groups": c45(variant="textbook", group_categories=True),
    "id3": id3(missing="spread"),
    "id3, a branch of their own": id3(missing="branch"),
}


@lru_cache
def tables(seed: int, of_numbers: bool, n: int) -> list[MixedTable]:
    rng = np.random.default_rng(seed)
    return [mixed_table(rng, Way("squared_error" if of_numbers else "gini"), rows=(4, 24)) for _ in range(n)]


def fitted(make, table: MixedTable):
    estimator = settled(make(), table)
    y = table.y if is_regressor(estimator) else table.y.astype(int)
    return estimator.fit(table.columns, y, sample_weight=table.weights)


def settled(estimator, table: MixedTable):
    """Draw what depends on the table: priors, losses, directions."""
    rng = np.random.default_rng(table.n_rows)
    labels = np.unique(table.y).astype(int).tolist()
    losses = rng.integers(1, 5, (len(labels), len(labels))) * (1 - np.eye(len(labels)))
    drawn = {
        "prior": dict(zip(labels, rng.dirichlet(np.full(len(labels), 3.0)).tolist(), strict=True)),
        "loss": losses.tolist() if len(labels) > 1 else None,  # with one class there is nothing to lose
        "monotonic_cst": {
            name: int(rng.integers(-1, 2)) for name in table.columns if not table.is_category[name]
        },
    }
    given = estimator.get_params()
    wanted = [name for name in drawn if isinstance(given.get(name), str)]
    return estimator.set_params(**{name: drawn[name] for name in wanted})


def without_gaps(table: MixedTable) -> MixedTable:
    """Keep the rows that have every value; the first one always does."""
    values = list(zip(*table.columns.values(), strict=True))
    return table.take([at for at, row in enumerate(values) if not any(v is None or v != v for v in row)])  # noqa: PLR0124


def tables_for(make, seed: int, n: int) -> list[MixedTable]:
    found = tables(seed, is_regressor(make()), n)
    refuses = make().get_params().get("missing") == "refuse"
    return [without_gaps(table) for table in found] if refuses else found


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_winner_of_the_ledger_is_the_trees_split_at_every_node(recipe):
    make = RECIPES[recipe]
    n_splits = 0
    for table in tables_for(make, 1, N_TREES):
        model = fitted(make, table).model_
        # Where pruning sent rows down again, the pruned tree tells of these; its ledger of how it was grown.
        grown = model.tree if model.grown is None else model.grown
        n_splits += (grown.column >= 0).sum()
        check_winners(grown)
        check_figures_of_winners(grown)
        check_winners(model.tree)
    assert n_splits > N_TREES


def check_winners(tree) -> None:
    """Compare the winners of all nodes with the questions of the tree."""
    ledger = tree.ledger
    node = ledger.node
    won = np.flatnonzero(ledger.verdict == WON)
    of_node = np.full(tree.n_nodes, -1)
    of_node[node[won]] = won
    assert len(np.unique(node[won])) == len(won), "one winner a node"
    inner = np.flatnonzero(tree.column >= 0)
    rows = of_node[inner]
    assert (rows >= 0).all()
    assert (ledger.stop == 0).tolist() == (tree.column >= 0).tolist()
    assert ledger.column[rows].tolist() == tree.column[inner].tolist()
    is_cut = np.diff(tree.set_begin)[inner] == 0
    assert ledger.cut[rows][is_cut].tobytes() == tree.cut[inner][is_cut].tobytes()
    for at, row in zip(inner[~is_cut].tolist(), rows[~is_cut].tolist(), strict=True):
        in_tree = slice(tree.set_begin[at], tree.set_begin[at + 1])
        here = slice(ledger.set_begin[row], ledger.set_begin[row + 1])
        branch = dict(zip(tree.set_code[in_tree].tolist(), tree.set_branch[in_tree].tolist(), strict=True))
        codes, ours = ledger.set_code[here].tolist(), ledger.set_branch[here].tolist()
        pairs = {(branch[code], mine) for code, mine in zip(codes, ours, strict=True) if code in branch}
        assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)


def check_figures_of_winners(tree) -> None:
    """Compare what winners gain with what the nodes of the tree say."""
    ledger = tree.ledger
    rows = np.flatnonzero(ledger.verdict == WON)
    rows = rows[tree.column[ledger.node[rows]] >= 0]
    inner = ledger.node[rows]
    gains = tree.gain[inner] * tree.weight[0] / ledger.weight[inner]
    assert (np.abs(ledger.gain[rows] - gains) <= 1e-9 * np.abs(gains) + 1e-12).all()
    if tree.ratio is not None:
        assert ledger.net_gain[rows].tobytes() == tree.net_gain[inner].tobytes()
        assert ledger.worth[rows].tobytes() == tree.ratio[inner].tobytes()


# The oracle knows neither functions of the caller's nor priors, nor which rows were held out.
FOLLOWED = [name for name in RECIPES if not any(word in name for word in ("function", "prior", "held out"))]


@pytest.mark.parametrize("recipe", FOLLOWED)
def test_every_figure_follows_from_the_rows(recipe):
    make = RECIPES[recipe]
    for table in tables_for(make, 2, 12):
        estimator = fitted(make, table)
        if isinstance(estimator, tw.C45Classifier):
            # Raised nodes have other rows than they grew on.
            estimator = fitted(lambda: make().set_params(pruning=False, collapse=False), table)
        check_figures(estimator, table)


def check_figures(estimator, table: MixedTable) -> None:
    """Work every row of the ledger out again."""
    parameters = estimator.get_params()
    is_quinlan = isinstance(estimator, tw.C45Classifier)
    criterion = "entropy" if not hasattr(estimator, "criterion") else parameters["criterion"]
    criterion = "entropy" if is_quinlan else criterion
    weights = table.weights.copy()
    if parameters.get("class_weight") == "balanced":
        of_class = len(table.y) / (
            len(np.unique(table.y)) * np.bincount(table.y.astype(int))[table.y.astype(int)]
        )
        weights = weights * of_class
    columns = {
        name: [None if value is None or value != value else value for value in values]  # noqa: PLR0124
        for name, values in table.columns.items()
    }
    schema = estimator.model_.schema
    for column in schema.columns:
        if column.bins is not None:
            columns[column.name] = binned(columns[column.name], column)
    shares = estimator.decision_path(table.columns).toarray()
    known_classes = [] if criterion in OF_NUMBERS else estimator.classes_.tolist()
    for number in estimator.ledger_.nodes:
        node = NaiveNode(
            (weights * shares[:, number]).tolist(),
            table.y.tolist(),
            columns,
            criterion,
            parameters.get("missing_penalty", "linear")
            if parameters.get("missing") == "spread"
            else "linear",
        )
        for row in estimator.ledger_[number]:
            if row.gain is None:
                assert row.score is None
                continue
            labels = list(schema.columns[schema.names.index(row.column)].categories)
            assert row.gain == pytest.approx(node.gain(row, labels), abs=1e-9)
            told = node.told(row, labels, known_classes)
            ours = [list(branch.outcome) for branch in row.branches]
            if criterion in OF_NUMBERS:
                ours = [[branch.weight, *branch.outcome] for branch in row.branches]
            assert np.array(ours) == pytest.approx(np.array(told), abs=1e-9)
            sizes = [branch.weight for branch in row.branches]
            missing = sum(node.weights) - sum(sizes) if row.question.missing_branch < 0 else 0.0
            if row.question.missing_branch < 0:
                assert row.known == pytest.approx(1 - missing / sum(node.weights), abs=1e-9)
            if row.ratio is not None:
                in_split = [*sizes, missing] if is_quinlan and parameters["variant"] != "textbook" else sizes
                split = split_information([size for size in in_split if size > 1e-9])
                assert row.split_information == pytest.approx(split, abs=1e-9)
                assert row.ratio == pytest.approx((row.gain - (row.cost or 0.0)) / split, abs=1e-9)
            if row.cost is not None:
                assert row.cost == pytest.approx(np.log2(row.n_tries) / sum(node.weights), abs=1e-9)


def binned(values: list, column) -> list:
    """Name the interval of each value."""
    edges = np.array(column.bins.edges)
    return [
        None if value is None else column.categories[int(np.searchsorted(edges, value, side="left"))]
        for value in values
    ]


@pytest.mark.parametrize("recipe", [name for name in RECIPES if name not in ("release 8", "j48", "textbook")])
def test_an_audit_finds_what_growing_found(recipe):
    make = RECIPES[recipe]
    for table in tables_for(make, 3, 12):
        estimator = fitted(make, table)
        if estimator.get_params().get("subtree_raising"):
            estimator.set_params(subtree_raising=False)  # otherwise more rows come to a node than it grew on
            estimator = fitted(lambda estimator=estimator: estimator, table)
        y = table.y if is_regressor(estimator) else table.y.astype(int)
        for number in estimator.ledger_.nodes:
            kept = estimator.ledger_[number]
            if not len(kept):
                continue
            found = tw.audit(estimator, table.columns, y, number, sample_weight=table.weights)
            assert [row.verdict for row in found] == [row.verdict for row in kept]
            assert [row.question for row in found] == [row.question for row in kept]
            for ours, theirs in zip(found, kept, strict=True):
                for name in ("gain", "score", "known", "cost"):
                    assert getattr(ours, name) == pytest.approx(getattr(theirs, name), abs=1e-9)
            if estimator.tree_.node(number).is_leaf:
                assert STOPS[found.arrays.stop[0]] != "empty"
            else:
                assert found.why(number) == kept.why(number)
