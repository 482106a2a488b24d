"""The oracle itself: scikit-learn's trees where nothing ties, and the rules for ties written out."""

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from oracle import naive_pruning
from oracle.agreement import table_for
from oracle.exact_scores import OF_CLASSES, OF_NUMBERS, absolute_deviations, median, score
from oracle.naive_tree import NaiveTree, Rules, acceptable_trees, grow, keep, midpoint
from oracle.plain_tree import difference, of_estimator, of_nodes
from oracle.replay import compare
from oracle.scorer import Scorer
from sklearn_versions import GROWS_THE_SAME_TREES
from tables import Table, random_table

NAN = math.nan


def float32_table(criterion, rng, **options) -> Table:
    """Draw a table whose values scikit-learn sees as they are."""
    while True:
        table = table_for(criterion, rng, **options)
        with np.errstate(over="ignore"):
            narrow = table.X.astype(np.float32)
        if np.array_equal(narrow.astype(float), table.X, equal_nan=True):
            return table


def sklearn_tree(table: Table, rules: Rules, **options):
    kind = DecisionTreeRegressor if rules.criterion in OF_NUMBERS else DecisionTreeClassifier
    names = ["criterion", "max_depth", "min_samples_leaf", "min_samples_split", "min_weight_fraction_leaf"]
    options |= {name: getattr(rules, name) for name in names}
    return kind(random_state=0, **options).fit(table.X, table.y, sample_weight=table.weights)


@GROWS_THE_SAME_TREES
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error", "poisson"])
def test_the_oracle_grows_scikit_learns_trees_where_no_split_ties(criterion):
    n_same = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        table = float32_table(criterion, rng, gaps=seed % 3 == 0, weighted=seed % 2 == 0)
        rules = Rules(
            criterion,
            max_depth=[None, 3][seed % 2],
            min_samples_leaf=1 + seed % 4 // 2,
            min_weight_fraction_leaf=[0.0, 0.0, 0.125][seed % 3],
        )
        ours = of_nodes(grow(table.X, table.y, rules, table.weights), shares=criterion in OF_CLASSES)
        theirs = of_estimator(sklearn_tree(table, rules))
        total = table.n_rows if table.weights is None else table.weights.sum()
        scorer = Scorer(
            table.X,
            table.y,
            table.weights,
            criterion=criterion,
            min_rows_leaf=rules.min_samples_leaf,
            min_weight_leaf=rules.min_weight_fraction_leaf * total,
        )
        found = compare(theirs, ours, scorer, rules, cut_tolerance=0)
        if found.same:
            n_same += 1
            assert difference(ours, theirs, value_tolerance=1e-12, other_tolerance=1e-9) is None, str(table)
    assert n_same > 200


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_the_oracle_prunes_as_scikit_learn_does(criterion):
    n_same = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        table = float32_table(criterion, rng, weighted=seed % 2 == 0)
        rules = Rules(criterion)
        nodes = grow(table.X, table.y, rules, table.weights)
        links = naive_pruning.links(nodes)
        full = sklearn_tree(table, rules)
        ours = of_nodes(nodes, shares=criterion == "gini")
        if difference(ours, of_estimator(full), value_tolerance=1e-12, other_tolerance=1e-9):
            continue
        n_same += 1
        path = full.cost_complexity_pruning_path(table.X, table.y, sample_weight=table.weights)
        expected = naive_pruning.merged(path.ccp_alphas, path.impurities, tolerance=1e-9)
        alphas, risks = zip(*naive_pruning.path(links), strict=True)
        rounding = 1e-12 * max(
            1, np.square(table.y).max()
        )  # scikit-learn's variance is a difference of squares
        assert np.allclose(np.array(alphas, float), expected[0], rtol=0, atol=rounding)
        assert np.allclose(np.array(risks, float), expected[1], rtol=0, atol=rounding)
        for alpha in (0.003, 0.017, 0.11):
            if any(abs(step.alpha - Fraction(alpha)) < 1e-12 for step in naive_pruning.weakest_links(links)):
                continue
            left = of_nodes(keep(nodes, naive_pruning.pruned(links, alpha)), shares=criterion == "gini")
            theirs = of_estimator(sklearn_tree(table, rules, ccp_alpha=alpha))
            if len(left) == len(theirs):  # scikit-learn numbers a pruned tree anew, in pre-order
                assert difference(left, theirs, value_tolerance=1e-12, other_tolerance=1e-9) is None
            else:
                pytest.fail(f"{len(left)} nodes, scikit-learn {len(theirs)}\n{table}\nccp_alpha {alpha}")
    assert n_same > 80


def test_no_other_answer_has_a_smaller_absolute_error_than_the_median():
    for seed in range(300):
        table = random_table(np.random.default_rng(seed), regression=True, weighted=seed % 2 == 0)
        tree = NaiveTree(table.X, table.y, Rules("absolute_error"), table.weights)
        side = tree.side(tree.rows)
        losses = [sum(w * abs(y - c) for y, w in side.numbers.items()) for c in side.numbers]
        assert absolute_deviations(side) == min(losses)
        below = sum(w for y, w in side.numbers.items() if y <= median(side))
        above = sum(w for y, w in side.numbers.items() if y >= median(side))
        assert 2 * min(below, above) >= side.weight


def test_the_median_is_the_midpoint_where_exactly_half_the_weight_lies_at_or_below():
    rules = Rules("absolute_error", max_depth=1)
    for y, weights, expected in (
        ([1.0, 2.0, 4.0, 9.0], None, 3),
        ([1.0, 2.0, 4.0], None, 2),
        ([1.0, 2.0, 4.0], [2, 1, 1], Fraction(3, 2)),
        ([1.0, 2.0, 4.0], [1, 1, 3], 4),
    ):
        (root, *_) = grow([[0.0]] * len(y), y, rules, weights)
        assert root.value == (expected,)


def test_ties_go_to_the_lowest_column_then_the_lowest_cut():
    X = [[0, 5, 0], [1, 6, 1], [2, 6, 1], [3, 7, 2]]
    (root, *_) = grow(X, [0, 1, 1, 0], Rules())
    assert (root.split.column, root.split.cut) == (0, 0.5)


def test_ties_go_to_missing_right():
    """Cut 0.5 with the gap right isolates row 0; with the gap left it isolates row 1. Both remove as much."""
    (root, *_) = grow([[0.0], [1.0], [NAN]], [0, 1, 2], Rules())
    assert (root.split.cut, root.split.missing_left) == (0.5, False)


def test_missing_rows_go_where_they_belong_or_stand_alone():
    """Only cut 0.5 with the gap left is perfect; in the second table only the gap alone is."""
    (root, *_) = grow([[0.0], [1.0], [2.0], [NAN]], [0, 1, 1, 0], Rules())
    assert (root.split.cut, root.split.missing_left) == (0.5, True)
    (root, *_) = grow([[0.0], [1.0], [NAN]], [0, 0, 1], Rules())
    assert (root.split.cut, root.split.missing_left) == (math.inf, False)


def test_without_gaps_a_missing_value_follows_the_child_with_more_rows_and_right_when_equal():
    assert grow([[0.0], [1.0], [2.0]], [0, 0, 1], Rules())[0].split.missing_left
    assert not grow([[0.0], [1.0]], [0, 1], Rules())[0].split.missing_left
    assert not grow([[0.0], [1.0], [1.0]], [0, 1, 1], Rules())[0].split.missing_left
    heavy = grow([[0.0], [0.0], [1.0], [2.0]], [0, 0, 1, 1], Rules(), [1, 1, 9, 0])
    assert heavy[0].split.missing_left, "rows of positive weight are counted, not their weight"


def test_the_cut_is_the_midpoint_or_the_lower_value_where_that_rounds_up():
    above = np.nextafter(1.0, 2.0)
    assert midpoint(1.0, above) == 1.0
    assert midpoint(above, np.nextafter(above, 2.0)) == above
    assert midpoint(-1.7e308, 1.7e308) == 0.0
    assert midpoint(1e308, 1.7e308) == 1.35e308
    assert midpoint(-5e-324, 0.0) == -5e-324


def test_a_split_of_no_gain_is_taken():
    nodes = grow([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], Rules())
    assert len(nodes) == 7
    assert nodes[0].gain == 0
    assert nodes[1].gain == Fraction(1, 4)


def test_entropy_is_compared_exactly():
    """The cut after i rows is the mirror image of the one after 8 - i: their scores are equal, not near."""
    rows = [[i] for i in range(8)]
    candidates = NaiveTree(rows, [0, 1, 0, 1, 0, 1, 0, 1], Rules("entropy"))
    scores = [score("entropy", (left, right)) for *_, left, right in candidates.candidates(list(range(8)))]
    assert scores == scores[::-1]


def test_best_first_growth_lists_every_tree_that_equal_nodes_allow():
    """Both halves are alike, so either may be opened first; the rule is the first in pre-order."""
    X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    trees = acceptable_trees(X, [0, 1, 2, 3], Rules(max_leaf_nodes=3))
    assert len(trees) == 2
    assert not trees[0][1].is_leaf
    assert trees[1][1].is_leaf


def test_breadth_first_growth_spends_its_leaves_level_by_level():
    X = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]]
    (nodes,) = acceptable_trees(X, [0, 1, 2, 3, 3], Rules(max_leaf_nodes=3, growth="breadth"))
    assert [node.is_leaf for node in nodes] == [False, False, True, True, True]


def test_pruning_at_alpha_zero_keeps_splits_of_no_gain():
    nodes = grow([[0.0], [1.0], [0.0], [1.0]], [0, 1, 1, 0], Rules())
    links = naive_pruning.links(nodes)
    assert len(nodes) == 3
    assert naive_pruning.pruned(links, 0) == {0}
    assert naive_pruning.pruned(links, 1e-9) == frozenset()
