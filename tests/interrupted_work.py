"""Long work of the core and signals that interrupt it, to be run in a process of its own.

    python interrupted_work.py WORK

writes as JSON how the work ended and the longest time in seconds that passed until a signal was heard.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import treewright
from samples import sample
from treewright import _core
from treewright.engines.engine import Sample
from treewright.engines.threads import n_threads
from treewright.fitting.error_based import prune_by_errors
from treewright.model.labelled_rows import EncodedRows
from treewright.model.model import router_of
from treewright.model.pessimism import quinlans
from treewright.parts.criteria import AbsoluteError
from treewright.parts.limits import Limits
from treewright.parts.missing import Surrogates
from treewright.parts.pruners import ErrorBased
from treewright.parts.splitters import GroupingSplitter
from treewright.recipes import C45_RELEASE8, C45_TEXTBOOK, CART_CLASSES, CART_NUMBERS
from treewright.table.target import CodedClasses

rng = np.random.default_rng(0)
ONE_SPLIT = Limits(max_depth=1)


class Interrupted:
    """Send signals while one function of the core runs, and let the second one that it hears end it.

    A core that is deaf hears one signal, once it is done, however fast the machine is.
    """

    def __init__(self, owner: object, name: str) -> None:
        self._function = getattr(owner, name)
        self._has_begun, self._is_over = threading.Event(), threading.Event()
        self._heard: list[float] = []
        setattr(owner, name, self.call)

    def call(self, *arguments, **named):
        self._heard.append(time.monotonic())
        self._has_begun.set()
        return self._function(*arguments, **named)

    def run(self, work: Callable[[], object]) -> dict[str, object]:
        signal.signal(signal.SIGINT, self._hear)
        sender = threading.Thread(target=self._send)
        sender.start()
        try:
            work()
            ended = "done"
        except KeyboardInterrupt:
            ended = "interrupted"
        finally:
            self._has_begun.set()
            self._is_over.set()
            sender.join()
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return {"ended": ended, "longest_s": max(np.diff(self._heard), default=np.inf)}

    def _hear(self, _, frame) -> None:
        if frame.f_code is not Interrupted.call.__code__:
            return  # by Python, before or after
        self._heard.append(time.monotonic())
        if len(self._heard) == 3:
            raise KeyboardInterrupt

    def _send(self) -> None:
        self._has_begun.wait()
        while not self._is_over.wait(0.01):
            os.kill(os.getpid(), signal.SIGINT)


def drawn_classes(n: int, n_classes: int = 2) -> CodedClasses:
    return CodedClasses(rng.integers(0, n_classes, n, dtype=np.int32), np.arange(n_classes))


def noisy_classes(columns) -> CodedClasses:
    """Classes that hang on the first two columns, and on chance."""
    score = np.nan_to_num(columns[0], nan=0.5) + np.nan_to_num(columns[1], nan=0.5)
    codes = score + rng.normal(scale=0.5, size=len(score)) > 1
    return CodedClasses(codes.astype(np.int32), np.arange(2))


def engine(columns, target, n_categories=None) -> Sample:
    return sample(columns, target, None, n_threads(None), n_categories)


def sort():
    columns = 3 * list(rng.random((20, 1_000_000)))
    columns[0][0] = np.inf  # columns of large tables without an infinite value wait for the growth
    return _core, "TrainingSet", lambda: engine(columns, drawn_classes(1_000_000))


def sort_for_growth():
    grown = engine(3 * list(rng.random((20, 1_000_000))), rng.random(1_000_000))
    return _core, "grow", lambda: grown.grow(replace(CART_NUMBERS, limits=ONE_SPLIT))


def counted_nodes():
    grown = engine(5 * list(rng.random((20, 1_000_000))), drawn_classes(1_000_000))
    return _core, "grow", lambda: grown.grow(replace(CART_CLASSES, limits=Limits(max_depth=6)))


def sort_equal_beginnings():
    """Values that the first 32 bits of their keys do not tell apart."""
    columns = 3 * list(1 + 1e-9 * rng.random((8, 500_000)))
    for column in columns:
        column[0] = 1e30
    columns[0][1] = np.inf
    return _core, "TrainingSet", lambda: engine(columns, drawn_classes(500_000))


def absolute_error():
    grown = engine(3 * list(rng.random((8, 600_000))), rng.random(600_000))
    recipe = replace(CART_NUMBERS, criterion=AbsoluteError(), limits=ONE_SPLIT)
    return _core, "grow", lambda: grown.grow(recipe)


def many_categories():
    grown = engine([rng.integers(0, 1_000, 100_000, dtype=np.int32)], drawn_classes(100_000, 300), [1_000])
    return _core, "grow", lambda: grown.grow(replace(CART_CLASSES, limits=ONE_SPLIT))


def groups_of_categories():
    grown = engine([rng.integers(0, 2_000, 50_000, dtype=np.int32)], drawn_classes(50_000, 20), [2_000])
    recipe = replace(C45_RELEASE8, categorical=GroupingSplitter(), limits=ONE_SPLIT)
    return _core, "grow", lambda: grown.grow(recipe)


def with_gaps(n_columns: int, n: int) -> list:
    table = rng.random((n_columns, n))
    table[rng.random(table.shape) < 0.2] = np.nan
    return list(table)


def surrogates():
    """Fewer than 64 nodes, after which the core used to look for signals."""
    grown = engine(with_gaps(10, 1_000_000), drawn_classes(1_000_000))
    recipe = replace(CART_CLASSES, missing=Surrogates(), limits=Limits(max_depth=5))
    return _core, "grow", lambda: grown.grow(recipe)


def rows_in_shares():
    columns = 3 * with_gaps(10, 300_000)
    grown = engine(columns, noisy_classes(columns))
    return _core, "grow", lambda: grown.grow(replace(C45_RELEASE8, limits=Limits(max_depth=4)))


def prune_cost_complexity():
    """Every other node is a leaf, and the rest of the tree is below the next."""
    n = 8_000_001
    n_children = np.where(np.arange(n) % 2 == 0, 2, 0)
    n_children[-1] = 0
    child_begin = np.concatenate([[0], np.cumsum(n_children)]).astype(np.int32)
    arrays = child_begin, np.arange(1, n, dtype=np.int32), rng.random(n)
    return _core, "weakest_links", lambda: _core.weakest_links(*arrays)


def prune_error_based():
    columns = with_gaps(3, 12_000)
    target = noisy_classes(columns)
    grown = engine(columns, target).grow(C45_TEXTBOOK).tree
    rows = EncodedRows(columns, target, None)
    return _core, "prune_error_based", lambda: prune_by_errors(grown, ErrorBased(), rows, C45_TEXTBOOK)


def router(recipe, columns) -> tuple[SimpleNamespace, int]:
    """Lay out a tree grown on columns; its methods can be replaced. And how many nodes it has."""
    tree = engine(columns, noisy_classes(columns)).grow(recipe).tree
    laid_out = router_of(tree)
    functions = {name: getattr(laid_out, name) for name in ("take", "spread", "shapley_values")}
    return SimpleNamespace(**functions), tree.n_nodes


def fingerprint():
    columns, target = 40 * list(rng.random((10, 4_000_000))), rng.random(4_000_000)
    return _core, "numbers_of_rows", lambda: _core.numbers_of_rows(columns, target, None, 0)


def refit():
    """An estimator keeps the tree it had."""
    estimator = treewright.DecisionTreeRegressor(max_depth=1, criterion="absolute_error")
    estimator.fit([[0], [1]], [0, 1])
    X, y = rng.random((600_000, 24)), rng.random(600_000)

    def fit():
        try:
            estimator.fit(X, y)
        finally:
            assert estimator.tree_.n_rows[0] == 2, "the former tree"

    return _core, "grow", fit


def predict():
    rows_down, n_nodes = router(CART_CLASSES, list(rng.random((5, 100_000))))
    columns, of_nodes = 5 * [rng.random(30_000_000)], np.ones((n_nodes, 1))
    return rows_down, "take", lambda: rows_down.take(columns, of_nodes, False, n_threads(None))


def predict_rows_in_shares():
    rows_down, _ = router(C45_TEXTBOOK, with_gaps(5, 5_000))
    columns = with_gaps(5, 150_000)
    return rows_down, "spread", lambda: rows_down.spread(columns)


def shapley_values():
    rows_down, n_nodes = router(CART_CLASSES, list(rng.random((5, 100_000))))
    columns, of_nodes, points = list(rng.random((5, 50_000))), np.ones((n_nodes, 1)), np.full(3, 0.5)
    return (
        rows_down,
        "shapley_values",
        lambda: rows_down.shapley_values(columns, of_nodes, points, points, n_threads(None)),
    )


def general_rule():
    """A rule that no row meets, which loses one condition after the other."""
    fails = rng.integers(0, 2**63, (4_000, 1_000), dtype=np.uint64)
    rows = np.zeros(64_000, dtype=np.int32), np.ones(64_000)
    return _core, "general_rule", lambda: _core.general_rule(fails, *rows, 0, quinlans(), 0.5)


def small_tree():
    X, y = np.random.default_rng(1).random((2_000, 20)), np.arange(2_000) % 3
    return treewright.DecisionTreeClassifier().fit(X, y).tree_


def n_threads_now() -> int:
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else threading.active_count()


def threads_left(n_before: int) -> int:
    """Count those that stay. A thread that was joined may be seen a moment longer."""
    until = time.monotonic() + 5
    while n_threads_now() > n_before and time.monotonic() < until:
        time.sleep(0.01)
    return n_threads_now() - n_before


if __name__ == "__main__":
    before, n_before = small_tree(), n_threads_now()
    owner, name, work = globals()[sys.argv[1]]()
    told = Interrupted(owner, name).run(work)
    told["threads_left"] = threads_left(n_before)
    json.dump(told | {"is_same_after": small_tree() == before}, sys.stdout)
