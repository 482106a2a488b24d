"""Count the figures that were compared, so that none is left out unnoticed."""

from collections.abc import Iterable
from typing import Any

import pytest


class Tally:
    """Figures compared so far."""

    def __init__(self) -> None:
        self.n = 0

    def same(self, ours: float | None, kept: float, within: float) -> None:
        """Compare a figure with one that is kept."""
        assert ours is not None, f"no figure for {kept}"
        assert ours == pytest.approx(kept, abs=within, rel=0)
        self.n += 1

    def all_same(self, ours: Iterable[float], kept: Iterable[float], within: float) -> None:
        """Compare as many figures."""
        for mine, theirs in zip(ours, kept, strict=True):
            self.same(mine, theirs, within)


def count_figures(kept: Any) -> int:
    """Count the numbers in what was read from JSON."""
    if isinstance(kept, dict):
        return sum(map(count_figures, kept.values()))
    if isinstance(kept, list):
        return sum(map(count_figures, kept))
    return int(isinstance(kept, int | float) and not isinstance(kept, bool))
