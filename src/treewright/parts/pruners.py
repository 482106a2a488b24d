"""Pruners say which smaller tree is better."""

from dataclasses import dataclass, field
from functools import partial
from statistics import NormalDist
from typing import Annotated, ClassVar, Literal, TypeAlias, get_args

from treewright.parts.bounds import NonNegative, TwoOrMore, real
from treewright.parts.part import Part, kinds_of

__all__ = [
    "Collapse",
    "CostComplexity",
    "CrossValidated",
    "ErrorBased",
    "HeldOutFold",
    "InTurn",
    "MinimumError",
    "NoPruning",
    "Pessimistic",
    "PrePruning",
    "ReducedError",
]

# The cost of a tree: its errors, the impurity of its leaves, or the losses of its errors.
Risk: TypeAlias = Literal["error", "impurity", "loss"]
# Which links are cut at a price of a leaf: those that leave the best subtree, or those that rpart cuts.
Links: TypeAlias = Literal["weakest", "rpart"]
# Which of the nested trees to choose: the smallest within one standard error of the best, or the best.
Rule: TypeAlias = Literal["1-se", "min"]
RISKS: tuple[Risk, ...] = get_args(Risk)
RULES: tuple[Rule, ...] = get_args(Rule)
# Which rows a rule sends down the tree.
Rows: TypeAlias = Literal["training", "held out"]
# The names of the rules in `prune`; a test compares them with the words of the parts.
Method: TypeAlias = Literal[
    "cost-complexity", "error-based", "reduced-error", "pre-pruning", "pessimistic", "minimum-error"
]

# Quinlan's table of normal deviates; C4.5 interpolates between its entries.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


class Pruner(Part):
    """Which smaller tree is better; the word of a pruner is a method of ``est.prune``.

    Attributes
    ----------
    options : tuple of str
        Options that `prune` takes for it.
    rows : {"training", "held out"} or None
        Rows that it needs.
    of_whole_splits : bool
        Whether it needs trees in which the children of a node have all of its rows.
    """

    __slots__ = ()

    options: ClassVar[tuple[str, ...]] = ()
    rows: ClassVar[Rows | None] = None
    of_whole_splits: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class NoPruning(Pruner):
    """Keep the tree as it was grown."""


@dataclass(frozen=True, slots=True)
class CostComplexity(Pruner):
    """Cut weakest links while that costs at most `alpha` for each leaf saved.

    Parameters
    ----------
    alpha : float
        Price of a leaf in units of risk.
    risk : {"impurity", "error", "loss"}
        The cost of the leaves of a tree: the sum of weight / total weight × impurity, of errors, or of the
        losses of errors.
    links : {"weakest", "rpart"}
        Which links are cut: those that leave the tree with the least risk + alpha × leaves, or those that
        rpart cuts, which measures each link once, from below.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 3.3.

    Examples
    --------
    >>> CostComplexity(alpha=0.01)
    CostComplexity(alpha=0.01, risk='impurity', links='weakest')
    """

    word = "cost-complexity"
    options = ("alpha", "cp", "leaves", "risk", "scoring", "rule")

    alpha: NonNegative
    risk: Risk = "impurity"
    links: Links = "weakest"


@dataclass(frozen=True, slots=True)
class CrossValidated(Pruner):
    """Cut weakest links as far as cross-validation says.

    Parameters
    ----------
    rule : {"1-se", "min"}
        Choose the smallest tree within one standard error of the least cross-validated risk, or with exactly
        the least risk.
    n_folds : int
        Number of folds. Rows are assigned to folds by their values, so that their order does not matter.
    risk : {"error", "impurity", "loss"}
        The cost of leaves, see `CostComplexity`; held-out rows are scored in the same way.
    least_alpha : float
        Least price of a leaf: splits that do not pay at this price are always cut.
    seed : int
        Another seed assigns the rows to other folds.
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
    n_folds: TwoOrMore = 10
    risk: Risk = "error"
    least_alpha: NonNegative = 0.0
    seed: int = 0
    links: Links = "rpart"


@dataclass(frozen=True, slots=True)
class Collapse(Pruner):
    """Turn a node into a leaf where its leaves make no fewer errors on the training rows than it would.

    Parameters
    ----------
    slack : float
        Additional errors that a leaf may make.
    bottom_up : bool
        Whether subtrees collapsed below count with the errors of their new leaves. C4.5 works upwards; J48
        works downwards and counts the errors of the leaves as grown.
    """

    suits = ("classes",)
    of_whole_splits = True

    slack: NonNegative = 1e-3
    bottom_up: bool = True


@dataclass(frozen=True, slots=True)
class ErrorBased(Pruner):
    """Turn a node into a leaf, or raise its heaviest child, where that adds no expected errors.

    The expected errors of a leaf are the upper limit of a confidence interval around its errors on the
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
        Take the normal deviate of `confidence` from C4.5's table, interpolated, or compute it exactly.
    all_wrong : float
        In a leaf with at most half a correct row, errors added per correct row.
    least_extra : float
        Least number of errors added in such a leaf.
    no_errors, one_error : float
        Up to `no_errors`, errors count as none; from `one_error` on, as at least one. In between the estimate
        is interpolated.
    most_confident : float
        With a confidence above this, no errors are added.
    keeps_label_on_tie : bool
        Whether a node keeps its class if another class has become as heavy.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 4.

    Examples
    --------
    >>> round(ErrorBased().z, 4), round(ErrorBased(deviate="exact").z, 4)
    (0.6925, 0.6745)
    """

    word = "error-based"
    options = ("confidence", "raising")
    rows = "training"
    suits = ("classes",)
    of_whole_splits = True

    confidence: Annotated[float, partial(real, above=0.0, at_most=1.0)] = 0.25
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
class ReducedError(Pruner):
    """Turn a node into a leaf where that costs no more on rows that were held out of growing.

    Of all pruned trees that do best on these rows the smallest is kept. The cost is the number of errors, or
    their loss; for means the squared distance, for medians the distance.

    Parameters
    ----------
    tolerance : float
        How much more a leaf may cost.
    strict : bool
        Whether a node stays split where the leaf would cost just as much. Of the pruned trees that do best
        the largest is kept then.

    References
    ----------
    Quinlan (1987), Simplifying decision trees. Zhou (2016), Machine Learning, section 4.3.2, is strict.

    Examples
    --------
    >>> ReducedError()
    ReducedError(tolerance=0.0, strict=False)
    """

    word = "reduced-error"
    options = ("strict",)
    rows = "held out"
    of_whole_splits = True

    tolerance: NonNegative = 0.0
    strict: bool = False


@dataclass(frozen=True, slots=True)
class PrePruning(Pruner):
    """Keep a split only if it lowers the cost on rows that were held out of growing, from the root down.

    A split is judged with its branches as leaves, as if the tree were still growing: one that pays only
    together with splits below it is not made. The cost is that of `ReducedError`.

    References
    ----------
    Zhou (2016), Machine Learning, section 4.3.1.

    Examples
    --------
    >>> PrePruning()
    PrePruning()
    """

    word = "pre-pruning"
    rows = "held out"
    of_whole_splits = True


@dataclass(frozen=True, slots=True)
class HeldOutFold(Pruner):
    """Hold one fold of the rows out of growing, and prune by it.

    Rows are sorted by class and assigned to the folds in turn, which keeps the proportions of the classes.
    The last fold is held out. Nothing is drawn at random, but which rows these are depends on their order in
    the table.

    Parameters
    ----------
    n_folds : int
        One row in this many is held out.
    pruner : ReducedError
        How to prune by them.

    Examples
    --------
    >>> HeldOutFold(n_folds=5)
    HeldOutFold(n_folds=5, pruner=ReducedError(tolerance=0.0, strict=False))
    """

    suits = ("classes",)

    n_folds: TwoOrMore = 3
    pruner: ReducedError = field(default_factory=ReducedError)


@dataclass(frozen=True, slots=True)
class Pessimistic(Pruner):
    """Turn a node into a leaf unless its subtree makes clearly fewer errors on the training rows.

    Every leaf counts half an error more, and clearly fewer means fewer by a standard error of the count. Rows
    count with their weights.

    Parameters
    ----------
    standard_errors : float
        How many standard errors; more of them prune more.

    References
    ----------
    Quinlan (1987), Simplifying decision trees, section 2.3.

    Examples
    --------
    >>> Pessimistic()
    Pessimistic(standard_errors=1.0)
    """

    word = "pessimistic"
    options = ("standard_errors",)
    suits = ("classes",)
    of_whole_splits = True

    standard_errors: NonNegative = 1.0


@dataclass(frozen=True, slots=True)
class MinimumError(Pruner):
    """Turn a node into a leaf where that adds no expected errors, given prior probabilities.

    Parameters
    ----------
    m : float, optional
        How many rows the class proportions at the root count as, against the rows of a leaf; larger values
        prune more. None: all classes are equally likely a priori, and count as many rows as there are
        classes.

    References
    ----------
    Niblett, Bratko (1986), Learning decision rules in noisy domains. Cestnik, Bratko (1991), On estimating
    probabilities in tree pruning.

    Examples
    --------
    >>> MinimumError(m=2.0)
    MinimumError(m=2.0)
    """

    word = "minimum-error"
    options = ("m",)
    suits = ("classes",)
    of_whole_splits = True

    m: NonNegative | None = None


@dataclass(frozen=True, slots=True)
class InTurn(Pruner):
    """Apply several pruners, each to the tree that the one before it left."""

    pruners: tuple[Pruner, ...]


PRUNERS: tuple[type[Pruner], ...] = kinds_of(Pruner, vars())
METHODS: dict[str, type[Pruner]] = {kind.word: kind for kind in PRUNERS if kind.word}
