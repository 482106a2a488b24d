"""Messages for people, on standard error."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_WIDTH = 79
_EVERY_S = 3.0  # seconds between lines that say how far slow steps are, where nobody can watch a bar
T = TypeVar("T")


def say(text: str, command: str = "") -> None:
    """Write a line to standard error, an error with the name of its command in front."""
    print(f"treewright {command}: {text}" if command else text, file=sys.stderr, flush=True)


def steps(what: str, results: Iterable[T], n_steps: int) -> Iterator[T]:
    """Yield the results of slow steps, and say how far they are.

    A terminal shows a progress bar, which is erased at the end; elsewhere a line is added every few seconds.

    Parameters
    ----------
    what : str
        The name of a step, printed before its number.
    results : iterable
        Computes each result when it is needed.
    n_steps : int
        How many there are.
    """
    remaining, next_line = iter(results), time.monotonic() + _EVERY_S
    for step in range(n_steps):
        if on_terminal():
            done = 20 * step // n_steps
            bar = "█" * done + "░" * (20 - done)
            print(f"\r{bar} {what} {step + 1:,} of {n_steps:,}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() >= next_line:
            say(f"{what} {step + 1:,} of {n_steps:,}")
            next_line = time.monotonic() + _EVERY_S
        yield next(remaining)
    if on_terminal():
        print("\r" + " " * _WIDTH + "\r", end="", file=sys.stderr, flush=True)


def on_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr.isatty()
