"""The pages of docs/ show what the library answers, in every language."""

import doctest
import re

import pytest

import watermelon_figures
from pages import ROOT, blocks, session

PAGES = sorted((ROOT / "docs").rglob("*.md"))
WITH_SESSIONS = [page for page in PAGES if any(language == "python" for language, _ in blocks(page))]
WATERMELON = ROOT / "docs" / "tutorials" / "watermelon.md"
_LINK = re.compile(r"\]\((?!\w+:)(?P<to>[^)#]+)")


def named(pages):
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


@named(WITH_SESSIONS)
def test_every_session_of_a_page_answers_as_the_page_says(page):
    found: list[str] = []
    runner = doctest.DocTestRunner()
    runner.run(session(page), out=found.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(found)


@named(WITH_SESSIONS)
def test_every_block_of_python_is_a_session(page):
    for language, text in blocks(page):
        assert language != "python" or text.startswith(">>> "), text


@named(sorted(page for page in PAGES if page.name.endswith(".zh.md")))
def test_a_translation_shows_the_same_blocks(page):
    assert blocks(page) == blocks(page.with_name(page.name.replace(".zh.md", ".md")))


@named([*PAGES, *sorted(ROOT.glob("*.md"))])
def test_every_link_to_a_file_leads_somewhere(page):
    for link in _LINK.finditer(page.read_text("utf-8")):
        assert (page.parent / link["to"]).exists(), link["to"]


def test_the_watermelons_show_every_figure_of_the_worked_example():
    shown = "".join(text for _, text in blocks(WATERMELON))
    for column, figures in watermelon_figures.COLUMNS.items():
        (line,) = re.findall(rf"^{column}  gain .*$", shown, re.M)
        assert [float(number) for number in re.findall(r"\d\.\d{4}", line)] == list(figures)
    for cut, figures in watermelon_figures.CUTS.items():
        (line,) = re.findall(rf"^{cut:.4f}  gain .*$", shown, re.M)
        assert [float(number) for number in re.findall(r"\d\.\d{4}", line)] == [cut, *figures]
