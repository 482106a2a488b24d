"""C4.5rules on tables that people know."""

import json
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

import treewright as tw
from conftest import SHARED
from mixed_tables import Way, mixed_table
from treewright import _core
from treewright.explain import description_length
from treewright.explain.description_length import N_STARTS, Climber, Lengths
from treewright.fitting import progress
from treewright.model import pessimism
from treewright.model.conditions import Condition

DATA = SHARED / "data"


def shared_table(name):
    import pandas as pd

    path = DATA / f"{name}.csv"
    if not path.is_file():
        pytest.skip(f"no table at {path}")
    described = {each["name"]: each for each in json.loads((DATA / "datasets.json").read_text("utf-8"))}[name]
    texts = {each["name"]: str for each in described["schema"] if each["type"] == "categorical"}
    return pd.read_csv(path, dtype=texts, keep_default_na=False, na_values=[""]), described["target"]


def errors_of(reader, table, target):
    return int((reader.predict(table.drop(columns=target)) != table[target].to_numpy()).sum())


def test_golf_has_no_errors():
    columns, target = tw.datasets.load("golf")
    rules = tw.C45Classifier().fit(columns, target).rules("c45rules", columns, target)
    truth = columns.pop(target)
    assert rules.predict(columns).tolist() == list(truth)
    assert [str(rule) for rule in rules] == [
        "if outlook = sunny and humidity > 75 then Don't Play",
        "if outlook = rain and windy = true then Don't Play",
        "if outlook = overcast then Play",
        "if outlook = rain and windy = false then Play",
    ]
    assert rules.default == "Play"
    assert str(rules).endswith("otherwise Play")


@pytest.mark.parametrize("name", ["vote", "labor"])
def test_rules_make_hardly_more_errors_than_the_pruned_tree(name):
    table, target = shared_table(name)
    tree = tw.C45Classifier().fit(table, target)
    rules = tree.rules("c45rules", table, target)
    most = errors_of(tree, table, target) + 0.01 * len(table)
    assert errors_of(rules, table, target) <= most
    assert len(rules) <= tree.get_n_leaves() + 1


def test_a_row_without_a_value_fails_conditions_on_it():
    columns, target = tw.datasets.load("golf")
    rules = tw.C45Classifier().fit(columns, target).rules("c45rules", columns, target)
    row = {"outlook": ["rain", None, "rain"], "windy": ["true", "true", None], "humidity": [70, 90, 90]}
    row["temperature"] = [70, 70, 70]
    assert rules.predict(row).tolist() == ["Don't Play", "Play", "Play"]
    assert rules.shares(row).sum(axis=1).tolist() == [1.0, 0.0, 0.0]


def test_weights_count_as_copies_of_rows():
    rng = np.random.default_rng(2)
    for _ in range(5):
        table = mixed_table(rng, Way("gini"), rows=(20, 40))
        copies = table.take(np.repeat(np.arange(table.n_rows), table.weights.astype(int)))
        tree = tw.C45Classifier(min_cases=1).fit(table.columns, table.y, table.weights)
        of_weights = tree.rules("c45rules", table.columns, table.y, table.weights)
        of_copies = tree.rules("c45rules", copies.columns, copies.y)
        assert [str(rule) for rule in of_weights] == [str(rule) for rule in of_copies]
        assert [rule.weight for rule in of_weights] == [rule.weight for rule in of_copies]
        assert of_weights.default == of_copies.default


def test_fractions_of_weights_and_rows_of_none_do_no_harm():
    rng = np.random.default_rng(4)
    for _ in range(10):
        table = mixed_table(rng, Way("gini"), rows=(20, 60))
        weights = rng.random(table.n_rows) * (rng.random(table.n_rows) < 0.9)
        tree = tw.C45Classifier(min_cases=0.3).fit(table.columns, table.y, weights)
        rules = tree.rules("c45rules", table.columns, table.y, weights)
        assert rules.default in rules.classes
        assert all(0 < rule.error_bound <= 0.7 and rule.weight > 0 for rule in rules)


def test_names_of_classes_are_escaped():
    X, y = {"x": [1, 2, 3, 4] * 5}, ["<b>a|b</b>", "<b>a|b</b>", "c", "c"] * 5
    rules = tw.C45Classifier().fit(X, y).rules("c45rules", X, y)
    assert rules.default == "<b>a|b</b>"
    assert "<b>" not in rules._repr_html_()
    assert rules.to_markdown().endswith("otherwise \\<b>a\\|b\\</b>")


def test_no_rows_have_no_answers():
    X, y = {"x": [1.0, 2, 3, 4] * 5}, ["a", "a", "b", "b"] * 5
    tree = tw.C45Classifier().fit(X, y)
    for rules in (tree.rules(), tree.rules("c45rules", X, y)):
        assert rules.predict({"x": np.zeros(0)}).tolist() == []


def test_a_loaded_model_has_the_same_rules(tmp_path):
    columns, target = tw.datasets.load("watermelon_20a")
    tree = tw.C45Classifier(min_cases=1).fit(columns, target)
    tree.save(tmp_path / "melons.tw.json")
    loaded = tw.load(tmp_path / "melons.tw.json")
    assert loaded.rules().to_json() == tree.rules().to_json()
    of_tree, of_loaded = (each.rules("c45rules", columns, target) for each in (tree, loaded))
    assert of_loaded.to_json() == of_tree.to_json()
    assert of_loaded.to_sql() == of_tree.to_sql()


def test_labels_come_in_the_type_they_had():
    X, y = {"x": [1, 2, 3, 4] * 5}, np.array([0, 0, 1, 1] * 5, dtype=np.int8)
    tree = tw.C45Classifier().fit(X, y)
    for rules in (tree.rules(), tree.rules("c45rules", X, y)):
        assert rules.predict(X).dtype == np.int8
        assert rules.predict(X).tolist() == y.tolist()


def noisy_tree(n_rows, **options):
    """A tree with hundreds of leaves, and the rows it was grown on."""
    rng = np.random.default_rng(6)
    X = {"a": rng.integers(0, 30, n_rows), "b": rng.integers(0, 30, n_rows), "c": rng.integers(0, 9, n_rows)}
    X["d"] = np.array(list("pqrstu"))[rng.integers(0, 6, n_rows)]
    y = (X["a"] + 2 * X["c"] + rng.normal(scale=9, size=n_rows) > 24).astype(int)
    return tw.C45Classifier(min_cases=1, **options).fit(X, y), X, y


def test_progress_counts_the_leaves_and_then_the_searches(monkeypatch, capsys):
    tree, X, y = noisy_tree(400, verbose=1)
    capsys.readouterr()
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=count(step=10).__next__))
    rules = tree.rules("c45rules", X, y)
    said = capsys.readouterr().err.splitlines()
    grown = tree.model_.grown
    n_leaves = int(((grown.column < 0) & (grown.weight >= 1)).sum())
    done = [int(line.split()[1]) for line in said]
    assert n_leaves > 50
    assert said[1] == f"treewright: 1 of {n_leaves} leaves made general (1%)"
    assert done == [*range(n_leaves), *range(1, 2 * N_STARTS + 1)]
    assert said[-1] == "treewright: 22 of 22 searches for the best rules done (100%)"
    tree.verbose = 0
    assert str(tree.rules("c45rules", X, y)) == str(rules)
    assert capsys.readouterr().err == ""


def test_a_condition_is_held_against_the_rows_once_for_all_leaves_below_it(monkeypatch):
    tree, X, y = noisy_tree(400)
    meets, asked = Condition.meets, []
    monkeypatch.setattr(Condition, "meets", lambda self, values: asked.append(self) or meets(self, values))
    made = []
    monkeypatch.setattr(pessimism, "Pessimism", lambda **of: made.append(of) or _core.Pessimism(**of))
    pessimism.quinlans.cache_clear()
    rules = tree.rules("c45rules", X, y)
    pessimism.quinlans.cache_clear()  # a Pessimism of this test must not stay
    bits = tree.n_features_in_  # numeric columns are looked at for their cuts
    assert len(rules) > 3
    assert 0 <= len(asked) - (tree.model_.grown.n_nodes - 1) <= bits
    assert len(made) == 1


def random_lengths(rng, n_rows=600, n_rules=80):
    met = rng.random((n_rows, n_rules)) < 0.15
    met[rng.integers(n_rows, size=n_rules), np.arange(n_rules)] = True
    return Lengths(met.T, rng.random(n_rules) * 20, rng.random(n_rows) < 0.4, np.ones(n_rows))


def test_a_climber_knows_after_every_step_what_a_new_one_would():
    rng = np.random.default_rng(7)
    for _ in range(5):
        lengths = random_lengths(rng)
        climber = Climber(lengths, rng.random(lengths.n_rules) < 0.5)
        for rule in rng.integers(lengths.n_rules, size=100).tolist():
            climber.flip(rule)
            fresh = Climber(lengths, climber.included)
            np.testing.assert_allclose(
                climber.bits_of_neighbours(), fresh.bits_of_neighbours(), rtol=0, atol=1e-9
            )
        for rule in range(0, lengths.n_rules, 7):
            other = climber.included.copy()
            other[rule] = not other[rule]
            assert climber.bits_of_neighbours()[rule] == pytest.approx(lengths.of(other), abs=1e-9)


def test_a_step_of_a_climber_looks_only_at_patterns_that_meet_at_most_one_other_rule(monkeypatch):
    lengths = random_lengths(np.random.default_rng(8))
    climber = Climber(lengths, np.ones(lengths.n_rules, dtype=bool))
    entries, looked_at = description_length._entries, []

    def counted(of, rows):
        looked_at.append(len(rows))
        return entries(of, rows)

    monkeypatch.setattr(description_length, "_entries", counted)
    patterns = lengths.patterns_of
    for rule in range(20):
        mine = patterns.indices[patterns.indptr[rule] : patterns.indptr[rule + 1]]
        times = lengths.rules_of @ climber.included
        climber.flip(rule)
        assert looked_at[-1] == int((times[mine] <= 2).sum())
    assert sum(looked_at) < 0.1 * patterns.indptr[20]
