"""Prune by the errors of rows held out, as J48 -R does.

The rows are brought together by class and dealt to the folds like cards; the last fold is held out, the tree
is grown on the others. A subtree is a leaf where that makes no more errors among the rows held out.
"""

from collections.abc import Sequence
from dataclasses import replace

from oracle.naive_c45 import Growth
from oracle.naive_c45_rules import Rules, exceeds
from oracle.quinlan_tree import Case, Grown, Table, class_weights, total


def by_class(target: Sequence[int]) -> list[int]:
    """Bring rows of a class together: each is swapped to the end of the run of its class so far."""
    order = list(range(len(target)))
    end = 1
    while end < len(order):
        label = target[order[end - 1]]
        for j in range(end, len(order)):
            if target[order[j]] == label:
                order[end], order[j] = order[j], order[end]
                end += 1
        end += 1
    return order


def folds(target: Sequence[int], n_folds: int) -> tuple[list[int], list[int]]:
    """Give the rows to grow on and the rows held out."""
    order = by_class(target)
    dealt = [row for start in range(n_folds) for row in order[start::n_folds]]
    size, more = divmod(len(dealt), n_folds)
    first = (n_folds - 1) * size + more
    return dealt[:first], dealt[first:]


def held_out(table: Table, node: Grown, cases: list[Case]) -> list[list[Case]]:
    """Send rows held out down the branches, unknown ones by the weights of the rows grown on."""
    question = node.question
    whole = sum((child.weight for child in node.children), start=0)
    branches: list[list[Case]] = [[] for _ in node.children]
    for row, weight in cases:
        branch = question.branch(table.values[question.column][row])
        if branch is not None:
            branches[branch].append((row, weight))
            continue
        for i, child in enumerate(node.children):
            if child.weight > 0:
                branches[i].append((row, weight * child.weight / whole))
    return branches


def errors_of(table: Table, label: int, cases: list[Case]) -> float:
    return total(cases) - class_weights(table, cases)[label]


def pruned(node: Grown, table: Table, cases: list[Case], rules: Rules) -> tuple[Grown, float]:
    """Give the pruned node and its errors among the rows held out."""
    alone = errors_of(table, node.label, cases)
    if node.is_leaf:
        return node, alone
    children, errors = [], 0.0
    for child, branch in zip(node.children, held_out(table, node, cases), strict=True):
        kept, wrong = pruned(child, table, branch, rules)
        children.append(kept)
        errors += wrong if child.weight > 0 else errors_of(table, node.label, branch)
    if not exceeds(alone, errors, rules.score_tolerance):
        return replace(node, question=None, children=(), gain=None, worth=None), alone
    return replace(node, children=tuple(children)), errors


def grow(table: Table, rules: Rules) -> tuple[Grown, Grown]:
    """Grow on all folds but the last, prune by it; give the tree before and after. Nothing is collapsed."""
    growing, out = folds(table.target, rules.reduced_error_folds)
    root = Growth(table, rules).node([(row, 1.0) for row in growing])
    return root, pruned(root, table, [(row, 1.0) for row in out], rules)[0]
