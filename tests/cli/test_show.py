"""Trees that are printed, and models that are shown: how wide, in which format, in which file."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import treewright as tw
from cli.commands import arguments, refused, run
from treewright.grid import text_width


@pytest.mark.parametrize("format", ["text", "rules", "dot", "mermaid", "json", "svg", "html"])
def test_show_writes_what_python_writes(golf, tmp_path, format):
    tree = tw.load(golf / "golf.tw.json")
    ran = run("show", golf / "golf.tw.json", "--format", format)
    assert ran.status == 0
    if format == "rules":
        assert ran.out == f"{tree.rules()}\n"
    elif format != "html":
        assert ran.out.rstrip("\n") == getattr(tree, f"to_{format}")().rstrip("\n")
    path = tmp_path / "out.txt"
    assert run("show", golf / "golf.tw.json", "--format", format, "-o", path).status == 0
    assert path.read_text("utf-8") == ran.out


def test_show_goes_by_the_name_of_its_output_and_refuses_what_means_nothing(golf, tmp_path):
    model = golf / "golf.tw.json"
    assert run("show", model, "-o", tmp_path / "a.svg", "--max-depth", 1).status == 0
    assert (tmp_path / "a.svg").read_text("utf-8").startswith("<svg")
    refused(run("show", model, "--format", "svgg"), 2, "Did you mean 'svg'?")
    refused(run("show", model, "--format", "json", "--max-depth", 1), 2, "--max-depth does not apply to json")
    refused(run("show", model, "--format", "rules", "--max-nodes", 1), 2, "--max-nodes does not apply")
    refused(run("show", model, "--format", "svg", "--json"), 2, "exclude each other")


MAGIC = {
    ".txt": b"14 rows",
    ".dot": b"digraph",
    ".gv": b"digraph",
    ".mmd": b"flowchart",
    ".md": b"```mermaid\nflowchart",
    ".json": b"{",
    ".svg": b"<svg",
    ".html": b"<!DOCTYPE html>",
    ".htm": b"<!DOCTYPE html>",
    ".png": b"\x89PNG",
    ".PDF": b"%PDF",
}


@pytest.mark.parametrize("suffix", MAGIC)
def test_a_file_is_what_its_name_says(golf, tmp_path, suffix):
    path = tmp_path / f"tree{suffix}"
    ran = run("show", golf / "golf.tw.json", "-o", path)
    assert (ran.status, ran.out) == (0, ""), ran.said
    assert path.read_bytes().startswith(MAGIC[suffix])
    again = tmp_path / f"again{suffix}"
    assert run("show", golf / "golf.tw.json", "-o", again).status == 0
    assert again.read_bytes() == path.read_bytes()


def test_a_picture_goes_to_standard_output_too_and_may_be_limited(golf, tmp_path):
    model = golf / "golf.tw.json"
    ran = run_alone_in_bytes("show", model, "--format", "png")
    assert ran.startswith(b"\x89PNG")
    assert len(run_alone_in_bytes("show", model, "--format", "png", "--max-depth", 1)) < len(ran)
    refused(run("show", model, "--format", "pdf", "--width", 90), 2, "--width does not apply to pdf")


def run_alone_in_bytes(*words):
    return subprocess.run(arguments(*words), capture_output=True, check=True).stdout


def test_a_name_that_says_something_else_is_refused_before_anything_is_read(golf, tmp_path):
    known = ".txt, .dot, .gv, .mmd, .md, .json, .svg, .html, .htm, .png, .pdf"
    refused(
        run("show", "none", "-o", tmp_path / "x.bmp"),
        2,
        "x.bmp: no format has the suffix .bmp",
        known,
        "--format",
    )
    refused(
        run("show", "none", "--format", "text", "-o", tmp_path / "x.png"), 2, "the format is text, not .png"
    )
    refused(
        run("show", "none", "--format", "png", "-o", tmp_path / "x.pdf"), 2, "the format is png, not .pdf"
    )
    refused(run("show", "none", "--json", "-o", tmp_path / "x.png"), 2, "the format is json, not .png")
    page, model = tmp_path / "x.png", tmp_path / "x.svg"
    refused(run("fit", "none.csv", "--target", "y", "-o", model), 2, "a model is saved as JSON", ".tw.json")
    refused(run("fit", "none.csv", "--target", "y", "--report", page), 2, f"--report {page}", ".html")
    refused(run("prune", "none", "--method", "pessimistic", "-o", model), 2, "a model is saved as JSON")
    refused(run("report", "none", "none.csv", "-o", page), 2, "an HTML page", "end the name with .html")
    refused(run("report", "none", "none.csv", "--json", "-o", page), 2, "--json writes JSON", ".json")
    refused(run("demo", "-o", page), 2, "the drawing is SVG", ".svg")
    refused(
        run("predict", golf / "golf.tw.json", golf / "golf.csv", "-o", page), 2, "x.png", ".csv", ".parquet"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_says_nothing_takes_what_is_told(golf, tmp_path):
    model = golf / "golf.tw.json"
    assert run("show", model, "-o", tmp_path / "tree").status == 0
    assert (tmp_path / "tree").read_text("utf-8").startswith("14 rows")
    assert run("show", model, "--format", "svg", "-o", tmp_path / "tree.drawing").status == 0
    assert (tmp_path / "tree.drawing").read_text("utf-8").startswith("<svg")
    assert run("show", model, "-o", os.devnull).status == 0


def test_pictures_need_matplotlib_and_say_so(golf, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    ran = run("show", golf / "golf.tw.json", "-o", tmp_path / "x.pdf")
    refused(ran, 1, "PDF is drawn with matplotlib, which is not installed", "SVG needs no other package")
    assert not (tmp_path / "x.pdf").exists()


@pytest.fixture(scope="module")
def loans(tmp_path_factory):
    """A folder with a table of long names whose leaves are mixed, and a model of it."""
    folder = tmp_path_factory.mktemp("loans")
    rng = np.random.default_rng(0)
    purpose = [f"用途{at:02}：购买大型家用电器或者家具" for at in range(20)]
    with (folder / "loans.csv").open("w", encoding="utf-8") as file:
        file.write("purpose of the loan,income,class\n")
        for _ in range(300):
            at = rng.integers(20)
            late = rng.random() < (0.8 if at % 2 else 0.2)
            file.write(
                f"{purpose[at]},{rng.integers(100)},{'拖欠还款的贷款' if late else '按时还款的贷款'}\n"
            )
    words = ("--target", "class", "--set", "max_depth=2", "--set", "pruning=null", "--folds", 0)
    assert run("fit", folder / "loans.csv", *words, "-o", folder / "loans.tw.json").status == 0
    return folder


def test_trees_are_as_wide_as_told_and_not_cut_where_nobody_looks(loans, tmp_path):
    model = loans / "loans.tw.json"
    whole = tw.load(model).to_text(width=None)
    assert max(map(text_width, whole.splitlines())) > 200
    assert run("show", model).out == f"{whole}\n"
    assert run("show", model, "-o", tmp_path / "tree.txt").status == 0
    assert (tmp_path / "tree.txt").read_text("utf-8") == f"{whole}\n"
    assert run("show", model, "--width", 0).out == f"{whole}\n"
    assert run("show", model, "--width", 60).out == f"{tw.load(model).to_text(width=60)}\n"
    smaller = tw.load(model).prune("cost-complexity", leaves=2)
    words = ("prune", model, "--method", "cost-complexity", "--set", "leaves=2")
    assert run(*words).out == f"{smaller.to_text(width=None)}\n"
    assert run(*words, "--width", 50).out == f"{smaller.to_text(width=50)}\n"
    fit = ("fit", loans / "loans.csv", "--target", "class", "--folds", 0, "--set", "max_depth=2")
    fit += ("--set", "pruning=null")
    assert whole in run(*fit).out
    assert tw.load(model).to_text(width=50) in run(*fit, "--width", 50).out
    assert tw.load(model).to_text(width=50) not in run(*fit).out


def test_every_leaf_that_is_printed_tells_its_share(loans):
    for width in (40, 60, 80, 0):
        lines = run("show", loans / "loans.tw.json", "--width", width).out.splitlines()
        leaves = [line for line in lines if "→" in line]
        assert len(leaves) == tw.load(loans / "loans.tw.json").get_n_leaves()
        assert all(re.search(r"\d% of \d+ rows", line) for line in leaves)


def test_a_width_that_is_none_is_refused_before_anything_is_read(golf):
    for words in ("fit none.csv --target y", "show none.tw.json", "prune none.tw.json --method m", "demo"):
        refused(run(*words.split(), "--width", 30), 2, "--width 30: give at least 40, or 0 for no limit")
    model = golf / "golf.tw.json"
    refused(run("show", model, "--format", "svg", "--width", 90), 2, "--width does not apply to svg")
    refused(run("show", model, "--format", "dot", "--width", 90), 2, "--width does not apply to dot")


def test_rules_have_all_categories_unless_a_width_is_asked_for(loans):
    model = loans / "loans.tw.json"
    whole = tw.load(model).rules().to_text()
    assert run("show", model, "--format", "rules").out == f"{whole}\n"
    assert run("show", model, "--format", "rules", "--width", 0).out == f"{whole}\n"
    narrow = run("show", model, "--format", "rules", "--width", 80)
    assert re.search(r"\.\.\. \d+ more\}", narrow.out)
    assert narrow.said == "Long lists of categories are shortened; --width 0 writes them whole.\n"
    assert "more}" not in whole


def test_the_command_line_charts_the_rows_of_a_table(golf, tmp_path):
    model, table = golf / "golf.tw.json", golf / "golf.csv"
    columns, target = tw.datasets.load("golf")
    columns = columns | {"windy": [each == "true" for each in columns["windy"]]}
    written = tw.load(model).to_svg(X=columns, y=target)
    assert run("show", model, table, "--format", "svg").out.rstrip() == written.rstrip()
    for suffix in ("png", "pdf", "html"):
        for words, name in (((), "plain"), ((table,), "charts")):
            assert run("show", model, *words, "-o", tmp_path / f"{name}.{suffix}").status == 0
        plain, charts = (tmp_path / f"{name}.{suffix}" for name in ("plain", "charts"))
        assert charts.read_bytes() != plain.read_bytes()
    refused(run("show", model, table, "--format", "dot"), 2, "TABLE does not apply to dot")
    refused(run("show", model, table), 2, "TABLE does not apply to text")
