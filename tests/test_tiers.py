"""Which tests run when: every test on every day, every case within a week, nothing left out."""

from pages import ROOT
from tiers import ONE_IN, one_in, quick

NAMES = [
    *(f"tests/oracle_agreement/test_limits.py::test_limits[{case}]" for case in range(13)),
    *(f"tests/oracle_agreement/test_growth.py::test_growth[{case}]" for case in range(2)),
    "tests/oracle_agreement/test_walk.py::test_walk",
    *(f"tests/parts/test_bounds.py::test_bounds[{case}]" for case in range(9)),
    *(f"tests/golden/test_weka.py::test_nodes[iris{case}-oracle]" for case in range(3)),
    *(f"tests/golden/test_weka.py::test_nodes[iris{case}-library]" for case in range(6)),
]
TESTS = {name.partition("[")[0] for name in NAMES}


def test_every_test_runs_every_day():
    for day in range(10):
        assert {name.partition("[")[0] for name in quick(NAMES, day)} == TESTS


def test_all_cases_but_the_oracles_run_within_a_week():
    assert max(ONE_IN.values()) <= 7
    seen = set().union(*(quick(NAMES, day) for day in range(7)))
    assert set(NAMES) - seen == {name for name in NAMES if name.endswith("-oracle]")}


def test_other_rooms_run_whole():
    others = {name for name in NAMES if name.startswith("tests/parts")}
    assert others <= quick(NAMES, 3)
    # 1 or 2 of 13, 1 of 2, the lone one, 1 or 2 of the library's 6
    assert 4 <= len(quick(NAMES, 3)) - len(others) <= 6


def test_every_place_that_is_named_is_there_and_in_the_table_of_contributing():
    table = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    for place, share in ONE_IN.items():
        assert (ROOT / place).exists(), place
        assert f"| `{place}` | one in {share} |" in table, place
    assert one_in("tests/reporting/test_x.py::test_y") == 1
