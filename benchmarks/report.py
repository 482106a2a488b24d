"""How large the page of a big tree is, and how soon it opens: ``python -m benchmarks.report``."""

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np

import treewright as tw

RUNS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000, help="the tree has about as many nodes")
    n_rows = parser.parse_args().rows
    rng = np.random.default_rng(5)
    X, y = {"x0": rng.random(n_rows)}, rng.integers(0, 2, n_rows)
    tree = tw.DecisionTreeClassifier().fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.process_time()
        page = tree.report(Path(folder) / "page.html", X, y)
        written = time.process_time() - begin
        size = page.stat().st_size / 1e6
        print(f"{tree.tree_.n_nodes:,} nodes: {size:.2f} MB, written in {written:.2f} s of CPU time")
        times = opening_times(page)
    if times:
        load = os.getloadavg()[0]
        print(f"opens in {min(times):.2f} s, the least of {RUNS}; load of the machine {load:.1f}")
    else:
        print("no Chromium or no playwright here: how soon it opens is not measured (make browser)")


def opening_times(page: Path) -> list[float]:
    """Open a page some times, each in a new window; seconds until the tree is drawn and can be used."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return []
    if chromium is None:
        return []
    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(RUNS):
            window = browser.new_page()
            begin = time.perf_counter()
            window.goto(page.as_uri())
            window.wait_for_selector(".box")
            window.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
            times.append(time.perf_counter() - begin)
            window.close()
        browser.close()
    return times


if __name__ == "__main__":
    main()
