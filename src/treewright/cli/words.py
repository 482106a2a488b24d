"""Messages for people, on standard error."""

import sys
from collections.abc import Iterator

_WIDTH = 79


def say(text: str, command: str = "") -> None:
    """Write a line to standard error, an error with the name of its command in front."""
    print(f"treewright {command}: {text}" if command else text, file=sys.stderr, flush=True)


def steps(what: str, n_steps: int) -> Iterator[int]:
    """Count slow steps; on a terminal with a progress bar, which is erased at the end.

    Parameters
    ----------
    what : str
        The name of a step, printed before its number.
    n_steps : int
        How many there are.
    """
    for step in range(n_steps):
        if on_terminal():
            done = 20 * step // n_steps
            bar = "█" * done + "░" * (20 - done)
            print(f"\r{bar} {what} {step + 1:,} of {n_steps:,}", end="", file=sys.stderr, flush=True)
        yield step
    if on_terminal():
        print("\r" + " " * _WIDTH + "\r", end="", file=sys.stderr, flush=True)


def on_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr.isatty()
