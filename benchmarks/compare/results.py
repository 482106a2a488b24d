"""What was measured, kept: JSON for programs, Markdown for people."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.compare import layout
from benchmarks.compare.measure import Figures
from benchmarks.compare.paths import PathFigures
from benchmarks.compare.verdicts import Verdict, judge

RESULTS = Path(__file__).resolve().parents[1] / "results"


@dataclass
class Results:
    """All figures of one run.

    Attributes
    ----------
    machine : dict
        What they were measured on.
    time, memory : list of Figures
        Beside other libraries.
    paths : list of PathFigures
        Treewright's other paths.
    imports : dict
        Package -> CPU seconds of an interpreter that imports it.
    left_out : list of str
        What was not measured, and why.
    """

    machine: dict[str, str] = field(default_factory=dict)
    time: list[Figures] = field(default_factory=list)
    memory: list[Figures] = field(default_factory=list)
    paths: list[PathFigures] = field(default_factory=list)
    imports: dict[str, float] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def verdicts(self) -> list[Verdict]:
        """Judge everything."""
        return list(judge([*self.time, *self.memory]))


def write(results: Results, folder: Path = RESULTS, name: str = "compare") -> None:
    """Keep the figures of a run under a name."""
    folder.mkdir(exist_ok=True)
    stored = asdict(results)
    (folder / f"{name}.json").write_text(
        json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    (folder / f"{name}.md").write_text(as_markdown(results), encoding="utf-8")


def read(folder: Path = RESULTS, name: str = "compare") -> Results:
    """Read the figures that were kept."""
    stored: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return Results(
        machine=stored["machine"],
        time=[Figures(**f) for f in stored["time"]],
        memory=[Figures(**f) for f in stored["memory"]],
        paths=[PathFigures(**f) for f in stored["paths"]],
        imports=stored["imports"],
        left_out=stored["left_out"],
    )


def as_markdown(results: Results) -> str:
    """Write everything as one page."""
    text = [
        "# One tree, side by side",
        "",
        *(f"- {name}: {words}" for name, words in results.machine.items()),
    ]
    text += [
        "",
        "## What is asked",
        "",
        *layout.markdown(layout.HEAD, [layout.verdict_row(v) for v in results.verdicts()]),
    ]
    text += [
        "",
        "## Times",
        "",
        *layout.markdown(layout.TIME_HEAD, rows_by_job(results.time, layout.time_rows)),
    ]
    if results.memory:
        text += ["", "## Peak memory", ""]
        text += layout.markdown(layout.MEMORY_HEAD, rows_by_job(results.memory, layout.memory_rows))
    if results.paths:
        text += [
            "",
            "## Other paths",
            "",
            *layout.markdown(layout.PATH_HEAD, [layout.path_row(f) for f in results.paths]),
        ]
    if results.imports:
        imports = ", ".join(f"{name} {spent:.2f} s" for name, spent in results.imports.items())
        text += ["", f"CPU time of an interpreter that imports: {imports}."]
    text += ["", *(f"- {why}" for why in results.left_out)] if results.left_out else []
    return "\n".join(text) + "\n"


def rows_by_job(figures: list[Figures], rows: Any) -> list[list[str]]:
    """Write figures job by job, as ratios are within a job."""
    by_job: dict[tuple[str, str], list[Figures]] = {}
    for f in figures:
        by_job.setdefault((f.asked, f.job), []).append(f)
    return [row for found in by_job.values() for row in rows(found)]
