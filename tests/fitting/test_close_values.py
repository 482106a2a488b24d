"""Columns whose values C4.5 takes for one are told of; all others are not."""

import warnings

import numpy as np
import pytest

import treewright as tw
from treewright.errors import CloseValuesWarning
from treewright.fitting.close_values import are_close

STEPS = np.arange(40)
Y = STEPS >= 20


@pytest.mark.parametrize("variant", ["release8", "j48"])
def test_a_column_in_tiny_steps_cannot_be_split_and_is_named(variant):
    X = {"far": STEPS % 7, "near": STEPS * 1e-6, "same": np.zeros(40), "also": STEPS * -9e-6}
    with pytest.warns(
        CloseValuesWarning, match="columns 'near', 'also' cannot be split.*within 1e-05"
    ) as told:
        tree = tw.C45Classifier(variant=variant).fit(X, Y)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert not {1, 2, 3} & set(tree.tree_.column.tolist())
    assert tw.C45Classifier(variant="textbook").fit({"near": X["near"]}, Y).get_n_leaves() == 2


@pytest.mark.parametrize(
    "column",
    [
        STEPS * 1.1e-5,
        np.append(STEPS[:-1] * 1e-6, 1.0),
        np.append(STEPS[:-1] * 1e-6, 5.1e-5),
        np.zeros(40),
        np.full(40, np.nan),
        STEPS.astype(np.float64),
        (1e6 + STEPS / 8).astype(np.float32),
        STEPS.astype("M8[ns]"),
        [*map(str, STEPS % 5)],
    ],
    ids=[
        "wider",
        "one gap",
        "a narrow gap",
        "constant",
        "gaps alone",
        "whole",
        "float32",
        "moments",
        "texts",
    ],
)
def test_other_columns_are_not_told_of(column):
    with warnings.catch_warnings():
        warnings.simplefilter("error", CloseValuesWarning)
        tw.C45Classifier().fit({"a": column}, Y)


def test_rows_of_weight_0_do_not_widen_a_gap():
    column = np.append(STEPS[:-1] * 1e-6, 1.0)
    with pytest.warns(CloseValuesWarning):
        tw.C45Classifier().fit({"a": column}, Y, sample_weight=np.append(np.ones(39), 0.0))


def test_other_learners_split_such_a_column_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for make in (tw.DecisionTreeClassifier, tw.CARTClassifier):
            assert make().fit({"a": STEPS * 1e-6}, Y).get_n_leaves() == 2


@pytest.mark.parametrize("seed", range(20))
def test_it_says_what_sorting_says(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 300))
    values = np.cumsum(rng.choice([0.0, 0.5, 1.0, 1.5], n, p=[0.3, 0.3, 0.39, 0.01])) / 8
    rng.shuffle(values)
    values[rng.random(n) < 0.1] = np.nan
    ordered = np.unique(values[~np.isnan(values)])
    expected = len(ordered) > 1 and bool((np.diff(ordered) <= 0.125).all())
    assert are_close(values, 0.125) == expected
