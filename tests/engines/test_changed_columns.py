"""What a caller's memory holds may change while a tree grows, and may be more than fits: nothing crashes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from treewright import _core

TORTURE = bool(os.environ.get("TREEWRIGHT_TORTURE"))
PROGRAM = Path(__file__).parents[1] / "changed_columns.py"


def ints(*values):
    return np.array(values, np.int32)


@pytest.mark.parametrize("seed", range(5 if TORTURE else 1))
def test_a_column_changed_by_another_thread_makes_nothing_crash(seed):
    command = [sys.executable, "-X", "faulthandler", PROGRAM, str(seed), "10" if TORTURE else "1"]
    limit = 3000 if TORTURE else 600
    ran = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    assert ran.returncode == 0, ran.stderr
    n_trees, n_changes = map(int, ran.stdout.split())
    assert n_changes > n_trees > 10


def test_more_rows_than_one_process_numbers_are_refused_by_name():
    column = np.broadcast_to(np.float64(0), 3_000_000_000)  # takes no memory
    with pytest.raises(ValueError, match=r"3,000,000,000 rows; .* 2,147,483,647 rows at most.*a sample"):
        _core.TrainingSet([column], 3_000_000_000, 1)


def test_rankings_and_surrogates_are_told_of_every_column():
    of_average = {"criterion": "gain_ratio", "ranking": "above_average_gain", "missing": "spread"}
    of_average |= {"categorical": "multiway", "has_many_values": [True]}
    for name, words in (
        ("has_many_values", of_average),
        ("surrogates_for", {"missing": "surrogate", "surrogates_for": [True]}),
    ):
        training_set = _core.TrainingSet([np.arange(9.0)] * 2, 9, 1)
        engine = _core.LocalEngine(training_set, _core.Classes(ints(*[0, 1, 1] * 3), 2), None, 1)
        with pytest.raises(ValueError, match=f"{name} must have one entry a column"):
            _core.grow(engine, _core.Recipe(**words))


def test_targets_and_weights_are_checked_as_they_are_copied():
    """They were looked at when `Classes` was made, and may have changed since."""
    codes, numbers = ints(0, 1, 1), np.array([0.0, 1.0, 2.0])
    of_classes, of_numbers = _core.Classes(codes, 2), _core.Numbers(numbers)
    codes[1], numbers[2] = 60_000, np.nan
    rows = _core.TrainingSet([np.arange(3.0)], 3, 1)
    with pytest.raises(ValueError, match=r"codes\[1\] is 60000"):
        _core.LocalEngine(rows, of_classes, None, 1)
    with pytest.raises(ValueError, match=r"values\[2\] is nan"):
        _core.LocalEngine(rows, of_numbers, None, 1)
    with pytest.raises(ValueError, match=r"own_weights\[0\] is nan"):
        _core.LocalEngine(rows, _core.Classes(ints(0, 1, 1), 2), np.ones(3), 1, np.full(3, np.nan))
    with pytest.raises(ValueError, match=r"columns\[0\]\[2\] is 5; the column has 5 categories"):
        _core.TrainingSet([ints(0, -1, 5)], 3, 1, [5])
