"""Scores of splits from the formulas, on numpy arrays: quick enough for fifty thousand rows, blind to ties.

It does not choose. It says what a given test is worth on given rows and what the best test would be worth,
and so whether a stored test is as good as any (a replay) and whether two trees that differ were allowed to (a
tie).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import xlog1py

from oracle import absolute_error
from oracle.exact_scores import OF_NUMBERS
from oracle.plain_tree import Test


@dataclass(frozen=True)
class Bounds:
    """The range of what a node may answer."""

    low: float = -np.inf
    high: float = np.inf


FREE = Bounds()
VALUE_SLACK = 1e-12  # of a value: rounding moves it less


@dataclass(frozen=True)
class Best:
    """The best of a node: how much weighted impurity it removes, in how many ways."""

    decrease: float  # -inf where no cut is admissible
    tests: int  # how many tests reach it
    partitions: int  # how many partitions of the rows do; mirrored ones are one


def deviance(u: np.ndarray) -> np.ndarray:
    """Give half the Poisson deviance of 1 + u from 1: (1 + u) ln(1 + u) - u."""
    return xlog1py(1 + u, u) - u


class Scorer:
    """A table ready to be scored.

    Parameters
    ----------
    X, y, weights : arrays
        `y` holds class numbers where the criterion is gini or entropy, else floats. Rows of weight 0 are left
        out.
    criterion : {"gini", "entropy", "squared_error", "absolute_error", "poisson"}
        By Poisson deviance no side may be without a positive target.
    min_rows_leaf, min_weight_leaf : number
        A cut needs as much on either side.
    tolerance : float
        Scores closer than this, relative to the weighted impurity of the node, are equal.
    directions : sequence of int, optional
        1 or -1 for columns whose cuts need values (mean, median, share of class 1) of their sides in this
        order, within the bounds of the node.
    """

    def __init__(
        self,
        X,
        y,
        weights=None,
        *,
        criterion,
        min_rows_leaf=1,
        min_weight_leaf=0.0,
        tolerance=1e-9,
        directions=None,
    ):
        self.X = np.asarray(X, dtype=float)
        self.weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
        self.rows = np.flatnonzero(self.weights > 0)
        self.total_weight = self.weights.sum()
        self.y = np.asarray(y)
        self.criterion = criterion
        self.is_classification = criterion not in OF_NUMBERS
        self.n_classes = int(self.y.max()) + 1 if self.is_classification else 0
        self.min_rows_leaf = min_rows_leaf
        self.min_weight_leaf = min_weight_leaf
        self.tolerance = tolerance
        self.directions = [0] * self.X.shape[1] if directions is None else list(directions)

    def sums(self, rows: np.ndarray, centre: float = 0.0) -> np.ndarray:
        """Give per row what is added up: weight of each class, or (w, w (y - centre)) and more."""
        w = self.weights[rows]
        if self.is_classification:
            table = np.zeros((len(rows), self.n_classes))
            table[np.arange(len(rows)), self.y[rows]] = w
            return table
        y = self.y[rows]
        of_poisson = [w * centre, w * (y > 0)] if self.criterion == "poisson" else []
        return np.column_stack([w, w * (y - centre), *of_poisson])

    def purity(self, sums: np.ndarray) -> np.ndarray:
        """Give what is to be maximised for sides with these sums: a constant minus weight times impurity."""
        if self.criterion == "squared_error":
            return sums[..., 1] ** 2 / sums[..., 0]
        if self.criterion == "poisson":
            return sums[..., 2] * deviance(sums[..., 1] / sums[..., 2])
        weight = sums.sum(-1)
        if self.criterion == "gini":
            return (sums**2).sum(-1) / weight
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(sums > 0, sums * np.log2(sums / weight[..., None]), 0).sum(-1)

    def weigh(self, sums: np.ndarray) -> np.ndarray:
        """Give the weight of sides with these sums."""
        return sums.sum(-1) if self.is_classification else sums[..., 0]

    def centre(self, rows: np.ndarray) -> float:
        """Give the mean target, to subtract before anything is squared or put in a logarithm."""
        return 0.0 if self.is_classification else float(np.average(self.y[rows], weights=self.weights[rows]))

    def is_pure(self, rows: np.ndarray) -> bool:
        """Say whether all targets are equal."""
        return bool((self.y[rows] == self.y[rows[0]]).all())

    def weight(self, rows: np.ndarray) -> float:
        return float(self.weights[rows].sum())

    def loss(self, rows: np.ndarray) -> float:
        """Give weight times impurity."""
        if self.is_pure(rows):
            return 0.0
        if self.is_classification:
            total = self.sums(rows).sum(0)
            whole = total.sum() if self.criterion == "gini" else 0.0
            return float(whole - self.purity(total))
        if self.criterion == "absolute_error":
            return absolute_error.loss(self.y[rows], self.weights[rows])
        mean = self.centre(rows)
        deviation = self.y[rows] - mean
        if self.criterion == "poisson":
            return float((self.weights[rows] * mean * deviance(deviation / mean)).sum())
        return float((self.weights[rows] * deviation**2).sum())

    def value(self, rows: np.ndarray) -> float:
        """Give what monotone columns keep in order."""
        if self.is_classification:
            return float(np.average(self.y[rows] == 1, weights=self.weights[rows]))
        if self.criterion == "absolute_error":
            return absolute_error.median(self.y[rows], self.weights[rows])
        return self.centre(rows)

    def bounds_of_children(self, rows: np.ndarray, test: Test, bounds: Bounds) -> tuple[Bounds, Bounds]:
        """Give the bounds of both children of a node."""
        direction = 0 if test.cut == np.inf else self.directions[test.column]
        if direction == 0:
            return bounds, bounds
        left = test.left(self.X[rows, test.column])
        middle = (self.value(rows[left]) + self.value(rows[~left])) / 2
        parts = Bounds(bounds.low, middle), Bounds(middle, bounds.high)
        return parts if direction > 0 else parts[::-1]

    def is_in_order(self, rows, left, direction: int, bounds: Bounds, slack: float) -> bool:
        """Say whether a cut keeps to its direction and to the bounds; with `slack`, whether it nearly does.

        Values on a bound, or equal ones, are in order, but rounding may say otherwise. So what a grower did
        is judged with some slack, and what it should have done with as much less.
        """
        low, high = self.value(rows[left]), self.value(rows[~left])
        slack *= max(abs(low), abs(high))
        return (
            direction * (high - low) >= -slack
            and min(low, high) >= bounds.low - slack
            and max(low, high) <= bounds.high + slack
        )

    def decrease(self, rows: np.ndarray, test: Test, bounds: Bounds = FREE) -> float:
        """Give how much weighted impurity a test removes; -inf where a limit forbids it."""
        left = test.left(self.X[rows, test.column])
        sides = rows[left], rows[~left]
        if min(len(side) for side in sides) < max(self.min_rows_leaf, 1):
            return -np.inf
        if min(self.weight(side) for side in sides) < self.min_weight_leaf:
            return -np.inf
        if self.criterion == "poisson" and not all(self.y[side].any() for side in sides):
            return -np.inf
        direction = 0 if test.cut == np.inf else self.directions[test.column]
        if direction and not self.is_in_order(rows, left, direction, bounds, VALUE_SLACK):
            return -np.inf
        return self.loss(rows) - self.loss(sides[0]) - self.loss(sides[1])

    def scale(self, rows: np.ndarray) -> float:
        """Give the size of a difference that counts as none."""
        return self.tolerance * self.loss(rows)

    def arrangements(self, column: int, rows: np.ndarray, sums: np.ndarray) -> "Arrangements | None":
        """Add up both sides of every arrangement of one column; None where no value is known."""
        values = self.X[rows, column]
        missing = np.isnan(values)
        known = np.flatnonzero(~missing)
        if len(known) == 0:
            return None
        order = known[np.argsort(values[known], kind="stable")]
        below = np.cumsum(sums[order], axis=0)
        last_left = np.flatnonzero(np.diff(values[order]) > 0)
        parts = [(last_left, False)]
        if missing.any():
            parts += [(last_left, True), (np.array([len(order) - 1]), False)]
        gap = sums[missing].sum(0)
        left = np.concatenate([below[last] + gap * gap_left for last, gap_left in parts])
        n_left = np.concatenate([last + 1 + missing.sum() * gap_left for last, gap_left in parts])
        return Arrangements(
            left=left,
            right=below[-1] + gap - left,
            n_left=n_left,
            n_right=len(rows) - n_left,
            last_left=np.concatenate([last for last, _ in parts]),
            gap_left=np.concatenate([np.full(len(last), gap_left) for last, gap_left in parts]),
            order=order,
            missing=missing,
        )

    def purities(self, tried: "Arrangements", rows: np.ndarray) -> np.ndarray:
        """Give the purity of every arrangement, -inf for those a limit forbids."""
        least = max(self.min_rows_leaf, 1)
        allowed = (tried.n_left >= least) & (tried.n_right >= least)
        # Sums in another order round differently: a side that weighs the minimum does so within rounding.
        least_weight = self.min_weight_leaf * (1 - 1e-12)
        allowed &= (self.weigh(tried.left) >= least_weight) & (self.weigh(tried.right) >= least_weight)
        if self.criterion == "poisson":
            allowed &= (tried.left[:, 3] > 0) & (tried.right[:, 3] > 0)
        scores = np.full(len(allowed), -np.inf)
        if self.criterion == "absolute_error":
            ways = tried.order, tried.missing, tried.last_left, tried.gap_left
            losses = absolute_error.losses_of_sides(self.y[rows], self.weights[rows], *ways)
            scores[allowed] = -losses[allowed]
        else:
            scores[allowed] = self.purity(tried.left[allowed]) + self.purity(tried.right[allowed])
        return scores

    def keep_in_order(self, column: int, tried: "Arrangements", scores, rows, bounds: Bounds) -> None:
        """Forbid the arrangements of a column that are out of order and better than the best in order.

        Those that are worse do not matter, and values are not quick to find.
        """
        direction = self.directions[column]
        if direction == 0:
            return
        for i in np.argsort(-scores, kind="stable"):
            if scores[i] == -np.inf or (not tried.gap_left[i] and tried.last_left[i] == len(tried.order) - 1):
                return
            if self.is_in_order(rows, tried.is_left(i), direction, bounds, -VALUE_SLACK):
                return
            scores[i] = -np.inf

    def best(self, rows: np.ndarray, *, count: bool = False, bounds: Bounds = FREE) -> Best:
        """Find the largest decrease of the node; `count` also counts the ways to reach it."""
        assert not (count and any(self.directions)), "ways to reach it are counted where all cuts are free"
        sums = self.sums(rows, self.centre(rows))
        found = []
        for column in range(self.X.shape[1]):
            tried = self.arrangements(column, rows, sums)
            if tried is not None:
                scores = self.purities(tried, rows)
                self.keep_in_order(column, tried, scores, rows, bounds)
                found.append((tried, scores))
        absolute = self.criterion == "absolute_error"
        unparted = -self.loss(rows) if absolute else self.purity(sums.sum(0))
        top = max((scores.max() for _, scores in found if len(scores)), default=-np.inf)
        if not count or top == -np.inf:
            return Best(float(top - unparted), 0, 0)
        near = top - self.scale(rows)
        partitions = [each.partition(i) for each, scores in found for i in np.flatnonzero(scores >= near)]
        return Best(float(top - unparted), len(partitions), len(set(partitions)))


@dataclass(frozen=True)
class Arrangements:
    """Every way in which one column can part the rows of a node."""

    left: np.ndarray  # sums of either side, a row an arrangement
    right: np.ndarray
    n_left: np.ndarray
    n_right: np.ndarray
    last_left: np.ndarray  # position in `order` of the last known row that goes left
    gap_left: np.ndarray
    order: np.ndarray  # known rows by value
    missing: np.ndarray

    def is_left(self, i: int) -> np.ndarray:
        """Say for each row whether it goes left."""
        left = self.missing & self.gap_left[i]
        left[self.order[: self.last_left[i] + 1]] = True
        return left

    def partition(self, i: int) -> bytes:
        """Give the partition of the rows as a key; mirrored partitions are one."""
        left = self.is_left(i)
        return (left if left[0] else ~left).tobytes()
