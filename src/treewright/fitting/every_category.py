"""Splits of one category from the others, which an audit lists beside the best split of a column."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from treewright import parts
from treewright.model.labelled_rows import EncodedRows
from treewright.model.ledger_arrays import OTHER_CUT, TOO_FEW, LedgerArrays
from treewright.model.records import Float64, Int32
from treewright.parts.recipe import Recipe
from treewright.table.target import CodedClasses

# Criteria whose gain is the decrease of an impurity that can be computed for any two branches.
_PLAIN = parts.Gini | parts.Entropy | parts.Misclassification | parts.TaylorEntropy | parts.Variance


class _Split(NamedTuple):
    """One category against the others."""

    row: int  # of the best split of the column
    gain: float
    outcome: Float64
    branches: Int32
    verdict: int


def with_every_category(
    arrays: LedgerArrays, rows: EncodedRows, weights: Float64, recipe: Recipe
) -> LedgerArrays:
    """Add the splits of each category from all others to the ledger of a node.

    This covers only columns whose categories are split in two and have no missing values in the node, and
    criteria that are the decrease of an impurity: Gini, entropy, misclassification, Taylor entropy, variance.

    Parameters
    ----------
    arrays : LedgerArrays
        The ledger of the node.
    rows : EncodedRows
        The rows of the audit.
    weights : array of float64
        Weight of each row in the node.
    recipe : Recipe
        How columns are compared.
    """
    is_binary = isinstance(recipe.categorical, parts.SubsetSplitter | parts.OneVsRestSplitter)
    if not is_binary or not isinstance(recipe.criterion, _PLAIN):
        return arrays
    splits = list(_splits(arrays, rows, weights, recipe))
    if not splits:
        return arrays
    source = np.concatenate((np.arange(len(arrays)), [each.row for each in splits])).astype(np.int64)
    order = np.argsort(source, kind="stable")  # after the best split of the column
    taken = arrays.selected("row", source[order])
    for split, at in zip(splits, np.flatnonzero(order >= len(arrays)).tolist(), strict=True):
        taken["gain"][at], taken["verdict"][at] = split.gain, split.verdict
        taken["outcome"][slice(*taken["branch_begin"][at : at + 2])] = split.outcome
        taken["set_branch"][slice(*taken["set_begin"][at : at + 2])] = split.branches
    return replace(arrays, row_begin=np.array([0, len(source)]), **taken)


def _splits(arrays: LedgerArrays, rows: EncodedRows, weights: Float64, recipe: Recipe) -> Iterator[_Split]:
    here = np.flatnonzero(weights)
    for row, column in enumerate(arrays.column.tolist()):
        begin, end = arrays.set_begin[row : row + 2]
        if begin == end or arrays.missing[row]:
            continue
        known, best = arrays.set_code[begin:end], arrays.set_branch[begin:end]
        codes = rows.codes[column][here]
        for code in known.tolist():
            branches = (known != code).astype(np.int32)
            if np.array_equal(branches, best) or np.array_equal(branches, 1 - best):
                continue
            side = (codes != code).astype(np.int64)
            outcome, gain = _scored(rows, here, weights, side, recipe)
            sizes = np.bincount(side, weights[here], 2)
            too_few = np.bincount(side, minlength=2).min() < recipe.limits.min_rows_leaf
            too_few |= sizes.min() < recipe.limits.min_weight_leaf
            yield _Split(row, gain, outcome, branches, TOO_FEW if too_few else OTHER_CUT)


def _scored(
    rows: EncodedRows, here: Any, weights: Float64, side: Any, recipe: Recipe
) -> tuple[Float64, float]:
    """Return the outcome of two branches, and the gain of the split."""
    targets, w = rows.targets[here], weights[here]
    if isinstance(rows.target, CodedClasses):
        n = rows.n_classes
        outcome: Float64 = np.bincount(side * n + targets, w, 2 * n).astype(np.float64).reshape(2, n)
        impurity = recipe.criterion.impurity_of(np.vstack((outcome.sum(axis=0), outcome)))
        sizes = outcome.sum(axis=1)
        return outcome, float(impurity[0] - (sizes * impurity[1:]).sum() / sizes.sum())
    sizes = np.bincount(side, w, 2)
    means = np.bincount(side, w * targets, 2) / sizes
    mean = (sizes * means).sum() / sizes.sum()
    return np.column_stack((sizes, means)), float((sizes * (means - mean) ** 2).sum() / sizes.sum())
