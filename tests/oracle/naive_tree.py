"""A decision tree grown the slow way: every cut of every column, scored in exact arithmetic.

Written from the formulas and nothing else. Weights and targets are floats, and every float is a rational
number, so sums, scores and comparisons here are exact: two candidates tie here if and only if they truly tie.
Entropy is compared exactly too: maximising ``sum x log x`` is maximising the product of ``x**x``, a whole
number when the weights are whole (or have been multiplied by their common denominator, which changes no
comparison). The formulas are in `exact_scores`.

The rules, in the order in which they are applied:

* rows of weight 0 are absent;
* a node is a leaf at ``max_depth``, below ``min_samples_split`` or ``2 * min_samples_leaf`` rows, below twice
  the least weight of a leaf, when its targets are all equal, or when its impurity is at most
  ``min_impurity``;
* cuts lie between neighbouring distinct known values of the node, at the midpoint; ``x <= cut`` goes left;
* where the column has missing rows in the node, each cut is tried with them right and with them left, and
  last comes "every known row left, every missing row right" (cut = inf);
* by Poisson deviance no child may be without a positive target;
* the highest score wins; ties go to the lowest column, then (by misclassification alone) to the cut whose
  sides differ least in weight, then the lowest cut, then missing to the right;
* a split of no gain is taken, one below ``min_impurity_decrease`` is not;
* the value of a set of rows is the mean (by absolute error the median), or the share of class 1 of two. A
  split on a column of ``monotonic_cst`` 1 (-1) needs a value of the left side that is not above (below) that
  of the right one, and both within the bounds of the node; the bounds of its children meet half-way between
  the two. All other splits, "is there a value?" among them, are free and hand the bounds on. What a node
  answers is its value, put within its bounds.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from oracle import exact_scores
from oracle.exact_scores import OF_CLASSES, PREFER_EVEN_SIDES, Side, median, score, x_ln_x

EPSILON = Fraction(np.finfo(float).eps)  # scikit-learn's slack in the comparison with min_impurity_decrease
CLOSE = Fraction(1, 10**12)


@dataclass(frozen=True)
class Rules:
    """What decides the tree, in scikit-learn's words."""

    criterion: str = "gini"
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    max_leaf_nodes: int | None = None
    min_impurity_decrease: float = 0.0
    min_impurity: float = 0.0
    growth: str = "depth"
    leaf_value: str | None = None
    monotonic_cst: tuple[int, ...] | None = None

    @property
    def answers_median(self) -> bool:
        """Say whether a node's value is the median of its targets."""
        return (self.leaf_value or ("median" if self.criterion == "absolute_error" else "mean")) == "median"


@dataclass(frozen=True)
class Bounds:
    """The range of what a node may answer; None where there is no end."""

    low: Fraction | None = None
    high: Fraction | None = None

    def hold(self, value: Fraction) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def clip(self, value: Fraction) -> Fraction:
        if self.hold(value):
            return value
        return self.low if self.low is not None and value < self.low else self.high

    def parted(self, direction: int, left: Fraction, right: Fraction) -> tuple["Bounds", "Bounds"]:
        """Give the bounds of both children of a split in this direction."""
        middle = (left + right) / 2
        parts = replace(self, high=middle), replace(self, low=middle)
        return parts if direction > 0 else parts[::-1]


FREE = Bounds()


@dataclass(frozen=True)
class Split:
    """The test chosen at a node and what it is worth."""

    column: int
    cut: float
    missing_left: bool
    goodness: Fraction  # what candidates of one node compete on
    worth: Fraction  # what nodes compete on: rises with the weighted impurity decrease

    def left(self, value: float) -> bool:
        return self.missing_left if math.isnan(value) else value <= self.cut


@dataclass
class Node:
    """A node of the finished tree; `left` and `right` are numbers in pre-order."""

    rows: list[int]
    depth: int
    side: Side
    weight: Fraction
    value: tuple[Fraction, ...]  # weight of each class, or the mean or the median
    impurity: Fraction
    split: Split | None = None
    gain: Fraction = Fraction(0)
    left: int = -1
    right: int = -1
    bounds: Bounds = FREE

    @property
    def is_leaf(self) -> bool:
        return self.left < 0


def midpoint(low: float, high: float) -> float:
    """Give the cut between two neighbouring values."""
    cut = low / 2 + high / 2
    return low if cut == high else cut


def whole(numbers: Iterable[float]) -> tuple[list[int], int]:
    """Write floats as whole numbers over their least common denominator."""
    fractions = [Fraction(float(number)) for number in numbers]
    scale = math.lcm(*(fraction.denominator for fraction in fractions))
    return [int(fraction * scale) for fraction in fractions], scale


class NaiveTree:
    """The table, the rules, and the nodes in pre-order once `grow` has been called.

    `y` holds class numbers 0, 1, ... where the criterion is one of classes, else floats.
    """

    def __init__(self, X, y, rules: Rules, weights=None):
        self.rules = rules
        self.columns = [[float(value) for value in column] for column in np.asarray(X, dtype=float).T]
        n_rows = len(y)
        self.weights, self.weight_scale = whole([1.0] * n_rows if weights is None else weights)
        divisor = math.gcd(*self.weights)
        self.weights = [weight // divisor for weight in self.weights]
        self.weight_scale = Fraction(self.weight_scale, divisor)
        self.is_classification = rules.criterion in OF_CLASSES
        if self.is_classification:
            self.n_classes = int(max(y)) + 1
            self.targets, self.target_scale = [int(code) for code in y], 1
        else:
            self.targets, self.target_scale = whole(y)
        # Impurities of targets multiplied by the scale are those of the targets times this.
        self.unit = Fraction(self.target_scale) ** (2 if rules.criterion == "squared_error" else 1)
        self.rows = [row for row in range(n_rows) if self.weights[row] > 0]
        self.total_weight = sum(self.weights)
        self.least_weight = Fraction(rules.min_weight_fraction_leaf) * self.total_weight
        self.nodes: list[Node] = []
        self.close_calls = 0  # comparisons with a limit that floats could not be asked to decide

    def side(self, rows: Iterable[int]) -> Side:
        """Add rows up."""
        rows = list(rows)
        weight = sum(self.weights[row] for row in rows)
        if self.is_classification:
            classes = [0] * self.n_classes
            for row in rows:
                classes[self.targets[row]] += self.weights[row]
            return Side(len(rows), weight, tuple(classes))
        total = sum(self.weights[row] * self.targets[row] for row in rows)
        squares = sum(self.weights[row] * self.targets[row] ** 2 for row in rows)
        logs = Fraction(0)
        if self.rules.criterion == "poisson":
            logs = sum((self.weights[row] * x_ln_x(self.targets[row]) for row in rows), logs)
        numbers: Counter[int] = Counter()
        if self.rules.answers_median or self.rules.criterion == "absolute_error":
            for row in rows:
                numbers[self.targets[row]] += self.weights[row]
        return Side(len(rows), weight, (), total, squares, logs, numbers)

    def node(self, rows: list[int], depth: int, bounds: Bounds = FREE) -> Node:
        """Describe a node; its split is not looked for yet."""
        side = self.side(rows)
        if bounds != FREE:
            clipped = bounds.clip(self.value(side))
            shares = (1 - clipped, clipped)
            weight = side.weight / self.weight_scale
            value = tuple(share * weight for share in shares) if self.is_classification else (clipped,)
        elif self.is_classification:
            value = tuple(k / self.weight_scale for k in side.classes)
        elif self.rules.answers_median:
            value = (median(side) / self.target_scale,)
        else:
            value = (Fraction(side.total, side.weight * self.target_scale),)
        return Node(
            rows, depth, side, side.weight / self.weight_scale, value, self.impurity(side), bounds=bounds
        )

    def value(self, side: Side) -> Fraction:
        """Give what monotone columns keep in order."""
        if self.is_classification:
            return Fraction(side.classes[1], side.weight)
        if self.rules.criterion == "absolute_error":
            return median(side) / self.target_scale
        return Fraction(side.total, side.weight * self.target_scale)

    def direction(self, column: int, cut: float) -> int:
        """Say whether answers must rise (1) or fall (-1) across a cut."""
        asked = self.rules.monotonic_cst
        return 0 if asked is None or cut == math.inf else asked[column]

    def is_in_order(self, column: int, cut: float, left: Side, right: Side, bounds: Bounds) -> bool:
        """Say whether a split keeps to the order asked of its column."""
        direction = self.direction(column, cut)
        if direction == 0:
            return True
        low, high = self.value(left), self.value(right)
        return direction * (high - low) >= 0 and bounds.hold(low) and bounds.hold(high)

    def impurity(self, side: Side) -> Fraction:
        return exact_scores.impurity(self.rules.criterion, side) / self.unit

    def may_be(self, side: Side) -> bool:
        """Say whether a child may look like this."""
        if self.rules.criterion == "poisson" and side.total == 0:
            return False
        return side.rows >= self.rules.min_samples_leaf and side.weight >= self.least_weight

    def arrangements(self, column: int, rows: list[int]) -> Iterator[tuple[float, bool, Side, Side]]:
        """List (cut, missing left?, left side, right side) of a column, in the order that breaks ties."""
        values = self.columns[column]
        missing = self.side(row for row in rows if math.isnan(values[row]))
        known = sorted({values[row] for row in rows if not math.isnan(values[row])})
        groups = [self.side(row for row in rows if values[row] == value) for value in known]
        everything = self.side(row for row in rows if not math.isnan(values[row]))
        left = None
        for i in range(len(known) - 1):
            left = groups[i] if left is None else left + groups[i]
            right = everything - left
            cut = midpoint(known[i], known[i + 1])
            if missing.rows == 0:
                yield cut, left.rows > right.rows, left, right
            else:
                yield cut, False, left, right + missing
                yield cut, True, left + missing, right
        if known and missing.rows:
            yield math.inf, False, everything, missing

    def candidates(
        self, rows: list[int], bounds: Bounds = FREE
    ) -> Iterator[tuple[int, float, bool, Side, Side]]:
        """List the admissible candidates of a node: column, cut, missing left?, and the two sides."""
        for column in range(len(self.columns)):
            for cut, missing_left, left, right in self.arrangements(column, rows):
                if not (self.may_be(left) and self.may_be(right)):
                    continue
                if self.is_in_order(column, cut, left, right, bounds):
                    yield column, cut, missing_left, left, right

    def is_final(self, node: Node) -> bool:
        """Say whether a limit makes the node a leaf before any cut is looked at."""
        rules = self.rules
        return (
            (rules.max_depth is not None and node.depth >= rules.max_depth)
            or len(node.rows) < rules.min_samples_split
            or len(node.rows) < 2 * rules.min_samples_leaf
            or node.side.weight < 2 * self.least_weight
            or len({self.targets[row] for row in node.rows}) == 1
            or self.is_at_most(node.impurity, rules.min_impurity)
        )

    def is_at_most(self, number: Fraction, limit: float) -> bool:
        """Compare with a limit, and note where a float of the number could fall on the other side."""
        self.close_calls += limit != 0 and abs(number - Fraction(limit)) < CLOSE
        return number <= Fraction(limit)

    def best_of(self, candidates: Iterable[tuple]) -> tuple | None:
        """Choose among candidates in the order that breaks ties; None where there are none."""
        scored = [(score(self.rules.criterion, each[3:]), *each) for each in candidates]
        # `max` and `min` give the first of equals.
        best = max(scored, key=lambda each: each[0], default=None)
        if best is None or self.rules.criterion not in PREFER_EVEN_SIDES:
            return best
        equals = [each for each in scored if each[:2] == best[:2]]
        return min(equals, key=lambda each: abs(each[4].weight - each[5].weight))

    def best_split(self, node: Node) -> Split | None:
        """Find the split of a node, or None where it stays a leaf."""
        if self.is_final(node):
            return None
        best = self.best_of(self.candidates(node.rows, node.bounds))
        if best is None:
            return None
        goodness, column, cut, missing_left, left, right = best
        node.gain = self.gain(left, right)
        least = self.rules.min_impurity_decrease
        self.close_calls += least != 0 and abs(node.gain - Fraction(least)) < CLOSE
        if node.gain + EPSILON < Fraction(least):
            node.gain = Fraction(0)
            return None
        return Split(column, cut, missing_left, goodness, self.worth(goodness, node))

    def worth(self, goodness: Fraction, node: Node) -> Fraction:
        """Give what nodes compete on: the gain, or where that has logarithms what rises with it exactly."""
        if self.rules.criterion == "entropy":
            return goodness / score("entropy", (node.side,))
        return exact_scores.rounded(node.gain)

    def gain(self, left: Side, right: Side) -> Fraction:
        """Give node weight / total weight times the impurity decrease."""
        return exact_scores.gain(self.rules.criterion, left, right) / self.unit / self.total_weight

    def children(self, node: Node) -> tuple[Node, Node]:
        """Send the rows of a node down its split."""
        assert node.split is not None
        values = self.columns[node.split.column]
        left = [row for row in node.rows if node.split.left(values[row])]
        right = [row for row in node.rows if not node.split.left(values[row])]
        bounds = node.bounds, node.bounds
        direction = self.direction(node.split.column, node.split.cut)
        if direction != 0:
            bounds = node.bounds.parted(direction, self.value(self.side(left)), self.value(self.side(right)))
        return self.node(left, node.depth + 1, bounds[0]), self.node(right, node.depth + 1, bounds[1])

    def grow(self) -> "NaiveTree":
        """Grow the whole tree, without regard to `max_leaf_nodes`, numbered in pre-order."""

        def visit(node: Node) -> int:
            number = len(self.nodes)
            self.nodes.append(node)
            node.split = self.best_split(node)
            if node.split is not None:
                left, right = self.children(node)
                node.left = visit(left)
                node.right = visit(right)
            return number

        self.nodes = []
        visit(self.node(self.rows, 0))
        return self

    def best_first(self) -> list[set[int]]:
        """List every set of inner nodes that best-first growth may end with.

        The leaf of greatest worth is opened next. Where several are worth exactly the same, each is followed:
        the first set is the one reached by always taking the first in pre-order, which is the library's rule.
        """
        budget = self.rules.max_leaf_nodes
        ends: dict[frozenset[int], None] = {frozenset(): None}
        for _ in range(len(self.nodes) if budget is None else budget - 1):
            reached: dict[frozenset[int], None] = {}
            for opened in ends:
                frontier = list(self.open_nodes(opened))
                best = max((self.nodes[i].split.worth for i in frontier), default=None)
                for i in frontier:
                    if self.nodes[i].split.worth == best:
                        reached[opened | {i}] = None
                if not frontier:
                    reached[opened] = None
            if reached == ends:
                break
            ends = reached
        return [set(opened) for opened in ends]

    def open_nodes(self, opened: frozenset[int]) -> Iterator[int]:
        """List the nodes that could be split next, in pre-order, when `opened` have been."""
        for i, parent in enumerate(self.parents()):
            if i not in opened and (parent < 0 or parent in opened) and self.nodes[i].split is not None:
                yield i

    def breadth_first(self) -> set[int]:
        """Give the inner nodes opened level by level, left to right, while the budget of leaves lasts."""
        inner = [i for i, node in enumerate(self.nodes) if not node.is_leaf]
        inner.sort(key=lambda i: (self.nodes[i].depth, i))
        budget = self.rules.max_leaf_nodes
        return set(inner if budget is None else inner[: budget - 1])

    def parents(self) -> list[int]:
        """Give the parent of each node, -1 for the root."""
        parents = [-1] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            if not node.is_leaf:
                parents[node.left] = parents[node.right] = i
        return parents


def keep(nodes: list[Node], inner: Iterable[int]) -> list[Node]:
    """Copy a tree with only `inner` as inner nodes, numbered in pre-order."""
    inner = set(inner)
    kept: list[Node] = []

    def visit(i: int) -> int:
        old = nodes[i]
        new = Node(old.rows, old.depth, old.side, old.weight, old.value, old.impurity)
        number = len(kept)
        kept.append(new)
        if i in inner:
            new.split, new.gain = old.split, old.gain
            new.left = visit(old.left)
            new.right = visit(old.right)
        return number

    visit(0)
    return kept


def grow(X, y, rules: Rules, weights=None) -> list[Node]:
    """Grow a tree by the rules. Best first, a tie between nodes goes to the first in pre-order."""
    return acceptable_trees(X, y, rules, weights)[0]


def acceptable_trees(X, y, rules: Rules, weights=None) -> list[list[Node]]:
    """List the trees the rules allow: one, or several where best-first growth meets nodes of equal worth."""
    tree = NaiveTree(X, y, rules, weights).grow()
    if rules.growth == "breadth":
        return [keep(tree.nodes, tree.breadth_first())]
    if rules.max_leaf_nodes is not None:
        return [keep(tree.nodes, inner) for inner in tree.best_first()]
    return [tree.nodes]


def apply(nodes: list[Node], X) -> list[int]:
    """Give the leaf of every row."""
    leaves = []
    for row in np.asarray(X, dtype=float).tolist():
        i = 0
        while not nodes[i].is_leaf:
            i = nodes[i].left if nodes[i].split.left(row[nodes[i].split.column]) else nodes[i].right
        leaves.append(i)
    return leaves
