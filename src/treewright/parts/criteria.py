"""Criteria say how good the children of a split are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.errors import ParameterError, ParameterTypeError
from treewright.formatting import format_score, format_weight
from treewright.parts.part import Kind, Limit, Part, kinds_of

__all__ = [
    "AbsoluteError",
    "Entropy",
    "FunctionCriterion",
    "GainRatio",
    "Gini",
    "Misclassification",
    "Poisson",
    "TaylorEntropy",
    "Twoing",
    "Variance",
]

Floats: TypeAlias = NDArray[np.float64]
ScoreFunction: TypeAlias = Callable[[NDArray[Any], Floats, NDArray[np.int64]], ArrayLike]

# What users type, for type checkers and editors; a test compares them with the words of the parts.
ClassCriterion: TypeAlias = Literal[
    "gini", "entropy", "log_loss", "misclassification", "taylor_entropy", "twoing", "gain_ratio"
]
NumberCriterion: TypeAlias = Literal["squared_error", "absolute_error", "poisson", "friedman_mse"]

_TWO_BRANCHES = "scores two branches, and {} may make more"


class Branches(NamedTuple):
    """The branches of a split, from which a criterion writes out the gain.

    Parameters
    ----------
    outcome : array
        A row per branch: weights of the classes; or weight and prediction, for a numeric target.
    weights : array
        Weight of each branch.
    gain : float
        The gain, computed on the rows that were scored.
    """

    outcome: Floats
    weights: Floats
    gain: float

    @property
    def shares(self) -> list[str]:
        """The share of the weight in each branch, written out."""
        whole = format_weight(float(self.weights.sum()))
        return [f"{format_weight(weight)}/{whole}" for weight in self.weights.tolist()]

    def decrease(self, before: float, inside: list[float]) -> str:
        """Write the impurity of the node minus the mean impurity of its branches."""
        terms = zip(self.shares, self.weights.tolist(), inside, strict=True)
        texts = [f"{share} × {format_score(each)}" for share, weight, each in terms if weight]
        return " − ".join([format_score(before), *texts])


class Criterion(Part):
    """How good the children of a split are: the base class of all criteria.

    A criterion for classes only has to define its `impurity`: nodes, the ledger, pruning and reports use it.

    Attributes
    ----------
    gain_name : str
        What the ledger calls the gain of a split.
    is_ratio : bool
        Whether splits compete by a ratio of the gain to the split information.
    prefers_even_sides : bool
        Whether, among equally good cuts of a column, the one whose sides differ least in weight wins.
    """

    __slots__ = ()

    suits: ClassVar[tuple[Kind, ...]] = ("classes",)
    gain_name: ClassVar[str] = "Gain"
    is_ratio: ClassVar[bool] = False
    prefers_even_sides: ClassVar[bool] = False

    @staticmethod
    def impurity(shares: Floats) -> Floats:
        """Return the impurity of nodes, given the shares of their classes along the last axis.

        The default is Gini, as in the core, for scores of splits that are not the decrease of an impurity.
        """
        return np.asarray((shares * (1 - shares)).sum(axis=-1) + 0.0)

    @classmethod
    def impurity_of(cls, outcome: Floats) -> Floats:
        """Return the impurity of nodes with these class weights, 0 for a node without weight.

        Examples
        --------
        >>> weights = np.array([[1.0, 1.0], [0.0, 4.0]])
        >>> Gini.impurity_of(weights), Entropy.impurity_of(weights)
        (array([0.5, 0. ]), array([1., 0.]))
        """
        total = outcome.sum(axis=-1, keepdims=True)
        return np.where(total[..., 0] > 0, cls.impurity(outcome / np.where(total > 0, total, 1.0)), 0.0)

    @classmethod
    def gain_as_text(cls, branches: Branches) -> tuple[str, bool]:
        """Write out how the gain of a split is computed, and return whether that is a sum of terms."""
        before = float(cls.impurity_of(branches.outcome.sum(axis=0)))
        return branches.decrease(before, cls.impurity_of(branches.outcome).tolist()), True


@dataclass(frozen=True, slots=True)
class Gini(Criterion):
    """Gini impurity, 1 − Σ p², of a node's classes.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.3.1.
    """

    word = "gini"


@dataclass(frozen=True, slots=True)
class Entropy(Criterion):
    """Shannon entropy, −Σ p log2 p, of a node's classes, in bits.

    References
    ----------
    Quinlan (1986), Induction of decision trees, section 4.
    """

    word = "entropy"
    typed = ("entropy", "log_loss")

    @staticmethod
    def impurity(shares: Floats) -> Floats:
        """Return −Σ p log2 p."""
        return np.asarray((-shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=-1) + 0.0)


@dataclass(frozen=True, slots=True)
class Misclassification(Criterion):
    """Misclassification rate of the majority class, 1 − max p.

    Few splits lower it, so many have exactly the same score. Among columns the first wins, as always. Among
    the cuts of a column, the one whose sides differ least in weight wins (missing values count on the side
    they go to), and among these the lowest: always taking the lowest cut would split off one row at a time.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.1.
    """

    word = "misclassification"
    prefers_even_sides = True

    @staticmethod
    def impurity(shares: Floats) -> Floats:
        """Return 1 − max p."""
        return np.asarray(1.0 - shares.max(axis=-1))


@dataclass(frozen=True, slots=True)
class TaylorEntropy(Criterion):
    """Entropy with −ln p replaced by its second-order Taylor polynomial, Σ p ((1 − p) + (1 − p)² / 2).

    References
    ----------
    An exercise in the lecture notes on trees by Geng Yuanhao (Datawhale, 2021).
    """

    word = "taylor_entropy"

    @staticmethod
    def impurity(shares: Floats) -> Floats:
        """Return Σ p ((1 − p) + (1 − p)² / 2)."""
        return np.asarray((shares * ((1 - shares) + (1 - shares) ** 2 / 2)).sum(axis=-1) + 0.0)


@dataclass(frozen=True, slots=True)
class Twoing(Criterion):
    """Twoing, p_L p_R / 4 × (Σ abs(p_jL − p_jR))², of the two branches of a split.

    It is the largest decrease of p (1 − p) over all groupings of the classes into two. It is a score of
    splits, not the decrease of an impurity. The gain of a split is this value times node weight / total
    weight; the impurity that a node shows, and that limits and pruning use, is Gini.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.3.2.
    """

    word = "twoing"
    limits = (
        Limit("categorical", ("multiway",), _TWO_BRANCHES),
        Limit("missing", ("branch",), _TWO_BRANCHES),
    )
    gain_name = "Twoing"

    @classmethod
    def gain_as_text(cls, branches: Branches) -> tuple[str, bool]:
        """Write p_L p_R / 4 × (Σ |p(j | L) − p(j | R)|)²."""
        left, right = branches.outcome / branches.weights[:, np.newaxis]
        apart = " + ".join(map(format_score, np.abs(left - right).tolist()))
        return f"{branches.shares[0]} × {branches.shares[1]} / 4 × ({apart})²", False


@dataclass(frozen=True, slots=True)
class GainRatio(Criterion):
    """Information gain / entropy of the branches, −Σ p log2 p over the branches' shares of the weight.

    Every cut of every column competes by its ratio; C4.5 itself compares cuts by gain and columns by ratio,
    see `AboveAverageGain`. The gain of a split is its information gain times node weight / total weight; the
    impurity that a node shows is entropy. The ratio favours cuts that split a few rows off the rest, so a
    tree without limits becomes a chain, with a `treewright.errors.DeepTreeWarning`.

    References
    ----------
    Quinlan (1986), Induction of decision trees, section 7.
    """

    word = "gain_ratio"
    limits = (Limit("missing", ("branch",), _TWO_BRANCHES),)
    is_ratio = True

    impurity = staticmethod(Entropy.impurity)


@dataclass(frozen=True, slots=True)
class Variance(Criterion):
    """Mean squared distance of a node's numbers from their mean.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 8.3.
    """

    word = "variance"
    typed = ("squared_error",)
    suits = ("numbers",)

    @classmethod
    def gain_as_text(cls, branches: Branches) -> tuple[str, bool]:
        """Write Σ p (mean of the branch − mean)²."""
        mean, means = _means(branches)
        if len(means) == 2:
            return f"{branches.shares[0]} × {branches.shares[1]} × ({means[0]} − {means[1]})²", False
        terms = zip(branches.shares, means, strict=True)
        return " + ".join(f"{share} × ({each} − {mean})²" for share, each in terms), True


@dataclass(frozen=True, slots=True)
class AbsoluteError(Criterion):
    """Mean distance of a node's numbers from their median, Σ w abs(y − median) / Σ w.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 8.11.
    """

    word = "absolute_error"
    suits = ("numbers",)

    @classmethod
    def gain_as_text(cls, branches: Branches) -> tuple[str, bool]:
        """Write the mean distance from the median in the node minus that in its branches."""
        weights = branches.weights
        inside = np.where(weights > 0, branches.outcome[:, 1], 0.0)
        before = branches.gain + float((weights / weights.sum() * inside).sum())
        return branches.decrease(before, inside.tolist()), True


@dataclass(frozen=True, slots=True)
class Poisson(Criterion):
    """Half the mean Poisson deviance of a node's numbers from their mean, Σ w y ln(y / mean) / Σ w.

    For counts and rates: numbers of at least 0, some of them positive. No branch may hold only zeros.

    References
    ----------
    Therneau, Atkinson (1997), An introduction to recursive partitioning using the RPART routines, section 8.
    """

    word = "poisson"
    suits = ("numbers",)

    @classmethod
    def gain_as_text(cls, branches: Branches) -> tuple[str, bool]:
        """Write Σ p mean of the branch × ln(mean of the branch / mean)."""
        mean, means = _means(branches)
        terms = zip(branches.shares, means, strict=True)
        return " + ".join(f"{share} × {each} × ln({each} / {mean})" for share, each in terms), True


def _means(branches: Branches) -> tuple[str, list[str]]:
    """Write the mean of a node and the means of its branches."""
    weights, means = branches.weights, branches.outcome[:, 1]
    mean = float((weights * means).sum() / weights.sum())
    return format_score(mean), [format_score(each) for each in means.tolist()]


@dataclass(frozen=True, slots=True, repr=False)
class FunctionCriterion(Criterion):
    """A function of your own that scores all cuts of a column at once.

    It is called as ``function(y, weight, cuts)``, with its own copies, and returns a score for each cut:

    - `y`: the targets of a node's rows, float64, or int64 codes of classes in the order of ``classes_``. The
      rows are sorted by the column's values; rows that no cut can separate are sorted by target, then weight.
    - `weight`: their weights, float64, including class weights, priors and losses.
    - `cuts`: how many rows lie on the left of each cut, int64, rising. Cuts between equal values and cuts
      that a limit or a monotone column forbids are left out; there is at least one.
    - The scores: by how much each cut lowers weight times impurity, so that score / total weight is the gain
      of the split. The largest wins, the lowest cut among equals. NaN or minus infinity forbids a cut, and a
      node without a score above 0 is a leaf.

    Limits, importances and best-first growth use the gain as for any criterion. The impurity that nodes show,
    and that `min_impurity` and pruning use, is Gini, or the variance. Rows with missing values come last, or
    first where they are tried on the left. Splits of categories into two sets are prefixes of the categories
    in order of the mean of `y`, or of the share of each class in turn: good splits, but not all.

    The tree is the same for any order of the table's rows if equal arguments give equal scores, to the bit.
    One thread grows it.

    Parameters
    ----------
    function : callable
        As above.

    Examples
    --------
    >>> def least_variance(y, weight, cuts):
    ...     amount, size = np.cumsum(weight * y), np.cumsum(weight)
    ...     left, right = amount[cuts - 1], amount[-1] - amount[cuts - 1]
    ...     n_left, n_right = size[cuts - 1], size[-1] - size[cuts - 1]
    ...     return left**2 / n_left + right**2 / n_right - amount[-1] ** 2 / size[-1]
    >>> criterion = FunctionCriterion(least_variance)
    >>> criterion
    FunctionCriterion(least_variance)
    >>> criterion.scores(np.array([1.0, 1.0, 4.0]), np.ones(3), np.array([1, 2]))
    array([1.5, 6. ])
    """

    word = "function"
    typed = ()
    suits = ("classes", "numbers")
    limits = (
        Limit("categorical", ("multiway",), _TWO_BRANCHES),
        Limit("missing", ("spread",), "takes whole rows, and {} gives rows fractional weights"),
    )

    function: ScoreFunction

    @classmethod
    def gain_as_text(cls, branches: Branches) -> tuple[str, bool]:
        """Write the score of the cut divided by the weight that was scored."""
        whole = float(branches.weights.sum())
        return f"{format_score(branches.gain * whole)} / {format_weight(whole)}", False

    def _check(self) -> None:
        if not callable(self.function):
            raise ParameterTypeError(f"function={self.function!r} cannot be called.")

    def __repr__(self) -> str:
        return f"FunctionCriterion({self.name})"

    @property
    def name(self) -> str:
        """The function's name, or its representation if it has none."""
        return str(getattr(self.function, "__qualname__", None) or repr(self.function))

    def scores(self, y: NDArray[Any], weight: Floats, cuts: NDArray[np.int64]) -> Floats:
        """Call the function and check what it returns.

        Raises
        ------
        ParameterError
            If the result is not a vector of numbers, one for each cut, or one of them is infinite. Whatever
            the function raises is passed on.
        """
        given = self.function(y, weight, cuts)
        wanted = f"criterion={self.name} must give {len(cuts)} scores, one for each cut"
        try:
            scores = np.ascontiguousarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise ParameterError(f"{wanted}; it gave {given!r:.80}.") from None
        if np.shape(given) != cuts.shape:
            what = repr(given) if np.ndim(given) == 0 else f"an array of shape {np.shape(given)}"
            raise ParameterError(f"{wanted}; it gave {what}.")
        if np.isposinf(scores).any():
            raise ParameterError(
                f"{wanted}; score {int(np.isposinf(scores).argmax())} is infinite. Give a finite one, or NaN "
                "to forbid the cut."
            )
        return scores


CRITERIA: tuple[type[Criterion], ...] = kinds_of(Criterion, vars())
# The words by which the ledger names criteria, for classes and for numbers.
OF_CLASSES = tuple(kind.word for kind in CRITERIA if "classes" in kind.suits)
OF_NUMBERS = ("function_of_numbers", *(kind.word for kind in CRITERIA if kind.suits == ("numbers",)))


def criterion_called(word: str) -> type[Criterion] | None:
    """Find a criterion by its word in the ledger; None if this version does not know it.

    Examples
    --------
    >>> criterion_called("gini"), criterion_called("function_of_numbers")
    (<class 'treewright.parts.criteria.Gini'>, <class 'treewright.parts.criteria.FunctionCriterion'>)
    """
    return {kind.word: kind for kind in CRITERIA}.get(word.removesuffix("_of_numbers"))
