"""`monotonic_cst`: given by position or by name, checked in fit, and what follows from it."""

import pickle

import numpy as np
import pytest
import sklearn.tree
from sklearn.base import clone

import treewright
from treewright import CARTClassifier, CARTRegressor, DecisionTreeClassifier, DecisionTreeRegressor
from treewright.errors import ParameterError

BOTH = pytest.mark.parametrize("make", [DecisionTreeClassifier, DecisionTreeRegressor])
X = {"age": [1.0, 2.0, 3.0, 4.0], "income": [4.0, 3.0, 2.0, 1.0]}
Y = np.array([0, 0, 1, 1])


def noisy(seed: int, n: int = 120):
    """Draw a table whose second column tells against the first."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] - X[:, 1] + 2 * rng.normal(size=n)


def test_a_cut_against_the_order_is_not_made():
    """By age the second class rises, by income it falls; asked otherwise neither column can be cut."""
    assert DecisionTreeClassifier(monotonic_cst=[1, -1]).fit(X, Y).tree_.n_nodes == 3
    assert DecisionTreeClassifier(monotonic_cst=[-1, 1]).fit(X, Y).tree_.n_nodes == 1
    assert DecisionTreeClassifier(monotonic_cst=[-1, -1]).fit(X, Y).to_text().splitlines()[1:] == [
        "├── income <= 2.5 → 1 (100% of 2 rows)",
        "└── income > 2.5 → 0 (100% of 2 rows)",
    ]


def test_answers_are_clipped_to_half_way_between_the_sides_above_them_and_impurities_are_not():
    """Worked out by hand: by x the means are 6 and 14, which meet at 10, so a leaf of 9 answers 10."""
    table, y = {"x": [1, 1, 2, 2], "u": [0, 1, 0, 1]}, [4.0, 8.0, 9.0, 19.0]
    bound, free = (DecisionTreeRegressor(monotonic_cst=given).fit(table, y) for given in ({"x": 1}, None))
    assert bound.to_text().splitlines() == [
        "4 rows: value 10, sd 5.52",
        "├── x <= 1.5: 2 rows: value 6, sd 2",
        "│   ├── u <= 0.5 → 4 (1 row, sd 0)",
        "│   └── u > 0.5 → 8 (1 row, sd 0)",
        "└── x > 1.5: 2 rows: value 14, sd 5",
        "    ├── u <= 0.5 → 10 (1 row, sd 0)",
        "    └── u > 0.5 → 19 (1 row, sd 0)",
    ]
    assert free.predict(table).tolist() == y
    assert bound.tree_.impurity.tolist() == free.tree_.impurity.tolist()
    assert bound.tree_.gain.tolist() == free.tree_.gain.tolist()


def test_of_two_classes_the_share_of_the_second_is_clipped_and_the_first_has_the_rest():
    """By x the shares are 1/4 and 3/4, which meet at 1/2; impurities stay those of the rows."""
    table = {"x": [1] * 4 + [2] * 4, "u": [1, 1, 1, 0, 0, 1, 1, 1]}
    y = ["no", "no", "no", "yes", "no", "yes", "yes", "yes"]
    tree = DecisionTreeClassifier(monotonic_cst={"x": 1}).fit(table, y)
    assert tree.predict_proba({"x": [1, 1, 2, 2], "u": [0, 1, 0, 1]}).tolist() == [
        [0.5, 0.5],
        [1.0, 0.0],
        [0.5, 0.5],
        [0.0, 1.0],
    ]
    assert tree.tree_.impurity[tree.tree_.column < 0].tolist() == [0.0] * 4
    assert tree.tree_.outcome.sum(axis=1).tolist() == tree.tree_.weight.tolist()


@BOTH
@pytest.mark.parametrize(
    "given",
    [
        [1, 0],
        (1, 0),
        np.array([1, 0]),
        np.array([1, 0], dtype=np.int8),
        np.array([1.0, 0.0]),
        {"age": 1},
        {"income": 0, "age": np.int64(1)},
    ],
    ids=str,
)
def test_directions_may_be_given_by_position_or_by_name(make, given):
    expected = make(monotonic_cst=[1, 0]).fit(X, Y)
    tree = clone(make(monotonic_cst=given)).fit(X, Y)
    assert tree.tree_ == expected.tree_


@BOTH
@pytest.mark.parametrize("given", [None, [0, 0], {}, {"age": 0}], ids=str)
def test_no_direction_is_no_constraint(make, given):
    table, y = noisy(0)
    y = y if make is DecisionTreeRegressor else (y > 0).astype(int)
    named = {"age": table[:, 0], "income": table[:, 1]}
    assert make(monotonic_cst=given).fit(named, y).tree_ == make().fit(named, y).tree_


def test_columns_without_names_are_known_by_the_names_they_are_given():
    table, y = noisy(1)
    by_name = DecisionTreeRegressor(monotonic_cst={"x1": -1}).fit(table, y)
    assert by_name.tree_ == DecisionTreeRegressor(monotonic_cst=[0, -1, 0]).fit(table, y).tree_


@BOTH
@pytest.mark.parametrize(
    ("given", "text"),
    [
        ([1, 2], r"monotonic_cst holds 2 for column 'income'; give 1 .* -1 .* or 0"),
        ([1, 0.5], r"monotonic_cst holds 0\.5 for column 'income'"),
        ([True, 0], r"monotonic_cst holds True for column 'age'"),
        (["up", 0], r"monotonic_cst holds 'up' for column 'age'"),
        ({"age": None}, r"monotonic_cst holds None for column 'age'"),
        ({"age": np.nan}, r"monotonic_cst holds nan for column 'age'"),
        ([1], r"monotonic_cst has 1 entries, but X has 2 features; give -1, 0 or 1 for each column"),
        ([1, 0, 0], r"monotonic_cst has 3 entries, but X has 2 features"),
        ([], r"monotonic_cst has 0 entries, but X has 2 features"),
        ({"agee": 1}, r"monotonic_cst: no column 'agee'\. Did you mean 'age'\?"),
        ({"shoe size": 1}, r"monotonic_cst: no column 'shoe size'\. The columns are 'age', 'income'\."),
        ({0: 1}, r"monotonic_cst: no column 0\. The columns are 'age', 'income'\."),
    ],
    ids=str,
)
def test_a_direction_that_is_none_is_refused_by_name_with_what_to_do(make, given, text):
    with pytest.raises(ParameterError, match=text):
        make(monotonic_cst=given).fit(X, Y)


@BOTH
@pytest.mark.parametrize("given", ["rising", 1, [[1, 0]], np.array([[1], [0]])], ids=str)
def test_what_is_no_list_of_directions_is_refused_as_of_the_wrong_type(make, given):
    with pytest.raises(
        ParameterError, match=r"(?s)monotonic_cst=.* cannot be used; give -1, 0 or 1"
    ) as caught:
        make(monotonic_cst=given).fit(X, Y)
    assert isinstance(caught.value, TypeError)


def test_more_than_two_classes_have_no_order():
    text = r"monotonic constraints order the shares of two classes, and the target has 3: 0, 1, 2"
    with pytest.raises(ParameterError, match=text):
        DecisionTreeClassifier(monotonic_cst=[1, 0]).fit(X, [0, 1, 2, 1])


def test_one_class_is_a_leaf():
    tree = DecisionTreeClassifier(monotonic_cst=[1, 0]).fit(X, ["yes"] * 4)
    assert tree.predict_proba(X).tolist() == [[1.0]] * 4


@BOTH
def test_categories_have_no_order(make):
    table = {"town": ["Ulm", "Ulm", "Bonn", "Bonn"], "age": [1, 2, 3, 4]}
    text = r"monotonic constraint on column 'town' is 1, but its categories have no order; give 0 there"
    with pytest.raises(ParameterError, match=text):
        make(monotonic_cst={"town": 1}).fit(table, Y)
    with pytest.raises(ParameterError, match=text.replace("town", "age")):
        make(monotonic_cst={"age": 1}, categorical_features=["town", "age"]).fit(table, Y)
    assert make(monotonic_cst={"age": 1}).fit(table, Y).tree_.n_nodes == 3


@pytest.mark.parametrize(
    ("criterion", "leaf_value", "bound", "way_out"),
    [
        ("squared_error", "median", "mean", "the absolute error"),
        ("poisson", "median", "mean", "the absolute error"),
        ("absolute_error", "mean", "median", "another criterion"),
    ],
)
def test_bounds_of_means_are_none_of_medians(criterion, leaf_value, bound, way_out):
    tree = DecisionTreeRegressor(criterion=criterion, leaf_value=leaf_value, monotonic_cst=[1, 0])
    text = f"bound {bound}s, .* predict {leaf_value}s; set leaf_value to the {bound}, or use {way_out}"
    with pytest.raises(ParameterError, match=text):
        tree.fit(X, Y)


@pytest.mark.parametrize(
    "costs",
    [
        {"prior": [0.2, 0.8]},
        {"loss": [[0, 1], [5, 0]]},
        {"prior": [0.9, 0.1], "loss": [[0, 3], [1, 0]]},
        {"class_weight": "balanced"},
        {"class_weight": {0: 1, 1: 7.5}},
    ],
    ids=str,
)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_shares_and_answers_are_in_order_with_priors_losses_and_class_weights(criterion, costs):
    """Weights of classes change shares, not their order."""
    for seed in range(20):
        table, signal = noisy(seed)
        tree = DecisionTreeClassifier(criterion=criterion, monotonic_cst=[1, -1, 0], **costs)
        tree.fit(table, (signal > 0).astype(int))
        assert np.allclose(tree.predict_proba(table).sum(axis=1), 1.0, rtol=0, atol=1e-12)
        line = np.linspace(-3, 3, 100)
        for other in (-0.5, 0.5):
            rising = np.column_stack([line, np.full(100, other), np.full(100, 0.1)])
            falling = np.column_stack([np.full(100, other), line, np.full(100, 0.1)])
            assert (np.diff(tree.predict_proba(rising)[:, 1]) >= -1e-12).all()
            assert (np.diff(tree.predict_proba(falling)[:, 1]) <= 1e-12).all()
            assert (np.diff(tree.predict(rising)) >= 0).all()
            assert (np.diff(tree.predict(falling)) <= 0).all()


def test_priors_as_they_are_change_nothing():
    table, signal = noisy(3)
    y = (signal > np.median(signal)).astype(int)  # as many of either
    free = DecisionTreeClassifier(monotonic_cst=[1, -1, 0]).fit(table, y)
    even = DecisionTreeClassifier(monotonic_cst=[1, -1, 0], prior=[0.5, 0.5]).fit(table, y)
    assert np.array_equal(free.apply(table), even.apply(table))
    assert np.allclose(free.predict_proba(table), even.predict_proba(table), rtol=1e-14)


@pytest.mark.parametrize("criterion", ["gini", "squared_error", "absolute_error"])
def test_a_pruned_tree_answers_with_the_clipped_values_of_its_inner_nodes(criterion):
    make = DecisionTreeClassifier if criterion == "gini" else DecisionTreeRegressor
    theirs = getattr(sklearn.tree, make.__name__)
    n_smaller = 0
    for seed in range(10):
        table, signal = noisy(seed)
        table = table.astype(np.float32).astype(float)
        y = (signal > 0).astype(int) if criterion == "gini" else signal
        options = {"criterion": criterion, "monotonic_cst": [1, -1, 0], "max_depth": 5}
        grown, pruned = make(**options).fit(table, y), make(**options, ccp_alpha=0.02).fit(table, y)
        n_smaller += pruned.tree_.n_nodes < grown.tree_.n_nodes
        expected = theirs(**options, ccp_alpha=0.02, random_state=0).fit(table, y)
        if np.array_equal(expected.tree_.feature, pruned.tree_.feature):
            assert np.allclose(pruned.tree_.value, expected.tree_.value, rtol=1e-9, atol=1e-9)
    assert n_smaller > 5


@BOTH
def test_the_tree_goes_over_to_scikit_learn_and_through_pickle(make):
    table, signal = noisy(4)
    table = table.astype(np.float32).astype(float)
    y = signal if make is DecisionTreeRegressor else (signal > 0).astype(int)
    tree = make(monotonic_cst=[1, 0, -1]).fit(table, y)
    assert np.array_equal(tree.to_sklearn().predict(table), tree.predict(table))
    assert pickle.loads(pickle.dumps(tree)).tree_ == tree.tree_


@pytest.mark.parametrize("make", [CARTClassifier, CARTRegressor])
def test_the_classic_learners_take_it_too(make):
    table, signal = noisy(5)
    y = signal if make is CARTRegressor else (signal > 0).astype(int)
    tree = make(pruning=None, missing="majority", monotonic_cst={"x0": 1}).fit(table, y)
    kind = getattr(treewright, make.__name__.replace("CART", "DecisionTree"))
    assert tree.tree_ == kind(missing="majority", monotonic_cst=[1, 0, 0]).fit(table, y).tree_


def test_datetimes_have_an_order():
    days = np.array(["2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01"], dtype="datetime64[ns]")
    assert DecisionTreeClassifier(monotonic_cst={"day": 1}).fit({"day": days}, Y).tree_.n_nodes == 3
    assert DecisionTreeClassifier(monotonic_cst={"day": -1}).fit({"day": days}, Y).tree_.n_nodes == 1


def test_whether_there_is_a_value_is_asked_freely():
    """Who has no value is neither low nor high."""
    table = {"x": [1.0, 2.0, None, None]}
    for direction in (1, -1):
        tree = DecisionTreeClassifier(monotonic_cst=[direction]).fit(table, [1, 1, 0, 0])
        assert tree.predict(table).tolist() == [1, 1, 0, 0]


def test_a_monotone_column_is_nobodys_surrogate():
    """Rows without a value for another column would part by it, in an order that nothing checks."""
    rng = np.random.default_rng(6)
    x = rng.integers(0, 20, 80).astype(float)
    table = {
        "x": np.where(rng.random(80) < 0.1, np.nan, x),
        "like x": x + rng.integers(0, 8, 80),
        "less like x": x + rng.integers(0, 12, 80),
    }
    for directions, expected in [(None, [1, 2]), ([0, 1, 0], [2]), ([1, 0, 0], [1, 2]), ([0, 1, -1], [])]:
        tree = DecisionTreeRegressor(missing="surrogate", max_depth=1, monotonic_cst=directions)
        root = tree.fit(table, np.where(x > 9, 1.0, 0.0)).tree_.node(0)
        assert root.question.column == 0
        assert [surrogate.question.column for surrogate in root.surrogates] == expected
