"""Large nodes counted by bins of values, against the same trees grown from sorted lists."""

import dataclasses
import sys

import numpy as np
import pytest

from samples import sample, training_set
from treewright.parts.criteria import (
    AbsoluteError,
    Entropy,
    Gini,
    Misclassification,
    Poisson,
    TaylorEntropy,
    Twoing,
    Variance,
)
from treewright.parts.limits import Limits
from treewright.parts.missing import LearnedBranch, MajorityBranch, OwnBranch, Surrogates
from treewright.parts.orders import BestFirst, DepthFirst
from treewright.recipes import CART_CLASSES, CART_NUMBERS
from treewright.table.target import CodedClasses

COUNTED = "large nodes counted by bins"
COLUMNS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "float32": lambda rng, n: rng.normal(size=n).astype(np.float32),
    "few values": lambda rng, n: rng.integers(0, 5, n) / 2,
    "some integers": lambda rng, n: rng.integers(0, 1000, n),
    "cents": lambda rng, n: rng.normal(size=n).round(2),
    "heavy tails": lambda rng, n: np.exp(6 * rng.normal(size=n)),
    "one value": lambda rng, n: np.zeros(n),
    "mostly zero": lambda rng, n: np.where(rng.random(n) < 0.6, 0.0, rng.normal(size=n)),
    "two neighbours": lambda rng, n: np.where(rng.random(n) < 0.5, 1.0, np.nextafter(1.0, 2)),
    "huge": lambda rng, n: 1.7e308 * rng.uniform(-1, 1, n),
    "tiny": lambda rng, n: 1e-310 * rng.normal(size=n),
    "both zeros": lambda rng, n: rng.choice([-0.0, 0.0, 1.0], n),
    "integers beyond floats": lambda rng, n: 2**60 + rng.integers(0, 3, n),
    "integers of any size": lambda rng, n: rng.integers(-(2**63) + 1, 2**63 - 1, n),
}


def assert_same(counted, listed):
    for each in dataclasses.fields(listed):
        of_counted, of_listed = getattr(counted, each.name), getattr(listed, each.name)
        if isinstance(of_listed, np.ndarray):
            assert of_counted.dtype == of_listed.dtype, each.name
            assert of_counted.tobytes() == of_listed.tobytes(), each.name


def target_of(rng, columns, is_noise):
    n = len(columns[0])
    if is_noise:
        return CodedClasses(rng.integers(0, 2, n).astype(np.int32), np.arange(2))
    ranks = sum(np.argsort(np.argsort(column)) / n for column in columns[:3])
    numbers = ranks + 0.2 * rng.normal(size=n)
    return CodedClasses((numbers > np.median(numbers)).astype(np.int32), np.arange(2))


NUMBERS = {
    "normal": lambda rng, signal: signal + rng.normal(size=len(signal)),
    "no noise": lambda rng, signal: signal,
    "noise": lambda rng, signal: rng.normal(size=len(signal)),
    "heavy tails": lambda rng, signal: np.exp(5 * (signal + rng.normal(size=len(signal)))),
    "outliers": lambda rng, signal: np.where(rng.random(len(signal)) < 0.01, 1e9, 1e-3) * signal,
    "whole": lambda rng, signal: np.round(3 * signal),
    "two values": lambda rng, signal: np.where(signal > np.median(signal), 7.5, -1.0),
    "far from zero": lambda rng, signal: 1e12 + signal + rng.normal(size=len(signal)),
    "huge": lambda rng, signal: 1e149 * (signal + rng.normal(size=len(signal))) / 10,
    "tiny": lambda rng, signal: 1e-310 * (signal + rng.normal(size=len(signal))),
    "one value": lambda rng, signal: np.full(len(signal), 0.1),
    "cents": lambda rng, signal: np.round(signal + rng.normal(size=len(signal)), 2),
}


def numbers_of(rng, columns, kind):
    n = len(columns[0])
    ranks = sum(np.argsort(np.argsort(column)) / n for column in columns[:3])
    return NUMBERS[kind](rng, ranks)


def assert_same_trees(columns, target, above, n_threads, weights=None, **parts):
    recipe = CART_CLASSES if isinstance(target, CodedClasses) else CART_NUMBERS
    recipe = dataclasses.replace(recipe, **parts)
    listed = sample(columns, target, weights).grow(recipe)
    rows = sample(columns, target, weights, n_threads)
    counted = rows.grow(recipe, count_above=min(above, rows.core.n_rows - 1))
    assert COUNTED not in listed.work.path
    assert COUNTED in counted.work.path
    assert_same(counted.tree, listed.tree)
    return listed.tree


GAPS = {
    "none": lambda rng, column: np.zeros(len(column), bool),
    "some": lambda rng, column: rng.random(len(column)) < 0.2,
    "few": lambda rng, column: rng.random(len(column)) < 0.003,
    "most": lambda rng, column: rng.random(len(column)) < 0.97,
    "all": lambda rng, column: np.ones(len(column), bool),
    "low values": lambda rng, column: column < np.quantile(column, 0.3),
    "the first rows": lambda rng, column: np.arange(len(column)) < len(column) // 3,
}
WEIGHTS = {
    "equal": lambda rng, n: None,
    "whole": lambda rng, n: rng.integers(1, 5, n).astype(float),
    "some zero": lambda rng, n: rng.integers(0, 3, n).astype(float),
    "fractions": lambda rng, n: rng.random(n) + 1e-3,
    "two values": lambda rng, n: rng.choice([0.3, 1.7], n),
    "tens": lambda rng, n: 10.0 * rng.integers(1, 4, n),
    "heavy tails": lambda rng, n: np.exp(4 * rng.normal(size=n)),
}


def with_gaps(rng, column, kind):
    holes = GAPS[kind](rng, column)
    if column.dtype == np.int64:
        return np.where(holes, np.iinfo(np.int64).min, column)
    return np.where(holes, np.array(np.nan, column.dtype), column)


def classes_of(rng, columns):
    n, n_classes = len(columns[0]), int(rng.choice([2, 2, 3, 4, 8, 9, 26, 32]))
    codes = rng.integers(0, n_classes, n)
    if rng.random() < 0.8:
        ranks = np.argsort(np.argsort(numbers_of(rng, columns, "normal")))
        codes = np.where(rng.random(n) < 0.9, ranks * n_classes // n, codes)
    if rng.random() < 0.2:  # one class in nearly all rows: misclassification has plateaus
        codes = np.where(rng.random(n) < 0.9, 0, codes)
    return CodedClasses(codes.astype(np.int32), np.arange(n_classes))


def drawn(rng, sizes):
    """Columns, perhaps with gaps, weights, and what a tree grown of them keeps to."""
    n = int(rng.choice(sizes))
    columns = [COLUMNS[kind](rng, n) for kind in rng.choice(list(COLUMNS), rng.integers(1, 7))]
    limits = Limits(
        max_depth=int(rng.choice([3, 8, 30])),
        min_rows_leaf=int(rng.choice([1, 1, 5, n // 10])),
        min_weight_leaf=float(rng.choice([0, 0, 3.5, n / 20])),
    )
    above = int(rng.choice([1, 10, 50]) if n < 1000 else rng.choice([50, 300, 2000]))
    return columns, limits, above, int(rng.choice([1, 2]))


def incomplete(rng, columns):
    kinds = rng.choice(list(GAPS), len(columns)) if rng.random() < 0.6 else ["none"] * len(columns)
    missing = [LearnedBranch(), LearnedBranch(), MajorityBranch(), OwnBranch()][rng.integers(4)]
    return [with_gaps(rng, *each) for each in zip(columns, kinds, strict=True)], missing


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize(
    "criterion", [Gini(), Entropy(), Twoing(), TaylorEntropy(), Misclassification()], ids=lambda it: it.word
)
def test_counted_classes_give_the_tree_of_lists(criterion, seed):
    rng = np.random.default_rng(seed)
    columns, limits, above, n_threads = drawn(rng, [60, 300, 3000, 20_000])
    target = classes_of(rng, columns)
    columns, missing = incomplete(rng, columns)
    weights = WEIGHTS[rng.choice(list(WEIGHTS)) if rng.random() < 0.5 else "equal"](rng, len(columns[0]))
    if isinstance(criterion, Entropy) and weights is None and len(target.labels) > 8:
        weights = WEIGHTS["whole"](rng, len(columns[0]))
    if isinstance(criterion, Misclassification) and (weights is not None or isinstance(missing, OwnBranch)):
        weights, missing = None, MajorityBranch()
    parts = {"limits": limits, "criterion": criterion, "missing": missing}
    assert_same_trees(columns, target, above, n_threads, weights, **parts)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("kind", NUMBERS)
def test_counted_numbers_give_the_tree_of_lists(kind, seed):
    rng = np.random.default_rng(1000 + seed)
    columns, limits, above, n_threads = drawn(rng, [60, 300, 3000, 20_000])
    target = numbers_of(rng, columns, kind)
    columns, missing = incomplete(rng, columns)
    weights = WEIGHTS[rng.choice(list(WEIGHTS)) if rng.random() < 0.5 else "equal"](rng, len(columns[0]))
    is_poisson = seed % 3 == 0
    if is_poisson:
        target = np.abs(target) if rng.random() < 0.5 else np.maximum(0, target - np.median(target))
    parts = {"limits": limits, "criterion": Poisson() if is_poisson else Variance(), "missing": missing}
    assert_same_trees(columns, target, above, n_threads, weights, **parts)


def test_numbers_that_draw_together_are_counted_anew():
    """Behind a few outliers the steps of the whole table would tell nothing apart."""
    rng = np.random.default_rng(17)
    columns = [rng.normal(size=30_000) for _ in range(3)]
    target = columns[0] + 0.5 * columns[1] + 0.1 * rng.normal(size=30_000)
    target[columns[0] > 2.5] += 1e12
    tree = assert_same_trees(columns, target, 100, 1, limits=Limits(max_depth=9))
    assert tree.n_nodes > 200
    counted = sample(columns, target).grow(
        dataclasses.replace(CART_NUMBERS, limits=Limits(max_depth=9)), count_above=100
    )
    assert counted.work.n_scanned < 2 * 9 * 3 * 30_000, "bins, not rows, tell where the best cuts are"


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("n_threads", [1, 2])
def test_every_kind_of_column_alone(kind, n_threads):
    rng = np.random.default_rng(7)
    columns = [COLUMNS[kind](rng, 20_000)]
    assert_same_trees(
        columns, target_of(rng, columns, is_noise=False), 100, n_threads, limits=Limits(max_depth=12)
    )
    assert_same_trees(columns, numbers_of(rng, columns, "cents"), 100, n_threads, limits=Limits(max_depth=12))


def test_nodes_in_order_of_gain():
    rng = np.random.default_rng(8)
    columns = [rng.normal(size=20_000) for _ in range(3)]
    target = target_of(rng, columns, is_noise=False)
    tree = assert_same_trees(columns, target, 200, 2, order=BestFirst(), limits=Limits(min_impurity=0.05))
    assert tree.n_nodes > 100


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("order", [DepthFirst(), BestFirst()])
def test_a_limit_on_leaves(order, seed):
    rng = np.random.default_rng(3000 + seed)
    n = int(rng.choice([300, 3000, 20_000]))
    columns = [COLUMNS[kind](rng, n) for kind in rng.choice(list(COLUMNS), rng.integers(1, 6))]
    limits = Limits(max_leaves=int(rng.choice([2, 10, 100])), min_rows_leaf=int(rng.choice([1, 5])))
    target = target_of(rng, columns, is_noise=seed % 3 == 0)
    if seed % 2 == 0:
        target = numbers_of(rng, columns, "cents")
    assert_same_trees(columns, target, 20, int(rng.choice([1, 2])), limits=limits, order=order)


def test_counts_of_waiting_nodes_have_a_cap():
    """Beyond 64 MiB, some 100 nodes of 32 classes in 20 columns, nodes are counted anew."""
    resource = pytest.importorskip("resource", reason="tells how much memory a process had at most")
    rng = np.random.default_rng(18)
    columns = [rng.normal(size=30_000) for _ in range(20)]
    ranks = np.argsort(np.argsort(numbers_of(rng, columns, "normal")))
    target = CodedClasses((ranks * 32 // 30_000).astype(np.int32), np.arange(32))

    def grow(max_leaves):
        return assert_same_trees(
            columns, target, 20, 1, limits=Limits(max_leaves=max_leaves), order=BestFirst()
        )

    grow(90)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert grow(900).n_nodes == 1799
    unit = 1 if sys.platform == "darwin" else 1024
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 100 << 20


def test_equal_columns_go_to_the_first():
    rng = np.random.default_rng(9)
    column = rng.normal(size=30_000)
    columns = [np.zeros(30_000), column, column.copy(), -column]
    tree = assert_same_trees(
        columns, target_of(rng, [column], is_noise=False), 100, 1, limits=Limits(max_depth=6)
    )
    assert set(tree.column[tree.column >= 0].tolist()) == {1}


def test_columns_side_by_side_and_apart():
    rng = np.random.default_rng(10)
    rows = rng.normal(size=(20_000, 11))
    target = target_of(rng, list(rows.T), is_noise=False)
    for columns in (list(rows.T), list(np.asfortranarray(rows).T), list(rows[:, ::-1].T)):
        assert_same_trees(columns, target, 300, 2, limits=Limits(max_depth=7))


def test_what_is_not_served_goes_to_lists():
    rng = np.random.default_rng(11)
    columns = [rng.normal(size=2000), rng.normal(size=2000)]
    target = target_of(rng, columns, is_noise=False)
    gaps = [np.where(rng.random(2000) < 0.1, np.nan, columns[0]), columns[1]]
    many = CodedClasses(rng.integers(0, 33, 2000).astype(np.int32), np.arange(33))
    nine = CodedClasses(rng.integers(0, 9, 2000).astype(np.int32), np.arange(9))
    some = np.where(rng.random(2000) < 0.5, 1.0, 2.0)
    category = sample([columns[0], rng.integers(0, 3, 2000, np.int32)], target, n_categories=[0, 3])
    for rows, parts in [
        (sample(gaps, target), {"missing": Surrogates()}),
        (sample(gaps, target), {"missing": OwnBranch(), "criterion": Misclassification()}),
        (sample(columns, target, some), {"criterion": Misclassification()}),
        (sample(columns, many), {}),
        (sample(columns, nine), {"criterion": Entropy()}),
        (category, {}),
        (sample(columns, target), {"limits": Limits(max_columns=1)}),
        (sample(columns, target), {"criterion": Entropy(), "limits": Limits(min_impurity=0.1)}),
        (sample(columns, np.abs(columns[0])), {"criterion": AbsoluteError()}),
    ]:
        is_number = isinstance(rows.target, np.ndarray)
        recipe = dataclasses.replace(CART_NUMBERS if is_number else CART_CLASSES, **parts)
        assert COUNTED not in rows.grow(recipe, count_above=100).work.path


def test_a_large_table_is_counted_without_being_asked_to():
    """Its columns are not put in order, unless a growth needs it."""
    rng = np.random.default_rng(12)
    n = 200_000
    columns = [rng.normal(size=n), rng.normal(size=n)]
    target = target_of(rng, columns, is_noise=False)
    recipe = dataclasses.replace(CART_CLASSES, limits=Limits(max_depth=4))
    counted = sample(columns, target).grow(recipe)
    listed = sample(columns, target).grow(recipe, count_above=2**16)  # more than lists of 16 bits hold
    assert COUNTED in counted.work.path
    assert COUNTED not in listed.work.path
    assert counted.work.n_sorted == 0
    assert listed.work.n_sorted > 2 * n
    assert_same(counted.tree, listed.tree)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_large_table_with_gaps_and_rows_of_no_weight_is_counted(n_threads):
    rng = np.random.default_rng(16)
    n = 300_000
    columns = [rng.normal(size=n), rng.integers(0, 10**6, n), rng.integers(0, 9, n), rng.normal(size=n)]
    target = target_of(rng, columns, is_noise=False)
    columns = [with_gaps(rng, column, kind) for column, kind in zip(columns, list(GAPS)[:4], strict=True)]
    weights = np.where(rng.random(n) < 0.2, 0.0, 1.5)
    recipe = dataclasses.replace(CART_CLASSES, limits=Limits(max_depth=4))
    for given in (None, weights):
        rows = sample(columns, target, given, n_threads)
        takes_part = np.ones(n, bool) if given is None else given > 0
        missing = [int((np.isnan(c) if c.dtype.kind == "f" else c < 0)[takes_part].sum()) for c in columns]
        assert rows.n_missing.tolist() == missing
        counted = rows.grow(recipe)
        listed = sample(columns, target, given, n_threads).grow(recipe, count_above=2**16)
        assert COUNTED in counted.work.path
        assert counted.work.n_sorted == 0
        assert COUNTED not in listed.work.path
        assert_same(counted.tree, listed.tree)


def test_samples_of_a_shared_training_set_go_to_lists():
    """They share its orders, which are there once the first sample needs them."""
    rng = np.random.default_rng(14)
    columns = [rng.normal(size=200_000), rng.normal(size=200_000)]
    target = target_of(rng, columns, is_noise=False)
    recipe = dataclasses.replace(CART_CLASSES, limits=Limits(max_depth=4))
    rows = training_set(columns)
    shared = [rows.sample(target).grow(recipe), rows.sample(target, is_last=True).grow(recipe)]
    alone = sample(columns, target).grow(recipe)
    assert COUNTED in alone.work.path
    for each in shared:
        assert COUNTED not in each.work.path
        assert_same(each.tree, alone.tree)


@pytest.mark.parametrize("max_depth", [None, 20])
def test_a_tree_down_to_small_nodes_is_grown_in_lists(max_depth):
    rng = np.random.default_rng(15)
    columns = [rng.integers(0, 100_000, 200_000)]
    target = target_of(rng, columns, is_noise=False)
    recipe = dataclasses.replace(CART_CLASSES, limits=Limits(max_depth=max_depth))
    assert COUNTED not in sample(columns, target).grow(recipe).work.path


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_a_large_table_with_a_value_that_is_no_number_is_put_in_order(bad):
    rng = np.random.default_rng(13)
    column = rng.normal(size=200_000)
    column[150_001] = bad
    rows = sample([column], CodedClasses((column > 0).astype(np.int32), np.arange(2)))
    assert rows.first_infinite == (None if np.isnan(bad) else (0, 150_001))
    assert rows.n_missing.tolist() == [int(np.isnan(bad))]
