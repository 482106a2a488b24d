"""Criteria say how good the children of a split are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.errors import ParameterError, ParameterTypeError

ScoreFunction: TypeAlias = Callable[[NDArray[Any], NDArray[np.float64], NDArray[np.int64]], ArrayLike]


@dataclass(frozen=True, slots=True)
class Gini:
    """Gini impurity, 1 − Σ p², of a node's classes.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.3.1.
    """


@dataclass(frozen=True, slots=True)
class Entropy:
    """Shannon entropy, −Σ p log2 p, of a node's classes, in bits.

    References
    ----------
    Quinlan (1986), Induction of decision trees, section 4.
    """


@dataclass(frozen=True, slots=True)
class Misclassification:
    """Share of the rows outside the largest class, 1 − max p.

    Few splits lower it at once, so many are worth exactly the same. Between columns the lowest wins, as
    always. Of cuts of a column the one wins whose sides differ least in weight (missing values count where
    they go), and of these the lowest: always taking the lowest would take a row off at a time.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.1.
    """


@dataclass(frozen=True, slots=True)
class TaylorEntropy:
    """Entropy with −ln p replaced by its second-order Taylor polynomial, Σ p ((1 − p) + (1 − p)² / 2).

    References
    ----------
    An exercise in the lecture notes on trees by Geng Yuanhao (Datawhale, 2021).
    """


@dataclass(frozen=True, slots=True)
class Twoing:
    """Twoing, p_L p_R / 4 × (Σ |p(j | L) − p(j | R)|)², of the two branches of a split.

    It is the largest decrease of p (1 − p) that any grouping of the classes into two sees. It belongs to a
    split and is no decrease of an impurity of nodes. The gain of a split is this value times node weight /
    total weight; the impurity that a node shows, and that limits and pruning go by, is Gini.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.3.2.
    """


@dataclass(frozen=True, slots=True)
class GainRatio:
    """Information gain / entropy of the branches, −Σ p log2 p over the branches' shares of the weight.

    Every cut of every column competes by its ratio; C4.5's own way, cuts by gain and columns by ratio, is
    another. The gain of a split is its information gain times node weight / total weight; the impurity that a
    node shows is entropy. The ratio is best for cuts at the rim, so that a tree without limits becomes a
    chain; a `treewright.errors.DeepTreeWarning` tells of it.

    References
    ----------
    Quinlan (1986), Induction of decision trees, section 7.
    """


@dataclass(frozen=True, slots=True)
class Variance:
    """Mean squared distance of a node's numbers from their mean.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 8.3.
    """


@dataclass(frozen=True, slots=True)
class AbsoluteError:
    """Mean distance of a node's numbers from their median, Σ w |y − median| / Σ w.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 8.11.
    """


@dataclass(frozen=True, slots=True)
class Poisson:
    """Half the mean Poisson deviance of a node's numbers from their mean, Σ w y ln(y / mean) / Σ w.

    For counts and rates: numbers of at least 0, of which some are positive. No branch may hold zeros only.

    References
    ----------
    Therneau, Atkinson (1997), An introduction to recursive partitioning using the RPART routines, section 8.
    """


@dataclass(frozen=True, slots=True, repr=False)
class FunctionCriterion:
    """A function of your own, which scores all cuts of a column at once.

    It is called ``function(y, weight, cuts)`` with arrays of its own and gives a score for each cut:

    - `y`: the targets of a node's rows, float64, or int64 codes of classes in the order of ``classes_``. The
      rows stand in the order of a column's values, and those that no cut can part in order of target, then
      weight.
    - `weight`: their weights, float64, with class weights, priors and losses in them.
    - `cuts`: how many rows lie on the left of each cut, int64, rising. Cuts between equal values and cuts
      that a limit or a monotone column forbids are not among them, and there is at least one.
    - The scores: by how much each cut lowers weight times impurity, so that score / total weight is the gain
      of the split. The largest wins, the lowest cut among equals. NaN or minus infinity forbids a cut, and a
      node without a score above 0 is a leaf.

    The gain goes into limits, importances and best-first growth as it does for any criterion. The impurity
    that nodes show, and that `min_impurity` and pruning go by, is Gini, or the variance. Missing rows stand
    last, or first where they are tried on the left. Two sets of categories are the prefixes of the
    categories in order of the mean of `y`, or of the share of each class in turn: good ones, but not all.

    The tree is the same for any order of the table's rows if equal arguments give equal scores, to the bit.
    It is grown by one thread.

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

    function: ScoreFunction

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ParameterTypeError(f"function={self.function!r} cannot be called.")

    def __repr__(self) -> str:
        return f"FunctionCriterion({self.name})"

    @property
    def name(self) -> str:
        """The function's name, or how it shows itself where it has none."""
        return str(getattr(self.function, "__qualname__", None) or repr(self.function))

    def scores(
        self, y: NDArray[Any], weight: NDArray[np.float64], cuts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Call the function and check what it gives.

        Raises
        ------
        ParameterError
            If that is not a vector of numbers, one for each cut, or one of them is infinite. Whatever the
            function raises comes out as it is.
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


OfClasses: TypeAlias = Gini | Entropy | Misclassification | TaylorEntropy | Twoing | GainRatio
OfNumbers: TypeAlias = Variance | AbsoluteError | Poisson
Criterion: TypeAlias = OfClasses | OfNumbers | FunctionCriterion
