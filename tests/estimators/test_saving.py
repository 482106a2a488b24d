"""`est.save` and `tw.load`: what comes back is what was kept."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold

import treewright as tw
from kinds_of_trees import ALL, KINDS, answers, fitted, hellinger, training_table
from treewright.errors import ModelFileError, ParameterError, ParameterTypeError
from treewright.estimators.saving import ESTIMATORS
from treewright.model.values import NotSaved


def saved_and_loaded(estimator, folder):
    estimator.save(folder / "model.tw.json")
    return tw.load(folder / "model.tw.json")


def parameters(estimator):
    return {name: repr(value) for name, value in estimator.get_params().items() if not callable(value)}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_tree_comes_back_the_same(name, tmp_path):
    kind, kept = KINDS[name], fitted(name)
    back = saved_and_loaded(kept, tmp_path)
    assert type(back) is type(kept)
    assert back.tree_ == kept.tree_
    assert back.model_ == kept.model_
    assert back.to_text() == kept.to_text()
    for what, expected in answers(kept, kind).items():
        found = answers(back, kind)[what]
        assert found.dtype == expected.dtype, what
        assert np.array_equal(found, expected), what
    if name != "a function":
        assert parameters(back) == parameters(kept)
    for attribute in ("n_features_in_", "feature_names_in_", "max_features_", "n_outputs_", "n_classes_"):
        assert np.array_equal(getattr(back, attribute, None), getattr(kept, attribute, None)), attribute
    assert np.array_equal(back.feature_importances_, kept.feature_importances_)


def test_among_these_trees_is_every_part_that_a_tree_may_have():
    trees = [fitted(name).tree_ for name in KINDS]
    for part in ("loss", "errors", "label", "net_gain", "ratio"):
        assert any(getattr(tree, part) is not None for tree in trees), part
    assert any(tree.smoothing for tree in trees)
    assert any(tree.is_certain_when_empty for tree in trees)
    assert any(len(tree.surrogates.set_code) for tree in trees)
    assert any((tree.search == 2).any() for tree in trees)
    assert any(np.isinf(tree.cut).any() for tree in trees)
    assert any((tree.missing_branch == 2).any() for tree in trees)
    for part in ("grown", "pruning", "factors", "provenance"):
        assert any(getattr(fitted(name).model_, part) is not None for name in KINDS), part
    assert {type(fitted(name)).__name__ for name in KINDS} == set(ESTIMATORS)


@pytest.mark.parametrize("name", KINDS)
def test_the_same_model_gives_the_same_bytes(name, tmp_path):
    kept = fitted(name)
    kept.save(tmp_path / "first.tw.json")
    first = (tmp_path / "first.tw.json").read_bytes()
    others = {
        "again": kept,
        "loaded": tw.load(tmp_path / "first.tw.json"),
        "fitted again in two threads": KINDS[name].fit(n_jobs=2).set_params(n_jobs=None),
        "pickled": pickle.loads(pickle.dumps(kept)),
        "copied": copy.deepcopy(kept),
    }
    for what, other in others.items():
        other.save(tmp_path / "other.tw.json")
        assert (tmp_path / "other.tw.json").read_bytes() == first, what


def test_the_order_of_rows_and_the_container_do_not_show_in_the_file(tmp_path):
    table = training_table()
    names = ["size", "town", "age"]
    frame = pd.DataFrame({name: table[name] for name in names})
    rows = np.random.default_rng(0).permutation(len(frame))
    y = table["class"]
    contents = []
    for X, target in (
        (frame, y),
        (frame.iloc[rows], y[rows]),
        (pl.DataFrame({name: table[name].tolist() for name in names}, strict=False), y),
        (frame.astype({"age": "float32"}), y),
    ):
        tw.DecisionTreeClassifier().fit(X, target).save(tmp_path / "model.tw.json")
        contents.append((tmp_path / "model.tw.json").read_bytes())
    assert len(set(contents)) == 1
    frame.loc[7, "age"] += 1
    tw.DecisionTreeClassifier().fit(frame, y).save(tmp_path / "model.tw.json")
    assert (tmp_path / "model.tw.json").read_bytes() not in contents


LABELS = {
    "object": np.array(["b", "a"], dtype=object),
    "str": np.array(["乙", "甲"]),
    "bool": np.array([True, False]),
    "int8": np.array([3, -4], dtype=np.int8),
    "uint64": np.array([2**64 - 1, 5], dtype=np.uint64),
    "float32": np.array([3.0, 1.0], dtype=np.float32),
    "the other byte order": np.array([3, 4], dtype=">i4"),
}
if hasattr(np.dtypes, "StringDType"):  # as of NumPy 2
    LABELS["string"] = np.array(["b", "a"], dtype=np.dtypes.StringDType())


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_classes_come_back_in_their_type(labels, tmp_path):
    kept = tw.DecisionTreeClassifier().fit([[1.0], [2.0]], labels)
    back = saved_and_loaded(kept, tmp_path)
    assert back.classes_.tolist() == kept.classes_.tolist()
    assert [type(label) for label in back.classes_.tolist()] == [
        type(label) for label in kept.classes_.tolist()
    ]
    assert back.classes_.dtype.name == kept.classes_.dtype.name  # in the byte order of this machine
    assert back.predict([[1.0]]).tolist() == labels[:1].tolist()


def test_categories_come_back_in_their_type(tmp_path):
    back = saved_and_loaded(fitted("every type of column"), tmp_path).model_.schema
    for ours, theirs in zip(back.columns, fitted("every type of column").model_.schema.columns, strict=True):
        assert [(type(each), each) for each in ours.categories] == [
            (type(each), each) for each in theirs.categories
        ]
    types = {column.name: {type(each) for each in column.categories} for column in back.columns}
    assert (types["town"], types["is_open"], types["floor"]) == ({str}, {bool}, {int})
    assert types["grade"] == {float, int}


def test_a_table_without_names_and_one_whose_names_are_the_usual_ones_stay_apart(tmp_path):
    X = np.arange(6.0).reshape(3, 2)
    unnamed = tw.DecisionTreeRegressor().fit(X, [1, 2, 3])
    named = tw.DecisionTreeRegressor().fit(pd.DataFrame(X, columns=["x0", "x1"]), [1, 2, 3])
    assert not hasattr(saved_and_loaded(unnamed, tmp_path), "feature_names_in_")
    assert saved_and_loaded(named, tmp_path).feature_names_in_.tolist() == ["x0", "x1"]


PARAMETERS = {
    "tuple": {"categorical_features": ("a",)},
    "array of indices": {"categorical_features": np.array([1, 0], dtype=np.int32)},
    "mask": {"categorical_features": np.array([True, False])},
    "dict": {"class_weight": {"n": 1, "y": 2.5}},
    "list": {"monotonic_cst": [0, 0]},
    "infinity": {"min_impurity_decrease": float("inf")},
    "a number of NumPy": {"max_depth": np.int64(3), "ccp_alpha": np.float64(0.25)},
    "loss": {"loss": {"n": {"y": 1}, "y": {"n": np.float32(5)}}},
    "prior": {"prior": np.array([0.25, 0.75])},
}


@pytest.mark.parametrize("given", PARAMETERS.values(), ids=PARAMETERS)
def test_parameters_come_back_as_they_were(given, tmp_path):
    kept = tw.DecisionTreeClassifier(**given)
    X, y = {"a": [1, 2, 3], "b": [1, 5, 5]}, ["n", "y", "y"]
    fits = {**kept.get_params(), "min_impurity_decrease": 0.0}
    kept._state = tw.DecisionTreeClassifier(**{**fits, "class_weight": None}).fit(X, y)._state
    back = saved_and_loaded(kept, tmp_path)
    for name, value in given.items():
        found = back.get_params()[name]
        assert np.array_equal(found, value) if isinstance(value, np.ndarray) else found == value
        assert type(found) is type(value) or isinstance(value, np.generic)
        if isinstance(value, np.ndarray):
            assert found.dtype == value.dtype
    saved_and_loaded(back, tmp_path)


def test_what_a_file_cannot_hold_is_asked_for_before_another_fit(tmp_path):
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]
    kept = tw.DecisionTreeClassifier(criterion=hellinger, random_state=np.random.RandomState(3)).fit(X, y)
    back = saved_and_loaded(kept, tmp_path)
    assert back.predict(X).tolist() == kept.predict(X).tolist()
    assert back.criterion == NotSaved("function", "kinds_of_trees.hellinger")
    assert back.random_state == NotSaved("object", "numpy.random.mtrand.RandomState")
    for again in (back, clone(back), pickle.loads(pickle.dumps(back))):
        with pytest.raises(
            ParameterError, match=r"criterion=<function kinds_of_trees\.hellinger, not saved>.*set_params"
        ):
            again.fit(X, y)
    back.save(tmp_path / "again.tw.json")
    assert (tmp_path / "again.tw.json").read_bytes() == (tmp_path / "model.tw.json").read_bytes()
    with pytest.raises(ParameterError, match="the name of a function"):
        back.criterion(y, y, [1])
    assert back.prune("pessimistic").tree_ == kept.prune("pessimistic").tree_
    back.set_params(criterion=hellinger, random_state=3).fit(X, y)
    assert back.tree_ == kept.tree_


def test_a_splitter_is_kept_by_its_name(tmp_path):
    kept = tw.CARTClassifier(pruning=None, cv=StratifiedKFold(3)).fit([[1.0], [2.0]], [0, 1])
    assert saved_and_loaded(kept, tmp_path).cv == NotSaved(
        "object", "sklearn.model_selection._split.StratifiedKFold"
    )


def test_what_is_not_fitted_or_not_ours_is_not_written(tmp_path):
    with pytest.raises(NotFittedError):
        tw.C45Classifier().save(tmp_path / "model.tw.json")

    class Mine(tw.C45Classifier):
        pass

    with pytest.raises(ModelFileError, match="Mine is a class of your own"):
        Mine().fit([[1.0], [2.0]], [0, 1]).save(tmp_path / "model.tw.json")
    halved = tw.ID3Classifier().fit({"a": ["\ud800", "b"]}, [0, 1])
    with pytest.raises(ModelFileError, match="half a character"):
        halved.save(tmp_path / "model.tw.json")
    deep = tw.DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
    deep.monotonic_cst = []
    deep.monotonic_cst.append(deep.monotonic_cst)
    with pytest.raises(ModelFileError, match=r"parameter monotonic_cst: .* deep"):
        deep.save(tmp_path / "model.tw.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", [None, 7, b"model", "", "a\0b"])
def test_a_path_must_be_one(path, tmp_path):
    with pytest.raises(ParameterTypeError, match="is not the path of a file"):
        fitted("gini").save(path)
    with pytest.raises(ParameterTypeError, match="is not the path of a file"):
        tw.load(path)


def test_a_loaded_estimator_is_an_estimator(tmp_path):
    table = training_table()
    X, y = {name: table[name] for name in ALL}, table["class"]
    back = saved_and_loaded(fitted("every type of column"), tmp_path)
    again = clone(back).fit(X, y)
    assert again.tree_ == back.tree_
    assert pickle.loads(pickle.dumps(back)).tree_ == back.tree_
    with pytest.raises(ValueError, match="read-only"):
        back.tree_.weight[0] = 2


def test_a_loaded_tree_is_pruned_as_the_one_that_was_kept(tmp_path):
    table = training_table()
    X = {name: table[name] for name in ALL}
    kept = fitted("C4.5 unpruned")
    back = saved_and_loaded(kept, tmp_path)
    weights = np.random.default_rng(5).integers(0, 4, 120) / 4
    for way in (
        {"method": "cost-complexity", "leaves": 4},
        {"method": "pessimistic"},
        {"method": "minimum-error"},
        {"method": "reduced-error", "X": X, "y": table["class"]},
        {"method": "error-based", "X": X, "y": table["class"], "sample_weight": weights},
    ):
        pruned = back.prune(**way)
        assert pruned.tree_ == kept.prune(**way).tree_
        assert saved_and_loaded(pruned, tmp_path).model_ == pruned.model_
    chosen = kept.prune("cost-complexity", X, table["class"])
    assert saved_and_loaded(chosen, tmp_path).pruning_table_ == chosen.pruning_table_
    assert saved_and_loaded(kept.simplify(), tmp_path).tree_ == kept.simplify().tree_


def test_provenance_tells_what_a_model_was_grown_from(tmp_path):
    back = saved_and_loaded(fitted("weights"), tmp_path)
    origin = back.model_.provenance
    weights = np.random.default_rng(5).integers(0, 4, 120) / 4
    assert (origin.library, origin.n_rows, origin.weight) == (
        tw.__version__,
        (weights > 0).sum(),
        weights.sum(),
    )
    assert origin.parts["criterion"] == {"part": "Gini"}
    assert origin.parts["limits"]["max_depth"] == 6
    held_out = fitted("J48").model_
    assert held_out.provenance.n_rows == 120 > held_out.tree.n_rows[0]


def test_a_model_file_is_read_without_scikit_learn(tmp_path):
    fitted("C4.5").save(tmp_path / "model.tw.json")
    code = (
        "import sys; from treewright.model.files import read; import numpy as np\n"
        f"saved = read({str(tmp_path / 'model.tw.json')!r})\n"
        "others = {'sklearn', 'scipy', 'narwhals', 'pandas'} & set(sys.modules)\n"
        "print(saved.estimator, len(saved.model.schema.columns), *others)"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout.split() == ["C45Classifier", str(len(ALL))]


def test_the_schema_ships_with_the_package():
    assert (Path(tw.__file__).parent / "model" / "model.schema.json").is_file()
