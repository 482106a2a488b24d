"""Compare two trees fairly where splits may tie.

Two growers that follow the same rules can differ only where two splits are worth the same. So at the first
difference on a path both tests must be proven best for the rows there; below, the trees are about different
rows and each is replayed alone: every test must be best for its rows, every leaf must have a reason.
"""

from dataclasses import dataclass, field

import numpy as np

from oracle.naive_tree import Rules
from oracle.plain_tree import PlainTree, Test
from oracle.scorer import FREE, Bounds, Scorer

EPSILON = np.finfo(float).eps


@dataclass
class Comparison:
    """What walking down two trees together found. Nothing is recorded that was not proven."""

    ties: list[tuple[int, int, int]] = field(default_factory=list)  # depth, node of theirs, node of ours
    noise: list[int] = field(
        default_factory=list
    )  # nodes of ours where their rounding took or refused a worthless split
    pairs: list[tuple[int, int]] = field(default_factory=list)  # nodes, theirs and ours, of the same rows
    parted: int | None = None  # the least depth where the rows were parted differently

    @property
    def same(self) -> bool:
        return not self.ties and not self.noise

    @property
    def same_partition(self) -> bool:
        return self.parted is None


def same_test(a: Test, b: Test, relative: float) -> bool:
    """Say whether two tests are one, the cut up to a relative difference."""
    near = a.cut == b.cut or abs(a.cut - b.cut) <= relative * max(abs(a.cut), abs(b.cut))
    return a.column == b.column and near and a.missing_left == b.missing_left


def check_best(scorer: Scorer, rows: np.ndarray, test: Test, whose: str, bounds: Bounds = FREE) -> None:
    """Fail unless the test is as good as any on these rows."""
    worth, best = scorer.decrease(rows, test, bounds), scorer.best(rows, bounds=bounds).decrease
    assert worth > -np.inf, f"{whose} test {test} of {len(rows)} rows is forbidden"
    assert worth >= best - scorer.scale(rows), (
        f"{whose} test {test} removes {worth!r} of the impurity of {len(rows)} rows; {best!r} is possible"
    )


def check_missing_branch(scorer: Scorer, rows: np.ndarray, test: Test, whose: str) -> None:
    """Fail unless a value never missing here follows the child with more rows, the right one when equal."""
    values = scorer.X[rows, test.column]
    if not np.isnan(values).any():
        n_left = int((values <= test.cut).sum())
        assert test.missing_left == (2 * n_left > len(rows)), (
            f"{whose} test {test}: {n_left} of {len(rows)} rows left"
        )


def reason_for_leaf(
    scorer: Scorer, rules: Rules, rows: np.ndarray, depth: int, bounds: Bounds = FREE
) -> str | None:
    """Say which rule makes a node a leaf; None if none does."""
    weight = scorer.weight(rows)
    reasons = {
        "depth": rules.max_depth is not None and depth >= rules.max_depth,
        "rows": len(rows) < max(rules.min_samples_split, 2 * rules.min_samples_leaf),
        "weight": weight < 2 * scorer.min_weight_leaf,
        "pure": scorer.is_pure(rows),
        "impurity": scorer.loss(rows) / weight <= max(rules.min_impurity, EPSILON),
    }
    if not any(reasons.values()):
        best = scorer.best(rows, bounds=bounds).decrease
        reasons["no cut"] = best == -np.inf
        reasons["small gain"] = best / scorer.total_weight < rules.min_impurity_decrease > 0
    return next((reason for reason, holds in reasons.items() if holds), None)


def is_worthless(scorer: Scorer, rows: np.ndarray, bounds: Bounds = FREE) -> bool:
    """Say whether the best split of these rows removes nothing.

    Such a split is taken (the rows may be told apart further down), by scikit-learn too: it refuses a split
    only if improvement + 2.2e-16 < min_impurity_decrease = 0. But its improvement is a difference of rounded
    numbers that may come out as -4e-16 where it is 0, and then its node stays a leaf. That is rounding, not a
    rule, and it can happen only where the true improvement is 0, which is what is asked here.
    """
    return abs(scorer.best(rows, bounds=bounds).decrease) <= scorer.scale(rows)


def replay(
    tree: PlainTree, scorer: Scorer, rules: Rules, *, whose: str, start=None, leaves: bool = True
) -> None:
    """Fail unless every test from `start` down (node, depth, rows, bounds) is best, a leaf has a reason."""
    stack = [(0, 0, scorer.rows, FREE) if start is None else start]
    while stack:
        i, depth, rows, bounds = stack.pop()
        assert tree.n_rows[i] == len(rows)
        test = tree.tests[i]
        if test is None:
            if leaves:
                reason = reason_for_leaf(scorer, rules, rows, depth, bounds) or (
                    whose == "their" and is_worthless(scorer, rows, bounds)
                )
                assert reason, f"{whose} node {i} of {len(rows)} rows could be split"
            continue
        if scorer.is_pure(rows):
            continue  # the grower took rounding for impurity; what it does below is of no account
        forbidden = reason_for_leaf(scorer, rules, rows, depth, bounds)
        # A cut on its bound may be the only one; whether it is one is for `check_best` to say.
        assert forbidden in (None, "no cut"), f"{whose} node {i} of {len(rows)} rows is split: {forbidden}"
        check_best(scorer, rows, test, whose, bounds)
        check_missing_branch(scorer, rows, test, whose)
        left = test.left(scorer.X[rows, test.column])
        low, high = scorer.bounds_of_children(rows, test, bounds)
        stack += [
            (tree.right[i], depth + 1, rows[~left], high),
            (tree.left[i], depth + 1, rows[left], low),
        ]


def replay_best_first(tree: PlainTree, scorer: Scorer, rules: Rules, *, whose: str) -> bool:
    """Fail unless the tree is one that opening the most useful leaf again and again leads to.

    Gives True where no two nodes were ever worth the same, so that no other tree would do.
    """
    replay(tree, scorer, rules, whose=whose, leaves=False)
    worth, opened, is_only = {}, 0, True
    slack = scorer.tolerance * scorer.loss(scorer.rows)
    bounds = {0: FREE}
    for i, depth, rows in tree.rows_of(scorer.X, scorer.rows):
        if not tree.is_leaf(i):
            parted = scorer.bounds_of_children(rows, tree.tests[i], bounds[i])
            bounds[tree.left[i]], bounds[tree.right[i]] = parted
        if not tree.is_leaf(i) or reason_for_leaf(scorer, rules, rows, depth, bounds[i]) is None:
            worth[i] = scorer.best(rows, bounds=bounds[i]).decrease
    frontier = [0] if 0 in worth else []
    while frontier and opened < rules.max_leaf_nodes - 1:
        best = max(worth[i] for i in frontier)
        ready = [i for i in frontier if not tree.is_leaf(i) and worth[i] >= best - slack]
        is_only &= sum(worth[i] >= best - slack for i in frontier) == 1
        assert ready, f"{whose} tree does not open a node worth {best!r} though it has {opened + 1} leaves"
        frontier.remove(ready[0])
        opened += 1
        frontier += [child for child in (tree.left[ready[0]], tree.right[ready[0]]) if child in worth]
    n_inner = sum(test is not None for test in tree.tests)
    assert n_inner == opened, f"{whose} tree opens {n_inner} nodes, the rule {opened}"
    return is_only


def compare(
    theirs: PlainTree,
    ours: PlainTree,
    scorer: Scorer,
    rules: Rules,
    *,
    cut_tolerance: float,
    below: bool = True,
) -> Comparison:
    """Walk down both trees; fail at a difference that no tie explains.

    `below` also replays both branches from there on, each for itself.
    """
    found = Comparison()
    stack = [(0, 0, 0, scorer.rows, FREE)]
    while stack:
        a, b, depth, rows, bounds = stack.pop()
        their_test, our_test = theirs.tests[a], ours.tests[b]
        assert ours.n_rows[b] == len(rows), f"our node {b} says {ours.n_rows[b]} rows, it has {len(rows)}"
        found.pairs.append((a, b))
        if their_test is None and our_test is None:
            continue
        if our_test is None and scorer.is_pure(rows):
            found.noise.append(
                b
            )  # "a pure node may have impurity 3e-16 and is then split" (definitions.md, 2.4)
            continue
        if their_test is None and is_worthless(scorer, rows, bounds):
            found.noise.append(b)
            found.parted = depth if found.parted is None else min(depth, found.parted)
            if below:
                replay(ours, scorer, rules, whose="our", start=(b, depth, rows, bounds))
            continue
        assert their_test is not None, f"our node {b} of {len(rows)} rows is split, theirs is a leaf"
        assert our_test is not None, f"our node {b} of {len(rows)} rows is a leaf, theirs is split"
        their_left = their_test.left(scorer.X[rows, their_test.column])
        if not same_test(their_test, our_test, cut_tolerance):
            check_best(scorer, rows, their_test, "their", bounds)
            check_best(scorer, rows, our_test, "our", bounds)
            check_missing_branch(scorer, rows, their_test, "their")
            check_missing_branch(scorer, rows, our_test, "our")
            found.ties.append((depth, a, b))
            our_left = our_test.left(scorer.X[rows, our_test.column])
            mirrored = bool((our_left == ~their_left).all())
            # Tests of two columns that part the rows alike may still set other bounds.
            our_bounds, their_bounds = (
                scorer.bounds_of_children(rows, test, bounds) for test in (our_test, their_test)
            )
            is_bound_alike = our_bounds == (their_bounds[::-1] if mirrored else their_bounds)
            if not is_bound_alike or (not mirrored and not (our_left == their_left).all()):
                found.parted = depth if found.parted is None else min(depth, found.parted)
                if below:
                    replay(theirs, scorer, rules, whose="their", start=(a, depth, rows, bounds))
                    replay(ours, scorer, rules, whose="our", start=(b, depth, rows, bounds))
                continue
        else:
            mirrored = False
        low, high = (ours.right[b], ours.left[b]) if mirrored else (ours.left[b], ours.right[b])
        low_bounds, high_bounds = scorer.bounds_of_children(rows, their_test, bounds)
        stack += [(theirs.right[a], high, depth + 1, rows[~their_left], high_bounds)]
        stack += [(theirs.left[a], low, depth + 1, rows[their_left], low_bounds)]
    return found
