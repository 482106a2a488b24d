"""The estimators: scikit-learn's verbs over the walk."""

import copy
import pickle
import subprocess
import sys
import warnings

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
import sklearn.tree
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.ensemble import AdaBoostClassifier, BaggingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treewright import DecisionTreeClassifier, DecisionTreeRegressor

BOTH = pytest.mark.parametrize("make", [DecisionTreeClassifier, DecisionTreeRegressor])
FRAME = pd.DataFrame({"age": [22, 35, 47, 58, 61], "visits": [1, 4, np.nan, 9, 2]})
LABELS = ["no", "no", "yes", "yes", "no"]


def random_table(seed, n_rows=200):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 4))
    return X, X[:, 0] + X[:, 1] ** 2 + random.normal(scale=0.2, size=n_rows)


class TestFitted:
    """Attributes of a fitted tree."""

    def test_a_classifier_knows_its_classes(self):
        tree = DecisionTreeClassifier().fit(FRAME, LABELS)
        assert tree.classes_.tolist() == ["no", "yes"]
        assert tree.n_classes_ == 2
        assert is_classifier(tree)

    def test_a_regressor_has_none(self):
        tree = DecisionTreeRegressor().fit(FRAME, range(5))
        assert not hasattr(tree, "classes_")
        assert is_regressor(tree)

    @BOTH
    def test_columns_are_remembered(self, make):
        tree = make().fit(FRAME, [0, 0, 1, 1, 0])
        assert tree.n_features_in_ == 2
        assert tree.feature_names_in_.tolist() == ["age", "visits"]
        assert tree.feature_names_in_.dtype == object
        assert tree.n_outputs_ == 1
        assert tree.max_features_ == 2

    @BOTH
    def test_names_are_forgotten_when_fitted_again_without_them(self, make):
        tree = make().fit(FRAME, [0, 0, 1, 1, 0]).fit(FRAME.to_numpy(), [0, 0, 1, 1, 0])
        assert not hasattr(tree, "feature_names_in_")

    @BOTH
    @pytest.mark.parametrize("name", ["tree_", "feature_importances_", "model_", "n_features_in_"])
    def test_nothing_is_there_before_fit(self, make, name):
        assert not hasattr(make(), name)

    @BOTH
    @pytest.mark.parametrize("method", ["get_depth", "get_n_leaves"])
    def test_an_unfitted_tree_has_no_size(self, make, method):
        with pytest.raises(NotFittedError):
            getattr(make(), method)()

    @BOTH
    def test_importances_are_those_of_scikit_learn(self, make):
        X, y = random_table(0)
        y = (y > 1).astype(int)
        theirs = getattr(sklearn.tree, make.__name__)(max_depth=3, random_state=0).fit(X, y)
        np.testing.assert_allclose(
            make(max_depth=3).fit(X, y).feature_importances_, theirs.feature_importances_
        )

    def test_a_tree_without_splits_gives_no_column_any_importance(self):
        assert DecisionTreeRegressor().fit([[1, 2], [1, 2]], [1.0, 2.0]).feature_importances_.tolist() == [
            0.0,
            0.0,
        ]

    def test_size_is_told(self):
        tree = DecisionTreeClassifier(max_depth=3).fit(*random_classes(0))
        assert tree.get_depth() == tree.tree_.max_depth == 3
        assert tree.get_n_leaves() == tree.tree_.n_leaves


def random_classes(seed):
    X, y = random_table(seed)
    return X, np.digitize(y, [0.5, 1.5])


class TestPredicting:
    """Answers for new rows."""

    def test_shares_of_classes_add_up_and_agree_with_predictions(self):
        X, y = random_classes(1)
        tree = DecisionTreeClassifier(max_depth=3).fit(X, y)
        shares = tree.predict_proba(X)
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        np.testing.assert_array_equal(tree.classes_[shares.argmax(axis=1)], tree.predict(X))
        with np.errstate(divide="ignore"):
            np.testing.assert_array_equal(tree.predict_log_proba(X), np.log(shares))

    def test_predictions_are_those_of_scikit_learn(self):
        X, y = random_classes(2)
        new, _ = random_table(3)
        # Further down two columns part a node equally well, and scikit-learn lets its seed decide.
        theirs = sklearn.tree.DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
        ours = DecisionTreeClassifier(max_depth=2).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new))

    @BOTH
    def test_leaves_are_numbered_as_nodes(self, make):
        X, y = random_classes(4)
        tree = make(max_depth=3).fit(X, y)
        leaves = tree.apply(X)
        assert leaves.dtype == np.int64
        assert set(leaves) == {node.id for node in tree.tree_.walk() if node.is_leaf}

    @BOTH
    def test_a_path_is_a_sparse_matrix_of_the_nodes_passed(self, make):
        X, y = random_classes(5)
        tree = make(max_depth=3).fit(X, y)
        path = tree.decision_path(X)
        theirs = getattr(sklearn.tree, make.__name__)(max_depth=3, random_state=0).fit(X, y).decision_path(X)
        assert scipy.sparse.issparse(path)
        assert type(path) is type(theirs)
        np.testing.assert_array_equal(path.toarray(), theirs.toarray())

    @BOTH
    def test_input_need_not_be_checked_to_be_compatible(self, make):
        X, y = random_classes(6)
        tree = make(max_depth=2).fit(X, y, check_input=False)
        np.testing.assert_array_equal(tree.predict(X, check_input=False), tree.predict(X))
        np.testing.assert_array_equal(tree.apply(X, check_input=False), tree.apply(X))

    @BOTH
    @pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
    def test_columns_are_matched_by_name(self, make, library):
        columns = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        tree = make().fit(library.DataFrame(columns), [0, 1, 0, 1])
        turned = library.DataFrame({name: columns[name] for name in ("visits", "age")})
        assert tree.predict(turned).tolist() == [0, 1, 0, 1]

    def test_values_without_names_are_taken_in_order_with_a_warning(self):
        tree = DecisionTreeClassifier().fit(FRAME, LABELS)
        text = "X does not have valid feature names, but DecisionTreeClassifier was fitted with feature names"
        with pytest.warns(UserWarning, match=text) as caught:
            tree.predict(FRAME.to_numpy())
        assert caught[0].filename == __file__

    def test_names_unknown_in_training_are_warned_about(self):
        tree = DecisionTreeRegressor().fit(FRAME.to_numpy(), range(5))
        with pytest.warns(
            UserWarning, match="X has feature names, but DecisionTreeRegressor was fitted without"
        ):
            tree.predict(FRAME)

    def test_labels_come_back_in_the_type_they_had(self):
        for labels in (
            np.array([3, 5], dtype=np.int16),
            np.array([True, False]),
            np.array(["a", "b"], dtype=object),
        ):
            predicted = DecisionTreeClassifier().fit([[1], [2]], labels).predict([[1], [2]])
            assert predicted.dtype == labels.dtype
            assert predicted.tolist() == labels.tolist()


class TestAgain:
    """Copies, clones and pickles."""

    @BOTH
    @pytest.mark.parametrize(
        "again", [copy.copy, copy.deepcopy, lambda tree: pickle.loads(pickle.dumps(tree))]
    )
    def test_a_copy_predicts_the_same(self, make, again):
        X, y = random_classes(7)
        tree = make().fit(X, y)
        tree.predict(X)
        twin = again(tree)
        assert twin.model_ == tree.model_
        np.testing.assert_array_equal(twin.predict(X), tree.predict(X))

    @BOTH
    def test_a_clone_is_not_fitted(self, make):
        assert not hasattr(clone(make(max_depth=2).fit(*random_classes(0))), "model_")

    @BOTH
    def test_the_same_model_comes_out_for_any_number_of_threads(self, make, eight_threads):
        random = np.random.default_rng(0)
        X, y = random.normal(size=(6000, 5)), random.integers(0, 3, 6000)
        models = [make(n_jobs=n_jobs).fit(X, y).model_ for n_jobs in (1, 2, 8, None)]
        assert all(pickle.dumps(model) == pickle.dumps(models[0]) for model in models)

    @BOTH
    def test_labels_of_another_type_give_the_same_model(self, make):
        X, y = random_classes(8)
        models = [make().fit(X, y.astype(dtype)).model_ for dtype in (np.int8, np.int64, np.float32, object)]
        assert all(pickle.dumps(model) == pickle.dumps(models[0]) for model in models)

    @BOTH
    def test_a_seed_makes_random_splits_come_again(self, make):
        X, y = random_classes(9)
        fits = [make(splitter="random", random_state=seed).fit(X, y).tree_ for seed in (1, 1, 2)]
        assert fits[0] == fits[1]
        assert fits[0] != fits[2]

    @BOTH
    def test_a_generator_is_drawn_from_where_something_is_random(self, make):
        X, y = random_classes(9)
        generator = np.random.RandomState(0)
        first, second = (make(max_features=1, random_state=generator).fit(X, y).tree_ for _ in range(2))
        assert first != second

    @BOTH
    def test_the_global_generator_is_left_alone_where_nothing_is_random(self, make):
        before = np.random.get_state()[1].copy()  # noqa: NPY002 - the global generator is what this is about
        make().fit(*random_classes(0))
        np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


class TestPruning:
    """Cost-complexity pruning in scikit-learn's units."""

    @BOTH
    def test_the_path_is_that_of_scikit_learn(self, make):
        X, y = random_classes(10)
        theirs = getattr(sklearn.tree, make.__name__)(random_state=0, max_depth=4)
        ours = make(max_depth=4)
        path, expected = ours.cost_complexity_pruning_path(X, y), theirs.cost_complexity_pruning_path(X, y)
        np.testing.assert_allclose(
            np.unique(path.ccp_alphas.round(10)), np.unique(expected.ccp_alphas.round(10))
        )
        assert path.impurities[0] == pytest.approx(expected.impurities[0])
        assert path.impurities[-1] == pytest.approx(expected.impurities[-1])

    @BOTH
    def test_a_path_leaves_the_estimator_unfitted(self, make):
        estimator = make(ccp_alpha=0.1)
        path = estimator.cost_complexity_pruning_path(*random_classes(11))
        assert not hasattr(estimator, "model_")
        assert len(path.ccp_alphas) > 2

    @BOTH
    def test_a_price_prunes_as_in_scikit_learn(self, make):
        X, y = random_classes(12)
        for alpha in (0.001, 0.01, 0.05, 1.0):
            theirs = getattr(sklearn.tree, make.__name__)(random_state=0, max_depth=5, ccp_alpha=alpha).fit(
                X, y
            )
            ours = make(max_depth=5, ccp_alpha=alpha).fit(X, y)
            assert ours.get_n_leaves() == theirs.get_n_leaves()

    @BOTH
    def test_every_alpha_of_the_path_gives_fewer_leaves(self, make):
        X, y = random_classes(13)
        alphas = np.unique(make().cost_complexity_pruning_path(X, y).ccp_alphas)
        leaves = [make(ccp_alpha=alpha).fit(X, y).get_n_leaves() for alpha in alphas[::5]]
        assert leaves == sorted(leaves, reverse=True)
        assert make(ccp_alpha=alphas[-1]).fit(X, y).get_n_leaves() == 1


class TestAmongOthers:
    """In pipelines, searches, ensembles and workers."""

    def test_a_search_finds_parameters(self):
        search = GridSearchCV(
            DecisionTreeClassifier(), {"max_depth": [1, 3], "min_samples_leaf": [1, 0.1]}, n_jobs=2
        )
        assert search.fit(*random_classes(14)).best_score_ > 0.5

    def test_a_pipeline_ends_in_a_tree(self):
        X, y = random_table(15)
        assert make_pipeline(StandardScaler(), DecisionTreeRegressor()).fit(X, y).score(X, y) == 1.0

    def test_trees_are_boosted_and_bagged(self):
        X, y = random_classes(16)
        boosted = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=20).fit(X, y)
        assert boosted.score(X, y) > DecisionTreeClassifier(max_depth=1).fit(X, y).score(X, y)
        bagged = BaggingRegressor(DecisionTreeRegressor(), n_estimators=5, random_state=0).fit(
            *random_table(16)
        )
        assert bagged.score(*random_table(16)) > 0.9

    def test_frames_are_cross_validated(self):
        X, y = random_table(17)
        assert (
            cross_val_score(DecisionTreeRegressor(), pd.DataFrame(X, columns=list("abcd")), y, cv=3).mean()
            > 0.5
        )

    def test_fitting_in_processes_gives_the_same_trees(self):
        X, y = random_classes(18)
        fits = joblib.Parallel(n_jobs=2)(joblib.delayed(DecisionTreeClassifier().fit)(X, y) for _ in range(2))
        assert fits[0].model_ == fits[1].model_ == DecisionTreeClassifier().fit(X, y).model_

    def test_weights_are_routed_and_input_checks_are_not(self):
        assert "sample_weight" in DecisionTreeClassifier().get_metadata_routing().fit.requests
        assert "check_input" not in DecisionTreeClassifier().get_metadata_routing().fit.requests
        assert "check_input" not in DecisionTreeClassifier().get_metadata_routing().predict.requests

    @BOTH
    def test_a_tag_says_whether_gaps_are_taken(self, make):
        assert make().__sklearn_tags__().input_tags.allow_nan
        assert not make(missing="refuse").__sklearn_tags__().input_tags.allow_nan

    @BOTH
    def test_nothing_is_said_unless_asked(self, make, capfd):
        make().fit(*random_classes(19))
        assert capfd.readouterr() == ("", "")


class TestCallersData:
    """Nothing of the caller's is ever changed."""

    @BOTH
    @pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, object])
    def test_arrays_may_be_read_only(self, make, dtype):
        X = np.arange(24).reshape(8, 3).astype(dtype)
        y, weights = np.arange(8) % 2, np.arange(1.0, 9.0)
        for array in (X, y, weights):
            array.flags.writeable = False
        make().fit(X, y, sample_weight=weights).predict(X)

    @BOTH
    def test_arrays_are_left_as_they_were(self, make):
        X, y = random_table(20)
        X[3, 1] = np.nan
        y = (y > 0).astype(float)
        weights = np.linspace(0, 1, len(y))
        before = X.copy(), y.copy(), weights.copy()
        tree = make(class_weight="balanced") if make is DecisionTreeClassifier else make()
        tree.fit(X, y, sample_weight=weights).predict(X)
        for array, copied in zip((X, y, weights), before, strict=True):
            np.testing.assert_array_equal(array, copied)

    @BOTH
    def test_frames_are_left_as_they_were(self, make):
        frame = FRAME.assign(bought=[0, 0, 1, 1, 0])
        before = frame.copy()
        make().fit(frame, "bought").predict(frame)
        pd.testing.assert_frame_equal(frame, before)

    @BOTH
    def test_the_tree_does_not_hold_on_to_the_data(self, make):
        X, y = random_classes(21)
        tree = make(max_depth=3).fit(X, y)
        expected = tree.predict(X)
        copied = X.copy()
        X[:] = 0.0
        np.testing.assert_array_equal(tree.predict(copied), expected)


def test_fitting_borrows_nothing_from_scikit_learns_trees():
    code = (
        "import sys\n"
        "sys.modules['sklearn.tree'] = None\n"
        "import numpy as np\n"
        "from treewright import DecisionTreeClassifier, DecisionTreeRegressor\n"
        "X = np.random.default_rng(0).normal(size=(50, 3)); X[0, 0] = np.nan\n"
        "for make in (DecisionTreeClassifier, DecisionTreeRegressor):\n"
        "    tree = make(ccp_alpha=0.001).fit(X, np.arange(50) % 3)\n"
        "    tree.predict(X), tree.apply(X), tree.decision_path(X), tree.to_text()\n"
        "    tree.cost_complexity_pruning_path(X, np.arange(50) % 3)\n"
        "assert not any(name.startswith('sklearn.tree.') for name in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_no_warning_comes_out_of_an_ordinary_fit():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DecisionTreeClassifier().fit(FRAME, LABELS).predict(FRAME)


def test_a_row_in_shares_counts_with_them_in_both_medians():
    X, y = {"x": [1.0, 1.0, 3.0, 3.0, None]}, [0.0, 2.0, 6.0, 8.0, 4.0]
    tree = DecisionTreeRegressor(criterion="absolute_error", missing="spread", max_depth=1).fit(X, y).tree_
    assert tree.weight.tolist() == [5.0, 2.5, 2.5]
    # Medians of 0, 2 and half a 4; of half a 4, 6 and 8. The known rows alone lose 12, and 2 on either side.
    assert tree.outcome.ravel().tolist() == [4.0, 2.0, 6.0]
    assert tree.gain[0] == pytest.approx(8 / 5, rel=1e-12)
