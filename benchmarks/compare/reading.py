"""What reading a table from disk costs, beside polars' own reader.

    python -m benchmarks.compare.reading                    a CSV of 1,000,000 × 9, some 150 MB
    python -m benchmarks.compare.reading --rows 10000       a small one
    python -m benchmarks.compare.reading --plain            also without pyarrow: a minute

The table is random: seven columns of numbers with all their digits, one of towns, one of whole numbers. CPU
time of the whole process, the least of several runs, taking turns.
"""

from __future__ import annotations

import argparse
import csv
import gc
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from benchmarks.compare.machine import load

from treewright.files import arrow_rows
from treewright.files.reader import read_batches, read_file

TOWNS = ["北京", "上海", "Amsterdam", "New York", "Ulm"]


def write_table(path: Path, n_rows: int) -> None:
    """Write the table; the same every time."""
    rng = np.random.default_rng(0)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{at}" for at in range(7)] + ["town", "count"])
        for start in range(0, n_rows, 100_000):
            n = min(100_000, n_rows - start)
            columns = [rng.normal(size=n).tolist() for _ in range(7)]
            columns += [rng.choice(TOWNS, n).tolist(), rng.integers(0, 10**9, n).tolist()]
            writer.writerows(zip(*columns, strict=True))


def readers(path: Path, plain: bool) -> dict[str, Callable[[], object]]:
    """Give the ways to read, those of libraries that are installed."""
    ways: dict[str, Callable[[], object]] = {
        "treewright, whole": lambda: read_file(path),
        "treewright, in batches": lambda: sum(batch.n_rows for batch in read_batches(path)),
    }
    if plain:
        ways["treewright, without pyarrow"] = lambda: _plainly(path)
    try:
        import polars as pl
    except ImportError:
        return ways
    return {"polars": lambda: pl.read_csv(path), **ways}


def _plainly(path: Path) -> object:
    is_there = arrow_rows.is_there
    arrow_rows.is_there = lambda: False
    try:
        return read_file(path)
    finally:
        arrow_rows.is_there = is_there


def cpu_times(ways: dict[str, Callable[[], object]], n_runs: int) -> dict[str, float]:
    """Time each way, the least of several runs after one that loads what loads late."""
    least: dict[str, float] = {}
    for run in range(n_runs + 1):
        for name, read in ways.items():
            gc.collect(1)
            start = time.process_time()
            read()
            took = time.process_time() - start
            if run or n_runs == 0:
                least[name] = min(took, least.get(name, took))
    return least


def main(arguments: list[str] | None = None) -> None:
    """Write a table, read it, print what it cost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the table")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each reader")
    parser.add_argument("--plain", action="store_true", help="also the reader that needs no library")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        write_table(path, options.rows)
        size = path.stat().st_size / 1e6
        print(f"a CSV of {options.rows:,} × 9, {size:.1f} MB; load {load()}")
        times = cpu_times(readers(path, options.plain), options.runs)
    theirs = times.get("polars")
    for name, took in times.items():
        ratio = f"{took / theirs:8.2f} ×" if theirs else ""
        print(f"{name:<32}{took:10.3f} s{ratio}", flush=True)


if __name__ == "__main__":
    main()
