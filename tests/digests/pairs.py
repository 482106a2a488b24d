"""Pairs of a recipe and a table that together reach every engine of the core, and the digests of their trees.

The tables come from whole-number arithmetic alone, so they are the same bytes on every machine and with every
version of NumPy. ``python tests/digests/pairs.py`` writes the digests to ``digests.json`` beside this file.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samples import sample
from treewright.model.tree import Tree
from treewright.parts.criteria import (
    AbsoluteError,
    Entropy,
    FunctionCriterion,
    GainRatio,
    Gini,
    Misclassification,
    Poisson,
    TaylorEntropy,
    Twoing,
    Variance,
)
from treewright.parts.leaf_values import Mean, Median
from treewright.parts.limits import Limits
from treewright.parts.missing import LearnedBranch, MajorityBranch, OwnBranch, Spread, Surrogates
from treewright.parts.monotone import Monotone
from treewright.parts.orders import BestFirst, LevelByLevel
from treewright.parts.splitters import (
    GroupingSplitter,
    MultiwaySplitter,
    OneVsRestSplitter,
    ThresholdSplitter,
)
from treewright.recipes import C45_J48, C45_RELEASE8, C45_TEXTBOOK, ID3, Recipe
from treewright.table.target import CodedClasses

FILE = Path(__file__).with_name("digests.json")
Column = NDArray[Any]


def draws(seed: int, n: int) -> NDArray[np.uint64]:
    """Give n numbers of 64 bits, by SplitMix64."""
    mixed = (np.arange(1, n + 1, dtype=np.uint64) + np.uint64(seed << 32)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def whole(seed: int, n: int, below: int) -> NDArray[np.int64]:
    """Give n whole numbers from 0 to below - 1."""
    return (draws(seed, n) % np.uint64(below)).astype(np.int64)


@dataclass(frozen=True)
class Table:
    """Columns with their categories, a target of classes and one of numbers, weights."""

    columns: list[Column]
    n_categories: list[int]
    classes: CodedClasses
    numbers: NDArray[np.float64]
    weights: NDArray[np.float64] | None = None


def table_of(kind: str, n: int, n_classes: int, seed: int) -> Table:
    """Make a table whose target depends on its first columns, with noise."""
    steps = {"many": 1 << 40, "some": 300, "few": 12, "mixed": 1 << 40, "gaps": 1 << 40, "whole": 1 << 62}[
        kind
    ]
    values = [whole(10 * seed + j, n, steps) for j in range(6)]
    parts = [(each * 8) // steps if steps < 1 << 60 else each >> 59 for each in values]
    noise = whole(10 * seed + 7, n, 4)
    score = 3 * parts[0] + parts[1] * (parts[2] // 2) + 2 * noise
    columns: list[Column] = [each.astype(np.float64) / 64 for each in values]
    n_categories = [0] * 6
    if kind == "whole":
        columns[1], columns[2] = values[1] - (1 << 61), values[2] + (1 << 60)
        columns[3] = (values[3] >> 40).astype(np.float32)
    if kind in ("mixed", "gaps"):
        columns[1] = parts[1].astype(np.int32)
        columns[3] = whole(10 * seed + 8, n, 20).astype(np.int32)
        columns[4] = (columns[4] // (1 << 30)).astype(np.float64)
        n_categories[1], n_categories[3] = 9, 20
    if kind == "gaps":
        for j, column in enumerate(columns):
            is_gap = whole(10 * seed + 20 + j, n, 10) == 0
            column[is_gap] = -1 if n_categories[j] else np.nan
    classes = (score * n_classes // (int(score.max()) + 1)).astype(np.int32)
    seen, codes = np.unique(classes, return_inverse=True)
    numbers = (score * 16 + whole(10 * seed + 9, n, 16)).astype(np.float64) / 16
    return Table(columns, n_categories, CodedClasses(codes.astype(np.int32), np.arange(len(seen))), numbers)


def weighted(table: Table, seed: int) -> Table:
    """Give the rows weights, some of them 0."""
    return replace(table, weights=whole(seed, len(table.numbers), 9).astype(np.float64) / 4)


def best_mean(y: NDArray[Any], weight: NDArray[np.float64], cuts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Score cuts by the distance of the sides' means, times the smaller weight."""
    sums, weights = np.cumsum(y * weight), np.cumsum(weight)
    left, on_left = sums[cuts - 1], weights[cuts - 1]
    right, on_right = sums[-1] - left, weights[-1] - on_left
    return np.abs(left / on_left - right / on_right) * np.minimum(on_left, on_right)


OF_CLASSES = {
    "gini": Gini(),
    "entropy": Entropy(),
    "misclassification": Misclassification(),
    "taylor": TaylorEntropy(),
    "twoing": Twoing(),
    "gain_ratio": GainRatio(),
    "function": FunctionCriterion(best_mean),
}
OF_NUMBERS = {
    "variance": Variance(),
    "poisson": Poisson(),
    "absolute": AbsoluteError(),
    "function": FunctionCriterion(best_mean),
}
MISSING = {
    "learned": LearnedBranch(),
    "majority": MajorityBranch(),
    "own": OwnBranch(),
    "surrogate": Surrogates(3),
    "stop": Surrogates(1, style="known", otherwise="stop"),
    "spread": Spread(),
    "squared": Spread(penalty="quadratic"),
}
GROWN = {
    "depth": {"limits": Limits(max_depth=5)},
    "full": {},
    "leaf": {"limits": Limits(min_rows_leaf=7, min_impurity=0.05)},
    "best": {"order": BestFirst(), "limits": Limits(max_leaves=25)},
    "levels": {"order": LevelByLevel(), "limits": Limits(min_gain=1e-4, min_weight_leaf=9.0)},
    "random": {"numeric": ThresholdSplitter(choose="random"), "seed": 5, "limits": Limits(max_depth=9)},
    "drawn": {"limits": Limits(max_columns=2, max_depth=8), "seed": 3},
    "monotone": {"monotone": Monotone((1, 0, -1, 0, 0, 1)), "limits": Limits(max_depth=7)},
}


@dataclass(frozen=True)
class Pair:
    """A recipe, a table, and how it is grown."""

    name: str
    recipe: Recipe
    table: Table
    of_classes: bool
    keep_ledger: bool
    n_threads: int = 1

    def digest(self) -> str:
        """Grow the tree and hash all of it, its ledger included."""
        target = self.table.classes if self.of_classes else self.table.numbers
        rows = sample(self.table.columns, target, self.table.weights, self.n_threads, self.table.n_categories)
        tree = rows.grow(self.recipe, keep_ledger=self.keep_ledger).tree
        hashed = hashlib.sha256()
        add_record(hashed, tree)
        return hashed.hexdigest()[:24]


# The order in which version 0.1 declared the fields of a tree: digests were recorded in it.
TREE = [
    "column",
    "cut",
    "cut_integer",
    "child_begin",
    "child",
    "missing_branch",
    "set_begin",
    "set_code",
    "set_branch",
    "search",
    "n_rows",
    "weight",
    "outcome",
    "impurity",
    "gain",
    "n_columns",
    "is_classifier",
    "integer_columns",
    "loss",
    "surrogates",
    "errors",
    "label",
    "smoothing",
    "is_certain_when_empty",
    "net_gain",
    "ratio",
    "ledger",
]


def add_record(hashed: Any, record: Any) -> None:
    """Hash the arrays and numbers of a record, field by field."""
    names = [field.name for field in fields(record)]
    if isinstance(record, Tree):
        assert sorted(names) == sorted(TREE), "a new field belongs at the end of TREE, and digests anew"
        names = TREE
    for name in names:
        value = getattr(record, name)
        hashed.update(name.encode())
        if isinstance(value, np.ndarray):
            bits = np.where(np.isnan(value), np.nan, value) if value.dtype.kind == "f" else value
            hashed.update(f"{value.dtype}{value.shape}".encode() + bits.tobytes())
        elif hasattr(value, "__dataclass_fields__"):
            add_record(hashed, value)
        else:
            hashed.update(repr(value).encode())


def pairs() -> Iterator[Pair]:
    """Go through all pairs."""
    tables = {
        "many-2": table_of("many", 3000, 2, 1),
        "some-2": table_of("some", 2500, 2, 2),
        "few-2": table_of("few", 9000, 2, 3),
        "few-5": table_of("few", 9000, 5, 4),
        "some-9": table_of("some", 1500, 9, 5),
        "mixed-2": table_of("mixed", 1200, 2, 6),
        "gaps-3": table_of("gaps", 900, 3, 7),
        "gaps-2": table_of("gaps", 900, 2, 8),
        "whole-4": table_of("whole", 700, 4, 9),
    }
    at = 0
    for name, table in tables.items():
        has_gaps, has_sets = name.startswith("gaps"), any(table.n_categories)
        for of_classes, criteria in ((True, OF_CLASSES), (False, OF_NUMBERS)):
            for word, criterion in criteria.items():
                for grown, options in GROWN.items():
                    at += 1
                    refused = word == "function" and grown in ("best", "levels", "full")
                    is_slow = word in ("absolute", "misclassification", "gain_ratio") and grown == "full"
                    if refused or is_slow or at % 3:
                        continue
                    if grown == "monotone" and (has_sets or (of_classes and name[-1] != "2")):
                        continue
                    by_median = word == "absolute" or (at % 4 == 0 and grown != "monotone" and not of_classes)
                    missing = missing_of(word, grown, at) if has_gaps else LearnedBranch()
                    recipe = Recipe(
                        criterion, leaf_value=Median() if by_median else Mean(), missing=missing, **options
                    )
                    given = weighted(table, at) if at % 2 else table
                    called = f"{name} {word} {grown}{' weighted' if at % 2 else ''}"
                    yield Pair(f"{called} {at}", recipe, given, of_classes, at % 5 < 2, 1 + at % 2)
    yield from pairs_of_categories(tables)
    yield from pairs_of_quinlan(tables)
    large = table_of("many", 70_000, 2, 11)
    counted = table_of("few", 70_000, 3, 12)
    for name, table in (("large", large), ("counted", counted)):
        for word, criterion, of_classes in (("gini", Gini(), True), ("variance", Variance(), False)):
            for threads in (1, 2):
                yield Pair(
                    f"{name} {word} on {threads}", Recipe(criterion), table, of_classes, False, threads
                )


def missing_of(word: str, grown: str, at: int) -> Any:
    """Choose a policy for missing values that goes with a criterion."""
    ways = [way for way in MISSING if word != "function" or way not in ("spread", "squared")]
    if word in ("twoing", "gain_ratio"):
        ways.remove("own")
    if grown == "full":
        ways = [way for way in ways if way not in ("spread", "squared")]
    return MISSING[ways[at % len(ways)]]


def pairs_of_categories(tables: dict[str, Table]) -> Iterator[Pair]:
    """Go through the ways to split categories."""
    for name in ("mixed-2", "gaps-3", "gaps-2"):
        for splitter in (MultiwaySplitter(), OneVsRestSplitter()):
            for word, criterion in {**OF_CLASSES, **OF_NUMBERS}.items():
                is_many = isinstance(splitter, MultiwaySplitter)
                if word == "function" or (is_many and word == "twoing"):
                    continue
                of_classes = word in OF_CLASSES
                missing = MajorityBranch() if is_many or word == "twoing" else Surrogates(2)
                for given in (tables[name], weighted(tables[name], 3)):
                    recipe = Recipe(
                        criterion,
                        categorical=splitter,
                        missing=missing,
                        limits=Limits(max_depth=4),
                        leaf_value=Median() if word == "absolute" else Mean(),
                    )
                    called = f"{name} {word} {type(splitter).__name__} {given.weights is not None}"
                    yield Pair(called, recipe, given, of_classes, given.weights is None)


def pairs_of_quinlan(tables: dict[str, Table]) -> Iterator[Pair]:
    """Go through ID3 and the variants of C4.5."""
    variants = {"release8": C45_RELEASE8, "j48": C45_J48, "textbook": C45_TEXTBOOK, "id3": ID3}
    for word, recipe in variants.items():
        for name, table in tables.items():
            if word == "id3" and name.startswith("gaps"):
                continue
            for given in (table, weighted(table, 5)):
                if word == "textbook" and len(given.numbers) > 1500:
                    continue
                called = f"{name} {word} {given.weights is not None}"
                yield Pair(called, recipe, given, True, given.weights is not None)
    for name in ("gaps-3", "gaps-2", "mixed-2"):
        for least in (None, 1.0):
            grouped = replace(C45_RELEASE8, categorical=GroupingSplitter(least))
            yield Pair(f"{name} groups {least}", grouped, tables[name], True, True)
        one = replace(C45_J48, categorical=OneVsRestSplitter())
        yield Pair(f"{name} one against the rest", one, tables[name], True, True)


if __name__ == "__main__":
    digests = {}
    for pair in pairs():
        assert pair.name not in digests, pair.name
        digests[pair.name] = pair.digest()
        print(pair.name, digests[pair.name], file=sys.stderr)
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    where.write_text(json.dumps(digests, indent=1) + "\n", "utf-8")
