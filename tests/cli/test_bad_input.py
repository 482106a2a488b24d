"""What is wrong is said in one line, with the right exit status; nothing is left half-written."""

import errno
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys

import pytest

import treewright as tw
from cli.commands import Ran, arguments, refused, run, run_alone
from treewright.cli import show
from treewright.estimators.reading import ReadableTree


@pytest.fixture(scope="module")
def folder(golf):
    """Bad files, beside good ones."""
    (golf / "empty.csv").write_bytes(b"")
    (golf / "header.csv").write_text("a,b\n")
    (golf / "ragged.csv").write_text("a,b\n1,2\n3\n4,5\n")
    (golf / "bytes.csv").write_bytes(b"a,b\n1,x\n2,\xff\xfe\x81\n")
    (golf / "gaps.csv").write_text("a,y\n1,p\n2,q\n3,\n4,p\n5,q\n6,p\n")
    (golf / "nothing.csv").write_text("a,y\n1,\n2,\n")
    (golf / "lonely.csv").write_text("y\np\nq\n")
    (golf / "money.csv").write_text("a,y\n1,p\nabout 12,q\n3,p\n")
    (golf / "gaps_in_a.csv").write_text("a,y\nu,p\n?,q\nv,p\n")
    X, y = {"a": ["u", "v", "u", "v"]}, ["p", "q", "p", "q"]
    refusing = tw.ID3Classifier(missing="refuse").fit(X | {"y": y}, "y")
    refusing.save(golf / "refusing.tw.json")
    (golf / "a_folder").mkdir()
    model = (golf / "golf.tw.json").read_bytes()
    (golf / "cut.tw.json").write_bytes(model[:700])
    (golf / "edited.tw.json").write_bytes(model.replace(b"Play", b"Stay"))
    newer = model[: model.rindex(b',\n"checksum"')].replace(b'"schema": 1', b'"schema": 99', 1)
    checksum = hashlib.sha256(newer).hexdigest()
    (golf / "newer.tw.json").write_bytes(newer + f',\n"checksum": "sha256:{checksum}"\n}}\n'.encode())
    return golf


BAD = {
    "a missing file": ("fit golff.csv --target class", 1, ["golff.csv does not exist", "'golf.csv'"]),
    "a folder": ("fit a_folder --target class", 1, ["a_folder is a folder"]),
    "this folder": ("fit . --target class", 1, [". is a folder"]),
    "an empty file": ("fit empty.csv --target class", 1, ["empty.csv is empty"]),
    "a header only": ("fit header.csv --target b", 1, ["header.csv has a header and no rows"]),
    "ragged rows": ("fit ragged.csv --target b", 1, ["ragged.csv, line 3"]),
    "bytes that are not text": ("fit bytes.csv --target b", 1, ["0xFF at offset 10"]),
    "no such target": ("fit golf.csv --target clas", 1, ["'clas'", "Did you mean 'class'?"]),
    "a target without values": ("fit nothing.csv --target y", 1, ["'y' has no value in any row"]),
    "a cell that is no number": (
        "fit money.csv --target y --kind a=numeric",
        1,
        ["holds 'about 12' in row 2, which is not a number", "give --missing 'about 12' if"],
    ),
    "a missing value": (
        "audit refusing.tw.json gaps_in_a.csv",
        1,
        ["train with --set missing=spread or 'majority'"],
    ),
    "nothing to learn from": ("fit lonely.csv --target y", 1, ["no column to learn from"]),
    "a misspelt parameter": ("fit golf.csv --target class --set max_dept=3", 2, ["'max_depth'"]),
    "a model from a newer version": ("predict newer.tw.json golf.csv", 1, ["newer than schema", "Update"]),
    "a model cut short": ("predict cut.tw.json golf.csv", 1, ["cut short after 700 bytes"]),
    "an edited model": ("evaluate edited.tw.json golf.csv", 1, ["was altered"]),
    "a table for a model": ("show golf.csv", 1, ["not a model file"]),
    "a missing model": ("show golff.tw.json", 1, ["golff.tw.json cannot be read: No such file"]),
    "a table that does not fit": ("predict golf.tw.json gaps.csv", 1, ["gaps.csv does not fit", "'outlook'"]),
    "an existing output": ("predict golf.tw.json golf.csv -o ragged.csv", 2, ["exists already", "--force"]),
    "a model that exists": ("fit golf.csv --target class -o golf.tw.json", 2, ["exists already", "--force"]),
    "an output nowhere": ("predict golf.tw.json golf.csv -o no/out.csv", 2, ["there is no folder no"]),
    "an output of no format": ("predict golf.tw.json golf.csv -o out.xls", 2, ["out.xls", ".csv"]),
    "no command": ("", 2, ["required: COMMAND"]),
    "another command": ("grow golf.csv", 2, ["invalid choice: 'grow'"]),
    "no table": ("fit --target y", 2, ["required: TABLE"]),
    "another option": ("show golf.tw.json --colour", 2, ["unrecognized arguments: --colour"]),
}  # fmt: skip


def check_refused(ran, what):
    words, status, parts = BAD[what]
    if status != 2 or "--set" in words:
        refused(ran, status, *parts)
    else:  # argparse names the command that it was about to run
        assert (ran.status, ran.out) == (2, "")
        (line,) = ran.said.splitlines()
        assert all(part in line for part in parts), line


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_refused_in_one_line(what, folder, monkeypatch):
    monkeypatch.chdir(folder)
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    check_refused(run(*BAD[what][0].split()), what)
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


# One for each way to fail: reading, the estimator, argparse.
@pytest.mark.parametrize("what", ["a missing file", "a misspelt parameter", "another command"])
def test_the_real_command_refuses_too(what, folder):
    check_refused(run_alone(*BAD[what][0].split(), cwd=folder), what)


def test_rows_without_a_target_are_left_out_and_counted(folder):
    ran = run("fit", folder / "gaps.csv", "--target", "y", "--json")
    assert ran.status == 0
    assert "1 row of 6 left out: no value of y." in ran.said
    assert (json.loads(ran.out)["rows"], json.loads(ran.out)["rows_without_target"]) == (5, 1)


def test_force_replaces_and_a_failure_leaves_what_was_there(folder, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("precious")
    assert run("predict", folder / "golf.tw.json", folder / "gaps.csv", "-o", out, "--force").status == 1
    assert out.read_text() == "precious"
    late = tmp_path / "late.csv"
    lines = (folder / "golf.csv").read_text().splitlines()
    late.write_text("\n".join(lines + lines[1:] * 20_000 + ["sunny,1"]) + "\n")  # wrong after some batches
    refused(run("predict", folder / "golf.tw.json", late, "-o", out, "--force"), 1, "line 280,016")
    assert out.read_text() == "precious"
    assert run("predict", folder / "golf.tw.json", folder / "golf.csv", "-o", out, "--force").status == 0
    assert out.read_text().startswith("prediction\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["late.csv", "out.csv"]


def test_a_full_disk_leaves_nothing_behind(folder, tmp_path):
    def small_files_only():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    page = tmp_path / "page.html"
    words = ("show", folder / "golf.tw.json", "--format", "html", "-o", page)
    refused(run_alone(*words, preexec_fn=small_files_only), 1, "page.html cannot be used: File too large")
    model = tmp_path / "m.tw.json"
    words = ("prune", folder / "golf.tw.json", "--method", "pessimistic", "-o", model, "--json")
    ran = run_alone(*words, preexec_fn=small_files_only)
    assert ran.status == 1
    assert "m.tw.json cannot be written: File too large" in ran.said.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_standard_output_is_said(folder):
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            arguments("show", folder / "golf.tw.json"),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == 1
    assert ran.stderr == "treewright show: error: standard output cannot be used: No space left on device.\n"


def into_a_closed_pipe(*words, cwd=None, says_so_too=False):
    """Run a command whose standard output nobody reads, nor its standard error if `says_so_too`."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    ran = subprocess.run(
        arguments(*words),
        cwd=cwd,
        stdout=write_end,
        stderr=write_end if says_so_too else subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write_end)
    return Ran(ran.returncode, "", ran.stderr or "")


@pytest.mark.parametrize("says_so_too", [False, True])
def test_a_closed_pipe_ends_a_command_quietly(folder, says_so_too):
    """With the status of programs that a closed pipe ends; help that is cut short is help."""
    for words in (
        ("predict", folder / "golf.tw.json", folder / "golf.csv"),
        ("predict", folder / "golf.tw.json", folder / "golf.csv", "-o", "/dev/stdout"),
        ("show", folder / "golf.tw.json"),
    ):
        assert into_a_closed_pipe(*words, says_so_too=says_so_too) == Ran(141, "", "")
    assert into_a_closed_pipe("fit", "--help", says_so_too=says_so_too) == Ran(0, "", "")


@pytest.mark.parametrize("says_so_too", [False, True])
@pytest.mark.parametrize(
    "command",
    [
        ("fit", "{golf}.csv", "--target", "class", "-o", "it.tw.json", "--report", "it.html"),
        ("fit", "{golf}.csv", "--target", "class", "-o", "it.tw.json", "--json"),
        ("fit", "{golf}.csv", "--target", "class", "-o", "it.tw.json", "--set", "verbose=2"),
        ("prune", "{golf}.tw.json", "--method", "pessimistic", "-o", "it.tw.json"),
        ("tune", "{golf}.csv", "--target", "class", "--folds", "3", "-o", "it.tw.json"),
        ("demo", "-o", "it.svg", "--table", "it.csv"),
    ],
)
def test_files_are_written_before_anything_is_printed(folder, tmp_path, command, says_so_too):
    words = [word.format(golf=folder / "golf") for word in command]
    ran = into_a_closed_pipe(*words, cwd=tmp_path, says_so_too=says_so_too)
    assert ran.status == 141
    assert "error" not in ran.said
    asked = {word for word in words if word.startswith("it.")}
    assert {path.name for path in tmp_path.iterdir()} == asked
    assert all(path.stat().st_size for path in tmp_path.iterdir())


def test_what_cannot_be_saved_is_printed_all_the_same(folder, tmp_path, monkeypatch):
    """Minutes of work are not lost because a disk is full."""

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device", "it.tw.json")

    monkeypatch.setattr(ReadableTree, "save", full)
    ran = run("fit", folder / "golf.csv", "--target", "class", "-o", tmp_path / "it.tw.json")
    assert (ran.status, ran.said.splitlines()[-1]) == (
        1,
        "treewright fit: error: it.tw.json cannot be used: No space left on device.",
    )
    assert "CARTClassifier: " in ran.out
    assert "Saved in" not in ran.said


def test_an_interrupt_ends_with_130_and_leaves_nothing_behind(folder, tmp_path):
    pipe, out = tmp_path / "rows.csv", tmp_path / "out.csv"
    os.mkfifo(pipe)
    command = arguments("predict", folder / "golf.tw.json", pipe, "-o", out)
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process,
        pipe.open("wb") as rows,  # returns once the command reads
    ):
        rows.write((folder / "golf.csv").read_bytes())
        rows.flush()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert said == "treewright predict: interrupted; no file was written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


def test_a_traceback_is_there_with_debug_only(folder):
    ran = run("show", folder / "cut.tw.json", "--debug")
    assert ran.status == 1
    assert "Traceback" in ran.said
    refused(run("show", folder / "cut.tw.json"), 1, "cut short")


def test_a_mistake_of_ours_is_one_line_too(folder, monkeypatch):
    monkeypatch.setattr(show, "exporter", lambda *_, **__: 1 / 0)
    ran = run("show", folder / "golf.tw.json")
    assert ran.status == 1
    assert ran.said.count("\n") == 1
    assert "ZeroDivisionError" in ran.said
    assert "--debug" in ran.said


def test_an_error_in_a_file_leaves_standard_output_open(folder):
    code = "from treewright.cli.main import main\nassert main(['show', 'none.tw.json']) == 1\nprint('more')\n"
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert ran.stdout == "more\n"
