"""Parameters: each checked in fit, by name, with what to do."""

import numpy as np
import pytest
import sklearn.tree
from sklearn.base import clone

from treewright import CARTClassifier, DecisionTreeClassifier, DecisionTreeRegressor
from treewright.errors import ParameterError, TargetError
from treewright.estimators.parameters import limits, n_columns_drawn, order, pruner, read
from treewright.parts.orders import BestFirst, DepthFirst, LevelByLevel
from treewright.parts.pruners import CostComplexity, NoPruning

X = np.array([[1.0, 4.0], [2.0, 3.0], [3.0, 2.0], [4.0, 1.0]])
Y = np.array([0, 0, 1, 1])
BOTH = pytest.mark.parametrize("make", [DecisionTreeClassifier, DecisionTreeRegressor])

OURS = ("min_impurity", "categorical_features", "categorical_split", "missing", "missing_penalty", "growth")
OURS += ("recipe", "keep_ledger", "on_identifier", "n_jobs", "engine", "verbose")


@pytest.mark.parametrize(
    ("make", "theirs", "own"),
    [
        (DecisionTreeClassifier, sklearn.tree.DecisionTreeClassifier, ("prior", "loss")),
        (DecisionTreeRegressor, sklearn.tree.DecisionTreeRegressor, ("leaf_value",)),
    ],
)
def test_all_parameters_of_scikit_learn_are_there_with_their_defaults(make, theirs, own):
    ours = make().get_params()
    assert ours.items() >= theirs().get_params().items()
    assert set(ours) - set(theirs().get_params()) == {*OURS, *own}


@BOTH
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("engine", "dask"),
    ],
)
def test_what_comes_later_is_refused_with_what_is_there(make, name, value):
    with pytest.raises(ParameterError, match=rf"{name}=.* is not available in this version; available: "):
        make(**{name: value}).fit(X, Y)


def test_a_misspelt_leaf_value_is_answered_with_the_nearest():
    with pytest.raises(ParameterError, match=r"leaf_value='medain' is unknown; .* Did you mean 'median'\?"):
        DecisionTreeRegressor(leaf_value="medain").fit(X, Y)


@BOTH
@pytest.mark.parametrize(
    ("name", "value", "nearest"),
    [
        ("splitter", "bset", "best"),
        ("missing", "learnt", "learned"),
        ("missing", "surogate", "surrogate"),
        ("growth", "dept", "depth"),
        ("max_features", "sqr", "sqrt"),
        ("categorical_split", "subsets", "subset"),
        ("categorical_split", "one-vs-all", "one-vs-rest"),
        ("categorical_features", "from_dtypes", "from_dtype"),
        ("engine", "locl", "local"),
    ],
)
def test_a_misspelt_value_is_answered_with_the_nearest(make, name, value, nearest):
    with pytest.raises(ParameterError, match=rf"{name}='{value}' is unknown; .* Did you mean '{nearest}'\?"):
        make(**{name: value}).fit(X, Y)


@pytest.mark.parametrize(
    ("make", "value", "nearest"),
    [(DecisionTreeClassifier, "Gini", "gini"), (DecisionTreeRegressor, "squared error", "squared_error")],
)
def test_a_misspelt_criterion_is_answered_with_the_nearest(make, value, nearest):
    with pytest.raises(
        ParameterError, match=rf"criterion='{value}' is unknown; .* Did you mean '{nearest}'\?"
    ):
        make(criterion=value).fit(X, Y)


@BOTH
@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("max_depth", 0, ValueError),
        ("max_depth", 2.0, TypeError),
        ("max_depth", True, TypeError),
        ("max_depth", "deep", TypeError),
        ("min_samples_split", 1, ValueError),
        ("min_samples_split", 0.0, ValueError),
        ("min_samples_split", 1.1, ValueError),
        ("min_samples_split", True, TypeError),
        ("min_samples_split", "2", TypeError),
        ("min_samples_leaf", 0, ValueError),
        ("min_samples_leaf", 1.0, ValueError),
        ("min_samples_leaf", None, TypeError),
        ("min_weight_fraction_leaf", 0.6, ValueError),
        ("min_weight_fraction_leaf", -0.1, ValueError),
        ("max_features", 0, ValueError),
        ("max_features", 0.0, ValueError),
        ("max_features", 1.5, ValueError),
        ("max_features", False, TypeError),
        ("max_leaf_nodes", 1, ValueError),
        ("max_leaf_nodes", 2.5, TypeError),
        ("min_impurity_decrease", -1.0, ValueError),
        ("min_impurity_decrease", float("nan"), ValueError),
        ("min_impurity", -0.5, ValueError),
        ("min_impurity", "none", TypeError),
        ("ccp_alpha", -0.5, ValueError),
        ("ccp_alpha", None, TypeError),
        ("n_jobs", 0, ValueError),
        ("n_jobs", 1.5, TypeError),
        ("verbose", -1, ValueError),
    ],
)
def test_a_number_out_of_range_is_refused_by_name_and_value(make, name, value, error):
    with pytest.raises(error, match=rf"{name}=.*{value}"):
        make(**{name: value}).fit(X, Y)


@BOTH
def test_a_random_state_that_is_none_is_refused(make):
    with pytest.raises(ParameterError, match="random_state='dice' cannot be used to seed"):
        make(random_state="dice").fit(X, Y)
    for seed in (-1, 2**32):
        with pytest.raises(ParameterError, match=f"random_state={seed} cannot be used to seed"):
            make(random_state=seed).fit(X, Y)
    assert make(random_state=2**32 - 1, max_features=1).fit(X, Y).tree_.n_nodes


@BOTH
@pytest.mark.parametrize("name", ["min_samples_leaf", "min_samples_split", "max_depth", "max_leaf_nodes"])
def test_a_number_beyond_64_bits_is_refused_by_name_and_value(make, name):
    with pytest.raises(ParameterError, match=rf"{name}=9223372036854775808 is too large"):
        make(**{name: 2**63}).fit(X, Y)


def test_a_report_of_a_tree_whose_parameters_were_changed_since_tells_what_is_wrong_with_them(tmp_path):
    tree = CARTClassifier(pruning=None).fit(X, Y)
    with pytest.raises(ParameterError, match="risk='errors' is unknown"):
        tree.set_params(risk="errors").report(tmp_path / "page.html", X, Y)
    tree = DecisionTreeRegressor().fit([[1], [2]], [-1.0, 1.0]).set_params(criterion="poisson")
    with pytest.raises(TargetError, match="Poisson deviance needs targets of at least 0"):
        tree.report(tmp_path / "page.html", [[1], [2]], [-1.0, 1.0])
    assert list(tmp_path.iterdir()) == []


@BOTH
@pytest.mark.parametrize(
    "name", ["max_depth", "min_samples_split", "min_samples_leaf", "max_features", "max_leaf_nodes"]
)
def test_whole_numbers_of_numpy_are_taken(make, name):
    make(**{name: np.int32(2)}).fit(X, Y)


@BOTH
def test_nothing_is_checked_before_fit(make):
    estimator = make(criterion="nonsense", max_depth=-3, n_jobs=0)
    assert clone(estimator).get_params() == estimator.get_params()


def flat(**changes):
    return read(DecisionTreeClassifier(**changes))


def test_fractions_are_shares_of_all_rows_rounded_up():
    found = limits(flat(min_samples_split=0.31, min_samples_leaf=0.11), n_rows=10, n_columns=1, weight=10.0)
    assert (found.min_rows_split, found.min_rows_leaf) == (4, 2)


def test_a_split_needs_two_leaves_worth_of_rows():
    assert limits(flat(min_samples_leaf=5), n_rows=100, n_columns=1, weight=1.0).min_rows_split == 10


def test_the_least_weight_of_a_leaf_is_a_share_of_the_whole():
    assert limits(flat(min_weight_fraction_leaf=0.1), 10, 1, weight=40.0).min_weight_leaf == 4.0


@pytest.mark.parametrize(
    ("max_features", "drawn"), [(None, 20), (5, 5), (99, 99), (0.5, 10), (0.01, 1), ("sqrt", 4), ("log2", 4)]
)
def test_max_features_counts_as_in_scikit_learn(max_features, drawn):
    assert n_columns_drawn(max_features, 20) == drawn
    X20 = np.random.default_rng(0).normal(size=(30, 20))
    y = np.arange(30) % 2
    theirs = sklearn.tree.DecisionTreeClassifier(max_features=max_features).fit(X20, y)
    ours = DecisionTreeClassifier(max_features=max_features).fit(X20, y)
    assert ours.max_features_ == theirs.max_features_ == drawn


@pytest.mark.parametrize(
    ("growth", "max_leaf_nodes", "expected"),
    [
        (DepthFirst(), None, DepthFirst()),
        (DepthFirst(), 5, BestFirst()),
        (BestFirst(), None, BestFirst()),
        (LevelByLevel(), None, LevelByLevel()),
        (LevelByLevel(), 5, LevelByLevel()),
    ],
)
def test_a_limit_on_leaves_means_best_first_unless_breadth_is_asked_for(growth, max_leaf_nodes, expected):
    assert order(growth, max_leaf_nodes) == expected


def test_a_price_of_nothing_prunes_nothing():
    assert pruner({"ccp_alpha": 0.0}) == NoPruning()
    assert pruner({"ccp_alpha": 0.1}) == CostComplexity(0.1)


def test_friedman_mse_is_squared_error_and_says_that_it_goes_away():
    target = np.arange(len(X)) ** 2.0
    plain = DecisionTreeRegressor().fit(X, target)
    with pytest.warns(FutureWarning, match="criterion='friedman_mse' is deprecated.*squared_error"):
        alias = DecisionTreeRegressor(criterion="friedman_mse").fit(X, target)
    assert np.array_equal(alias.tree_.threshold, plain.tree_.threshold)
    assert np.array_equal(alias.tree_.impurity, plain.tree_.impurity)
    assert alias.get_params()["criterion"] == "friedman_mse"
