"""Hostile data get the right answer or a clear error, from every estimator.

`trial.py` says how a case is judged; each line of the catalogues beside it is a case.
"""

import faulthandler
import sys

import pytest

from hostile import columns, new_rows, parameters, tables, targets, weights
from hostile.trial import ESTIMATORS, attempt

SECONDS = 120  # after which a trial counts as one that never ends: every stack is shown, and the process ends
CATALOGUES = {
    "columns": columns.CASES,
    "tables": tables.CASES,
    "targets": targets.CASES,
    "weights": weights.CASES,
    "parameters": parameters.CASES,
    "new rows": new_rows.CASES,
}
TRIALS = [
    pytest.param(case, estimator, id=f"{estimator}-{catalogue}-{case.name}")
    for catalogue, cases in CATALOGUES.items()
    for case in cases
    for estimator in ESTIMATORS
    if estimator.startswith(case.only)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Give one folder for all trials: making thousands takes longer than they do."""
    return tmp_path_factory.mktemp("hostile")


@pytest.mark.parametrize(("case", "estimator"), TRIALS)
def test_hostile_data_get_the_right_answer_or_a_clear_error(case, estimator, folder):
    faulthandler.dump_traceback_later(SECONDS, exit=True, file=sys.__stderr__)
    try:
        attempt(case, estimator, folder)
    finally:
        faulthandler.cancel_dump_traceback_later()


def test_every_estimator_has_two_hundred_cases_and_each_a_name_of_its_own():
    names = [trial.id for trial in TRIALS]
    assert len(set(names)) == len(names)
    assert all(sum(name.startswith(estimator) for name in names) >= 600 for estimator in ESTIMATORS)
