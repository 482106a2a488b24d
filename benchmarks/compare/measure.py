"""CPU time and peak memory of a fit.

Time: the CPU time of the whole process from the call of `fit` to its return, the least of several runs.
Rivals take turns, so that a busy spell of the machine falls on all of them. Memory: each fit in a process of
its own; the highest level during the fit less the level before it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.compare.jobs import Job
from benchmarks.compare.rivals import RIVALS, Rival

ROOT = Path(__file__).resolve().parents[2]
MOST_RUNS = 9
FRESH_ROWS = 20_000


@dataclass
class Figures:
    """What one rival did with one job."""

    job: str
    rival: str
    cpu_s: float | None = None
    n_runs: int = 0
    n_leaves: int | None = None
    score: float | None = None  # on fresh rows: accuracy, or R²
    peak_mib: float | None = None


def cpu_time(job: Job, rivals: list[Rival], patience_s: float) -> list[Figures]:
    """Time a fit of each rival, each again until it has used `patience_s` or nine runs.

    At least one run is timed, however long; a first fit on a few rows, not timed, loads what loads late.
    """
    X, y = job.table()
    fresh = job.table(seed=1, n_rows=FRESH_ROWS)
    runs: dict[str, list[float]] = {rival.name: [] for rival in rivals}
    figures = {rival.name: Figures(job.name, rival.name) for rival in rivals}
    for rival in rivals:
        rival.make(job).fit(X[:100], y[:100])
    while waiting := [r for r in rivals if sum(runs[r.name]) < patience_s and len(runs[r.name]) < MOST_RUNS]:
        for rival in waiting:
            model = rival.make(job)
            gc.collect()
            start = time.process_time()
            model.fit(X, y)
            runs[rival.name].append(time.process_time() - start)
            if len(runs[rival.name]) == 1:
                figures[rival.name].n_leaves = rival.n_leaves(model)
                figures[rival.name].score = float(model.score(*fresh))
            del model
    for name, times in runs.items():
        figures[name].cpu_s, figures[name].n_runs = min(times), len(times)
    return list(figures.values())


def peak_memory(job: Job, rivals: list[Rival]) -> list[Figures]:
    """Measure each rival's peak in a process of its own."""
    figures = []
    for rival in rivals:
        ran = subprocess.run(
            [sys.executable, "-m", "benchmarks.compare.measure", json.dumps(asdict(job)), rival.name],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            check=True,
        )
        figures.append(Figures(job.name, rival.name, peak_mib=float(ran.stdout)))
    return figures


def peak_of_fit(job: Job, rival: Rival) -> float:
    """Fit here and now; give the highest level above the one before, in MiB."""
    X, y = job.table()
    rival.make(job).fit(X[:100], y[:100])
    gc.collect()
    _give_back_freed_memory()
    before = _restart_high_water()
    rival.make(job).fit(X, y)
    return (_status_kib("VmHWM") - before) / 1024


def _give_back_freed_memory() -> None:
    """Return what making the table left over, or the fit would use it and seem to need less."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _restart_high_water() -> int:
    """Set the high-water mark of this process to its present level (Linux) and give that level in KiB."""
    if Path("/proc/self/clear_refs").exists():
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _status_kib("VmRSS")


def _status_kib(field: str) -> int:
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
        return int(lines[field].split()[0])
    # Elsewhere only the mark since the start is known, which is at least the present level.
    mark = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return mark // 1024 if sys.platform == "darwin" else mark


def import_time(package: str, n_runs: int = 5) -> float:
    """Measure the CPU time of a fresh interpreter that imports a package, the least of several."""
    code = f"import time, {package}; print(time.process_time())"
    ask = [sys.executable, "-c", code]
    return min(
        float(subprocess.run(ask, check=True, capture_output=True, text=True).stdout) for _ in range(n_runs)
    )


def main(arguments: list[str]) -> None:
    """Measure one fit in this process: a job as JSON, the name of a rival."""
    wanted: dict[str, Any] = json.loads(arguments[0])
    (rival,) = (rival for rival in RIVALS if rival.name == arguments[1])
    print(peak_of_fit(Job(**wanted), rival))


if __name__ == "__main__":
    main(sys.argv[1:])
