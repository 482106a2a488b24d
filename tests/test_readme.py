"""The README's examples print what the README says, in both languages."""

import re
import subprocess
import sys
from itertools import pairwise

import pytest

from pages import ROOT, blocks

READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]


def examples(page):
    """List the blocks of Python that are followed by a block of text, with it."""
    return [
        (code, output)
        for (language, code), (next_language, output) in pairwise(blocks(page))
        if (language, next_language) == ("python", "text")
    ]


@pytest.mark.parametrize(
    ("code", "output"), examples(READMES[0]), ids=lambda text: text.splitlines()[0] if text else ""
)
def test_the_readme_shows_the_real_output_of_its_examples(code, output, tmp_path):
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-X", "utf8", "-c", code],
        cwd=tmp_path,  # away from the repository: the example stands on the installed package alone
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.stderr == ""
    assert ran.stdout == output


def test_every_block_of_python_in_the_readme_shows_its_output():
    n_blocks = sum(language == "python" for language, _ in blocks(READMES[0]))
    assert n_blocks == len(examples(READMES[0])) >= 2


def test_the_chinese_readme_shows_the_same_blocks_and_figures():
    ours, theirs = READMES
    assert blocks(ours) == blocks(theirs)
    assert figures(ours) == figures(theirs)


def figures(page):
    """List the numbers in the tables of a page."""
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("|")]
    return re.findall(r"\d+(?:[.,]\d+)*", "\n".join(rows))
