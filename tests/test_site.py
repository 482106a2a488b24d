"""The site that `make docs` builds: every public name, every page and every language has its place."""

import importlib
import inspect
import re

import pytest

import treewright as tw
from cli.commands import run
from pages import ROOT

DOCS = ROOT / "docs"
FOLDERS = ("tutorials", "how-to", "explanation")
PAGES = sorted(
    page
    for folder in FOLDERS
    for page in (DOCS / folder).glob("*.md")
    if page.name != "index.md" and not page.name.endswith(".zh.md")
)
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.S)


@pytest.fixture
def api_pages(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_extensions"))
    return importlib.import_module("api_pages")


def test_every_public_name_has_a_page(api_pages):
    pages = api_pages.pages()
    for name in tw.__all__:
        is_error = getattr(tw, name) is getattr(tw.errors, name, None)
        assert f"treewright.errors.{name}" in pages["errors.rst"] if is_error else f"{name}.rst" in pages
    for name in tw.information.__all__:
        assert f"autofunction:: treewright.information.{name}" in pages["information.rst"]


def test_what_methods_give_has_a_page_and_is_listed(api_pages):
    pages = api_pages.pages()
    for name in ("Explanation", "Counterfactual", "PruningTable", "PruningComparison", "Tree", "Node"):
        assert f"autoclass:: {name}" in pages[f"{name}.rst"]
    listed = pages["index.rst"].split()
    assert {name.removesuffix(".rst") for name in pages} - {"index"} <= set(listed)


def test_no_two_pages_have_the_same_name(api_pages):
    names = [each.__name__ for each in (*api_pages.estimators(), *api_pages.results())]
    names += [*api_pages.functions(), *api_pages.MODULES]
    assert len({name.lower() for name in names}) == len(names)  # some disks do not tell cases apart


def test_classes_are_found_in_whatever_a_method_says_it_gives(api_pages):
    class Gives:
        def one(self) -> "Explanation": ...  # noqa: F821 - resolved as a type checker would
        def several(self) -> "dict[str, tuple[Node | None, ...]]": ...  # noqa: F821
        def stranger(self) -> "Axes": ...  # noqa: F821
        def _private(self) -> "Model": ...  # noqa: F821

    for function in vars(Gives).values():
        if inspect.isfunction(function):
            function.__module__ = "treewright.somewhere"
    assert sorted(each.__name__ for each in api_pages.given_by(Gives)) == ["Explanation", "Node"]


@pytest.fixture
def command_line(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_extensions"))
    return importlib.import_module("command_line")


def test_the_page_of_the_command_line_is_what_the_parser_takes(command_line):
    committed = (DOCS / command_line.PAGE).read_text("utf-8")
    assert committed == command_line.page(), "make docs writes it again; commit it"


def test_every_command_and_option_stands_on_the_page_of_the_command_line(command_line):
    of_all, *sections = command_line.page().split("\n## ")
    *commands, shared = sections
    helps = {name: run(name, "--help").out for name in (each.split("\n", 1)[0] for each in commands)}
    assert set(helps) == set(re.findall(r"^    ([a-z]+)(?: |$)", run("--help").out, re.M))
    for section, told in zip(commands, helps.values(), strict=True):
        reaches = section + of_all + (shared if "#how-the-table-is-written" in section else "")
        options = set(re.findall(r"^  (--?[a-z][-a-z]*)|, (--[a-z][-a-z]*)", told, re.M))
        for option in filter(None, (one or other for one, other in options)):
            assert f"`{option}" in reaches, option
        assert told.count("--") > 2
        for word in ("TABLE", "MODEL"):
            assert (f"| `{word}` |" in section) == bool(re.search(rf"^  {word}\b", told, re.M))


def test_a_new_option_changes_the_page_of_the_command_line(command_line, monkeypatch):
    def with_one_more():
        parser = command_line_before()
        (commands,) = (each for each in parser._actions if each.dest == "command")
        commands.choices["fit"].add_argument("--sideways", metavar="WAY", help="a|b, or *.c with --set")
        return parser

    command_line_before = command_line.command_line
    monkeypatch.setattr(command_line, "command_line", with_one_more)
    assert "| `--sideways WAY` | a\\|b, or \\*.c with `--set` |" in command_line.page()


def test_the_gallery_shows_what_an_example_draws_writes_and_prints(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(DOCS / "_extensions"))
    gallery = importlib.import_module("gallery")
    example = tmp_path / "two_things.py"
    example.write_text(
        '"""Do two\nthings.\n\nAt once.\n"""\n\nfrom pathlib import Path\n\n'
        'Path("a.svg").write_text("<svg/>")\nPath("b.html").write_text("<p>")\nprint("done")\n'
    )
    folder = tmp_path / "kept"
    folder.mkdir()
    page = gallery.page(example, folder)
    assert sorted(file.name for file in folder.iterdir()) == ["two_things-a.svg", "two_things-b.html"]
    assert page.startswith("Two things\n====")
    for shown in (
        ".. figure:: /_static/gallery/two_things-a.svg",
        "`b.html <../_static/gallery/two_things-b.html>`__",
        ":lines: 7-",
        "   done",
    ):
        assert shown in page
    entry = gallery.entry(example, folder)
    assert ":target: two_things.html" in entry
    assert ":doc:`two_things`: Do two things.\n" in entry


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_is_listed_and_has_its_twin_in_chinese(page):
    assert f"]({page.name})" in (page.parent / "index.md").read_text("utf-8"), "list it in index.md"
    twin = page.with_name(f"{page.stem}.zh.md")
    assert f"[中文]({twin.name})" in page.read_text("utf-8")
    assert f"[English]({page.name})" in twin.read_text("utf-8")
    assert f"/{twin.name})" in (DOCS / "index.zh.md").read_text("utf-8"), "list it in index.zh.md"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_both_languages_show_the_same_formulas(page):
    def formulas(of):
        text = re.sub(r"^```.*?^```$", "", of.read_text("utf-8"), flags=re.S | re.M)
        found = ("".join(each) for each in _FORMULA.findall(text))
        return sorted(re.sub(r"\\text\{[^}]*\}", "", formula) for formula in found)  # words are translated

    assert set(formulas(page)) == set(formulas(page.with_name(f"{page.stem}.zh.md")))


@pytest.mark.parametrize("name", ["index.md", "index.zh.md"])
def test_the_front_page_says_how_to_install_and_shows_a_picture(name):
    before_code, _ = (DOCS / name).read_text("utf-8").split("```python", 1)
    assert "\npip install " in before_code
    (picture,) = re.findall(r"!\[.+\]\((.+)\)", before_code)
    assert (DOCS / picture).is_file()
