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


Splitter: TypeAlias = ThresholdSplitter
