"""`explain`, `rules` and `importances` give what Python gives."""

import json

import numpy as np
import pytest

import treewright as tw
from cli.commands import refused, run
from treewright.fitting.progress import ProgressLine

NAMES = ("outlook", "temperature", "humidity", "windy")


@pytest.fixture
def paths(golf):
    return golf / "golf.tw.json", golf / "golf.csv"


def test_explain_gives_the_explanation_of_python_for_the_rows_asked_for(paths):
    tree = tw.load(paths[0])
    rows = {
        number: dict(zip(NAMES, line.split(","), strict=False))
        for number, line in enumerate(lines(paths)[1:], start=1)
    }
    for row in rows.values():
        row |= {"temperature": float(row["temperature"]), "humidity": float(row["humidity"])}
        row["windy"] = row["windy"] == "true"
    ran = run("explain", *paths, "--row", 3, "--row", 14)
    assert ran.out == f"Row 3: {tree.explain(rows[3])}\n\nRow 14: {tree.explain(rows[14])}\n"
    assert run("explain", *paths).out.startswith("Row 1: ")
    (told,) = json.loads(run("explain", *paths, "--row", 5, "--json").out)
    expected = json.loads(json.dumps(tree.explain(rows[5]).to_dict()))
    assert told == {"row_number": 5, **expected}


def lines(paths):
    return paths[1].read_text().splitlines()


def test_explain_finds_the_change_that_python_finds(paths):
    tree = tw.load(paths[0])
    row = {"outlook": "sunny", "temperature": 85, "humidity": 85, "windy": False}
    assert str(tree.counterfactual(row)) in run("explain", *paths, "--row", 1, "--change").out
    kept = run("explain", *paths, "--change-to", "Play", "--keep-as-is", "outlook", "--json").out
    (told,) = json.loads(kept)
    expected = tree.counterfactual(row, "Play", keep="outlook").to_dict()
    assert told["counterfactual"] == json.loads(json.dumps(expected))
    assert "counterfactual" not in json.loads(run("explain", *paths, "--json").out)[0]
    nothing = run("explain", *paths, "--change-to", "Play", *(f"--keep-as-is={name}" for name in row))
    assert (nothing.status, "No change: " in nothing.out) == (0, True)
    refused(run("explain", *paths, "--row", 15), 2, "--row 15 does not exist", "14 rows")
    refused(run("explain", *paths, "--keep-as-is", "outlook"), 2, "--change")
    refused(run("explain", *paths, "--change-to", "Maybe"), 2, "'Maybe'")


def test_explain_changes_numbers_into_a_range(tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "t.tw.json"
    table.write_text("x,y\n" + "".join(f"{x},{x / 2}\n" for x in range(60)))
    assert run("fit", table, "--target", "y", "--keep", "x", "--folds", 0, "-o", model).status == 0
    (told,) = json.loads(run("explain", model, table, "--change-to", "20..", "--json").out)
    assert told["counterfactual"]["answer"] >= 20
    refused(run("explain", model, table, "--change-to", "much"), 2, "range of numbers")


@pytest.mark.parametrize("format", ["text", "markdown", "json", "sql"])
def test_rules_are_those_of_python_in_every_format(paths, format, tmp_path):
    rules = tw.load(paths[0]).rules()
    expected = getattr(rules, f"to_{format}")()
    assert run("rules", paths[0], "--format", format).out.strip() == expected.strip()
    suffix = {"text": "txt", "markdown": "md"}.get(format, format)
    assert run("rules", paths[0], "-o", tmp_path / f"rules.{suffix}").status == 0
    assert (tmp_path / f"rules.{suffix}").read_text("utf-8").strip() == expected.strip()


def test_rules_of_c45_need_the_training_rows(paths):
    columns, target = tw.datasets.load("golf")
    columns["windy"] = [each == "true" for each in columns["windy"]]
    expected = tw.load(paths[0]).rules("c45rules", columns, target).to_text()
    assert run("rules", *paths, "--kind", "c45rules").out.strip() == expected.strip()
    refused(run("rules", paths[0], "--kind", "c45rules"), 2, "training rows", "TABLE")
    refused(run("rules", *paths), 2, "leave TABLE out")
    refused(run("rules", paths[0], "--sql-table", "t"), 2, "--format sql")
    refused(run("rules", paths[0], "--format", "sqll"), 2, "invalid choice: 'sqll'")
    refused(run("rules", paths[0], "-o", "rules.pdf"), 2, "no format has the suffix .pdf")


def test_slow_rules_say_how_far_they_are(paths, monkeypatch):
    make = ProgressLine.__init__
    monkeypatch.setattr(ProgressLine, "__init__", lambda self: make(self, after_s=0.0, every_s=0.0))
    said = run("rules", *paths, "--kind", "c45rules").said.splitlines()
    assert len(said) > 2
    assert said[-1].endswith("rules, of kind c45rules.")
    assert all(line.startswith("treewright: ") and "%" in line for line in said[:-1])


def test_a_table_may_come_after_the_options(paths):
    """Where argparse, for one that may be left out, no longer looks for it."""
    model, table = paths
    for command, *options in (("rules", "--kind", "c45rules"), ("importances", "--repeats", "2")):
        assert run(command, model, *options, table).out == run(command, model, table, *options).out != ""
    pruned = run("prune", model, "--method", "error-based", table)
    assert pruned.out == run("prune", model, table, "--method", "error-based").out != ""
    for more in ((table, table), ("--ups",)):
        refused(run("importances", model, "--repeats", "2", *more), 2, "unrecognized arguments")
    refused(run("evaluate", model, table, "more"), 2, "unrecognized arguments: more")


def test_rules_as_a_query_name_the_table(paths):
    query = run("rules", paths[0], "--format", "sql", "--sql-table", "days").out
    assert query.startswith("SELECT *, CASE")
    assert 'FROM "days"' in query


def test_importances_are_those_of_python_and_of_shuffled_columns(paths, tmp_path):
    tree = tw.load(paths[0])
    expected = dict(zip(tree.feature_names_in_, tree.feature_importances_, strict=True))
    found = json.loads(run("importances", paths[0], "--json").out)
    assert {each["column"]: each["importance"] for each in found} == pytest.approx(expected)
    assert [each["importance"] for each in found] == sorted(expected.values(), reverse=True)
    rng = np.random.default_rng(0)
    table, model = tmp_path / "t.csv", tmp_path / "t.tw.json"
    values = rng.random((500, 2))
    table.write_text("a,b,y\n" + "".join(f"{a:.4f},{b:.4f},{'ny'[int(a > 0.5)]}\n" for a, b in values))
    run("fit", table, "--target", "y", "--folds", 0, "-o", model)
    shuffled = {
        each["column"]: each["worse_when_shuffled"]
        for each in json.loads(run("importances", model, table, "--json").out)
    }
    assert shuffled["a"]["value"] == pytest.approx(0.5, abs=0.06), "half of the rows find another side"
    assert shuffled["b"] == {"value": 0, "standard_error": 0}
    ran = run("importances", model, table, "--repeats", 1)
    assert ran.out.splitlines()[1].split()[:2] == ["a", "1.000"]
    assert run("importances", model, table, "--repeats", 1, "--seed", 4).out != ran.out
    refused(run("importances", model, table, "--repeats", 0), 2, "--repeats 0")
