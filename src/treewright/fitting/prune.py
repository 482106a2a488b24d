"""Prune a grown tree into a new one."""

from treewright.errors import ParameterError
from treewright.fitting.collapse import collapse
from treewright.fitting.ended import Ended
from treewright.fitting.error_based import prune_by_errors
from treewright.fitting.minimum_error import prune_by_expected_errors
from treewright.fitting.pessimistic import prune_pessimistically
from treewright.fitting.reduced_error import prune_by_held_out
from treewright.fitting.sequence import Sequence
from treewright.model.labelled_rows import EncodedRows
from treewright.model.tree import Tree
from treewright.parts.pruners import (
    Collapse,
    CostComplexity,
    ErrorBased,
    HeldOutFold,
    InTurn,
    MinimumError,
    Pessimistic,
    Pruner,
    ReducedError,
)
from treewright.recipes import Recipe


def prune(
    tree: Tree,
    pruner: Pruner,
    rows: EncodedRows | None = None,
    recipe: Recipe | None = None,
    ended: Ended | None = None,
) -> Tree:
    """Give the smaller tree that `pruner` prefers; the grown one is left as it is.

    Parameters
    ----------
    tree : Tree
        A grown tree.
    pruner : one of `treewright.parts.pruners`
        The rule.
    rows : EncodedRows, optional
        The training rows, for `ErrorBased`; those held out, for `ReducedError`.
    recipe : Recipe, optional
        How the tree was grown, for `ErrorBased`, and for `ReducedError` where it is one of numbers.
    ended : Ended, optional
        Where the training rows ended in the tree that was grown on them, if that is known.
    """
    if pruner.of_whole_splits and tree.lets_rows_stop.any():
        raise ParameterError(
            f"{pruner.word or type(pruner).__name__} pruning compares a node with its leaves as if they held "
            "all of its rows, and in this tree rows with missing values stop at inner nodes; use "
            "cost-complexity pruning, or grow the tree with Surrogates(otherwise='majority')."
        )
    if isinstance(pruner, InTurn):
        for each in pruner.pruners:
            tree = prune(tree, each, rows, recipe, ended)
    elif isinstance(pruner, HeldOutFold):
        tree = prune(tree, pruner.pruner, rows, recipe, ended)
    elif isinstance(pruner, Collapse):
        tree = collapse(tree, pruner)
    elif isinstance(pruner, Pessimistic):
        tree = prune_pessimistically(tree, pruner)
    elif isinstance(pruner, MinimumError):
        tree = prune_by_expected_errors(tree, pruner)
    elif isinstance(pruner, ErrorBased):
        assert rows is not None, "error-based pruning sends the training rows down again"
        assert recipe is not None, "error-based pruning measures nodes anew"
        tree = prune_by_errors(tree, pruner, rows, recipe, ended)
    elif isinstance(pruner, ReducedError):
        assert rows is not None, "reduced-error pruning sends the rows held out down"
        tree = prune_by_held_out(tree, pruner, rows, None if recipe is None else recipe.leaf_value)
    elif isinstance(pruner, CostComplexity):
        tree = Sequence.of(tree, pruner.risk, pruner.alpha, pruner.links).at(pruner.alpha)
    return tree
