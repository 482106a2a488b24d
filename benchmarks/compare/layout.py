"""How figures are written: cells, lines for the terminal, tables of Markdown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from benchmarks.compare.asked import ASKED, Asked, Pair
from benchmarks.compare.measure import Figures
from benchmarks.compare.paths import PathFigures
from benchmarks.compare.verdicts import OURS, Verdict

THEIRS = "scikit-learn"
HEAD = ["workload", "against", OURS, "1 thread, CPU", "2 threads, wall", "at least", "aim", "says"]
TIME_HEAD = [
    "job",
    "library",
    "1 thread, CPU",
    f"/ {OURS}",
    "2 threads, wall",
    f"/ {OURS}",
    "runs",
    "leaves",
    "score",
]
PATH_HEAD = ["treewright on other paths", "", "CPU s", "times plain", "runs", "leaves"]
MEMORY_HEAD = ["job", "library", "1 thread, MiB", f"/ {THEIRS}", "2 threads, MiB", f"/ {THEIRS}"]
WIDTHS = {"at least": 19, "aim": 16, "says": 27}  # others take ten characters, or what their head takes


def seconds(value: float | None) -> str:
    """Write a time with three digits and the unit that suits it."""
    if value is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size or unit == "µs":
            amount = value / size
            break
    digits = 0 if amount >= 100 else 1 if amount >= 10 else 2
    return f"{amount:.{digits}f} {unit}"


def ratio(over: float | None, under: float | None) -> str:
    """Write how many times one is the other."""
    return times(over / under) if over and under else ""


def times(value: float | None) -> str:
    """Write a ratio with three digits at most."""
    return "" if value is None else f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f} ×"


def time_rows(found: list[Figures]) -> Iterator[list[str]]:
    """Write the times of one job, a row for each library."""
    ours = next((f for f in found if f.rival == OURS), None)
    for f in found:
        yield [
            f.job,
            f.rival,
            seconds(f.cpu_s),
            ratio(f.cpu_s, ours and ours.cpu_s),
            seconds(f.wall_s),
            ratio(f.wall_s, ours and ours.wall_s),
            str(f.n_runs),
            "" if f.n_leaves is None else f"{f.n_leaves:,}",
            "" if f.score is None else f"{f.score:.4f}",
        ]


def memory_rows(found: list[Figures]) -> Iterator[list[str]]:
    """Write the peaks of one job, a row for each library."""
    theirs = next((f for f in found if f.rival == THEIRS), None)
    for f in found:
        yield [
            f.job,
            f.rival,
            f"{f.peak_mib:.1f}",
            ratio(f.peak_mib, theirs and theirs.peak_mib),
            f"{f.peak_2_mib:.1f}",
            ratio(f.peak_2_mib, theirs and theirs.peak_2_mib),
        ]


def path_row(f: PathFigures) -> list[str]:
    """Write the figures of one way."""
    return [f.way, "", f"{f.cpu_s:.4f}", times(f.ratio), str(f.n_runs), f"{f.n_leaves:,}"]


def verdict_row(v: Verdict) -> list[str]:
    """Write what is asked of a job and what came of it."""
    asked = ASKED[v.asked]
    cost = f"{v.cost:.0f} MiB" if asked.at_most else seconds(v.cost)
    least = wanted(asked.least, asked) + (
        "" if asked.most_s is None else f"{', ' if asked.least[0] else ''}≤ {seconds(asked.most_s)}"
    )
    return [v.job, v.against, cost, *map(times, v.ratios), least, wanted(asked.aim, asked), v.says]


def wanted(pair: Pair, asked: Asked) -> str:
    """Write what is asked: for one thread, or for one and two."""
    sign = "≤ " if asked.at_most else ""
    return " / ".join(dict.fromkeys(f"{sign}{value:g} ×" for value in pair if value is not None))


def line(row: list[str], head: list[str]) -> str:
    """Lay a row out in columns: words to the left, figures to the right."""
    words = padded(row[0], 52) + padded(row[1], 32)
    return words + "".join(
        padded(cell, max(WIDTHS.get(name, 10), len(name) + 2), right=True)
        for cell, name in zip(row[2:], head[2:], strict=True)
    )


def padded(text: str, width: int, right: bool = False) -> str:
    """Fill a cell with blanks; characters of double width count twice."""
    taken = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    blanks = " " * max(1, width - taken)
    return blanks + text if right else text + blanks


def markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    """Write a table of Markdown."""
    rule = ["---", "---", *["---:"] * (len(head) - 2)]
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]
