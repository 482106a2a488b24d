"""What can be typed: specifications of options, and what commands have in common."""

import argparse
import importlib
import pkgutil

import pytest

import treewright.cli
from cli.commands import refused, run
from treewright.cli.parser import COMMANDS, READING, OneLineParser, _add, command_line


def parsers():
    (commands,) = (each for each in command_line()._actions if isinstance(each, argparse._SubParsersAction))
    return commands.choices


def parse(spec, *words):
    parser = OneLineParser(prog="test")
    _add(parser, {spec: "help"})
    return vars(parser.parse_args([str(word) for word in words]))


@pytest.mark.parametrize(
    ("spec", "words", "found"),
    [
        ("TABLE", ["a.csv"], {"table": "a.csv"}),
        ("[TABLE]", [], {"table": None}),
        ("[TABLE]", ["a.csv"], {"table": "a.csv"}),
        ("--proba", [], {"proba": False}),
        ("--proba", ["--proba"], {"proba": True}),
        ("--keep-columns", ["--keep-columns"], {"keep_columns": True}),
        ("--[no-]header", [], {"header": None}),
        ("--[no-]header", ["--no-header"], {"header": False}),
        ("-o --output OUT", ["-o", "x"], {"output": "x"}),
        ("--node N=0", [], {"node": 0}),
        ("--node N=0", ["--node", "7"], {"node": 7}),
        ("--holdout FRACTION", ["--holdout", "0.5"], {"holdout": 0.5}),
        ("--lang LANG=en", [], {"lang": "en"}),
        ("--one {a,b}=b", [], {"one": "b"}),
        ("--one {a,b}", ["--one", "a"], {"one": "a"}),
        ("--set NAME=VALUE...", ["--set", "a=1", "--set", "b=2"], {"set": ["a=1", "b=2"]}),
        ("--set NAME=VALUE...", [], {"set": []}),
        ("--target COLUMN!", ["--target", "y"], {"target": "y"}),
    ],
)
def test_a_specification_says_what_is_taken(spec, words, found):
    assert parse(spec, *words) == found


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("TABLE", []),
        ("--target COLUMN!", []),
        ("--one {a,b}", ["--one", "c"]),
        ("--node N=0", ["--node", "x"]),
    ],
)
def test_a_specification_says_what_is_refused(spec, words, capsys):
    with pytest.raises(SystemExit, match="2"):
        parse(spec, *words)
    assert capsys.readouterr().err.count("\n") == 1


def test_a_specification_that_means_nothing_is_a_mistake():
    with pytest.raises(AssertionError, match="--node n"):
        parse("--node n")


def test_every_command_has_a_module_and_every_module_that_runs_is_a_command():
    modules = {each.name for each in pkgutil.iter_modules(treewright.cli.__path__)}
    found = {name for name in modules if hasattr(importlib.import_module(f"treewright.cli.{name}"), "run")}
    assert found == set(COMMANDS)


def test_what_commands_share_reads_the_same_in_each():
    helps = {}
    for name, command in COMMANDS.items():
        for spec, text in command.options.items():
            helps.setdefault(spec, {})[name] = text
    shared = {
        spec: of
        for spec, of in helps.items()
        if len(of) > 1 and not spec.startswith(("TABLE", "[TABLE]", "-o"))
    }
    assert {"MODEL", "--target COLUMN", "--json", "--width N", "--force"} <= set(shared)
    shared["--json"] = {
        name: text for name, text in shared["--json"].items() if name not in ("show", "predict")
    }
    for spec, of in shared.items():
        if spec not in ("--set NAME=VALUE...", "--folds N"):  # whose parameters and defaults differ
            assert len(set(of.values())) == 1, f"{spec}: {of}"


def test_commands_that_read_a_table_take_the_options_for_it():
    for name, parser in parsers().items():
        flags = {flag for action in parser._actions for flag in action.option_strings}
        reads = {"TABLE", "[TABLE]"} & COMMANDS[name].options.keys()
        assert ("--delimiter" in flags) == bool(reads), name
        assert len(flags & {spec.split()[0] for spec in READING}) == (9 if reads else 0), name


def test_folds_and_a_held_out_part_exclude_each_other(golf):
    words = ("fit", golf / "golf.csv", "--target", "class", "--holdout", 0.5, "--folds")
    for folds in (0, 5):
        refused(run(*words, folds), 2, "--folds is not allowed with --holdout")


def test_cross_validation_has_ten_folds_unless_told(golf):
    assert "10-fold cross-validation" in run("fit", golf / "golf.csv", "--target", "class").out
