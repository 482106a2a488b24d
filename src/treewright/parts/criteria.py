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


Criterion: TypeAlias = Gini | Entropy | Variance | AbsoluteError
