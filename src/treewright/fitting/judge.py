"""Score nested trees on new rows."""

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from treewright.fitting.sequence import Sequence, ranges_as_leaf, sum_over_ranges, weighed
from treewright.model.labelled_rows import EncodedRows
from treewright.model.records import Float64, Int32, Int64, Intp
from treewright.model.tree import Tree

Targets: TypeAlias = Int32 | Float64

# Rows in several leaves are scored in chunks of this size: rows × trees × classes.
_CHUNK = 4_000_000
_LEAST_MEAN = 1e-12  # predictions of counts are raised to this, so that the deviance stays finite


@dataclass(frozen=True)
class Scoring:
    """The cost of an answer.

    Parameters
    ----------
    losses : array of float64, (n_classes, n_classes), or None
        By class; row: the true one, column: the predicted one. None measures the distance between the target
        and the prediction.
    distance : {"squared", "absolute", "deviance"}
        For regression; "deviance" is Poisson's. For classification the prediction is the shares of the
        classes and the distance is squared: its mean over the rows of a leaf is their Gini impurity.
    factors : array of float64 or None
        Factor of the weight of each class; None for 1.
    """

    losses: Float64 | None = None
    distance: Literal["squared", "absolute", "deviance"] = "squared"
    factors: Float64 | None = None

    def of_nodes(self, tree: Tree, targets: Targets, nodes: Int64) -> Float64:
        """Return the cost of the prediction of each node for its target."""
        if self.losses is None:
            return self._distances(targets, tree.shares[nodes])
        return self._counted(self.losses[targets, tree.answer[nodes]], targets)

    def of_mixtures(self, tree: Tree, targets: Targets, mixed: Float64) -> Float64:
        """Return the cost of predictions averaged over several leaves."""
        if self.losses is None:
            return self._distances(targets, mixed)
        return self._counted(self.losses[targets, tree.answers_to(mixed, rounding=2**-40)], targets)

    def at_root(self, tree: Tree) -> float:
        """Return the cost of the root's class for its own rows, per unit of weight; for classification."""
        classes = np.arange(tree.outcome.shape[1], dtype=np.int32)
        costs = replace(self, factors=None).of_nodes(tree, classes, np.zeros(len(classes), dtype=np.int64))
        return float(tree.shares[0] @ costs)

    def _distances(self, targets: Targets, mixed: Float64) -> Float64:
        if targets.dtype.kind != "f":
            own = mixed[np.arange(len(mixed)), targets]
            return self._counted(weighed(mixed, mixed.T) - 2 * own + 1, targets)
        means = mixed[:, 0]
        if self.distance == "deviance":
            means = np.maximum(means, _LEAST_MEAN)
            ratio = np.where(targets > 0, targets / means, 1.0)
            return targets * np.log(ratio) - targets + means
        distance = np.abs(targets - means)
        return distance if self.distance == "absolute" else distance**2

    def _counted(self, costs: Float64, targets: Targets) -> Float64:
        return costs if self.factors is None else costs * self.factors[targets]


@dataclass(frozen=True)
class Judged:
    """The costs of nested trees, one entry for each.

    Parameters
    ----------
    losses, squares : array of float64
        Sums of weight × cost, and of weight × (cost / unit)².
    weight : float
        Weight of the rows.
    unit : float
        A power of two; 1 unless squares of costs would leave the range of float64.
    """

    losses: Float64
    squares: Float64
    weight: float
    unit: float = 1.0

    def __add__(self, other: "Judged") -> "Judged":
        """Add up the costs over two sets of rows."""
        weight = self.weight + other.weight
        return Judged(self.losses + other.losses, self.squares + other.squares, weight, self.unit)

    @property
    def mean(self) -> Float64:
        """Cost per unit of weight."""
        return self.losses / self.weight

    @property
    def standard_error(self) -> Float64:
        """Standard error of the mean."""
        losses = self.losses / self.unit
        return np.sqrt(np.maximum(self.squares - losses**2 / self.weight, 0.0)) / self.weight * self.unit


def unit_of(cost: float) -> float:
    """Return a power of two to divide costs by so that their squares can be added up: 1 for usual costs.

    Examples
    --------
    >>> unit_of(20.0), unit_of(0.0), unit_of(1e300) == 2.0**996
    (1.0, 1.0, True)
    """
    return 1.0 if 1e-100 < cost < 1e100 or not cost else 2.0 ** (math.frexp(cost)[1] - 1)


def judge(
    rows: EncodedRows, sequence: Sequence, prices: Float64, scoring: Scoring, unit: float = 1.0
) -> Judged:
    """Score the best subtree for every price of a leaf on rows that the tree has not seen.

    Parameters
    ----------
    rows : EncodedRows
        The rows.
    sequence : Sequence
        The subtrees.
    prices : array of float64
        Prices of a leaf, ascending.
    scoring : Scoring
        The cost of predictions.
    unit : float
        Costs are divided by this before they are squared.

    Returns
    -------
    Judged
        One entry per price.
    """
    weights = rows.weight_of_each
    row, leaf, fraction = rows.leaves(sequence.tree)
    is_split = np.bincount(row, minlength=rows.n_rows) > 1
    whole = ~is_split[row]
    # A row in one leaf: each node on its path is the leaf that predicts it for a range of prices.
    at, nodes, first, last = _paths(sequence, prices, leaf[whole])
    answers = first < last
    of_path, nodes, first, last = row[whole][at][answers], nodes[answers], first[answers], last[answers]
    costs = scoring.of_nodes(sequence.tree, rows.targets[of_path], nodes)
    losses, squares = (
        sum_over_ranges(first, last, weights[of_path] * each, len(prices))
        for each in (costs, (costs / unit) ** 2)
    )
    split = np.flatnonzero(is_split)
    size = max(1, _CHUNK // ((len(prices) + 1) * sequence.tree.shares.shape[1]))
    for begin in range(0, len(split), size):
        some = split[begin : begin + size]
        inside = np.isin(row, some)
        mixed = _mixed(sequence, prices, np.searchsorted(some, row[inside]), leaf[inside], fraction[inside])
        targets: Targets = rows.targets[np.repeat(some, len(prices))]
        costs = scoring.of_mixtures(sequence.tree, targets, mixed).reshape(len(some), len(prices))
        losses += (weights[some, None] * costs).sum(axis=0)
        squares += (weights[some, None] * (costs / unit) ** 2).sum(axis=0)
    return Judged(losses, squares, rows.weight, unit)


def _mixed(sequence: Sequence, prices: Float64, row: Intp, leaf: Int32, fraction: Float64) -> Float64:
    """Average the outcomes of the leaves of each row: one prediction for each row and price."""
    at, nodes, first, last = _paths(sequence, prices, leaf)
    outcomes = sequence.tree.shares
    amounts = fraction[at, None] * outcomes[nodes]
    mixed = np.zeros((row[-1] + 1, len(prices) + 1, outcomes.shape[1]))
    np.add.at(mixed, (row[at], first), amounts)
    np.subtract.at(mixed, (row[at], last), amounts)
    return np.cumsum(mixed, axis=1)[:, :-1].reshape(-1, outcomes.shape[1])


def _paths(sequence: Sequence, prices: Float64, leaves: Int32) -> tuple[Intp, Int64, Intp, Intp]:
    """List the nodes on the path to each leaf: which leaf, the node, the prices for which it predicts."""
    begin, nodes = sequence.tree.path_of(leaves)
    which = np.repeat(np.arange(len(leaves)), np.diff(begin))
    first, last = (ends[nodes] for ends in ranges_as_leaf(sequence.tree, sequence.price, prices))
    first[begin[1:] - 1] = 0  # a row that stops at an inner node is predicted there from the lowest price on
    return which, nodes, first, last
