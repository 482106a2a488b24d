"""Every question that could be asked at a node, slow and obvious: thresholds, sets of categories, gaps.

Where `naive_tree` grows a tree and compares it node for node, this judges a tree that is there: at each node
the question asked must be as good as the best that can be found by trying all of them. It serves questions
with many equally good forms (sets of categories, branches for gaps).
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from oracle.exact_scores import OF_CLASSES, PREFER_EVEN_SIDES
from oracle.naive_tree import FREE

WITH_LOGS = ("entropy", "gain_ratio", "poisson")  # floats, where all else is exact
TOLERANCE = 1e-9

# Ways with gaps that judge questions by the rows with a value alone; where the others go is no matter then.
BY_KNOWN_ROWS = ("majority", "surrogate")


@dataclass(frozen=True)
class Rows:
    """A training table for judging: columns of numbers (NaN missing) or of labels (None missing)."""

    columns: tuple
    is_category: tuple
    y: tuple
    weights: tuple  # whole numbers, all positive

    def is_missing(self, column, row):
        value = self.columns[column][row]
        return value is None or value != value  # noqa: PLR0124 - NaN


def weighted_impurity(table, rows, criterion):
    """Weight times impurity of a set of rows; of twoing Gini, of the gain ratio entropy."""
    total = sum(table.weights[row] for row in rows)
    if total == 0:
        return Fraction(0)
    if criterion not in OF_CLASSES:
        return deviations(table, rows, total, criterion)
    weights = classes(table, rows).values()
    match criterion:
        case "entropy" | "gain_ratio":
            return x_log_x(total) - math.fsum(map(x_log_x, weights))
        case "misclassification":
            return total - max(weights)
        case "taylor_entropy":
            shares = [Fraction(w, total) for w in weights]
            return total * sum(p * ((1 - p) + (1 - p) ** 2 / 2) for p in shares)
    return total - Fraction(sum(w * w for w in weights), total)


def deviations(table, rows, total, criterion):
    """Distances from the median, squares of those from the mean, half the Poisson deviance: summed."""
    if criterion == "absolute_error":
        # Targets are binary fractions of a few bits, so that floats are exact.
        ys = sorted((table.y[row], table.weights[row]) for row in rows)
        below = itertools.accumulate(w for _, w in ys)
        middle = next(y for (y, _), weight in zip(ys, below, strict=True) if 2 * weight >= total)
        return Fraction(sum(w * abs(y - middle) for y, w in ys))
    ys = [(table.weights[row], Fraction(table.y[row])) for row in rows]
    mean = sum(w * y for w, y in ys) / total
    if criterion == "poisson":
        return math.fsum(w * y * math.log(y / mean) for w, y in ys if y)
    return sum(w * (y - mean) ** 2 for w, y in ys)


def classes(table, rows):
    """Weight of each class among some rows."""
    weights = {}
    for row in rows:
        weights[table.y[row]] = weights.get(table.y[row], 0) + table.weights[row]
    return weights


def x_log_x(x):
    return x * math.log2(x)


def decrease(table, groups, criterion):
    """Weight times decrease of impurity when the rows of all groups are parted into these groups."""
    if criterion == "twoing":
        return twoing(table, *groups)
    together = [row for group in groups for row in group]
    return weighted_impurity(table, together, criterion) - sum(
        weighted_impurity(table, group, criterion) for group in groups
    )


def twoing(table, left, right):
    """Weight times p_L p_R / 4 times the square of the summed distances between the class shares."""
    of_left, of_right = classes(table, left), classes(table, right)
    weight_left, weight_right = sum(of_left.values()), sum(of_right.values())
    apart = sum(
        abs(Fraction(of_left.get(k, 0), weight_left) - Fraction(of_right.get(k, 0), weight_right))
        for k in of_left | of_right
    )
    return Fraction(weight_left * weight_right, 4 * (weight_left + weight_right)) * apart**2


def worth(table, groups, criterion):
    """What questions compete on: the decrease, but for the gain ratio."""
    fall = decrease(table, groups, criterion)
    if criterion != "gain_ratio":
        return fall
    sizes = [sum(table.weights[row] for row in group) for group in groups]
    return fall / (x_log_x(sum(sizes)) - math.fsum(map(x_log_x, sizes)))


def known_parts(table, column, known, kind) -> Iterator[list[list[int]]]:
    """All ways in which a question can part the rows with a value."""
    values = table.columns[column]
    if not table.is_category[column]:
        for cut in sorted({values[row] for row in known})[:-1]:
            yield [[r for r in known if values[r] <= cut], [r for r in known if values[r] > cut]]
        return
    labels = sorted({values[row] for row in known})
    apart = {label: [row for row in known if values[row] == label] for label in labels}
    if kind == "multiway":
        if len(labels) > 1:
            yield list(apart.values())
        return
    sizes = range(1, len(labels) if kind == "subset" else 2)
    for left in itertools.chain.from_iterable(itertools.combinations(labels, size) for size in sizes):
        if len(left) < len(labels):
            yield [
                [row for label in left for row in apart[label]],
                [row for label in labels if label not in left for row in apart[label]],
            ]


def candidates(table, column, rows, kind, missing) -> Iterator[tuple[list[list[int]], list[list[int]]]]:
    """Branches of every question on a column, and the groups by which it is scored."""
    gaps = [row for row in rows if table.is_missing(column, row)]
    known = [row for row in rows if not table.is_missing(column, row)]
    for parts in known_parts(table, column, known, kind):
        if not gaps or missing in BY_KNOWN_ROWS:
            yield parts, parts
        elif missing == "branch":
            yield [*parts, gaps], [*parts, gaps]
        else:
            for at in range(len(parts)):
                joined = [part + gaps if i == at else part for i, part in enumerate(parts)]
                yield joined, joined
    if gaps and known and missing == "learned":
        yield [known, gaps], [known, gaps]


def is_allowed(table, groups, criterion):
    """By Poisson deviance no branch may be without a positive target."""
    return criterion != "poisson" or all(any(table.y[row] for row in group) for group in groups)


def value(table, rows, criterion):
    """What monotone columns keep in order: mean, by absolute error median, or share of class 1 of two."""
    total = sum(table.weights[row] for row in rows)
    if criterion == "absolute_error":
        ys = sorted((table.y[row], table.weights[row]) for row in rows)
        below = [*itertools.accumulate(w for _, w in ys)]
        low = next(y for (y, _), weight in zip(ys, below, strict=True) if 2 * weight >= total)
        high = next(y for (y, _), weight in zip(ys, below, strict=True) if 2 * weight > total)
        return (Fraction(low) + Fraction(high)) / 2
    if criterion == "squared_error":
        return sum(table.weights[row] * Fraction(table.y[row]) for row in rows) / total
    return Fraction(sum(table.weights[row] for row in rows if table.y[row] == 1), total)


def is_in_order(table, column, scored, criterion, direction, bounds):
    """Whether the first two of the groups scored keep to the order asked of a column.

    A third group is that of the gaps; where they are the second there is nothing to put in order.
    """
    if direction == 0 or all(table.is_missing(column, row) for row in scored[1]):
        return True
    low, high = (value(table, rows, criterion) for rows in scored[:2])
    return direction * (high - low) >= 0 and bounds.hold(low) and bounds.hold(high)


def unevenness(table, scored):
    """By how much the two sides of a cut differ in weight; a branch of the gaps' own is no side."""
    left, right = (sum(table.weights[row] for row in group) for group in scored[:2])
    return abs(left - right)


def most_even(table, column, rows, criterion, missing, direction, bounds):
    """Unevenness of the most even one of the best cuts of a column of numbers."""
    tried = [
        (-worth(table, scored, criterion), unevenness(table, scored))
        for _, scored in candidates(table, column, rows, "subset", missing)
        if is_in_order(table, column, scored, criterion, direction, bounds)
    ]
    return min(tried)[1]


def best_by_column(table, rows, criterion, kind, missing, min_rows=1, directions=None, bounds=FREE):
    """Worth of the best question on every column, None where it has no question."""
    best = []
    for column in range(len(table.columns)):
        direction = directions[column] if directions else 0
        scores = [
            worth(table, scored, criterion)
            for _, scored in candidates(table, column, rows, kind, missing)
            # A branch of the gaps' own is not held to the least size of a leaf.
            if min(map(len, scored)) >= min_rows
            and is_allowed(table, scored, criterion)
            and is_in_order(table, column, scored, criterion, direction, bounds)
        ]
        best.append(max(scores, default=None))
    return best


def rows_of_nodes(estimator, X, n_rows):
    """Training rows of every node, from the paths the estimator itself reports."""
    path = estimator.decision_path(X).tocsc()
    return [path.indices[path.indptr[i] : path.indptr[i + 1]].tolist() for i in range(path.shape[1])]


def problems(
    estimator, X, table, criterion, kind, missing, directions=None, *, is_drawn=False
) -> Iterator[str]:
    """Say at which nodes a fitted tree is not what trying everything would give.

    With `is_drawn` questions need not be the best, but must be what they say they are.
    """
    tree = estimator.tree_
    rows_of = rows_of_nodes(estimator, X, len(table.y))
    total = sum(table.weights)
    tolerance = TOLERANCE if criterion in WITH_LOGS else 0
    bounds = [FREE] * tree.n_nodes
    for i in range(tree.n_nodes):
        rows = rows_of[i]
        node = tree.node(i)
        if len(rows) != node.n_rows:
            yield f"node {i} has {node.n_rows} rows, {len(rows)} pass it"
        is_pure = len({table.y[row] for row in rows}) <= 1
        best = (
            best_by_column(table, rows, criterion, kind, missing, 1, directions, bounds[i])
            if not is_pure
            else []
        )
        if directions and rows:
            answer = float(bounds[i].clip(value(table, rows, criterion)))
            got = answer if tree.is_classifier and tree.n_classes == 1 else tree.shares[i, -1]
            if not np.isclose(got, answer, rtol=1e-12, atol=1e-12):
                yield f"node {i} answers {got}, expected {answer}"
        usable = [score for score in best if score is not None]
        if node.is_leaf:
            # A drawn question that leaves a branch without a positive target is not drawn again.
            if usable and not (is_drawn and criterion == "poisson"):
                yield f"node {i} is a leaf though columns could part it: {best}"
            continue
        if is_pure:
            yield f"node {i} is pure and was parted"
            continue
        column = int(tree.column[i])
        scored = children = [rows_of[child] for child in node.children]
        known = [[row for row in group if not table.is_missing(column, row)] for group in children]
        if missing in BY_KNOWN_ROWS:
            scored = known
        for child in node.children:
            bounds[child] = bounds[i]
        if directions and directions[column] and known[0] and known[1]:
            values = (value(table, group, criterion) for group in scored[:2])
            parts = bounds[i].parted(directions[column], *values)
            bounds[node.children[0]], bounds[node.children[1]] = parts
        scored = [group for group in scored if group]
        got = worth(table, scored, criterion)
        if not is_drawn and got < max(usable) - tolerance:
            yield f"node {i} is worth {float(got)}, {float(max(usable))} could be had"
        # Ties go to the lowest column; a tie of floats is none that can be told.
        lower = [score for score in best[:column] if score is not None]
        if not is_drawn and tolerance == 0 and got in lower:
            yield f"node {i} asks about column {column}, though a lower one is as good: {best}"
        if criterion in PREFER_EVEN_SIDES and not (is_drawn or table.is_category[column]):
            direction = directions[column] if directions else 0
            least = most_even(table, column, rows, criterion, missing, direction, bounds[i])
            if unevenness(table, scored) != least:
                yield f"node {i} has sides {unevenness(table, scored)} apart, {least} is as good"
        fall = decrease(table, scored, criterion)
        if not np.isclose(node.gain, float(fall) / total, rtol=1e-9, atol=1e-12):
            yield f"node {i} says its gain is {node.gain}, it is {float(fall) / total}"
