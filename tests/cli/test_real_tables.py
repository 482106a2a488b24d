"""Every real table goes through fit, predict, show and audit; what columns hold is found out."""

import json

import pytest

from cli.commands import run
from golden.stored import SHARED

DATA = SHARED / "data"
TABLES = json.loads((DATA / "datasets.json").read_text("utf-8")) if DATA.is_dir() else []

# Whole numbers in the file, of which only its description says that they are categories.
NUMBERS_TO_US = {
    "titanic": {"pclass"},
    "auto_mpg": {"cylinders", "model_year", "origin"},
    "stagec": {"pgstat"},
}


@pytest.mark.skipif(not TABLES, reason="the shared tables are not here")
@pytest.mark.parametrize("about", TABLES, ids=lambda about: about["name"])
def test_a_real_table_goes_all_the_way(about, tmp_path):
    table, model = DATA / about["file"], tmp_path / "m.tw.json"
    algorithm = "c45" if about["rows"] > 1000 and about["task"] == "classification" else "cart"
    ran = run(
        "fit", table, "--target", about["target"], "--algorithm", algorithm,
        "--holdout", 0.25, "-o", model, "--json",
    )  # fmt: skip
    assert ran.status == 0, ran.said
    found = json.loads(ran.out)
    assert found["task"] == about["task"]
    kinds = {each["name"]: each["kind"] for each in found["columns"]}
    other = {
        each["name"]
        for each in about["schema"]
        if (each["type"] == "categorical") != (kinds[each["name"]] == "category")
    }
    assert other == NUMBERS_TO_US.get(about["name"], set())
    assert {each["name"]: each["missing"] for each in found["columns"] if each["missing"]} == about[
        "missing_by_column"
    ]
    ran = run("predict", model, table)
    assert len(ran.out.splitlines()) == about["rows"] + 1
    assert run("show", model).out.startswith(("→ ", f"{found['rows']:,} rows"))
    ran = run("audit", model, table, "--json")
    assert ran.status == 0, ran.said
    assert json.loads(ran.out)["candidates"] == found["root"]
