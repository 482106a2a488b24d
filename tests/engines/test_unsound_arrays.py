"""The core refuses arrays that form no tree, says which entry is wrong, and never crashes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from treewright import _core
from treewright.model.pessimism import pessimism
from treewright.parts.pruners import ErrorBased

TORTURE = bool(os.environ.get("TREEWRIGHT_TORTURE"))
PROGRAM = Path(__file__).parents[1] / "unsound_arrays.py"


@pytest.mark.parametrize("seed", range(10 if TORTURE else 2))
def test_no_arrays_make_the_core_crash(seed):
    n = 200_000 if TORTURE else 30_000
    command = [sys.executable, "-X", "faulthandler", PROGRAM, str(seed), str(n)]
    limit = 3000 if TORTURE else 600
    ran = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    assert ran.returncode == 0, ran.stderr
    told = {what: int(count) for what, _, count in (line.rpartition(" ") for line in ran.stdout.splitlines())}
    assert sum(count for what, count in told.items() if not what.endswith("sound")) == n
    for what in {name.rpartition(" ")[0] for name in told}:
        assert told[f"{what} sound"] > 0, "every call is one that sound arrays are answered by"
        assert told[f"{what} refused"] > told[f"{what} answered"] > 0


def ints(*values):
    return np.array(values, np.int32)


CHILD_BEGIN, CHILD = ints(0, 2, 2, 2), ints(1, 2)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: _core.add_up(CHILD_BEGIN, CHILD, np.ones((2, 1))),
            "values has 2 entries; there are 3 nodes",
        ),
        (lambda: _core.add_up(ints(), CHILD, np.ones((0, 1))), "child_begin has 0 entries"),
        (lambda: _core.cut_at(CHILD_BEGIN, ints(1, 2**30), ints()), r"child\[1\] is 1073741824"),
        (lambda: _core.cut_at(CHILD_BEGIN, CHILD, ints(0, 3)), r"leaves\[1\] is 3; there are 3 nodes"),
        (lambda: _core.cut_at(CHILD_BEGIN, CHILD, ints(-1)), r"leaves\[0\] is -1"),
        (lambda: _core.weakest_links(ints(0, 2, 2, 9), CHILD, np.ones(3)), r"child_begin\[3\] is 9"),
        (lambda: _core.complexities(CHILD_BEGIN, CHILD, np.ones(2), 0.0), "risk has 2 entries"),
        (
            lambda: _core.no_worse_as_leaves(CHILD_BEGIN, CHILD, np.ones(3), np.ones(4), True),
            "slack has 4 entries; there are 3 nodes",
        ),
    ],
)
def test_it_is_said_what_is_wrong_and_where(call, said):
    with pytest.raises(ValueError, match=f"not a tree: .*{said}"):
        call()


def router(column, codes=(), branches=(), missing_branch=0):
    """Lay out a question with two leaves."""
    none = _core.Questions(ints(), np.zeros(0), np.zeros(0, np.int64), ints(0), ints(), ints())
    sizes = ints(0, len(codes), len(codes), len(codes))
    cut = np.array([np.nan if len(codes) else 0.5, np.nan, np.nan])
    question = _core.Questions(
        ints(column, -1, -1), cut, np.zeros(3, np.int64), sizes, ints(*codes), ints(*branches)
    )
    missing = ints(missing_branch, -1, -1)
    return _core.Router(question, CHILD_BEGIN, CHILD, missing, np.ones(3), ints(0, 0, 0, 0), none, ints())


def test_the_largest_codes_and_columns_take_no_more_room_than_others():
    """They made tables of two thousand million ways, or of as many columns."""
    largest = 2**31 - 1
    by_code = router(0, (largest - 1, largest), (0, 1), missing_branch=1)
    assert by_code.apply([ints(largest - 1, largest, 0, -1)], 1).tolist() == [1, 2, 2, 2]
    far_apart = router(0, (3, largest), (1, 0), missing_branch=1)
    assert far_apart.apply([ints(3, largest, 4)], 1).tolist() == [2, 1, 2]
    with pytest.raises(ValueError, match=r"the table has 1 columns, .* the last is column 2147483647"):
        router(largest).apply([np.zeros(4)], 1)


def test_errors_between_none_and_several_are_expected_to_cost_something_between():
    """Interpolated up to more than one error, the errors to add called for themselves without end."""
    rules = pessimism(ErrorBased(one_error=3.0))
    none, one = rules.extra(20.0, 0.0), pessimism(ErrorBased()).extra(20.0, 1.0)
    assert rules.extra(20.0, 2.0) == none + 2 * (one - none)
