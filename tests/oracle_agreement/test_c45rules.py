"""Rules of random trees are those that C4.5rules makes by the definitions."""

import numpy as np
import pytest

import treewright as tw
from mixed_tables import Way, mixed_table
from oracle import naive_c45rules
from oracle.agreement import TIMES
from treewright.explain import description_length
from treewright.model.conditions import merged

LEARNERS = {
    "c45": tw.C45Classifier,
    "c45 small": lambda: tw.C45Classifier(min_cases=1, confidence=0.4),
    "c45 groups": lambda: tw.C45Classifier(min_cases=1, group_categories=True),
    "j48 binary": lambda: tw.C45Classifier(variant="j48", min_cases=1, binary_splits=True),
    "unpruned": lambda: tw.C45Classifier(min_cases=1, pruning=False),
    "learned": tw.DecisionTreeClassifier,
    "branch": lambda: tw.DecisionTreeClassifier(missing="branch", categorical_split="multiway"),
    "surrogates": lambda: tw.CARTClassifier(pruning=None),
}


def cases_of(model, table):
    codes = model.codes(table.columns)
    is_category = [column.is_category for column in model.schema.columns]
    values = [
        [None if value != value or (category and value < 0) else value for value in column.tolist()]  # noqa: PLR0124
        for column, category in zip(codes, is_category, strict=True)
    ]
    place = {label: at for at, label in enumerate(model.schema.target.labels)}
    return naive_c45rules.Cases(
        rows=list(zip(*values, strict=True)),
        classes=[place[label] for label in table.y.tolist()],
        weights=[int(weight) for weight in table.weights],
        n_classes=len(place),
        n_categories=[len(column.categories) for column in model.schema.columns],
    )


@pytest.mark.parametrize("most_tried_all", [10, 2], ids=["every set", "climb"])
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_rules_of_random_tables_are_those_of_the_definitions(learner, most_tried_all, monkeypatch):
    monkeypatch.setattr(description_length, "MOST_TRIED_ALL", most_tried_all)
    rng = np.random.default_rng([len(learner), most_tried_all])
    n_rules = 0
    for _ in range(6 * TIMES):
        table = mixed_table(rng, Way("gini"), rows=(10, 40), most_weight=2)
        estimator = LEARNERS[learner]().fit(table.columns, table.y, sample_weight=table.weights)
        model = estimator.model_
        cases = cases_of(model, table)
        confidence = getattr(estimator, "confidence", 0.25)
        grown = model.tree if model.grown is None else model.grown
        theirs, default = naive_c45rules.rules_of(grown, cases, confidence, most_tried_all)
        ours = estimator.rules("c45rules", table.columns, table.y, table.weights)
        n_rules += len(ours)
        assert ours.default == ours.classes[default]
        assert [rule.answer for rule in ours] == [ours.classes[rule.answer] for rule in theirs]
        assert [rule.error_bound for rule in ours] == pytest.approx(
            [rule.error for rule in theirs], rel=1e-12
        )
        covers = [[rule.covers(row) for rule in theirs] for row in cases.rows]
        met = ours.shares(table.columns) > 0
        assert met.tolist() == (covers if theirs else [[]] * len(covers))
        answers = [naive_c45rules.answer_of(theirs, default, row) for row in cases.rows]
        assert ours.predict(table.columns).tolist() == [ours.classes[answer] for answer in answers]
        for rule in ours:  # merged by now: a column once
            assert rule.conditions == merged(rule.conditions)
    assert n_rules > 0
