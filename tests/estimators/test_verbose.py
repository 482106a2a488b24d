"""`verbose=2` says which way a tree was grown; nothing else changes."""

import re

import numpy as np
import pytest

import treewright as tw

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 3))
GAPS = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
TWO = (X[:, 0] > 0).astype(int) ^ (RNG.random(400) < 0.2)
FOUR = TWO + 2 * (X[:, 1] > 0)
NUMBERS = X[:, 0] + RNG.normal(size=400)
MANY_ROWS = RNG.normal(size=(200_000, 2))
OF_MANY = MANY_ROWS[:, 0] + RNG.normal(size=len(MANY_ROWS)) > 0


def first_cut(targets, weights, cuts):
    return -np.abs(cuts - len(targets) / 2.0)


WAYS = {
    "two running sums": [
        (tw.DecisionTreeClassifier(), X, TWO),
        (tw.DecisionTreeRegressor(), X, NUMBERS),
    ],
    "large nodes counted by bins, two running sums": [
        (tw.DecisionTreeClassifier(max_depth=3, n_jobs=1), MANY_ROWS, OF_MANY),
    ],
    "large nodes counted by bins, class weights": [
        (tw.DecisionTreeClassifier(criterion="entropy", max_depth=3, n_jobs=1), MANY_ROWS, OF_MANY),
    ],
    "class weights": [
        (tw.DecisionTreeClassifier(), X, FOUR),
        (tw.DecisionTreeClassifier(criterion="entropy"), X, TWO),
    ],
    "medians that follow": [(tw.DecisionTreeRegressor(criterion="absolute_error"), X, NUMBERS)],
    "a function of the caller's": [(tw.DecisionTreeClassifier(criterion=first_cut, max_depth=2), X, TWO)],
    "class weights, ranked as C4.5 does": [(tw.C45Classifier(), X, TWO)],
    "rows in shares, class weights, ranked as C4.5 does": [(tw.C45Classifier(), GAPS, TWO)],
    "rows in shares, two running sums": [(tw.DecisionTreeClassifier(missing="spread"), GAPS, TWO)],
}


@pytest.mark.parametrize(
    ("way", "estimator", "table", "target"),
    [(way, *case) for way, cases in WAYS.items() for case in cases],
)
def test_it_says_which_way_was_taken_and_what_it_took(way, estimator, table, target, capsys):
    quiet = estimator.set_params(verbose=0).fit(table, target).tree_
    assert capsys.readouterr().err == ""
    estimator.set_params(verbose=1).fit(table, target)
    assert capsys.readouterr().err == "", "a short fit has no progress, and 1 asks for no more"
    estimator.set_params(verbose=2).fit(table, target)
    assert estimator.tree_ == quiet
    said = capsys.readouterr()
    assert said.out == ""
    pattern = (
        rf"treewright: grown by {re.escape(way)}, threads: 1; nodes searched, by lists: "
        r"([\d,]+ of (32|16|8) bits(, )?)+; "
        r"entries sorted \(times passes\): [\d,]+, scanned: [\d,]+, moved: [\d,]+\n"
    )
    assert re.fullmatch(pattern, said.err), said.err


def test_cross_validation_speaks_of_the_tree_itself(capsys):
    tw.CARTClassifier(verbose=2, cv=3).fit(X, TWO)
    assert capsys.readouterr().err.count("grown by") == 1
