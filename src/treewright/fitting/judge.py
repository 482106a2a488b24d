"""What the answers of nested trees cost among rows that the trees have not seen."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.fitting.sequence import Sequence, ranges_as_leaf, weighed
from treewright.model.model import router_of
from treewright.model.tree import Tree
from treewright.table.encode import Codes

Targets: TypeAlias = NDArray[np.int32] | NDArray[np.float64]

# Rows that are in several leaves at once are looked at so many at a time: rows × trees × classes.
_CHUNK = 4_000_000
_LEAST_MEAN = 1e-12  # of the deviance of counts, where it would be infinite


@dataclass(frozen=True)
class Scoring:
    """What an answer costs.

    Parameters
    ----------
    losses : array of float64, (n_classes, n_classes), or None
        By class: row the true one, column the answer. None measures the distance between the target and what
        was told.
    distance : {"squared", "absolute", "deviance"}
        Of numbers; "deviance" is Poisson's. Classes are told as shares, and their distance is squared: its
        mean over the rows of a leaf is their Gini impurity.
    factors : array of float64 or None
        What a row of each class counts, its weight apart; None counts all alike.
    """

    losses: NDArray[np.float64] | None = None
    distance: Literal["squared", "absolute", "deviance"] = "squared"
    factors: NDArray[np.float64] | None = None

    def of_nodes(self, tree: Tree, targets: Targets, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give what the answers of nodes cost, a target for each."""
        if self.losses is None:
            return self._distances(targets, tree.shares[nodes])
        return self._counted(self.losses[targets, tree.answer[nodes]], targets)

    def of_mixtures(self, tree: Tree, targets: Targets, told: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what answers cost that several leaves give together."""
        if self.losses is None:
            return self._distances(targets, told)
        return self._counted(self.losses[targets, tree.answers_to(told, rounding=2**-40)], targets)

    def at_root(self, tree: Tree) -> float:
        """Give what the root's answer to a tree of classes costs its own rows, a share of their weight."""
        classes = np.arange(tree.outcome.shape[1], dtype=np.int32)
        costs = replace(self, factors=None).of_nodes(tree, classes, np.zeros(len(classes), dtype=np.int64))
        return float(tree.shares[0] @ costs)

    def _distances(self, targets: Targets, told: NDArray[np.float64]) -> NDArray[np.float64]:
        if targets.dtype.kind != "f":
            own = told[np.arange(len(told)), targets]
            return self._counted(weighed(told, told.T) - 2 * own + 1, targets)
        means = told[:, 0]
        if self.distance == "deviance":
            means = np.maximum(means, _LEAST_MEAN)
            ratio = np.where(targets > 0, targets / means, 1.0)
            return targets * np.log(ratio) - targets + means
        distance = np.abs(targets - means)
        return distance if self.distance == "absolute" else distance**2

    def _counted(self, costs: NDArray[np.float64], targets: Targets) -> NDArray[np.float64]:
        return costs if self.factors is None else costs * self.factors[targets]


@dataclass(frozen=True)
class Judged:
    """What nested trees cost, one entry for each.

    Parameters
    ----------
    losses, squares : array of float64
        Sums of weight × cost, and of weight × cost².
    weight : float
        Weight of the rows.
    """

    losses: NDArray[np.float64]
    squares: NDArray[np.float64]
    weight: float

    def __add__(self, other: "Judged") -> "Judged":
        """Put two sets of rows together."""
        return Judged(self.losses + other.losses, self.squares + other.squares, self.weight + other.weight)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Cost per unit of weight."""
        return self.losses / self.weight

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """Standard error of the mean."""
        return np.sqrt(np.maximum(self.squares - self.losses**2 / self.weight, 0.0)) / self.weight


@dataclass(frozen=True)
class NewRows:
    """Rows that a tree has not seen.

    Parameters
    ----------
    codes : list of arrays
        Their columns.
    targets : array
        Positions of their classes, or their numbers.
    weights : array of float64
        Their weights.
    """

    codes: Codes
    targets: Targets
    weights: NDArray[np.float64]

    def taken(self, rows: NDArray[np.intp]) -> "NewRows":
        """Give some of the rows."""
        return NewRows([column[rows] for column in self.codes], self.targets[rows], self.weights[rows])

    def judge(self, sequence: Sequence, prices: NDArray[np.float64], scoring: Scoring) -> Judged:
        """Send the rows down, and let the best subtree at every price answer.

        Parameters
        ----------
        sequence : Sequence
            Of a tree that has not seen the rows.
        prices : array of float64
            Prices of a leaf, rising.
        scoring : Scoring
            What answers cost.

        Returns
        -------
        Judged
            By price.
        """
        begin, leaves, shares = self._sent_down(sequence.tree)
        n_parts = np.diff(begin)
        of_row = np.repeat(np.arange(len(n_parts)), n_parts)
        whole = n_parts[of_row] == 1
        losses, squares = self._of_whole(sequence, prices, scoring, of_row[whole], leaves[whole])
        for rows in _in_chunks(np.flatnonzero(n_parts > 1), len(prices), sequence.tree):
            inside = np.isin(of_row, rows)
            parts = of_row[inside], leaves[inside], shares[inside]
            costs = self._of_parted(sequence, prices, scoring, rows, *parts)
            losses += (self.weights[rows, None] * costs).sum(axis=0)
            squares += (self.weights[rows, None] * costs**2).sum(axis=0)
        return Judged(losses, squares, float(self.weights.sum()))

    def _sent_down(self, tree: Tree) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        router = router_of(tree)
        if router.spreads:
            return router.spread(self.codes)
        n_rows = len(self.targets)
        return np.arange(n_rows + 1), router.apply(self.codes, 1), np.ones(n_rows)

    def _of_whole(
        self,
        sequence: Sequence,
        prices: NDArray[np.float64],
        scoring: Scoring,
        rows: NDArray[np.intp],
        leaves: NDArray[np.int32],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum up rows that are in one leaf: each node on the way there answers over a range of prices."""
        at, nodes, first, last = _ways(sequence, prices, leaves)
        row = rows[at]
        answers = first < last
        row, nodes, first, last = row[answers], nodes[answers], first[answers], last[answers]
        costs = scoring.of_nodes(sequence.tree, self.targets[row], nodes)
        sums = np.zeros((2, len(prices) + 1))
        for of_costs, each in zip(sums, (costs, costs**2), strict=True):
            np.add.at(of_costs, first, self.weights[row] * each)
            np.subtract.at(of_costs, last, self.weights[row] * each)
        losses, squares = np.cumsum(sums, axis=1)[:, :-1]
        return losses, squares

    def _of_parted(
        self,
        sequence: Sequence,
        prices: NDArray[np.float64],
        scoring: Scoring,
        rows: NDArray[np.intp],
        of_row: NDArray[np.intp],
        leaves: NDArray[np.int32],
        shares: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Give what rows cost that are in several leaves, by row and price."""
        tree = sequence.tree
        part, nodes, first, last = _ways(sequence, prices, leaves)
        at = np.searchsorted(rows, of_row[part])
        told = shares[part, None] * tree.shares[nodes]
        mixed = np.zeros((len(rows), len(prices) + 1, tree.shares.shape[1]))
        np.add.at(mixed, (at, first), told)
        np.subtract.at(mixed, (at, last), told)
        answers = np.cumsum(mixed, axis=1)[:, :-1].reshape(len(rows) * len(prices), -1)
        targets: Targets = self.targets[np.repeat(rows, len(prices))]
        return scoring.of_mixtures(tree, targets, answers).reshape(len(rows), len(prices))


def _ways(
    sequence: Sequence, prices: NDArray[np.float64], leaves: NDArray[np.int32]
) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.intp], NDArray[np.intp]]:
    """List the nodes on the way to each leaf: which leaf, the node, the range of prices it answers for."""
    begin, nodes = sequence.tree.path_of(leaves)
    which = np.repeat(np.arange(len(leaves)), np.diff(begin))
    first, last = (ends[nodes] for ends in ranges_as_leaf(sequence.tree, sequence.price, prices))
    first[begin[1:] - 1] = 0  # where the way ends at an inner node, it does so at the lowest price too
    return which, nodes, first, last


def _in_chunks(rows: NDArray[np.intp], n_prices: int, tree: Tree) -> Iterator[NDArray[np.intp]]:
    size = max(1, _CHUNK // ((n_prices + 1) * tree.shares.shape[1]))
    return (rows[at : at + size] for at in range(0, len(rows), size))
