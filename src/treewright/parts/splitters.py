"""Splitters say which questions on a column are worth asking."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from treewright.errors import ParameterError, did_you_mean


@dataclass(frozen=True, slots=True)
class ThresholdSplitter:
    """Ask whether a value lies at or below a cut.

    Parameters
    ----------
    choose : {"best", "random"}
        ``"best"`` tries the midpoint between every two neighbouring values. ``"random"`` draws one cut per
        column, uniformly between its least and its greatest value in the node.

    Examples
    --------
    >>> ThresholdSplitter()
    ThresholdSplitter(choose='best')
    """

    choose: Literal["best", "random"] = "best"

    def __post_init__(self) -> None:
        if self.choose not in ("best", "random"):
            raise ParameterError(
                f"choose={self.choose!r} is unknown; available: 'best', 'random'."
                + did_you_mean(self.choose, ("best", "random"))
            )


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


Splitter: TypeAlias = ThresholdSplitter
CategorySplitter: TypeAlias = SubsetSplitter | MultiwaySplitter | OneVsRestSplitter
