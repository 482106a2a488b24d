"""The path of one row down a tree: its splits, the row's values there, where it went and why."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.explain.error_bound import bound_at
from treewright.formatting import format_percent
from treewright.model.model import Model
from treewright.model.questions import Question
from treewright.model.routing import Decisions
from treewright.model.rows import Row
from treewright.schema import Label

Why: TypeAlias = Literal["known", "surrogate", "own branch", "missing branch", "spread"]


@dataclass(frozen=True)
class Step:
    """A split that the row passed.

    Parameters
    ----------
    node : int
        The node.
    depth : int
        Its depth.
    share : float
        Fraction of the row that reached it: 1, unless a value was missing above and all branches were taken.
    column : str
        The column of the split.
    value : str
        The row's value there, as text.
    decided_by : str
        The column that decided: `column` or, if the row has no value there, that of a surrogate.
    why : {"known", "surrogate", "own branch", "missing branch", "spread"}
        Why the row went that way. If its value is missing, a surrogate decides, or such rows have a branch of
        their own, share a branch with other rows, or take every branch.
    reason : str
        The same in words; empty if the value decided.
    taken : tuple of Taken
        The branch that the row took; all branches if it took every one.
    """

    node: int
    depth: int
    share: float
    column: str
    value: str
    decided_by: str
    why: Why
    reason: str
    taken: "tuple[Taken, ...]"

    @property
    def change(self) -> NDArray[np.float64]:
        """The change of the probability of each class, or of the number."""
        return np.asarray(sum(each.change for each in self.taken))

    def __str__(self) -> str:
        where = "; ".join(each.condition for each in self.taken)
        return f"{self.reason or f'{self.column} is {self.value}'} → {where}"


@dataclass(frozen=True)
class Taken:
    """A branch that the row, or a fraction of it, took.

    Parameters
    ----------
    node : int
        The node it leads to.
    share : float
        Fraction of the row that took it.
    condition : str
        The condition for taking it.
    outcome : array
        Prediction of the node: the probability of each class, or a number.
    change : array
        `share` times the difference between this prediction and that of the node above.
    """

    node: int
    share: float
    condition: str
    outcome: NDArray[np.float64]
    change: NDArray[np.float64]


@dataclass(frozen=True)
class Leaf:
    """A leaf that the row, or a fraction of it, reached.

    Parameters
    ----------
    node : int
        Number of the leaf.
    share : float
        Fraction of the row that reached it.
    n_rows : int
        Its training rows.
    weight : float
        Their weight.
    counts : dict of label to float
        Weight of each class; empty if the target is numeric.
    answer : label or float
        Prediction of the leaf.
    impurity : float
        Impurity of its training rows.
    error_bound : float or None
        Upper limit of its error rate, see `treewright.explain.error_bound`. None if the target is numeric or
        the leaf has no training rows.
    """

    node: int
    share: float
    n_rows: int
    weight: float
    counts: dict[Label, float]
    answer: Any
    impurity: float
    error_bound: float | None


def steps_of(model: Model, row: Row, decisions: Decisions) -> Iterator[Step]:
    """List the splits that a row passes, in pre-order."""
    tree, names = model.tree, model.schema.names
    for node in np.flatnonzero((decisions.reach > 0) & (tree.column >= 0)).tolist():
        column, decider = int(tree.column[node]), int(decisions.column[node])
        depth, share = int(tree.depth[node]), float(decisions.reach[node])
        why, reason = _why(model, row, decisions, node)
        taken = tuple(_taken(model, decisions, node))
        yield Step(node, depth, share, names[column], row.text(column), names[decider], why, reason, taken)


def leaves_of(model: Model, decisions: Decisions) -> Iterator[Leaf]:
    """List the leaves that a row reaches."""
    tree, labels = model.tree, model.schema.labels
    for node in np.flatnonzero((decisions.reach > 0) & (tree.column < 0)).tolist():
        code, outcome = int(tree.answer[node]) if labels else 0, tree.outcome[node].tolist()
        counts = dict(zip(labels, outcome, strict=True)) if labels else {}
        answer, bound = (labels[code], bound_at(tree, node, code)) if labels else (outcome[0], None)
        size, impurity = (int(tree.n_rows[node]), float(tree.weight[node])), float(tree.impurity[node])
        yield Leaf(node, float(decisions.reach[node]), *size, counts, answer, impurity, bound)


def _taken(model: Model, decisions: Decisions, node: int) -> Iterator[Taken]:
    tree, question = model.tree, model.tree.inner_question(node)
    if decisions.is_known[node] or decisions.surrogate[node] >= 0 or decisions.branch[node] < 0:
        question = replace(question, missing_branch=-1)  # missing values did not decide: do not name them
    for branch, child in enumerate(tree.children(node)):
        share, outcome = float(decisions.reach[child]), tree.probabilities[child]
        if share > 0:
            change = share * (outcome - tree.probabilities[node])
            yield Taken(child, share, question.describe(model.schema, branch), outcome, change)


def _why(model: Model, row: Row, decisions: Decisions, node: int) -> tuple[Why, str]:
    if decisions.is_known[node]:
        return "known", ""
    tree, schema, question = model.tree, model.schema, model.tree.inner_question(node)
    cause, branch = _cause(row, question), int(decisions.branch[node])
    surrogates = tree.surrogates.of(node, tree.integer_columns)
    if decisions.surrogate[node] >= 0:
        used = surrogates[decisions.surrogate[node]]
        name, value = schema.names[used.question.column], row.text(used.question.column)
        condition = used.describe(schema, branch)
        says = "" if condition == f"{name} = {value}" else f"{condition}, "
        says += f"{format_percent(used.agree)} agreement"
        return "surrogate", f"{cause}: {name} {value} decides instead ({says})"
    if branch < 0:
        return "spread", f"{cause}: every branch gets a share"
    if surrogates:
        return "missing branch", f"{cause}, and no surrogate decides: it takes the heavier branch"
    if question.is_for_missing(branch):
        return "own branch", f"{cause}: such rows have a branch of their own"
    weights = tree.weight[list(tree.children(node))]
    which = "the heavier branch" if weights[branch] == weights.max() else "the branch they took in training"
    return "missing branch", f"{cause}: such rows take {which}"


def _cause(row: Row, question: Question) -> str:
    """Say why the value of a row cannot decide."""
    name, value = row.schema.names[question.column], row.text(question.column)
    if row.is_unseen(question.column):
        return f"{name} {value} did not occur in training"
    if row.code(question.column) is None:
        return f"{name} is missing"
    return f"no training row here had {name} {value}"
