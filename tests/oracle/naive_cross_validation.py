"""Cross-validated pruning, step by step, from definitions.md 1.2: plain loops over rows, trees and prices.

Nodes are plain values; links are measured by recursion as rpart does, subtrees are walked row by row.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

from treewright.model.tree import Tree


@dataclass(frozen=True)
class Knot:
    """A node: what it costs as a leaf, what it answers, its children."""

    number: int
    risk: float
    children: tuple["Knot", ...]


def knots(tree: Tree, risks: list[float], number: int = 0) -> Knot:
    """Read a tree."""
    below = tuple(knots(tree, risks, child) for child in tree.children(number))
    return Knot(number, risks[number], below)


def complexities(root: Knot, least: float) -> dict[int, float]:
    """Measure every link as rpart does; then no link is stronger than one above it."""
    measured: dict[int, float] = {}

    def measure(knot: Knot) -> tuple[float, int]:
        """Give the risk and the leaves that are left of a subtree."""
        measured[knot.number] = least
        if not knot.children or knot.risk <= least:
            for child in knot.children:
                measure(child)
            return knot.risk, 1
        left = {child.number: measure(child) for child in knot.children}

        def strength() -> float:
            risk, leaves = (sum(each) for each in zip(*left.values(), strict=True))
            return (knot.risk - risk) / (leaves - 1) if leaves > 1 else 0.0

        own = strength()
        for child in sorted(knot.children, key=lambda each: (measured[each.number], -each.number)):
            if own <= measured[child.number]:
                break
            left[child.number] = child.risk, 1
            own = strength()
        measured[knot.number] = own
        if own <= least:
            return knot.risk, 1
        risk, leaves = (sum(each) for each in zip(*left.values(), strict=True))
        return risk, leaves

    def lower(knot: Knot) -> None:
        for child in knot.children:
            measured[child.number] = min(measured[child.number], measured[knot.number])
            lower(child)

    measure(root)
    lower(root)
    return measured


def leaves_at(knot: Knot, price: dict[int, float], alpha: float) -> list[Knot]:
    """List the leaves where a leaf costs alpha."""
    if not knot.children or price[knot.number] <= alpha:
        return [knot]
    return [leaf for child in knot.children for leaf in leaves_at(child, price, alpha)]


def between(alphas: list[float]) -> list[float]:
    """Give the price at which each tree of rising alphas is judged."""
    return [math.sqrt(low * high) for low, high in pairwise(alphas)] + [math.inf]


def standard_error(losses: list[float], weights: list[float]) -> float:
    """Give the standard error of a weighted mean, as rpart does."""
    total = sum(weights)
    mean = sum(w * r for w, r in zip(weights, losses, strict=True))
    squares = sum(w * r * r for w, r in zip(weights, losses, strict=True))
    return math.sqrt(max(0.0, squares - mean * mean / total)) / total
