"""Clean up the groups of categories in a pruned tree: drop the categories that splits above exclude."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from treewright.model.records import begins_of
from treewright.model.tree import Tree


def without_excluded(tree: Tree) -> Tree:
    """Remove from every group the categories that splits above exclude.

    A branch left without categories disappears: no row can reach it.

    Parameters
    ----------
    tree : Tree
        Grown with `treewright.parts.splitters.GroupingSplitter`; left unchanged.

    Returns
    -------
    Tree
        It predicts the same as `tree`.
    """
    excluded: list[Mapping[int, frozenset[int]]] = [{} for _ in range(tree.n_nodes)]  # by column
    is_kept = np.ones(tree.n_nodes, dtype=bool)
    holds = np.ones(len(tree.set_code), dtype=bool)
    branch = tree.set_branch.copy()
    missing_branch = tree.missing_branch.copy()
    for node in range(tree.n_nodes):  # a node comes before its children
        begin, end = tree.set_begin[node], tree.set_begin[node + 1]
        children = tree.children(node)
        if begin == end:
            for child in children:
                excluded[child] = excluded[node]
            continue
        column = int(tree.column[node])
        above = excluded[node].get(column, frozenset())
        codes, to = tree.set_code[begin:end], tree.set_branch[begin:end]
        holds[begin:end] = ~np.isin(codes, [*above])
        groups = [set(codes[holds[begin:end] & (to == at)].tolist()) for at in range(len(children))]
        ruled_out = above.union(*groups)
        for child, group in zip(children, groups, strict=True):
            is_kept[child] = bool(group)
            excluded[child] = {**excluded[node], column: ruled_out - group}
        new_branch = np.cumsum([bool(group) for group in groups], dtype=np.int32) - 1
        branch[begin:end] = new_branch[to]
        if missing_branch[node] >= 0:
            missing_branch[node] = new_branch[missing_branch[node]]
    if holds.all():
        return tree
    kept = np.flatnonzero(is_kept).astype(np.int32)
    new_number = np.cumsum(is_kept, dtype=np.int32) - 1
    n_children = np.bincount(tree.parent[kept[1:]], minlength=tree.n_nodes)[kept]
    below = new_number[tree.child[is_kept[tree.child]]]
    smaller = tree.taken(kept, begins_of(n_children).astype(np.int32), below)
    in_node = np.repeat(np.arange(tree.n_nodes), np.diff(tree.set_begin))
    n_codes = np.bincount(in_node[holds], minlength=tree.n_nodes)[kept]
    return replace(
        smaller,
        set_begin=begins_of(n_codes).astype(np.int32),
        set_code=tree.set_code[holds],
        set_branch=branch[holds],
        missing_branch=np.where(smaller.column < 0, np.int32(-1), missing_branch[kept]),
    )
