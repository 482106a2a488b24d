"""How many threads: what the machine grants, and one inside a worker."""

import os

import joblib
import pytest

from treewright.engines import threads
from treewright.engines.threads import _cgroup_quota, in_joblib_worker, n_threads, usable_cores


@pytest.fixture
def four_cores(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    monkeypatch.setattr(threads, "_CGROUP", tmp_path)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    return tmp_path


@pytest.mark.parametrize(("n_jobs", "expected"), [(None, 4), (1, 1), (7, 7), (-1, 4), (-2, 3), (-9, 1)])
def test_n_jobs_counts_as_in_joblib(four_cores, n_jobs, expected):
    assert n_threads(n_jobs) == expected


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


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_one_thread_inside_a_joblib_worker(backend):
    counts = joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(n_threads)(None) for _ in range(4))
    assert counts == [1, 1, 1, 1]


def test_an_explicit_number_holds_inside_a_joblib_worker():
    assert joblib.Parallel(n_jobs=2, backend="threading")(joblib.delayed(n_threads)(3) for _ in range(2)) == [
        3,
        3,
    ]


def test_joblib_with_one_job_is_no_worker():
    assert joblib.Parallel(n_jobs=1)(joblib.delayed(in_joblib_worker)() for _ in range(2)) == [False, False]
