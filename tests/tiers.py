"""Which tests run when: `make test` answers in minutes, `make test-all` goes on, `make torture` digs deeper.

Nothing is left out for good. Of the tests below `make test` runs one case in so many, of every one of them at
least one, and tomorrow others: a week of small runs covers what one whole run does.
"""

import os
from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from zlib import crc32

import pytest

# Of the cases of each test in these folders and files, one in so many.
ONE_IN = {
    "tests/oracle_agreement": 7,  # random tables beside the oracle
    "tests/oracle": 7,  # the oracle beside other programs
    "tests/test_invariances.py": 7,  # the same, beside itself
    "tests/test_invariances_of_parts.py": 7,
    "tests/test_same_as_sklearn.py": 7,  # random tables beside scikit-learn
    "tests/test_same_model_everywhere.py": 5,
    "tests/test_sklearn_contract.py": 3,  # scikit-learn's checks, for 29 estimators
    "tests/golden": 4,  # trees of other programs on 29 tables
    "tests/explain/test_shapley.py": 4,
    "tests/engines/test_interrupts.py": 7,  # each waits for an interrupt
    "tests/model/test_mutated_files.py": 4,
    "tests/report": 5,  # a browser
    "tests/hostile": 7,  # thousands of bad tables, a few hundred a day
    "tests/cli/test_processes.py": 7,  # processes, for every page with commands
    "tests/test_writing.py": 3,
    "tests/test_examples.py": 5,
}


def one_in(name: str) -> int:
    """Tell of a test, by its name, how many cases there are to one that `make test` runs."""
    found = [share for place, share in ONE_IN.items() if name.startswith((f"{place}/", f"{place}::"))]
    return found[0] if found else 1


def quick(names: Iterable[str], day: int) -> set[str]:
    """Pick the cases that `make test` runs on a day.

    Of what a recorded answer is compared with, the oracle waits for `make test-all`.
    """
    cases: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if not (name.startswith("tests/golden/") and name.endswith("oracle]")):
            cases[name.partition("[")[0]].append(name)
    picked: set[str] = set()
    for test, of_test in cases.items():
        share = min(one_in(test), len(of_test))
        in_any_order = sorted(of_test, key=lambda name: crc32(name.encode()))
        picked.update(in_any_order[day % share :: share])
    return picked


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tier", choices=("quick", "rest"), help="see tests/tiers.py; by default all tests run")


def pytest_configure() -> None:
    # Workers ask the first process, so that a run over midnight stays one.
    os.environ.setdefault("TREEWRIGHT_TESTS_DAY", str(date.today().toordinal()))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tier = config.getoption("--tier")
    if tier is None:
        return
    picked = quick((item.nodeid for item in items), int(os.environ["TREEWRIGHT_TESTS_DAY"]))
    left = [item for item in items if (item.nodeid in picked) != (tier == "quick")]
    items[:] = [item for item in items if (item.nodeid in picked) == (tier == "quick")]
    config.hook.pytest_deselected(items=left)
