"""How long the core takes to build, and how large both houses are: ``python -m benchmarks.build [--write]``.

The sources are copied, configured and built from nothing; then one criterion is edited, and what that takes
is built again. CPU time is that of all compilers together. With ``--write`` the table is kept in
``benchmarks/results/build.md``. On a machine that does nothing else, please.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "benchmarks" / "results" / "build.md"
EDITED = "cpp/treewright/criteria/numbers.cpp"  # among those that take longest
MOST_LINES = 12_500  # what issue 20 asked of cpp/treewright when it closed; later issues may add
MOST_PYTHON_LINES = 14_800  # and issue 21 of src/treewright, without docstrings and blank lines
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def core_sizes() -> tuple[int, int]:
    """Count the lines and the files of the core."""
    files = [path for path in (ROOT / "cpp" / "treewright").rglob("*") if path.suffix in (".cpp", ".hpp")]
    return sum(len(path.read_text("utf-8").splitlines()) for path in files), len(files)


def python_lines() -> int:
    """Count the lines of the Python house without docstrings and blank lines; comments count."""
    return sum(code_lines(path.read_text("utf-8")) for path in (ROOT / "src" / "treewright").rglob("*.py"))


def code_lines(text: str) -> int:
    """Count the lines of a module that are neither blank nor in a docstring."""
    left = {number for number, line in enumerate(text.splitlines(), 1) if line.strip()}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            left -= set(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))
    return len(left)


def timed(command: list[str]) -> tuple[float, float]:
    """Run a command; wall and CPU seconds."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "CCACHE_DISABLE": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, cpu


def build_times(folder: Path) -> list[tuple[str, float, float]]:
    """Build a copy of the core in a folder: fresh, then with one criterion edited."""
    source, built = folder / "source", folder / "built"
    for name in ("cpp", "cmake"):
        shutil.copytree(ROOT / name, source / name)
    shutil.copy(ROOT / "CMakeLists.txt", source)
    configure = ["cmake", "-S", str(source), "-B", str(built), f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    n_cores = len(os.sched_getaffinity(0))
    build = ["cmake", "--build", str(built), "--parallel", str(n_cores), "--target", "_core"]
    fresh = timed(build)
    with (source / EDITED).open("a", encoding="utf-8") as file:
        file.write("// edited\n")
    return [(f"fresh build, {n_cores} cores", *fresh), ("one edited criterion", *timed(build))]


def table(times: list[tuple[str, float, float]]) -> str:
    """Write the figures as a table."""
    lines, files = core_sizes()
    rows = [f"| {name} | {wall:.0f} s | {cpu:.0f} s |" for name, wall, cpu in times]
    head = ["| what | wall | CPU |", "|---|---:|---:|"]
    size = (
        f"`cpp/treewright` has {lines:,} lines in {files} files ({MOST_LINES:,} at most before counting, "
        "explanations and what follows)."
    )
    python = (
        f"`src/treewright` has {python_lines():,} lines without docstrings and blank lines (at most "
        f"{MOST_PYTHON_LINES:,} before what strangers asked for)."
    )
    return "\n".join([*head, *rows, "", size, python, ""])


def main() -> None:
    """Build, and print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"keep the table in {KEPT.relative_to(ROOT)}")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text = table(build_times(Path(folder)))
    print(text)
    if args.write:
        KEPT.write_text("# How long the core takes to build\n\n" + text, "utf-8")


if __name__ == "__main__":
    main()
