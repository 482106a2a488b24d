"""What answering costs, and what a fit costs before its table has any size: many rows, one row, 150 × 4.

Short calls are timed a few hundred at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.compare.asked import ASKED
from benchmarks.compare.jobs import Job
from benchmarks.compare.measure import Figures, Runner, figures, race
from benchmarks.compare.presets import Preset
from benchmarks.compare.rivals import Rival
from benchmarks.compare.tables import two_classes

N_CALLS = 200


def answer_times(rivals: list[Rival], preset: Preset) -> Iterator[list[Figures]]:
    """Time treewright and scikit-learn, one list of figures for each contest."""
    exact = [rival for rival in rivals if rival.name in ("treewright", "scikit-learn")]
    for depth in (8, None):
        yield _batch(exact, depth, preset)
    yield from _one_row(exact, preset)
    yield _tiny(exact, preset)


def _batch(rivals: list[Rival], depth: int | None, preset: Preset) -> list[Figures]:
    """Predict many rows by a tree grown on the medium table."""
    job = Job("classes", preset.medium or preset.small, depth, preset.n_columns)
    data = job.data()
    X, _ = two_classes(preset.predict, preset.n_columns, seed=2)

    def runner(rival: Rival) -> Runner:
        models = {n: rival.make(job, n).fit(data.X, data.y) for n in ((1, 2) if rival.has_threads else (1,))}
        return Runner(rival.name, lambda n: lambda: models[n].predict(X), rival.has_threads)

    limit = "fully grown" if depth is None else f"depth {depth}"
    name = f"predict {preset.predict:,} × {preset.n_columns}, {limit}"
    return [figures("predict", name, each) for each in race(map(runner, rivals), preset)]


def _one_row(rivals: list[Rival], preset: Preset) -> Iterator[list[Figures]]:
    """Predict one row: an array, and a dict of columns, beside scikit-learn's array as it takes no dict."""
    job = Job("classes", preset.small, 8, preset.n_columns)
    data = job.data()
    row = data.X[:1].copy()
    names = [f"x{at}" for at in range(preset.n_columns)]
    as_dict = {name: [float(value)] for name, value in zip(names, row[0], strict=True)}
    named = dict(zip(names, data.X.T, strict=True))

    def of_arrays(rival: Rival) -> Runner:
        model = rival.make(job, 1).fit(data.X, data.y)
        return Runner(rival.name, lambda _: _again(lambda: model.predict(row)), False, N_CALLS)

    def of_dicts(rival: Rival) -> Runner:
        model = rival.make(job, 1).fit(named, data.y)
        return Runner(rival.name, lambda _: _again(lambda: model.predict(as_dict)), False, N_CALLS)

    size = f"1 × {preset.n_columns}"
    yield [
        figures("one row", f"predict {size}, NumPy", each) for each in race(map(of_arrays, rivals), preset)
    ]
    ours = [of_dicts(rival) if rival.name == "treewright" else of_arrays(rival) for rival in rivals]
    yield [figures("one dict", f"predict {size}, dict", each) for each in race(ours, preset)]


def _tiny(rivals: list[Rival], preset: Preset) -> list[Figures]:
    """Fit the irises: all of it, and of treewright also what passes in its core."""
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    job = Job("classes", len(y), None, X.shape[1])
    name = f"fit {len(y)} × {X.shape[1]}"

    def runner(rival: Rival) -> Runner:
        return Runner(rival.name, lambda n: _again(lambda: rival.make(job, 1).fit(X, y)), False, N_CALLS)

    found = [figures("tiny", name, each) for each in race(map(runner, rivals), preset)]
    for rival in rivals:
        if rival.name == "treewright":
            least = min(
                _core_seconds(lambda rival=rival: rival.make(job, 1).fit(X, y)) for _ in range(N_CALLS)
            )
            found.insert(
                0, Figures("tiny", name, ASKED["tiny"].most_of, cpu_s=least, wall_s=least, n_runs=N_CALLS)
            )
    return found


def _again(call: Callable[[], Any]) -> Callable[[], Any]:
    def calls() -> Any:
        for _ in range(N_CALLS):
            result = call()
        return result

    return calls


def _core_seconds(call: Callable[[], Any]) -> float:
    """Add up what passes in the core, reading the table and growing the tree, during a call."""
    from treewright.engines import local

    spent = [0.0]
    core = local._core
    local._core = _Timed(core, spent)
    try:
        call()
    finally:
        local._core = core
    return spent[0]


class _Timed:
    """The core, its engine and its growing timed."""

    def __init__(self, core: Any, spent: list[float]) -> None:
        self._core, self._spent = core, spent

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._core, name)
        if name not in ("LocalEngine", "grow"):
            return real

        def timed(*arguments: Any, **named: Any) -> Any:
            start = time.perf_counter()
            result = real(*arguments, **named)
            self._spent[0] += time.perf_counter() - start
            return result

        return timed
