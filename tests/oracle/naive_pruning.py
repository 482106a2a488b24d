"""Weakest-link pruning, step by step (Breiman, Friedman, Olshen, Stone 1984, section 3.3).

The risk of a node is R(t) = weight / total weight times impurity. The link that is cut next is the inner node
of least alpha(t) = (R(t) - R(T_t)) / (leaves of T_t - 1), the first in pre-order on a tie. With risks given
as fractions nothing is rounded.
"""

from dataclasses import dataclass
from fractions import Fraction

from oracle.naive_tree import Node

NOTHING = Fraction(1, 10**30)  # entropies are known to 50 digits: a smaller difference is none


@dataclass(frozen=True)
class Links:
    """A binary tree and the risk of each node; -1 for no child."""

    left: list[int]
    right: list[int]
    risk: list[Fraction] | list[float]

    def inner(self) -> frozenset[int]:
        return frozenset(i for i, child in enumerate(self.left) if child >= 0)

    def below(self, inner: frozenset[int], i: int):
        """Give the risk and the number of leaves of the branch at i when only `inner` are inner nodes."""
        if i not in inner:
            return self.risk[i], 1
        left, n_left = self.below(inner, self.left[i])
        right, n_right = self.below(inner, self.right[i])
        return left + right, n_left + n_right

    def branch(self, i: int) -> set[int]:
        """Give node i and everything under it."""
        if self.left[i] < 0:
            return {i}
        return {i} | self.branch(self.left[i]) | self.branch(self.right[i])


@dataclass(frozen=True)
class Step:
    """One node turned into a leaf."""

    node: int
    alpha: Fraction | float
    risk: Fraction | float  # of the tree that is left
    inner: frozenset[int]  # inner nodes of the tree that is left


def links(nodes: list[Node]) -> Links:
    """Give the links of a naive tree, risks exact."""
    risk = [node.weight / nodes[0].weight * node.impurity for node in nodes]
    return Links([node.left for node in nodes], [node.right for node in nodes], risk)


def weakest_links(tree: Links) -> list[Step]:
    """Cut the weakest link again and again until the root is a leaf."""
    inner = tree.inner()
    steps = []
    while inner:
        weakest = None
        for i in sorted(inner):
            risk, n_leaves = tree.below(inner, i)
            alpha = (tree.risk[i] - risk) / (n_leaves - 1)
            if weakest is None or alpha < weakest[0] - NOTHING:
                weakest = alpha, i
        alpha, i = weakest
        inner -= tree.branch(i)
        steps.append(Step(i, alpha, tree.below(inner, 0)[0], inner))
    return steps


def pruned(tree: Links, ccp_alpha: float) -> frozenset[int]:
    """Give the inner nodes that are left at `ccp_alpha`; at 0 nothing is pruned, as in scikit-learn."""
    inner = tree.inner()
    if ccp_alpha == 0:
        return inner
    for step in weakest_links(tree):
        if step.alpha > ccp_alpha:
            break
        inner = step.inner
    return inner


def path(tree: Links) -> list[tuple[Fraction, Fraction]]:
    """Give (alpha, risk of the tree that is left), equal alphas merged into one row."""
    rows = [(Fraction(0), tree.below(tree.inner(), 0)[0])]
    for step in weakest_links(tree):
        if step.alpha <= rows[-1][0] + NOTHING:
            rows[-1] = rows[-1][0], step.risk
        else:
            rows.append((step.alpha, step.risk))
    return rows


def merged(alphas, impurities, tolerance: float = 1e-12) -> tuple[list[float], list[float]]:
    """Merge rows of a computed path whose alphas are equal but for rounding; the last impurity stays."""
    rows: list[tuple[float, float]] = []
    for alpha, impurity in zip(alphas, impurities, strict=True):
        if rows and alpha <= rows[-1][0] + tolerance:
            rows[-1] = rows[-1][0], float(impurity)
        else:
            rows.append((float(alpha), float(impurity)))
    return [row[0] for row in rows], [row[1] for row in rows]
