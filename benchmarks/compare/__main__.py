"""Compare, and print a table: ``python -m benchmarks.compare [--quick | --full] [--write]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from benchmarks.compare import layout, machine
from benchmarks.compare.adult import adult_times
from benchmarks.compare.answers import answer_times
from benchmarks.compare.asked import ASKED
from benchmarks.compare.files import file_times
from benchmarks.compare.jobs import Job
from benchmarks.compare.ledgers import ledger_times
from benchmarks.compare.measure import Figures, fit_times, import_time
from benchmarks.compare.memory import peak_memory
from benchmarks.compare.paths import PathFigures, one_column, path_times
from benchmarks.compare.presets import FULL, QUICK, USUAL, Preset, all_of, fit_jobs
from benchmarks.compare.real import real_times
from benchmarks.compare.results import RESULTS, Results, write
from benchmarks.compare.rivals import Rival, installed, missing
from benchmarks.compare.tables import SHARED, AbsentError

PARTS = ("fit", "predict", "adult", "memory", "paths")


def main(arguments: list[str] | None = None) -> None:
    """Run what the command line asks for."""
    options = read(arguments)
    rivals = installed(options.rivals)
    if not rivals:
        sys.exit(f"none of {options.rivals} is installed")
    results = Results(machine=machine.describe(rivals))
    print("\n".join(f"{name}: {text}" for name, text in results.machine.items()))
    for rival in missing(options.rivals):
        leave_out(results, f"{rival.name} is left out: pip install {rival.package}")

    show = Shown(results)
    if "fit" in options.only or "predict" in options.only:
        show.head(layout.TIME_HEAD)
    if "fit" in options.only:
        fits(options, rivals, show)
    if "predict" in options.only:
        for found in answer_times(rivals, options.preset):
            show.times(found)
    if "adult" in options.only:
        on_adult(options, show)
    if "memory" in options.only:
        memory(options.preset, rivals, show)
    if "paths" in options.only:
        other_paths(options, show)
        results.imports = {
            name: import_time(name, options.preset.import_runs)
            for name in ("numpy", "treewright", "sklearn.tree")
        }
        spent = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in results.imports.items())
        print(f"\nCPU time of an interpreter that imports: {spent}")
    show.verdicts()
    results.machine["load at the end"] = machine.load()
    print(f"\nload at the end: {results.machine['load at the end']}")
    if options.write:
        from benchmarks.compare.plot import draw

        write(results)
        print(f"written to {RESULTS.name}/compare.json and compare.md, and drawn in {draw(results)}")


def read(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="10,000 rows, once or twice: a minute or two")
    size.add_argument("--full", action="store_true", help="also 1,000,000 rows, and more repeats: an hour")
    size.add_argument("--rows", type=int, metavar="N", help="so many rows everywhere, once")
    parser.add_argument("--columns", type=int, default=20, metavar="N", help="columns of random tables (20)")
    parser.add_argument(
        "--rivals", type=lambda text: text.split(","), help="only these, by the beginning of the name"
    )
    parser.add_argument(
        "--only", type=part_names, default=PARTS, help=f"only these parts: some of {','.join(PARTS)}"
    )
    parser.add_argument(
        "--asked", metavar="WORKLOAD", help="of the fits only those whose key in asked.py begins so"
    )
    parser.add_argument(
        "--categories-depth",
        type=int,
        default=8,
        metavar="N",
        help="depth of the tree on one column of 100,000 categories (8); 0: fully grown",
    )
    parser.add_argument(
        "--tables",
        type=Path,
        default=SHARED,
        metavar="FOLDER",
        help="where adult.csv and letter.csv are (../shared/data)",
    )
    parser.add_argument("--one-thread", action="store_true", help="no wall times: the machine is busy")
    parser.add_argument(
        "--write", action="store_true", help=f"keep the figures in {RESULTS.name}/ and draw them"
    )
    options = parser.parse_args(arguments)
    options.preset = QUICK if options.quick else FULL if options.full else USUAL
    if options.rows:
        options.preset = all_of(options.rows, options.columns)
    if options.one_thread:
        options.preset = replace(options.preset, n_threads=1)
    return options


def part_names(text: str) -> list[str]:
    """Read the names of parts."""
    names = text.split(",")
    if unknown := set(names) - set(PARTS):
        raise argparse.ArgumentTypeError(
            f"no part is called {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}"
        )
    return names


class Shown:
    """Everything measured, printed as it comes and kept."""

    def __init__(self, results: Results) -> None:
        self.results = results

    def head(self, names: list[str], first: str | None = None) -> None:
        """Begin a table."""
        print("\n" + layout.line([first or names[0], *names[1:]], names), flush=True)

    def times(self, found: list[Figures]) -> None:
        """Print and keep the times of a job."""
        self.results.time += found
        self._rows(layout.time_rows(found), layout.TIME_HEAD)

    def peaks(self, found: list[Figures]) -> None:
        """Print and keep the peaks of a job."""
        self.results.memory += found
        self._rows(layout.memory_rows(found), layout.MEMORY_HEAD)

    def path(self, found: PathFigures) -> None:
        """Print and keep what a path took."""
        self.results.paths.append(found)
        self._rows([layout.path_row(found)], layout.PATH_HEAD)

    def verdicts(self) -> None:
        """Print what is asked, and whether it holds."""
        found = self.results.verdicts()
        if found:
            self.head(layout.HEAD)
            self._rows(map(layout.verdict_row, found), layout.HEAD)

    def _rows(self, rows: Iterable[list[str]], head: list[str]) -> None:
        for row in rows:
            print(layout.line(row, head), flush=True)


def leave_out(results: Results, why: str) -> None:
    """Say what is not measured."""
    results.left_out.append(why)
    print(why, flush=True)


def entrants(key: str, rivals: list[Rival]) -> list[Rival]:
    """List treewright and those that are compared with it in a workload."""
    asked = ASKED[key]
    return [rival for rival in rivals if rival.is_named(("treewright", *asked.against, *asked.beside))]


def fits(options: argparse.Namespace, rivals: list[Rival], show: Shown) -> None:
    """Time the fits."""
    preset = options.preset
    for key, job in fit_jobs(preset):
        if options.asked and not key.startswith(options.asked):
            continue
        try:
            entering = [rival for rival in entrants(key, rivals) if rival.takes(job)]
            show.times(fit_times(key, job, entering, preset, options.tables))
        except AbsentError as error:
            leave_out(show.results, f"{job.name} is left out: {error}")


def on_adult(options: argparse.Namespace, show: Shown) -> None:
    """Time C4.5 and CART beside J48 and rpart."""
    for found in adult_times(options.preset, options.tables):
        if isinstance(found, str):
            leave_out(show.results, found)
        else:
            show.times(found)


def memory(preset: Preset, rivals: list[Rival], show: Shown) -> None:
    """Measure the peaks of the largest table."""
    show.head(layout.MEMORY_HEAD)
    for depth in preset.memory_depths:
        job = Job("classes", preset.memory, depth, preset.n_columns)
        show.peaks(peak_memory("memory", job, entrants("memory", rivals)))


def other_paths(options: argparse.Namespace, show: Shown) -> None:
    """Time what weights, many classes, categories, gaps and other criteria cost."""
    preset = options.preset
    size = f"{preset.paths:,} × {preset.n_columns}, fully grown"
    show.head(layout.PATH_HEAD, f"{layout.PATH_HEAD[0]}, {size}")
    for found in path_times(preset.paths, preset.n_columns, preset.patience_s):
        show.path(found)
    for n_classes in (2, 3, 10):
        n_rows = min(500_000, 50 * preset.paths)
        show.path(one_column(n_rows, n_rows // 5, n_classes, options.categories_depth or None))
    for found in ledger_times(2 * preset.paths, preset.n_columns, preset.patience_s):
        show.path(found)
    for found in file_times(20 * preset.paths):
        show.path(found)
    table = options.tables / "adult.csv"
    if table.is_file():
        for found in real_times(preset.patience_s, table):
            show.path(found)
    else:
        leave_out(show.results, f"C4.5 on texts is left out: there is no {table.name} in {options.tables}")


if __name__ == "__main__":
    main()
