"""Splitters say which questions on a column are worth asking."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from treewright.errors import ParameterError, did_you_mean, listed
from treewright.parts.bounds import real


@dataclass(frozen=True, slots=True)
class ThresholdSplitter:
    """Ask whether a value lies at or below a cut.

    Parameters
    ----------
    choose : {"best", "random"}
        ``"best"`` tries the midpoint between every two neighbouring values. ``"random"`` draws one cut per
        column, uniformly between its least and its greatest value in the node.
    cut_at : {"middle", "observed"}
        Put the cut half-way between the two values, or at the largest value of the whole table that is not
        above that, as C4.5 does.
    min_gap : float
        Values no further apart than this are not told apart.
    charges_tries : bool
        Take log2(cuts tried) / weight off the gain of a numeric column; for `AboveAverageGain`.
    scales_side : bool
        Ask of either side a tenth of the average weight of a class, if that is more than the least weight of
        a leaf, but never more than 25; for `AboveAverageGain`.

    References
    ----------
    Quinlan (1996), Improved use of continuous attributes in C4.5, for the charge.

    Examples
    --------
    >>> ThresholdSplitter().choose, ThresholdSplitter().cut_at
    ('best', 'middle')
    """

    choose: Literal["best", "random"] = "best"
    cut_at: Literal["middle", "observed"] = "middle"
    min_gap: float = 0.0
    charges_tries: bool = False
    scales_side: bool = False

    def __post_init__(self) -> None:
        for name, known in (("choose", ("best", "random")), ("cut_at", ("middle", "observed"))):
            value = getattr(self, name)
            if value not in known:
                raise ParameterError(
                    f"{name}={value!r} is unknown; available: {listed(known)}." + did_you_mean(value, known)
                )
        real("min_gap", self.min_gap, at_least=0.0)


@dataclass(frozen=True, slots=True)
class SubsetSplitter:
    """Part the categories in two sets.

    With two classes or a numeric target the best of all ways is found by putting the categories in order.
    With more classes, and by absolute error, all ways are tried where there are few categories, and otherwise
    many good ones; the question says which.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.2.2. Coppersmith, Hong, Hosking (1999), Partitioning
    nominal attributes in decision trees.
    """


@dataclass(frozen=True, slots=True)
class MultiwaySplitter:
    """Give each declared category a branch of its own, those included that no row has.

    References
    ----------
    Quinlan (1986), Induction of decision trees, section 3.
    """


@dataclass(frozen=True, slots=True)
class OneVsRestSplitter:
    """Part one category from all others."""


@dataclass(frozen=True, slots=True)
class GroupingSplitter:
    """Merge categories into groups, two at a time, while that raises the gain ratio; for `AboveAverageGain`.

    Categories that are pure in the same class start out together. Those with half a row's weight or less,
    and those that no row has, are never merged and make the last branch. Of the pairs that keep half of the
    gain of a branch a category, the one of best ratio is merged. Columns with two categories are asked as
    they are. A grouped column may be asked about again further down.

    Parameters
    ----------
    min_weight_once_unknown : float, optional
        Least weight of a leaf, and half of what a node must weigh to be split, once a column of more than two
        categories had no known value in a node: for the columns after it in that node and for all nodes
        after that one, first branches first, to the end of the growth. C4.5 Release 8 goes on with 1,
        whatever it was asked for; by default the limits stay what they are.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 7.

    Examples
    --------
    >>> GroupingSplitter().min_weight_once_unknown is None
    True
    """

    min_weight_once_unknown: float | None = None

    def __post_init__(self) -> None:
        if self.min_weight_once_unknown is not None:
            real("min_weight_once_unknown", self.min_weight_once_unknown, above=0.0)


Splitter: TypeAlias = ThresholdSplitter
CategorySplitter: TypeAlias = SubsetSplitter | MultiwaySplitter | OneVsRestSplitter | GroupingSplitter
