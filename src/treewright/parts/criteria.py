"""Criteria say how good the children of a split are."""

from dataclasses import dataclass
from typing import TypeAlias


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

    Few splits lower it at once, so many tie at nothing; then the lowest column and the lowest cut win.

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
    node shows is entropy.

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


OfClasses: TypeAlias = Gini | Entropy | Misclassification | TaylorEntropy | Twoing | GainRatio
OfNumbers: TypeAlias = Variance | AbsoluteError | Poisson
Criterion: TypeAlias = OfClasses | OfNumbers
