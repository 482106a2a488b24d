"""How long `treewright fit` takes on diamonds, and how long it is silent: ``python -m benchmarks.shell``."""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

ROWS = 53_940
QUALITIES = ("Fair", "Good", "Very Good", "Premium", "Ideal")
COLORS = tuple("JIHGFED")
CLARITIES = ("I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help="of the table that stands in for diamonds")
    parser.add_argument("--runs", type=int, default=3)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        table = diamonds_of_plotnine() or write_diamonds(Path(folder) / "diamonds.csv", asked.rows)
        print(f"{table}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        print("seconds: wall, CPU, longest without a word in a pipe; the run of the least wall time")
        command = ("fit", str(table), "--target", "price", "-o", f"{folder}/price.tw.json", "--force")
        wall, cpu, silent = min(run(*command) for _ in range(asked.runs))
    print(f"{wall:8.2f} {cpu:8.2f} {silent:8.2f}  treewright fit diamonds.csv (CART, folds within folds)")


def diamonds_of_plotnine() -> Path | None:
    """Find the table that ggplot2 made known, if plotnine, which ships it, is installed."""
    package = find_spec("plotnine")
    if package is None or package.origin is None:
        return None
    path = Path(package.origin).parent / "data" / "diamonds.csv"
    return path if path.exists() else None


def write_diamonds(path: Path, n_rows: int) -> Path:
    """Write a table of the same shape: three columns of categories, six of numbers, a whole price."""
    rng = np.random.default_rng(0)
    carat = np.exp(rng.normal(-0.4, 0.6, n_rows)).clip(0.2, 5).round(2)
    cut, color, clarity = (rng.integers(0, len(each), n_rows) for each in (QUALITIES, COLORS, CLARITIES))
    depth, top = rng.normal(61.7, 1.4, n_rows).round(1), rng.normal(57.5, 2.2, n_rows).round()
    x = (6.4 * carat ** (1 / 3) + rng.normal(0, 0.05, n_rows)).round(2)
    y = (x + rng.normal(0, 0.03, n_rows)).round(2)
    z = (depth / 100 * (x + y) / 2).round(2)
    worth = 8.4 + 1.9 * np.log(carat) + 0.02 * cut + 0.08 * color + 0.12 * clarity
    price = np.exp(worth + rng.normal(0, 0.12, n_rows)).clip(326, 18_823).astype(int)
    columns = {
        "carat": carat,
        "cut": np.array(QUALITIES)[cut],
        "color": np.array(COLORS)[color],
        "clarity": np.array(CLARITIES)[clarity],
        **{"depth": depth, "table": top, "price": price, "x": x, "y": y, "z": z},
    }
    lines = zip(*(values.tolist() for values in columns.values()), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, line)) for line in lines)]) + "\n")
    return path


def run(*words: str) -> tuple[float, float, float]:
    """Run a command in a process of its own; return its wall and CPU time, and its longest silence."""
    begin, cpu = time.perf_counter(), cpu_of_children()
    arguments = [sys.executable, "-m", "treewright", *words]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None, "it is a pipe"
        heard = [begin, *(time.perf_counter() for _ in process.stderr)]
    if process.returncode:
        raise SystemExit(f"treewright {' '.join(words)} failed")
    heard.append(time.perf_counter())
    return heard[-1] - begin, cpu_of_children() - cpu, float(np.diff(heard).max())


def cpu_of_children() -> float:
    """Return the CPU time of all processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
