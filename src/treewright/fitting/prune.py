"""Prune a grown tree into a new one."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from treewright import parts
from treewright.engines.engine import Grown
from treewright.errors import ParameterError
from treewright.fitting.error_based import prune_by_errors
from treewright.fitting.leaves import as_leaves, with_leaves
from treewright.fitting.pre_pruning import pre_prune
from treewright.fitting.reduced_error import prune_by_held_out
from treewright.fitting.sequence import Sequence
from treewright.fitting.training_errors import collapse, prune_by_expected_errors, prune_pessimistically
from treewright.model.labelled_rows import EncodedRows
from treewright.model.records import Int32
from treewright.model.tree import Tree
from treewright.parts.pruners import Pruner
from treewright.recipes import Recipe

# Rules that need the tree alone, and find the nodes that become leaves.
_BY_THE_TREE: Mapping[type[Pruner], Callable[[Tree, Any], Int32]] = {
    parts.Collapse: collapse,
    parts.Pessimistic: prune_pessimistically,
    parts.MinimumError: prune_by_expected_errors,
}


def prune(
    tree: Tree,
    pruner: Pruner,
    rows: EncodedRows | None = None,
    recipe: Recipe | None = None,
    ends: Int32 | None = None,
) -> Tree:
    """Return the smaller tree that `pruner` prefers; the grown tree is not changed.

    Parameters
    ----------
    tree : Tree
        A grown tree.
    pruner : one of `treewright.parts.pruners`
        The rule.
    rows : EncodedRows, optional
        The training rows, for `ErrorBased`; those held out, for `ReducedError` and `PrePruning`.
    recipe : Recipe, optional
        How the tree was grown, for `ErrorBased`, and for the rules of held-out rows for regression.
    ends : array of int32, optional
        The node in which each training row ends, as in `Grown`, if known.
    """
    refuse_where_rows_stop(tree, pruner)
    if isinstance(pruner, parts.InTurn):
        return prune_in_turn(Grown(tree, ends=ends), pruner.pruners, rows, recipe).tree
    if isinstance(pruner, parts.HeldOutFold):
        return prune(tree, pruner.pruner, rows, recipe)
    if isinstance(pruner, parts.CostComplexity):
        return Sequence.of(tree, pruner.risk, pruner.alpha, pruner.links).at(pruner.alpha)
    if isinstance(pruner, parts.ErrorBased | parts.PrePruning | parts.ReducedError):
        assert rows is not None, "these rules send rows down the tree"
        return _by_rows(tree, pruner, rows, recipe, ends)
    rule = _BY_THE_TREE.get(type(pruner))
    return tree if rule is None else as_leaves(tree, rule(tree, pruner))


def _by_rows(
    tree: Tree,
    pruner: parts.ErrorBased | parts.PrePruning | parts.ReducedError,
    rows: EncodedRows,
    recipe: Recipe | None,
    ends: Int32 | None,
) -> Tree:
    """Apply a rule that sends rows down the tree."""
    if isinstance(pruner, parts.ErrorBased):
        assert recipe is not None, "error-based pruning measures nodes anew"
        return prune_by_errors(tree, pruner, rows, recipe, ends)
    is_median = recipe is not None and isinstance(recipe.leaf_value, parts.Median)
    if isinstance(pruner, parts.PrePruning):
        return pre_prune(tree, rows, of_medians=is_median)
    return prune_by_held_out(tree, pruner, rows, of_medians=is_median)


def prune_in_turn(
    grown: Grown, pruners: Iterable[Pruner], rows: EncodedRows | None, recipe: Recipe | None
) -> Grown:
    """Apply one pruner after the other; the ends of rows stay known as long as nodes only become leaves."""
    for each in pruners:
        refuse_where_rows_stop(grown.tree, each)
        rule = _BY_THE_TREE.get(type(each))
        if rule is not None:
            grown = with_leaves(grown, rule(grown.tree, each))
        else:
            grown = Grown(prune(grown.tree, each, rows, recipe, grown.ends), grown.work)
    return grown


def refuse_where_rows_stop(tree: Tree, pruner: Pruner) -> None:
    """Reject a rule that needs the children of a node to have all of its rows, if some rows stop above."""
    if pruner.of_whole_splits and tree.lets_rows_stop.any():
        raise ParameterError(
            f"{pruner.word or type(pruner).__name__} pruning compares a node with its leaves as if they held "
            "all of its rows, and in this tree rows with missing values stop at inner nodes; use "
            "cost-complexity pruning, or grow the tree with Surrogates(otherwise='majority')."
        )
