"""The table of Chinese words: complete, with the same figures, and without words that nobody says."""

import ast
import re
from pathlib import Path

import pytest

import treewright as tw
from treewright.errors import ParameterError
from treewright.model.ledger_arrays import VERDICTS, WHY_LEAF
from treewright.model.ledger_rows import _WHY
from treewright.model.pruning_ledger import _TITLES
from treewright.wording import CHINESE, as_language, said

SRC = Path(tw.__file__).parent
_FIGURE = re.compile(r"{(\w+)}")


def texts_in_the_source():
    """Collect all texts that the package's code holds, but for the table itself."""
    for file in SRC.rglob("*.py"):
        if file.name != "wording.py":
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def said_in(file):
    """Collect the texts that a file says, where they are given as they are."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("said", "_said", "say"):
            for each in node.args[:2]:
                found = [each.body, each.orelse] if isinstance(each, ast.IfExp) else [each]
                yield from (one.value for one in found if isinstance(one, ast.Constant))


@pytest.mark.parametrize("english", CHINESE)
def test_a_translation_has_the_same_figures(english):
    assert sorted(_FIGURE.findall(CHINESE[english])) == sorted(_FIGURE.findall(english))
    assert re.search(r"[一-鿿…]", CHINESE[english]) or english == "Twoing"


def test_every_text_of_the_table_is_said_somewhere():
    # Some begin with a word of their own: "gain {below} ...", "sd {figure}", "1 row".
    there = set(texts_in_the_source())
    ends = {" {below} below {above} of `{winner}`", " {figure}"}
    begins = {"tied with {split}, "}
    unsaid = {
        text
        for text in set(CHINESE) - there
        if not any(text.endswith(end) for end in ends) and not any(text.startswith(each) for each in begins)
    }
    assert unsaid == set()


@pytest.mark.parametrize(
    "name",
    [
        *("export/drawn.py", "export/html.py", "export/picture.py", "export/text.py"),
        *("model/questions.py", "model/ledger.py"),
        *(
            "model/ledger_rows.py",
            "model/ledger_arrays.py",
            "model/pruning_ledger.py",
            "model/pruning_rows.py",
        ),
    ],
)
def test_every_text_that_is_said_is_in_the_table(name):
    texts = {
        text
        for text in said_in(SRC / name)
        if text not in ("en", "zh") and not text.startswith((" {", "tied with {split}, "))
    }
    assert texts - set(CHINESE) == set()
    assert texts


def test_every_reason_for_a_leaf_has_a_translation():
    assert set(WHY_LEAF.values()) - {"asks"} <= set(CHINESE)
    told = {"won", "tied", "below average", "too few", "other cut", *_WHY}
    assert set(VERDICTS) - told | set(_WHY.values()) <= set(CHINESE)
    assert set(_TITLES.values()) <= set(CHINESE)


def test_other_languages_are_refused():
    assert as_language("zh") == "zh"
    with pytest.raises(ParameterError, match="lang='de' is not a language of treewright; use 'en' or 'zh'"):
        as_language("de")
    assert said("en", "{n} stay", n=3) == "3 stay"
