"""`--lang` and the language of the environment: trees, ledgers and formulas in Chinese, JSON as it was."""

import json

import pytest

import treewright as tw
from cli.commands import refused, run
from treewright.cli.parser import COMMANDS

VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


@pytest.fixture(autouse=True)
def english(monkeypatch):
    """Let nothing in the environment name a language."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def rows():
    """Give the table as a file is read: true and false are booleans."""
    columns, target = tw.datasets.load("golf")
    return columns | {"windy": [each == "true" for each in columns["windy"]]}, target


@pytest.mark.parametrize("name", VARIABLES)
def test_the_environment_chooses_chinese(golf, monkeypatch, name):
    monkeypatch.setenv(name, "zh_CN.UTF-8")
    tree = tw.load(golf / "golf.tw.json")
    assert run("show", golf / "golf.tw.json").out == f"{tree.to_text(lang='zh')}\n"
    assert run("show", golf / "golf.tw.json", "--lang", "en").out == f"{tree.to_text()}\n"
    for format in ("svg", "dot", "mermaid"):
        drawn = run("show", golf / "golf.tw.json", "--format", format).out.rstrip()
        assert drawn == getattr(tree, f"to_{format}")(lang="zh").rstrip()


@pytest.mark.parametrize(
    ("values", "is_chinese"),
    [
        ({"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, False),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "C"}, True),
        ({"LC_MESSAGES": "C", "LANG": "zh"}, False),
        ({"LANG": "de_DE"}, False),
    ],
)
def test_the_first_variable_that_is_set_decides(golf, monkeypatch, values, is_chinese):
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    assert ("个样本" in run("show", golf / "golf.tw.json").out) == is_chinese


def test_every_command_that_prints_a_tree_or_a_ledger_speaks_chinese(golf, tmp_path):
    model, table = golf / "golf.tw.json", golf / "golf.csv"
    tree = tw.load(model)
    written = tree.to_text(lang="zh")
    fitted = run("fit", table, "--target", "class", "--algorithm", "c45", "--lang", "zh", "--folds", 0)
    assert f"{written}\n" in fitted.out
    assert "根结点的候选划分\n按 outlook, 3 个取值各一支 划分\n" in fitted.out
    smaller = run("prune", model, "--method", "cost-complexity", "--set", "leaves=1", "--lang", "zh")
    assert smaller.out == "→ Play (14 个样本中占 64%: Play 9, Don't Play 5)\n"
    audited = run("audit", model, table, "--formulas", "--lang", "zh")
    ledger = tw.audit(tree, *rows(), lang="zh")
    formulas = [ledger.formula(at) for at in range(len(ledger))]
    assert audited.out == "\n\n".join([str(ledger), *formulas]) + "\n"
    shown = run("demo", "-o", tmp_path / "demo.svg", "--lang", "zh")
    assert "C4.5 在根结点的候选划分:\n" in shown.out
    assert "├── 纹理 = 模糊 → 否 (3 个样本中占 100%)\n" in shown.out


def test_pages_are_in_the_language_of_the_environment(golf, tmp_path, monkeypatch):
    model, table, page = golf / "golf.tw.json", golf / "golf.csv", tmp_path / "golf.html"
    fit = ("fit", table, "--target", "class", "--folds", 0, "--report", page, "--force")
    report = ("report", model, table, "-o", page, "--force")
    for words in (fit, report):
        assert run(*words).status == 0
        assert '<html lang="en">' in page.read_text("utf-8")
        assert run(*words, "--lang", "zh").status == 0
        assert '<html lang="zh-CN">' in page.read_text("utf-8")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    for words in (fit, report, (*fit, "--json")):
        assert run(*words).status == 0
        assert '<html lang="zh-CN">' in page.read_text("utf-8")
        assert run(*words, "--lang", "en").status == 0
        assert '<html lang="en">' in page.read_text("utf-8")
    commands = [name for name, command in COMMANDS.items() if "--lang LANG" in command.options]
    assert commands == ["fit", "show", "audit", "tune", "prune", "report", "demo"], "each is in a test here"
    assert not [name for name, each in COMMANDS.items() if any("--lang LANG=" in o for o in each.options)]


def test_what_programs_read_stays_english(golf, monkeypatch):
    english = run("audit", golf / "golf.tw.json", golf / "golf.csv", "--json").out
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert run("audit", golf / "golf.tw.json", golf / "golf.csv", "--json").out == english
    assert run("show", golf / "golf.tw.json", "--format", "dot").out.startswith("digraph")


def test_languages_that_are_not_spoken_are_refused(golf):
    model = golf / "golf.tw.json"
    refused(run("show", model, "--lang", "fr"), 2, "--lang fr is not a language of treewright")
    refused(run("show", model, "--lang", "zh", "--format", "json"), 2, "--lang does not apply to json")


# -- audit --pruning ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ((), {}),
        (("--method", "pessimistic"), {"method": "pessimistic"}),
        (("--method", "pre-pruning"), {"method": "pre-pruning"}),
        (("--method", "reduced-error", "--set", "strict=true"), {"method": "reduced-error", "strict": True}),
        (("--method", "cost-complexity", "--set", "after=1"), {"method": "cost-complexity", "after": 1}),
    ],
)
def test_audit_lists_what_pruning_compared(golf, words, given):
    model, table = golf / "golf.tw.json", golf / "golf.csv"
    tree = tw.load(model)
    needs_rows = given.get("method") not in ("pessimistic", "cost-complexity")
    ledger = tw.audit_pruning(tree, *(rows() if needs_rows else ()), **given)
    assert run("audit", model, table, "--pruning", *words).out == f"{ledger}\n"
    formulas = "\n\n".join([str(ledger), *map(ledger.formula, ledger)])
    assert run("audit", model, table, "--pruning", "--formulas", *words).out == f"{formulas}\n"
    plain = json.loads(run("audit", model, table, "--pruning", "--json", *words).out)
    assert plain["method"] == ledger.method
    assert [each["node"] for each in plain["comparisons"]] == [row.node for row in ledger]
    assert [each["as_leaf"] for each in plain["comparisons"]] == [row.as_leaf for row in ledger]


def test_options_of_audit_that_do_not_go_together_are_refused(golf):
    model, table = golf / "golf.tw.json", golf / "golf.csv"
    for words, message in (
        (("--node", 0, "--pruning"), "--node does not apply to --pruning, which lists all nodes"),
        (("--every-cut", "--pruning"), "--every-cut does not apply to --pruning"),
        (("--method", "pessimistic"), "--method needs --pruning"),
        (("--set", "m=2"), "--set needs --pruning"),
        (("--pruning", "--set", "m=2"), "--set needs --method"),
        (("--pruning", "--method", "pesimistic"), "Did you mean 'pessimistic'?"),
        (("--pruning", "--method", "cost-complexity", "--set", "alpha=1"), "alpha"),
    ):
        refused(run("audit", model, table, *words), 2, message)
