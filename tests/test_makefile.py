"""What someone sees who runs make for the first time."""

import os
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
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed")
    return subprocess.run(
        [make, ".venv/.built", "PIP=sh pip.sh", "EVERY=0.2"],
        cwd=folder,
        # As typed by a person: these tests may themselves be run by make, which tells the makes below it so.
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


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
