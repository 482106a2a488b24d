"""What a report says, held to the estimator and, for how rows are spread, to a slow twin."""

import json

import numpy as np
import pytest
from sklearn.base import clone

import kinds_of_trees
import treewright as tw
from oracle.naive_distributions import spread_over_categories, spread_over_values
from treewright.errors import ParameterError, ParameterTypeError, TableError, TargetError, WeightError
from treewright.estimators.reporting import summary_of


def golf():
    table, target = tw.datasets.load("golf")
    return {name: values for name, values in table.items() if name != target}, table[target]


def kind_with_rows(name):
    kind = kinds_of_trees.KINDS[name]
    table = kinds_of_trees.training_table()
    X = {column: table[column] for column in kind.columns}
    return kinds_of_trees.fitted(name), X, table[kind.target]


@pytest.mark.parametrize("name", kinds_of_trees.KINDS)
def test_a_summary_is_plain_and_about_the_whole_tree(name):
    tree, X, y = kind_with_rows(name)
    summary = summary_of(tree, X, y)
    again = json.loads(json.dumps(summary, allow_nan=False))
    assert again == summary
    first = summary["trees"][0]
    if summary["path"]["fitted"] is None:
        assert first["rows"] == tree.tree_.n_rows.tolist()
    else:
        alpha = summary["path"]["alphas"][summary["path"]["fitted"]]
        assert tree.prune("cost-complexity", alpha=alpha).tree_ == tree.tree_
    assert summary["importances"] == tree.feature_importances_.tolist()
    assert len(summary["columns"]) == len(X)


@pytest.mark.parametrize("name", ["every type of column", "spread", "C4.5 unpruned", "numbers", "surrogates"])
def test_rows_are_spread_over_columns_as_one_counts_them(name):
    tree, X, y = kind_with_rows(name)
    summary = summary_of(tree, X, y)
    shown = summary["trees"][0]
    if summary["path"]["fitted"] is not None:
        tree = tree.prune("cost-complexity", alpha=0.0) if len(shown["rows"]) > tree.tree_.n_nodes else tree
    assert shown["rows"] == tree.tree_.n_rows.tolist()
    shares = tree.decision_path(X).toarray()
    codes = tree.model_.codes(X)
    labels = summary["target"]["labels"]
    groups = [0] * len(y) if labels is None else [labels.index(str(label)) for label in y]
    n_groups = 1 if labels is None else len(labels)
    for node in tree.tree_.walk():
        rows = np.flatnonzero(shares[:, node.id])
        told, weights = shown["spread"][node.id], shares[rows, node.id]
        if not len(rows):
            assert told is None
            continue
        assert told["n"] == pytest.approx(weights.sum())
        if node.is_leaf:
            assert "counts" not in told
            continue
        column = codes[node.question.column][rows]
        of_group = [groups[row] for row in rows]
        if column.dtype == np.int32:
            with_branch = {code for branch in node.question.codes for code in branch}
            counts, missing = spread_over_categories(
                column.tolist(), of_group, weights, n_groups, with_branch
            )
            told_counts = dict(zip(told["codes"], told["counts"], strict=True))
            assert told_counts.keys() == counts.keys()
            for code, by_group in counts.items():
                assert told_counts[code] == pytest.approx(by_group)
        else:
            gap = np.iinfo(np.int64).min
            values = [None if value == gap else float(value) for value in column.tolist()]
            low, high, counts, missing = spread_over_values(values, of_group, weights, n_groups)
            assert (told["low"], told["high"]) == (low, high)
            assert np.allclose(told["counts"], counts)
        assert told["missing"] == pytest.approx(missing)
        if labels is None:
            targets = told["targets"]
            assert (targets["low"], targets["high"]) == (np.min(y[rows]), np.max(y[rows]))
            assert sum(targets["counts"]) == pytest.approx(told["n"])


def test_the_confusion_matrix_counts_weights():
    X, y = golf()
    weights = np.arange(len(y)) % 3
    tree = tw.DecisionTreeClassifier(max_depth=1).fit(X, y)
    quality = summary_of(tree, X, y, weights)["quality"]
    answers, labels = tree.predict(X), tree.classes_.tolist()
    expected = np.zeros((2, 2))
    for truth, answer, weight in zip(y, answers, weights, strict=True):
        expected[labels.index(truth), labels.index(answer)] += weight
    assert quality["matrix"] == expected.tolist()
    assert quality["accuracy"] == pytest.approx(tree.score(X, y, weights))


def test_residuals_add_up():
    tree, X, y = kind_with_rows("numbers")
    quality = summary_of(tree, X, y)["quality"]
    residuals = y - tree.predict(X)
    assert quality["mean_absolute_error"] == pytest.approx(np.abs(residuals).mean())
    assert quality["root_mean_squared_error"] == pytest.approx(np.sqrt((residuals**2).mean()))
    assert quality["r2"] == pytest.approx(tree.score(X, y))
    assert sum(quality["residuals"]["counts"]) == len(y)
    assert np.sum(quality["map"]["cells"]) == len(y)


def test_it_knows_the_rows_that_the_tree_was_grown_on():
    X, y = golf()
    tree = tw.C45Classifier().fit(X, y)
    assert summary_of(tree, X, y)["rows"]["are_training"] is True
    fewer = {name: values[1:] for name, values in X.items()}
    assert summary_of(tree, fewer, y[1:])["rows"]["are_training"] is False


def test_the_ledger_is_told_node_by_node():
    X, y = tw.datasets.load("watermelon_30")
    tree = tw.C45Classifier(pruning=False, min_cases=1, keep_ledger=True).fit(X, y)
    ledger = summary_of(tree, X, y)["trees"][0]["ledger"]
    assert len(ledger) == tree.tree_.n_nodes
    for node in range(tree.tree_.n_nodes):
        told = ledger[str(node)]
        for lang in ("en", "zh"):
            one = tree.ledger_.in_language(lang)[node]
            assert told["why"][lang] == one.why(node)
            assert {row["column"]: row["formula"][lang] for row in told["rows"] if row["formula"]} == {
                row.column: one.formula(at) for at, row in enumerate(one) if row.gain is not None
            }
        ranks = [row["rank"] for row in told["rows"] if row["rank"] is not None]
        assert ranks == sorted(ranks)


@pytest.mark.parametrize("learner", [tw.C45Classifier(min_cases=1), tw.DecisionTreeClassifier()])
@pytest.mark.parametrize("leaves", [None, 5])
def test_where_no_ledger_was_kept_the_heaviest_nodes_are_looked_into_again(learner, leaves):
    X, y = golf()
    tree, kept = learner.fit(X, y), clone(learner).set_params(keep_ledger=True).fit(X, y)
    if leaves is not None:
        tree, kept = (each.prune("cost-complexity", leaves=leaves) for each in (tree, kept))
    summary, expected = summary_of(tree, X, y), summary_of(kept, X, y)
    assert tree.tree_.n_nodes > 1
    told = summary["trees"][0]["ledger"]
    for node, one in told.items():
        assert one["rows"] == expected["trees"][0]["ledger"][node]["rows"]
    assert len(told) == (tree.tree_.column >= 0).sum()
    fewer = {name: values[1:] for name, values in X.items()}
    assert summary_of(tree, fewer, y[1:])["trees"][0]["ledger"] is None


def test_what_cannot_be_reported_is_refused(tmp_path):
    X, y = golf()
    tree = tw.C45Classifier().fit(X, y)
    file = tmp_path / "page.html"
    with pytest.raises(ParameterError, match="lang='fr' is not a language"):
        tree.report(file, X, y, lang="fr")
    with pytest.raises(ParameterTypeError, match="title=3"):
        tree.report(file, X, y, title=3)
    with pytest.raises(TargetError, match="not grown on"):
        tree.report(file, X, ["hail", *y[1:]])
    with pytest.raises(TableError, match="no rows"):
        tree.report(file, {name: [] for name in X}, [])
    with pytest.raises(WeightError, match="all weights are zero"):
        tree.report(file, X, y, np.zeros(len(y)))
    assert not file.exists()
