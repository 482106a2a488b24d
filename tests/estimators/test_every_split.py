"""`tw.audit(..., every_cut=True)`: every category and every cut, with the figures of Li Hang's book."""

import numpy as np
import pytest

import treewright as tw
from treewright import information

# Li Hang, example 5.4: Gini(D, A = a).
GINI = {
    ("年龄", "青年"): 0.44,
    ("年龄", "中年"): 0.48,
    ("年龄", "老年"): 0.44,
    ("有工作", "是"): 0.32,
    ("有自己的房子", "是"): 0.27,
    ("信贷情况", "非常好"): 0.36,
    ("信贷情况", "好"): 0.47,
    ("信贷情况", "一般"): 0.32,
}
# Li Hang, table 8.3 and the sums of squares m(s) below it; he adds up rounded figures.
X_OF_8_3 = list(range(1, 11))
Y_OF_8_3 = [5.56, 5.70, 5.91, 6.40, 6.80, 7.05, 8.90, 8.70, 9.00, 9.05]
SQUARES = [15.72, 12.07, 8.36, 5.78, 3.91, 1.93, 8.01, 11.73, 15.74]


def loans():
    columns, target = tw.datasets.load("loan_lihang")
    return columns, columns.pop(target)


@pytest.mark.parametrize("kind", ["one-vs-rest", "subset"])
def test_every_category_has_the_books_gini(kind):
    X, y = loans()
    tree = tw.DecisionTreeClassifier(categorical_split=kind).fit(X, y)
    ledger = tw.audit(tree, X, y, every_cut=True)
    found = {}
    for row in ledger:
        for branch in row.branches:
            if not branch.condition.startswith("in "):
                found[row.column, branch.condition] = row.impurity
    for of, gini in GINI.items():
        assert found[of] == pytest.approx(gini, abs=0.005 + 1e-12), of
    assert ledger.winner.column == "有自己的房子"
    assert [row.rank for row in ledger] == [5, 8, 6, 2, 1, 3, 7, 4]
    assert "  Gini    gain  " in str(ledger).splitlines()[1]
    assert "基尼指数" in str(ledger.in_language("zh"))


def test_every_cut_has_its_sum_of_squares():
    X = {"x": X_OF_8_3}
    tree = tw.DecisionTreeRegressor(max_depth=1).fit(X, Y_OF_8_3)
    ledger = tw.audit(tree, X, Y_OF_8_3, every_cut=True)
    y = np.array(Y_OF_8_3)
    for at, (row, printed) in enumerate(zip(ledger, SQUARES, strict=True), start=1):
        left, right = y[:at], y[at:]
        squares = ((left - left.mean()) ** 2).sum() + ((right - right.mean()) ** 2).sum()
        assert row.impurity * 10 == pytest.approx(squares)
        assert squares == pytest.approx(printed, abs=0.015)
        assert f"{squares:.4f}" in str(ledger).splitlines()[1 + at]
    assert ledger.winner.question.cut == 6.5
    assert ledger.formula(5).splitlines() == [
        "squares(x <= 6.5) = Σ(y − 6.2367)² + Σ(y − 8.9125)² = 1.8581 + 0.0719 = 1.9300",
        "Gain(x <= 6.5) = 6/10 × 4/10 × (6.2367 − 8.9125)² = 1.7184",
    ]
    chinese = ledger.in_language("zh").formula(0)
    assert (
        chinese.splitlines()[0]
        == "平方和(x <= 1.5) = Σ(y − 5.5600)² + Σ(y − 7.5011)² = 0 + 15.7231 = 15.7231"
    )


@pytest.mark.parametrize("missing", ["learned", "majority", "branch", "surrogate", "refuse"])
def test_sums_of_squares_count_the_rows_that_were_scored(missing):
    n_rows = 0
    for seed in range(12):
        rng = np.random.default_rng([seed, 71])
        n, has_gaps = int(rng.integers(6, 60)), missing != "refuse"
        X = {"x": rng.integers(0, 9, n).astype(float), "c": rng.integers(0, 4, n).astype(str).astype(object)}
        for values, gap in ((X["x"], np.nan), (X["c"], None)):
            if has_gaps:
                values[rng.random(n) < 0.2] = gap
        y, weights = 1e6 + rng.integers(-9, 9, n) / 4, rng.integers(int(not has_gaps), 4, n).astype(float)
        weights[0] = 1.0
        tree = tw.DecisionTreeRegressor(missing=missing, max_depth=2).fit(X, y, weights)
        for node in range(tree.tree_.n_nodes):
            here = (tree.decision_path(X).toarray()[:, node] > 0) & (weights > 0)
            for row in tw.audit(tree, X, y, node, every_cut=True, sample_weight=weights):
                if row.question is None:
                    continue
                values = X[row.column][here]
                if row.column == "c":
                    known = tree.model_.schema.columns[row.question.column].categories
                    values = [None if value is None else known.index(value) for value in values]
                branch = np.array([row.question.branch_of(value) for value in values])
                squares = 0.0
                for side in set(branch.tolist()) - {-1, -2}:
                    rows, w = y[here][branch == side], weights[here][branch == side]
                    squares += (w * (rows - np.average(rows, weights=w)) ** 2).sum()
                size = sum(each.weight for each in row.branches)
                assert row.impurity * size == pytest.approx(squares, abs=1e-6)
                n_rows += 1
    assert n_rows > 100


def test_what_a_split_leaves_is_written_out_for_every_category_and_cut():
    X, y = loans()
    tree = tw.DecisionTreeClassifier(categorical_split="one-vs-rest").fit(X, y)
    ledger = tw.audit(tree, X, y, every_cut=True)
    formulas = [ledger.formula(at) for at in range(len(ledger))]
    assert "Gini(年龄 = 青年) = 5/15 × 0.4800 + 10/15 × 0.4200 = 0.4400" in formulas[2]
    assert len({text.split(" = 0")[0] for text in formulas}) == len(ledger)  # each has a name of its own
    multiway = tw.audit(tw.ID3Classifier().fit(X, y), X, y, every_cut=True, lang="zh")
    assert multiway.formula("年龄").splitlines()[0] == (
        "条件熵(年龄) = 5/15 × 0.9710 + 5/15 × 0.7219 + 5/15 × 0.9710 = 0.8879"
    )
    plain = tw.audit(tree, X, y)
    assert plain.formula("年龄").startswith("Gain(年龄) = 0.4800 ")
    ratio = tw.audit(tw.C45Classifier().fit(X, y), X, y, every_cut=True)
    assert " entropy " in str(ratio).splitlines()[1]


def test_every_category_of_a_numeric_target_has_its_sum_of_squares():
    X, _ = loans()
    y = np.arange(15.0) ** 1.5
    tree = tw.DecisionTreeRegressor(categorical_split="one-vs-rest").fit(X, y)
    rows = [row for row in tw.audit(tree, X, y, every_cut=True) if row.column == "年龄"]
    assert len(rows) == 3
    for row in rows:
        (category,) = {each.condition for each in row.branches if not each.condition.startswith("in ")}
        side = np.array(X["年龄"]) == category
        squares = sum(((part - part.mean()) ** 2).sum() for part in (y[side], y[~side]))
        assert row.impurity * 15 == pytest.approx(squares)
        assert row.gain == pytest.approx(y.var() - squares / 15)


@pytest.mark.parametrize(
    ("criterion", "left"),
    [
        ("gini", information.conditional_gini),
        ("entropy", information.conditional_entropy),
        ("misclassification", None),
    ],
)
def test_every_category_of_random_tables_is_scored_by_its_formula(criterion, left):
    n_listed = 0
    for seed in range(20):
        rng = np.random.default_rng([seed, 70])
        n = int(rng.integers(8, 40))
        X = {"a": rng.integers(0, 5, n).astype(str), "b": rng.integers(0, 3, n).astype(str)}
        y, weights = rng.integers(0, 3, n), rng.integers(1, 4, n).astype(float)
        tree = tw.DecisionTreeClassifier(criterion=criterion, categorical_split="one-vs-rest", max_depth=2)
        tree.fit(X, y, weights)
        for node in range(tree.tree_.n_nodes):
            here = tree.decision_path(X).toarray()[:, node] > 0
            ledger = tw.audit(tree, X, y, node, every_cut=True, sample_weight=weights)
            for row in ledger:
                if row.question is None:
                    continue
                (category,) = [each for codes in row.question.codes for each in codes if len(codes) == 1][:1]
                label = tree.model_.schema.columns[row.question.column].categories[category]
                side = X[row.column][here] == label
                n_listed += row.verdict == "other cut"
                if left is not None:
                    expected = left(y[here], side, weights=weights[here])
                    assert row.impurity == pytest.approx(expected, abs=1e-12)
                assert row.gain == pytest.approx(tree.tree_.impurity[node] - row.impurity, abs=1e-12)
    assert n_listed > 100


def test_columns_with_missing_values_list_their_best_split_only():
    X, y = loans()
    X["年龄"] = [None, *X["年龄"][1:]]
    tree = tw.DecisionTreeClassifier(categorical_split="one-vs-rest").fit(X, y)
    rows = [row.column for row in tw.audit(tree, X, y, every_cut=True)]
    assert (rows.count("年龄"), rows.count("信贷情况")) == (1, 3)
    # A column with one branch for each category has no others.
    multiway = tw.ID3Classifier().fit(*loans())
    assert [row.column for row in tw.audit(multiway, *loans(), every_cut=True)] == list(loans()[0])


def test_a_category_that_limits_forbid_is_listed_as_such():
    X, y = loans()
    tree = tw.DecisionTreeClassifier(categorical_split="one-vs-rest", min_samples_leaf=5).fit(X, y)
    rows = [row for row in tw.audit(tree, X, y, every_cut=True) if row.column == "信贷情况"]
    (excellent,) = [row for row in rows if row.branches[0].condition == "非常好"]
    assert (excellent.verdict, excellent.rank) == ("too few", None)
    assert excellent.reason == "fewer than 5 rows on one side"
