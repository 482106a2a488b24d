"""What is told of parts elsewhere, in types, docs and errors, is what the parts say of themselves."""

import re
from typing import get_args

import pytest

from pages import ROOT
from treewright import parts
from treewright.estimators import parameters
from treewright.parts.criteria import CRITERIA, OF_CLASSES, OF_NUMBERS, ClassCriterion, NumberCriterion
from treewright.parts.part import Limit
from treewright.parts.pruners import METHODS, Method
from treewright.parts.recipe import SEAMS

KINDS = [kind for kinds in SEAMS.values() for kind in kinds]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_part_says_what_it_does_in_a_sentence_and_is_public(kind):
    assert re.fullmatch(r"[A-Z].*\.", kind.sentence())
    assert getattr(parts, kind.__name__) is kind
    assert kind.__name__ in parts.__all__


@pytest.mark.parametrize("seam", SEAMS)
def test_words_of_a_seam_are_different(seam):
    typed = [word for kind in SEAMS[seam] for word in kind.words()]
    known = [kind.word for kind in SEAMS[seam] if kind.word]
    assert len(set(typed)) == len(typed)
    assert len(set(known)) == len(known)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_limits_speak_of_parts_there_are(kind):
    for limit in kind.limits:
        assert isinstance(limit, Limit)
        assert set(limit.words) <= {each.word for each in SEAMS[limit.seam]}
        assert limit.why.count("{}") == 1


def test_types_list_the_words_of_the_parts():
    assert set(get_args(ClassCriterion)) == set(parameters.CRITERIA["classes"])
    assert set(get_args(NumberCriterion)) == {*parameters.CRITERIA["numbers"], "friedman_mse"}
    assert set(get_args(Method)) == set(METHODS)
    for words, table in (
        (parameters.CategoricalSplit, parameters.CATEGORICAL),
        (parameters.Missing, parameters.MISSING),
        (parameters.Growth, parameters.ORDERS),
        (parameters.LeafWord, parameters.LEAF_VALUES),
    ):
        assert set(get_args(words)) == set(table)


def test_every_criterion_suits_a_target():
    assert {kind.word for kind in CRITERIA} | {"function_of_numbers"} == {*OF_CLASSES, *OF_NUMBERS}


def typed_as(kind):
    return ", ".join(f'`"{word}"`' for word in kind.words()) or "a function"


@pytest.mark.parametrize("page", ["use-a-recipe.md", "use-a-recipe.zh.md"])
def test_the_table_of_criteria_in_the_docs_is_that_of_the_parts(page):
    text = (ROOT / "docs" / "how-to" / page).read_text("utf-8")
    rows = [
        f"| `{kind.__name__}` | {typed_as(kind)} | {', '.join(kind.suits)} | {kind.sentence()} |"
        for kind in CRITERIA
    ]
    assert re.findall(r"^\| `[A-Z].*$", text, re.M) == rows


@pytest.mark.parametrize("page", ["missing-values.md", "missing-values.zh.md"])
def test_the_table_of_missing_policies_in_the_docs_has_them_all(page):
    text = (ROOT / "docs" / "explanation" / page).read_text("utf-8")
    assert set(re.findall(r'^\| `"([a-z]+)"` \|', text, re.M)) == set(parameters.MISSING)
