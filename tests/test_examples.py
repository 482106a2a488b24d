"""Every example runs, says something and complains of nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.name)
def test_the_example_runs(example, tmp_path):
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-X", "utf8", str(example)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.stderr == ""
    assert ran.returncode == 0
    assert ran.stdout


def test_the_first_tree_knows_its_melons(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-X", "utf8", str(EXAMPLES[0].parent / "first_tree.py")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "right on the melons it grew on:   100%" in ran.stdout
    assert "the leaf leaves 0.000 of them open" in ran.stdout
