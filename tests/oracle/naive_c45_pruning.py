"""Prune by pessimistic errors with subtree raising, and answer, as C4.5 and J48 do (definitions 1.1, 2.2)."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from statistics import NormalDist

from oracle.naive_c45_rules import Rules, exceeds
from oracle.quinlan_tree import (
    Case,
    Grown,
    Question,
    Table,
    Weight,
    class_weights,
    heaviest_class,
    spread,
    total,
)

SLACK = 0.1  # errors by which a smaller tree may be worse
CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


# -- Pessimistic errors -----------------------------------------------------------------------------------


def deviate(rules: Rules) -> float:
    """The normal deviate of the confidence, by Quinlan's table or exactly."""
    if not rules.interpolated_deviate:
        return NormalDist().inv_cdf(1 - rules.confidence)
    i = next(i for i, one in enumerate(CONFIDENCES) if i and rules.confidence <= one)
    low, high = CONFIDENCES[i - 1], CONFIDENCES[i]
    return DEVIATES[i - 1] + (DEVIATES[i] - DEVIATES[i - 1]) * (rules.confidence - low) / (high - low)


def extra_errors(n: float, e: float, rules: Rules) -> float:
    """Errors to add to `e` among `n` cases: the upper limit of the confidence, less e."""
    if rules.confidence > rules.no_extra_above:
        return 0.0
    none = n * (1 - rules.confidence ** (1 / n))
    if e <= rules.no_errors:
        return none
    if e < rules.one_error:
        return none + e * (extra_errors(n, 1.0, rules) - none)
    if e + 0.5 >= n:
        return max(rules.all_wrong * (n - e), rules.least_extra)
    c = deviate(rules) ** 2
    upper = e + 0.5 + c / 2 + sqrt(c * ((e + 0.5) * (1 - (e + 0.5) / n) + c / 4))
    return n * upper / (n + c) - e


def estimate(weights: Sequence[Weight], rules: Rules, label: int | None = None) -> float:
    """The pessimistic errors of a leaf; none where there is no case."""
    whole = float(sum(weights, start=0))
    if whole <= 0:
        return 0.0
    wrong = whole - float(weights[heaviest_class(weights) if label is None else label])
    return wrong + extra_errors(whole, wrong, rules)


# -- Pruning ----------------------------------------------------------------------------------------------


def recounted(node: Grown, table: Table, cases: Sequence[Case], rules: Rules) -> Grown:
    """Give the node with the weights of these cases; without any it stays as it was."""
    if not cases:
        return node
    weights = class_weights(table, cases)
    label = heaviest_class(weights)
    if rules.keep_label_on_tie and weights[node.label] == weights[label]:
        label = node.label
    return replace(node, weight=total(cases), class_weights=weights, label=label)


def leaf_errors(node: Grown, table: Table, cases: Sequence[Case], rules: Rules) -> float:
    """Sum the estimates of the leaves below, with these cases sent down."""
    if not cases:
        return 0.0
    if node.is_leaf:
        return estimate(class_weights(table, cases), rules)
    branches = spread(table, node.question, cases)
    return sum(
        leaf_errors(child, table, branch, rules)
        for child, branch in zip(node.children, branches, strict=True)
    )


def pruned(node: Grown, table: Table, cases: Sequence[Case], rules: Rules) -> Grown:
    """Prune bottom-up: a leaf if that is no worse, else the heaviest child raised if that is no worse."""
    if not cases:
        return replace(node, errors=0.0)
    node = recounted(node, table, cases, rules)
    as_leaf = replace(
        node,
        question=None,
        children=(),
        errors=estimate(node.class_weights, rules),
        gain=None,
        worth=None,
    )
    if node.is_leaf:
        return as_leaf
    branches = spread(table, node.question, cases)
    children = tuple(
        pruned(child, table, branch, rules) for child, branch in zip(node.children, branches, strict=True)
    )
    as_tree = replace(node, children=children, errors=sum(child.errors for child in children))
    sizes = [total(branch) for branch in branches]
    heaviest = max(range(len(sizes)), key=lambda i: (sizes[i], i))
    raised = leaf_errors(children[heaviest], table, cases, rules) if rules.raising else float("inf")

    def no_worse(a: float, b: float) -> bool:
        return not exceeds(a, b + SLACK, rules.score_tolerance)

    if no_worse(as_leaf.errors, raised) and no_worse(as_leaf.errors, as_tree.errors):
        return as_leaf
    if no_worse(raised, as_tree.errors):
        return pruned(children[heaviest], table, cases, rules)
    return as_tree


def without_excluded(node: Grown, excluded: frozenset[tuple[int, int]] = frozenset()) -> Grown:
    """Take out of every group the categories that tests above exclude; a group left empty goes."""
    if node.is_leaf:
        return node
    question = node.question
    if question.kind != "groups":
        return replace(node, children=tuple(without_excluded(child, excluded) for child in node.children))
    column = question.column
    kept = [tuple(v for v in group if (column, v) not in excluded) for group in question.groups]
    every = {(column, value) for group in question.groups for value in group}
    children = [
        without_excluded(child, excluded | (every - {(column, value) for value in group}))
        for child, group in zip(node.children, kept, strict=True)
    ]
    pairs = [(group, child) for group, child in zip(kept, children, strict=True) if group]
    return replace(
        node,
        question=Question(column, "groups", groups=tuple(group for group, _ in pairs)),
        children=tuple(child for _, child in pairs),
    )


def prune(grown: Grown, table: Table, rules: Rules, cases: list[Case] | None = None) -> Grown:
    """Give the pruned tree."""
    return without_excluded(pruned(grown, table, table.cases() if cases is None else cases, rules))


# -- Answers ----------------------------------------------------------------------------------------------


def shares(
    root: Grown, row: Sequence[float | int | None], rules: Rules, *, smoothed: bool = False
) -> list[float]:
    """Give the class shares of a row: an unknown value goes down every branch."""
    found = [0.0] * len(root.class_weights)

    def walk(node: Grown, share: float, above: Grown) -> None:
        if node.is_leaf:
            for k, part in enumerate(leaf_shares(node, above, rules, smoothed=smoothed)):
                found[k] += share * part
            return
        branch = node.question.branch(row[node.question.column])
        if branch is not None:
            walk(node.children[branch], share, node)
            return
        whole = sum(child.weight for child in node.children)
        for child in node.children:
            if child.weight > 0:
                walk(child, share * child.weight / whole, node)

    walk(root, 1.0, root)
    return found


def leaf_shares(leaf: Grown, above: Grown, rules: Rules, *, smoothed: bool) -> list[float]:
    """The class weights over their sum; an empty leaf gives all to its class, or asks the node above."""
    if leaf.weight <= 0 and rules.empty_leaf_knows_parent:
        return [float(k == leaf.label) for k in range(len(leaf.class_weights))]
    weights = leaf.class_weights if leaf.weight > 0 else above.class_weights
    more = 1.0 if smoothed else 0.0
    whole = sum(weights) + more * len(weights)
    return [(weight + more) / whole for weight in weights]


def answer(root: Grown, row: Sequence[float | int | None], rules: Rules) -> int:
    """Give the class of most share, the first on a tie; smoothing does not decide it."""
    return heaviest_class(shares(root, row, rules))
