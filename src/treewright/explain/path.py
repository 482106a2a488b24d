"""The way of one row down a tree: what was asked, what the row answered, where it went and why."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.explain.error_bound import error_bound
from treewright.formatting import format_percent
from treewright.model.model import Model
from treewright.model.questions import Branches, Question, Threshold
from treewright.model.routing import Decisions
from treewright.model.rows import Row
from treewright.schema import Classes, Label

Why: TypeAlias = Literal["known", "surrogate", "own branch", "missing branch", "spread"]


@dataclass(frozen=True)
class Step:
    """One question that was asked of the row.

    Parameters
    ----------
    node : int
        Where it was asked.
    depth : int
        Questions asked before it on the same way.
    share : float
        How much of the row came there: 1, unless a value is missing and the row was spread above.
    column : str
        The column asked about.
    value : str
        What the row has there, in words.
    decided_by : str
        The column that decided: `column` or, where the row has no value there, that of a surrogate.
    why : {"known", "surrogate", "own branch", "missing branch", "spread"}
        Why it went that way: its value says so; a surrogate was asked, since there is no value; rows without
        a value have a branch of their own; they share one with others; they go down every branch.
    reason : str
        The same in words; empty where its value says so.
    taken : tuple of Taken
        The branch the row took, or all of them where it was spread.
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
        """What the step added to the probability of each class, or to the number."""
        return np.asarray(sum(each.change for each in self.taken))

    def __str__(self) -> str:
        where = "; ".join(each.condition for each in self.taken)
        return f"{self.reason or f'{self.column} is {self.value}'} → {where}"


@dataclass(frozen=True)
class Taken:
    """A branch that the row, or a share of it, took.

    Parameters
    ----------
    node : int
        The node it leads to.
    share : float
        How much of the row went there.
    condition : str
        Which rows take it.
    outcome : array
        What the node says: the probability of each class, or a number.
    change : array
        Share × (what the node says − what the one above it says).
    """

    node: int
    share: float
    condition: str
    outcome: NDArray[np.float64]
    change: NDArray[np.float64]


@dataclass(frozen=True)
class Leaf:
    """A leaf that the row, or a share of it, ended in.

    Parameters
    ----------
    node : int
        Its number.
    share : float
        How much of the row is there.
    n_rows : int
        Training rows there.
    weight : float
        Their weight.
    counts : dict of label to float
        Weight of each class; empty where the target is a number.
    answer : label or float
        What the leaf says.
    impurity : float
        Of its training rows.
    error_bound : float or None
        How often it must be expected to be wrong, at worst: see `treewright.explain.error_bound`. None where
        the target is a number, and where no training row came.
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
    """List the questions asked of a row, in pre-order."""
    tree, schema, reach = model.tree, model.schema, decisions.reach
    for node in np.flatnonzero((reach > 0) & (tree.column >= 0)).tolist():
        column = int(tree.column[node])
        why, reason = _why(model, row, decisions, node)
        yield Step(
            node=node,
            depth=int(tree.depth[node]),
            share=float(reach[node]),
            column=schema.names[column],
            value=row.text(column),
            decided_by=schema.names[decisions.column[node]],
            why=why,
            reason=reason,
            taken=tuple(_taken(model, decisions, node, why)),
        )


def leaves_of(model: Model, decisions: Decisions) -> Iterator[Leaf]:
    """List the leaves that a row ends in."""
    tree, target = model.tree, model.schema.target
    for node in np.flatnonzero((decisions.reach > 0) & (tree.column < 0)).tolist():
        is_class = isinstance(target, Classes)
        answer = int(tree.answer[node]) if is_class else 0
        yield Leaf(
            node=node,
            share=float(decisions.reach[node]),
            n_rows=int(tree.n_rows[node]),
            weight=float(tree.weight[node]),
            counts=dict(zip(target.labels, tree.outcome[node].tolist(), strict=True))
            if isinstance(target, Classes)
            else {},
            answer=target.labels[answer] if isinstance(target, Classes) else float(tree.outcome[node, 0]),
            impurity=float(tree.impurity[node]),
            error_bound=bound_at(model, node, answer) if is_class else None,
        )


def bound_at(model: Model, leaf: int, answer: int) -> float | None:
    """Tell how often a class must be expected to be wrong in a leaf, at worst; None where no row came."""
    if not model.tree.n_rows[leaf]:
        return None
    weights = model.tree.outcome[leaf]
    weight = float(weights.sum())
    return error_bound(weight, weight - float(weights[answer]))


def _taken(model: Model, decisions: Decisions, node: int, why: Why) -> Iterator[Taken]:
    tree = model.tree
    question = tree.question(node)
    assert question is not None, "a node with children asks something"
    if why in ("known", "surrogate", "spread"):
        question = replace(question, missing_branch=-1)  # nothing to be said of missing values
    for branch, child in enumerate(tree.children(node)):
        share = float(decisions.reach[child])
        if share > 0:
            change = share * (tree.probabilities[child] - tree.probabilities[node])
            condition = question.describe(model.schema, branch)
            yield Taken(child, share, condition, tree.probabilities[child], change)


def _why(model: Model, row: Row, decisions: Decisions, node: int) -> tuple[Why, str]:
    if decisions.is_known[node]:
        return "known", ""
    tree, schema = model.tree, model.schema
    question = tree.question(node)
    assert question is not None, "a node with children asks something"
    cause = _cause(row, question)
    branch = int(decisions.branch[node])
    surrogates = tree.surrogates.of(node, tree.integer_columns)
    if decisions.surrogate[node] >= 0:
        asked = surrogates[decisions.surrogate[node]]
        name, has = schema.names[asked.question.column], row.text(asked.question.column)
        condition = asked.describe(schema, branch)
        says = "" if condition == f"{name} = {has}" else f"{condition}, "
        return (
            "surrogate",
            f"{cause}: {name} {has} decides instead ({says}{format_percent(asked.agree)} agreement)",
        )
    if branch < 0:
        return "spread", f"{cause}: every branch gets a share"
    if surrogates:
        return "missing branch", f"{cause}, nor does a surrogate help: it takes the heavier branch"
    if _is_own(question, branch):
        return "own branch", f"{cause}: such rows have a branch of their own"
    weights = [tree.weight[child] for child in tree.children(node)]
    which = "the heavier branch" if weights[branch] == max(weights) else "the branch they took in training"
    return "missing branch", f"{cause}: such rows take {which}"


def _cause(row: Row, question: Question) -> str:
    """Say why a value cannot answer."""
    name, value = row.schema.names[question.column], row.text(question.column)
    if row.is_unseen(question.column):
        return f"{name} {value} was not there in training"
    if row.code(question.column) is None:
        return f"{name} is missing"
    return f"no training row here had {name} {value}"


def _is_own(question: Question, branch: int) -> bool:
    """Whether only rows without a value take a branch."""
    if isinstance(question, Branches):
        return not question.codes[branch]
    assert isinstance(question, Threshold), "there are two kinds of question"
    return branch > 1 or question.cut == np.inf
