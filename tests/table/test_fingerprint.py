"""The fingerprint of a table against its formula, row by row in Python's whole numbers."""

import math
import struct

import numpy as np
import pytest

from treewright.table.fingerprint import fingerprint

WORD = 2**64 - 1


def scrambled(number):
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        number = ((number ^ (number >> shift)) * factor) & WORD
    return number


def bits(value):
    if isinstance(value, int):
        return value & WORD
    return struct.unpack("<Q", struct.pack("<d", math.nan if math.isnan(value) else value))[0]


def naive(columns, target, weights):
    factors = [scrambled(at * 0x9E3779B97F4A7C15 & WORD) | 1 for at in range(1, len(columns) + 3)]
    total = 0
    for row, weight in enumerate(weights):
        if weight:
            values = [target[row], weight, *(column[row] for column in columns)]
            total += scrambled(sum(bits(v) * f for v, f in zip(values, factors, strict=True)) & WORD)
    return f"{total & WORD:016x}"


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_sum_of_scrambled_rows(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 200))
    columns = [
        rng.normal(size=n),
        rng.integers(-(2**62), 2**62, n),
        rng.integers(-1, 5, n).astype(np.int32),
        np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)).astype(np.float32),
    ]
    target = rng.normal(size=n) if seed % 2 else rng.integers(0, 3, n).astype(np.int32)
    weights = rng.integers(0, 3, n) / 2
    plain = [column.tolist() for column in columns]
    assert fingerprint(columns, target, weights) == naive(plain, target.tolist(), weights.tolist())
    assert fingerprint(columns, target) == naive(plain, target.tolist(), [1.0] * n)
    order = rng.permutation(n)
    assert fingerprint([c[order] for c in columns], target[order], weights[order]) == fingerprint(
        columns, target, weights
    )


def test_a_block_of_any_type_and_order_is_its_columns():
    rng = np.random.default_rng(3)
    block = rng.integers(-99, 99, (30_000, 7)).astype(np.float64)
    target = rng.normal(size=30_000)
    expected = fingerprint(list(block.T), target)
    for dtype in (np.float64, np.float32, np.int8, np.int64):
        for order in "CF":
            assert fingerprint(block.astype(dtype, order=order), target) == expected
    block[12_345, 6] += 1
    assert fingerprint(block, target) != expected


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
