"""One row down a tree, question by question: where it ends, and how much of it.

Written from what the arrays of a tree mean (`treewright.model.tree.Tree`), one value at a time.
"""

import math

from treewright.missing_values import MISSING_INTEGER


def ends(tree, row):
    """List the leaves that a row reaches with its shares, as (leaf, share), leaves rising.

    `row` holds a float, an int or, for a category, ("code", number) for each column.
    """
    found = []
    parts = [(0, 1.0)]
    while parts:
        node, share = parts.pop()
        branch = None if tree.column[node] < 0 else branch_of(tree, node, row)
        if branch is None or branch == -2:  # a leaf, or the row stops
            found.append((node, share))
            continue
        children = tree.children(node)
        if branch >= 0:
            parts.append((children[branch], share))
            continue
        total = 0.0
        for child in children:
            total += float(tree.weight[child])
        for child in reversed(children):
            if tree.weight[child] > 0:
                parts.append((child, share * (float(tree.weight[child]) / total)))
    return found


def branch_of(tree, node, row):
    """Tell the branch of a row: its own value decides, else the first surrogate that can, else the tree."""
    own = answer(tree, node, row, low_branch=0)
    if own is not None:
        return own
    surrogates = tree.surrogates
    for at in range(surrogates.begin[node], surrogates.begin[node + 1]):
        said = answer(surrogates, at, row, low_branch=int(surrogates.low_branch[at]))
        if said is not None:
            return said
    return int(tree.missing_branch[node])


def answer(questions, at, row, low_branch):
    """Answer a question about one column; None where the row has no value, or a category without a branch."""
    value = row[int(questions.column[at])]
    if isinstance(value, tuple):
        begin, end = questions.set_begin[at], questions.set_begin[at + 1]
        for code, branch in zip(questions.set_code[begin:end], questions.set_branch[begin:end], strict=True):
            if code == value[1]:
                return int(branch)
        return None
    if isinstance(value, int):
        if value == MISSING_INTEGER:
            return None
        is_low = value <= int(questions.cut_integer[at])
    else:
        if math.isnan(value):
            return None
        is_low = value <= float(questions.cut[at])
    return low_branch if is_low else 1 - low_branch


def heaviest(found):
    """Give the leaf with the largest share, the first of equals."""
    return max(found, key=lambda part: (part[1], -part[0]))[0]


def mixture(found, of_nodes):
    """Put together what leaves say of a row, in their proportions."""
    if len(found) == 1:
        return list(of_nodes[found[0][0]])
    mixed = [0.0] * len(of_nodes[0])
    for leaf, share in found:
        mixed = [sum_ + share * value for sum_, value in zip(mixed, of_nodes[leaf], strict=True)]
    return mixed
