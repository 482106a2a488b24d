"""Hostile data get the right answer or a clear error, from every estimator.

`trial.py` says how a case is judged; each line of the catalogues beside it is a case.
"""

import faulthandler
import sys

import pytest

from hostile import columns, tables, targets, weights
from hostile.trial import ESTIMATORS, attempt

SECONDS = 120  # after which a trial counts as one that never ends: every stack is shown, and the process ends
CATALOGUES = {
    "columns": columns.CASES,
    "tables": tables.CASES,
    "targets": targets.CASES,
    "weights": weights.CASES,
}
TRIALS = [
    pytest.param(case, estimator, id=f"{estimator}-{catalogue}-{case.name}")
    for catalogue, cases in CATALOGUES.items()
    for case in cases
    for estimator in ESTIMATORS
    if estimator.startswith(case.only)
]


@pytest.fixture(autouse=True)
def ends():
    faulthandler.dump_traceback_later(SECONDS, exit=True, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize(("case", "estimator"), TRIALS)
def test_hostile_data_get_the_right_answer_or_a_clear_error(case, estimator, tmp_path):
    attempt(case, estimator, tmp_path)
