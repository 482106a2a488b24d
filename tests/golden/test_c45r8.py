"""C4.5 Release 8 on the shared tables: its trees before and after pruning, its answers.

The program counts in float32. Where a stored tree is free of ties (`order_stable`) ours must be the same,
node for node, but for the results named in ROUNDED. Elsewhere both trees are walked together, and from the
first difference on a path both are replayed: every test taken must be worth as much as the best (replay_c45).
"""

from dataclasses import replace
from fractions import Fraction

import pytest

from golden import quinlan
from golden.learners import LEARNERS, Fitted
from golden.quinlan import Stored
from oracle import naive_c45, naive_c45_pruning
from oracle.naive_c45 import Candidate, Growth
from oracle.naive_c45_rules import J48, TEXTBOOK
from oracle.quinlan_tree import Grown
from oracle.replay_c45 import Comparison, Judge, compare

NAMES = quinlan.c45_results()
ROUNDED = {  # stable trees that float32 decides (definitions 2.1): the node at which ours is another
    (
        "c45r8__watermelon_20__g",
        "unpruned",
    ): "three columns gain 0.458 at 纹理=清晰, the program takes the last",
    ("c45r8__watermelon_20__g", "pruned"): "the same",
    ("c45r8__watermelon_20__g_m1", "pruned"): "the same",
    ("c45r8__titanic__g", "unpruned"): "a node of thirds that weighs 2m within rounding",
}
OPEN = {  # nodes at which -s does not merge as definitions 1.1 says (the open point of 2.1), and what follows
    "c45r8__credit_a__s": 2,
    "c45r8__soybean__s": 6,
}
BUG = ("c45r8__soybean__s", "c45r8__titanic__s")  # where the bug of -s (definitions 2.1) shows
VARIANTS = {"j48": J48, "textbook": TEXTBOOK}
NOISE = {"c45r8__hypothyroid__m1": 1}  # a gain of zero over a tiny split info, from float32 (definitions 2.1)
FLOAT32_SUMS = 1e-5  # thousands of shares added up; not granted to the stable trees

pytestmark = pytest.mark.skipif(not NAMES, reason=f"no stored results at {quinlan.GOLDEN}")
runs = pytest.mark.parametrize(
    ("name", "learner"),
    [
        pytest.param(name, learner, id=f"{name}-{kind}")
        for name in NAMES
        for kind, learner in LEARNERS.items()
    ],
)


def fit(learner, result: Stored) -> Fitted:
    """Fit as the program was run, or skip what is too large for this learner."""
    if len(result.table) > learner.max_rows:
        pytest.skip(f"{len(result.table)} rows, this learner is given {learner.max_rows} at most")
    return learner.c45(result.table, quinlan.c45_rules(result.options))


def compared(result: Stored, ours: Grown, judge: Judge | None) -> Comparison:
    """Compare with a stored tree; unpruned ones are stored without the categories tests above exclude."""
    share = 0.0 if result.is_stable else FLOAT32_SUMS
    theirs, ours = (naive_c45_pruning.without_excluded(tree) for tree in (result.tree, ours))
    return compare(theirs, ours, judge, share=share)


def is_decided_by_rules(name: str, step: str) -> bool:
    return quinlan.load_c45(name, step).is_stable and (name, step) not in ROUNDED


@runs
def test_the_unpruned_tree_is_release_8s_or_differs_at_a_proven_tie(name, learner):
    result = quinlan.load_c45(name, "unpruned")
    if "tree" not in result.kept:
        pytest.skip("the tree was too large to be stored")
    fitted = fit(learner, result)
    judge = Judge(result.table, quinlan.c45_rules(result.options))
    found = compared(result, fitted.unpruned, judge)
    if is_decided_by_rules(name, "unpruned"):
        assert found.same, (found.parted, found.problems)
    assert len(found.problems) == OPEN.get(name, 0) + NOISE.get(name, 0), found.problems
    if found.same:
        check_figures(result, fitted, found)


@runs
def test_the_pruned_tree_is_release_8s_where_what_was_pruned_is(name, learner):
    """Where ties made another unpruned tree, ours must be what the oracle's pruning makes of ours."""
    result, before = quinlan.load_c45(name, "pruned"), quinlan.load_c45(name, "unpruned")
    fitted = fit(learner, result)
    rules = quinlan.c45_rules(result.options)
    found = compared(result, fitted.pruned, None)
    was_same = "tree" in before.kept and compared(before, fitted.unpruned, None).same
    if is_decided_by_rules(name, "pruned") or was_same:
        assert found.same, (found.parted, found.problems)
        check_figures(result, fitted, found)
    again = naive_c45_pruning.prune(fitted.unpruned, result.table, rules)
    assert compare(again, fitted.pruned, None).same


@pytest.mark.parametrize("name", BUG)
def test_the_least_weight_is_lost_as_by_the_oracle(name):
    """Node for node, also where float32 makes the stored tree another."""
    table, rules = quinlan.load_c45(name, "unpruned").table, quinlan.c45_rules("-s")
    plain, library = (LEARNERS[kind].c45(table, rules) for kind in ("oracle", "library"))
    assert compare(plain.unpruned, library.unpruned, None).same
    assert compare(plain.pruned, library.pruned, None).same
    kept = naive_c45.grow(table, replace(rules, forget_min_cases=False))
    assert not compare(kept, library.unpruned, None).same


@pytest.mark.parametrize("variant", ["j48", "textbook"])
@pytest.mark.parametrize("name", BUG)
def test_only_release_8_loses_the_least_weight(name, variant):
    table = quinlan.load_c45(name, "unpruned").table
    rules = replace(VARIANTS[variant], group_categories=True)
    found = LEARNERS["library"].c45(table, rules).unpruned
    grown, lost = (
        naive_c45.grow(table, replace(rules, forget_min_cases=forgets)) for forgets in (False, True)
    )
    assert compare(grown, found, None).same
    assert not compare(lost, found, None).same


@pytest.mark.parametrize("name", NAMES)
def test_the_oracle_prunes_release_8s_own_trees_as_it_does(name):
    result, before = quinlan.load_c45(name, "pruned"), quinlan.load_c45(name, "unpruned")
    if "tree" not in before.kept:
        pytest.skip("the unpruned tree was too large to be stored")
    if len(result.table) > LEARNERS["oracle"].max_rows:
        pytest.skip(f"{len(result.table)} rows are too many for the oracle")
    ours = naive_c45_pruning.prune(before.tree, result.table, quinlan.c45_rules(result.options))
    found = compared(result, ours, None)
    assert found.same, (found.parted, found.problems)


def test_the_excused_trees_of_watermelon_20_part_at_an_exact_tie():
    """Release 8 takes 触感 where it gains no more than 根蒂, which comes first."""
    table = quinlan.table("watermelon_20")
    growth = Growth(table, quinlan.c45_rules("-g"))
    texture = next(i for i, column in enumerate(table.columns) if column.name == "纹理")
    clear = [case for case in table.cases() if table.values[texture][case[0]] == 0]
    offers = growth.offers(clear, frozenset({texture}))
    gains = {
        table.columns[one.question.column].name: one.gain for one in offers if isinstance(one, Candidate)
    }
    print({name: gains[name] for name in ("根蒂", "脐部", "触感")})
    assert max(gains.values()) == pytest.approx(0.45810589515712374, abs=1e-12)
    assert abs(gains["根蒂"] - gains["触感"]) <= 1e-12


def test_the_excused_tree_of_titanic_parts_at_a_node_of_twice_the_least_weight():
    """Release 8 sums thirds to a little less than 2m = 4 and stops; the sum is 4."""
    result = quinlan.load_c45("c45r8__titanic__g", "unpruned")
    ours = naive_c45.grow(result.table, quinlan.c45_rules("-g"), result.table.cases(Fraction(1)))
    found = compared(result, ours, Judge(result.table, quinlan.c45_rules("-g")))
    print(found.parted)
    assert len(found.parted) == 1
    assert not found.problems


def check_figures(result: Stored, fitted: Fitted, found: Comparison) -> None:
    """Compare what is stored beside the tree."""
    is_pruned = result.step == "pruned"
    ours = fitted.pruned if is_pruned else fitted.unpruned
    kept, table = result.kept, result.table
    assert len(list(ours.walk())) == kept["n_nodes"]
    assert len(list(ours.leaves())) == kept["n_leaves"]
    assert ours.depth() == kept["depth"]
    for theirs, mine in found.pairs:
        assert mine.label == theirs.label
        assert all(
            abs(float(a) - b) <= 1e-3 + FLOAT32_SUMS * theirs.weight
            for a, b in zip(mine.class_weights, theirs.class_weights, strict=True)
        )
        assert abs(float(mine.errors) - theirs.errors) <= 1e-3 + FLOAT32_SUMS * theirs.weight
    rows = quinlan.rows_of(table)
    answers = fitted.answers(rows, pruned=is_pruned)
    shares = fitted.shares(rows, pruned=is_pruned)
    for row, said in enumerate(kept["pred"]):  # shares that are equal are told apart by float32
        assert answers[row] == said or shares[row][said] >= max(shares[row]) - 1e-5, row
    if "proba" in kept:
        assert all(
            abs(a - b) <= 2e-5
            for x, y in zip(shares, kept["proba"], strict=True)
            for a, b in zip(x, y, strict=True)
        )
