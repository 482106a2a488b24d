"""Cost-complexity pruning: the nested trees from a grown tree down to its root.

At a price of α per leaf, a tree costs its risk + α × its leaves. As α rises, the best subtree loses one
weakest link after the other, and never gets one back (Breiman, Friedman, Olshen, Stone 1984, section 3.3).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright import _core
from treewright.errors import ParameterError, TargetError
from treewright.formatting import format_number
from treewright.model.records import Float64, Int32, Int64, Intp
from treewright.model.tree import Tree
from treewright.parts.pruners import Links, Risk

_ROUNDING = 1e-12  # prices whose relative difference is less count as equal
_LEAST_RISK = 1e-290  # of regression trees; below it float64 has few digits or none
_TINY = 1e-14  # prices this close to the least one, relative to the root's risk, count as equal to it


@dataclass(frozen=True, slots=True)
class PruningPath:
    """The weakest links of a tree in the order in which they are cut.

    Parameters
    ----------
    alphas : array of float64
        Price of a leaf from which on each tree is the best one; ascending, starting at 0.
    risks : array of float64
        Risk of each tree, per unit of weight.
    n_leaves : array of int64
        Leaves of each tree.
    nodes : array of int32
        The node that becomes a leaf to make each tree after the first.
    """

    alphas: Float64
    risks: Float64
    n_leaves: Int64
    nodes: Int32


def risks_as_leaves(tree: Tree, risk: Risk) -> Float64:
    """Return the cost of every node as a leaf, in units of weight.

    Parameters
    ----------
    tree : Tree
        A grown tree.
    risk : {"impurity", "error", "loss"}
        Weight × impurity; weight of the rows whose class is not the heaviest one; expected loss. For numbers
        the error is the impurity.

    Returns
    -------
    array of float64
    """
    if risk == "loss" and tree.loss is None:
        raise ParameterError(
            "risk='loss' weighs errors by their loss, and the tree has none; give loss= a matrix, or use "
            "risk='error'."
        )
    with np.errstate(over="ignore", invalid="ignore"):
        risks = _risks_as_leaves(tree, risk)
        if np.isfinite(np.abs(risks).sum()):
            return risks
    raise TargetError(
        f"risks must be finite, and the costs of the nodes as leaves (risk={risk!r}) add up to more than a "
        "float64 holds; give targets, weights and losses in larger units, and fit again."
    )


def _risks_as_leaves(tree: Tree, risk: Risk) -> Float64:
    if risk == "impurity" or not tree.is_classifier:
        return tree.weight * tree.impurity
    if risk == "error":
        costs = tree.outcome_weight - tree.outcome.max(axis=1)
    else:
        assert tree.loss is not None, "the caller has checked"
        costs = np.min([weighed(tree.outcome, column) for column in tree.loss.T], axis=0)
    # A branch without rows has the class weights of the node above it.
    return np.where(tree.weight > 0, costs, 0.0)


def total_weight(tree: Tree, risk: Risk) -> float:
    """Return the weight by which the risks of a tree are divided."""
    is_reported = tree.is_classifier and risk != "impurity"
    return float(tree.outcome_weight[0] if is_reported else tree.weight[0])


def pruning_path(tree: Tree, risk: Risk = "impurity") -> PruningPath:
    """Follow the weakest links of a tree down to its root.

    Parameters
    ----------
    tree : Tree
        A grown tree.
    risk : {"impurity", "error", "loss"}
        What pruning weighs against leaves, see `risks_as_leaves`.

    Returns
    -------
    PruningPath
        One entry for the tree and one for each step.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 3.3.
    """
    # Sums of whole weights are exact, so equal links stay equal. Dividing by the total comes last.
    as_leaf = risks_as_leaves(tree, risk)
    total = total_weight(tree, risk)
    nodes, alphas = _core.weakest_links(tree.child_begin, tree.child, as_leaf)
    # In exact arithmetic alphas never fall; by rounding they may, by an ulp, where nested nodes tie.
    rising = np.maximum.accumulate(np.concatenate(([0.0], alphas))) / total
    steps = np.arange(len(nodes) + 1.0)
    risks, n_leaves = _of_trees(tree, _first_cut(tree, nodes, steps[1:]), steps, as_leaf)
    return PruningPath(rising, risks / total, n_leaves, nodes)


def _first_cut(tree: Tree, nodes: Int32, prices: Float64) -> Float64:
    """Return the price at which each node is cut, by itself or with the first of its ancestors."""
    price = np.full(tree.n_nodes, np.inf)
    price[nodes] = prices
    price = np.minimum(price, tree.over_ancestors(np.minimum, price, np.inf))
    return np.where(tree.column < 0, -np.inf, price)


def _of_trees(tree: Tree, price: Float64, prices: Float64, as_leaf: Float64) -> tuple[Float64, Int64]:
    """Return the risks and the numbers of leaves of the nested trees at ascending prices."""
    first, last = ranges_as_leaf(tree, price, prices)
    risks = sum_over_ranges(first, last, as_leaf, len(prices))
    n_leaves = sum_over_ranges(first, last, np.ones(tree.n_nodes), len(prices))
    risks[-1] = as_leaf[0] if n_leaves[-1] == 1 else risks[-1]  # the root alone: exact, without rounding
    return risks, n_leaves.astype(np.int64)


def sum_over_ranges(first: Intp, last: Intp, values: Float64, n: int) -> Float64:
    """Add every value to each of `n` positions in its range, from `first` to the one before `last`.

    Examples
    --------
    >>> sum_over_ranges(np.array([0, 1]), np.array([2, 3]), np.array([10.0, 5.0]), 4)
    array([10., 15.,  5.,  0.])
    """
    inside = first < last
    change = np.bincount(first[inside], values[inside], n + 1)
    np.subtract.at(change, last[inside], values[inside])
    return np.cumsum(change[:-1])


@dataclass(frozen=True)
class Sequence:
    """The best subtrees of a tree for all prices of a leaf from some price on, each smaller than the last.

    Parameters
    ----------
    tree : Tree
        The tree they are subtrees of.
    alphas : array of float64
        Price of a leaf from which on each is the best one, ascending.
    risks : array of float64
        Their risks, per unit of weight.
    n_leaves : array of int64
        Their numbers of leaves.
    price : array of float64
        For every node the price from which on it is no longer split; −inf for a leaf.
    root_risk : float
        Risk of the root alone.
    """

    tree: Tree
    alphas: Float64
    risks: Float64
    n_leaves: Int64
    price: Float64
    root_risk: float

    @classmethod
    def of(
        cls, tree: Tree, risk: Risk = "impurity", least_alpha: float = 0.0, links: Links = "weakest"
    ) -> "Sequence":
        """Compute the sequence of a tree, from the price `least_alpha` on.

        Parameters
        ----------
        tree : Tree
            A grown tree.
        risk : {"impurity", "error", "loss"}
            What pruning weighs against leaves.
        least_alpha : float
            Least price.
        links : {"weakest", "rpart"}
            Which links are cut at a price: those that leave the best subtree, or those that rpart cuts, which
            measures each link once, from below, and may cut one a little early or late.
        """
        as_leaf, total = risks_as_leaves(tree, risk), total_weight(tree, risk)
        if links == "weakest":
            nodes, rising = _core.weakest_links(tree.child_begin, tree.child, as_leaf)
            price = _first_cut(tree, nodes, np.maximum.accumulate(np.maximum(rising, 0.0))) / total
        else:
            price = _core.complexities(tree.child_begin, tree.child, as_leaf, least_alpha * total) / total
        root_risk = float(as_leaf[0] / total)
        if not tree.is_classifier and tree.n_nodes > 1 and root_risk < _LEAST_RISK:
            little = (
                "the numbers of the target differ by so little that their squares are too small for a float64"
            )
            raise TargetError(
                f"{little} (mean {format_number(root_risk, 3)}), and pruning compares squares. Scale it up."
            )
        is_least = np.abs(price - least_alpha) <= _TINY * root_risk  # equal except for rounding
        price = np.where(tree.column < 0, -np.inf, np.where(is_least, least_alpha, price))
        alphas = np.unique(np.append(price[price > least_alpha], least_alpha))
        # Of prices that differ only by rounding, keep the highest.
        alphas = alphas[np.append(np.diff(alphas) > _ROUNDING * alphas[1:], True)]
        risks, n_leaves = _of_trees(tree, price, alphas, as_leaf)
        return cls(tree, alphas, risks / total, n_leaves, price, root_risk)

    def __len__(self) -> int:
        return len(self.alphas)

    def at(self, alpha: float) -> Tree:
        """Return the best subtree at the price `alpha` per leaf."""
        return self.tree.collapsed(np.flatnonzero((self.price <= alpha) & (self.tree.column >= 0)).tolist())

    def at_most(self, n_leaves: int) -> Tree:
        """Return the largest subtree with at most `n_leaves` leaves."""
        return self.at(float(self.alphas[np.argmax(self.n_leaves <= n_leaves)]))

    @cached_property
    def between(self) -> Float64:
        """Return a price inside the range of every tree: the geometric mean of its ends."""
        low, high = self.alphas[:-1], self.alphas[1:]
        with np.errstate(over="ignore", under="ignore"):
            products = low * high
        is_plain = (products > 0) & np.isfinite(products)  # false only for prices far beyond 1e±150
        return np.append(np.where(is_plain, np.sqrt(products), np.sqrt(low) * np.sqrt(high)), np.inf)


def ranges_as_leaf(tree: Tree, price: Float64, alphas: Float64) -> tuple[Intp, Intp]:
    """Return the range of ascending prices at which each node is a leaf: from its price to its parent's."""
    first = np.searchsorted(alphas, price, side="left")
    last = np.where(tree.parent < 0, len(alphas), first[tree.parent])
    return first, last


def weighed(values: Float64, weights: Float64) -> Float64:
    """Add up the weighted columns of values one by one, so that every machine gets the same sum."""
    products = (column * weight for column, weight in zip(values.T, weights, strict=True))
    return np.asarray(sum(products, np.zeros(len(values))))
