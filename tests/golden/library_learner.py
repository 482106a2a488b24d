"""The library's own estimators behind the door of `learners.py`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from oracle.naive_c45_rules import Rules
from oracle.quinlan_tree import Grown, Question, Table
from treewright import C45Classifier, ID3Classifier
from treewright.model.questions import Branches, Threshold
from treewright.model.tree import Tree

Row = Sequence[float | int | None]


def variant_of(rules: Rules) -> str:
    if rules.every_cut_competes:
        return "textbook"
    return "release8" if rules.interpolated_deviate else "j48"


def frame_of(table: Table, rows: Sequence[Row] | None = None) -> pd.DataFrame:
    """Give the table, or other rows of its columns."""
    columns = table.values if rows is None else list(zip(*rows, strict=True)) or [()] * len(table.columns)
    found: dict[str, Any] = {}
    for column, values in zip(table.columns, columns, strict=True):
        if column.is_number:
            found[column.name] = pd.Series([np.nan if v is None else float(v) for v in values], dtype=float)
        else:
            codes = [-1 if v is None else int(v) for v in values]
            labels = [f"{code:04d} {label}" for code, label in enumerate(column.categories)]
            found[column.name] = pd.Series(pd.Categorical.from_codes(codes, labels))
    return pd.DataFrame(found)


def target_of(table: Table) -> pd.Series:
    return pd.Series(pd.Categorical.from_codes(list(table.target), range(len(table.classes))))


def grown_of(estimator: Any, tree: Tree, table: Table) -> Grown:
    """Give a tree in the form of the oracle's."""
    positions = [int(label) for label in estimator.classes_]
    parameters = estimator.get_params()
    # J48 shows an empty leaf with the first class though it answers as the node above; ours shows its answer.
    of_empty = 0 if parameters.get("variant") == "j48" else None

    def node_of(number: int) -> Grown:
        node = tree.node(number)
        weights = [0.0] * len(table.classes)
        # An empty leaf of J48 shows no weights, one of Release 8 those of the node above it.
        if node.weight > 0 or of_empty is None:
            for position, weight in zip(positions, node.outcome, strict=True):
                weights[position] = weight
        children = tuple(node_of(child) for child in node.children)
        question = None
        if isinstance(node.question, Threshold):
            question = Question(node.question.column, "cut", cut=float(node.question.cut))
        elif isinstance(node.question, Branches):
            groups = node.question.codes
            n_categories = len(table.columns[node.question.column].categories)
            if parameters.get("binary_splits"):
                if len(groups[0]) != 1:
                    groups, children = groups[::-1], children[::-1]
                question = Question(node.question.column, "one value", groups=groups)
            elif parameters.get("group_categories") and n_categories > 2:
                question = Question(node.question.column, "groups", groups=groups)
            elif groups == tuple((code,) for code in range(n_categories)):
                question = Question(node.question.column, "values", groups=groups)
            else:
                question = Question(node.question.column, "groups", groups=groups)
        errors = node.errors
        if errors is None:  # not pruned: those made on the training rows
            errors = (
                sum(child.errors for child in children) if children else max(0.0, node.weight - max(weights))
            )
        inner = question is not None and tree.net_gain is not None
        return Grown(
            weight=node.weight,
            class_weights=tuple(weights),
            label=positions[int(tree.answer[number])] if node.weight or of_empty is None else of_empty,
            question=question,
            children=children,
            errors=errors,
            gain=float(tree.net_gain[number]) if inner else None,
            worth=float(tree.ratio[number]) if inner else None,
        )

    return node_of(0)


@dataclass(frozen=True)
class LibraryFit:
    """A fitted `C45Classifier`."""

    estimator: C45Classifier
    grown: C45Classifier  # the same without pruning
    table: Table

    @property
    def unpruned(self) -> Grown:
        return grown_of(self.grown, self.grown.tree_, self.table)

    @property
    def pruned(self) -> Grown:
        return grown_of(self.estimator, self.estimator.tree_, self.table)

    def _asked(self, pruned: bool) -> C45Classifier:
        return self.estimator if pruned else self.grown

    def shares(self, rows: Sequence[Row], *, pruned: bool) -> list[list[float]]:
        estimator = self._asked(pruned)
        X = frame_of(self.table, rows)
        found = np.zeros((len(rows), len(self.table.classes)))
        observed = [int(label) for label in estimator.classes_]
        found[:, observed] = estimator.predict_proba(X)
        if estimator.laplace and len(observed) < len(self.table.classes):
            # J48 adds 1 for classes that never occur too; ours knows the classes it has seen, and its shares
            # sum up to 1 over them. Told from the weight of the leaf (no cell of these tables is empty).
            assert not X.isna().any(axis=None)
            weight = estimator.tree_.outcome_weight[estimator.apply(X)]
            found *= ((weight + len(observed)) / (weight + found.shape[1]))[:, None]
            unseen = [k for k in range(found.shape[1]) if k not in observed]
            found[:, unseen] = (1 / (weight + found.shape[1]))[:, None]
        return found.tolist()

    def answers(self, rows: Sequence[Row], *, pruned: bool) -> list[int]:
        return [int(each) for each in self._asked(pruned).predict(frame_of(self.table, rows))]


class Library:
    """The library."""

    max_rows = 1_000_000

    def c45(self, table: Table, rules: Rules) -> LibraryFit:
        X, y = frame_of(table), target_of(table)
        estimator = C45Classifier(
            variant=variant_of(rules),
            min_cases=rules.min_cases,
            confidence=rules.confidence,
            pruning=rules.prune,
            subtree_raising=rules.raising,
            collapse=rules.collapse,
            group_categories=rules.group_categories,
            criterion="gain_ratio" if rules.by_ratio else "gain",
            binary_splits=rules.one_against_rest,
            laplace=rules.laplace,
            numeric_cost=rules.cost_of_cuts,
            cut_at="observed" if rules.snap else "middle",
            reduced_error_folds=rules.reduced_error_folds,
        ).fit(X, y)
        grown = C45Classifier(**{**estimator.get_params(), "pruning": False}).fit(X, y)
        return LibraryFit(estimator, grown, table)

    def id3(self, table: Table) -> Grown:
        estimator = ID3Classifier().fit(frame_of(table), target_of(table))
        return grown_of(estimator, estimator.tree_, table)
