"""Missing-value policies say where rows with a missing value go."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal, TypeAlias

from treewright.parts.bounds import whole
from treewright.parts.part import Limit, Part

__all__ = ["LearnedBranch", "MajorityBranch", "OwnBranch", "Refuse", "Spread", "Surrogates"]


@dataclass(frozen=True, slots=True)
class LearnedBranch(Part):
    """Try the rows with missing values on both sides of every cut and keep the better side.

    A column with missing values has one more candidate: does the row have a value at all?
    """

    word = "learned"


@dataclass(frozen=True, slots=True)
class MajorityBranch(Part):
    """Score cuts by the rows with a value, and send the others where most of the weight goes."""

    word = "majority"


@dataclass(frozen=True, slots=True)
class OwnBranch(Part):
    """Return the rows with missing values a branch of their own, the last one."""

    word = "branch"


@dataclass(frozen=True, slots=True)
class Surrogates(Part):
    """Send the rows with missing values where the column that agrees best with the split sends them.

    Cuts are scored by the rows with a value. If all surrogates are missing too, the row goes where most of
    the weight goes, or stops. A monotone column is never a surrogate: predictions might break its order.

    Parameters
    ----------
    max_surrogates : int
        Surrogates kept at each node; 0, with `otherwise` "majority", is `MajorityBranch`.
    style : {"all", "known"}
        The weight that agreement is relative to: that of all rows with a value for the split, so that
        surrogates with many missing values rank low, or only that of the rows that also have a value for the
        surrogate, as in the book.
    otherwise : {"majority", "stop"}
        Where a row goes that no surrogate can place. A row that stops counts in the node and in none of its
        children, and the node predicts for it. Pruning compares a node with its leaves, so the errors of rows
        that stop count as saved by the split. rpart's ``usesurrogate=1`` is "stop", its ``usesurrogate=0`` is
        "stop" without surrogates.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 5.3. Therneau, Atkinson (2019), An introduction to
    recursive partitioning using the RPART routines, section 5.

    Examples
    --------
    >>> Surrogates(max_surrogates=3)
    Surrogates(max_surrogates=3, style='all', otherwise='majority')
    """

    word = "surrogate"
    limits = (
        Limit("categorical", ("multiway",), "looks for other splits in two, and {} makes more branches"),
    )

    max_surrogates: Annotated[int, partial(whole, at_least=0)] = 5
    style: Literal["all", "known"] = "all"
    otherwise: Literal["majority", "stop"] = "majority"


@dataclass(frozen=True, slots=True)
class Spread(Part):
    """Send the rows with missing values down every branch with fractional weights.

    The fraction is the branch's share of the weight that has a value. Cuts are scored by the rows with a
    value.

    Parameters
    ----------
    penalty : {"linear", "quadratic"} or None
        Factor of the gain if a fraction γ of the weight has no value: 1 − γ, 1 − γ², or 1.
    is_branch : bool
        Whether the rows with missing values count as a branch in the split information; for
        `AboveAverageGain`.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 3.
    """

    word = "spread"

    penalty: Literal["linear", "quadratic"] | None = "linear"
    is_branch: bool = True


@dataclass(frozen=True, slots=True)
class Refuse(Part):
    """Refuse tables with missing values."""

    word = "refuse"


MissingPolicy: TypeAlias = LearnedBranch | MajorityBranch | OwnBranch | Surrogates | Spread | Refuse
