"""Ledgers computed again from the data: the candidates of a node, the comparisons of pruning."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treewright.engines.local import engine_of
from treewright.errors import ParameterError, ParameterTypeError, listed
from treewright.estimators.base import BaseTree
from treewright.estimators.parameters import choice
from treewright.estimators.pruning import OPTIONS, check_call, rows_to_prune_by, rule_and_rows
from treewright.fitting.audit import Auditor
from treewright.fitting.held_out import HeldOut
from treewright.fitting.pruning_audit import comparisons, links
from treewright.model.labelled_rows import EncodedRows, LabelledRows
from treewright.model.ledger import Ledger
from treewright.model.pruning_ledger import PruningLedger
from treewright.parts import CostComplexity, CrossValidated, HeldOutFold, InTurn, NoPruning
from treewright.parts.bounds import flag, whole
from treewright.parts.pruners import METHODS, RISKS, Method, Pruner
from treewright.table.match import match
from treewright.wording import Language, as_language

# The methods that need rows, and the options of all: here cost-complexity pruning does not choose a tree.
NEED_ROWS = frozenset(name for name, kind in METHODS.items() if kind.rows is not None)
PRUNING_OPTIONS: Mapping[str, tuple[str, ...]] = {**OPTIONS, "cost-complexity": ("risk", "after")}


def audit(
    estimator: Any,
    X: Any,
    y: Any,
    node: int = 0,
    every_cut: bool = False,
    sample_weight: Any = None,
    lang: Language = "en",
) -> Ledger:
    """Score the candidates of one node of a fitted tree again, from the data.

    The rows are sent down the tree, and at the node every column is scored as it was while the tree grew; the
    tree need not have kept its ledger. With the training table, the figures are those of
    ``estimator.ledger_[node]``, with three exceptions: if pruning raised a branch, more rows reach a node
    than it was grown on; if Release 8's `group_categories` replaced `min_cases` by 1, this does not show at a
    single node; and if columns or cuts are drawn at random, `random_state` must have been a number.

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
        List every cut of every numeric column, even those that a limit forbids, instead of the best one, and
        the impurity that each leaves: the Gini index Gini(D, A) of textbooks, the conditional entropy, or the
        sum of squares. If categories are split in two, each category against all others is listed after the
        best split of its column, unless values are missing at this node.
    sample_weight : array-like of shape (n_samples,), optional
        As for `fit`.
    lang : {"en", "zh"}, default="en"
        Language in which the ledger prints.

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
    rank  column  question  branches                     Gini    gain  reason
       2  age     <= 28.5   <= 28.5: 1/0, > 28.5: 1/2  0.3333  0.1667  age <= 41 is better
       1  age     <= 41     <= 41: 2/0, > 41: 0/2           0  0.5000  wins
       3  age     <= 52.5   <= 52.5: 2/1, > 52.5: 0/1  0.3333  0.1667  age <= 41 is better
       4  visits  <= 2.5    <= 2.5: 1/0, > 2.5: 1/2    0.3333  0.1667  gain 0.167 below 0.500 of `age`
       5  visits  <= 6.5    <= 6.5: 2/1, > 6.5: 0/1    0.3333  0.1667  tied with visits <= 2.5, later cut
    """
    if not isinstance(estimator, BaseTree):
        raise ParameterTypeError(f"audit takes an estimator of treewright, not {type(estimator).__name__}.")
    estimator = estimator._snapshot()
    rows = estimator._labelled(X, y, sample_weight, "audit")
    node = whole("node", node, at_least=0)
    return auditor_of(estimator, rows).ledger(node, every_cut=flag("every_cut", every_cut)).in_language(lang)


def auditor_of(estimator: Any, rows: LabelledRows) -> Auditor:
    """Send rows that were read down the tree of a fitted estimator."""
    model = estimator._fitted().model
    table = replace(rows.table, names=model.schema.names, columns=match(rows.table, model.schema), block=None)
    rows = replace(estimator._weighed(rows), table=table, target=rows.target_for(model))
    recipe = estimator._chosen_recipe(rows)
    return Auditor.of(model, rows, recipe, estimator._n_threads(table), engine_of(estimator.engine))


def audit_pruning(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    method: Method | None = None,
    sample_weight: Any = None,
    *,
    lang: Language = "en",
    **options: Any,
) -> PruningLedger:
    """List what a pruning rule compares at each node of a fitted tree, and what it decides.

    The rule starts from the tree as it was grown if the estimator keeps it, as C4.5 and CART with pruning do,
    and otherwise from the present tree, as `prune` does. Nothing is pruned.

    Parameters
    ----------
    estimator : fitted estimator
        One of treewright's.
    X : table, optional
        Rows, for the methods that need them, as for `prune`; other methods reject them.
    y : array-like or str, optional
        Their target, or the name of a column of `X`.
    method : str, optional
        A method of `prune`. By default the one that `fit` pruned by; then `X` and `y` are the training rows.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows.
    lang : {"en", "zh"}, default="en"
        Language in which the ledger prints.
    **options : dict
        Options of the method, as for `prune`. ``"cost-complexity"`` has two here: `risk`, and `after`, the
        number of cuts already made (default 0): the prices g(t) are those of the tree that remains then.

    Returns
    -------
    PruningLedger
        A row for each comparison, in order. For cost-complexity pruning, a row for each inner node, with the
        step at which it is cut.

    See Also
    --------
    audit : The candidate splits of one node.
    compare_pruning : How well the trees that the methods produce predict.

    Notes
    -----
    `CARTClassifier` and `CARTRegressor` cut links as rpart does, which measures each link once, bottom up.
    The ledger lists the weakest links as defined in the book, which are nearly always the same.

    Examples
    --------
    >>> import treewright as tw
    >>> columns, target = tw.datasets.load("loan_lihang")
    >>> tree = tw.ID3Classifier().fit(columns, target)
    >>> ledger = tw.audit_pruning(tree, method="cost-complexity", risk="error")
    >>> print(ledger)
    cost-complexity pruning: the price g(t) of a leaf
    cut  node  asks               weight  leaves    R(t)  R(T)    g(t)  cut at  result
      1     0  有自己的房子 = 否      15       3  0.4000     0  0.2000  0.2000  becomes a leaf
            1  有工作 = 否             9       2  0.2000     0  0.2000  0.2000  goes with node 0
    >>> print(ledger.formula(1))
    R(t) = 3/15 = 0.2000
    R(T) = 0 + 0 = 0
    g(1) = (R(t) − R(T)) / (|T| − 1) = (0.2000 − 0) / (2 − 1) = 0.2000
    """
    if not isinstance(estimator, BaseTree):
        raise ParameterTypeError(
            f"audit_pruning takes an estimator of treewright, not {type(estimator).__name__}."
        )
    lang = as_language(lang)
    estimator = estimator._snapshot()
    model = estimator.model_
    tree = model.grown or model.tree
    if method is None:
        pruner, rows = _own_rule(estimator, X, y, sample_weight, options)
    else:
        check_call("audit_pruning", method, X, y, sample_weight, options, PRUNING_OPTIONS)
        if method != "cost-complexity":
            pruner, rows = rule_and_rows(estimator, method, X, y, sample_weight, options)
        elif X is not None:
            raise ParameterError("audit_pruning('cost-complexity') needs no rows; leave X and y out.")
        else:
            risk = choice("risk", options.get("risk", estimator._risk()), of=RISKS)
            pruner, rows = CostComplexity(0.0, risk), None
    if isinstance(pruner, CostComplexity):
        after = whole("after", options.get("after", 0), at_least=0)
        found, total = links(tree, pruner.risk, after)
    else:
        found, total = comparisons(tree, pruner, rows, estimator._as_grown())
    return PruningLedger(model.schema, tree, pruner, found, total, lang)


def _own_rule(
    estimator: Any, X: Any, y: Any, sample_weight: Any, options: Mapping[str, Any]
) -> tuple[Pruner, EncodedRows | None]:
    """Return the rule that an estimator was pruned by when it was fitted, and the rows that it needs."""
    if options:
        raise ParameterError(
            f"audit_pruning: {listed(list(options))} belongs to a method; give method=, too."
        )
    if X is None or y is None:
        raise ParameterError(
            "audit_pruning needs the training rows as X and y to follow the pruning of `fit`; give them, "
            f"or method=, one of {listed(list(METHODS), most=9)}."
        )
    given = estimator._labelled(X, y, sample_weight, "prune by")
    own = estimator._chosen_recipe(estimator._weighed(given)).pruner
    last = own.pruners[-1] if isinstance(own, InTurn) else own
    if estimator.model_.grown is None or isinstance(last, NoPruning):
        raise ParameterError(
            f"this {type(estimator).__name__} keeps no larger tree that `fit` pruned; give method=, one of "
            f"{listed(list(METHODS), most=9)}."
        )
    if isinstance(last, CrossValidated):
        return CostComplexity(0.0, last.risk), None
    is_held_out = isinstance(last, HeldOutFold)
    rows = rows_to_prune_by(estimator, "reduced-error" if is_held_out else "error-based", given)
    if isinstance(last, HeldOutFold):
        return last.pruner, replace(rows, weights=HeldOut.of(rows, last.n_folds).weights)
    return last, rows
