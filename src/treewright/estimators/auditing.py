"""The ledger of one node, computed again from the data."""

from dataclasses import replace
from typing import Any

from treewright.engines.local import engine_of
from treewright.errors import ParameterTypeError
from treewright.estimators.base import BaseTree
from treewright.fitting.audit import Auditor
from treewright.model.labelled_rows import LabelledRows
from treewright.model.ledger import Ledger
from treewright.parts.bounds import flag, whole
from treewright.table.match import match


def audit(
    estimator: Any, X: Any, y: Any, node: int = 0, every_cut: bool = False, sample_weight: Any = None
) -> Ledger:
    """Score the candidates of one node of a fitted tree again, from the data.

    The rows are sent down the tree, and at the node every column is scored as it was while the tree grew; the
    tree need not have kept its ledger. With the training table, the figures are those of
    ``estimator.ledger_[node]``, with three exceptions: if pruning raised a branch, more rows reach a node
    than it was grown on; if Release 8's `group_categories` forgot `min_cases`, this cannot be seen at one
    node; and if columns or cuts are drawn at random, `random_state` must have been a number.

    Parameters
    ----------
    estimator : fitted estimator
        One of treewright's.
    X : table
        As for `fit`; usually the training table.
    y : array-like of shape (n_samples,), or str
        The target, or the name of a column of `X`.
    node : int, default=0
        Number of the node; nodes are numbered in pre-order, from 0 at the root.
    every_cut : bool, default=False
        List every cut of every numeric column, even those that a limit forbids, instead of the best one.
    sample_weight : array-like of shape (n_samples,), optional
        As for `fit`.

    Returns
    -------
    Ledger
        The candidates of this node.

    See Also
    --------
    Ledger : The candidates of all nodes, which an estimator keeps with ``keep_ledger=True``.

    Examples
    --------
    >>> import treewright as tw
    >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
    >>> y = ["no", "no", "yes", "yes"]
    >>> tree = tw.DecisionTreeClassifier().fit(X, y)
    >>> print(tw.audit(tree, X, y, every_cut=True))
    node 0, weight 4: asks age <= 41
    rank  column  question  branches                     gain  reason
       2  age     <= 28.5   <= 28.5: 1/0, > 28.5: 1/2  0.1667  age <= 41 is better
       1  age     <= 41     <= 41: 2/0, > 41: 0/2      0.5000  wins
       3  age     <= 52.5   <= 52.5: 2/1, > 52.5: 0/1  0.1667  age <= 41 is better
       4  visits  <= 2.5    <= 2.5: 1/0, > 2.5: 1/2    0.1667  gain 0.167 below 0.500 of `age`
       5  visits  <= 6.5    <= 6.5: 2/1, > 6.5: 0/1    0.1667  tied with visits <= 2.5, later cut
    """
    if not isinstance(estimator, BaseTree):
        raise ParameterTypeError(f"audit takes an estimator of treewright, not {type(estimator).__name__}.")
    estimator = estimator._snapshot()
    rows = estimator._labelled(X, y, sample_weight, "audit")
    node = whole("node", node, at_least=0)
    return auditor_of(estimator, rows).ledger(node, every_cut=flag("every_cut", every_cut))


def auditor_of(estimator: Any, rows: LabelledRows) -> Auditor:
    """Send rows that were read down the tree of a fitted estimator."""
    model = estimator._fitted().model
    table = replace(rows.table, names=model.schema.names, columns=match(rows.table, model.schema), block=None)
    rows = replace(estimator._weighed(rows), table=table, target=rows.target_for(model))
    recipe = estimator._chosen_recipe(rows)
    return Auditor.of(model, rows, recipe, estimator._n_threads(table), engine_of(estimator.engine))
