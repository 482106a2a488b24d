"""Prune a fitted tree, by every method of `prune`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from treewright.errors import ParameterError, TableError, did_you_mean, listed
from treewright.estimators.base import BaseTree
from treewright.estimators.parameters import choice
from treewright.estimators.targets import tell_if_scaled
from treewright.fitting.folds import scoring_of, table_of, tree_of
from treewright.fitting.judge import Scoring, judge, unit_of
from treewright.fitting.progress import ProgressLine
from treewright.fitting.prune import prune
from treewright.fitting.sequence import Sequence
from treewright.model.labelled_rows import EncodedRows, LabelledRows
from treewright.model.model import Model
from treewright.model.pruning_table import PruningTable
from treewright.model.tree import Tree
from treewright.parts.bounds import one_of, real, whole
from treewright.parts.pruners import METHODS, RISKS, RULES, Method, Pruner
from treewright.table.weights import as_cases

# The options of each method.
OPTIONS: Mapping[str, tuple[str, ...]] = {name: kind.options for name, kind in METHODS.items()}
# The rows that a method prunes by.
_ROWS: Mapping[str | None, str] = {
    "training": "needs the training rows; give them as X and y.",
    "held out": "needs rows held out of fit; give them as X and y.",
    None: "uses the counts of the rows that the tree was grown on, not X and y. Leave them out.",
}


def pruned(
    estimator: BaseTree, method: Method, X: Any, y: Any, sample_weight: Any, options: dict[str, Any]
) -> Model:
    """Return the model with a pruned tree, see `treewright.estimators.reading.ReadableTree.prune`."""
    model = estimator.model_
    grown = model.grown or model.tree
    check_call("prune", method, X, y, sample_weight, options)
    if method == "cost-complexity":
        tree, table = _by_cost(estimator, grown, X, y, sample_weight, options)
        return replace(model, tree=tree, grown=grown, pruning=table)
    pruner, rows = rule_and_rows(estimator, method, X, y, sample_weight, options)
    tree = prune(grown, pruner, rows, estimator._as_grown())
    return replace(model, tree=tree, grown=grown, pruning=None)


def check_call(
    call: str,
    method: Method,
    X: Any,
    y: Any,
    sample_weight: Any,
    options: Mapping[str, Any],
    known: Mapping[str, tuple[str, ...]] = OPTIONS,
) -> None:
    """Reject a method that does not exist, options that it does not have, and incomplete rows."""
    one_of("method", method, known)
    for name in options:
        if name not in known[method]:
            hint = did_you_mean(name, known[method])
            raise ParameterError(
                f"{call}({method!r}) has no option {name!r}; it has {listed(known[method]) or 'none'}.{hint}"
            )
    if (X is None) != (y is None):
        given, absent = ("X", "y") if y is None else ("y", "X")
        raise ParameterError(
            f"{call}({method!r}): {given} was given without {absent}; give both, or neither."
        )
    if X is None and sample_weight is not None:
        raise ParameterError(f"{call}({method!r}): sample_weight was given without X and y.")


def rule_and_rows(
    estimator: BaseTree, method: Method, X: Any, y: Any, sample_weight: Any, options: Mapping[str, Any]
) -> tuple[Pruner, EncodedRows | None]:
    """Return the pruning rule of a call, any but cost-complexity pruning, and the rows that it needs."""
    tree = estimator.model_.tree
    if not tree.is_classifier and "numbers" not in METHODS[method].suits:
        others = " or ".join(repr(name) for name, each in METHODS.items() if "numbers" in each.suits)
        raise ParameterError(
            f"prune({method!r}) counts errors among classes, and this tree predicts numbers; use {others}."
        )
    # Start from the estimator's own constants for such a pruner.
    kind, own = METHODS[method], estimator._as_grown().pruner
    base: Any = next((each for each in getattr(own, "pruners", (own,)) if isinstance(each, kind)), kind())
    pruner: Pruner = replace(base, **options)
    if (X is None) == (pruner.rows is not None):
        raise ParameterError(f"prune({method!r}) {_ROWS[pruner.rows]}")
    if X is None:
        return pruner, None
    return pruner, rows_to_prune_by(estimator, method, estimator._labelled(X, y, sample_weight, "prune by"))


def _by_cost(
    estimator: BaseTree, grown: Tree, X: Any, y: Any, sample_weight: Any, options: dict[str, Any]
) -> tuple[Tree, PruningTable | None]:
    risk = choice("risk", options.get("risk", estimator._risk()), of=RISKS)
    sizes = [name for name in ("alpha", "cp", "leaves") if options.get(name) is not None]
    if len(sizes) + (X is not None) != 1:
        given = listed([*sizes, *["X, y"] * (X is not None)]) or "none"
        raise ParameterError(
            "prune('cost-complexity') takes exactly one of alpha=, cp=, leaves= and held-out X, y; "
            f"given: {given}."
        )
    for name in ("scoring", "rule"):
        if X is None and name in options:
            raise ParameterError(
                f"prune('cost-complexity', {sizes[0]}=...) cannot use {name}=, which says how to choose by "
                "held-out X, y."
            )
    sequence = Sequence.of(grown, risk, links="weakest" if risk == "impurity" else "rpart")
    if sizes == ["leaves"]:
        return sequence.at_most(whole("leaves", options["leaves"], at_least=1)), None
    if sizes:
        price = real(sizes[0], options[sizes[0]], at_least=0.0)
        return sequence.at(price * (sequence.root_risk if sizes == ["cp"] else 1.0)), None
    rule = choice("rule", options.get("rule", "min"), of=RULES)
    scoring = _scoring(estimator, grown, options.get("scoring") or ("loss" if risk == "loss" else "error"))
    rows = estimator._labelled(X, y, sample_weight, "prune by")
    if rule == "1-se":
        with ProgressLine.wanted(estimator.verbose) as line:
            tell_if_scaled(line, rows.weights)
        rows = replace(rows, weights=as_cases(rows.weights))
    encoded = estimator._weighed(rows).encoded(estimator.model_).of_positive_weight()
    judged = judge(encoded, sequence, sequence.alphas, scoring, unit_of(sequence.root_risk))
    root_cost = scoring.at_root(grown) if grown.is_classifier else None
    table = table_of(sequence, judged, rule, root_cost)
    return tree_of(sequence, table), table


def _scoring(estimator: BaseTree, tree: Tree, scoring: Any) -> Scoring:
    """Choose how held-out rows are scored."""
    factors = estimator.model_.factors
    known = ("error", "impurity", "loss") if tree.is_classifier else ("error", "squared_error")
    one_of("scoring", scoring, known)
    if scoring == "loss" and tree.loss is None:
        raise ParameterError("scoring='loss' weighs errors by their loss, and the tree has none.")
    if scoring == "squared_error":
        return Scoring(distance="squared")
    of_class = None if factors is None else np.array(factors)
    return scoring_of(tree, scoring, estimator._as_grown().criterion, of_class)


def rows_to_prune_by(estimator: BaseTree, method: Method, given: LabelledRows) -> EncodedRows:
    """Encode rows with their weights in pruning; error-based pruning needs all rows the tree was grown on."""
    model = estimator.model_
    rows = estimator._weighed(given).encoded(model)
    if model.factors is not None:
        rows = replace(rows, weights=rows.weight_of_each * np.array(model.factors)[rows.targets])
    if method == "error-based":
        n_rows = int(np.count_nonzero(rows.weight_of_each))
        n_grown_on = int((model.grown or model.tree).n_rows[0])
        if n_rows != n_grown_on:
            raise TableError(
                f"prune('error-based') needs the rows that the tree was grown on, {n_grown_on:,} of "
                f"positive weight; X has {n_rows:,}."
            )
    return rows
