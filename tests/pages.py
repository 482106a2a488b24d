"""What the pages for people show: their blocks of code, and the sessions among them."""

import doctest
import re
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.S | re.M)


def blocks(page: Path) -> list[tuple[str, str]]:
    """List the fenced blocks of a page: language and text."""
    return [(found["language"], found["text"]) for found in _BLOCK.finditer(page.read_text("utf-8"))]


def shell_sessions(page: Path) -> list[tuple[str, str]]:
    """List the blocks for the shell with the block of text that follows each, which is what they print."""
    return [
        (code, output)
        for (language, code), (next_language, output) in pairwise([*blocks(page), ("", "")])
        if language == "sh" and next_language == "text"
    ]


def session(page: Path) -> doctest.DocTest:
    """Read all sessions of a page as one, whose lines have the page's numbers."""
    text = page.read_text("utf-8")
    lines = [""] * (text.count("\n") + 1)
    for found in _BLOCK.finditer(text):
        if found["language"] == "python":
            first = text.count("\n", 0, found.start("text"))
            lines[first : first + found["text"].count("\n")] = found["text"].splitlines()
    return doctest.DocTestParser().get_doctest("\n".join(lines), {}, page.name, str(page), 0)
