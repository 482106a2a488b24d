"""Grow trees and ask them while another thread changes the columns they are given.

Run as a program, for what it looks for is a crash: ``python changed_columns.py SEED ROUNDS``. Whatever tree
comes of it is nobody's; it must only be one. It writes how many trees were grown and how often columns were
changed meanwhile.
"""

import sys
import threading
from typing import Any

import numpy as np

from samples import core_tree
from treewright import _core

N_CATEGORIES = 40
OF_CLASSES: tuple[dict[str, Any], ...] = (
    {},
    {"criterion": "entropy", "missing": "surrogate"},
    {"missing": "surrogate", "lets_rows_stop": True, "keeps_ledger": True},
    {"missing": "spread", "categorical": "multiway"},
    {"missing": "branch", "categorical": "multiway", "keeps_ledger": True},
    {"missing": "majority", "categorical": "one-vs-rest", "cut_at": "observed"},
    {"splitter": "random", "order": "best", "keeps_ledger": True},
    {"missing": "surrogate", "splitter": "random"},
    {
        "criterion": "gain_ratio",
        "ranking": "above_average_gain",
        "missing": "spread",
        "categorical": "multiway",
        "min_gap": 1e-5,
        "cut_at": "observed",
    },
    {
        "criterion": "gain_ratio",
        "ranking": "above_average_gain",
        "missing": "spread",
        "categorical": "groups",
        "min_gap": 1e-5,
        "keeps_ledger": True,
        "lists_every_cut": True,
    },
)
OF_NUMBERS: tuple[dict[str, Any], ...] = (
    {"criterion": "variance"},
    {"criterion": "variance", "missing": "surrogate", "cut_at": "observed"},
    {"criterion": "absolute_error", "splitter": "random", "keeps_ledger": True},
)


class Meddler(threading.Thread):
    """Changes every array in `columns`, again and again."""

    def __init__(self, seed: int) -> None:
        super().__init__(daemon=True)
        self.rng = np.random.default_rng(seed)
        self.columns: list[np.ndarray] = []
        self.n_changes = 0
        self.is_over = False

    def run(self) -> None:
        while not self.is_over:
            for column in list(self.columns):
                self.change(column)
                self.n_changes += 1

    def change(self, column: np.ndarray) -> None:
        begin = int(self.rng.integers(len(column)))
        some = column[begin : begin + 20_000]
        if column.dtype == np.int32:
            some[:] = self.rng.choice([-(2**31), -1, 0, 3, N_CATEGORIES, 10**6, 2**31 - 1], len(some))
        elif column.dtype == np.int64:
            some[:] = self.rng.choice([-(2**63), -1, 0, 2**62, 2**63 - 1], len(some))
        else:
            some[:] = self.rng.choice([np.nan, -np.inf, np.inf, 0.0, 1.5, -7.25], len(some))


def columns_of(rng: np.random.Generator, n: int) -> list[np.ndarray]:
    """Columns of more distinct values than have codes, with ties and gaps; of few; and of categories."""
    many = rng.integers(0, 300_000, (n, 3)) / 1000
    many[rng.random(n) < 0.05, 1] = np.nan
    whole = rng.integers(0, 10**6, n)
    few = rng.integers(0, 9, n).astype(np.float32)
    codes = rng.integers(-1, N_CATEGORIES, (2, n)).astype(np.int32)
    return [*(np.ascontiguousarray(each) for each in many.T), whole, few, codes[0], codes[1]]


def ask(tree: dict[str, Any], columns: list[np.ndarray], block: np.ndarray | None) -> None:
    """Send rows down a tree in every way there is."""
    names = ("column", "cut", "cut_integer", "set_begin", "set_code", "set_branch")
    questions, surrogates = (
        _core.Questions(*(tree[prefix + name] for name in names)) for prefix in ("", "surrogate_")
    )
    children = (tree["child_begin"], tree["child"])
    try:
        router = _core.Router(
            questions,
            *children,
            tree["missing_branch"],
            tree["weight"],
            tree["surrogate_begin"],
            surrogates,
            tree["surrogate_low_branch"],
        )
    except ValueError:  # a threshold between values that were none any more
        return
    n = len(tree["column"])
    leaves = router.apply(columns, 1)
    assert ((leaves >= 0) & (leaves < n)).all()
    router.spread([column[:2000] for column in columns])
    router.take(columns, np.arange(n, dtype=np.int64)[:, None], True, 1)
    router.take(columns, np.ones((n, 2)), True, 2)
    if block is not None:
        router.take(block, np.ones((n, 1)), True, 1)


def main(seed: int, rounds: int) -> None:
    """Grow a tree of every recipe in each round, with one thread or with two."""
    sys.setswitchinterval(1e-4)
    rng = np.random.default_rng(seed)
    meddler = Meddler(seed)
    meddler.start()
    n_trees = 0
    n = 80_000
    classes, numbers = rng.integers(0, 3, n).astype(np.int32), rng.normal(size=n)
    weights = rng.integers(0, 8, n).astype(float)
    sound = columns_of(rng, n)
    for turn in range(rounds):
        recipes = [*((_core.Classes(classes, 3), each) for each in OF_CLASSES)]
        recipes += [(_core.Numbers(numbers), each) for each in OF_NUMBERS]
        for number, (target, recipe) in enumerate(recipes):
            block = np.stack(sound[:3], axis=1) if (turn + number) % 3 == 0 else None
            columns = [column.copy() for column in sound] if block is None else list(block.T)
            n_categories = [N_CATEGORIES if column.dtype == np.int32 else 0 for column in columns]
            training_set = _core.TrainingSet(columns, n, 1 + turn % 2, n_categories)
            meddler.columns = columns
            engine = _core.LocalEngine(training_set, target, weights if number % 2 else None, 1 + turn % 2)
            asked = {"max_depth": 7, "min_rows_leaf": 5, "has_many_values": [False] * len(columns), **recipe}
            tree = core_tree(engine, _core.Recipe(**asked))
            ask(tree, columns, block)
            meddler.columns = []
            n_trees += 1
    meddler.is_over = True
    meddler.join()
    print(n_trees, meddler.n_changes)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
