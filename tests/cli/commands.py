"""Commands, run here or in a process of their own."""

import contextlib
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from unittest import mock

from treewright.cli.main import main


@dataclass
class Ran:
    """How a command ended: its status, what it wrote, what it said."""

    status: int
    out: str
    said: str


def run(*words, stdin=b""):
    """Run a command in this process."""
    out, said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(stdin))
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(said),
        mock.patch.object(sys, "stdin", given),
    ):
        status = main([str(word) for word in words])
        out.flush()
    return Ran(status, out.buffer.getvalue().decode("utf-8"), said.getvalue())


def arguments(*words):
    """Give what starts a command in a process of its own."""
    return [sys.executable, "-X", "utf8", "-m", "treewright", *map(str, words)]


def run_alone(*words, cwd=None, stdin="", **more):
    """Run a command in a process of its own."""
    ran = subprocess.run(
        arguments(*words),
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, **more.pop("env", {})},
        **more,
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def refused(ran, status, *words):
    """Check that a command ended with one line that says what is wrong."""
    assert ran.status == status, ran.said
    assert ran.out == ""
    last = ran.said.splitlines()[-1]
    assert last.startswith("treewright ")
    assert "Traceback" not in ran.said
    assert "bug in treewright" not in ran.said
    for word in words:
        assert word in last, f"{word!r} is not in {last!r}"
    return last
