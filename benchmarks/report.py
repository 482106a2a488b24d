"""How large the page of a big tree is, how soon it opens and how soon it does what one asks of it.

``python -m benchmarks.report``; the time of a step is that until the window shows it.
"""

import argparse
import os
import shutil
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import treewright as tw
from treewright.errors import DeepTreeWarning

RUNS = 5

# Does something in a page, and gives the milliseconds until it is shown.
TIMED = """async act => {
  const begin = performance.now();
  new Function(act)();
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - begin;
}"""
SEARCH = """
  const search = document.querySelector('#search');
  search.value = 'x0 > 0.5';
  search.dispatchEvent(new Event('input'));
"""
SCROLL = """
  const rules = document.querySelector('#rules .scroll');
  rules.scrollTop = {} * rules.scrollHeight;
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000, help="the tree has about as many nodes")
    parser.add_argument("--levels", type=int, default=7_800, help="of a tree that takes off a row at a time")
    given = parser.parse_args()
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 2, given.rows)
    measure("labels at random", {"x0": rng.random(given.rows)}, labels)
    measure("a chain", {"x0": np.arange(given.levels + 1.0)}, np.arange(given.levels + 1) % 2)


def measure(name: str, X: dict[str, Any], y: Any) -> None:
    """Write a page, open it and use it; print what each step takes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeepTreeWarning)
        tree = tw.DecisionTreeClassifier().fit(X, y)
    print(f"{name}: {tree.tree_.n_nodes:,} nodes, {tree.get_depth():,} levels")
    with tempfile.TemporaryDirectory() as folder:
        begin = time.process_time()
        page = tree.report(Path(folder) / "page.html", X, y)
        written = time.process_time() - begin
        print(f"  {page.stat().st_size / 1e6:.2f} MB, written in {written:.2f} s of CPU time")
        times = times_of(page)
    if not times:
        print("  no Chromium or no playwright here: what the page takes is not measured (make browser)")
    for step, seconds in times.items():
        print(f"  {step:<10} {seconds:6.3f} s")
    print(f"  load of the machine {os.getloadavg()[0]:.1f}")


def times_of(page: Path) -> dict[str, float]:
    """Open a page some times, each in a new window, then use it; seconds for each step."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return {}
    if chromium is None:
        return {}
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
        used = used_times(window)
        browser.close()
    return {"open": min(times), **used}


def used_times(window: Any) -> dict[str, float]:
    """Use a page: the seconds of each step, of steps done several times the longest."""

    def timed(act: str) -> float:
        return float(window.evaluate(TIMED, act)) / 1000

    def click(button: str) -> str:
        return f"document.querySelector('{button}').click()"

    used = {"open all": timed(click("#open-all"))}
    used["zoom"] = max(timed(click("#zoom-in")) for _ in range(20))
    for _ in range(12):
        timed(click("#zoom-out"))
    used["pan"] = pan_time(window)
    used["search"] = timed(SEARCH)
    used["next found"] = timed(click("#next"))
    used["all rules"] = max(timed(SCROLL.format(share)) for share in (0.3, 1))
    used["sort rules"] = timed(click("[data-key=rows]"))
    return used


def pan_time(window: Any) -> float:
    """Drag the tree; the seconds of the slowest move."""
    frame = window.locator("svg.tree").bounding_box()
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    window.mouse.move(x, y)
    window.mouse.down()
    times = []
    for step in range(1, 11):
        begin = time.perf_counter()
        window.mouse.move(x - 10 * step, y - 15 * step)
        window.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        times.append(time.perf_counter() - begin)
    window.mouse.up()
    return max(times)


if __name__ == "__main__":
    main()
