"""Missing policies say where rows without a value go."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from treewright.errors import ParameterError, did_you_mean
from treewright.parts.bounds import whole


@dataclass(frozen=True, slots=True)
class LearnedBranch:
    """Try the missing rows on both sides of every cut and keep the better one.

    One question more is asked of a column with gaps: is there a value at all?
    """


@dataclass(frozen=True, slots=True)
class MajorityBranch:
    """Judge cuts by the rows with a value, and send the others where most of the weight goes."""


@dataclass(frozen=True, slots=True)
class OwnBranch:
    """Give the missing rows a branch of their own, the last one."""


@dataclass(frozen=True, slots=True)
class Surrogates:
    """Send the missing rows where another column would: the one that agrees best with the node's question.

    Cuts are judged by the rows with a value. Where all surrogates are missing too, the row goes where most of
    the weight goes, or nowhere. A monotone column is no surrogate: answers would not keep to its order.

    Parameters
    ----------
    max_surrogates : int
        Surrogates kept at each node; with 0, and `otherwise` "majority", this is `MajorityBranch`.
    style : {"all", "known"}
        What agreement is a share of: the weight of all rows with a value for the node's question, so that
        surrogates with many gaps rank low, or of those that have one for the surrogate too, as in the book.
    otherwise : {"majority", "stop"}
        Where a row goes that no surrogate can place. One that stops counts in the node and in none of its
        children, and the node answers for it. Pruning compares a node with its leaves, so that rows which
        stop there are among what the split saves. rpart's ``usesurrogate=1`` is "stop", its
        ``usesurrogate=0`` "stop" without surrogates.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 5.3. Therneau, Atkinson (2019), An introduction to
    recursive partitioning using the RPART routines, section 5.

    Examples
    --------
    >>> Surrogates(max_surrogates=3)
    Surrogates(max_surrogates=3, style='all', otherwise='majority')
    """

    max_surrogates: int = 5
    style: Literal["all", "known"] = "all"
    otherwise: Literal["majority", "stop"] = "majority"

    def __post_init__(self) -> None:
        whole("max_surrogates", self.max_surrogates, at_least=0)
        for name, words in (("style", ("all", "known")), ("otherwise", ("majority", "stop"))):
            word = getattr(self, name)
            if word not in words:
                raise ParameterError(
                    f"{name}={word!r} is unknown; available: {words[0]!r}, {words[1]!r}."
                    + did_you_mean(word, words)
                )


@dataclass(frozen=True, slots=True)
class Spread:
    """Send the missing rows down every branch, each with a share of their weight.

    A share is as large as the branch's part of the weight that has a value. Cuts are judged by the rows with
    a value.

    Parameters
    ----------
    penalty : {"linear", "quadratic"} or None
        What a gain is multiplied by where γ of the weight has no value: 1 − γ, 1 − γ², or 1.
    is_branch : bool
        Whether the missing rows count as a branch in the information of the split; for `AboveAverageGain`.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 3.
    """

    penalty: Literal["linear", "quadratic"] | None = "linear"
    is_branch: bool = True

    def __post_init__(self) -> None:
        if self.penalty not in ("linear", "quadratic", None):
            raise ParameterError(
                f"penalty={self.penalty!r} is unknown; available: 'linear', 'quadratic', None."
                + did_you_mean(self.penalty, ("linear", "quadratic"))
            )


@dataclass(frozen=True, slots=True)
class Refuse:
    """Take no table with missing values."""


MissingPolicy: TypeAlias = LearnedBranch | MajorityBranch | OwnBranch | Surrogates | Spread | Refuse
