"""Peak memory of a fit: the highest level during the fit less the level before it.

Each fit has a process of its own.
"""

from __future__ import annotations

import ctypes
import gc
import json
import resource
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.compare.jobs import Job
from benchmarks.compare.measure import WARM_UP_ROWS, Figures
from benchmarks.compare.rivals import RIVALS, Rival

ROOT = Path(__file__).resolve().parents[2]


def peak_memory(asked: str, job: Job, rivals: list[Rival]) -> list[Figures]:
    """Measure each rival's peak, on one thread and on two."""
    found = []
    for rival in rivals:
        one = _ask(job, rival, 1)
        two = _ask(job, rival, 2) if rival.has_threads else one
        found.append(Figures(asked, f"memory, {job.name}", rival.name, peak_mib=one, peak_2_mib=two))
    return found


def _ask(job: Job, rival: Rival, n_threads: int) -> float:
    ask = [
        sys.executable,
        "-m",
        "benchmarks.compare.memory",
        json.dumps(asdict(job)),
        rival.name,
        str(n_threads),
    ]
    ran = subprocess.run(ask, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return float(ran.stdout)


def peak_of_fit(job: Job, rival: Rival, n_threads: int) -> float:
    """Fit here and now; give the highest level above the one before, in MiB."""
    data = job.data()
    rival.make(job, n_threads).fit(*data.first(WARM_UP_ROWS))
    model = rival.make(job, n_threads)
    gc.collect()
    _give_back_freed_memory()
    before = _restart_high_water()
    model.fit(data.X, data.y)
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


def main(arguments: list[str]) -> None:
    """Measure one fit in this process: a job as JSON, the name of a rival, a number of threads."""
    wanted: dict[str, Any] = json.loads(arguments[0])
    (rival,) = (rival for rival in RIVALS if rival.name == arguments[1])
    print(peak_of_fit(Job(**wanted), rival, int(arguments[2])))


if __name__ == "__main__":
    main(sys.argv[1:])
