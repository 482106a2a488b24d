"""Words for people, on standard error."""

import sys

_WIDTH = 79


def say(text: str, command: str = "") -> None:
    """Write a line on standard error; with the name of a command in front where something is wrong."""
    print(f"treewright {command}: {text}" if command else text, file=sys.stderr, flush=True)


class Steps:
    """A bar for steps that take their time: drawn on a terminal, written over, gone at the end.

    Parameters
    ----------
    what : str
        What a step is, in front of its number.
    n_steps : int
        How many there are.
    """

    def __init__(self, what: str, n_steps: int) -> None:
        self._what = what
        self._n_steps = n_steps
        self._is_drawn = on_terminal()

    def at(self, step: int) -> None:
        """Draw that a step begins, counted from 0; the last one ends the bar."""
        if not self._is_drawn:
            return
        done = 20 * step // max(1, self._n_steps)
        bar = "█" * done + "░" * (20 - done)
        text = f"\r{bar} {self._what} {step + 1:,} of {self._n_steps:,}"
        sys.stderr.write(text if step < self._n_steps else "\r" + " " * _WIDTH + "\r")
        sys.stderr.flush()


def on_terminal() -> bool:
    """Tell whether somebody is looking."""
    return sys.stderr.isatty()
