"""Weakest-link pruning in exact arithmetic (Breiman, Friedman, Olshen, Stone 1984, section 3.3).

The risk of a node is R(t) = weight / total weight times impurity. The link that is cut next is the inner node
of least alpha(t) = (R(t) - R(T_t)) / (leaves of T_t - 1), the first in pre-order on a tie.
"""

from dataclasses import dataclass
from fractions import Fraction

from oracle.naive_tree import Node

NOTHING = Fraction(1, 10**30)  # entropies are known to 50 digits: a smaller difference is none


@dataclass(frozen=True)
class Step:
    """One node turned into a leaf."""

    node: int
    alpha: Fraction
    risk: Fraction  # of the tree that is left
    inner: frozenset[int]  # inner nodes of the tree that is left


def risks(nodes: list[Node]) -> list[Fraction]:
    """Give R(t) of every node."""
    return [node.weight / nodes[0].weight * node.impurity for node in nodes]


def below(nodes: list[Node], inner: frozenset[int], i: int, risk: list[Fraction]) -> tuple[Fraction, int]:
    """Give the risk and the number of leaves of the branch at node i."""
    if i not in inner:
        return risk[i], 1
    left, n_left = below(nodes, inner, nodes[i].left, risk)
    right, n_right = below(nodes, inner, nodes[i].right, risk)
    return left + right, n_left + n_right


def descendants(nodes: list[Node], i: int) -> set[int]:
    """Give node i and everything under it."""
    if nodes[i].is_leaf:
        return {i}
    return {i} | descendants(nodes, nodes[i].left) | descendants(nodes, nodes[i].right)


def weakest_links(nodes: list[Node]) -> list[Step]:
    """Cut the weakest link again and again until the root is a leaf."""
    risk = risks(nodes)
    inner = frozenset(i for i, node in enumerate(nodes) if not node.is_leaf)
    steps = []
    while inner:
        weakest = None
        for i in sorted(inner):
            branch, n_leaves = below(nodes, inner, i, risk)
            alpha = (risk[i] - branch) / (n_leaves - 1)
            if weakest is None or alpha < weakest[0] - NOTHING:
                weakest = alpha, i
        alpha, i = weakest
        inner -= descendants(nodes, i)
        steps.append(Step(i, alpha, below(nodes, inner, 0, risk)[0], inner))
    return steps


def pruned(nodes: list[Node], ccp_alpha: float) -> frozenset[int]:
    """Give the inner nodes that are left at `ccp_alpha`; at 0 nothing is pruned, as in scikit-learn."""
    inner = frozenset(i for i, node in enumerate(nodes) if not node.is_leaf)
    if ccp_alpha == 0:
        return inner
    for step in weakest_links(nodes):
        if step.alpha > Fraction(ccp_alpha):
            break
        inner = step.inner
    return inner


def path(nodes: list[Node]) -> list[tuple[Fraction, Fraction]]:
    """Give (alpha, risk of the tree that is left), equal alphas merged into one row."""
    rows = [(Fraction(0), below(nodes, pruned(nodes, 0), 0, risks(nodes))[0])]
    for step in weakest_links(nodes):
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
