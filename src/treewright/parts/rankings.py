"""Rankings say which column wins a node."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from treewright.parts.bounds import real


@dataclass(frozen=True, slots=True)
class BestScore:
    """The column with the best score; of equals the first one in the table."""


@dataclass(frozen=True, slots=True)
class AboveAverageGain:
    """Of the columns that gain at least as much as the average, the one with the best gain ratio.

    A column of very many values has a fine gain by chance alone, and one that parts few rows from all others
    a fine ratio; whoever wins here has both. It wants the criterion `GainRatio`.

    Parameters
    ----------
    by : {"ratio", "gain"}
        What columns compete on; with ``"gain"`` there is no average to reach.
    slack : float
        How far below the average a gain may lie. Splits that tell no more than this of their own have no
        ratio.
    tolerance : float
        Scores closer than this are equal.
    needs_gain : bool
        Whether a split that gains nothing may win. C4.5 lets it, which solves XOR; J48 does not.
    counts : {"columns", "cuts"}
        What the average is taken over: the best question of each column, or every cut of a numeric one for
        itself, as in Zhou's book; then cuts compete by ratio too.
    many_values : float
        A column with at least this many categories, as a share of the rows, does not count in the average.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, section 2.2.
    """

    by: Literal["ratio", "gain"] = "ratio"
    slack: float = 1e-3
    tolerance: float = 0.0
    needs_gain: bool = False
    counts: Literal["columns", "cuts"] = "columns"
    many_values: float = 0.3

    def __post_init__(self) -> None:
        for name in ("slack", "tolerance", "many_values"):
            real(name, getattr(self, name), at_least=0.0)


Ranking: TypeAlias = BestScore | AboveAverageGain
