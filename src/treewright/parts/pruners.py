"""Pruners say which smaller tree is better."""

from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Literal, TypeAlias, Union

from treewright.errors import ParameterError, did_you_mean
from treewright.parts.bounds import real, whole

# What a tree costs: impurity of its leaves, wrong answers, or what `loss` says they cost.
Risk: TypeAlias = Literal["impurity", "error", "loss"]
# Which links are cut at a price of a leaf: those that leave the best subtree, or those that rpart cuts.
Links: TypeAlias = Literal["weakest", "rpart"]
# Which of nested trees to take: the smallest within one standard error of the best, or the best.
Rule: TypeAlias = Literal["1-se", "min"]
RISKS: tuple[Risk, ...] = ("error", "impurity", "loss")
RULES: tuple[Rule, ...] = ("1-se", "min")

# Quinlan's table of normal deviates; between its entries he interpolates.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


@dataclass(frozen=True, slots=True)
class NoPruning:
    """Keep the tree as it was grown."""


@dataclass(frozen=True, slots=True)
class CostComplexity:
    """Cut weakest links while a leaf saved costs at most `alpha`.

    Parameters
    ----------
    alpha : float
        Price of a leaf in units of risk.
    risk : {"impurity", "error", "loss"}
        What the leaves of a tree cost: a sum over them of weight / total weight × impurity, or of wrong
        answers, or of what these cost.
    links : {"weakest", "rpart"}
        Which links are cut: those that leave the tree of least risk + alpha × leaves, or those that rpart
        cuts, which measures each link once, from below.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 3.3.

    Examples
    --------
    >>> CostComplexity(alpha=0.01)
    CostComplexity(alpha=0.01, risk='impurity', links='weakest')
    """

    alpha: float
    risk: Risk = "impurity"
    links: Links = "weakest"

    def __post_init__(self) -> None:
        real("alpha", self.alpha, at_least=0.0)


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """Cut weakest links as far as rows that trees have not seen say.

    Parameters
    ----------
    rule : {"1-se", "min"}
        The smallest tree within one standard error of the least cross-validated risk, or of just that risk.
    n_folds : int
        Folds that rows are dealt to. They are dealt by what is in them, so that their order does not count.
    risk : {"error", "impurity", "loss"}
        What leaves cost, see `CostComplexity`; rows held out are judged by the same.
    least_alpha : float
        Least price of a leaf: what does not pay at this price is cut in any case.
    seed : int
        Another seed deals the rows otherwise.
    links : {"weakest", "rpart"}
        See `CostComplexity`.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 3.4.

    Examples
    --------
    >>> CrossValidated(rule="min").n_folds
    10
    """

    rule: Rule = "1-se"
    n_folds: int = 10
    risk: Risk = "error"
    least_alpha: float = 0.0
    seed: int = 0
    links: Links = "rpart"

    def __post_init__(self) -> None:
        whole("n_folds", self.n_folds, at_least=2)
        real("least_alpha", self.least_alpha, at_least=0.0)


@dataclass(frozen=True, slots=True)
class Collapse:
    """Turn a node into a leaf where its leaves make no fewer errors on the training rows than it would.

    Parameters
    ----------
    slack : float
        Errors that a leaf may make more.
    bottom_up : bool
        Whether what was collapsed below counts with the errors it makes then. C4.5 works upwards; J48 works
        downwards and counts the errors of the leaves as grown.
    """

    slack: float = 1e-3
    bottom_up: bool = True

    def __post_init__(self) -> None:
        real("slack", self.slack, at_least=0.0)


@dataclass(frozen=True, slots=True)
class ErrorBased:
    """Turn a node into a leaf, or raise its heaviest child, where no more errors are to be expected then.

    The errors to expect of a leaf are the upper limit of a confidence interval about those it made on the
    training rows.

    Parameters
    ----------
    confidence : float
        The smaller, the more errors are expected, and the more is pruned.
    raising : bool
        Whether the heaviest child may take the place of its parent, with all of the parent's rows.
    slack : float
        Errors by which the smaller tree may be worse.
    tolerance : float
        Estimates closer than this are equal.
    deviate : {"table", "exact"}
        Take the normal deviate of `confidence` from C4.5's table, interpolated, or as it is.
    all_wrong : float
        Errors added for each right answer of a leaf with at most half of one.
    least_extra : float
        Never add fewer than this there.
    no_errors, one_error : float
        Numbers of errors that count as none, and from which on there is one; between them the estimate is
        interpolated.
    most_confident : float
        With more confidence than this nothing is added.
    keeps_label_on_tie : bool
        Whether a node keeps its class where another has become as heavy.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 4.

    Examples
    --------
    >>> round(ErrorBased().z, 4), round(ErrorBased(deviate="exact").z, 4)
    (0.6925, 0.6745)
    """

    confidence: float = 0.25
    raising: bool = True
    slack: float = 0.1
    tolerance: float = 0.0
    deviate: Literal["table", "exact"] = "table"
    all_wrong: float = 0.67
    least_extra: float = -1e300
    no_errors: float = 1e-6
    one_error: float = 0.9999
    most_confident: float = 1.0
    keeps_label_on_tie: bool = True

    def __post_init__(self) -> None:
        real("confidence", self.confidence, above=0.0, at_most=1.0)
        if self.deviate not in ("table", "exact"):
            raise ParameterError(
                f"deviate={self.deviate!r} is unknown; available: 'table', 'exact'."
                + did_you_mean(self.deviate, ("table", "exact"))
            )

    @property
    def z(self) -> float:
        """The normal deviate of the confidence."""
        if self.deviate == "exact":
            return NormalDist().inv_cdf(1 - self.confidence) if self.confidence < 1 else 0.0
        at = next(at for at, each in enumerate(_CONFIDENCES) if at and self.confidence <= each)
        low, high = _CONFIDENCES[at - 1], _CONFIDENCES[at]
        step = (self.confidence - low) / (high - low)
        return _DEVIATES[at - 1] + (_DEVIATES[at] - _DEVIATES[at - 1]) * step


@dataclass(frozen=True, slots=True)
class ReducedError:
    """Turn a node into a leaf where that costs no more among rows that were held out of growing.

    Of all pruned trees that do best on these rows the smallest is left. Classes cost errors, or what a loss
    matrix says; means the squared distance, medians the distance.

    Parameters
    ----------
    tolerance : float
        By how much a leaf may cost more.

    References
    ----------
    Quinlan (1987), Simplifying decision trees.

    Examples
    --------
    >>> ReducedError()
    ReducedError(tolerance=0.0)
    """

    tolerance: float = 0.0

    def __post_init__(self) -> None:
        real("tolerance", self.tolerance, at_least=0.0)


@dataclass(frozen=True, slots=True)
class HeldOutFold:
    """Hold one fold of the rows out of growing, and prune by it.

    Rows are brought together by class and dealt to the folds like cards, which keeps the shares of the
    classes; the last fold is held out. Nothing is drawn at random, but which rows these are depends on their
    order in the table.

    Parameters
    ----------
    n_folds : int
        One in so many rows is held out.
    pruner : ReducedError
        What is done with them.

    Examples
    --------
    >>> HeldOutFold(n_folds=5)
    HeldOutFold(n_folds=5, pruner=ReducedError(tolerance=0.0))
    """

    n_folds: int = 3
    pruner: ReducedError = field(default_factory=ReducedError)

    def __post_init__(self) -> None:
        whole("n_folds", self.n_folds, at_least=2)


@dataclass(frozen=True, slots=True)
class Pessimistic:
    """Turn a node into a leaf unless its subtree makes clearly fewer errors on the training rows.

    Every leaf is charged with half an error, and clearly fewer means by a standard error of that count. Rows
    count with their weights.

    Parameters
    ----------
    standard_errors : float
        So many; the more, the more is pruned.

    References
    ----------
    Quinlan (1987), Simplifying decision trees, section 2.3.

    Examples
    --------
    >>> Pessimistic()
    Pessimistic(standard_errors=1.0)
    """

    standard_errors: float = 1.0

    def __post_init__(self) -> None:
        real("standard_errors", self.standard_errors, at_least=0.0)


@dataclass(frozen=True, slots=True)
class MinimumError:
    """Turn a node into a leaf where no more errors are to be expected then, given prior probabilities.

    Parameters
    ----------
    m : float, optional
        How many rows the shares of the classes at the root weigh against those in a leaf; the more, the more
        is pruned. None: all classes are equally likely before, and weigh as many rows as there are classes.

    References
    ----------
    Niblett, Bratko (1986), Learning decision rules in noisy domains. Cestnik, Bratko (1991), On estimating
    probabilities in tree pruning.

    Examples
    --------
    >>> MinimumError(m=2.0)
    MinimumError(m=2.0)
    """

    m: float | None = None

    def __post_init__(self) -> None:
        if self.m is not None:
            real("m", self.m, at_least=0.0)


@dataclass(frozen=True, slots=True)
class InTurn:
    """Let several pruners work, each on what the one before it left."""

    pruners: tuple["Pruner", ...]


Pruner: TypeAlias = Union[  # noqa: UP007 - recursive
    NoPruning,
    CostComplexity,
    CrossValidated,
    Collapse,
    ErrorBased,
    ReducedError,
    HeldOutFold,
    Pessimistic,
    MinimumError,
    InTurn,
]
