"""Scores and impurities from their formulas, so exact that true ties are ties and nothing else is.

Fractions where the formula is rational. Entropy is compared as a product of powers. What is left, the gain
ratio and the Poisson deviance, is computed to 60 digits and rounded to 40 behind the point: numbers that
differ by less are taken for equal.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

OF_CLASSES = ("gini", "entropy", "misclassification", "taylor_entropy", "twoing", "gain_ratio")
OF_NUMBERS = ("squared_error", "poisson", "absolute_error")
PREFER_EVEN_SIDES = ("misclassification",)  # of cuts of a column that are worth the same


@dataclass(frozen=True)
class Side:
    """What a set of rows amounts to: everything any criterion asks for, as whole numbers."""

    rows: int
    weight: int
    classes: tuple[int, ...] = ()  # weight of each class
    total: int = 0  # sum of w y
    squares: int = 0  # sum of w y y
    logs: Fraction = Fraction(0)  # sum of w y ln y, to 60 digits; only where y >= 0
    numbers: Counter[int] = field(default_factory=Counter)  # weight of each y, where medians are asked

    def __add__(self, other: "Side") -> "Side":
        return Side(
            self.rows + other.rows,
            self.weight + other.weight,
            tuple(a + b for a, b in zip(self.classes, other.classes, strict=True)),
            self.total + other.total,
            self.squares + other.squares,
            self.logs + other.logs,
            self.numbers + other.numbers,
        )

    def __sub__(self, other: "Side") -> "Side":
        return Side(
            self.rows - other.rows,
            self.weight - other.weight,
            tuple(a - b for a, b in zip(self.classes, other.classes, strict=True)),
            self.total - other.total,
            self.squares - other.squares,
            self.logs - other.logs,
            self.numbers - other.numbers,
        )


@lru_cache(maxsize=100_000)
def power(x: int) -> int:
    """Give x to the power x, with 0 to the power 0 being 1."""
    return x**x


@lru_cache(maxsize=100_000)
def ln(x: int) -> Fraction:
    """Give the natural logarithm of a whole number to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return Fraction(Decimal(x).ln())


def x_ln_x(x: int) -> Fraction:
    """Give x ln x, and 0 for x = 0."""
    return x * ln(x) if x else Fraction(0)


def rounded(number: Fraction) -> Fraction:
    """Round to 40 digits behind the point."""
    return round(number, 40)


def score(criterion: str, sides: Iterable[Side]) -> Fraction:
    """Score sides exactly; the higher, the better. Only sides of the same rows may be compared."""
    sides = list(sides)
    if criterion == "twoing":
        return twoing(*sides)
    if criterion == "gain_ratio":
        return rounded(information_gain(*sides) / split_information(*sides))
    if criterion == "entropy":
        numerator = math.prod(power(k) for side in sides for k in side.classes)
        return Fraction(numerator, math.prod(power(side.weight) for side in sides))
    if criterion == "poisson":
        return rounded(
            sum((x_ln_x(side.total) - side.total * ln(side.weight) for side in sides), Fraction(0))
        )
    return sum((purity(criterion, side) for side in sides), Fraction(0))


def purity(criterion: str, side: Side) -> Fraction:
    """Give a constant minus weight times impurity, where that is a fraction."""
    if criterion == "squared_error":
        return Fraction(side.total * side.total, side.weight)
    if criterion == "gini":
        return Fraction(sum(k * k for k in side.classes), side.weight)
    return side.weight * (1 - impurity(criterion, side))


def twoing(left: Side, right: Side) -> Fraction:
    """p_L p_R / 4 times the square of the summed distances between the class shares of the sides."""
    weight = left.weight + right.weight
    apart = sum(
        abs(Fraction(a, left.weight) - Fraction(b, right.weight))
        for a, b in zip(left.classes, right.classes, strict=True)
    )
    return Fraction(left.weight * right.weight, 4 * weight * weight) * apart**2


def information_gain(left: Side, right: Side) -> Fraction:
    """Entropy of both sides together less their mean entropy, in nats, times weight."""
    both = left + right
    return both.weight * nats(both) - left.weight * nats(left) - right.weight * nats(right)


def split_information(left: Side, right: Side) -> Fraction:
    """Entropy of the branches, in nats, times weight."""
    return x_ln_x(left.weight + right.weight) - x_ln_x(left.weight) - x_ln_x(right.weight)


def nats(side: Side) -> Fraction:
    """Entropy of the classes, in nats."""
    return (x_ln_x(side.weight) - sum(map(x_ln_x, side.classes))) / side.weight


def impurity(criterion: str, side: Side) -> Fraction:
    """Give the impurity of a side; 0 exactly where it is 0."""
    return class_impurity(criterion, side) if side.classes else number_impurity(criterion, side)


def class_impurity(criterion: str, side: Side) -> Fraction:
    """Give the impurity of classes; twoing shows Gini, gain ratio entropy, which is in bits."""
    if max(side.classes) == side.weight:
        return Fraction(0)
    shares = [Fraction(k, side.weight) for k in side.classes]
    match criterion:
        case "entropy" | "gain_ratio":
            return nats(side) / ln(2)
        case "misclassification":
            return 1 - max(shares)
        case "taylor_entropy":
            return sum((p * ((1 - p) + (1 - p) ** 2 / 2) for p in shares), Fraction(0))
    return 1 - sum(p * p for p in shares)


def number_impurity(criterion: str, side: Side) -> Fraction:
    """Give half the mean Poisson deviance, the mean distance from the median or the variance."""
    if criterion == "poisson":
        of_mean = x_ln_x(side.total) - side.total * ln(side.weight)
        return rounded((side.logs - of_mean) / side.weight)
    if criterion == "absolute_error":
        return absolute_deviations(side) / side.weight
    return Fraction(side.squares, side.weight) - Fraction(side.total, side.weight) ** 2


def median(side: Side) -> Fraction:
    """Give the middle target; where exactly half the weight lies at or below one, halfway to the next."""
    targets = sorted(side.numbers)
    below = list(accumulate(side.numbers[target] for target in targets))
    i = next(i for i, weight in enumerate(below) if 2 * weight >= side.weight)
    return Fraction(targets[i] + targets[i + (2 * below[i] == side.weight)], 2)


def absolute_deviations(side: Side) -> Fraction:
    """Give the weighted sum of the distances from the median."""
    middle = median(side)
    return sum((weight * abs(target - middle) for target, weight in side.numbers.items()), Fraction(0))


def gain(criterion: str, left: Side, right: Side) -> Fraction:
    """Give how much weighted impurity a split removes; of twoing, its value times weight."""
    both = left + right
    if criterion == "twoing":
        return both.weight * twoing(left, right)
    return (
        both.weight * impurity(criterion, both)
        - left.weight * impurity(criterion, left)
        - right.weight * impurity(criterion, right)
    )
