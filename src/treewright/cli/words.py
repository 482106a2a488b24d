"""Messages for people, on standard error."""

import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TextIO, TypeVar

_WIDTH = 79
_EVERY_S = 3.0  # seconds between lines about slow steps
T = TypeVar("T")


def say(text: str, command: str = "") -> None:
    """Write a line to standard error, after the name of the command if it is given."""
    _write(f"treewright {command}: {text}\n" if command else f"{text}\n")


def forget(stream: TextIO) -> None:
    """Discard everything written to a standard stream from now on, so that nothing fails at exit."""
    with suppress(OSError, ValueError):  # not a file, as in tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _write(text: str) -> None:
    """Write to standard error; work goes on even if nobody reads it any more."""
    try:
        print(text, end="", file=sys.stderr, flush=True)
    except BrokenPipeError:
        forget(sys.stderr)


def steps(what: str, results: Iterable[T], n_steps: int) -> Iterator[T]:
    """Yield the results of slow steps, and report the progress.

    A terminal shows a progress bar, which is erased at the end; elsewhere a line is added every few seconds,
    even within long steps.

    Parameters
    ----------
    what : str
        The name of a step, printed before its number.
    results : iterable
        Computes each result when it is needed.
    n_steps : int
        Number of steps.
    """
    remaining = iter(results)
    with _Progress(f"{what} {{:,}} of {n_steps:,}") as progress:
        for step in range(n_steps):
            progress.step = step + 1
            if on_terminal():
                done = 20 * step // n_steps
                _write(f"\r{'█' * done}{'░' * (20 - done)} {progress}")
            yield next(remaining)
    if on_terminal():
        _write("\r" + " " * _WIDTH + "\r")


class _Progress:
    """Reports the current step and its duration every few seconds, if there is no terminal for a bar."""

    def __init__(self, text: str) -> None:
        self.step, self._text, self._is_over = 1, text, threading.Event()
        self._began = time.monotonic()

    def __str__(self) -> str:
        return self._text.format(self.step)

    def __enter__(self) -> "_Progress":
        if not on_terminal():
            threading.Thread(target=self._tell, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()

    def _tell(self) -> None:
        while not self._is_over.wait(_EVERY_S):
            say(f"{self} ({int(time.monotonic() - self._began)} s)")


def on_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr.isatty()
