"""Bad input: every error names the column or parameter, the value and what to do."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, TreewrightError

BOTH = pytest.mark.parametrize("make", [DecisionTreeClassifier, DecisionTreeRegressor])
X = {"age": [22.0, 35.0, 47.0, 58.0], "visits": [1.0, 4.0, 4.0, 9.0]}
Y = [0, 0, 1, 1]


def refuses(make, X, y, *words, sample_weight=None, **parameters):
    """Fit, and check that the error is one of ours and holds all the words."""
    with pytest.raises(TreewrightError) as caught:
        make(**parameters).fit(X, y, sample_weight=sample_weight)
    for word in words:
        assert word in str(caught.value), f"{word!r} is not in: {caught.value}"


@BOTH
@pytest.mark.parametrize(
    "empty", [np.empty((0, 3)), {"a": []}, pd.DataFrame({"a": []}), pl.DataFrame({"a": []})]
)
def test_a_table_without_rows(make, empty):
    refuses(make, empty, [], "no rows to learn from")


@BOTH
@pytest.mark.parametrize("empty", [np.empty((4, 0)), {}, pd.DataFrame(index=range(4))])
def test_a_table_without_columns(make, empty):
    y = Y if not isinstance(empty, dict) else []
    refuses(make, empty, y, "no columns to learn from")


@BOTH
def test_a_table_whose_only_column_is_the_target(make):
    refuses(make, {"bought": Y}, "bought", "no columns to learn from")


@BOTH
@pytest.mark.parametrize(
    ("bad", "word"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity"), (None, "no value")]
)
def test_a_target_with_gaps_or_infinities(make, bad, word):
    y = [0.0, 1.0, bad, 1.0] if bad is not None else [0, 1, None, 1]
    refuses(make, X, y, "target", word, "row 2", "Remove these rows")


@BOTH
@pytest.mark.parametrize("n_values", [3, 5])
def test_a_target_of_unequal_length(make, n_values):
    refuses(
        make, X, [0, 1, 0, 1, 0][:n_values], f"y has {n_values} values and X 4 rows", "one value for each row"
    )


@BOTH
@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1, 1, -0.5, 1], ("sample_weight", "-0.5", "row 2", "not negative")),
        ([1, 1, np.nan, 1], ("sample_weight", "nan", "row 2", "finite")),
        ([1, 1, np.inf, 1], ("sample_weight", "inf", "row 2", "finite")),
        ([0, 0, 0, 0], ("sample_weight", "all weights are zero")),
        ([1, 1, 1], ("sample_weight has 3 values", "4 rows", "one weight for each row")),
    ],
    ids=["negative", "NaN", "infinite", "zero", "length"],
)
def test_weights_that_cannot_be(make, weights, words):
    refuses(make, X, Y, *words, sample_weight=weights)


@BOTH
@pytest.mark.parametrize("bad", [np.inf, -np.inf])
@pytest.mark.parametrize("container", [dict, pd.DataFrame, pl.DataFrame], ids=["dict", "pandas", "polars"])
def test_infinite_values_in_fit(make, bad, container):
    table = container({"age": X["age"], "visits": [1.0, np.nan, bad, 9.0]})
    refuses(make, table, Y, "column 'visits'", "infinity", "row 2", "Replace it")


@BOTH
@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinite_values_in_predict(make, bad):
    tree = make().fit(X, Y)
    with pytest.raises(TreewrightError, match="column 'visits' holds infinity in row 1"):
        tree.predict({"age": [1.0, 2.0], "visits": [np.nan, bad]})


@BOTH
def test_unknown_values_of_parameters(make):
    refuses(make, X, Y, "splitter='worst' is unknown", "'best', 'random'", splitter="worst")
    refuses(make, X, Y, "criterion='cubic' is unknown", "available: ", criterion="cubic")
    refuses(make, X, Y, "max_depth=-2", "at least 1", max_depth=-2)


@BOTH
def test_unknown_parameters(make):
    with pytest.raises(TypeError, match="max_dept"):
        make(max_dept=3)
    with pytest.raises(ValueError, match="max_dept"):
        make().set_params(max_dept=3)


@BOTH
def test_misspelt_values_and_columns_are_answered_with_the_nearest(make):
    refuses(make, X, Y, "growth='breath' is unknown", "Did you mean 'breadth'?", growth="breath")
    refuses(make, X, "vists", "column 'vists' is not in the table", "Did you mean 'visits'?")


@BOTH
@pytest.mark.parametrize("container", [dict, pd.DataFrame, pl.DataFrame], ids=["dict", "pandas", "polars"])
def test_columns_missing_at_prediction(make, container):
    tree = make().fit(container(X), Y)
    with pytest.raises(
        TreewrightError, match=r"column 'age', present in training\. Is it now called 'Age'\?"
    ):
        tree.predict(container({"Age": X["age"], "visits": X["visits"]}))


@BOTH
def test_columns_doubled_at_prediction(make):
    tree = make().fit(X, Y)
    doubled = pd.DataFrame([[1.0, 2.0, 3.0]], columns=["age", "visits", "age"])
    with pytest.raises(TreewrightError, match="more than one column named 'age'"):
        tree.predict(doubled)


@BOTH
def test_columns_not_there_in_training(make):
    tree = make().fit(X, Y)
    with pytest.raises(TreewrightError, match="absent in training: column 'height'"):
        tree.predict({**X, "height": [1, 2, 3, 4]})


@BOTH
def test_other_columns_than_the_default_names_given_in_training(make):
    tree = make().fit({"x0": X["age"], "x1": X["visits"]}, Y)
    with pytest.raises(TreewrightError, match="missing from the table: column 'x0', 'x1'"):
        tree.predict(X)


@BOTH
def test_another_number_of_columns(make):
    tree = make().fit(np.eye(3), [0, 1, 1])
    with pytest.raises(TreewrightError, match=r"X has 2 features, but \w+ is expecting 3 features"):
        tree.predict(np.eye(2))


@BOTH
@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_a_target_given_as_an_array_and_left_in_the_table(make, library):
    frame = library.DataFrame({**X, "bought": Y})
    refuses(make, frame, frame["bought"], "column 'bought' of X", "Drop the column", "y='bought'")


@BOTH
def test_missing_values_where_they_are_refused(make):
    refuses(make, {"age": [1, None, 3, 4]}, Y, "column 'age'", "row 1", "Fill them in", missing="refuse")
    tree = make(missing="refuse").fit(X, Y)
    with pytest.raises(TreewrightError, match=r"column 'age'.*row 0"):
        tree.predict({"age": [np.nan], "visits": [1.0]})


TOWNS = {"age": X["age"], "town": ["Ulm", "Bonn", "Ulm", "Bonn"]}


@BOTH
def test_texts_where_nothing_is_to_be_categorical(make):
    words = ("column 'town'", "'Ulm'", "row 0", "name it in categorical_features")
    refuses(make, TOWNS, Y, *words, categorical_features=None)
    refuses(make, TOWNS, Y, *words, categorical_features=["age"])


@BOTH
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (["twon"], ("categorical_features", "'twon'", "Did you mean 'town'?")),
        ([2], ("categorical_features", "index 2", "0 to 1")),
        ([-1], ("categorical_features", "index -1")),
        ([True], ("categorical_features", "mask of 1 entries", "2 columns")),
        ([1.5], ("categorical_features", "1.5", "names, indices or booleans")),
        ("town", ("categorical_features='town'", "list of names")),
    ],
    ids=str,
)
def test_categorical_columns_that_do_not_exist(make, value, words):
    refuses(make, TOWNS, Y, *words, categorical_features=value)


@BOTH
def test_texts_among_numbers(make):
    refuses(make, {"a": [1, "a", 2, 3]}, Y, "column 'a'", "numbers and texts", "'a' in row 1")


@BOTH
@pytest.mark.parametrize("container", [dict, pd.DataFrame, pl.DataFrame], ids=["dict", "pandas", "polars"])
def test_a_category_not_there_in_training_is_missing_with_one_warning(make, container):
    tree = make().fit(container(TOWNS), Y)
    new = container({"age": X["age"], "town": ["Kiel", "Ulm", "Mainz", None]})
    with pytest.warns(UserWarning, match="column 'town': 'Kiel', 'Mainz'") as caught:
        answers = tree.predict(new)
    assert len(caught) == 1
    gaps = container({"age": X["age"], "town": [None, "Ulm", None, None]})
    assert answers.tolist() == tree.predict(gaps).tolist()


@BOTH
def test_a_category_not_there_in_training_where_gaps_are_refused(make):
    tree = make(missing="refuse").fit(TOWNS, Y)
    with pytest.raises(TreewrightError, match="column 'town' holds 'Kiel', first in row 0"):
        tree.predict({"age": [30.0], "town": ["Kiel"]})


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"prior": [0.5, 0.6]}, ("prior sums to 1.1",)),
        ({"prior": [0.5]}, ("prior has 1 entries", "2 classes")),
        ({"prior": {0: 0.5}}, ("prior does not name 1",)),
        ({"prior": {0: 0.5, 2: 0.5}}, ("prior names 2", "classes are 0, 1")),
        ({"prior": {0: 1.0, 1: 0.0}}, ("prior of class 1", "above 0.0")),
        ({"prior": "even"}, ("prior='even'", "dict by class")),
        ({"loss": [[0, 1]]}, ("loss has 1 entries", "2 classes")),
        ({"loss": [[0, 1], [5]]}, ("loss of class 1 has 1 entries",)),
        ({"loss": [[1, 1], [5, 0]]}, ("row 0, column 0", "right answer costs 0")),
        ({"loss": [[0, -1], [5, 0]]}, ("loss of predicting 1 for 0", "at least 0.0")),
        ({"loss": [[0, 1], [0, 0]]}, ("nothing but 0 in row 1",)),
        ({"loss": {0: {1: 1}, 1: {}}}, ("loss of class 1 does not name 0",)),
        ({"loss": 3}, ("loss=3", "cannot be used")),
    ],
    ids=str,
)
def test_priors_and_losses_that_cannot_be(parameters, words):
    refuses(DecisionTreeClassifier, X, Y, *words, **parameters)


def test_a_prior_for_a_class_without_weight():
    weights = [1, 1, 0, 0]
    refuses(DecisionTreeClassifier, X, Y, "class 1", "no row", sample_weight=weights, prior=[0.5, 0.5])


@BOTH
@pytest.mark.parametrize("data", ["table.csv", None, 7, object()])
def test_what_is_no_table(make, data):
    with pytest.raises(TypeError):
        make().fit(data, Y)


class TestThinTables:
    """One row, one class or no usable column: a single leaf, as in scikit-learn."""

    @BOTH
    def test_one_row(self, make):
        tree = make().fit([[1.0, 2.0]], [3])
        assert tree.get_n_leaves() == 1
        assert tree.predict([[9.0, 9.0]]).tolist() == [3]

    @BOTH
    def test_one_class_or_number(self, make):
        tree = make().fit(X, [5, 5, 5, 5])
        assert tree.get_n_leaves() == 1
        assert tree.predict(X).tolist() == [5, 5, 5, 5]

    def test_one_class_has_all_the_share(self):
        assert DecisionTreeClassifier().fit(X, ["a"] * 4).predict_proba(X).tolist() == [[1.0]] * 4

    @BOTH
    def test_no_usable_column(self, make):
        assert make().fit({"a": [1, 1, 1, 1], "b": [None] * 4}, Y).get_n_leaves() == 1

    @BOTH
    def test_one_row_of_positive_weight(self, make):
        tree = make().fit(X, Y, sample_weight=[0, 0, 2.5, 0])
        assert tree.get_n_leaves() == 1
        assert tree.predict(X).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("criterion", "more"),
    [
        ("twoing", {"categorical_split": "multiway"}),
        ("twoing", {"missing": "branch"}),
        ("gain_ratio", {"missing": "branch"}),
    ],
)
def test_a_criterion_of_two_branches_refuses_more(criterion, more):
    tree = DecisionTreeClassifier(criterion=criterion, **more)
    with pytest.raises(ValueError, match="scores two branches"):
        tree.fit({"a": ["x", "y", "z"]}, [0, 1, 1])


SERIES = {
    "pandas": lambda: pd.Series([1.0, 2.0, 3.0, 4.0], name="age"),
    "polars": lambda: pl.Series("age", [1.0, 2.0, 3.0, 4.0]),
    "texts": lambda: pd.Series(["a", "b", "a", "b"]),
    "arrow": lambda: pa.chunked_array([[1, 2], [3, 4]]),
}


@BOTH
@pytest.mark.parametrize("series", SERIES.values(), ids=SERIES)
def test_a_series_is_one_column_and_no_table(make, series):
    refuses(make, series(), Y, "X is a ", "Expected 2D array", "to_frame()")
    with pytest.raises(TypeError, match="to_frame"):
        make().fit(X, Y).predict(series())


@BOTH
@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([[1, 2], [3], [4], [5]], ("column 'age' is ragged",)),
        (None, ("NoneType cannot be read as column 'age'",)),
        ((each for each in Y), ("generator cannot be read as column 'age'",)),
        ("ages", ("column 'age' is a single value, 'ages'",)),
        ([1, 2, 3], ("column 'visits' has 4 rows and column 'age' 3",)),
    ],
    ids=["ragged", "nothing", "generator", "text", "short"],
)
def test_what_is_no_column_is_named(make, values, words):
    refuses(make, {"visits": X["visits"], "age": values}, Y, *words)


@BOTH
@pytest.mark.parametrize("weight", [5e-324, 1e-151])
def test_weights_too_small_to_be_counted(make, weight):
    words = ("sample_weight holds", "in row 2", "below 1e-150", "Give 0 to leave the row out")
    refuses(make, X, Y, *words, sample_weight=[1.0, 1.0, weight, 1.0])


def test_more_classes_than_can_be_told_apart():
    numbers = np.arange(65_536)
    words = ("65,536 classes", "at most 65,535", "Merge rare classes", "regressor")
    refuses(DecisionTreeClassifier, numbers[:, None], numbers, *words)


@BOTH
@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"max_depth": 10**5000}, ("max_depth=1.000e+5000 is too large", "at most")),
        ({"max_depth": -(10**5000)}, ("max_depth=-1.000e+5000 is too small",)),
        ({"random_state": 2**70}, ("random_state=1180591620717411303424", "0 to 4294967295")),
        ({"random_state": 10**5000}, ("random_state=1.000e+5000", "0 to 4294967295")),
        ({"random_state": -1}, ("random_state=-1", "0 to 4294967295")),
    ],
    ids=["large", "small", "seed", "a seed that Python does not write", "negative seed"],
)
def test_whole_numbers_out_of_range(make, parameters, words):
    refuses(make, X, Y, *words, **parameters)
