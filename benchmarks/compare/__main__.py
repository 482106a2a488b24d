"""Compare, and print a table: ``python -m benchmarks.compare [--quick | --full] [--write]``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks.compare import machine
from benchmarks.compare.files import file_times
from benchmarks.compare.jobs import Job, all_jobs
from benchmarks.compare.measure import Figures, cpu_time, import_time, peak_memory
from benchmarks.compare.paths import PathFigures, one_column, path_times
from benchmarks.compare.real import ADULT, real_times
from benchmarks.compare.rivals import Rival, installed

RESULTS = Path(__file__).resolve().parents[1] / "results"
OURS, THEIRS = "treewright", "scikit-learn"
TIME_HEAD = ["job", "library", "CPU s", f"times {OURS}", "runs", "leaves", "score"]
PATH_HEAD = ["treewright on other paths", "", "CPU s", "times plain", "runs", "leaves"]
MEMORY_HEAD = ["job", "library", "peak MiB", f"times {THEIRS}"]


def main(arguments: list[str] | None = None) -> None:
    """Run what the command line asks for."""
    os.environ["OMP_NUM_THREADS"] = "1"  # for rivals that have no other way to ask for one thread
    options = read(arguments)
    rivals = installed(options.rivals)
    if not rivals:
        sys.exit(f"none of {options.rivals} is installed")
    about = machine.describe(rivals)
    print("\n".join(f"{name}: {text}" for name, text in about.items()) + "\n")

    times = []
    print(line(TIME_HEAD, TIME_HEAD), flush=True)
    for job in all_jobs(options.sizes, options.columns):
        figures = cpu_time(job, [rival for rival in rivals if rival.takes(job)], options.patience)
        times += figures
        for row in time_rows(figures):
            print(line(row, TIME_HEAD), flush=True)

    paths = other_paths(options)
    peaks = memory(options, rivals)
    imports = ", ".join(
        f"{name} {import_time(name):.2f} s" for name in ("numpy", "treewright", "sklearn.tree")
    )
    print(f"\nCPU time of an interpreter that imports: {imports}")
    about["load at the end"] = machine.load()
    print(f"\nload at the end: {about['load at the end']}")
    if options.write:
        write(about, times, paths, peaks)


def read(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="10,000 rows, once: a minute")
    size.add_argument("--full", action="store_true", help="also 1,000,000 rows: half an hour")
    size.add_argument("--rows", type=int, metavar="N", help="this many rows only")
    parser.add_argument("--columns", type=int, default=20, metavar="N", help="columns of the table (20)")
    parser.add_argument(
        "--rivals", type=lambda text: text.split(","), help="only these, by the beginning of the name"
    )
    parser.add_argument("--no-paths", action="store_true", help="leave weights, categories and gaps out")
    parser.add_argument(
        "--categories-depth",
        type=int,
        default=8,
        metavar="N",
        help="depth of the tree on one column of 100,000 categories (8); 0: fully grown",
    )
    parser.add_argument(
        "--table", type=Path, default=ADULT, metavar="CSV", help="the adult table, for C4.5 (../shared/data)"
    )
    parser.add_argument("--no-memory", action="store_true", help="leave the memory out")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}/compare.json and .md too")
    options = parser.parse_args(arguments)
    options.sizes = [10_000] if options.quick else [10_000, 100_000]
    options.patience = 0.2 if options.quick else 5.0
    options.path_rows = 10_000 if options.quick else 50_000
    options.memory_rows = 100_000 if options.quick else 1_000_000
    if options.full:
        options.sizes.append(1_000_000)
    if options.rows:
        options.sizes = [options.rows]
        options.memory_rows = options.path_rows = options.rows
    return options


def other_paths(options: argparse.Namespace) -> list[PathFigures]:
    """Time and print what weights, many classes, categories, gaps and other criteria cost."""
    if options.no_paths:
        return []
    size = f"{options.path_rows:,} × {options.columns}, fully grown"
    print("\n" + line([f"{PATH_HEAD[0]}, {size}", *PATH_HEAD[1:]], PATH_HEAD), flush=True)
    figures = []

    def show(found: PathFigures) -> None:
        figures.append(found)
        print(line(path_row(found), PATH_HEAD), flush=True)

    for found in path_times(options.path_rows, options.columns, options.patience):
        show(found)
    for n_classes in (2, 3, 10):
        n_rows = min(500_000, 50 * options.path_rows)
        show(one_column(n_rows, n_rows // 5, n_classes, options.categories_depth or None))
    for found in file_times(20 * options.path_rows):
        show(found)
    if options.table.is_file():
        for found in real_times(options.patience, options.table):
            show(found)
    else:
        print(f"C4.5 on a real table is left out: there is no {options.table}", flush=True)
    return figures


def path_row(f: PathFigures) -> list[str]:
    """Write the figures of one way."""
    ratio = "" if f.ratio is None else f"{f.ratio:.1f} ×"
    return [f.way, "", f"{f.cpu_s:.4f}", ratio, str(f.n_runs), f"{f.n_leaves:,}"]


def memory(options: argparse.Namespace, rivals: list[Rival]) -> list[Figures]:
    """Measure and print the peaks of the largest table, fully grown."""
    if options.no_memory:
        return []
    job = Job("classes", options.memory_rows, None, options.columns)
    print("\n" + line(MEMORY_HEAD, MEMORY_HEAD), flush=True)
    figures = peak_memory(job, [rival for rival in rivals if rival.takes(job)])
    for row in memory_rows(figures):
        print(line(row, MEMORY_HEAD), flush=True)
    return figures


def time_rows(figures: list[Figures]) -> Iterator[list[str]]:
    """Write the figures of one job, a row for each rival."""
    ours = next((f.cpu_s for f in figures if f.rival == OURS), None)
    for f in figures:
        yield [
            f.job,
            f.rival,
            f"{f.cpu_s:.4f}",
            f"{f.cpu_s / ours:.1f} ×" if ours and f.cpu_s else "",
            str(f.n_runs),
            f"{f.n_leaves:,}",
            f"{f.score:.4f}",
        ]


def memory_rows(figures: list[Figures]) -> Iterator[list[str]]:
    """Write the peaks, a row for each rival."""
    theirs = next((f.peak_mib for f in figures if f.rival == THEIRS), None)
    for f in figures:
        ratio = f"{f.peak_mib / theirs:.2f} ×" if theirs and f.peak_mib is not None else ""
        yield [f.job, f.rival, f"{f.peak_mib:.1f}", ratio]


def line(row: list[str], head: list[str]) -> str:
    """Lay a row out in columns: words to the left, figures to the right."""
    words = f"{row[0]:<52}{row[1]:<30}"
    return words + "".join(
        f"{cell:>{max(10, len(name) + 2)}}" for cell, name in zip(row[2:], head[2:], strict=True)
    )


def write(
    about: dict[str, str], times: list[Figures], paths: list[PathFigures], peaks: list[Figures]
) -> None:
    """Keep the figures as JSON for programs and as Markdown for people."""
    RESULTS.mkdir(exist_ok=True)
    stored = {
        "machine": about,
        "time": [asdict(f) for f in times],
        "paths": [asdict(f) for f in paths],
        "memory": [asdict(f) for f in peaks],
    }
    (RESULTS / "compare.json").write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    by_job: dict[str, list[Figures]] = {}
    for f in times:
        by_job.setdefault(f.job, []).append(f)
    text = ["# One tree, side by side", "", *(f"- {name}: {words}" for name, words in about.items()), ""]
    text += markdown(TIME_HEAD, [row for figures in by_job.values() for row in time_rows(figures)])
    if paths:
        text += ["", *markdown(PATH_HEAD, [path_row(f) for f in paths])]
    if peaks:
        text += ["", *markdown(MEMORY_HEAD, list(memory_rows(peaks)))]
    (RESULTS / "compare.md").write_text("\n".join(text) + "\n", encoding="utf-8")
    print(f"written to {RESULTS}/compare.json and compare.md")


def markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    """Write a Markdown table."""
    rule = ["---", "---", *["---:"] * (len(head) - 2)]
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]


if __name__ == "__main__":
    main()
