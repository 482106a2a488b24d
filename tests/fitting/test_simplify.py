"""A simplified tree predicts the same, and no split in it is without use."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import treewright as tw
from mixed_tables import Way, mixed_table
from random_trees import WAYS_OF_CLASSES, WAYS_OF_NUMBERS
from treewright.errors import UnseenCategoryWarning
from treewright.fitting.simplify import simplified
from treewright.model.model import Model
from treewright.model.tree import Tree

LOSS = [[0.0, 1.0, 4.0, 1.0], [2.0, 0.0, 1.0, 1.0], [1.0, 5.0, 0.0, 1.0], [1.0, 1.0, 1.0, 0.0]]


def grown_by(way: Way, rng: np.random.Generator, **options):
    table = mixed_table(rng, way)
    options = {"min_samples_leaf": int(rng.integers(1, 4)), **options}
    return table, table.fit(way, **options)


def rows_like(table, rng: np.random.Generator, n: int = 60):
    """Draw rows with gaps and with categories that the table does not have."""
    columns = {}
    for name, values in table.columns.items():
        gap = None if table.is_category[name] else float("nan")
        others = ["never seen"] if table.is_category[name] else [-1.0, 2.25, 99.0]
        choice = [value for value in values if value == value and value is not None]  # noqa: PLR0124 - NaN
        choice = [*choice, *others, gap, gap]
        columns[name] = [choice[i] for i in rng.integers(0, len(choice), n)]
    return columns


def predicted(model: Model, columns):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        return model.predict(columns)


def useless(tree: Tree, node: int = 0) -> bool:
    """Whether a split below changes nothing: all of its leaves say the same as the node itself would."""
    spreads = any(each.question and each.question.missing_branch < 0 for each in tree.walk())

    def says(leaf):
        if not tree.is_classifier:
            return float(tree.outcome[leaf, 0])
        return tuple(tree.shares[leaf].tolist()) if spreads else int(tree.answer[leaf])

    def leaves(top):
        below = tree.children(top)
        return [leaf for child in below for leaf in leaves(child)] if below else [top]

    return any(
        {says(leaf) for leaf in leaves(inner)} <= {says(inner)}
        for inner in range(tree.n_nodes)
        if tree.children(inner)
    )


def check(model: Model, table, rng, *, exact: bool) -> bool:
    before = {name: getattr(model.tree, name).copy() for name in ("column", "child", "outcome")}
    tree = simplified(model.tree)
    columns = rows_like(table, rng)
    ours, theirs = predicted(Model(model.schema, tree), columns), predicted(model, columns)
    if exact:
        assert ours.tolist() == theirs.tolist()
    else:  # the parts of a row in several leaves add up to 1 but for rounding
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    assert not useless(tree)
    assert simplified(tree) is tree
    assert tree.n_nodes <= model.tree.n_nodes
    for name, values in before.items():
        assert np.array_equal(getattr(model.tree, name), values)
    return tree.n_nodes < model.tree.n_nodes


@pytest.mark.parametrize(
    "way", [*WAYS_OF_CLASSES, *WAYS_OF_NUMBERS], ids=lambda way: "-".join(vars(way).values())
)
def test_every_way_to_grow_predicts_the_same_when_simplified(way):
    some = False
    for seed in range(40):
        rng = np.random.default_rng([seed, 61])
        table, estimator = grown_by(way, rng)
        exact = way.missing != "spread" or estimator.tree_.is_classifier
        some |= check(estimator.model_, table, rng, exact=exact)
    assert some or way.missing == "spread" or way in WAYS_OF_NUMBERS


@pytest.mark.parametrize("variant", ["release8", "textbook", "j48"])
@pytest.mark.parametrize("prune", [True, False])
def test_c45_predicts_the_same_when_simplified(variant, prune):
    for seed in range(30):
        rng = np.random.default_rng([seed, 62])
        table = mixed_table(rng, Way("gain_ratio"))
        estimator = tw.C45Classifier(variant=variant, pruning=prune, collapse=False, min_cases=1)
        estimator.fit(table.columns, table.y, sample_weight=table.weights)
        check(estimator.model_, table, rng, exact=True)


def test_id3_predicts_the_same_when_simplified():
    some = False
    for seed in range(30):
        rng = np.random.default_rng([seed, 63])
        table = mixed_table(rng, Way("entropy"))
        columns = {name: list(map(str, values)) for name, values in table.columns.items()}
        estimator = tw.ID3Classifier(max_depth=2).fit(columns, table.y)
        table = type(table)(columns, table.y, table.weights, dict.fromkeys(columns, True))
        rows = {name: [v for v in rows_like(table, rng)[name] if v in set(columns[name])] for name in columns}
        n = min(map(len, rows.values()))
        rows = {name: values[:n] for name, values in rows.items()}
        tree = simplified(estimator.tree_)
        model = Model(estimator.model_.schema, tree)
        assert predicted(model, rows).tolist() == predicted(estimator.model_, rows).tolist()
        some |= tree.n_nodes < estimator.tree_.n_nodes
    assert some


def test_answers_by_a_loss_matrix_stay_the_same():
    some = False
    for seed in range(40):
        rng = np.random.default_rng([seed, 64])
        table = mixed_table(rng, Way("gini"), rows=(12, 40))
        n_classes = len(np.unique(table.y))
        loss = np.array(LOSS)[:n_classes, :n_classes]
        if n_classes < 2:
            continue
        estimator = tw.DecisionTreeClassifier(loss=loss, min_samples_leaf=2, random_state=0)
        estimator.fit(table.columns, table.y, sample_weight=table.weights)
        some |= check(estimator.model_, table, rng, exact=True)
    assert some


def test_leaves_of_one_number_become_one_that_answers_just_that():
    """The mean of three times 0.1 is not 0.1 in floats; `ccp` and limits aside, trees can end so."""
    X = {"x": [0.0, 1.0, 2.0, 3.0, 4.0]}
    estimator = tw.DecisionTreeRegressor().fit(X, [0.1, 0.2, 0.3, 0.4, 0.5])
    outcome = estimator.tree_.outcome.copy()
    is_leaf = estimator.tree_.column < 0
    outcome[is_leaf] = 0.1
    outcome[~is_leaf] = 0.1 + 2**-54 * 3
    tree = simplified(replace(estimator.tree_, outcome=outcome))
    assert tree.n_nodes == 1
    assert tree.outcome.tolist() == [[0.1]]


def test_a_node_that_would_answer_otherwise_than_its_leaves_stays():
    estimator = tw.DecisionTreeClassifier().fit({"x": [0.0, 1.0]}, ["a", "b"])
    tree = replace(estimator.tree_, label=np.array([0, 1, 1], np.int32))
    assert simplified(tree) is tree
    assert simplified(replace(tree, label=np.array([1, 1, 1], np.int32))).n_nodes == 1
