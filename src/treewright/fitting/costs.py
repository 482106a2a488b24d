"""Priors and losses: how rows are weighted while a tree is grown, and in what its nodes report.

A row of class i and weight w counts w · π̃ᵢ · W / Wᵢ in growing and w · πᵢ · W / Wᵢ in what nodes report. Here
Wᵢ is the weight of class i, W that of all rows, πᵢ the prior, and π̃ᵢ ∝ πᵢ · Σⱼ L(i, j) the altered prior.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress

import numpy as np

from treewright.errors import ParameterError
from treewright.model.records import Float64
from treewright.model.tree import Tree
from treewright.parts import Costs, Limits
from treewright.table.target import CodedClasses

_GREATEST_FACTOR = 2**40  # a whole weight below 8192 times this is exact in a float64


@dataclass(frozen=True, slots=True)
class AlteredPriors:
    """The factors by which the weights of each class are multiplied.

    Parameters
    ----------
    growing : array of float64
        Factor of each class while the tree is grown, before multiplying by `unit`: whole numbers, so that
        equal scores stay equal and a row of weight 2 counts as two rows to the bit.
    unit : float
        Factor that restores the total weight of the rows.
    reported : array of float64
        Factor of each class in the weights that nodes report.
    whole : bool
        Whether all weights given are whole numbers.
    loss : array of float64 or None
        Row: the true class; column: the predicted class.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.4.3.
    """

    growing: Float64
    unit: float
    reported: Float64
    whole: bool
    loss: Float64 | None

    def weights(self, target: CodedClasses, weights: Float64 | None) -> Float64 | None:
        """Return the weights to grow with."""
        if (self.growing == 1.0).all():
            return weights
        of_row: Float64 = self.growing[target.codes]
        return of_row if weights is None else of_row * weights

    def limits(self, limits: Limits) -> Limits:
        """Return the limits to grow with, in units of the weights to grow with."""
        return replace(limits, min_weight_leaf=limits.min_weight_leaf / self.unit)

    def report(self, tree: Tree, has_whole_rows: bool = True) -> Tree:
        """Convert the class weights of a grown tree to those that its nodes report.

        All rows of a class have the same factor, so the rows need not be read again. Whole weights come back
        as whole numbers, which keeps ties of expected losses exact; the weights of a tree with clipped shares
        or fractional rows need not be whole. With two classes, both weightings put the shares of the nodes in
        the same order, so a monotone tree stays monotone.
        """
        given = tree.outcome / self.growing
        if self.whole and has_whole_rows:
            given = np.rint(given)
        found = replace(
            tree,
            outcome=given * self.reported,
            weight=tree.weight * self.unit,
            loss=self.loss,
            ledger=None if tree.ledger is None else tree.ledger.scaled(self.unit),
        )
        if self.loss is not None:
            return found
        # Without a loss the two weightings differ by rounding only; shares must add up to 1.
        return replace(found, weight=np.where(tree.weight > 0, found.outcome_weight, 0.0))


def alter_priors(target: CodedClasses, weights: Float64 | None, costs: Costs) -> AlteredPriors | None:
    """Compute the factors of the classes; None if all are 1.

    Examples
    --------
    >>> target = CodedClasses(np.array([0, 0, 0, 1], dtype=np.int32), np.array(["no", "yes"]))
    >>> altered = alter_priors(target, None, Costs(prior=(0.5, 0.5)))
    >>> altered.weights(target, None) * altered.unit
    array([0.66666667, 0.66666667, 0.66666667, 2.        ])
    """
    if costs.prior is None and costs.loss is None:
        return None
    labels = target.labels.tolist()
    for name, value in (("prior", costs.prior), ("loss", costs.loss)):
        if value is not None and len(value) != len(labels):
            raise ParameterError(
                f"{name} is for {len(value)} classes, and the target has {len(labels)}: {labels}. Give one "
                "entry for each class."
            )
    if weights is None:
        of_class = np.bincount(target.codes, minlength=len(labels)).astype(np.float64)
    else:  # correctly rounded, so that the order of the rows has no effect
        of_class = np.array([math.fsum(weights[target.codes == code]) for code in range(len(labels))])
    total = math.fsum(of_class)
    reported = np.ones(len(labels))
    if costs.prior is not None:
        if not of_class.all():
            absent = int(of_class.argmin())
            raise ParameterError(
                f"prior gives {costs.prior[absent]} to class {labels[absent]!r}, which has no row of "
                "positive weight."
            )
        reported = np.array(costs.prior) * (total / of_class)
    growing, counts = np.ones(len(labels)), of_class > 0
    growing[counts] = _whole_factors(list(compress(_factors(costs, of_class.tolist()), counts)))
    return AlteredPriors(
        growing=growing,
        unit=total / math.fsum(growing * of_class),
        reported=reported,
        whole=weights is None or bool((weights == np.floor(weights)).all()),
        loss=None if costs.loss is None else np.array(costs.loss),
    )


def _factors(costs: Costs, of_class: list[float]) -> list[Fraction]:
    """Return π̃ᵢ · W / Wᵢ of every class, up to a common factor."""
    factors = [Fraction(1) for _ in of_class]
    if costs.prior is not None:
        factors = [_fraction(part) / Fraction(w) for part, w in zip(costs.prior, of_class, strict=True)]
    if costs.altered_by is not None:
        factors = [each * _fraction(cost) for each, cost in zip(factors, costs.altered_by, strict=True)]
    return factors


def _fraction(value: float) -> Fraction:
    """Return the simple fraction that a number stands for, such as 3/10 for 0.3, if there is one."""
    short = Fraction(value).limit_denominator(10**6)
    return short if float(short) == value else Fraction(value)


def _whole_factors(factors: list[Fraction]) -> Float64:
    """Scale factors to the smallest whole numbers in the same proportions, approximately if they are large.

    Examples
    --------
    >>> _whole_factors([Fraction(1, 6), Fraction(5, 2)])
    array([ 1., 15.])
    """
    common = math.lcm(*(each.denominator for each in factors))
    wholes = [int(each * common) for each in factors]
    divisor = math.gcd(*wholes)
    if max(wholes) // divisor <= _GREATEST_FACTOR:
        return np.array([float(each // divisor) for each in wholes])
    greatest = max(wholes)
    return np.array([max(1.0, float(round(Fraction(each, greatest) * _GREATEST_FACTOR))) for each in wholes])
