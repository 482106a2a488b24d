"""`treewright`: parse the command line, run one command, report an error in one line."""

import argparse
import errno
import importlib
import io
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from treewright.cli.parser import command_line
from treewright.cli.spelling import in_shell
from treewright.cli.words import forget, say

DONE, BAD_DATA, BAD_COMMAND, INTERRUPTED, CLOSED = 0, 1, 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, optional
        Its arguments; by default those of this process.

    Returns
    -------
    int
        Exit status: 0 done, 1 bad data or model, 2 bad command line, 130 interrupted, 141 output closed.
    """
    args = argparse.Namespace(command="", debug=False)
    try:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # tests may replace the streams
                stream.reconfigure(errors="replace")  # for characters missing in the terminal's encoding
        args = command_line().parse_args(argv)
        with _warnings_in_a_line():
            importlib.import_module(f"treewright.cli.{args.command}").run(args)
        sys.stdout.flush()
    except SystemExit as ended:  # from argparse, which has printed why
        try:
            sys.stdout.flush()
        except BrokenPipeError:  # the reader closed the pipe before the end of the help
            forget(sys.stdout)
        return ended.code if isinstance(ended.code, int) else BAD_COMMAND
    except KeyboardInterrupt:
        say("interrupted; no file was written", args.command)
        return INTERRUPTED
    except Exception as error:
        if args.debug:
            traceback.print_exc()
        return _reported(error, args)
    return DONE


@contextmanager
def _warnings_in_a_line() -> Iterator[None]:
    """Print each kind of warning once, in one line, without its place in the code."""
    said = set()

    def show_once(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if category not in said:
            said.add(category)
            say(f"note: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # hides warnings for programmers
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show_once
        yield


def _reported(error: Exception, args: argparse.Namespace) -> int:
    """Report an error in one line; return the exit status."""
    from treewright.errors import ParameterError, TreewrightError  # imported late, since it loads difflib

    text, where = " ".join(str(error).split("\n")), getattr(error, "filename", None)
    if getattr(error, "errno", None) == errno.EPIPE:
        forget(sys.stdout)
        return CLOSED
    if isinstance(error, TreewrightError):
        message = f"error: {in_shell(text, args)}"
    elif isinstance(error, MemoryError):
        message = "error: out of memory; use fewer rows or columns (--drop)."
    elif isinstance(error, OSError):
        if where is None:
            forget(sys.stdout)
        message = f"error: {where or 'standard output'} cannot be used: {error.strerror or text}."
    else:
        message = (
            f"error: {type(error).__name__}: {text:.200}. This is a bug in treewright; run the command again "
            "with --debug and report what it prints."
        )
    say(message, args.command)
    return BAD_COMMAND if isinstance(error, ParameterError) else BAD_DATA
