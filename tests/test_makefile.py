"""What someone sees who runs make for the first time, and what make and continuous integration run."""

import os
import re
import shutil
import subprocess

import pytest

from pages import ROOT

# Stands in for pip: "compiles" one object file of ours and one of nanobind's, then takes its time.
PIP = """mkdir -p build/some/cpp build/some/nanobind && sleep 0.1 && touch build/some/cpp/a.o \
  build/some/nanobind/n.o && sleep {seconds}"""


@pytest.fixture
def folder(tmp_path):
    """Give a folder with the Makefile, a core of two files, and the tools already set up."""
    for name in ("Makefile", "CMakeLists.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "cpp/treewright").mkdir(parents=True)
    for name in ("a.cpp", "b.cpp"):
        (tmp_path / "cpp/treewright" / name).touch()
    (tmp_path / ".venv").mkdir()
    return tmp_path


def built(folder, seconds, status=0):
    """Run make with the stand-in for pip; its other arguments end in a comment."""
    (folder / "pip.sh").write_text(f"{PIP.format(seconds=seconds)}; exit {status}\n")
    (folder / ".venv/.tools").touch()
    return make(".venv/.built", "PIP=sh pip.sh", "EVERY=0.2", cwd=folder)


def make(*words, cwd=ROOT):
    """Run make as typed by a person: these tests may themselves be run by make, which tells others so."""
    command = shutil.which("make")
    if command is None:
        pytest.skip("make is not installed")
    return subprocess.run(
        [command, *words],
        cwd=cwd,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def commands(*words):
    """List what make would run, once all is built."""
    return make("--dry-run", *words).stdout.splitlines()


def test_the_build_says_how_long_it_takes_and_how_far_it_is(folder):
    """Version 0.1 promised "a minute or two", took over four, and said nothing on the way."""
    ran = built(folder, 1)
    assert ran.returncode == 0, ran.stderr
    first, *steps, last = ran.stdout.splitlines()
    assert "minutes with two" in first
    assert steps
    assert set(steps) <= {"Built 0 of 2 files ...", "Built 1 of 2 files ..."}
    assert last == "Built 1 of 2 files."
    assert (folder / ".venv/.built").exists()


def test_a_build_that_fails_is_not_called_done(folder):
    ran = built(folder, 0, status=3)
    assert ran.returncode != 0
    assert not (folder / ".venv/.built").exists()
    assert "files." not in ran.stdout


def test_the_whole_suite_begins_with_what_make_test_runs():
    quick = [line for line in commands("test") if " pytest " in line or line == "build/core_tests"]
    whole = [line for line in commands("test-all") if " pytest " in line or line == "build/core_tests"]
    assert [re.findall(r"core_tests|--tier=\w+", line) for line in whole] == [
        ["core_tests"],
        ["--tier=quick"],
        ["--tier=rest"],
    ]
    assert whole[:2] == quick


def test_a_room_runs_at_once_and_whole():
    (line,) = (line for line in commands("test", "T=tests/parts") if " pytest " in line)
    assert "tests/parts" in line
    assert "--tier" not in line
    assert " -n " not in line


def test_make_check_runs_every_tool_that_it_names():
    ran = "\n".join(commands("check"))
    for tool in ("ruff check", "ruff format --check", "mypy --strict src", "clang-format", "codespell"):
        assert tool in ran, tool


def test_continuous_integration_runs_make_alone_and_says_its_minutes():
    script = ROOT / ".ci" / "run"
    if not script.exists():
        pytest.skip("an sdist has no continuous integration")
    text = script.read_text("utf-8")
    stages = re.findall(r"^stage (.+?)(?:  #.*)?$", text, re.M)
    assert " ".join(stages).split() == ["check", "test", "test-all", "docs"]
    assert (
        text.count("make ") - text.count("make %s") == len(re.findall(r"^ +make \"\$@\"$", text, re.M)) == 1
    )
    assert "min %02d s" in text


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_readme_names_the_quick_tests_and_the_whole_suite(readme):
    text = (ROOT / readme).read_text("utf-8")
    assert "\nmake test " in text
    assert "`make test-all`" in text


def test_processes_of_tests_may_keep_byte_code(tmp_path, monkeypatch):
    """Otherwise hundreds of them compile the package again, and pytest all tests in every worker."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    (tmp_path / "told.mk").write_text("told:\n\t@echo [$$PYTHONDONTWRITEBYTECODE]\n")
    ran = make("--no-print-directory", "-f", "Makefile", "-f", str(tmp_path / "told.mk"), "told")
    assert ran.stdout == "[]\n"
