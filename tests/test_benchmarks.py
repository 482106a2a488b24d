"""The benchmarks run; what they measure is for people to read, not for tests to assert."""

import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]


def run(*arguments):
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.compare", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_comparison_has_a_line_for_each_job_and_library():
    printed = run("--rows", "300", "--columns", "5", "--rivals", "treewright,scikit")
    for task in ("classes", "numbers"):
        for depth in ("depth 8", "fully grown"):
            rows = [line for line in printed.splitlines() if line.startswith(f"{task}, 300 × 5, {depth}")]
            # One for each library, and two more for the memory of the fully grown tree of classes.
            assert len(rows) == (4 if (task, depth) == ("classes", "fully grown") else 2)


def test_other_paths_have_a_line_each_with_the_ratio_to_the_plain_case():
    options = ("--rows", "300", "--columns", "5", "--rivals", "treewright", "--no-memory", "--table", "none")
    printed = run(*options).splitlines()
    for way in ("weights", "26 classes", "1,000 categories, 26 classes", "gaps, branch", "gain_ratio"):
        (line,) = (line for line in printed if line.startswith(f"classes, {way} "))
        assert "×" in line
    assert any(line.startswith("10 classes, 15,000 × 1, 3,000 categories, depth 8") for line in printed)
    assert [line.split(",")[0] for line in printed if " nodes" in line] == ["save", "load"]
    assert "C4.5 on a real table is left out: there is no none" in printed
    assert not any(
        "categories" in line for line in run("--rows", "50", "--no-paths", "--no-memory").splitlines()
    )


def test_c45_on_a_real_table_has_figures_for_each_variant(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.compare.real import WAYS, real_times

    rows = [f"{20 + i},{'ab'[i % 2] if i % 3 else ''},{'<=' if i < 9 else '>'}50K" for i in range(20)]
    table = tmp_path / "adult.csv"
    table.write_text("\n".join(["age,workclass,income", *rows]) + "\n", "utf-8")
    figures = list(real_times(0.0, table))
    assert [each.way for each in figures] == [f"{way}, adult, 20 × 2" for way in WAYS]
    assert all(each.n_leaves == 2 and each.n_runs == 1 for each in figures)


def test_reading_a_file_has_a_line_for_each_reader():
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.compare.reading", "--rows", "300", "--runs", "1", "--plain"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    printed = ran.stdout.splitlines()
    assert printed[0].startswith("a CSV of 300 × 9, 0.0 MB")
    assert [line.split(" s")[0].rsplit(maxsplit=1)[0] for line in printed[1:]] == [
        "polars",
        "treewright, whole",
        "treewright, in batches",
        "treewright, without pyarrow",
    ]


def test_a_library_that_is_not_installed_stays_away():
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.compare", "--rivals", "no such thing"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "none of ['no such thing'] is installed" in ran.stderr


def test_a_job_is_the_same_table_every_time(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.compare.jobs import Job

    job = Job("classes", 50, None)
    X, y = job.table()
    assert X.shape == (50, 20)
    assert X.flags.c_contiguous
    assert set(y) == {0, 1}
    np.testing.assert_array_equal(X, job.table()[0])
