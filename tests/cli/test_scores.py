"""What `fit` and `evaluate` say of new rows, beside the baseline; progress; errors in the shell's words."""

import json
import time

from cli.commands import refused, run
from treewright.cli.words import steps


def test_evaluate_says_which_rows_it_judges(golf, tmp_path):
    model, table = golf / "golf.tw.json", golf / "golf.csv"
    lines = run("evaluate", model, table).out.splitlines()
    assert lines[1] == "14 rows, those it was grown on"
    assert "--folds 10" in lines[2]
    header, *rows = table.read_text().splitlines()
    turned = "\n".join((header, *rows[::-1])).encode()
    assert json.loads(run("evaluate", model, "-", "--json", stdin=turned).out)["are_training"] is True
    fewer = run("evaluate", model, "-", stdin="\n".join((header, *rows[1:])).encode())
    assert fewer.out.splitlines()[1] == "13 rows, not the table it was grown on"
    changed = "\n".join((header, *rows[1:], rows[1])).encode()
    assert json.loads(run("evaluate", model, "-", "--json", stdin=changed).out)["are_training"] is False
    weighted = tmp_path / "weighted.tw.json"
    run("fit", table, "--target", "class", "--folds", 0, "--set", "class_weight=balanced", "-o", weighted)
    assert json.loads(run("evaluate", weighted, table, "--json").out)["are_training"] is None


def test_evaluate_cross_validates_on_demand_as_fit_does(golf):
    model, table = golf / "golf.tw.json", golf / "golf.csv"
    fitted = run("fit", table, "--target", "class", "--algorithm", "c45", "--folds", 7, "--json")
    expected = json.loads(fitted.out)["judged"]
    found = json.loads(run("evaluate", model, table, "--folds", 7, "--json").out)
    assert {name: found[name] for name in expected} == expected
    assert found["are_training"] is False
    assert "7-fold cross-validation: 14 rows" in run("evaluate", model, table, "--folds", 7).out
    refused(run("evaluate", model, table, "--folds", 1), 2, "--folds 1: give 2 or more")


def test_fit_leads_with_figures_of_rows_that_no_tree_has_seen(golf):
    out = run("fit", golf / "golf.csv", "--target", "class", "--algorithm", "c45").out
    places = [
        out.index(words) for words in ("10-fold cross-validation", "baseline", "The tree, grown on all")
    ]
    assert places == sorted(places)
    judged = json.loads(run("fit", golf / "golf.csv", "--target", "class", "--json").out)["judged"]
    assert judged["baseline"]["prediction"] == "Play"
    assert judged["baseline"]["accuracy"]["value"] == 9 / 14
    assert {"balanced_accuracy", "log_loss", "roc_auc", "brier_score", "kappa"} <= judged.keys()


def test_folds_grown_side_by_side_are_those_grown_one_by_one(golf, monkeypatch):
    words = ("fit", golf / "golf.csv", "--target", "class", "--json")
    monkeypatch.setenv("TREEWRIGHT_THREADS", "1")
    alone = run(*words).out
    monkeypatch.setenv("TREEWRIGHT_THREADS", "4")
    assert run(*words).out == alone


def test_how_a_tree_was_grown_is_said_only_on_demand(golf):
    words = ("fit", golf / "golf.csv", "--target", "class", "--folds", 0)
    assert "entries sorted" not in run(*words).said
    assert run(*words, "--verbose").said.count("entries sorted") == 1


def test_names_and_reasons_are_cut_on_a_screen_alone(tmp_path):
    """In a file or a pipe there is room for all of them."""
    table, column, label = tmp_path / "t.csv", "a_column_with_quite_a_long_name", "a_label_of_23_characters"
    names = [f"category {at} of {label}" for at in range(4)]
    rows = "".join(
        f"{at * 7 % 10},{at / 4},{names[at % 4]},{label if at > 30 else 'no'}\n" for at in range(60)
    )
    table.write_text(f"{column},x,z,y\n{rows}")
    words = ("fit", table, "--target", "y", "--folds", 3)
    ran = run(*words)
    assert "…" not in ran.out
    assert f"\n{column} " in ran.out
    assert "... " in ran.out, "lists of categories are folded in this table, with their number"
    assert [line for line in ran.out.splitlines() if line.startswith(column)][-1].endswith(" of `x`")
    assert f"true class                {label}  no\n" in ran.out
    assert "a_column_with_qui…" in run(*words, "--width", 80).out


def test_slow_steps_are_told_in_a_pipe(monkeypatch, capsys):
    """Every few seconds while they run, not only between them; quick ones say nothing."""
    assert list(steps("growing tree", iter("ab"), 2)) == list("ab")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("treewright.cli.words._EVERY_S", 0.01)
    said = []

    def slow():
        for step in (1, 2):
            begun = time.monotonic()
            while sum(f"tree {step} of 2 (" in line for line in said) < 2 and time.monotonic() < begun + 20:
                said.extend(capsys.readouterr().err.splitlines())
                time.sleep(0.001)
            yield step

    assert list(steps("growing tree", slow(), 2)) == [1, 2]
    assert said.count("growing tree 1 of 2 (0 s)") > 1
    assert said[-1] == "growing tree 2 of 2 (0 s)"


def test_errors_speak_the_language_of_the_shell(golf):
    table = golf / "golf.csv"
    fit = ("fit", table, "--target", "class")
    refused(run(*fit, "--encoding", "utf99"), 2, "--encoding utf99 is not known")
    refused(run("fit", "-", "--target", "x", stdin=b"x,x\n1,2\n"), 1, "give --no-header if")
    refused(run("fit", "-", "--target", "y", stdin=b"x,y\n1,se\xf1or\n2,\xff\xfe\n"), 1, "--encoding cp1252")
    said = refused(
        run(*fit, "--set", "engine=dask"), 2, "--set engine=dask is not", "available: null, 'local'"
    )
    assert "None" not in said
    refused(run("report", golf / "golf.tw.json", table, "--lang", "fr"), 2, "--lang fr is not a language")
    refused(run("prune", golf / "golf.tw.json", "--method", "cost-complexity"), 2, "--set alpha=", "TABLE")
