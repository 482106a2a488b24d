"""Categories in the estimators: the same model from any container, every way to split them."""

import pickle
from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.tree import export_graphviz, export_text, plot_tree

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, datasets
from treewright.errors import ConversionError, NoCounterpartError, TreewrightError
from treewright.model.questions import Branches

BOTH = pytest.mark.parametrize("make", [DecisionTreeClassifier, DecisionTreeRegressor])
SPLITS = pytest.mark.parametrize("split", ["subset", "multiway", "one-vs-rest"])

TOWN = ["Ulm", "Bonn", None, "Kiel", "Bonn", "Ulm", "Mainz", "Kiel", "Ulm", None]
OPEN = [True, False, None, True, True, False, False, True, None, False]
AGE = [31.0, 47.0, 22.0, None, 58.0, 61.0, 35.0, 40.0, 28.0, 33.0]
Y = [0, 1, 1, 0, 1, 0, 2, 2, 0, 1]
COLUMNS = {"town": TOWN, "open": OPEN, "age": AGE}

CONTAINERS = {
    "dict": lambda: COLUMNS,
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas objects": lambda: pd.DataFrame(COLUMNS, dtype=object).astype({"age": float}),
    "pandas category": lambda: pd.DataFrame(COLUMNS).astype({"town": "category"}),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars category": lambda: pl.DataFrame(COLUMNS, schema_overrides={"town": pl.Categorical}),
    "arrow": lambda: pa.table(COLUMNS),
    "arrow dictionary": lambda: pa.table({**COLUMNS, "town": pa.array(TOWN).dictionary_encode()}),
}


def rows_of(columns):
    return np.array(list(zip(*columns.values(), strict=True)), dtype=object)


@BOTH
@SPLITS
@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
def test_the_same_values_give_the_same_model_from_any_container(make, split, container):
    expected = pickle.dumps(make(categorical_split=split).fit(COLUMNS, Y).model_)
    assert pickle.dumps(make(categorical_split=split).fit(container(), Y).model_) == expected


@BOTH
def test_an_array_of_objects_gives_the_same_tree(make):
    tree = make().fit(COLUMNS, Y)
    again = make().fit(rows_of(COLUMNS), Y)
    assert again.tree_ == tree.tree_
    assert again.predict(rows_of(COLUMNS).tolist()).tolist() == tree.predict(COLUMNS).tolist()


@BOTH
@SPLITS
@pytest.mark.parametrize("missing", ["learned", "majority", "branch"])
def test_training_rows_are_answered_from_any_container(make, split, missing):
    tree = make(categorical_split=split, missing=missing, max_depth=3).fit(COLUMNS, Y)
    leaves = tree.apply(COLUMNS)
    np.testing.assert_array_equal(np.bincount(leaves, minlength=tree.tree_.n_nodes), leaf_rows(tree.tree_))
    for container in CONTAINERS.values():
        assert tree.apply(container()).tolist() == leaves.tolist()


def leaf_rows(tree):
    return np.where(tree.column < 0, tree.n_rows, 0)


@BOTH
@SPLITS
def test_the_order_of_rows_does_not_show(make, split):
    order = np.random.default_rng(0).permutation(len(Y))
    shuffled = {name: [values[row] for row in order] for name, values in COLUMNS.items()}
    tree = make(categorical_split=split).fit(shuffled, [Y[row] for row in order])
    assert tree.tree_ == make(categorical_split=split).fit(COLUMNS, Y).tree_


@BOTH
@SPLITS
def test_weight_zero_is_absent(make, split):
    weights = [1, 1, 1, 1, 1, 1, 0, 1, 1, 1]  # the only row from Mainz
    there = [row for row, weight in enumerate(weights) if weight]
    rest = {name: [values[row] for row in there] for name, values in COLUMNS.items()}
    tree = make(categorical_split=split).fit(COLUMNS, Y, weights)
    assert tree.model_.schema.columns == make().fit(rest, [Y[row] for row in there]).model_.schema.columns
    assert tree.tree_ == make(categorical_split=split).fit(rest, [Y[row] for row in there]).tree_


@BOTH
def test_multiway_gives_each_declared_category_a_branch(make):
    town = pd.Categorical(["Ulm", "Bonn", "Ulm", "Bonn"], categories=["Ulm", "Kiel", "Bonn"])
    tree = make(categorical_split="multiway").fit(pd.DataFrame({"town": town}), [0, 1, 0, 1])
    assert len(tree.tree_.children(0)) == 3
    assert tree.tree_.n_rows.tolist() == [4, 2, 0, 2]
    assert tree.get_n_leaves() == 3
    assert tree.predict({"town": ["Bonn", "Ulm"]}).tolist() == [1, 0]
    assert tree.predict({"town": ["Kiel"]}).tolist() == [0 if make is DecisionTreeClassifier else 0.5]


def test_multiway_reads_as_in_the_textbook():
    golf, target = datasets.load("golf")
    tree = DecisionTreeClassifier(criterion="entropy", categorical_split="multiway").fit(golf, target)
    assert tree.to_text() == (
        "14 rows: Play 9, Don't Play 5\n"
        "├── outlook = overcast → Play (100% of 4 rows)\n"
        "├── outlook = rain: 5 rows: Play 3, Don't Play 2\n"
        "│   ├── windy = false → Play (100% of 3 rows)\n"
        "│   └── windy = true → Don't Play (100% of 2 rows)\n"
        "└── outlook = sunny: 5 rows: Don't Play 3, Play 2\n"
        "    ├── humidity <= 77.5 → Play (100% of 2 rows)\n"
        "    └── humidity > 77.5 → Don't Play (100% of 3 rows)"
    )
    with pytest.raises(AttributeError, match="more than two branches"):
        _ = tree.tree_.children_left


def test_a_branch_of_their_own_is_the_last_one():
    X = {"age": [1.0, 2.0, None, 4.0, 5.0, None]}
    tree = DecisionTreeClassifier(missing="branch", max_depth=1).fit(X, ["a", "a", "c", "b", "b", "c"])
    assert tree.to_text() == (
        "6 rows: a 2, b 2, c 2\n"
        "├── age <= 3 → a (100% of 2 rows)\n"
        "├── age > 3 → b (100% of 2 rows)\n"
        "└── age is missing → c (100% of 2 rows)"
    )
    assert tree.predict({"age": [None, 0.0, 9.0]}).tolist() == ["c", "a", "b"]


def test_the_majority_takes_rows_without_a_value():
    X = {"age": [1.0, 2.0, 3.0, 8.0, None]}
    tree = DecisionTreeClassifier(missing="majority", max_depth=1).fit(X, ["a", "a", "a", "b", "b"])
    assert tree.to_text().splitlines()[1] == "├── age <= 5.5 or missing → a (75% of 4 rows: a 3, b 1)"


@BOTH
def test_two_sets_of_categories_are_binary_but_have_no_cut(make):
    tree = make().fit({"town": ["Ulm", "Bonn", "Kiel", "Bonn"]}, [0, 1, 0, 1])
    assert isinstance(tree.tree_.question(0), Branches)
    assert tree.tree_.question(0).is_exact
    assert tree.tree_.children_left.tolist() == [1, -1, -1]
    with pytest.raises(NoCounterpartError, match="column 'town', tells categories apart"):
        _ = tree.tree_.threshold
    assert tree.feature_importances_.tolist() == [1.0]


CATEGORIES = {"town": ["Ulm", "Bonn", "Kiel", "Bonn"]}
NOT_FOR_SCIKIT_LEARN = {
    "sets": (DecisionTreeClassifier(), CATEGORIES, "town"),
    "one against the rest": (DecisionTreeRegressor(categorical_split="one-vs-rest"), CATEGORIES, "town"),
    "a branch a category": (DecisionTreeClassifier(categorical_split="multiway"), CATEGORIES, "town"),
    "booleans": (DecisionTreeClassifier(), {"is new": [True, False, True, False]}, "is new"),
    "a branch for gaps": (
        DecisionTreeClassifier(missing="branch"),
        {"age": [1.0, 2.0, None, 2.0]},
        "age",
    ),
}


@pytest.mark.parametrize("kind", NOT_FOR_SCIKIT_LEARN)
@pytest.mark.parametrize("again", [lambda tree: tree, lambda tree: pickle.loads(pickle.dumps(tree))])
def test_scikit_learns_exporters_are_refused_what_they_would_draw_wrong(kind, again):
    tree, X, column = NOT_FOR_SCIKIT_LEARN[kind]
    fitted = again(clone(tree).fit(X, [0, 1, 0, 1]))
    with pytest.raises(NoCounterpartError, match=rf"column '{column}'.* to_dot\(\), to_text\(\) or plot\(\)"):
        export_graphviz(fitted)
    for exporter in (export_text, plot_tree):  # which take only scikit-learn's own
        with pytest.raises(ValueError, match=r"decision_tree|column"):
            exporter(fitted)
    assert issubclass(NoCounterpartError, TreewrightError)


def test_scikit_learns_exporter_draws_a_tree_of_numbers():
    X = {"age": [1.0, 2.0, None, 4.0]}
    drawing = export_graphviz(DecisionTreeClassifier().fit(X, ["a", "a", "b", "b"]))
    assert "x[0] <= 3.0" in drawing
    assert "nan" not in drawing


@BOTH
def test_sets_held_back_by_a_limit_on_leaves_do_not_call_themselves_the_best(make):
    """One row of d is best parted from the others; a leaf of two rows must take c or another along."""
    X, y = {"town": list("aabbccd")}, [0, 0, 0, 0, 0, 0, 1]
    for least, is_exact in ((1, True), (2, False)):
        tree = make(min_samples_leaf=least, max_depth=1).fit(X, y)
        assert tree.tree_.question(0).is_exact == is_exact


class TestWhichColumns:
    """`categorical_features`, as in scikit-learn's gradient boosting."""

    X: ClassVar = {"month": [1, 2, 3, 1, 2, 3], "age": [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]}
    Y = (0, 1, 0, 0, 1, 0)

    @pytest.mark.parametrize(
        "chosen", [["month"], [0], np.array([0]), [True, False], np.array([True, False]), ("month",)], ids=str
    )
    def test_by_name_index_or_mask(self, chosen):
        tree = DecisionTreeClassifier(categorical_features=chosen).fit(self.X, self.Y)
        assert [column.kind for column in tree.model_.schema.columns] == ["category", "number"]
        assert tree.to_text().splitlines()[1] == "├── month in {1, 3} → 0 (100% of 4 rows)"
        assert tree.predict({"month": [2.0, 3.0], "age": [0, 0]}).tolist() == [1, 0]

    def test_numbers_are_numbers_by_their_type(self):
        tree = DecisionTreeClassifier().fit(self.X, self.Y)
        assert {column.kind for column in tree.model_.schema.columns} == {"number"}

    @pytest.mark.parametrize("chosen", [None, []], ids=str)
    def test_nothing_is_categorical_on_request(self, chosen):
        tree = DecisionTreeClassifier(categorical_features=chosen).fit({"open": [True, False]}, [0, 1])
        assert tree.to_text().splitlines()[1] == "├── open <= 0.5 → 1 (100% of 1 row)"

    def test_columns_of_an_array(self):
        X = np.column_stack(list(self.X.values()))
        tree = DecisionTreeClassifier(categorical_features=[0]).fit(X, self.Y)
        assert tree.to_text().splitlines()[1] == "├── x0 in {1, 3} → 0 (100% of 4 rows)"
        assert tree.predict(X).tolist() == list(self.Y)


class TestConversion:
    """To scikit-learn, where categories are booleans."""

    @BOTH
    @pytest.mark.parametrize("flip", [False, True])
    def test_booleans_become_cuts(self, make, flip):
        generator = np.random.default_rng(5)
        X = generator.integers(0, 2, (60, 4)).astype(bool)
        y = (X[:, 0] ^ X[:, 1] ^ flip).astype(int) + 2 * X[:, 3]
        tree = make().fit(X, y)
        theirs = tree.to_sklearn()
        np.testing.assert_array_equal(theirs.predict(X.astype(float)), tree.predict(X))
        assert set(theirs.tree_.threshold[theirs.tree_.feature >= 0]) == {0.5}

    @BOTH
    def test_booleans_with_gaps_become_cuts(self, make):
        X = {"a": [True, None, False, True, None, False], "b": [True, True, None, None, False, False]}
        y = [0, 1, 0, 2, 1, 2]
        tree = make().fit(X, y)
        floats = pd.DataFrame(X).astype(float)
        np.testing.assert_array_equal(tree.to_sklearn().predict(floats), tree.predict(X))

    @BOTH
    def test_categories_have_no_counterpart(self, make):
        tree = make().fit({"town": ["Ulm", "Bonn"]}, [0, 1])
        with pytest.raises(ConversionError, match="column 'town' holds categories"):
            tree.to_sklearn()

    def test_three_branches_have_no_counterpart(self):
        tree = DecisionTreeClassifier(missing="branch").fit({"age": [1, 2, None]}, [0, 1, 2])
        with pytest.raises(ConversionError, match="node 0, which splits column 'age', has more than two"):
            tree.to_sklearn()


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
@pytest.mark.parametrize("missing", ["learned", "majority", "branch"])
def test_medians_of_categories_and_of_a_branch_that_no_row_took(criterion, missing):
    towns = pd.Series(["Ulm", "Bonn", "Ulm", "Bonn", "Ulm", "Bonn"]).astype(
        pd.CategoricalDtype(["Ulm", "Kiel", "Bonn"])
    )
    y = [1.0, 10.0, 2.0, 12.0, 6.0, 20.0]
    tree = DecisionTreeRegressor(
        criterion=criterion, leaf_value="median", categorical_split="multiway", missing=missing, max_depth=1
    ).fit(pd.DataFrame({"town": towns}), y)
    asked = pd.DataFrame({"town": pd.Series(["Ulm", "Kiel", "Bonn"]).astype(towns.dtype)})
    assert tree.predict(asked).tolist() == [2.0, 8.0, 12.0]
