"""Programs outside, such as Weka and R: they take turns with us, and tell what their fits took."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Iterator

from benchmarks.compare.measure import Figures, figures
from benchmarks.compare.presets import Preset


class Program:
    """A program outside that fits once for every line it is sent, and tells what that took.

    Parameters
    ----------
    name : str
        Whose time it is.
    n_runs : int
        How many fits to time.
    command : list of str
        What starts it; it says when it is ready.
    whole : tuple of str and list of str, optional
        A name and a command that reads the table and fits once, timed as it is.
    """

    def __init__(
        self, name: str, n_runs: int, command: list[str], whole: tuple[str, list[str]] | None = None
    ) -> None:
        self.name, self.n_runs, self.whole = name, n_runs, whole
        self._command = " ".join(command)
        self.cpu: list[float] = []
        self.wall: list[float] = []
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *error: object) -> None:
        """Let it come to its end; what it says then is its tree."""
        said = self._process.communicate()[0]
        self._last = dict(line.split() for line in said.splitlines() if len(line.split()) == 2)

    def is_ready(self) -> bool:
        """Wait until it has read its table and warmed up; false: it cannot do what it is asked."""
        is_ready = self._hear("ready") is not None
        if not is_ready:
            self._process.communicate()
        return is_ready

    def wants_more(self, preset: Preset) -> bool:
        """Tell whether another fit is worth its time."""
        return len(self.cpu) < self.n_runs

    def run(self, most_threads: int) -> None:
        """Let it fit once."""
        assert self._process.stdin is not None, "it was opened so"
        self._process.stdin.write("fit\n")
        self._process.stdin.flush()
        took = self._hear("run")
        if took is None:
            raise RuntimeError(f"{self.name} has stopped; start it by hand to see why: {self._command}")
        self.cpu.append(float(took[0]))
        self.wall.append(float(took[1]))

    def figures(self, asked: str, name: str) -> Iterator[Figures]:
        """Give its least times, after its end."""
        each = figures(asked, name, self)
        each.n_leaves, each.score = int(self._last["leaves"]), float(self._last["score"])
        yield each
        if self.whole is not None:
            yield Figures(asked, name, self.whole[0], cpu_s=_children_cpu(self.whole[1]), n_runs=1)

    def _hear(self, word: str) -> list[str] | None:
        assert self._process.stdout is not None, "it was opened so"
        for line in self._process.stdout:
            if line.split()[:1] == [word]:
                return line.split()[1:]
        return None


def _children_cpu(command: list[str]) -> float:
    """Measure the CPU time of a whole process, its threads included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
