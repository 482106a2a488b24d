"""The extra errors of a leaf, as C4.5 Release 8 and J48 compute them: 2704 cases of each."""

from dataclasses import replace

import pytest

from golden import quinlan
from oracle.naive_c45_pruning import extra_errors
from oracle.naive_c45_rules import J48, RELEASE8
from treewright.model.pessimism import pessimism
from treewright.recipes import C45_J48, C45_RELEASE8

PATH = quinlan.GOLDEN / "pessimistic_errors.json"
CANCELLED = {  # (confidence, n, e): float32 takes e = 32560 from a number next to it and few digits are left
    *((confidence, 32561, 32560) for confidence in (0.001, 0.01, 0.1, 0.25, 0.4, 0.5, 0.75)),
    (0.75, 32561, 8140.25),
}

OF_RELEASE8, OF_J48 = (recipe.pruner.pruners[-1] for recipe in (C45_RELEASE8, C45_J48))
IMPLEMENTATIONS = {  # errors to add to e among n cases
    "oracle": lambda n, e, confidence, is_j48: extra_errors(
        n, e, replace(J48 if is_j48 else RELEASE8, confidence=confidence)
    ),
    "library": lambda n, e, confidence, is_j48: pessimism(
        replace(OF_J48 if is_j48 else OF_RELEASE8, confidence=confidence)
    ).extra(n, e),
}
implementations = pytest.mark.parametrize("extra", IMPLEMENTATIONS.values(), ids=IMPLEMENTATIONS.keys())
pytestmark = pytest.mark.skipif(not PATH.is_file(), reason=f"no stored values at {PATH}")


@implementations
def test_release_8s_extra_errors_come_out_but_where_float32_cancels(extra):
    wrong = set()
    for confidence, n, e, theirs, _ in quinlan.read(PATH)["rows"]:
        ours = extra(n, e, confidence, False)
        if abs(ours - theirs) > 1e-4 * abs(theirs) + 1e-7:
            wrong.add((confidence, n, e))
    assert wrong == CANCELLED


@implementations
def test_release_8s_estimates_come_out_everywhere(extra):
    for confidence, n, e, theirs, _ in quinlan.read(PATH)["rows"]:
        ours = extra(n, e, confidence, False)
        assert abs(ours - theirs) <= 1e-5 * max(1.0, e + theirs)


@implementations
def test_j48s_extra_errors_come_out(extra):
    for confidence, n, e, _, theirs in quinlan.read(PATH)["rows"]:
        ours = extra(n, e, confidence, True)
        # WEKA approximates the normal quantile; at a confidence of 0.001 its sixth digit differs.
        assert abs(ours - theirs) <= 1e-5 * max(1.0, abs(theirs)), (confidence, n, e)
