"""The benchmark of large tables prints, keeps and draws a figure for every size and library."""

import sys

from pages import ROOT

sys.path.insert(0, str(ROOT))  # the benchmarks are no part of the package

from benchmarks.compare import plot, quote, results, sizes
from benchmarks.compare.measure import Figures

MACHINE = {"processor": "a processor", "cores": "2 of 2", "system": "a system", "versions": "numpy 2"}


def test_large_tables_have_a_line_for_each_library_and_the_cost_of_a_row(capsys):
    sizes.main(["--rows", "200,300", "--columns", "5", "--exact", "200", "--patience", "0"])
    printed = capsys.readouterr().out.splitlines()
    for n_rows, exact in ((200, True), (300, False)):
        for task in ("classes", "numbers"):
            of = [line for line in printed if line.startswith(f"{task}, {n_rows} × 5, depth 8 ")]
            assert any(" treewright " in line for line in of)
            assert any(" scikit-learn " in line for line in of) == exact
            assert any(" treewright, lists " in line for line in of) == exact
            assert sum(line.startswith(f"{task}, {n_rows} rows: ") for line in printed) == 1
    assert sum(line.startswith("classes, noise, 300 × 5") for line in printed) == 2


def some_sizes():
    figures = [
        Figures(
            "sizes", f"{task}, {n_rows:,} × 20, depth 8", name, n_rows * cost, n_rows * cost / 2, 1, 9, 0.5
        )
        for task in ("classes", "numbers")
        for n_rows in (100_000, 1_000_000)
        for name, cost in (("treewright", 1e-6), ("LightGBM (binned)", 8e-6), ("scikit-learn", 9e-5))
    ]
    return results.Results(machine=MACHINE, time=figures)


def test_large_tables_are_drawn_and_quoted(tmp_path):
    kept = some_sizes()
    results.write(kept, tmp_path, "sizes")
    assert results.read(tmp_path, "sizes") == kept
    plot.draw_sizes(kept, tmp_path)
    assert "<svg" in (tmp_path / "sizes.svg").read_text("utf-8")
    of = {language: quote.sizes_block(kept, language)["sizes"] for language in ("en", "zh")}
    assert (
        "| classes, 1,000,000 × 20, depth 8 | 1.00 s, 500 ms |  | 8.00 ×, 8.00 × | 90.0 ×, 90.0 × |  |"
        in of["en"]
    )
    assert of["en"].count("|") == of["zh"].count("|")
