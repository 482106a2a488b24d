"""The ratios as a picture: ``python -m benchmarks.compare.plot`` draws what is in ``benchmarks/results``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.compare.asked import ASKED
from benchmarks.compare.layout import THEIRS, times
from benchmarks.compare.results import Results, read
from benchmarks.compare.verdicts import Verdict

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
ONE, TWO, LEAST, INK = "#1f5fa8", "#8fb8e3", "#c0392b", "#222222"
BAR = 0.38
TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)


def draw(results: Results, folder: Path = PICTURES) -> str:
    """Draw bars of ratios, with a line for the least that is asked of each; tell where they are."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    shown = [v for v in results.verdicts() if not ASKED[v.asked].at_most and v.ratios[0] is not None]
    with mpl.rc_context({"svg.hashsalt": "treewright", "font.size": 9, "text.color": INK}):
        figure = Figure(figsize=(9.5, 1.6 + 0.42 * len(shown)), layout="constrained", facecolor="white")
        axes = figure.add_subplot()
        _bars(axes, shown)
        axes.set_title("One tree: how many times faster is treewright?", loc="left", weight="bold")
        figure.legend(loc="outside upper right", frameon=False, ncols=3)
        figure.text(0.01, -0.02, _caption(results), size=7.5, va="top")
        for suffix, options in (("png", {"dpi": 130}), ("svg", {"metadata": {"Date": None}})):
            figure.savefig(folder / f"speed.{suffix}", bbox_inches="tight", **options)
    return f"{folder.parent.name}/{folder.name}/speed.png and .svg"


def _bars(axes: Any, shown: list[Verdict]) -> None:
    """Draw two bars for each job, the first at the top."""
    for at, (place, color, words) in enumerate(
        ((-BAR / 2, ONE, "1 thread, CPU time"), (BAR / 2, TWO, "2 threads, wall time"))
    ):
        rows = [(y + place, v.ratios[at]) for y, v in enumerate(shown) if v.ratios[at] is not None]
        if not rows:
            continue
        axes.barh([y for y, _ in rows], [r for _, r in rows], BAR, color=color, label=words, left=0)
        for y, ratio in rows:
            axes.text(1.01, y, times(ratio), transform=axes.get_yaxis_transform(), va="center", size=7.5)
        least = [
            (y + place, ASKED[v.asked].least[at])
            for y, v in enumerate(shown)
            if v.ratios[at] is not None and ASKED[v.asked].least[at] is not None
        ]
        axes.vlines(
            [value for _, value in least],
            [y - BAR / 2 for y, _ in least],
            [y + BAR / 2 for y, _ in least],
            color=LEAST,
            linewidth=2.2,
            label="at least" if at == 0 else None,
        )
    axes.set_yticks(range(len(shown)), [_label(v) for v in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xscale("log")
    most = max((max(r for r in v.ratios if r is not None) for v in shown), default=10)
    most = max([most, *(value for v in shown for value in ASKED[v.asked].least if value is not None)]) * 1.1
    axes.set_xlim(0.4, most)
    axes.set_xticks([tick for tick in TICKS if tick <= most], minor=False)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g} ×")
    axes.minorticks_off()
    axes.axvline(1, color=INK, linewidth=0.8)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(left=False)


def _label(verdict: Verdict) -> str:
    """Name the job, and whom it is measured against where that is not scikit-learn."""
    return verdict.job if verdict.against == THEIRS else f"{verdict.job}\nagainst {verdict.against}"


def _caption(results: Results) -> str:
    about = results.machine
    return (
        f"Against scikit-learn's exact tree unless another is named; the quickest of those named counts. "
        f"{about['processor']}, {about['cores']} cores.\n{about['versions']}. Printed by make bench."
    )


if __name__ == "__main__":
    print(draw(read()))
