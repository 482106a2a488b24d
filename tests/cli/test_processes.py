"""What only a process of its own shows: what is loaded, what a terminal sees, the demo, the README."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import tomllib

import pytest

import treewright as tw
from cli.commands import arguments, run, run_alone
from pages import ROOT, blocks, shell_sessions
from treewright.cli.parser import COMMANDS
from treewright.grid import text_width

WITHOUT = (
    "import sys\nfor name in {names!r}: sys.modules[name] = None\nfrom treewright.cli.main import main\n"
)


def run_without(names, *words, cwd):
    """Run a command where some packages are not installed."""
    code = WITHOUT.format(names=names) + f"sys.exit(main({list(map(str, words))!r}))"
    return subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_help_loads_nothing_that_takes_time():
    code = "import sys\nfrom treewright.cli.main import main\nmain(['--help'])\nmain(['fit', '--help'])\n"
    ran = subprocess.run(
        [sys.executable, "-c", code + "print(*sys.modules, file=sys.stderr)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.count("examples:") == 2
    loaded = set(ran.stderr.split())
    assert not loaded & {
        "numpy",
        "sklearn",
        "scipy",
        "pyarrow",
        "narwhals",
        "treewright._core",
        "difflib",
        "json",
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_examples(command):
    out = run(command, "--help").out
    assert "examples:\n" in out
    assert f"  treewright {command} " in out.split("examples:\n")[1] + " "
    assert max(map(text_width, out.splitlines())) <= 80


def test_the_version_is_told():
    ran = run("--version")
    assert (ran.status, ran.out.split()[0]) == (0, "treewright")


def test_the_command_is_installed_under_its_name():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"treewright": "treewright.cli.main:main"}


def test_predict_evaluate_and_show_need_numpy_alone(golf):
    others = ["sklearn", "scipy", "joblib", "narwhals", "pandas", "polars", "pyarrow", "rich"]
    ran = run_without(others, "predict", "golf.tw.json", "golf.csv", "--proba", cwd=golf)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(ran.stdout.splitlines()) == 15
    code = WITHOUT.format(names=others) + "main(['evaluate', 'golf.tw.json', 'golf.csv'])\n"
    code += "main(['show', 'golf.tw.json'])\nmain(['show', 'golf.tw.json', '--format', 'rules'])"
    ran = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code], cwd=golf, capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""
    assert "accuracy" in ran.stdout


def test_fit_needs_no_data_frames(golf):
    ran = run_without(
        ["pandas", "polars", "pyarrow", "rich"],
        "fit",
        "golf.csv",
        "--target",
        "class",
        "--folds",
        3,
        cwd=golf,
    )
    assert ran.returncode == 0, ran.stderr
    assert "accuracy" in ran.stdout


def seen_on(leader, follower):
    """Read what was written on a terminal, which is then gone."""
    os.close(follower)
    seen = b""
    while True:
        try:
            more = os.read(leader, 4096)
        except OSError:  # its end, on Linux
            break
        if not more:
            break
        seen += more
    os.close(leader)
    return seen


def test_a_terminal_sees_progress_and_nobody_else(golf):
    words = ("fit", golf / "golf.csv", "--target", "class", "--folds", 3)
    leader, follower = pty.openpty()
    ran = subprocess.run(arguments(*words), stdout=subprocess.PIPE, stderr=follower, check=True)
    seen = seen_on(leader, follower)
    assert "growing tree 3 of 3" in seen.decode()
    assert b"\x1b" not in seen + ran.stdout, "there are no colours to switch off"
    quiet = run(*words)
    assert "growing" not in quiet.said
    assert quiet.out == ran.stdout.decode()


@pytest.mark.parametrize("columns", [30, 50, 200])
def test_a_tree_is_as_wide_as_the_terminal(golf, columns):
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    words = arguments("show", golf / "golf.tw.json")
    told = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    subprocess.run(words, stdout=follower, env=told, check=True)
    lines = seen_on(leader, follower).decode().splitlines()
    assert lines == tw.load(golf / "golf.tw.json").to_text(width=max(columns, 40)).splitlines()


def test_the_demo_needs_nothing_and_draws_a_picture(tmp_path):
    ran = run_alone("demo", "--table", "melons.csv", cwd=tmp_path)
    assert ran.status == 0
    for words in (
        "Gain(纹理) = 0.9975",
        "GainRatio(密度 <= 0.36)",
        "├── 纹理 = 模糊 → 否 (100% of 3 rows)",
        "confidence",
    ):
        assert words in ran.out
    assert (tmp_path / "watermelon.svg").read_text("utf-8").startswith("<svg")
    assert "watermelon.svg" in ran.said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["melons.csv", "watermelon.svg"]
    again = run("demo", "-o", tmp_path / "watermelon.svg")
    assert again.out == ran.out
    (tmp_path / "other.svg").write_text("mine")
    assert "no drawing" in run("demo", "-o", tmp_path / "other.svg").said
    assert (tmp_path / "other.svg").read_text() == "mine"
    nowhere = run("demo", "-o", tmp_path / "none" / "x.svg")
    assert nowhere.status == 0
    assert "No drawing" in nowhere.said


# Translations show the same blocks, which another test sees to.
IN_THE_SHELL = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if "```sh\n" in page.read_text("utf-8") and not page.name.endswith(".zh.md")
]


@pytest.mark.parametrize("page", IN_THE_SHELL, ids=lambda page: page.name)
def test_what_a_page_shows_in_the_shell_is_what_comes_out(page, tmp_path):
    sessions = shell_sessions(page)
    assert len(sessions) == sum(language == "sh" for language, _ in blocks(page)), "each shows its output"
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "treewright"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -X utf8 -m treewright "$@"\n')
    command.chmod(0o755)
    (tmp_path / "here").mkdir()
    for code, output in sessions:
        ran = subprocess.run(
            ["sh", "-e", "-c", code],
            cwd=tmp_path / "here",  # in one folder: what a page makes, it goes on with
            env={**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert (ran.returncode, ran.stdout) == (0, output), ran.stderr


def test_the_readme_and_the_way_to_hand_over_have_something_for_the_shell():
    assert {"README.md", "save-and-hand-over.md"} <= {page.name for page in IN_THE_SHELL}
