"""Rules as C4.5rules makes them: general rules, the best few of each class, in order, with a default class.

There are four steps, after Quinlan. Every leaf of the unpruned tree becomes a rule, from which conditions are
dropped as long as its expected error does not grow. For each class, the subset of its rules with the shortest
description is kept, where the description includes a list of the subset's errors. The classes are put in
order. Rules that do more harm than good are dropped.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.explain.description_length import N_STARTS, Lengths, RuleBits, shortest
from treewright.explain.error_bound import CONFIDENCE
from treewright.explain.rules import Rule, RuleSet
from treewright.model.conditions import Condition, Path, condition_of, merged
from treewright.model.labelled_rows import EncodedRows
from treewright.model.model import Model
from treewright.model.pessimism import quinlans
from treewright.model.tree import Tree
from treewright.schema import Schema

LARGEST_ERROR = 0.7  # largest expected error of a rule that is kept

Progress: TypeAlias = Callable[[int, int, str], None]
"""Called from time to time with the number of steps done, the total, and the name of the steps."""


def _ignore(done: int, of: int, what: str) -> None:
    """Ignore progress."""


@dataclass(frozen=True)
class _Draft:
    """A rule before selection: its conditions, its class, its expected error, the rows that meet it."""

    leaf: int
    conditions: tuple[Condition, ...]
    answer: int
    error: float
    packed: NDArray[np.uint64]  # a bit for each row, since there may be thousands of rules
    n_rows: int

    @property
    def met(self) -> NDArray[np.bool_]:
        """Whether each row meets it."""
        bits = np.unpackbits(self.packed.view(np.uint8), count=self.n_rows, bitorder="little")
        return bits.view(np.bool_)


def c45rules(
    model: Model,
    rows: EncodedRows,
    confidence: float = CONFIDENCE,
    labels: NDArray[Any] | None = None,
    progress: Progress | None = None,
) -> RuleSet:
    """Make rules from a tree and the rows it was grown on.

    Parameters
    ----------
    model : Model
        A classification tree; rules start from the tree before pruning, if that was kept.
    rows : EncodedRows
        The training rows of positive weight.
    confidence : float
        Confidence of the upper limit of a rule's error.
    labels : array, optional
        The classes in the type in which to return them.
    progress : callable, optional
        Called with the number of leaves, and then of searches for the best rules of a class, that are done.

    Returns
    -------
    RuleSet
        In order; the first rule that a row meets predicts, or else the default class.
    """
    tree = model.tree if model.grown is None else model.grown
    tell = progress or _ignore
    drafts = _drafts(tree, model.schema, rows, confidence, tell)
    bits = RuleBits(model.schema, rows.codes)
    answers = sorted({each.answer for each in drafts})

    def tell_searches(at: int, done: int) -> None:
        tell(at * N_STARTS + done, len(answers) * N_STARTS, "searches for the best rules done")

    kept = {
        answer: _chosen(drafts, bits, rows, answer, partial(tell_searches, at))
        for at, answer in enumerate(answers)
    }
    ordered, default = _in_order(kept, rows)
    helpful = _without_harm([each for each in ordered if each.error <= LARGEST_ERROR], default, rows)
    rules = [_rule(model.schema, each, rows) for each in helpful]
    return RuleSet(model, rules, "c45rules", default=default, labels=labels)


# -- Fewer conditions -------------------------------------------------------------------------------------


def _drafts(tree: Tree, schema: Schema, rows: EncodedRows, confidence: float, tell: Progress) -> list[_Draft]:
    """Make a general rule from every leaf of weight 1 or more; keep distinct ones better than the default."""
    conditions: list[Condition] = []  # from the root to the node; `fails` has the rows that fail each
    fails = np.zeros((len(tree.levels) - 1, -(-rows.n_rows // 64)), dtype=np.uint64)
    targets, weights = rows.targets.astype(np.int32, copy=False), rows.weight_of_each
    of_classes, pessimism = rows.weight_of_classes(), quinlans(confidence)
    found: dict[Any, _Draft] = {}
    is_drafted = (tree.column < 0) & (tree.weight >= 1)
    n_done, n_leaves = 0, int(is_drafted.sum())
    for node in range(tree.n_nodes):  # in pre-order
        if node:
            parent = int(tree.parent[node])
            del conditions[int(tree.depth[parent]) :]
            condition = _step(tree, parent, node)
            packed = np.packbits(~condition.meets(rows.codes[condition.column]), bitorder="little")
            fails[len(conditions)].view(np.uint8)[: len(packed)] = packed
            conditions.append(condition)
        if not is_drafted[node]:
            continue
        tell(n_done, n_leaves, "leaves made general")
        n_done += 1
        answer = int(tree.answer[node])
        default_error = 1 - (float(of_classes[answer]) + 1) / (rows.weight + 2)
        given = fails[: len(conditions)], targets, weights, answer, pessimism, default_error
        left, error, met = _core.general_rule(*given)
        if len(left) and error < default_error:
            kept = tuple(conditions[at] for at in left.tolist())
            meaning = frozenset(_canonical(schema, each) for each in merged(kept))
            found.setdefault((answer, meaning), _Draft(node, kept, answer, error, met, rows.n_rows))
    return list(found.values())


def _canonical(schema: Schema, condition: Condition) -> Condition:
    """Return a form that is the same for all conditions that the same values meet."""
    if condition.codes is None:
        return condition
    every = frozenset(range(len(schema.columns[condition.column].categories)))
    return replace(condition, codes=frozenset(filter(condition.takes, every)), named=every)


def _step(tree: Tree, parent: int, node: int) -> Condition:
    """Return the condition of a branch; missing values meet it only if they have a branch of their own."""
    condition = condition_of(tree.inner_question(parent), tree.children(parent).index(node))
    has_surrogates = tree.surrogates.begin[parent] < tree.surrogates.begin[parent + 1]
    return replace(condition, missing=False) if has_surrogates else condition


# -- Fewer rules, in order --------------------------------------------------------------------------------


def _chosen(
    drafts: Sequence[_Draft], bits: RuleBits, rows: EncodedRows, answer: int, tell: Callable[[int], None]
) -> list[_Draft]:
    """Choose the rules of a class with the shortest description, including their exceptions."""
    mine = [draft for draft in drafts if draft.answer == answer]
    costs = np.array([bits.of_rule(draft.conditions) for draft in mine])
    met = np.array([draft.met for draft in mine])
    kept = shortest(Lengths(met, costs, rows.targets == answer, rows.weight_of_each), tell)
    return sorted((mine[at] for at in np.flatnonzero(kept).tolist()), key=lambda draft: draft.error)


def _in_order(kept: dict[int, list[_Draft]], rows: EncodedRows) -> tuple[list[_Draft], int]:
    """Order classes by the errors of their rules on rows that no earlier rule covers, fewest first."""
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
    """Drop the rules without which fewer rows would be wrong, the worst rule first."""
    left = list(drafts)
    while left and (harm := _harm(left, default, rows)).max() > 0:
        del left[int(harm.argmax())]
    return left


def _harm(drafts: Sequence[_Draft], default: int, rows: EncodedRows) -> NDArray[np.float64]:
    """For each rule, weigh the rows that only it gets wrong, minus those that only it gets right."""
    n_rules = len(drafts)
    answers = np.array([*(draft.answer for draft in drafts), default])
    met = np.array([draft.met for draft in drafts] + [np.ones(len(rows.targets), dtype=bool)])
    first = met.argmax(axis=0)
    met[first, np.arange(len(first))] = False
    met[n_rules] = True  # the default class comes after all rules
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
