"""Every example runs, says something, leaves something to look at and complains of nothing."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))
# Some of the words that stand in the pictures.
IN_PICTURES = {
    "choose_a_tree": (),  # its letters are drawn
    "counterfactual": ("good", "bad", "density", "sugar"),
    "draw_a_tree": ("纹理", "清晰", "17 rows", "missing: every branch"),
    "explain": ("outlook missing", "+0.264", "+0.400", "this day", "0.714"),
    "first_tree": ("sugar", "> 0.2045", "good", "100% of 7 rows"),
    "ledger": ("密度", "wins", "ratio 0.281 below 0.333 of `密度`", "gain 0.006 below the average 0.099"),
    "own_criterion": ("squared_error", "absolute_error", "upper_end", "minutes"),
    "rules": ("纹理 = 清晰 and 密度 > 0.3815 → 是", "纹理 = 稍糊 → 否", "rows of the rule"),
}


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
    assert pictured(tmp_path, example.stem)


def pictured(folder, name):
    """Say whether an example has left a picture with the words that belong in it, or else a page."""
    if name == "report":
        return [page.name for page in sorted(folder.glob("*.html")) if page.stat().st_size > 10_000]
    (picture,) = (ElementTree.parse(file) for file in folder.glob("*.svg"))
    texts = ["".join(text.itertext()) for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    return len(list(picture.iter())) > 20 and set(IN_PICTURES[name]) <= set(texts)


def test_the_first_tree_fits_all_its_melons(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-X", "utf8", str(EXAMPLES[0].parent / "first_tree.py")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "accuracy on the training melons: 100%" in ran.stdout
    assert "given the leaf, 0.000 of them remain" in ran.stdout
