"""Columns are used where they lie: in the caller's memory, whatever holds them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright.table.encode import encode
from treewright.table.read import read

VALUES = np.random.default_rng(0).normal(size=(50, 4))
NAMES = list("abcd")


def by_column(values):
    return {name: np.ascontiguousarray(column) for name, column in zip(NAMES, values.T, strict=True)}


def numpy_arrays():
    wide = np.zeros((100, 8))
    wide[::2, ::2] = VALUES
    for values in (VALUES, np.asfortranarray(VALUES), wide[::2, ::2], VALUES[::-1]):
        yield values, list(values.T)
        narrow = values.astype(np.float32, order="K")
        yield narrow, list(narrow.T)


def frames():
    for dtype in (np.float64, np.float32):
        columns = by_column(VALUES.astype(dtype))
        yield columns, list(columns.values())
        frame = pl.DataFrame(columns)
        yield frame, [frame[name].to_numpy(allow_copy=False) for name in NAMES]
        table = pa.table(columns)
        yield table, [table[name].chunk(0).to_numpy(zero_copy_only=True) for name in NAMES]
        yield table.to_batches()[0], [table[name].chunk(0).to_numpy() for name in NAMES]
    block = pd.DataFrame(VALUES, columns=NAMES)
    yield block, [block[name].to_numpy() for name in NAMES]
    moments = VALUES.view("M8[ns]")
    yield {"when": moments[:, 0]}, [moments[:, 0]]


@pytest.mark.parametrize("make", [numpy_arrays, frames])
def test_what_is_encoded_lies_in_the_callers_memory(make):
    for data, columns in make():
        codes, _ = encode(read(data))
        for code, column in zip(codes, columns, strict=True):
            assert np.shares_memory(code, column), type(data)


FIT = """
import gc, sys
import numpy as np, polars as pl, pyarrow as pa
import treewright as tw

def level(field):
    with open("/proc/self/status") as status:
        return 1024 * next(int(line.split()[1]) for line in status if line.startswith(field))

def peak(data, y):
    tree = tw.DecisionTreeClassifier(max_depth=3, n_jobs=1)
    tree.fit(data[:100], y[:100])
    gc.collect()
    with open("/proc/self/clear_refs", "w") as mark:
        mark.write("5")
    before = level("VmRSS")
    tree.fit(data, y)
    return level("VmHWM") - before

n = 250_000
X = np.random.default_rng(0).normal(size=(n, 20))
y = X[:, 0] > 0
names = [f"c{i}" for i in range(20)]
print(peak(X, y) / X.nbytes)
frame = pl.DataFrame(X, schema=names)
table = pa.table([np.ascontiguousarray(column) for column in X.T], names=names)
X = np.asfortranarray(X)
print(peak(X, y) / X.nbytes)
print(peak(frame, y) / X.nbytes)
print(peak(table, y) / X.nbytes)
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the mark is Linux's")
def test_a_fit_needs_less_memory_than_its_table():
    """Counted rows take a quarter to a half of the table; a copy would go far beyond the bound."""
    ran = subprocess.run([sys.executable, "-c", FIT], capture_output=True, text=True, check=True)
    shares = list(map(float, ran.stdout.split()))
    assert len(shares) == 4
    assert all(0.2 < share < 0.9 for share in shares), shares
