"""Rows side by side end where each of them ends alone: every kind of tree, value, memory layout and batch."""

import numpy as np
import pytest

from oracle.naive_walk import ends, heaviest, mixture
from random_trees import random_children, shape
from treewright import _core
from treewright.missing_values import MISSING_INTEGER
from treewright.model.model import router_of
from treewright.model.surrogates import SurrogateArrays
from treewright.model.tree import Tree

KINDS = {
    "numbers": "f",
    "numbers and integers": "fi",
    "categories": "c",
    "all kinds": "fic",
}
GAPS = ("branch", "surrogates", "spread", "stop", "any")
SIZES = (0, 1, 7, 8, 9, 15, 16, 17, 127, 128, 129, 300)
N_COLUMNS = 5
N_CODES = 70  # sets of few of these are looked up in another way than sets of many
LARGE = 45_000  # enough for two threads
N_KNOWN = 60


def random_tree(rng: np.random.Generator, kinds: str, gaps: str) -> tuple[Tree, str]:
    """Draw a tree over columns of these kinds, one letter each: float, int64, category."""
    of_column = "".join(rng.choice(list(kinds), N_COLUMNS))
    children = random_children(rng, most_leaves=int(rng.choice([1, 3, 12, 60, 200])))
    arrays = shape(children)
    n = len(children)
    column, missing = arrays["column"], arrays["missing_branch"]
    sets, of_surrogates = [[] for _ in range(n)], [[] for _ in range(n)]
    for node, below in enumerate(children):
        if not below:
            continue
        column[node] = rng.integers(N_COLUMNS)
        if of_column[column[node]] == "c":
            sets[node] = random_set(rng, len(below))
        policy = rng.choice(GAPS[:-1]) if gaps == "any" else gaps
        missing[node] = {"spread": -1, "stop": -2}.get(policy, rng.integers(len(below)))
        if policy == "surrogates" and len(below) == 2:
            of_surrogates[node] = [int(at) for at in rng.integers(0, N_COLUMNS, rng.integers(0, 3))]
    weight = rng.choice([0.0, 1.0, 2.0, 3.5], n)
    for below in children:  # no question without rows
        if below and not weight[below].any():
            weight[below[0]] = 1.0
    asked = [at for each in of_surrogates for at in each]
    surrogate_sets = [random_set(rng, 2) if of_column[at] == "c" else [] for at in asked]
    arrays |= questions(rng, column, sets)
    surrogates = SurrogateArrays(
        begin=np.cumsum([0, *map(len, of_surrogates)]).astype(np.int32),
        column=np.array(asked, np.int32),
        low_branch=rng.integers(0, 2, len(asked)).astype(np.int32),
        agree=np.full(len(asked), 0.9),
        adjusted=np.full(len(asked), 0.5),
        n_placed=np.ones(len(asked), np.int64),
        **questions(rng, np.array(asked, np.int32), surrogate_sets),
    )
    tree = Tree(
        **arrays | {"n_columns": N_COLUMNS},
        weight=weight,
        outcome=rng.normal(size=(n, 3)),
        impurity=np.zeros(n),
        is_classifier=False,
        surrogates=surrogates,
    )
    return tree, of_column


def random_set(rng: np.random.Generator, n_branches: int) -> list[tuple[int, int]]:
    n = int(rng.integers(n_branches, 12)) if rng.random() < 0.5 else int(rng.integers(n_branches, N_CODES))
    codes = np.sort(rng.choice(N_CODES, n, replace=False))
    branches = rng.permutation(np.arange(n) % n_branches)
    return list(zip(codes.tolist(), branches.tolist(), strict=True))


def questions(rng: np.random.Generator, column: np.ndarray, sets: list[list[tuple[int, int]]]) -> dict:
    n = len(column)
    pairs = [pair for each in sets for pair in each]
    # -0.0, the greatest float and "every known value" among them
    cut = rng.choice([0.0, -0.0, 0.5, -1.25, 0.1, 1e300, np.finfo(np.float64).max, np.inf], n)
    return {
        "cut": np.where(column >= 0, cut, np.nan),
        "cut_integer": rng.choice([0, -3, 2**62, -(2**62), 2**63 - 2], n),
        "set_begin": np.cumsum([0, *map(len, sets)]).astype(np.int32),
        "set_code": np.array([code for code, _ in pairs], np.int32),
        "set_branch": np.array([branch for _, branch in pairs], np.int32),
    }


def random_columns(rng: np.random.Generator, of_column: str, infinite: bool) -> list[np.ndarray]:
    """Draw values at the cuts, around them and far out, with gaps and codes that no set knows."""
    floats = [0.0, -0.0, 0.5, np.nextafter(0.5, 1), 0.1, -1.25, 7.0, 1e300, -1e300, np.nan, np.nan]
    if infinite:
        floats += [np.inf, -np.inf]
    integers = [0, -3, 5, 2**62, -(2**62) + 1, 2**63 - 2, MISSING_INTEGER + 1, MISSING_INTEGER]
    drawn = {
        "f": lambda: rng.choice(floats, N_KNOWN),
        "i": lambda: rng.choice(np.array(integers, np.int64), N_KNOWN),
        "c": lambda: rng.integers(-2, N_CODES + 3, N_KNOWN).astype(np.int32),
    }
    return [drawn[kind]() for kind in of_column]


def rows_of(columns: list[np.ndarray]) -> list[list]:
    as_told = [
        [("code", code) for code in column.tolist()] if column.dtype == np.int32 else column.tolist()
        for column in columns
    ]
    return [list(row) for row in zip(*as_told, strict=True)]


def layouts(rng: np.random.Generator, columns: list[np.ndarray]) -> list[list[np.ndarray]]:
    """Give the same columns as they may lie in memory: alone, with holes, backwards, out of line."""
    holes = [np.repeat(column, 2)[::2] for column in columns]
    backwards = [column[::-1].copy()[::-1] for column in columns]
    some = [each[int(rng.integers(3))] for each in zip(columns, holes, backwards, strict=True)]
    crooked = []
    for column in columns:
        memory = np.zeros(column.nbytes + 1, np.uint8)
        crooked.append(memory[1:].view(column.dtype))
        crooked[-1][:] = column
    return [columns, holes, backwards, some, crooked]


def blocks(columns: list[np.ndarray]) -> list[np.ndarray]:
    """Give floats as arrays of two dimensions: by row, by column, parts of larger ones, backwards."""
    block = np.column_stack(columns)
    wide = np.full((len(block) * 2, block.shape[1] + 3), np.nan, block.dtype)
    wide[::2, 1:-2] = block
    apart = np.repeat(block, 2, axis=1)
    return [block, np.asfortranarray(block), wide[::2, 1:-2], apart[:, ::2], block[::-1].copy()[::-1]]


def as_float32(columns: list[np.ndarray]) -> list[np.ndarray]:
    return [np.where(np.abs(column) > 1e38, 3e38, column).astype(np.float32) for column in columns]


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("kinds", KINDS)
def test_rows_side_by_side_end_where_they_end_alone(kinds, gaps):
    for seed in range(25):
        rng = np.random.default_rng([seed, len(kinds), GAPS.index(gaps)])
        tree, of_column = random_tree(rng, KINDS[kinds], gaps)
        router = router_of(tree)
        columns = random_columns(rng, of_column, infinite=seed % 2 == 0)
        if seed % 5 == 4:  # a float32 among float64
            at = int(rng.integers(N_COLUMNS))
            columns[at] = as_float32([columns[at]])[0] if of_column[at] == "f" else columns[at]
        found = [ends(tree, row) for row in rows_of(columns)]
        leaves = np.array([heaviest(each) for each in found])
        for size in SIZES:
            rows = rng.integers(0, N_KNOWN, size)
            for arrays in layouts(rng, [column[rows] for column in columns]):
                assert router.apply(arrays, 1).tolist() == leaves[rows].tolist(), (seed, size)


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("type_", [np.float64, np.float32])
def test_what_leaves_say_comes_back_to_the_bit(type_, gaps):
    for seed in range(25):
        rng = np.random.default_rng([seed, 7, GAPS.index(gaps)])
        tree, of_column = random_tree(rng, "f", gaps)
        router = router_of(tree)
        columns = random_columns(rng, of_column, infinite=False)
        columns = as_float32(columns) if type_ is np.float32 else columns
        found = [ends(tree, row) for row in rows_of(columns)]
        said = np.array([mixture(each, tree.outcome.tolist()) for each in found])
        numbers = np.arange(tree.n_nodes)[:, None] * [1, 10]
        leaves = np.array([heaviest(each) for each in found])
        for size in SIZES:
            rows = rng.integers(0, N_KNOWN, size)
            for block in blocks([column[rows] for column in columns]):
                taken = router.take(block, tree.outcome, True, 1)
                assert taken.tobytes() == said[rows].tobytes(), (seed, size)
                assert router.take(list(block.T), tree.outcome, True, 1).tobytes() == taken.tobytes()
                assert router.take(block, numbers, True, 1).tolist() == numbers[leaves[rows]].tolist()
                alone = router.take(block, _core.Answers(numbers[:, 1]), True, 1)
                assert alone.tolist() == numbers[leaves[rows], 1].tolist()


@pytest.mark.parametrize("kinds", KINDS)
def test_threads_share_out_a_large_table_and_change_nothing(kinds):
    rng = np.random.default_rng(len(kinds))
    for gaps in GAPS:
        tree, of_column = random_tree(rng, KINDS[kinds], gaps)
        columns = random_columns(rng, of_column, infinite=False)
        found = [ends(tree, row) for row in rows_of(columns)]
        said = np.array([mixture(each, tree.outcome.tolist()) for each in found])
        rows = rng.integers(0, N_KNOWN, LARGE)
        large = [column[rows] for column in columns]
        for n_threads in (1, 2):
            taken = router_of(tree).take(large, tree.outcome, True, n_threads)
            assert taken.tobytes() == said[rows].tobytes()


@pytest.mark.parametrize("type_", [np.float64, np.float32])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_one_infinity_anywhere_is_found_and_so_is_a_gap_where_none_are_taken(n_threads, type_):
    rng = np.random.default_rng(3)
    tree, _ = random_tree(rng, "f", "branch")
    router = router_of(tree)
    for size in (1, 2, 7, 129, LARGE):
        block = rng.normal(size=(size, N_COLUMNS)).astype(type_)
        for way in (np.ascontiguousarray, np.asfortranarray):
            for _ in range(4):
                at = (rng.integers(size), rng.integers(N_COLUMNS))
                for value, takes_missing, is_answered in (
                    (np.inf, True, False),
                    (-np.inf, True, False),
                    (np.nan, False, False),
                    (np.nan, True, True),
                    (np.finfo(type_).max, False, True),
                ):
                    there = block.copy()
                    there[at] = value
                    for rows in (way(there), list(way(there).T)):
                        taken = router.take(rows, tree.outcome, takes_missing, n_threads)
                        assert (taken is not None) == is_answered, (size, at, value)


def test_a_table_of_other_kinds_is_refused():
    rng = np.random.default_rng(0)
    tree, of_column = random_tree(rng, "fc", "branch")
    while tree.n_nodes < 9:
        tree, of_column = random_tree(rng, "fc", "branch")
    other = [np.zeros(3, np.int32 if kind == "f" else np.float64) for kind in of_column]
    with pytest.raises(ValueError, match="of another kind"):
        router_of(tree).apply(other, 1)
    with pytest.raises(ValueError, match="fewer columns"):
        router_of(tree).apply([], 1)
    right = [np.zeros(3, np.int32 if kind == "c" else np.float64) for kind in of_column]
    with pytest.raises(ValueError, match="as many entries as nodes"):
        router_of(tree).take(right, tree.outcome[1:].copy(), True, 1)
