"""`treewright`: parse the command line, run one command, tell in one line what went wrong."""

import argparse
import errno
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import treewright
from treewright.cli import audit, demo, evaluate, fit, predict, prune, report, show
from treewright.cli.arguments import OneLineParser
from treewright.cli.words import say

DONE, BAD_DATA, BAD_COMMAND, INTERRUPTED = 0, 1, 2, 130

_EXAMPLES = """\
examples:
  treewright demo                                       seventeen melons
  treewright fit data.csv --target y -o y.tw.json       grow, judge, see, save
  treewright predict y.tw.json new.csv -o answers.csv   answer for new rows
  treewright show y.tw.json --format svg -o y.svg       draw it

'treewright COMMAND --help' has more. Tables: CSV, TSV, JSON lines, ARFF, C4.5's
.names and .data, Parquet, Arrow; - is standard input.
Exit status: 0 done, 1 bad data or model, 2 bad command line, 130 interrupted."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, optional
        Its arguments; by default those of this process.

    Returns
    -------
    int
        Exit status: 0 done, 1 bad data or model, 2 bad command line, 130 interrupted.
    """
    args = argparse.Namespace(command="", debug=False)
    try:
        _make_writable()
        args = command_line().parse_args(argv)
        with _warnings_in_a_line():
            args.run(args)
        sys.stdout.flush()
    except SystemExit as ended:  # argparse, which has said why
        return ended.code if isinstance(ended.code, int) else BAD_COMMAND
    except KeyboardInterrupt:
        say("interrupted; no file was written", args.command)
        return INTERRUPTED
    except Exception as error:
        if args.debug:
            traceback.print_exc()
        return _told(error, args.command)
    return DONE


def command_line() -> argparse.ArgumentParser:
    """Give the parser of all commands, which also writes their page in the docs."""
    parser = OneLineParser(
        prog="treewright",
        description="Decision trees, whole and exact: grow one from a table, see why, use it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"treewright {treewright.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for command in (fit, predict, evaluate, show, audit, prune, report, demo):
        command.add(commands)
    return parser


def _make_writable() -> None:
    """Let a terminal that cannot show a character show a mark instead of nothing at all."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


@contextmanager
def _warnings_in_a_line() -> Iterator[None]:
    """Say each kind of warning once, without the place in the code that a programmer would want."""
    said = set()

    def show_once(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if category not in said:
            said.add(category)
            say(f"note: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is for programmers
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show_once
        yield


def _told(error: Exception, command: str) -> int:
    """Say what went wrong; give the exit status."""
    from treewright.errors import ParameterError, TreewrightError

    if isinstance(error, BrokenPipeError) or (isinstance(error, OSError) and error.errno == errno.EPIPE):
        _forget_stdout()
        say("standard output was closed before everything was written", command)
        return BAD_DATA
    text = " ".join(str(error).split("\n"))
    if isinstance(error, TreewrightError):
        say(f"error: {text}", command)
        return BAD_COMMAND if isinstance(error, ParameterError) else BAD_DATA
    if isinstance(error, MemoryError):
        say("error: the memory is full; take fewer rows or columns (--drop).", command)
    elif isinstance(error, OSError):
        if error.filename is None:
            _forget_stdout()
        say(
            f"error: {error.filename or 'standard output'} cannot be used: {error.strerror or text}.", command
        )
    else:
        say(
            f"error: {type(error).__name__}: {text:.200}. This is a mistake in treewright; run it again with "
            "--debug and report what it prints.",
            command,
        )
    return BAD_DATA


def _forget_stdout() -> None:
    """Keep the interpreter from trying once more, at its end, to write what nobody takes."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # it is not a file, as in tests
        return
