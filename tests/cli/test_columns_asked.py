"""Rows to predict or to evaluate need the columns that the tree asks about, and no others."""

import json

import pytest

from cli.commands import refused, run


@pytest.fixture(scope="module")
def answers(golf):
    return run("predict", golf / "golf.tw.json", golf / "golf.csv").out.splitlines()[1:]


def without(golf, *names, **changed):
    """Give golf.csv without some columns, or with other cells in some."""
    header, *rows = [line.split(",") for line in (golf / "golf.csv").read_text().splitlines()]
    kept = [at for at, name in enumerate(header) if name not in names]
    rows = [[changed.get(name, cell) for name, cell in zip(header, row, strict=True)] for row in rows]
    return "\n".join(",".join(row[at] for at in kept) for row in [header, *rows]).encode()


def test_predict_needs_only_the_columns_that_the_tree_asks_about(golf, answers):
    assert "temperature" not in run("show", golf / "golf.tw.json").out
    for rows in (without(golf, "temperature", "class"), without(golf, temperature="hot")):
        ran = run("predict", golf / "golf.tw.json", "-", stdin=rows)
        assert ran.out.splitlines()[1:] == answers, ran.said
    ran = run("predict", golf / "golf.tw.json", "-", "--keep-columns", stdin=without(golf, "temperature"))
    assert ran.out.splitlines()[0] == "outlook,humidity,windy,class,prediction"
    assert [line.split(",")[-1] for line in ran.out.splitlines()[1:]] == answers
    ran = run("predict", golf / "golf.tw.json", "-", stdin=without(golf, "humidity"))
    refused(ran, 1, "does not fit", "column 'humidity' is not in the table")


def test_evaluate_needs_these_and_the_target(golf):
    whole = json.loads(run("evaluate", golf / "golf.tw.json", golf / "golf.csv", "--json").out)
    few = run("evaluate", golf / "golf.tw.json", "-", "--json", stdin=without(golf, "temperature"))
    assert json.loads(few.out)["confusion"] == whole["confusion"]
    assert (whole["are_training"], json.loads(few.out)["are_training"]) == (True, None), "it cannot be told"
    few = run("evaluate", golf / "golf.tw.json", "-", stdin=without(golf, "temperature"))
    assert few.out.splitlines()[1] == "14 rows; it is not known whether the tree was grown on them"
    refused(run("evaluate", golf / "golf.tw.json", "-", stdin=without(golf, "class")), 1, "column 'class'")


def test_rows_for_other_commands_may_lack_columns_that_no_tree_asks_about(golf, tmp_path):
    """Pages, drawings, ledgers of pruning, rules and smaller trees are those of the whole table."""
    model, whole, few = golf / "golf.tw.json", tmp_path / "whole.csv", tmp_path / "few.csv"
    whole.write_bytes(without(golf))
    few.write_bytes(without(golf, "temperature"))
    for words in (
        ("audit", model, whole, "--pruning", "--method", "reduced-error"),
        ("audit", model, whole, "--pruning"),
        ("show", model, whole, "--format", "svg"),
        ("rules", model, whole, "--kind", "c45rules"),
        ("prune", model, whole, "--method", "reduced-error"),
        ("prune", model, whole, "--method", "error-based", "--set", "confidence=0.01"),
        ("prune", model, whole, "--method", "cost-complexity"),
    ):
        ran = run(*(few if word is whole else word for word in words))
        assert ran.out == run(*words).out, ran.said
        assert "note: the table has no column 'temperature'; the tree does not ask about it." in ran.said
        ran = run(*("-" if word is whole else word for word in words), stdin=without(golf, "humidity"))
        refused(ran, 1, "does not fit", "column 'humidity' is not in the table")
    small = tmp_path / "small.tw.json"
    assert run("prune", model, few, "--method", "reduced-error", "-o", small).status == 0
    assert run("audit", small, whole, "--json").status == 0, "it still knows its columns"
    assert len(json.loads(run("audit", small, whole, "--json").out)["candidates"]) == 4


def test_a_ledger_and_a_page_say_that_a_column_has_no_values(golf, tmp_path):
    model, few = golf / "golf.tw.json", tmp_path / "few.csv"
    few.write_bytes(without(golf, "temperature"))
    found, whole = (
        {row["column"]: row for row in json.loads(run("audit", model, table, "--json").out)["candidates"]}
        for table in (few, golf / "golf.csv")
    )
    assert found.keys() == whole.keys()
    assert found["temperature"]["gain"] is None
    assert found["outlook"]["gain"] == whole["outlook"]["gain"]
    summary, of_whole = (
        json.loads(run("report", model, table, "--json").out) for table in (few, golf / "golf.csv")
    )
    assert (summary["rows"]["are_training"], of_whole["rows"]["are_training"]) == (None, True)
    assert summary["quality"] == of_whole["quality"]
    other = without(golf, "temperature") + b"\nsunny,85,false,Play\n"
    told = json.loads(run("report", model, "-", "--json", stdin=other).out)
    assert told["rows"]["are_training"] is False, "there are more of them"


def test_a_tree_that_takes_no_missing_values_is_given_none(tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "t.tw.json"
    table.write_text(
        "x,z,y\n" + "".join(f"{'ab'[at < 9]},{'cd'[at % 2]},{'no'[at < 9]}\n" for at in range(20))
    )
    words = ("fit", table, "--target", "y", "--algorithm", "id3", "--set", "missing=refuse", "--folds", 0)
    assert run(*words, "-o", model).status == 0
    few = "\n".join(
        f"{x},{y}" for x, _, y in (line.split(",") for line in table.read_text().split())
    ).encode()
    assert run("audit", model, "-", "--pruning", "--method", "pessimistic", stdin=few).status == 0
    for command in ("audit", "report"):  # whose every column is scored or shown
        refused(run(command, model, "-", stdin=few), 1, "column 'z' is not in the table")


def test_columns_that_only_stand_in_for_missing_values_may_be_absent(tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "t.tw.json"
    rows = [f"{at},{at + at % 3},{'no' if at < 30 else 'yes'}" for at in range(60)]
    table.write_text("x,like_x,y\n" + "\n".join(rows) + "\n")
    assert run("fit", table, "--target", "y", "--keep", "x", "--folds", 0, "-o", model).status == 0
    lines = run("predict", model, "-", stdin=b"x\n3\n50\n?\n").out.splitlines()
    assert lines[:3] == ["prediction", "no", "yes"]
    lines = run("predict", model, "-", stdin=b"x,like_x\n3,50\n?,50\n?,3\n").out.splitlines()
    assert lines == ["prediction", "no", "yes", "no"]


def test_a_single_leaf_needs_no_column_at_all(tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "t.tw.json"
    table.write_text("x,y\n" + "".join(f"{at % 2},{'ab'[at < 15]}\n" for at in range(20)))
    assert run("fit", table, "--target", "y", "--folds", 0, "-o", model).status == 0
    assert run("predict", model, "-", stdin=b"z\n1\n2\n").out.splitlines() == ["prediction", "b", "b"]


def test_a_kept_identifier_is_used_without_a_warning(tmp_path, recwarn):
    table = tmp_path / "t.csv"
    table.write_text("name,y\n" + "".join(f"n{at},{'ab'[at % 2]}\n" for at in range(40)))
    ran = run("fit", table, "--target", "y", "--keep", "name", "--folds", 0, "--json")
    assert json.loads(ran.out)["parameters"]["on_identifier"] == "ignore"
    assert not recwarn.list
    words = ("fit", table, "--target", "y", "--keep", "name", "--folds", 0)
    refused(run(*words, "--set", "on_identifier=raise"), 1, "'name' (40 values in 40 rows)")


def test_importances_need_these_and_the_target_and_say_whose_rows_they_are(golf):
    words = ("importances", golf / "golf.tw.json", "--repeats", 2)
    whole, few = (run(*words, "-", stdin=without(golf, *names)) for names in ((), ("temperature",)))
    assert few.out == whole.out != run("importances", golf / "golf.tw.json").out
    assert "among 14 rows, those the tree was grown on; new rows show better" in whole.said
    assert few.said.splitlines()[-1] == "Shuffled 2 times among 14 rows."
    others = run(*words, "-", stdin=without(golf, humidity="80"))
    assert "among 14 rows, not the table it was grown on." in others.said
