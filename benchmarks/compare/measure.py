"""CPU time on one thread and wall time on two, the least of several runs.

Time goes from the call of `fit` to its return: conversion, sorting and checks are inside. Runners take turns,
so that a busy spell of the machine falls on all of them.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from benchmarks.compare.jobs import Job
from benchmarks.compare.presets import Preset
from benchmarks.compare.rivals import Rival
from benchmarks.compare.tables import SHARED
from threadpoolctl import threadpool_limits

MOST_RUNS = 25
WARM_UP_ROWS = 200


@dataclass
class Figures:
    """What one library did with one job."""

    asked: str  # the key in `asked.ASKED`
    job: str
    rival: str
    cpu_s: float | None = None  # one thread
    wall_s: float | None = None  # two threads; of a library that has one, that one
    n_runs: int = 0
    n_leaves: int | None = None
    score: float | None = None  # on fresh rows: accuracy, or R²
    peak_mib: float | None = None  # one thread
    peak_2_mib: float | None = None  # two threads


class Racer(Protocol):
    """Whatever takes turns at being timed."""

    name: str
    cpu: list[float]
    wall: list[float]

    def wants_more(self, preset: Preset) -> bool:
        """Tell whether another run is worth its time."""

    def run(self, most_threads: int) -> None:
        """Take a turn."""


@dataclass
class Runner:
    """Something of this process to be timed.

    Attributes
    ----------
    name : str
        Whose time it is.
    prepare : callable
        Number of threads -> what is to be timed; preparing is not.
    has_threads : bool
        Whether to run it on two threads, too.
    n_calls : int
        How often what is timed does what one figure is asked of: short calls are timed many at a time.
    result : object
        What its first run gave.
    """

    name: str
    prepare: Callable[[int], Callable[[], Any]]
    has_threads: bool = True
    n_calls: int = 1
    result: Any = None
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def wants_more(self, preset: Preset) -> bool:
        """Tell whether another run is worth its time."""
        if len(self.cpu) < preset.least_runs:
            return sum(self.cpu) < preset.slow_s
        return sum(self.cpu) < preset.patience_s and len(self.cpu) < MOST_RUNS

    def run(self, most_threads: int) -> None:
        """Take a turn: one thread, and two."""
        for n_threads in range(1, (most_threads if self.has_threads else 1) + 1):
            with threadpool_limits(n_threads, user_api="openmp"):
                call = self.prepare(n_threads)
                gc.collect(1)  # what the last run left; looking through all that is imported takes too long
                cpu, wall = time.process_time(), time.perf_counter()
                result = call()
                wall_s = (time.perf_counter() - wall) / self.n_calls
                cpu_s = (time.process_time() - cpu) / self.n_calls
            if n_threads == 1:
                self.cpu.append(cpu_s)
            if most_threads > 1 and (n_threads > 1 or not self.has_threads):
                self.wall.append(wall_s)
            if self.result is None:
                self.result = result


def cores() -> int:
    """Count the cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


AnyRacer = TypeVar("AnyRacer", bound=Racer)


def race(racers: Iterable[AnyRacer], preset: Preset) -> list[AnyRacer]:
    """Let everyone take turns until nobody wants more: at least one run each, however long."""
    racers, most_threads = list(racers), min(cores(), preset.n_threads)
    while waiting := [each for each in racers if not each.cpu or each.wants_more(preset)]:
        for each in waiting:
            each.run(most_threads)
    return racers


def figures(asked: str, job: str, runner: Racer) -> Figures:
    """Give the least times of a runner."""
    wall_s = min(runner.wall) if runner.wall else None
    return Figures(asked, job, runner.name, min(runner.cpu), wall_s, len(runner.cpu))


def fit_times(
    asked: str, job: Job, rivals: list[Rival], preset: Preset, folder: Path = SHARED
) -> list[Figures]:
    """Time the fits of a job; a first fit on a few rows, not timed, loads what loads late."""
    data = job.data(folder)
    few = data.first(WARM_UP_ROWS)

    def runner(rival: Rival) -> Runner:
        def prepare(n_threads: int) -> Callable[[], Any]:
            model = rival.make(job, n_threads)
            return lambda: model.fit(data.X, data.y)

        rival.make(job, 1).fit(*few)
        return Runner(rival.name, prepare, rival.has_threads)

    found = []
    for rival, done in zip(rivals, race([runner(rival) for rival in rivals], preset), strict=True):
        each = figures(asked, job.name, done)
        each.n_leaves = int(rival.n_leaves(done.result))
        each.score = float(done.result.score(*data.fresh))
        found.append(each)
    return found


def import_time(package: str, n_runs: int) -> float:
    """Measure the CPU time of a fresh interpreter that imports a package, the least of several."""
    code = f"import time, {package}; print(time.process_time())"
    ask = [sys.executable, "-c", code]
    return min(
        float(subprocess.run(ask, check=True, capture_output=True, text=True).stdout) for _ in range(n_runs)
    )
