"""Rankings say which column wins a node."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from treewright.parts.bounds import NonNegative
from treewright.parts.part import Limit, Part


@dataclass(frozen=True, slots=True)
class BestScore(Part):
    """The column with the best score wins; of equal ones the first in the table."""

    word = "best_score"
    limits = (
        Limit("categorical", ("groups",), "ranks columns by score, and {} merges categories by gain ratio"),
    )


@dataclass(frozen=True, slots=True)
class AboveAverageGain(Part):
    """Of the columns with at least average gain, the one with the best gain ratio wins.

    A column with very many values has a high gain by chance alone, and one that splits off a few rows has a
    high ratio; here the winner needs both. Requires the criterion `GainRatio`.

    Parameters
    ----------
    by : {"ratio", "gain"}
        What columns are compared by; with ``"gain"`` there is no average to reach.
    slack : float
        How far below the average a gain may lie. Splits with no more split information than this have no
        ratio.
    tolerance : float
        Scores closer than this are equal.
    needs_gain : bool
        Whether a split needs a positive gain to win. C4.5 does not require it, which solves XOR; J48 does.
    counts : {"columns", "cuts"}
        What the average is taken over: the best split of each column, or every cut of a numeric column, as in
        Zhou's book; then cuts compete by ratio too.
    many_values : float
        A column with at least this many categories, as a share of the rows, does not count in the average.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, section 2.2.
    """

    word = "above_average_gain"
    suits = ("classes",)
    limits = (
        Limit(
            "criterion",
            ("gain_ratio",),
            "ranks columns by information gain and gain ratio, and {} is another score",
            is_only=True,
        ),
        Limit(
            "missing",
            ("learned", "majority", "surrogate", "branch"),
            "takes gains over the rows with a value, and {} gives the other rows a branch",
        ),
        Limit("categorical", ("subset",), "ranks splits of a column by one rule, and {} searches by another"),
    )

    by: Literal["ratio", "gain"] = "ratio"
    slack: NonNegative = 1e-3
    tolerance: NonNegative = 0.0
    needs_gain: bool = False
    counts: Literal["columns", "cuts"] = "columns"
    many_values: NonNegative = 0.3


Ranking: TypeAlias = BestScore | AboveAverageGain
