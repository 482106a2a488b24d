"""Reading a fitted tree: as text, and as scikit-learn's own."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest
import sklearn.tree
from sklearn.exceptions import NotFittedError

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.errors import ConversionError


class TestText:
    """`to_text`."""

    def test_a_branch_for_missing_values_says_so(self):
        X = {"age": [22, 35, 47, 58, 61], "visits": [1, 4, None, 9, 2]}
        tree = DecisionTreeClassifier(max_leaf_nodes=2).fit(X, ["no", "yes", "yes", "yes", "no"])
        assert tree.to_text().splitlines() == [
            "5 rows: yes 3, no 2",
            "├── visits <= 3 → no (100% of 2 rows)",
            "└── visits > 3 or missing → yes (100% of 3 rows)",
        ]

    def test_a_leaf_of_several_classes_shows_their_counts(self):
        tree = DecisionTreeClassifier(max_depth=1).fit([[1], [1], [1], [2]], ["a", "a", "b", "b"])
        assert "├── x0 <= 1.5 → a (67% of 3 rows: a 2, b 1)" in tree.to_text()

    def test_weights_are_shown_where_rows_have_them(self):
        tree = DecisionTreeClassifier().fit([[1], [2]], ["a", "b"], sample_weight=[2.5, 1])
        assert tree.to_text().splitlines() == [
            "2 rows: a 2.5, b 1",
            "├── x0 <= 1.5 → a (100% of weight 2.5 in 1 row)",
            "└── x0 > 1.5 → b (100% of 1 row)",
        ]

    def test_means_are_shortened(self):
        tree = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3], [4]], [1.0, 2.0, 10.0, 20.0])
        assert tree.to_text().splitlines()[1] == "├── x0 <= 3.5 → 4.33333 (3 rows, sd 4.03)"

    def test_dates_are_written_as_dates(self):
        days = [dt.date(2024, 2, 28), dt.date(2024, 3, 1)]
        tree = DecisionTreeClassifier().fit({"day": days}, ["winter", "spring"])
        assert "day <= 2024-02-29 → winter" in tree.to_text()

    def test_the_root_alone_counts_what_lies_below(self):
        tree = DecisionTreeRegressor().fit([[1], [2], [3], [4]], [1.0, 2.0, 10.0, 20.0])
        assert tree.to_text(max_depth=0) == "4 rows: value 8.25, sd 7.63 ... 4 leaves below"

    @pytest.mark.parametrize("depth", [-1, 1.5, "all"])
    def test_a_depth_that_is_none_is_refused(self, depth):
        tree = DecisionTreeRegressor().fit([[1], [2]], [1.0, 2.0])
        with pytest.raises(ValueError, match="max_depth="):
            tree.to_text(max_depth=depth)

    def test_a_tree_that_was_not_grown_cannot_be_read(self):
        with pytest.raises(NotFittedError):
            DecisionTreeClassifier().to_text()


def table_with_gaps(seed, n_rows=300):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 4)).astype(np.float32)
    X[random.random(X.shape) < 0.15] = np.nan
    y = np.nan_to_num(X[:, 0]) + np.isnan(X[:, 1]) + random.normal(scale=0.3, size=n_rows)
    return X, y


class TestSklearn:
    """`to_sklearn`."""

    @pytest.mark.parametrize("seed", range(5))
    def test_a_classifier_predicts_the_same_with_gaps(self, seed):
        X, y = table_with_gaps(seed)
        labels = np.array(["low", "middle", "high"])[np.digitize(y, [0, 1])]
        ours = DecisionTreeClassifier().fit(X, labels)
        theirs = ours.to_sklearn()
        new, _ = table_with_gaps(seed + 100)
        assert isinstance(theirs, sklearn.tree.DecisionTreeClassifier)
        np.testing.assert_array_equal(theirs.predict(new), ours.predict(new))
        np.testing.assert_array_equal(theirs.predict_proba(new), ours.predict_proba(new))
        np.testing.assert_array_equal(theirs.apply(new), ours.apply(new))
        known = new[~np.isnan(new).any(axis=1)]  # before 1.8 scikit-learn's paths overlooked gaps
        np.testing.assert_array_equal(
            theirs.decision_path(known).toarray(), ours.decision_path(known).toarray()
        )
        np.testing.assert_array_equal(theirs.classes_, ours.classes_)

    @pytest.mark.parametrize("seed", range(5))
    def test_a_regressor_predicts_the_same_with_gaps(self, seed):
        X, y = table_with_gaps(seed)
        ours = DecisionTreeRegressor(max_depth=6).fit(X, y)
        new, _ = table_with_gaps(seed + 100)
        np.testing.assert_array_equal(ours.to_sklearn().predict(new), ours.predict(new))

    def test_a_question_for_gaps_alone_has_a_counterpart(self):
        X = np.array([[1.0], [np.nan], [2.0], [np.nan]])
        ours = DecisionTreeClassifier().fit(X, [0, 1, 0, 1])
        assert ours.tree_.threshold[0] == np.inf
        assert ours.to_sklearn().predict(X).tolist() == [0, 1, 0, 1]

    def test_parameters_and_names_go_along(self):
        frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [3.0, 1.0, 2.0]})
        theirs = (
            DecisionTreeRegressor(max_depth=2, min_samples_leaf=1).fit(frame, [1.0, 2.0, 3.0]).to_sklearn()
        )
        assert theirs.max_depth == 2
        assert theirs.feature_names_in_.tolist() == ["a", "b"]
        assert theirs.n_features_in_ == 2

    def test_scikit_learns_own_readers_read_it(self):
        theirs = DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "b"]).to_sklearn()
        assert "class: a" in sklearn.tree.export_text(theirs)
        assert theirs.feature_importances_.tolist() == [1.0]

    def test_a_single_leaf_has_a_counterpart(self):
        assert DecisionTreeRegressor().fit([[1.0]], [2.5]).to_sklearn().predict([[7.0]]).tolist() == [2.5]

    def test_columns_compared_as_integers_have_none(self):
        tree = DecisionTreeClassifier().fit({"day": [dt.date(2024, 1, 1), dt.date(2024, 1, 2)]}, ["a", "b"])
        with pytest.raises(ConversionError, match="column 'day' is compared as int64"):
            tree.to_sklearn()
