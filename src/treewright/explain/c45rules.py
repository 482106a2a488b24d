"""Rules as C4.5rules makes them: general rules, the best few of each class, in order, with a default class.

Four steps, after Quinlan. Every leaf of the unpruned tree makes a rule, which loses conditions as long as its
expected error does not grow. Of the rules of a class, the subset with the shortest description is kept, the
list of its errors included. Classes are put in order. Rules that do more harm than good are dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.explain.description_length import Lengths, RuleBits, shortest
from treewright.explain.error_bound import CONFIDENCE, error_bound
from treewright.explain.rules import Rule, RuleSet
from treewright.model.conditions import Condition, Path, condition_of, merged
from treewright.model.labelled_rows import EncodedRows
from treewright.model.model import Model
from treewright.model.tree import Tree
from treewright.schema import Schema

LARGEST_ERROR = 0.7  # expected of a rule that is kept


@dataclass(frozen=True)
class _Draft:
    """A rule in the making: its conditions, its class, the expected error, the rows that meet it."""

    leaf: int
    conditions: tuple[Condition, ...]
    answer: int
    error: float
    packed: NDArray[np.uint8]  # a bit for each row, since there may be thousands of rules
    n_rows: int

    @property
    def met(self) -> NDArray[np.bool_]:
        """Whether each row meets it."""
        return np.unpackbits(self.packed, count=self.n_rows).astype(bool)


def c45rules(
    model: Model, rows: EncodedRows, confidence: float = CONFIDENCE, labels: NDArray[Any] | None = None
) -> RuleSet:
    """Make rules of a tree and the rows it was grown on.

    Parameters
    ----------
    model : Model
        A tree of classes; rules start from the tree before it was pruned, where that was kept.
    rows : EncodedRows
        The training rows of positive weight.
    confidence : float
        Confidence of the upper limit of a rule's error.
    labels : array, optional
        The classes in the type in which to return them.

    Returns
    -------
    RuleSet
        In order; the first rule that a row meets predicts, or else the default class.
    """
    tree = model.tree if model.grown is None else model.grown
    drafts = _drafts(tree, model.schema, rows, confidence)
    bits = RuleBits(model.schema, rows.codes)
    kept = {
        answer: _chosen(drafts, bits, rows, answer) for answer in sorted({each.answer for each in drafts})
    }
    ordered, default = _in_order(kept, rows)
    helpful = _without_harm([each for each in ordered if each.error <= LARGEST_ERROR], default, rows)
    rules = [_rule(model.schema, each, rows) for each in helpful]
    return RuleSet(model, rules, "c45rules", default=default, labels=labels)


# -- Fewer conditions -------------------------------------------------------------------------------------


def _drafts(tree: Tree, schema: Schema, rows: EncodedRows, confidence: float) -> list[_Draft]:
    """Make a general rule of every leaf of weight 1 or more; keep each once, if better than the default."""
    steps: dict[int, tuple[Condition, ...]] = {0: ()}
    # Nodes come in pre-order: at a leaf, the first entries are those of its path.
    fails = np.empty((len(tree.levels) - 1, len(rows.targets)), dtype=bool)
    of_classes = rows.weight_of_classes()
    found: dict[Any, _Draft] = {}
    for node in range(tree.n_nodes):
        if node:
            parent = int(tree.parent[node])
            condition = _step(tree, parent, node)
            steps[node] = (*steps[parent], condition)
            fails[len(steps[parent])] = ~condition.meets(rows.codes[condition.column])
        if tree.column[node] >= 0 or tree.weight[node] < 1:
            continue
        answer = int(tree.answer[node])
        default_error = 1 - (float(of_classes[answer]) + 1) / (rows.weight + 2)
        left, error, met = _generalised(fails[: len(steps[node])], answer, rows, confidence, default_error)
        if left and error < default_error:
            conditions = tuple(steps[node][at] for at in left)
            meaning = frozenset(_meaning(schema, each) for each in merged(conditions))
            draft = _Draft(node, conditions, answer, error, np.packbits(met), rows.n_rows)
            found.setdefault((answer, meaning), draft)
    return list(found.values())


def _meaning(schema: Schema, condition: Condition) -> Condition:
    """Give the one form of all conditions that the same values meet."""
    if condition.codes is None:
        return condition
    every = frozenset(range(len(schema.columns[condition.column].categories)))
    return replace(condition, codes=frozenset(filter(condition.takes, every)), named=every)


def _step(tree: Tree, parent: int, node: int) -> Condition:
    """Give the condition of a branch; a missing value meets it only by a branch of its own."""
    condition = condition_of(tree.inner_question(parent), tree.children(parent).index(node))
    has_surrogates = tree.surrogates.begin[parent] < tree.surrogates.begin[parent + 1]
    return replace(condition, missing=False) if has_surrogates else condition


def _generalised(
    fails: NDArray[np.bool_], answer: int, rows: EncodedRows, confidence: float, default_error: float
) -> tuple[list[int], float, NDArray[np.bool_]]:
    """Drop conditions, that of least expected error first, while the rule gets no worse.

    Returns
    -------
    left : list of int
        Positions of the conditions that are left.
    error : float
        The expected error.
    met : array of bool
        The rows that meet them.
    """
    left = list(range(len(fails)))
    wrong_weights = np.where(rows.targets != answer, rows.weight_of_each, 0.0)

    def rates(n: float, errors: float) -> tuple[float, float]:
        """Give the expected error rate of a rule that `n` rows meet, and its rate in training."""
        return (error_bound(n, errors, confidence), errors / n) if n else (default_error, 0.0)

    # For each row the number of conditions that it fails, and the sum of their positions: of one, its own.
    failed = fails.sum(axis=0, dtype=np.int32)
    places = np.arange(len(fails), dtype=np.int32) @ fails
    met = failed == 0
    n, errors = float(rows.weight_of_each[met].sum()), float(wrong_weights[met].sum())
    while left:
        # Without a condition, rows that fail this one alone meet the rule too.
        near = np.flatnonzero(failed == 1)
        of = places[near]
        more = n + np.bincount(of, rows.weight_of_each[near], minlength=len(fails))[left]
        more_wrong = errors + np.bincount(of, wrong_weights[near], minlength=len(fails))[left]
        expected, made = rates(n, errors)
        without = [rates(*each) for each in zip(more.tolist(), more_wrong.tolist(), strict=True)]
        if not any(pessimistic <= expected or raw <= made for pessimistic, raw in without):
            break
        best = min(range(len(left)), key=lambda at: without[at][0])
        n, errors = float(more[best]), float(more_wrong[best])
        dropped = left.pop(best)
        failed -= fails[dropped]
        places -= np.int32(dropped) * fails[dropped]
    return left, rates(n, errors)[0], failed == 0


# -- Fewer rules, in order --------------------------------------------------------------------------------


def _chosen(drafts: Sequence[_Draft], bits: RuleBits, rows: EncodedRows, answer: int) -> list[_Draft]:
    """Choose the rules of a class with the shortest description, exceptions included."""
    mine = [draft for draft in drafts if draft.answer == answer]
    costs = np.array([bits.of_rule(draft.conditions) for draft in mine])
    met = np.array([draft.met for draft in mine]).T
    kept = shortest(Lengths(met, costs, rows.targets == answer, rows.weight_of_each))
    return sorted((mine[at] for at in np.flatnonzero(kept).tolist()), key=lambda draft: draft.error)


def _in_order(kept: dict[int, list[_Draft]], rows: EncodedRows) -> tuple[list[_Draft], int]:
    """Order classes by the errors of their rules on the rows that no earlier rule takes, fewest first."""
    is_open = np.ones(len(rows.targets), dtype=bool)
    waiting = list(kept)
    covers = {answer: np.any([draft.met for draft in drafts], axis=0) for answer, drafts in kept.items()}
    ordered: list[_Draft] = []

    def wrong(answer: int) -> float:
        return float(rows.weight_of_each[is_open & covers[answer] & (rows.targets != answer)].sum())

    while waiting:
        waiting.remove(answer := min(waiting, key=wrong))
        ordered += kept[answer]
        is_open &= ~covers[answer]
    left, whole = rows.weight_of_classes(is_open), rows.weight_of_classes()
    return ordered, max(range(rows.n_classes), key=lambda answer: (left[answer], whole[answer], -answer))


def _without_harm(drafts: list[_Draft], default: int, rows: EncodedRows) -> list[_Draft]:
    """Drop rules without which fewer rows would be wrong, the worst first."""
    left = list(drafts)
    while left and (harm := _harm(left, default, rows)).max() > 0:
        del left[int(harm.argmax())]
    return left


def _harm(drafts: Sequence[_Draft], default: int, rows: EncodedRows) -> NDArray[np.float64]:
    """Weigh for each rule the rows that only it makes wrong, less those that only it makes right."""
    n_rules = len(drafts)
    answers = np.array([*(draft.answer for draft in drafts), default])
    met = np.array([draft.met for draft in drafts] + [np.ones(len(rows.targets), dtype=bool)])
    first = met.argmax(axis=0)
    met[first, np.arange(len(first))] = False
    met[n_rules] = True  # the default class stands after all rules
    second = met.argmax(axis=0)
    is_right, would_be = answers[first] == rows.targets, answers[second] == rows.targets
    change = rows.weight_of_each * (would_be.astype(np.int8) - is_right)
    return np.bincount(first, change, minlength=n_rules + 1)[:n_rules].astype(np.float64, copy=False)


def _rule(schema: Schema, draft: _Draft, rows: EncodedRows) -> Rule:
    of_classes = rows.weight_of_classes(draft.met)
    weight = float(of_classes.sum())
    shares = (of_classes / weight).tolist()
    usual = float(rows.weight_of_classes()[draft.answer]) / rows.weight
    path, confidence = Path(draft.leaf, merged(draft.conditions), ()), shares[draft.answer]
    counts = int(draft.met.sum()), weight, weight / rows.weight
    figures = confidence, confidence / usual if usual else None, draft.error
    return Rule(schema, path, schema.labels[draft.answer], tuple(shares), *counts, *figures)
