"""Trees with surrogates against the slow way: questions, surrogates, where rows go at fit and when asked."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from labelled import fit
from oracle.agreement import TIMES
from oracle.naive_questions import Rows
from oracle.surrogate_tree import Judge, Rules
from treewright import CARTClassifier, CARTRegressor
from treewright.parts.criteria import Entropy, Gini, Variance
from treewright.parts.limits import Limits
from treewright.parts.missing import Surrogates
from treewright.recipes import Recipe
from treewright.table.target import CodedClasses

CRITERIA = ("gini", "entropy", "squared_error")
GAPS = ("in both", "only when asked", "hardly any")


def random_column(rng, n, others):
    """Draw whole numbers, often much like a column that is there: surrogates need likeness."""
    like = others[rng.integers(len(others))] if others and rng.random() < 0.8 else None
    base = rng.integers(0, rng.integers(2, 7), n) if like is None else like.copy()
    noisy = rng.random(n) < rng.choice([0.0, 0.15, 0.3])
    base = np.where(noisy, rng.integers(0, 6, n), base)
    if rng.random() < 0.2:
        base = 5 - base  # the other way round
    return base


def random_table(rng, criterion, gaps):
    """Draw a table of few values: ties of cuts, of columns, of categories, of branches."""
    n = int(rng.integers(3, 31))
    drawn: list = []
    for _ in range(int(rng.integers(3, 7))):
        drawn.append(random_column(rng, n, drawn))
    is_category = [bool(rng.random() < 0.4) for _ in drawn]
    share = {"in both": 0.35, "only when asked": 0.0, "hardly any": 0.05}[gaps]
    columns = []
    for base, category in zip(drawn, is_category, strict=True):
        values = [f"c{code}" if category else float(code) / 2 for code in base]
        gap = None if category else float("nan")
        values = [gap if rng.random() < share else value for value in values]
        if category and all(value is None for value in values):
            values[0] = "c0"
        columns.append(values)
    y = rng.integers(0, 8, n) / 4 if criterion == "squared_error" else rng.integers(0, 3, n)
    if rng.random() < 0.5:  # something that the first column knows about
        y = np.where(rng.random(n) < 0.8, drawn[0] > 2, y)
    weights = rng.integers(1, 4, n) if rng.random() < 0.5 else np.ones(n, dtype=int)
    return Rows(tuple(columns), tuple(is_category), tuple(y.tolist()), tuple(weights.tolist()))


def asked_rows(rng, table):
    """Draw rows to ask about: values of the table and others, with many gaps."""
    columns = []
    for values, category in zip(table.columns, table.is_category, strict=True):
        known = [value for value in values if value is not None and value == value]  # noqa: PLR0124 - NaN
        pool = known if category else [*known, *(value + 0.25 for value in known), 0.0]
        gap = None if category else float("nan")
        columns.append([gap if rng.random() < 0.5 else pool[rng.integers(len(pool))] for _ in range(20)])
    return columns


def as_table(columns):
    return {f"x{at}": list(values) for at, values in enumerate(columns)}


def check(judge, rng):
    """Fail where a tree is not the oracle's, or sends a row elsewhere."""
    shown = f"{judge.table}\n{judge.rules}"
    found = list(judge.problems())
    assert not found, f"{shown}\n{found}"
    asked = asked_rows(rng, judge.table)
    gapless = [[None if value != value else value for value in values] for values in asked]  # noqa: PLR0124
    expected = [judge.leaf_of(row) for row in zip(*gapless, strict=True)]
    assert judge.model.apply(as_table(asked)).tolist() == expected, f"{shown}\n{asked}"
    told = np.array([judge.answer_of(node) for node in expected], dtype=float)
    assert judge.model.shares(as_table(asked)) == pytest.approx(told, rel=1e-12, abs=1e-12), shown
    begin, nodes, _ = judge.model.path(as_table(asked))
    assert nodes[begin[1:] - 1].tolist() == expected


def rules_for(rng, criterion, table, **options):
    """Draw rules; a least size of leaves only where no set of categories is searched, see decision 0005."""
    least = 1 if any(table.is_category) else int(rng.integers(1, 4))
    return Rules(
        criterion,
        max_surrogates=int(rng.choice([1, 2, 5])),
        min_rows_leaf=least,
        max_depth=None if rng.random() < 0.5 else int(rng.integers(1, 4)),
        **options,
    )


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_trees_with_surrogates_are_those_of_the_oracle(criterion, gaps):
    """Nine combinations on 150 tables each."""
    rng = np.random.default_rng([CRITERIA.index(criterion), GAPS.index(gaps), 6])
    for _ in range(150 * TIMES):
        table = random_table(rng, criterion, gaps)
        rules = rules_for(rng, criterion, table)
        kind = CARTRegressor if criterion == "squared_error" else CARTClassifier
        estimator = kind(
            criterion=criterion,
            pruning=None,
            missing="surrogate",
            max_surrogates=rules.max_surrogates,
            min_samples_leaf=rules.min_rows_leaf,
            max_depth=rules.max_depth,
        )
        estimator.fit(
            as_table(table.columns), np.array(table.y), sample_weight=np.array(table.weights, dtype=float)
        )
        check(Judge(estimator.model_, table, table.weights, rules), rng)


def fit_by(rules, table, **options):
    """Fit as the rules say; what no estimator has as a parameter is a choice of a part."""
    parts = {"gini": Gini(), "entropy": Entropy(), "squared_error": Variance()}
    y = np.array(table.y, dtype=float)
    if rules.criterion != "squared_error":
        labels, codes = np.unique(np.array(table.y), return_inverse=True)
        y = CodedClasses(codes.astype(np.int32), labels)
    recipe = Recipe(
        criterion=parts[rules.criterion],
        limits=Limits(max_depth=rules.max_depth, min_rows_leaf=rules.min_rows_leaf),
        missing=Surrogates(rules.max_surrogates, rules.style, rules.otherwise),
    )
    weights = np.array(table.weights, dtype=float)
    return fit(as_table(table.columns), y, weights=weights, recipe=recipe, **options)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_agreement_may_be_counted_among_the_known_rows_as_the_book_does(criterion):
    rng = np.random.default_rng([CRITERIA.index(criterion), 7])
    for _ in range(100 * TIMES):
        table = random_table(rng, criterion, "in both")
        rules = rules_for(rng, criterion, table, style="known")
        check(Judge(fit_by(rules, table), table, table.weights, rules), rng)


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_rows_that_nothing_places_may_stop_and_are_answered_by_their_node(criterion, gaps):
    """... and are in no child; without surrogates as well."""
    rng = np.random.default_rng([CRITERIA.index(criterion), GAPS.index(gaps), 10])
    n_stopped = 0
    for _ in range(30 * TIMES):
        table = random_table(rng, criterion, gaps)
        rules = rules_for(rng, criterion, table, otherwise="stop")
        rules = replace(rules, max_surrogates=int(rng.choice([0, 0, 1, 5])))
        judge = Judge(fit_by(rules, table), table, table.weights, rules)
        check(judge, rng)
        tree = judge.model.tree
        below = np.zeros(tree.n_nodes, dtype=int)
        np.add.at(below, tree.parent[1:], tree.n_rows[1:])
        n_stopped += int((tree.n_rows - below)[tree.column >= 0].sum())
    assert (n_stopped > 0) == (gaps != "only when asked")


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_table_without_gaps_gives_the_same_tree_whether_rows_may_stop_or_not(criterion):
    rng = np.random.default_rng([CRITERIA.index(criterion), 11])
    for _ in range(20 * TIMES):
        table = random_table(rng, criterion, "only when asked")
        rules = rules_for(rng, criterion, table)
        goes_on = fit_by(rules, table).tree
        stops = fit_by(replace(rules, otherwise="stop"), table).tree
        assert replace(stops, missing_branch=goes_on.missing_branch.copy()) == goes_on


def test_priors_and_losses_choose_questions_but_not_surrogates():
    """What a class counts for says which question is best; agreement counts rows as they are, as in rpart."""
    rng = np.random.default_rng(8)
    for _ in range(150 * TIMES):
        table = random_table(rng, "gini", "in both")
        classes = sorted(set(table.y))
        if len(classes) < 2:
            continue
        rules = rules_for(rng, "gini", table)
        parts = rng.integers(1, 5, len(classes))
        weight = {k: sum(w for w, y in zip(table.weights, table.y, strict=True) if y == k) for k in classes}
        factor = {k: Fraction(int(part), weight[k]) for k, part in zip(classes, parts, strict=True)}
        estimator = CARTClassifier(
            pruning=None,
            missing="surrogate",
            max_surrogates=rules.max_surrogates,
            min_samples_leaf=rules.min_rows_leaf,
            max_depth=rules.max_depth,
            prior=(parts / parts.sum()).tolist(),
        )
        estimator.fit(
            as_table(table.columns), np.array(table.y), sample_weight=np.array(table.weights, dtype=float)
        )
        counted = tuple(w * factor[y] for w, y in zip(table.weights, table.y, strict=True))
        scored = Rows(table.columns, table.is_category, table.y, counted)
        check(Judge(estimator.model_, scored, table.weights, rules), rng)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_rows_of_no_weight_are_not_there(criterion):
    rng = np.random.default_rng([CRITERIA.index(criterion), 9])
    kind = CARTRegressor if criterion == "squared_error" else CARTClassifier
    for _ in range(30 * TIMES):
        table = random_table(rng, criterion, "in both")
        weights = np.array(table.weights, dtype=float)
        weights[rng.random(len(weights)) < 0.3] = 0.0
        some = np.flatnonzero(weights)
        if not len(some):
            continue
        options = {"criterion": criterion, "pruning": None, "missing": "surrogate"}
        columns = [
            list(values)
            for values, category in zip(table.columns, table.is_category, strict=True)
            if not category
        ]
        if not columns:
            continue
        y = np.array(table.y)
        with_them = kind(**options).fit(as_table(columns), y, sample_weight=weights)
        without = kind(**options).fit(
            as_table([[values[row] for row in some] for values in columns]),
            y[some],
            sample_weight=weights[some],
        )
        assert [node.surrogates for node in with_them.tree_.walk()] == [
            node.surrogates for node in without.tree_.walk()
        ]
