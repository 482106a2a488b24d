"""The fingerprint of a table against its formula."""

import numpy as np
import pytest

from oracle.naive_fingerprint import naive_fingerprint, naive_numbers_of_rows
from treewright.table.encode import encode
from treewright.table.fingerprint import fingerprint, numbers_of_rows
from treewright.table.read import read


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_sum_of_scrambled_rows(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 700))
    columns = [
        rng.normal(size=n),
        rng.integers(-(2**62), 2**62, n),
        rng.integers(-1, 5, n).astype(np.int32),
        np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)).astype(np.float32),
        *rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1e308, -1e308, 5e-324], (3, n)),
        rng.normal(size=(n, 3))[:, 1],
    ][seed % 3 :]
    target = rng.normal(size=n) if seed % 2 else rng.integers(0, 3, n).astype(np.int32)
    weights = rng.integers(0, 3, n) / 2
    plain = [column.tolist() for column in columns]
    assert fingerprint(columns, target, weights) == naive_fingerprint(
        plain, target.tolist(), weights.tolist()
    )
    assert fingerprint(columns, target) == naive_fingerprint(plain, target.tolist(), [1.0] * n)
    order = rng.permutation(n)
    assert fingerprint([c[order] for c in columns], target[order], weights[order]) == fingerprint(
        columns, target, weights
    )
    for shuffle in (0, seed, 2**31 - 1):
        expected = naive_numbers_of_rows(plain, target.tolist(), weights.tolist(), shuffle)
        assert numbers_of_rows(columns, target, weights, shuffle).tolist() == expected


@pytest.mark.parametrize("n_columns", [0, 1, 2, 31, 400, 9_000])
def test_narrow_and_wide_tables_follow_the_formula(n_columns):
    rng = np.random.default_rng(n_columns)
    n = max(3, 4_000 // (n_columns + 1))
    block, target = rng.normal(size=(n, n_columns)), rng.normal(size=n)
    expected = naive_fingerprint(block.T.tolist(), target.tolist(), [1.0] * n)
    assert fingerprint(list(block.T), target) == expected


def test_a_block_of_any_type_and_order_is_its_columns():
    rng = np.random.default_rng(3)
    block = rng.integers(-99, 99, (30_000, 7)).astype(np.float64)
    target = rng.normal(size=30_000)
    expected = fingerprint(list(block.T), target)
    for dtype in (np.float64, np.float32, np.float16, np.int8, np.int64, np.longdouble):
        for order in "CF":
            codes, _ = encode(read(block.astype(dtype, order=order)))
            assert fingerprint(codes, target) == expected
            assert fingerprint([code[::-1] for code in codes], target[::-1]) == expected
    block[12_345, 6] += 1
    assert fingerprint(list(block.T), target) != expected


def test_threads_share_the_rows_of_a_large_table():
    rng = np.random.default_rng(3)
    columns = [*rng.normal(size=(30_000, 2)).T]
    target, weights = rng.normal(size=30_000), rng.integers(0, 2, 30_000) * 1.0
    for given in (None, weights):
        assert len({fingerprint(columns, target, given, n_threads) for n_threads in (1, 2, 3)}) == 1
    every = numbers_of_rows(columns, target)
    assert fingerprint(columns, target, None, 2) == f"{int(every.sum(dtype=np.uint64)):016x}"


def test_every_nan_is_the_same():
    numbers = np.array([1.0, np.nan])
    other = numbers.copy()
    other.view(np.uint64)[1] |= np.uint64(1 << 63 | 77)
    target = np.array([0, 1], dtype=np.int32)
    assert fingerprint([other], target) == fingerprint([numbers], target)


def test_rows_must_stay_together():
    """The same values in each column, but in other rows."""
    a, target = np.arange(10.0), np.zeros(10, dtype=np.int32)
    assert fingerprint([a, a], target) != fingerprint([a, a[::-1]], target)


def test_the_core_refuses_columns_of_other_lengths():
    with pytest.raises(ValueError, match="unequal length"):
        fingerprint([np.zeros(3)], np.zeros(4))
    with pytest.raises(ValueError, match="unequal length"):
        fingerprint([np.zeros(3)], np.zeros(3), np.ones(2))
    with pytest.raises(TypeError, match="column 1 must be"):
        fingerprint([np.zeros(3)], np.zeros(3, dtype=bool))
