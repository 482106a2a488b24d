"""Splitters say which splits of a column are candidates."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from treewright.parts.bounds import NonNegative, Positive
from treewright.parts.part import Limit, Part

__all__ = ["GroupingSplitter", "MultiwaySplitter", "OneVsRestSplitter", "SubsetSplitter", "ThresholdSplitter"]

Choose: TypeAlias = Literal["best", "random"]
CutAt: TypeAlias = Literal["middle", "observed"]


@dataclass(frozen=True, slots=True)
class ThresholdSplitter(Part):
    """Split a numeric column at a threshold: at or below it, or above.

    Parameters
    ----------
    choose : {"best", "random"}
        ``"best"`` tries a cut between every two neighbouring values. ``"random"`` draws one cut per
        column, uniformly between its least and its greatest value in the node.
    cut_at : {"middle", "observed"}
        Put the cut half-way between the two values, or, as C4.5 does, at the largest value in the whole table
        that is not above that point.
    min_gap : float
        Values no further apart than this are never separated.
    charges_tries : bool
        Whether log2(cuts tried) / weight is subtracted from the gain of a numeric column; for
        `AboveAverageGain`.
    scales_side : bool
        Whether either side must hold a tenth of the average weight of a class, at most 25, if that is more
        than the least weight of a leaf; for `AboveAverageGain`.

    References
    ----------
    Quinlan (1996), Improved use of continuous attributes in C4.5, for the charge.

    Examples
    --------
    >>> ThresholdSplitter().choose, ThresholdSplitter().cut_at
    ('best', 'middle')
    """

    word = "threshold"
    limits = (
        Limit(
            "ranking",
            ("above_average_gain",),
            "draws one cut per column, and {} compares the best ones",
            lambda splitter: splitter.choose == "random",
        ),
    )

    choose: Choose = "best"
    cut_at: CutAt = "middle"
    min_gap: NonNegative = 0.0
    charges_tries: bool = False
    scales_side: bool = False


@dataclass(frozen=True, slots=True)
class SubsetSplitter(Part):
    """Split the categories into two sets.

    With two classes or a numeric target, the best split is found by sorting the categories. With more
    classes, or by absolute error, all splits are tried if there are few categories, and otherwise many good
    ones; the question says which.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.2.2. Coppersmith, Hong, Hosking (1999), Partitioning
    nominal attributes in decision trees.
    """

    word = "subset"


@dataclass(frozen=True, slots=True)
class MultiwaySplitter(Part):
    """Give each declared category a branch, including categories that no row has.

    References
    ----------
    Quinlan (1986), Induction of decision trees, section 3.
    """

    word = "multiway"


@dataclass(frozen=True, slots=True)
class OneVsRestSplitter(Part):
    """Split one category from all others."""

    word = "one-vs-rest"


@dataclass(frozen=True, slots=True)
class GroupingSplitter(Part):
    """Merge categories into groups, two at a time, while that raises the gain ratio.

    For `AboveAverageGain` only. Categories that are pure in the same class start as one group. Categories
    with half a row's weight or less, or without rows, are never merged and form the last branch. Among the
    pairs that keep half of the gain of one branch per category, the pair with the best ratio is merged.
    Columns with two categories are split as they are. A grouped column may be split again further down.

    Parameters
    ----------
    min_weight_once_unknown : float, optional
        Least weight of a leaf, and half of the weight that a node needs to be split, from the moment when a
        column of more than two categories has no known value in a node: for the columns after it in that node
        and for all nodes grown later, first branches first. C4.5 Release 8 continues with 1, whatever limit
        it was given; by default the limits do not change.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 7.

    Examples
    --------
    >>> GroupingSplitter().min_weight_once_unknown is None
    True
    """

    word = "groups"
    typed = ()
    limits = (
        Limit(
            "order",
            ("breadth", "best"),
            "lets a node change the limits of nodes grown after it, and {} grows in another order",
            lambda splitter: bool(splitter.min_weight_once_unknown),
        ),
    )

    min_weight_once_unknown: Positive | None = None


Splitter: TypeAlias = ThresholdSplitter
CategorySplitter: TypeAlias = SubsetSplitter | MultiwaySplitter | OneVsRestSplitter | GroupingSplitter
