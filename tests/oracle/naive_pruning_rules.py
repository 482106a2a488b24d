"""Rules of pruning from their formulas, slow and obvious, in fractions wherever a root is not needed.

A pruned tree is told by its leaves: a set of nodes of the grown tree. Trees are read, and rows sent down,
through `Tree.node` alone.
"""

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from oracle.naive_c45_pruning import estimate
from oracle.naive_c45_rules import RELEASE8
from treewright.model.tree import Tree

SLACK = 0.1  # errors by which a smaller tree may be worse, in error-based pruning


@dataclass(frozen=True)
class PlainTree:
    """Children of every node, weights of the classes in it, and the class it answers with."""

    children: list[list[int]]
    weights: list[list[Fraction]]
    answer: list[int]

    @classmethod
    def of(cls, tree: Tree) -> "PlainTree":
        weights = [
            [Fraction(each) * (node.weight > 0) for each in node.outcome] for node in tree.walk()
        ]  # what a node without rows was told is not its own
        return cls([list(tree.children(i)) for i in range(tree.n_nodes)], weights, tree.answer.tolist())

    @cached_property
    def total(self) -> list[Fraction]:
        return [sum(weights, start=Fraction(0)) for weights in self.weights]

    def wrong(self, node: int) -> Fraction:
        return self.total[node] - self.weights[node][self.answer[node]]

    def leaves(self, node: int) -> list[int]:
        if not self.children[node]:
            return [node]
        return [leaf for child in self.children[node] for leaf in self.leaves(child)]


def subtrees(children: list[list[int]], node: int = 0) -> list[frozenset[int]]:
    """List all pruned trees."""
    found = [frozenset([node])]
    if children[node]:
        below = itertools.product(*(subtrees(children, child) for child in children[node]))
        found += [frozenset().union(*leaves) for leaves in below]
    return found


# -- Rules that look at the training rows' classes ---------------------------------------------------------


def pessimistic(tree: PlainTree, standard_errors: Fraction, node: int = 0) -> frozenset[int]:
    """Quinlan (1987): E' = e + L / 2; a leaf where e + 1/2 <= E' + s √(E' (N − E') / N); root first."""
    leaves = tree.leaves(node)
    if leaves == [node]:
        return frozenset([node])
    n = tree.total[node]
    of_tree = sum(tree.wrong(leaf) for leaf in leaves) + Fraction(len(leaves), 2)
    excess = tree.wrong(node) + Fraction(1, 2) - of_tree
    variance = of_tree * max(n - of_tree, Fraction(0)) / n if n else Fraction(0)
    if excess <= 0 or excess**2 <= standard_errors**2 * variance:
        return frozenset([node])
    return frozenset().union(*(pessimistic(tree, standard_errors, child) for child in tree.children[node]))


def minimum_error(
    tree: PlainTree, m: Fraction | None, node: int = 0
) -> tuple[frozenset[int], Fraction | None]:
    """Give the leaves and the expected error, None without rows: bottom up, a leaf if static <= backed-up."""
    n, n_classes = tree.total[node], len(tree.weights[0])
    right = n - tree.wrong(node)
    if not n:
        static = None
    elif m is None:  # Niblett, Bratko (1986)
        static = (n - right + n_classes - 1) / (n + n_classes)
    else:  # Cestnik, Bratko (1991)
        prior = tree.weights[0][tree.answer[node]] / tree.total[0]
        static = 1 - (right + prior * m) / (n + m)
    if not tree.children[node]:
        return frozenset([node]), static
    below = [(minimum_error(tree, m, child), tree.total[child]) for child in tree.children[node]]
    backed_up = sum(weight / n * error for (_, error), weight in below if weight) if n else None
    if static is None or static <= backed_up:
        return frozenset([node]), static
    return frozenset().union(*(leaves for (leaves, _), _ in below)), backed_up


# -- Rows sent down ----------------------------------------------------------------------------------------


def value_of(codes: list, column: int, row: int) -> float | int | None:
    """Give a value as questions take it, None where it is missing."""
    value = codes[column][row].item()
    if codes[column].dtype == np.int32:
        return None if value < 0 else value
    return None if value != value else value  # noqa: PLR0124 - NaN


def branch_of(node, codes: list, row: int) -> int:
    """Give the branch of a row at a node; −1: all of them."""
    unplaced = -9
    question = node.question
    asked = type(question)(question.column, *_what(question), missing_branch=unplaced)
    branch = asked.branch_of(value_of(codes, question.column, row))
    if branch != unplaced:
        return branch
    for surrogate in node.surrogates:
        branch = surrogate.branch_of(value_of(codes, surrogate.question.column, row))
        if branch is not None:
            return branch
    return question.missing_branch


def _what(question) -> list:
    return [question.codes if hasattr(question, "codes") else question.cut]


def passed(tree: Tree, codes: list, row: int) -> dict[int, Fraction]:
    """Give every node that a row passes, and how much of it does."""
    shares = {0: Fraction(1)}
    for number in range(tree.n_nodes):
        node = tree.node(number)
        if number not in shares or node.is_leaf:
            continue
        branch = branch_of(node, codes, row)
        if branch >= 0:
            shares[node.children[branch]] = shares[number]
            continue
        sizes = [Fraction(tree.node(child).weight) for child in node.children]
        for child, size in zip(node.children, sizes, strict=True):
            if size:
                shares[child] = shares[number] * size / sum(sizes)
    return shares


def cost_as_leaves(tree: Tree, codes: list, target: list, weights: list, power: int = 2) -> list[Fraction]:
    """What every node costs as a leaf among rows held out: errors, losses, or powers of distances."""
    cost = [Fraction(0)] * tree.n_nodes
    answer = tree.answer.tolist() if tree.is_classifier else tree.outcome[:, 0].tolist()
    for row, (true, weight) in enumerate(zip(target, weights, strict=True)):
        for node, share in passed(tree, codes, row).items():
            if not tree.is_classifier:
                of_one = abs(Fraction(true) - Fraction(answer[node])) ** power
            elif tree.loss is not None:
                of_one = Fraction(tree.loss[true, answer[node]])
            else:
                of_one = Fraction(true != answer[node])
            cost[node] += Fraction(weight) * share * of_one
    return cost


def pre_pruned(tree: PlainTree, cost: list[Fraction], node: int = 0) -> frozenset[int]:
    """Split a node if its branches as leaves cost less, from the root down (Zhou 2016, section 4.3.1)."""
    children = tree.children[node]
    if not children or sum(cost[child] for child in children) >= cost[node]:
        return frozenset([node])
    return frozenset().union(*(pre_pruned(tree, cost, child) for child in children))


# -- Error-based pruning of any tree (definitions 1.1) -----------------------------------------------------


@dataclass(frozen=True)
class Pruned:
    """A node of the grown tree, the class it answers with, its errors, and what is left below it."""

    node: int
    label: int
    errors: float
    children: tuple["Pruned", ...]


class ErrorBased:
    """Cases are {row: weight}; everything else is as in C4.5, whatever routes the rows."""

    def __init__(self, tree: Tree, codes: list, classes: list[int], *, raising: bool):
        self.tree, self.codes, self.classes, self.raising = tree, codes, classes, raising
        self.nodes = list(tree.walk())
        self.n_classes = tree.outcome.shape[1]
        self.branch = {}
        self.compared: list[tuple] = []  # node, as a leaf, as a subtree, its heaviest branch; in this order

    def weights(self, cases) -> list[Fraction]:
        of = [Fraction(0)] * self.n_classes
        for row, weight in cases.items():
            of[self.classes[row]] += weight
        return of

    def parted(self, number: int, cases) -> list[dict]:
        """Send cases down the branches; those that take all of them as the weight of the others does."""
        node = self.nodes[number]
        branches = [{} for _ in node.children]
        spread = {}
        for row, weight in cases.items():
            if (number, row) not in self.branch:
                self.branch[number, row] = branch_of(node, self.codes, row)
            branch = self.branch[number, row]
            (spread if branch < 0 else branches[branch])[row] = weight
        sizes = [sum(branch.values(), start=Fraction(0)) for branch in branches]
        for row, weight in spread.items():
            for branch, size in zip(branches, sizes, strict=True):
                if size:
                    branch[row] = weight * size / sum(sizes)
        return branches

    def of_leaves(self, pruned: Pruned, cases) -> float:
        if not cases:
            return 0.0
        if not pruned.children:
            return estimate(self.weights(cases), RELEASE8)
        parts = self.parted(pruned.node, cases)
        return sum(self.of_leaves(child, part) for child, part in zip(pruned.children, parts, strict=True))

    def grown(self, number: int = 0) -> Pruned:
        children = tuple(self.grown(child) for child in self.nodes[number].children)
        return Pruned(number, int(self.tree.answer[number]), 0.0, children)

    def prune(self, at: Pruned, cases) -> Pruned:
        if not cases:
            return Pruned(at.node, at.label, 0.0, at.children)
        weights = self.weights(cases)
        label = at.label if weights[at.label] == max(weights) else weights.index(max(weights))
        as_leaf = Pruned(at.node, label, estimate(weights, RELEASE8), ())
        if not at.children:
            return as_leaf
        parts = self.parted(at.node, cases)
        children = tuple(self.prune(child, part) for child, part in zip(at.children, parts, strict=True))
        as_tree = Pruned(at.node, label, sum(child.errors for child in children), children)
        sizes = [sum(part.values(), start=Fraction(0)) for part in parts]
        heaviest = children[max(range(len(sizes)), key=lambda i: (sizes[i], i))]
        raised = self.of_leaves(heaviest, cases) if self.raising else float("inf")
        self.compared.append((at.node, as_leaf.errors, as_tree.errors, raised))
        if as_leaf.errors <= raised + SLACK and as_leaf.errors <= as_tree.errors + SLACK:
            return as_leaf
        return self.prune(heaviest, cases) if raised <= as_tree.errors + SLACK else as_tree
