"""WEKA on the shared tables: every J48 tree, to the last figure, and every Id3 tree.

J48 counts in float64 with a tolerance of its own, so nothing is left to chance: tests, weights, gains, ratios
and answers must all be the same, whether or not the tree is free of ties.
"""

import pytest

from golden import quinlan
from golden.learners import LEARNERS, Fitted
from golden.quinlan import Stored
from oracle.quinlan_tree import Grown
from oracle.replay_c45 import compare

NAMES = quinlan.j48_results()
ID3 = sorted(path.stem for path in (quinlan.GOLDEN / "weka").glob("weka36_id3__*.json"))

pytestmark = pytest.mark.skipif(not NAMES, reason=f"no stored results at {quinlan.GOLDEN}")
learners = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())


@learners
@pytest.mark.parametrize("name", NAMES)
def test_every_node_and_answer_is_j48s(name, learner):
    result = quinlan.load_j48(name)
    if len(result.table) > learner.max_rows:
        pytest.skip(f"{len(result.table)} rows, this learner is given {learner.max_rows} at most")
    fitted = learner.c45(result.table, quinlan.j48_rules(result.options))
    found = compare(result.tree, fitted.pruned, None)
    assert found.same, (found.parted, found.problems)
    for theirs, ours in found.pairs:
        check_node(theirs, ours)
    check_answers(result, fitted)


def check_node(theirs: Grown, ours: Grown) -> None:
    """Compare all that is stored of a node."""
    assert ours.label == theirs.label
    assert abs(ours.weight - theirs.weight) <= 1e-9 * max(1.0, theirs.weight)
    for a, b in zip(ours.class_weights, theirs.class_weights, strict=True):
        assert abs(a - b) <= 1e-9 * max(1.0, theirs.weight)
    if theirs.question is not None:
        assert abs(ours.gain - theirs.gain) <= 1e-9
        assert abs(ours.worth - theirs.worth) <= 1e-9


def check_answers(result: Stored, fitted: Fitted) -> None:
    """Compare the sizes, the answers and the shares, printed to six digits."""
    kept, ours = result.kept, fitted.pruned
    assert len(list(ours.walk())) == kept["n_nodes"]
    assert len(list(ours.leaves())) == kept["n_leaves"]
    assert ours.depth() == kept["depth"]
    rows = quinlan.rows_of(result.table)
    assert fitted.answers(rows, pruned=True) == kept["pred"]
    if "proba" in kept:
        for mine, theirs in zip(fitted.shares(rows, pruned=True), kept["proba"], strict=True):
            assert all(abs(a - b) <= 1e-6 for a, b in zip(mine, theirs, strict=True))


@learners
@pytest.mark.parametrize("name", ID3)
def test_every_node_is_id3s(name, learner):
    result = quinlan.load_j48(name)
    check_id3(result.kept["tree"], learner.id3(result.table), result)


def check_id3(stored: dict, ours: Grown, result: Stored) -> None:
    """Compare a node of Id3 and all below it; an empty branch has no class."""
    table = result.table
    assert ("attr" not in stored) == ours.is_leaf
    if ours.is_leaf:
        assert (stored["class"] is None) == (ours.weight == 0)
        if ours.weight > 0:
            assert stored["class"] == table.classes[ours.label]
            shares = [weight / ours.weight for weight in ours.class_weights]
            assert all(abs(a - b) <= 1e-6 for a, b in zip(shares, stored["proba"], strict=True))
        return
    column = table.columns[ours.question.column]
    assert column.name == stored["attr"]
    assert [branch["value"] for branch in stored["branches"]] == list(column.categories)
    for branch, child in zip(stored["branches"], ours.children, strict=True):
        check_id3(branch["node"], child, result)
