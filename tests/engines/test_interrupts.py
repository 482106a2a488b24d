"""Ctrl-C is heard while the core sorts, searches a node, prunes and predicts, and all goes on after it."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from treewright import DecisionTreeClassifier

SCRIPT = Path(__file__).resolve().parents[1] / "interrupted_work.py"
MOST_S = 2.0  # ten times what is asked

IN_THREADS = [
    "sort",
    "sort_equal_beginnings",
    "sort_for_growth",
    "counted_nodes",
    "absolute_error",
    "surrogates",
    "rows_in_shares",
    "refit",
    "predict",
    "shapley_values",
]
IN_ONE = [
    "many_categories",
    "groups_of_categories",
    "fingerprint",
    "prune_cost_complexity",
    "prune_error_based",
    "predict_rows_in_shares",
    "general_rule",
]


@pytest.mark.parametrize(
    ("work", "n_threads"),
    [*((work, n) for work in IN_THREADS for n in (1, 2)), *((work, 1) for work in IN_ONE)],
)
def test_work_of_the_core_hears_an_interrupt(work, n_threads):
    ran = subprocess.run(
        [sys.executable, str(SCRIPT), work],
        env={**os.environ, "TREEWRIGHT_THREADS": str(n_threads)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["ended"] == "interrupted"
    assert told["longest_s"] < MOST_S
    assert told["threads_left"] == 0
    assert told["is_same_after"]


def test_a_fit_in_another_thread_is_not_interrupted():
    """Python handles signals in its main thread alone, which is free to."""
    X, y = np.random.default_rng(0).random((200_000, 10)), np.arange(200_000) % 2
    expected = DecisionTreeClassifier(max_depth=6).fit(X, y).tree_
    heard, fitted = [], []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    try:
        fit = threading.Thread(target=lambda: fitted.append(DecisionTreeClassifier(max_depth=6).fit(X, y)))
        fit.start()
        while fit.is_alive():
            os.kill(os.getpid(), signal.SIGINT)
            fit.join(0.01)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard
    assert fitted[0].tree_ == expected
