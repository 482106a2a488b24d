"""The ledger of an estimator, and that of one node from the data."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treewright.engines.local import engine_of
from treewright.errors import ParameterTypeError
from treewright.estimators.fitted import Fitted
from treewright.estimators.parameters import flag
from treewright.fitting.audit import Auditor
from treewright.model.labelled_rows import LabelledRows
from treewright.parts.bounds import whole
from treewright.table.match import match

if TYPE_CHECKING:
    from treewright.model.ledger import Ledger


class Auditing(Fitted):
    """What was considered while a tree was grown."""

    @property
    def ledger_(self) -> "Ledger":
        """What every column offered at every node, where `keep_ledger` asked for it."""
        ledger = self._fitted().model.ledger
        if ledger is None:
            raise AttributeError(
                "this tree was fitted without its ledger; fit it with keep_ledger=True, or look into one "
                "node with treewright.audit(estimator, X, y, node)."
            )
        return ledger


def audit(
    estimator: Any, X: Any, y: Any, node: int = 0, every_cut: bool = False, sample_weight: Any = None
) -> "Ledger":
    """Look into one node of a fitted tree again, from the data.

    The rows are sent down the tree, and at the node every column is scored as it was while the tree grew.
    Nothing needs to have been kept. With the table the tree was fitted on, the figures are those of
    ``estimator.ledger_[node]``; but where pruning raised a branch, more rows come to a node than it was grown
    on; and where Release 8's `group_categories` forgets its least weight, a node alone does not tell that.
    Where columns or cuts are drawn at random, `random_state` must have been a number.

    Parameters
    ----------
    estimator : fitted estimator
        One of treewright's.
    X : table
        As for `fit`; as a rule the table the tree was fitted on.
    y : array-like of shape (n_samples,), or str
        The target, or the name of a column of `X`.
    node : int
        Number of the node; nodes are numbered in pre-order, the root is 0.
    every_cut : bool
        List each cut of each numeric column, also those that a limit forbids, instead of the best one.
    sample_weight : array-like of shape (n_samples,), optional
        As for `fit`.

    Returns
    -------
    Ledger
        Of this node.

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
    if not isinstance(estimator, Auditing):
        raise ParameterTypeError(f"audit looks into treewright's trees, and got {type(estimator).__name__}.")
    estimator = estimator._still()
    auditor = auditor_of(estimator, estimator._labelled(X, y, sample_weight, "look into"))
    return auditor.ledger(whole("node", node, at_least=0), every_cut=flag("every_cut", every_cut))


def auditor_of(estimator: Any, rows: LabelledRows) -> Auditor:
    """Send rows that were read down the tree of a fitted estimator."""
    model = estimator._fitted().model
    table = replace(rows.table, names=model.schema.names, columns=match(rows.table, model.schema), block=None)
    rows = replace(estimator._weighed(rows), table=table, target=rows.target_for(model))
    recipe = estimator._recipe(table, rows.weights, rows.target)
    return Auditor.of(model, rows, recipe, estimator._n_threads(table), engine_of(estimator.engine))
