"""The figures as pictures: ``python -m benchmarks.compare.plot`` draws what is in ``benchmarks/results``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.compare.asked import ASKED
from benchmarks.compare.jobs import Job
from benchmarks.compare.layout import THEIRS, times
from benchmarks.compare.measure import Figures
from benchmarks.compare.results import Results, read
from benchmarks.compare.verdicts import OURS, Verdict

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
ONE, TWO, LEAST, INK = "#1f5fa8", "#8fb8e3", "#c0392b", "#222222"
BAR = 0.38
TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
LINES = {OURS: ONE, "HistGradientBoosting": "#e08a1e", "LightGBM": "#4a9a57", THEIRS: "#888888"}


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


def draw_sizes(results: Results, folder: Path = PICTURES) -> str:
    """Draw time against rows, a panel for each task; tell where it is."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "treewright", "font.size": 9, "text.color": INK}):
        figure = Figure(figsize=(9.5, 4.0), layout="constrained", facecolor="white")
        for axes, task in zip(figure.subplots(1, 2, sharey=True), ("classes", "numbers"), strict=True):
            _lines(axes, [f for f in results.time if f.job.startswith(f"{task}, ") and "noise" not in f.job])
            axes.set_title(f"{task}, depth 8", loc="left", weight="bold")
            axes.set_xlabel("rows")
        figure.axes[0].set_ylabel("seconds to fit one tree")
        figure.axes[0].legend(frameon=False, title="solid: 1 thread, CPU; dashed: 2 threads, wall")
        figure.text(0.01, -0.02, _versions(results), size=7.5, va="top")
        for suffix, options in (("png", {"dpi": 130}), ("svg", {"metadata": {"Date": None}})):
            figure.savefig(folder / f"sizes.{suffix}", bbox_inches="tight", **options)
    return f"{folder.parent.name}/{folder.name}/sizes.png and .svg"


def _lines(axes: Any, times: list[Figures]) -> None:
    """Draw the times of each library, on one thread and on two."""
    for name, color in LINES.items():
        of = [f for f in times if f.rival.startswith(name) and "lists" not in f.rival]
        rows = [Job.rows_in(f.job) for f in of]
        axes.plot(rows, [f.cpu_s for f in of], "o-", color=color, markersize=3.5, label=name)
        if name != THEIRS:  # it has one thread
            axes.plot(rows, [f.wall_s for f in of], "o--", color=color, markersize=2.5, alpha=0.7)
    axes.set_xscale("log")
    axes.set_yscale("log")
    ticks = sorted({Job.rows_in(f.job) for f in times})
    axes.set_xticks(ticks, [f"{n / 1e6:g} M" for n in ticks])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} s")
    axes.minorticks_off()
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


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
    about = "Against scikit-learn's exact tree unless another is named; the quickest of those named counts."
    return f"{about} {_versions(results)} Printed by make bench."


def _versions(results: Results) -> str:
    about = results.machine
    return f"{about['processor']}, {about['cores']} cores.\n{about['versions']}."


if __name__ == "__main__":
    print(draw(read()))
    print(draw_sizes(read(name="sizes")))
