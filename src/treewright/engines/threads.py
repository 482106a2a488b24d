"""How many threads to use: never more than the process may use or joblib leaves it."""

import math
import multiprocessing
import os
import sys
from functools import cache
from pathlib import Path

from treewright.errors import ParameterError
from treewright.parts.bounds import whole

_CGROUP = Path("/sys/fs/cgroup")


def n_threads(n_jobs: int | None = None) -> int:
    """Turn scikit-learn's `n_jobs` into a number of threads.

    Parameters
    ----------
    n_jobs : int or None
        None: what joblib's context sets (``with joblib.parallel_config(n_jobs=2)``), or, without one, all
        cores the process may use. Inside a joblib worker the cores are shared: a worker process takes what
        joblib leaves it, a share of the cores or ``inner_max_num_threads``, and a worker thread 1.
        Negative numbers count back from all cores, as in joblib: −1 is all, −2 all but one. More threads than
        cores would only wait for each other, so a larger number means all cores.

    Returns
    -------
    int
        At least 1, at most `usable_cores()`.

    Examples
    --------
    >>> n_threads(1)
    1
    >>> n_threads(100_000) == n_threads(-1) == usable_cores()
    True
    """
    if n_jobs is None:
        n_jobs = _granted_by_joblib()
    if n_jobs is None:
        return usable_cores()
    if type(n_jobs) is int and n_jobs == 1:  # skip the checks, so that predicting one row stays fast
        return 1
    jobs = whole("n_jobs", n_jobs, at_least=-sys.maxsize)
    if jobs == 0:
        raise ParameterError("n_jobs=0 has no meaning; give None, a positive number, or -1 for all cores.")
    cores = usable_cores()
    return min(jobs, cores) if jobs > 0 else max(1, cores + 1 + jobs)


def usable_cores() -> int:
    """Count the cores this process may use: affinity, cgroup quota, ``OMP_NUM_THREADS``.

    ``TREEWRIGHT_THREADS`` sets the number instead, whatever the machine has: tests run eight threads on two
    cores with it.
    """
    wanted = _positive(os.environ.get("TREEWRIGHT_THREADS", ""))
    if wanted is not None:
        return wanted
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    quota = _cgroup_quota(_CGROUP)
    if quota is not None:
        cores = min(cores, max(1, math.ceil(quota)))
    # A list such as "4,2" is for nested regions; the first number is the outermost.
    limit = _positive(os.environ.get("OMP_NUM_THREADS", "").split(",")[0])
    return max(1, cores if limit is None else min(cores, limit))


def _positive(text: str) -> int | None:
    """Read a number of threads from the environment; None if it is not a number."""
    return int(text) if text.strip().isdecimal() and len(text) < 10 and int(text) > 0 else None


def _granted_by_joblib() -> int | None:
    """Return the number of threads that joblib's context sets for `n_jobs=None`; None if it sets none."""
    parallel = sys.modules.get("joblib.parallel")  # if joblib is not loaded, nothing runs in its workers
    if parallel is None:
        return None
    backend, n_jobs = parallel.get_active_backend()
    if not backend.nesting_level:
        # Before joblib 1.3, a context reports 1 even if no number was set.
        return n_jobs if hasattr(parallel, "parallel_config") else None
    if multiprocessing.parent_process() is not None and "OMP_NUM_THREADS" in os.environ:
        return usable_cores()  # loky sets the variable for its workers
    return 1


@cache  # the quota does not change, and this runs at every prediction
def _cgroup_quota(root: Path) -> float | None:
    """Read how many cores a container may use, from cgroup v2, else v1; None for no limit."""
    for names in (["cpu.max"], ["cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"]):
        try:
            quota, period = " ".join((root / name).read_text("ascii") for name in names).split()[:2]
            return None if quota == "max" or int(quota) <= 0 else int(quota) / int(period)
        except (OSError, ValueError):
            continue
    return None
