"""`treewright.audit_pruning`: what rules of pruning compared, with the figures that books print."""

from collections.abc import Mapping

import numpy as np
import pytest
from sklearn.datasets import load_iris

import treewright as tw
from treewright.errors import ParameterError, ParameterTypeError

TRAINING = [1, 2, 3, 6, 7, 10, 14, 15, 16, 17]  # Zhou, table 4.2
VALIDATION = [4, 5, 8, 9, 11, 12, 13]
COLUMNS = ["脐部", "色泽", "根蒂", "敲声", "纹理", "触感"]  # two columns tie at the root; the book takes 脐部


def melons(numbers):
    columns, target = tw.datasets.load("watermelon_20")
    rows = [number - 1 for number in numbers]
    labels = {"是": "好瓜", "否": "非好瓜"}  # in this order: even nodes answer 好瓜 in the book
    X = {name: [columns[name][row] for row in rows] for name in COLUMNS}
    return X, [labels[columns[target][row]] for row in rows]


@pytest.fixture(scope="module")
def zhou():
    """Give the unpruned tree of figure 4.5 and the validation rows."""
    return tw.ID3Classifier().fit(*melons(TRAINING)), *melons(VALIDATION)


def steps(ledger):
    """Give what each node asks, the accuracies that are compared, and what became of it."""
    share = [
        (ledger.asks(row.node), 1 - row.as_leaf / ledger.total, 1 - row.as_subtree / ledger.total)
        for row in ledger
    ]
    return [(asks, f"{100 * leaf:.1f}", f"{100 * split:.1f}") for asks, leaf, split in share]


def test_zhous_tree_without_pruning_is_right_for_42_9_percent(zhou):
    tree, X, y = zhou
    assert f"{100 * tree.score(X, y):.1f}" == "42.9"
    assert tree.get_n_leaves() == 11


def test_zhous_pre_pruning_step_by_step(zhou):
    """Section 4.3.1: 42.9 % before and 71.4 % after the first split; neither of the next two raises that."""
    tree, X, y = zhou
    ledger = tw.audit_pruning(tree, X, y, "pre-pruning")
    assert steps(ledger) == [("脐部", "42.9", "71.4"), ("色泽", "71.4", "57.1"), ("根蒂", "71.4", "71.4")]
    assert [row.verdict for row in ledger] == ["stays", "leaf", "leaf"]
    stump = tree.prune("pre-pruning", X, y)
    assert (stump.get_n_leaves(), f"{100 * stump.score(X, y):.1f}") == (3, "71.4")


def test_zhous_post_pruning_step_by_step(zhou):
    """Section 4.3.2: 42.9 % → 57.1 % at 纹理, 57.1 % again, 71.4 % at 色泽, and no more."""
    tree, X, y = zhou
    ledger = tw.audit_pruning(tree, X, y, "reduced-error", strict=True)
    assert steps(ledger) == [
        ("纹理", "57.1", "42.9"),
        ("色泽", "57.1", "57.1"),
        ("色泽", "71.4", "57.1"),
        ("根蒂", "71.4", "71.4"),
        ("脐部", "42.9", "71.4"),
    ]
    assert [row.verdict for row in ledger] == ["leaf", "stays", "leaf", "stays", "stays"]
    pruned = tree.prune("reduced-error", X, y, strict=True)
    assert f"{100 * pruned.score(X, y):.1f}" == "71.4"
    assert pruned.get_n_leaves() == 7
    # Without `strict` what makes no difference goes too, which leaves the tree of pre-pruning.
    assert tree.prune("reduced-error", X, y).to_text() == tree.prune("pre-pruning", X, y).to_text()


def test_accuracies_print_as_in_the_book(zhou):
    tree, X, y = zhou
    assert str(tw.audit_pruning(tree, X, y, "pre-pruning")) == (
        "pre-pruning: accuracy on held-out rows\n"
        "step  node  asks  weight  leaves  before  after  result\n"
        "   1     0  脐部       7       3   42.9%  71.4%  is split\n"
        "   2     1  色泽       3       3   71.4%  57.1%  stays a leaf\n"
        "   3     6  根蒂       2       3   71.4%  71.4%  stays a leaf"
    )
    chinese = tw.audit_pruning(tree, X, y, "pre-pruning", lang="zh")
    assert str(chinese).splitlines()[:3] == [
        "预剪枝: 验证集精度",
        "步骤  结点  划分  权重  叶数  划分前  划分后  结果",
        "   1     0  脐部     7     3   42.9%   71.4%  划分",
    ]
    assert chinese.formula(0) == "划分前: (7 − 4) / 7 = 42.9%\n划分后: (7 − 2) / 7 = 71.4%\n划分"


def test_quinlans_example_of_a_subtree_that_is_replaced():
    """C4.5: Programs for Machine Learning, page 42: 6 (0), 9 (0) and 1 (0) against 16 (1), at CF 25 %."""
    vote = ["n"] * 6 + ["y"] * 9 + ["u"]
    y = ["democrat"] * 15 + ["republican"]
    tree = tw.C45Classifier(pruning=False, min_cases=1).fit({"education spending": vote}, y)
    X = {"education spending": vote}
    (row,) = tw.audit_pruning(tree, X, y, "error-based")
    # The book: 6 × 0.206 + 9 × 0.143 + 1 × 0.750 = 3.273 against 16 × 0.157 = 2.512.
    assert row.as_subtree == pytest.approx(6 * 0.206 + 9 * 0.143 + 1 * 0.750, abs=0.005)
    assert row.as_leaf == pytest.approx(2.512, abs=0.04)  # Release 8 interpolates z; the book does not
    assert row.verdict == "leaf"


def test_the_sequence_of_links_is_that_of_the_path():
    X, y = load_iris(return_X_y=True)
    tree = tw.DecisionTreeClassifier().fit(X, y)
    path = tree.cost_complexity_pruning_path(X, y)
    ledger = tw.audit_pruning(tree, method="cost-complexity")
    order = sorted((row for row in ledger if row.step), key=lambda row: row.step)
    assert np.unique([row.cut_at for row in order]) == pytest.approx(np.unique(path.ccp_alphas)[1:])
    for after, row in enumerate(order):
        left = tw.audit_pruning(tree, method="cost-complexity", after=after)
        assert len(left) == tree.tree_.collapsed([each.node for each in order[:after]]).n_leaves - 1
        assert min(each.price for each in left) == pytest.approx(row.cut_at)
    assert (ledger[0].verdict, ledger[0].step) == ("leaf", len(order))
    n = len(order)
    with pytest.raises(ParameterError, match=rf"after=99 is too many; the root is a leaf after {n} cuts\."):
        tw.audit_pruning(tree, method="cost-complexity", after=99)


def columns_and_target(name):
    columns, target = tw.datasets.load(name)
    return columns, columns.pop(target)


# What a formula writes down, worked out by Python.
def value_of(formula):
    text = formula.replace("−", "-").replace("×", "*").replace("√", "root").replace("^", "**")
    return eval(text, {"root": lambda value: value**0.5})


@pytest.mark.parametrize("confidence", [0.25, 0.1, 0.9])
@pytest.mark.parametrize("name", ["golf", "watermelon_20a_density", "labor"])
def test_the_formula_of_an_estimate_comes_to_the_estimate(name, confidence, shared):
    if name == "labor":
        columns = read_csv(shared / "data" / "labor.csv")
        y = columns.pop("class")
    else:
        columns, y = columns_and_target(name)
    tree = tw.C45Classifier(min_cases=1, collapse=False, confidence=confidence).fit(columns, y)
    ledger = tw.audit_pruning(tree, columns, y)
    assert len(ledger) > 2
    for row in ledger:
        leaf, subtree, branch, result = ledger.formula(row).splitlines()
        for line, figure in ((leaf, row.as_leaf), (subtree, row.as_subtree)):
            written = line.split(": ", 1)[1].split(" = ")[0]
            assert value_of(written) == pytest.approx(figure, abs=2e-3)
        assert branch.startswith(f"branch {row.branch}: ")
        assert (" <= " in result) == (row.verdict != "stays")


def read_csv(path) -> Mapping[str, list]:
    lines = [line.split(",") for line in path.read_text("utf-8").splitlines()]
    found = {}
    for name, *cells in zip(*lines, strict=True):
        try:
            found[name] = [float(cell) if cell not in ("", "?") else None for cell in cells]
        except ValueError:
            found[name] = [cell if cell not in ("", "?") else None for cell in cells]
    return found


@pytest.mark.parametrize("method", ["pessimistic", "minimum-error"])
def test_the_formulas_of_the_other_rules_come_to_their_figures(method):
    X, y = columns_and_target("watermelon_20a_density")
    ledger = tw.audit_pruning(tw.CARTClassifier(cv=3).fit(X, y), method=method)
    for row in ledger:
        leaf, subtree, result = ledger.formula(row).splitlines()
        assert value_of(leaf.split(": ")[1].split(" = ")[0]) == pytest.approx(row.as_leaf, abs=2e-3)
        assert float(subtree.rsplit(" = ")[-1]) == pytest.approx(row.as_subtree, abs=1e-4)
        assert (" <= " in result) == (row.verdict == "leaf")


def test_by_default_it_follows_the_pruning_of_fit():
    X, y = columns_and_target("watermelon_20a_density")
    c45 = tw.C45Classifier(variant="textbook", confidence=0.1).fit(X, y)
    ledger = tw.audit_pruning(c45, X, y)
    assert (ledger.method, ledger.pruner.confidence) == ("error-based", 0.1)
    (last,) = (row for row in ledger if row.node == 0)
    expected = last.as_subtree if last.verdict == "stays" else last.as_leaf
    assert c45.tree_.errors[0] == pytest.approx(expected)
    cart = tw.CARTClassifier(cv=3, risk="impurity").fit(X, y)
    assert tw.audit_pruning(cart, X, y).pruner.risk == "impurity"
    j48 = tw.C45Classifier(variant="j48", reduced_error_folds=3).fit(X, y)
    ledger = tw.audit_pruning(j48, X, y)
    assert (ledger.method, ledger.total) == ("reduced-error", 5.0)  # a third of 17 rows
    cut = [row.node for row in ledger if row.verdict == "leaf"]
    assert j48.tree_.n_leaves == j48.model_.grown.collapsed(cut).n_leaves


def test_costs_other_than_errors_are_shown_as_means():
    x = np.arange(12.0)
    tree = tw.DecisionTreeRegressor(max_depth=2).fit(x[:, None], x)
    ledger = tw.audit_pruning(tree, x[:, None] + 0.5, x, "reduced-error")
    assert str(ledger).startswith("reduced-error pruning: mean cost on held-out rows\n")
    root = ledger[-1]
    assert root.node == 0
    assert root.as_leaf == pytest.approx(((x - 5.5) ** 2).sum())
    assert "leaf: 143 / 12 = 11.9167" in ledger.formula(0)


def test_a_ledger_is_a_frame_and_a_table_of_a_notebook(zhou):
    tree, X, y = zhou
    ledger = tw.audit_pruning(tree, X, y, "pre-pruning")
    frame = ledger.to_frame()
    assert list(frame["node"]) == [0, 1, 6]
    assert list(frame["asks"]) == ["脐部", "色泽", "根蒂"]
    assert "<td" in ledger._repr_html_()
    assert repr(ledger) == "<PruningLedger: pre-pruning, 3 rows>"
    leaf = tw.DecisionTreeClassifier().fit([[0], [1]], [1, 1])
    assert str(tw.audit_pruning(leaf, method="pessimistic")).endswith(": the tree is a leaf")


def test_what_cannot_be_audited_is_refused(zhou):
    tree, X, y = zhou
    for given, message in (
        ({"method": "guess"}, "method"),
        ({"method": "cost-complexity", "X": X, "y": y}, "needs no rows; leave X and y out"),
        ({"method": "cost-complexity", "alpha": 0.1}, "has no option 'alpha'; it has 'risk', 'after'"),
        ({"method": "pre-pruning"}, "needs rows held out of fit"),
        ({"method": "pessimistic", "X": X}, "X was given without y"),
        ({}, "needs the training rows as X and y to follow the pruning of `fit`"),
        ({"X": X, "y": y}, "this ID3Classifier keeps no larger tree that `fit` pruned; give method="),
        ({"X": X, "y": y, "strict": True}, "'strict' belongs to a method; give method=, too"),
        ({"method": "pessimistic", "lang": "fr"}, "lang='fr' is not a language"),
        ({"method": "reduced-error", "X": X, "y": y, "strict": 3}, "strict"),
    ):
        with pytest.raises(ParameterError, match=message):
            tw.audit_pruning(tree, **given)
    with pytest.raises(ParameterTypeError, match="takes an estimator of treewright, not int"):
        tw.audit_pruning(3)
    ledger = tw.audit_pruning(tree, X, y, "pre-pruning")
    with pytest.raises(ParameterError, match=r"node 2 is not in this ledger; it has 0, 1, 6\."):
        ledger.formula(2)
