"""What each command gives, and what it says."""

import gzip
import json

import numpy as np
import pytest

import treewright as tw
from cli.commands import refused, run
from cli.conftest import write_table
from treewright.grid import text_width
from treewright.model import files


def test_fit_says_what_it_understood_and_prints_what_it_found(tmp_path):
    table = tmp_path / "people.csv"
    rows = [
        f"{row},{20 + row},{'ab'[row % 2]},{'' if row % 4 else 'x'},same,,{'yn'[row % 3 == 0]}"
        for row in range(30)
    ]
    table.write_text("id,age,group,gaps,constant,nothing,y\n" + "\n".join(rows) + "\n")
    ran = run("fit", table, "--target", "y", "--folds", 3, "-o", tmp_path / "y.tw.json")
    assert ran.status == 0
    said = {line.split()[0]: line.split() for line in ran.said.splitlines() if line.startswith("  ")}
    assert said["age"] == ["age", "number"]
    assert said["group"] == ["group", "categories", "2"]
    assert said["gaps"][:4] == ["gaps", "categories", "1", "73.3%"]
    assert "identifier-like" in " ".join(said["id"])
    assert "left out: constant" in " ".join(said["constant"])
    assert "left out: all missing" in " ".join(said["nothing"])
    assert said["y"][-1] == "target"
    assert "Target y: texts, so classification." in ran.said
    assert f"Saved in {tmp_path / 'y.tw.json'}" in ran.said
    tree = tw.load(tmp_path / "y.tw.json")
    assert tree.feature_names_in_.tolist() == ["age", "group", "gaps"]
    assert tree.verbose == 0
    assert tree.to_text() in ran.out
    for words in (
        "CARTClassifier",
        "3-fold cross-validation",
        "accuracy",
        "true class",
        "precision",
        "recall",
        "±",
        "Candidate splits at the root",
    ):
        assert words in ran.out
    assert str(tmp_path) not in ran.out, "what was found does not depend on where"


def test_keep_drop_and_kind_overrule_what_was_understood(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text(
        "id,code,junk,y\n" + "".join(f"{row},{row % 3},{row % 5},{row % 2}\n" for row in range(30))
    )
    ran = run(
        "fit", table, "--target", "y", "--keep", "id", "--drop", "junk", "--kind", "code=categorical",
        "--folds", 0, "--json",
    )  # fmt: skip
    columns = {each["name"]: each for each in json.loads(ran.out)["columns"]}
    assert columns["id"]["left_out"] is None
    assert columns["junk"]["left_out"] == "dropped on request"
    assert (columns["code"]["kind"], columns["code"]["categories"]) == ("category", 3)
    refused(run("fit", table, "--target", "y", "--drop", "jun"), 1, "'jun'", "Did you mean 'junk'?")
    refused(run("fit", table, "--target", "y", "--kind", "code=categoric"), 2, "Did you mean 'categorical'?")
    refused(run("fit", table, "--target", "y", "--kind", "code"), 2, "NAME=KIND")
    refused(run("fit", table, "--target", "y", "--drop", "y"), 2, "is the target")


@pytest.mark.parametrize(
    ("values", "algorithm", "task"),
    [
        (["a", "b"], "cart", "classification"),
        (["true", "false"], "cart", "classification"),
        ([0, 1], "cart", "classification"),
        ([1, 2, 3], "cart", "classification"),
        ([0.5, 1.5], "cart", "regression"),
        (list(range(5, 65, 3)), "cart", "regression"),
        (list(range(5, 65, 3)), "c45", "classification"),
    ],
)
def test_the_target_decides_what_is_predicted(tmp_path, values, algorithm, task):
    table = tmp_path / "t.csv"
    table.write_text("x,y\n" + "".join(f"{row % 7},{values[row % len(values)]}\n" for row in range(60)))
    words = ("fit", table, "--target", "y", "--algorithm", algorithm, "--folds", 0, "--json")
    ran = run(*words)
    assert json.loads(ran.out)["task"] == task
    assert f"so {task}" in ran.said
    if algorithm == "cart" and not isinstance(values[0], str):
        other = {"classification": "regression", "regression": "classification"}[task]
        overruled = run(*words, "--task", other)
        if isinstance(values[0], float):
            refused(overruled, 1, "Unknown label type")
        else:
            assert json.loads(overruled.out)["task"] == other


def test_set_reaches_parameters_of_every_type(golf):
    words = ("fit", golf / "golf.csv", "--target", "class", "--folds", 0, "--json")
    found = json.loads(
        run(
            *words, "--set", "max_depth=1", "--set", "criterion=entropy", "--set", "pruning=None",
            "--set", "min_impurity=1e-3", "--set", 'class_weight={"Play": 2}', "--set", "keep_ledger=true",
        ).out
    )  # fmt: skip
    given = found["parameters"]
    assert (given["max_depth"], given["criterion"], given["pruning"]) == (1, "entropy", None)
    assert (given["min_impurity"], given["class_weight"], given["keep_ledger"]) == (
        1e-3,
        {"dict": [["Play", 2]]},
        True,
    )
    assert found["tree"]["depth"] == 1
    refused(run(*words, "--set", "max_dept=3"), 2, "'max_dept'", "Did you mean 'max_depth'?")
    refused(run(*words, "--set", "max_depth=deep"), 2, "--set max_depth=deep is not a whole number")
    refused(run(*words, "--set", "max_depth=1.5"), 2, "--set max_depth=1.5 is not a whole number")
    refused(run(*words, "--set", "class_weight={Play: 2}"), 2, "not valid JSON")
    refused(run(*words, "--set", "max_depth"), 2, "NAME=VALUE")
    refused(run(*words, "--set", "cv=3", "--set", "cv=4"), 2, "twice")


def test_labels_that_are_numbers_can_be_named_in_json(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("x,y\n" + "".join(f"{row},{row % 2}\n" for row in range(12)))
    words = ("fit", table, "--target", "y", "--folds", 0, "-o", tmp_path / "y.tw.json")
    assert run(*words, "--keep", "x", "--set", 'loss={"0": {"1": 5}, "1": {"0": 1}}').status == 0
    assert tw.load(tmp_path / "y.tw.json").loss == {0: {1: 5}, 1: {0: 1}}


def test_every_parameter_can_be_set_by_its_default(golf):
    for algorithm, kind in (
        ("cart", tw.CARTClassifier),
        ("c45", tw.C45Classifier),
        ("id3", tw.ID3Classifier),
    ):
        pairs = [f"--set={name}={json.dumps(value)}" for name, value in kind().get_params().items()]
        ran = run(
            "fit", golf / "golf.csv", "--target", "class", "--algorithm", algorithm, "--folds", 0, *pairs
        )
        assert ran.status == 0, ran.said


def test_a_model_that_was_fitted_here_is_that_of_python(golf):
    columns, target = tw.datasets.load("golf")
    ours = tw.C45Classifier().fit(columns, target)
    theirs = tw.load(golf / "golf.tw.json")
    assert theirs.to_text().replace("True", "true").replace("False", "false") == ours.to_text()


def test_cross_validation_is_the_same_every_time_and_changes_with_the_seed(golf):
    words = ("fit", golf / "golf.csv", "--target", "class", "--algorithm", "c45", "--json", "--folds", 4)
    first, again, other = (run(*words, "--seed", seed).out for seed in (0, 0, 3))
    assert first == again
    assert json.loads(first)["judged"]["confusion"] != json.loads(other)["judged"]["confusion"]


def test_rows_held_out_are_not_grown_on(tmp_path):
    rng = np.random.default_rng(0)
    table = tmp_path / "noise.csv"
    table.write_text(
        "x,y\n" + "".join(f"{x},{y}\n" for x, y in zip(rng.random(400), rng.integers(0, 2, 400), strict=True))
    )
    words = ("fit", table, "--target", "y", "--json", "--set", "pruning=null")
    judged = json.loads(run(*words, "--holdout", 0.25).out)["judged"]
    assert judged["rows"] == 100
    assert judged["accuracy"]["value"] < 0.75, "noise cannot be predicted"
    assert [line["rows"] for line in judged["classes"]] == pytest.approx([50, 50], abs=8)
    refused(run(*words, "--holdout", 1.5), 2, "between 0 and 1")
    refused(run(*words, "--folds", 1), 2, "--folds 1")
    refused(run(*words, "--folds", 5, "--holdout", 0.5), 2, "not allowed with")


def test_predict_gives_the_answers_of_python_in_every_format(golf, tmp_path):
    columns, _ = tw.datasets.load("golf")
    tree = tw.load(golf / "golf.tw.json")
    columns["windy"] = [each == "true" for each in columns["windy"]]
    del columns["class"]
    answers, shares = tree.predict(columns).tolist(), tree.predict_proba(columns)
    model, table = golf / "golf.tw.json", golf / "golf.csv"
    lines = run("predict", model, table).out.splitlines()
    assert lines == ["prediction", *answers]
    objects = [
        json.loads(line) for line in run("predict", model, table, "--json", "--proba").out.splitlines()
    ]
    assert [each["prediction"] for each in objects] == answers
    found = [[each["probability_Don't Play"], each["probability_Play"]] for each in objects]
    assert np.array_equal(np.array(found), shares)
    from treewright.files.reader import read_file

    for name in ("a.csv", "a.tsv", "a.jsonl", "a.parquet", "a.arrow"):
        assert run("predict", model, table, "--keep-columns", "-o", tmp_path / name).status == 0
        written = read_file(tmp_path / name)
        assert written.names == ("outlook", "temperature", "humidity", "windy", "class", "prediction")
        assert written.columns[5].decoded().values.tolist() == answers
        assert written.columns[1].values.tolist() == columns["temperature"].tolist()
        assert run("evaluate", model, tmp_path / name).out.startswith("C45Classifier on ")


def test_predict_shields_formulas_where_a_spreadsheet_will_read_them(golf, tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "t.tw.json"
    table.write_text("a,b\n=1+1,yes\nx,no\n=1+1,yes\nx,no\n")
    assert run("fit", table, "--target", "b", "-o", model).status == 0
    asked = ("predict", model, table, "--keep-columns")
    assert run(*asked).out.splitlines()[1] == "=1+1,yes,yes"
    assert run(*asked, "--for-spreadsheets").out.splitlines()[1] == "'=1+1,yes,yes"
    refused(run(*asked, "--for-spreadsheets", "--json"), 2, "--for-spreadsheets is for CSV and TSV, not json")


def test_predict_takes_tables_with_other_columns_in_another_order(golf):
    rows = b"windy,note,humidity,temperature,outlook\nfalse,x,70,75,sunny\n,y,,,overcast\n"
    ran = run("predict", golf / "golf.tw.json", "-", "--keep-columns", stdin=rows)
    assert ran.out.splitlines() == [
        "windy,note,humidity,temperature,outlook,prediction",
        "false,x,70,75,sunny,Play",
        ",y,,,overcast,Play",
    ]
    ran = run(
        "predict",
        golf / "golf.tw.json",
        "-",
        "--keep-columns",
        stdin=b"prediction," + rows.replace(b"\nf", b"\n1,f").replace(b"\n,", b"\n2,,"),
    )
    assert ran.out.splitlines()[0].endswith("outlook,prediction_")


def test_predict_says_once_that_categories_are_new(golf):
    rows = "outlook,temperature,humidity,windy\n" + "fog,70,70,false\nsunny,70,70,true\n" * 3
    ran = run("predict", golf / "golf.tw.json", "-", stdin=rows.encode())
    assert ran.status == 0
    assert ran.said.count("did not occur in training") == 1
    assert len(ran.out.splitlines()) == 7


def test_evaluate_counts_as_one_would_by_hand(golf):
    rows = "outlook,temperature,humidity,windy,class\novercast,70,70,false,Play\n"
    rows += "overcast,70,70,false,Don't Play\n"
    rows += "overcast,70,70,true,\nsunny,70,90,true,Don't Play\nsunny,70,90,true,Maybe\n"
    ran = run("evaluate", golf / "golf.tw.json", "-", "--json", stdin=rows.encode())
    found = json.loads(ran.out)
    assert found["confusion"] == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]
    assert found["accuracy"] == {"value": 0.5, "standard_error": 0.25}
    assert found["classes"][2]["precision"] == {"value": None, "standard_error": None}
    assert "1 row of 5 left out: no value of class." in ran.said
    assert "does not know class 'Maybe'" in ran.said


def test_a_tree_of_numbers_goes_all_the_way(tmp_path):
    rng = np.random.default_rng(1)
    table = tmp_path / "t.csv"
    table.write_text(
        "x,g,y\n"
        + "".join(f"{x:.4f},{'ab'[int(x > 0.5)]},{2 * x + rng.normal() / 50:.5f}\n" for x in rng.random(200))
    )
    model = tmp_path / "t.tw.json"
    ran = run("fit", table, "--target", "y", "-o", model, "--folds", 4)
    assert ran.status == 0
    for words in ("CARTRegressor", "mean absolute error", "root mean squared error", "R²", "±"):
        assert words in ran.out
    found = json.loads(run("evaluate", model, table, "--json").out)
    true = np.array([float(line.split(",")[2]) for line in table.read_text().splitlines()[1:]])
    lines = run("predict", model, table).out.splitlines()
    apart = np.abs(np.array(lines[1:], dtype=float) - true)
    assert found["mean_absolute_error"]["value"] == pytest.approx(apart.mean())
    assert found["r2"]["value"] == pytest.approx(1 - (apart**2).sum() / ((true - true.mean()) ** 2).sum())
    refused(run("predict", model, table, "--proba"), 2, "predicts numbers")
    refused(run("fit", table, "--target", "y", "--task", "regression", "--algorithm", "c45"), 2, "cart")


def test_audit_gives_the_ledger_of_a_node(golf):
    words = ("audit", golf / "golf.tw.json", golf / "golf.csv")
    ran = run(*words, "--formulas")
    assert "asks outlook" in ran.out
    assert "Gain(outlook) = 0.9403 − 4/14 × 0 − 5/14 × 0.9710 − 5/14 × 0.9710 = 0.2467" in ran.out
    found = json.loads(run(*words, "--json", "--every-cut").out)
    assert sum(row["column"] == "temperature" for row in found["candidates"]) > 5
    winner = next(row for row in found["candidates"] if row["rank"] == 1)
    assert (winner["column"], round(winner["gain"], 4)) == ("outlook", 0.2467)
    refused(run(*words, "--node", 99), 2, "--node 99 does not exist")
    few = "\n".join((golf / "golf.csv").read_text().splitlines()[:8])
    assert "was grown on 14 rows, not on these 7" in run(*words[:2], "-", stdin=few.encode()).said


def test_report_writes_the_page_that_python_writes(golf, tmp_path):
    model, table = golf / "golf.tw.json", golf / "golf.csv"
    page = tmp_path / "page.html"
    assert run("report", model, table, "-o", page, "--lang", "zh", "--title", "天气").status == 0
    columns, target = tw.datasets.load("golf")
    columns["windy"] = [value == "true" for value in columns["windy"]]  # as a CSV's are read
    expected = tw.load(model).report(tmp_path / "same.html", columns, target, lang="zh", title="天气")
    assert page.read_bytes() == expected.read_bytes()
    told = json.loads(run("report", model, table, "--json").out)
    assert (told["format"], told["rows"]["n"], told["rows"]["are_training"]) == (
        "treewright report",
        14,
        True,
    )
    refused(run("report", model, table, "--lang", "fr"), 2, "not a language", "'zh'")
    refused(run("report", model, table, "-o", page), 2, "--force")
    ran = run("fit", table, "--target", "class", "--folds", 0, "--report", tmp_path / "fit.html")
    assert f"Report saved in {tmp_path / 'fit.html'}" in ran.said
    assert (tmp_path / "fit.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    refused(run("fit", table, "--target", "class", "--folds", 0, "--report", page), 2, "--force")


def test_prune_gives_a_smaller_model(golf, tmp_path):
    model, table = golf / "golf.tw.json", golf / "golf.csv"
    small = tmp_path / "small.tw.json"
    ran = run("prune", model, "--method", "cost-complexity", "--set", "leaves=4", "-o", small)
    assert ran.status == 0
    assert files.read(small).model.tree.n_leaves <= 4
    assert "cost-complexity: 1 leaf of the 5 that were grown.\n" in ran.said
    ran = run("prune", small, "--method", "pessimistic", "--json")
    said = f"of the 5 that were grown; {small} has 1.\n"
    assert said in ran.said, "methods begin with the tree that was grown"
    told = json.loads(ran.out)
    assert (told["leaves_grown"], told["leaves_before"]) == (5, 1)
    ran = run("prune", model, table, "--method", "error-based", "--set", "confidence=0.05", "--json")
    assert json.loads(ran.out)["leaves"] == 1
    refused(run("prune", model, "--method", "reduced-error"), 2, "held out", "TABLE")
    refused(run("prune", model, table, "--method", "pessimistic"), 2, "Leave them out")
    refused(run("prune", model, "--method", "pesimistic"), 2, "Did you mean 'pessimistic'?")
    refused(run("prune", model, "--method", "minimum-error", "--set", "n=2"), 2, "There are 'm'")


def test_what_is_printed_fits_eighty_columns_in_chinese_too(tmp_path):
    target = write_table(tmp_path / "melons.csv", "watermelon_20a_density")
    for algorithm in ("c45", "cart"):
        ran = run("fit", tmp_path / "melons.csv", "--target", target, "--algorithm", algorithm)
        assert ran.status == 0, ran.said
        lines = (ran.out + ran.said.replace(str(tmp_path), "")).splitlines()
        assert max(map(text_width, lines)) <= 80, max(lines, key=text_width)


def test_many_classes_are_told_by_what_is_taken_for_what(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("x,y\n" + "".join(f"{row % 30},{(row * 7) % 26:02d}x\n" for row in range(300)))
    out = run("fit", table, "--target", "y", "--folds", 3, "--width", 80).out
    assert "true class  predicted" in out
    assert "more pairs of classes" in out
    assert max(map(len, out.splitlines())) <= 80


def test_id3_is_judged_on_categories_that_some_trees_have_not_seen(golf):
    ran = run("fit", golf / "golf.csv", "--target", "class", "--algorithm", "id3", "--json")
    assert ran.status == 0
    assert json.loads(ran.out)["judged"]["rows"] == 14


def test_every_format_of_a_table_gives_the_same_tree(golf, tmp_path):
    text = (golf / "golf.csv").read_text()
    rows = [line.split(",") for line in text.splitlines()]
    (tmp_path / "a.csv").write_text(text.replace("85,85", "85,85.0"))
    (tmp_path / "a.tsv").write_text(text.replace(",", "\t"))
    (tmp_path / "b.csv").write_bytes(text.replace(",", ";").encode("utf-16"))
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(text.encode()))
    names = "Play, Don't Play.\n\noutlook: overcast, rain, sunny.\ntemperature: continuous.\n"
    (tmp_path / "c.names").write_text(names + "humidity: continuous.\nwindy: false, true. | a comment\n")
    (tmp_path / "c.data").write_text("\n".join(", ".join(row) for row in rows[1:]) + "\n")
    arff = "@relation golf\n@attribute outlook {overcast,rain,sunny}\n@attribute temperature numeric\n"
    arff += "@attribute humidity numeric\n@attribute windy {false,true}\n"
    arff += '@attribute class {Play,"Don\'t Play"}\n@data\n'
    body = "\n".join(",".join(row) for row in rows[1:]).replace("Don't Play", '"Don\'t Play"')
    (tmp_path / "a.arff").write_text(arff + body + "\n")
    for name in ("a.parquet", "a.arrow", "a.jsonl"):
        assert (
            run(
                "predict", golf / "golf.tw.json", golf / "golf.csv", "--keep-columns", "-o", tmp_path / name
            ).status
            == 0
        )
    words = ("--target", "class", "--algorithm", "c45", "--folds", 0)
    expected = run("fit", golf / "golf.csv", *words).out.replace("False", "false").replace("True", "true")
    for name in (
        "a.csv",
        "a.tsv",
        "b.csv",
        "a.csv.gz",
        "c",
        "c.names",
        "a.arff",
        "a.parquet",
        "a.arrow",
        "a.jsonl",
    ):
        drop = ("--drop", "prediction") if name in ("a.parquet", "a.arrow", "a.jsonl") else ()
        ran = run("fit", tmp_path / name, *words, *drop)
        assert ran.out.replace("False", "false").replace("True", "true") == expected, name
    assert run("fit", "-", *words, stdin=text.encode()).out == run("fit", golf / "golf.csv", *words).out


def test_what_is_told_of_a_file_counts(tmp_path):
    table = tmp_path / "t.csv"
    table.write_bytes("größe|y\n1,5|a\n2,5|b\nnix|a\n1,0|a\n".encode("cp1252"))
    told = ("--delimiter", "|", "--encoding", "cp1252", "--decimal", ",", "--na", "nix", "--header")
    ran = run("fit", table, "--target", "y", "--folds", 0, "--json", *told)
    assert ran.status == 0, ran.said
    column = json.loads(ran.out)["columns"][0]
    assert (column["name"], column["kind"], column["missing"]) == ("größe", "number", 1)
    refused(
        run("fit", table, "--target", "y", "--table-format", "cvs"),
        2,
        "--table-format cvs",
        "Did you mean 'csv'?",
    )
