"""The README's examples print what the README says, in both languages."""

import re
import subprocess
import sys
from itertools import pairwise

import pytest

from pages import ROOT, blocks

READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]
END = "--- end of a block ---"
# What someone who has never seen the project must find: the method, the command, the page that says more.
STEPS = {
    "fit": ("fit", "fit .*--target", "how-to/fit-your-table"),
    "explain": ("explain", "(audit|show) ", "how-to/explain-a-prediction"),
    "prune": ("prune", "prune .*--method", "how-to/choose-a-tree"),
    "save": ("save", "fit .* -o ", "how-to/save-and-hand-over"),
    "hand over": ("report", "report .* -o ", "how-to/save-and-hand-over"),
}


def examples(page):
    """List the blocks of Python that are followed by a block of text, with it."""
    return [
        (code, output)
        for (language, code), (next_language, output) in pairwise(blocks(page))
        if (language, next_language) == ("python", "text")
    ]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Run all blocks of Python, each building on those before, and give what each prints."""
    code = f"print({END!r})\n".join(code for code, _ in examples(READMES[0]))
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-X", "utf8", "-c", code],
        # Away from the repository: the examples stand on the installed package alone.
        cwd=tmp_path_factory.mktemp("readme"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.stderr == ""
    return ran.stdout.split(f"{END}\n")


@pytest.mark.parametrize("at", range(len(examples(READMES[0]))))
def test_the_readme_shows_the_real_output_of_its_examples(at, printed):
    assert len(printed) == len(examples(READMES[0]))
    assert printed[at] == examples(READMES[0])[at][1]


@pytest.mark.parametrize(("readme", "suffix"), [(READMES[0], ".md"), (READMES[1], ".zh.md")])
@pytest.mark.parametrize("step", STEPS)
def test_the_readme_alone_says_how_to_take_each_step(readme, suffix, step):
    typed, in_the_shell, page = STEPS[step]
    _, *sections = re.split(r"^### ", readme.read_text("utf-8"), flags=re.M)
    (section,) = (each for each in sections if f"{page}{suffix})" in each and f".{typed}(" in each)
    assert re.search(rf"^```python\n(?:.+\n|\n)*?.*\.{typed}\(", section, re.M)
    shell = "".join(code for language, code in blocks(readme) if language == "sh")
    assert re.search(rf"^treewright {in_the_shell}", shell, re.M)


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
