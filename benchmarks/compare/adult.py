"""C4.5 and CART on a real table, beside J48 and rpart: adult, UCI's training part, judged on its test part.

Weka and R are asked where they are installed; they take turns with us. The time of J48 is taken inside a JVM
that has fitted before, by the CPU clock of its thread, reading left out; and apart from that the CPU time of
a process that reads the table and fits once. That of rpart is R's own, reading left out. Ours has the
categories as categoricals, as Weka and R have them.
"""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.compare.measure import Figures, Racer, Runner, figures, race
from benchmarks.compare.presets import Preset
from benchmarks.compare.program import Program
from benchmarks.compare.tables import SHARED, AbsentError, read_csv

HERE = Path(__file__).resolve().parent
NUMBERS = {"age", "fnlwgt", "education_num", "capital_gain", "capital_loss", "hours_per_week"}
N_TRAINING = 32_561  # UCI's adult.data; the rest is adult.test
# Debian's place; WEKA_JAR names another.
WEKA = Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))
JVM_WARM_UPS, JVM_RUNS, R_RUNS = 6, 9, 3
WARM_JVM, COLD_JVM, RPART = "J48 in a warm JVM", "J48, whole process", "rpart"


class Adult:
    """The table in two parts, for everyone in the form they like."""

    def __init__(self, n_rows: int, folder: Path = SHARED) -> None:
        self.names, rows = read_csv("adult", folder)
        n = min(n_rows, N_TRAINING * len(rows) // 48_842)
        self.parts = rows[:n], rows[n : 2 * n]
        self.categories = {
            name: sorted({row[at] for row in rows} - {""})
            for at, name in enumerate(self.names)
            if name not in NUMBERS
        }
        self.size = f"{n:,} × {len(self.names) - 1}"

    def frames(self) -> list[Any]:
        """Make both parts tables of pandas: numbers, and categoricals with every category declared."""
        import pandas as pd

        return [
            pd.DataFrame(
                {
                    name: pd.Categorical([row[at] or None for row in part], self.categories[name])
                    if name in self.categories
                    else np.array([float(row[at]) for row in part])
                    for at, name in enumerate(self.names)
                }
            )
            for part in self.parts
        ]

    def write_arff(self, folder: Path) -> list[Path]:
        """Write both parts for Weka."""
        head = ["@relation adult"]
        for name in self.names:
            kind = (
                "{" + ",".join(f"'{it}'" for it in self.categories[name]) + "}"
                if name in self.categories
                else "numeric"
            )
            head.append(f"@attribute {name} {kind}")
        paths = [folder / "fit.arff", folder / "fresh.arff"]
        for path, part in zip(paths, self.parts, strict=True):
            rows = (
                ",".join(
                    "?" if not it else f"'{it}'" if name in self.categories else it
                    for name, it in zip(self.names, row, strict=True)
                )
                for row in part
            )
            path.write_text("\n".join([*head, "@data", *rows]) + "\n", encoding="utf-8")
        return paths

    def write_csv(self, folder: Path) -> list[Path]:
        """Write both parts for R."""
        paths = [folder / "fit.csv", folder / "fresh.csv"]
        for path, part in zip(paths, self.parts, strict=True):
            with path.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([self.names, *part])
        return paths


def adult_times(preset: Preset, folder: Path = SHARED) -> Iterator[list[Figures] | str]:
    """Time C4.5 beside J48 and CART beside rpart: figures for each, or why something was left out."""
    try:
        import pandas as pd  # noqa: F401
    except ImportError:
        yield "C4.5 and CART on adult are left out: pandas is not installed"
        return
    try:
        adult = Adult(preset.real, folder)
    except AbsentError as error:
        yield f"left out: {error}"
        return
    from treewright import C45Classifier, CARTClassifier

    least_share = min(np.unique([row[-1] for row in adult.parts[0]], return_counts=True)[1]) / len(
        adult.parts[0]
    )
    rpart_like = {
        "min_samples_split": 20,
        "min_samples_leaf": 7,
        "ccp_alpha": 0.001 * least_share,
        "pruning": "min",
    }
    contests = (
        ("C4.5", f"C4.5 (J48's variant) on adult, {adult.size}", C45Classifier, {"variant": "j48"}, j48),
        (
            "CART",
            f"CART on adult, {adult.size}, 10 folds",
            CARTClassifier,
            rpart_like | {"random_state": 0},
            rpart,
        ),
    )
    for asked, name, kind, options, start in contests:
        ours = _ours(kind, options, adult)
        with tempfile.TemporaryDirectory() as written:
            other = start(adult, Path(written))
            if isinstance(other, str):
                race([ours], preset)
                yield [_figures(asked, name, ours, adult)]
                yield other
                continue
            with other:
                racers: list[Racer] = [ours, other]
                race(racers, preset)
            yield [_figures(asked, name, ours, adult), *other.figures(asked, name)]


def _ours(kind: Any, options: dict[str, Any], adult: Adult) -> Runner:
    fit, _ = adult.frames()

    def prepare(n_threads: int) -> Any:
        model = kind(n_jobs=n_threads, **options)
        return lambda: model.fit(fit, adult.names[-1])

    return Runner("treewright", prepare)


def _figures(asked: str, name: str, ours: Runner, adult: Adult) -> Figures:
    _, fresh = adult.frames()
    target = adult.names[-1]
    each = figures(asked, name, ours)
    each.n_leaves = ours.result.get_n_leaves()
    each.score = float(np.mean(ours.result.predict(fresh.drop(columns=target)) == fresh[target].to_numpy()))
    return each


def j48(adult: Adult, folder: Path) -> Program | str:
    """Start Weka, or say why not."""
    java = shutil.which("java")
    if java is None or not WEKA.is_file():
        return "J48 is left out: no Weka (apt install weka default-jdk-headless, or WEKA_JAR=weka.jar)"
    paths = [str(path) for path in adult.write_arff(folder)]
    weka = [java, "-Xmx2g", "-cp", str(WEKA)]
    once = [*weka, "weka.classifiers.trees.J48", "-no-cv", "-o", "-t", paths[0]]
    program = Program(
        WARM_JVM,
        JVM_RUNS,
        [*weka, str(HERE / "J48Time.java"), *paths, str(JVM_WARM_UPS)],
        (COLD_JVM, once),
    )
    if program.is_ready():
        return program
    return "J48 is left out: this Java cannot run a source file (apt install default-jdk-headless)"


def rpart(adult: Adult, folder: Path) -> Program | str:
    """Start R, or say why not."""
    script = os.environ.get("RSCRIPT") or shutil.which("Rscript")
    if script is None:
        return "rpart is left out: no R (Debian: apt install r-cran-rpart)"
    paths = [str(path) for path in adult.write_csv(folder)]
    program = Program(RPART, R_RUNS, [script, str(HERE / "rpart_time.R"), *paths])
    return (
        program
        if program.is_ready()
        else "rpart is left out: R has no rpart (Debian: apt install r-cran-rpart)"
    )
