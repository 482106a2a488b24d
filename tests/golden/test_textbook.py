"""The figures of the textbooks: every score at the root, every node of ID3, and note 2's worked example."""

from dataclasses import replace
from math import isclose

import pytest

import watermelon_figures
from golden import quinlan
from golden.learners import LEARNERS
from oracle.naive_c45 import Growth
from oracle.naive_c45_rules import RELEASE8, TEXTBOOK, bits, gain_of, split_info_of
from oracle.naive_id3 import gains
from oracle.quinlan_tree import Case, Grown, Table, class_weights, spread

FOLDER = quinlan.GOLDEN / "textbook"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
WITH_ID3 = [name for name in NAMES if "id3_tree" in quinlan.read(FOLDER / f"{name}.json")]
EXACT = 1e-9

pytestmark = pytest.mark.skipif(not NAMES, reason=f"no textbook figures at {FOLDER}")
learners = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())


@pytest.mark.parametrize("name", NAMES)
def test_every_score_at_the_root_comes_out(name):
    figures = quinlan.read(FOLDER / f"{name}.json")
    table = quinlan.table(figures["dataset"])
    weights = class_weights(table, table.cases())
    assert isclose(bits(weights) / len(table), figures["entropy"], abs_tol=EXACT)
    rules = replace(TEXTBOOK, min_cases=1, score_tolerance=-1.0)  # cuts without gain are listed too
    for number, column in enumerate(table.columns):
        kept = figures["attributes"][column.name]
        growth = Growth(table, rules)
        if column.is_number:
            cuts = growth.cuts(number, table.cases())
            assert [one.question.cut for one in cuts] == [one["threshold"] for one in kept["candidates"]]
            for ours, theirs in zip(cuts, kept["candidates"], strict=True):
                assert isclose(ours.gain, theirs["gain"], abs_tol=EXACT)
            continue
        inside, unknown = growth.by_category(number, column, table.cases())
        sizes = [sum(one) for one in inside]
        gain = gain_of(inside, unknown, TEXTBOOK)
        assert isclose(gain, kept["gain"], abs_tol=EXACT)
        assert isclose(split_info_of(sizes, unknown, TEXTBOOK), kept["split_info_known"], abs_tol=EXACT)
        assert isclose(split_info_of(sizes, unknown, RELEASE8), kept["split_info_c45"], abs_tol=EXACT)
        assert isclose(gain / split_info_of(sizes, unknown, RELEASE8), kept["gain_ratio_c45"], abs_tol=EXACT)


@learners
@pytest.mark.parametrize("name", WITH_ID3)
def test_every_node_of_id3_has_the_books_gains(name, learner):
    figures = quinlan.read(FOLDER / f"{name}.json")
    table = quinlan.table(figures["dataset"])
    check_id3(figures["id3_tree"], learner.id3(table), table, table.cases(), frozenset())


def check_id3(kept: dict, node: Grown, table: Table, cases: list[Case], tested: frozenset[int]) -> None:
    """Compare a node and all below it."""
    assert node.weight == kept["n"]
    if node.is_leaf:
        assert "split" not in kept
        assert table.classes[node.label] == kept.get("leaf", kept.get("leaf_from_parent"))
        return
    assert table.columns[node.question.column].name == kept["split"]
    for number, gain in gains(table, cases, tested).items():
        assert isclose(gain, kept["gains"][table.columns[number].name], abs_tol=EXACT)
    below = tested | {node.question.column}
    branches = spread(table, node.question, cases)
    categories = table.columns[node.question.column].categories
    for category, child, branch in zip(categories, node.children, branches, strict=True):
        check_id3(kept["children"][category], child, table, branch, below)


def test_note_2_finds_density_below_0_3815():
    """The worked example of mission.md: unknowns are no branch, cuts cost nothing, every cut competes."""
    table = quinlan.table("watermelon_20a_density")
    growth = Growth(table, replace(TEXTBOOK, min_cases=1))
    offers = growth.offers(table.cases(), frozenset())
    by_name = [(table.columns[one.question.column].name, one) for one in offers]
    for name, one in by_name:
        ratio = one.gain / one.split_info
        if name == "密度":
            gain, expected = watermelon_figures.CUTS[round(one.question.cut, 4)]
            assert abs(one.gain - gain) <= 5e-5 + EXACT
        else:
            expected = watermelon_figures.COLUMNS[name][2]
        assert abs(ratio - expected) <= 5e-5 + EXACT
    assert len(offers) == len(watermelon_figures.COLUMNS) + len(watermelon_figures.CUTS)
    best = growth.choose(table.cases(), frozenset())
    assert table.columns[best.question.column].name == "密度"
    assert isclose(best.question.cut, 0.3815)


@learners
def test_the_textbook_variant_asks_note_2s_question_first(learner):
    table = quinlan.table("watermelon_20a_density")
    root = learner.c45(table, TEXTBOOK).unpruned
    assert table.columns[root.question.column].name == "密度"
    assert isclose(root.question.cut, 0.3815)
