"""How many threads: what the machine grants, and one inside a worker."""

import os
import re
import subprocess
import sys

import joblib
import numpy as np
import pytest

from pages import ROOT
from samples import sample
from treewright.engines import threads
from treewright.engines.threads import _cgroup_quota, n_threads, usable_cores
from treewright.recipes import CART_NUMBERS


@pytest.fixture
def four_cores(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    monkeypatch.setattr(threads, "_CGROUP", tmp_path)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.delenv("TREEWRIGHT_THREADS", raising=False)
    return tmp_path


@pytest.mark.parametrize(("n_jobs", "expected"), [(None, 4), (1, 1), (3, 3), (-1, 4), (-2, 3), (-9, 1)])
def test_n_jobs_counts_as_in_joblib(four_cores, n_jobs, expected):
    assert n_threads(n_jobs) == expected


@pytest.mark.parametrize("n_jobs", [5, 8, 100_000, 10**18])
def test_more_jobs_than_cores_are_all_cores(four_cores, n_jobs):
    assert n_threads(n_jobs) == 4


@pytest.mark.parametrize(("value", "expected"), [("8", 8), ("1", 1), ("0", 4), ("many", 4), ("9" * 5000, 4)])
def test_treewright_threads_sets_the_number_of_cores(four_cores, monkeypatch, value, expected):
    monkeypatch.setenv("TREEWRIGHT_THREADS", value)
    assert (n_threads(None), n_threads(100_000)) == (expected, expected)


def test_nobody_else_counts_cores():
    """The core takes any number of threads, and so does an engine."""
    counting = re.compile(
        r"cpu_count|sched_getaffinity|process_cpu|hardware_concurrency|get_nprocs|_SC_NPROC"
    )
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "cpp").rglob("*.[hc]pp")]
    found = {file.name for file in files if counting.search(file.read_text("utf-8"))}
    assert found == {"threads.py"}


def test_eight_threads_run_where_eight_are_asked_for(eight_threads):
    rng = np.random.default_rng(0)
    rows = sample([rng.random(5_000) for _ in range(8)], rng.random(5_000), None, n_threads(8))
    assert rows.grow(CART_NUMBERS).work.n_threads == 8


LIMITED = """
import resource, sys
import numpy as np, treewright
rng = np.random.default_rng(0)
X = rng.random((20_000, 10))
y = X[:, 0] * X[:, 1] + rng.normal(size=20_000) * 0.1
alone = treewright.DecisionTreeRegressor(max_depth=6, n_jobs=1).fit(X, y)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 400_000_000,) * 2)  # room for a few stacks of threads only
many = treewright.DecisionTreeRegressor(max_depth=6, n_jobs=-1).fit(X, y)
assert many.tree_ == alone.tree_
assert (many.predict(X) == alone.predict(X)).all()
print("served")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_threads_that_cannot_start_are_done_without():
    """Version 0.1 aborted the interpreter here, with exit status 134."""
    environment = {**os.environ, "TREEWRIGHT_THREADS": "400"}
    done = subprocess.run(
        [sys.executable, "-c", LIMITED],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "served\n"), done.stderr


@pytest.mark.parametrize(
    ("value", "expected"), [("2", 2), ("3,1", 3), ("64", 4), ("0", 4), ("many", 4), ("", 4)]
)
def test_omp_num_threads_is_heeded(four_cores, monkeypatch, value, expected):
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    assert usable_cores() == expected


@pytest.mark.parametrize(
    ("quota", "expected"), [("150000 100000", 2), ("50000 100000", 1), ("max 100000", 4)]
)
def test_a_quota_of_cgroup_2_is_heeded(four_cores, quota, expected):
    (four_cores / "cpu.max").write_text(quota)
    assert usable_cores() == expected


@pytest.mark.parametrize(("quota", "expected"), [("300000", 3), ("-1", 4)])
def test_a_quota_of_cgroup_1_is_heeded(four_cores, quota, expected):
    (four_cores / "cpu").mkdir()
    (four_cores / "cpu" / "cpu.cfs_quota_us").write_text(quota)
    (four_cores / "cpu" / "cpu.cfs_period_us").write_text("100000")
    assert usable_cores() == expected


def test_no_quota_is_no_limit(tmp_path):
    assert _cgroup_quota(tmp_path) is None


def test_a_system_without_affinity_counts_its_cores(four_cores, monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert usable_cores() == 3


@pytest.mark.parametrize(
    ("n_jobs", "error"), [(0, ValueError), (1.5, TypeError), ("all", TypeError), (True, TypeError)]
)
def test_what_is_no_number_of_jobs_is_refused(n_jobs, error):
    with pytest.raises(error, match="n_jobs="):
        n_threads(n_jobs)


@pytest.mark.parametrize("backend", ["multiprocessing", "threading"])
def test_one_thread_inside_a_joblib_worker(backend, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    counts = joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(n_threads)(None) for _ in range(4))
    assert counts == [1, 1, 1, 1]


def of_workers(**context):
    with joblib.parallel_config(backend="loky", n_jobs=2, **context):
        return joblib.Parallel()(joblib.delayed(n_threads)(None) for _ in range(2))


def test_a_worker_process_takes_what_joblib_leaves_it(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    share = max(1, joblib.cpu_count() // 2)
    assert of_workers() == [min(share, usable_cores())] * 2
    for asked in (1, 2):
        assert of_workers(inner_max_num_threads=asked) == [min(asked, usable_cores())] * 2


def test_who_asks_for_no_number_is_given_that_of_the_context(eight_threads):
    for asked, given in ((2, 2), (1, 1), (-1, 8), (100, 8), (None, 8)):
        with joblib.parallel_config(n_jobs=asked):
            assert n_threads() == given
            assert n_threads(3) == 3
    assert n_threads() == 8


def test_an_explicit_number_holds_inside_a_joblib_worker(eight_threads):
    counts = joblib.Parallel(n_jobs=2, backend="threading")(joblib.delayed(n_threads)(3) for _ in range(2))
    assert counts == [3, 3]


def test_joblib_with_one_job_is_no_worker():
    assert joblib.Parallel(n_jobs=1)(joblib.delayed(n_threads)() for _ in range(2)) == [usable_cores()] * 2
