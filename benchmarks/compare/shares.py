"""Where the time of a fit goes: shares of CPU time on one thread, by ``perf``, of jobs that miss their aim.

``python -m benchmarks.compare.shares`` reads the figures that ``make bench ARGS=--write`` kept and profiles
the fits among them. It needs Linux's ``perf`` and a core that has its names still:
``SKBUILD_CMAKE_DEFINE=TREEWRIGHT_NAMES=ON pip install --no-build-isolation --editable .``
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.compare import layout
from benchmarks.compare.adult import Adult
from benchmarks.compare.asked import ASKED
from benchmarks.compare.presets import USUAL, fit_jobs
from benchmarks.compare.results import RESULTS, read
from benchmarks.compare.rivals import treewright

SECONDS = 3.0
C45 = "C4.5"
# Of the core's functions, the first that fits; others are the rest.
KINDS = {
    "scan": r"scan|find_(best_)?cuts|find_avx2|bound|judg|offer|drop_ties|tied|highest|above_avx2"
    r"|classes_avx2|numbers_avx2|look|log_|between_sides|median|Absolute|best_possible|squares|Sums|ShrinkingSide"
    r"|same_value|CategorySearch|entropy|add_cuts",
    "propose": r"propose|enter|fill|Asker|question",
    "part": r"part_|part<|part$|send_whole|is_below|route|mark_|branch|Cases|Raising|prune",
    "order": r"[Ss]ort|order_columns|read_off|::code<|take|list_slots|whole_values|fingerprint|\badd\b"
    r"|write_cuts|write_few|deal_out|gather_list|count|finish",
    "lay out": r"Grower|Layout|flatten|settle|::between|Sprout",
}
ALLOCATES = ("__memset", "malloc", "_int_malloc", "free", "_int_free")
PAGES, OUTSIDE, REST = "memory pages", "Python, C library", "rest"
HEAD = ["workload", *KINDS, PAGES, OUTSIDE, REST]


def main(argv: list[str] | None = None) -> int:
    """Profile what misses its aim, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare.shares", description=__doc__)
    parser.add_argument("--fit", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.fit:
        return fit_for_a_while(options.fit)
    if shutil.which("perf") is None:
        print("shares: needs perf, of the Linux kernel's tools", file=sys.stderr)
        return 1
    rows = [
        [job, *(f"{share:.0%}" if share >= 0.005 else "" for share in shares_of(job))] for job in missed()
    ]
    print("\n".join(layout.markdown(HEAD, rows)))
    return 0


def missed(folder: Path = RESULTS) -> list[str]:
    """Name the fits that do not reach their aim."""
    fits = {job.name for _, job in fit_jobs(USUAL)}
    return [
        v.job
        for v in read(folder).verdicts()
        if v.says != "reaches the aim"
        and ASKED[v.asked].aim != (None, None)
        and (v.job in fits or v.asked == C45)
    ]


def shares_of(job: str) -> list[float]:
    """Run the fit in a process of its own, and watch it once everything is ready."""
    command = [sys.executable, "-m", "benchmarks.compare.shares", "--fit", job]
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "perf.data"
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as fit:
            assert fit.stdin is not None
            assert fit.stdout is not None
            if not fit.stdout.readline():
                raise SystemExit(f"shares: {job} cannot be fitted; what went wrong stands above")
            watch = ["perf", "record", "--quiet", "--freq=999", f"--pid={fit.pid}", f"--output={kept}"]
            with subprocess.Popen(watch, stderr=subprocess.DEVNULL) as perf:
                time.sleep(0.5)
                fit.stdin.write("\n")
                fit.stdin.flush()
                fit.stdout.readline()
                fit.stdin.close()
                perf.wait()
        told = subprocess.run(
            ["perf", "report", "--stdio", "--no-children", "--sort=dso,symbol", f"--input={kept}"],
            capture_output=True,
            text=True,
            check=True,
        )
    return sorted_out(told.stdout)


def sorted_out(report: str) -> list[float]:
    """Add up the shares that perf tells of every function, by kind."""
    shares = dict.fromkeys(HEAD[1:], 0.0)
    for line in report.splitlines():
        found = re.match(r"\s+([\d.]+)%\s+(\S+)\s+\[(.)\]\s+(.*)", line)
        if found:
            share, file, _, name = found.groups()
            shares[kind_of(file, name.strip())] += float(share) / 100
    total = sum(shares.values())
    return [share / total for share in shares.values()]


def kind_of(file: str, name: str) -> str:
    """Say what a function is for."""
    if file.startswith("[kernel"):
        return PAGES
    if not file.startswith("_core"):
        return PAGES if name.startswith(ALLOCATES) else OUTSIDE
    if name.startswith("0x"):
        raise SystemExit("shares: the core has no names; see python -m benchmarks.compare.shares --help")
    return next((kind for kind, words in KINDS.items() if re.search(words, name)), REST)


def fit_for_a_while(job: str) -> int:
    """Make ready, say so, wait for a line, and fit."""
    fit = prepared(job)
    fit()
    print("ready", flush=True)
    sys.stdin.readline()
    start = time.process_time()
    while time.process_time() < start + SECONDS:
        fit()
    print("done", flush=True)
    sys.stdin.readline()
    return 0


def prepared(name: str) -> Callable[[], object]:
    """Make a function of a job's name that fits it once."""
    if name.startswith(C45):
        from treewright import C45Classifier

        adult = Adult(USUAL.real)
        frame, _ = adult.frames()
        return lambda: C45Classifier(variant="j48", n_jobs=1).fit(frame, adult.names[-1])
    job = next(job for _, job in fit_jobs(USUAL) if job.name == name)
    data = job.data()
    return lambda: treewright(job, 1).fit(data.X, data.y)


if __name__ == "__main__":
    sys.exit(main())
