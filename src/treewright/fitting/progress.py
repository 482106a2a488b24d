"""Progress of long work, on standard error."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from treewright.engines.engine import Progress
from treewright.parts.bounds import whole


def stage(progress: Progress | None, at: int, n_stages: int, n_rows: int) -> Progress | None:
    """Scale the progress of one of several trees to the progress of all, in rows of the table.

    Examples
    --------
    >>> stage(lambda settled, rows: print(settled, rows), 1, 4, 120)(25, 100)
    37 120
    """
    if progress is None or n_stages == 1:
        return progress
    return lambda settled, rows: progress(n_rows * (at * rows + settled) // (n_stages * max(rows, 1)), n_rows)


class ProgressLine:
    """Report how many rows are settled, or other progress, if the work takes long.

    A row is settled when it has reached its leaf. On a terminal one line is overwritten again and again;
    elsewhere a line is added from time to time.

    Parameters
    ----------
    after_s : float
        Seconds to wait before the first line.
    every_s : float, optional
        Seconds between lines; by default half a second on a terminal, and five elsewhere.
    stream : text stream, optional
        Standard error by default.

    Examples
    --------
    >>> line = ProgressLine(after_s=0.0, stream=sys.stdout)
    >>> line(25, 100)
    treewright: 25 of 100 rows settled (25%)
    """

    def __init__(
        self, after_s: float = 1.0, every_s: float | None = None, stream: TextIO | None = None
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._next = time.monotonic() + after_s
        self._on_terminal = self._stream.isatty()
        self._every_s = (0.5 if self._on_terminal else 5.0) if every_s is None else every_s
        self._wrote = False

    def __call__(self, settled: int, rows: int, what: str = "rows settled") -> None:
        """Write a line if it is time."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._every_s
        self._wrote = True
        text = f"treewright: {settled:,} of {rows:,} {what} ({100 * settled // max(rows, 1)}%)"
        begin, end = ("\r", "") if self._on_terminal else ("", "\n")
        self._write(f"{begin}{text}{end}")

    def tell(self, what: object) -> None:
        """Write something on a line of its own, such as how the tree was grown."""
        self.close()
        self._write(f"treewright: {what}\n")

    def close(self) -> None:
        """End the line."""
        if self._wrote and self._on_terminal:
            self._write("\n")
        self._wrote = False

    def _write(self, text: str) -> None:
        with suppress(BrokenPipeError):  # work goes on even if nobody reads the progress any more
            print(text, end="", file=self._stream, flush=True)

    @classmethod
    @contextmanager
    def wanted(cls, verbose: int) -> Iterator["ProgressLine | None"]:
        """Return a line to write progress on, or None for `verbose` 0."""
        if not whole("verbose", int(verbose) if isinstance(verbose, bool) else verbose, at_least=0):
            yield None
            return
        line = cls()
        try:
            yield line
        finally:
            line.close()
