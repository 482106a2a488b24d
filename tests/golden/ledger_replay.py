"""Hold the library's ledgers to every figure of a trace of Release 8, following its nodes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import log2

import numpy as np
import pandas as pd
import pytest

from golden.library_learner import frame_of, target_of
from golden.tally import Tally
from golden.trace_replay import PRINTED, Replay, agrees, agrees_by_rounding, column_of
from golden.traces import Block, Said, SaidGroups
from oracle import naive_c45_grouping as grouping
from oracle.naive_c45 import Candidate, Growth, Refusal
from oracle.quinlan_tree import Case, class_weights
from oracle.replay_c45 import ROUNDING
from treewright import C45Classifier, audit
from treewright.model.labelled_rows import EncodedRows
from treewright.model.ledger import Ledger
from treewright.model.ledger_rows import LedgerRow

WEIGHT = 0.05 + 1e-6  # weights have one decimal
NEVER = 1e-6  # a least weight that refuses nothing
Groups = list[tuple[int, ...]]


@dataclass
class LedgerReplay(Replay):
    """A trace being followed; at every node the ledger is compared, figure by figure.

    Where the tree that the library grows is that of the trace, its ledger is the one that was kept while it
    grew. Elsewhere, as float32 breaks ties in the large tables its own way, the node is looked into again
    with the cases that the program had there.
    """

    is_kept: bool = True
    tally: Tally = field(default_factory=Tally)
    n_rounded: int = 0  # figures of columns that float32 judged otherwise

    def __post_init__(self) -> None:
        self.X, self.y = frame_of(self.table), target_of(self.table)
        self.tree = C45Classifier(
            min_cases=self.rules.min_cases,
            group_categories=self.rules.group_categories,
            cut_at="middle",
            pruning=False,
            collapse=False,
            keep_ledger=True,
        ).fit(self.X, self.y)
        self.looked_into = [node for node in self.tree.ledger_.nodes if len(self.tree.ledger_[node])]

    # -- a node

    def columns(self, block: Block, cases: list[Case], tested: frozenset[int]) -> None:
        """Compare all that is said of a node."""
        ledger = self.ledger(cases)
        at = ledger.shown[0] if ledger.shown else 0
        classes = class_weights(self.table, cases)
        self.tally.same(self.n_rows(cases), block.n_cases, 0)
        self.tally.same(float(ledger.arrays.weight[at]), block.weight, WEIGHT)
        rounded = self.of_columns(block, ledger, cases, tested)
        average = float(ledger.arrays.average[at])
        if block.average is not None and rounded:
            self.take_as_rounded(1)  # Replay.choice works it out from the gains that are printed
        elif block.average is not None:
            self.tally.same(average, block.average, PRINTED)
        self.of_best(block, ledger, rounded)
        if block.no_splits is not None:
            assert ledger.winner is None or rounded
            self.tally.all_same([sum(classes), sum(classes) - max(classes)], block.no_splits, WEIGHT)

    def ledger(self, cases: list[Case]) -> Ledger:
        if self.is_kept:
            return self.tree.ledger_[self.number]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(EncodedRows, "leaves", lambda rows, tree, n_threads: self.at_root(cases))
            return audit(self.tree, self.X, self.y)

    @property
    def number(self) -> int:
        """The node of the library's own tree."""
        return self.looked_into[self.at - 1]

    def n_rows(self, cases: list[Case]) -> int:
        return self.tree.tree_.node(self.number).n_rows if self.is_kept else len(cases)

    @staticmethod
    def at_root(cases: list[Case]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Give these cases alone as the rows that come to the root: row, node and fraction, row after row."""
        rows, shares = (np.array(each) for each in zip(*cases, strict=True))
        order = np.argsort(rows, kind="stable")
        return rows[order], np.zeros(len(rows), np.int32), shares[order]

    def of_columns(self, block: Block, ledger: Ledger, cases: list[Case], tested: frozenset[int]) -> set[str]:
        """Compare every column; give those that float32 judged otherwise."""
        said = {one.column: one for one in block.columns}
        rounded = set()
        for number, column in enumerate(self.table.columns):
            if not column.is_number and len(column.categories) == 1:
                continue  # declared `ignore` to the program
            row, mine = ledger.row(column.name), said.get(column.name)
            if mine is None:
                assert row.gain is None
                assert number in tested or self.rules.group_categories
                assert row.reason == "used above" or not self.is_kept
            elif self.is_told(mine, row):
                self.of_column(mine, row, number, cases)
            else:
                self.check_rounding(mine, row, number, cases, tested)
                rounded.add(column.name)
                self.take_as_rounded(sum(figure is not None for figure in (mine.cut, mine.info, mine.gain)))
        return rounded

    def take_as_rounded(self, n_figures: int) -> None:
        """Count figures that were held to what float32 may make of them."""
        self.tally.n += n_figures
        self.n_rounded += n_figures

    def is_told(self, said: Said, row: LedgerRow) -> bool:
        """Say whether a column offers what it offers the program, as far as that is printed."""
        if said.reason is not None:
            return row.gain is None or (said.reason == "no gain" and row.verdict == "no gain")
        return (
            row.gain is not None
            and row.verdict != "no gain"
            and abs(net_gain(row) - said.gain) <= PRINTED
            and abs(row.split_information - said.info) <= PRINTED
            and (said.cut is None or abs(row.question.cut - said.cut) <= PRINTED)
        )

    def check_rounding(
        self, said: Said, row: LedgerRow, number: int, cases: list[Case], tested: frozenset[int]
    ) -> None:
        """What is printed must be right for one way of rounding, what we say for none."""
        assert not self.is_kept, f"block {self.at}: {said}, ours {row}"
        others = [
            Growth(self.table, replace(self.rules, weight_tolerance=tolerance))
            for tolerance in (ROUNDING, -ROUNDING)
        ]
        is_right = any(agrees(said, self.offer(growth, number, cases, tested)) for growth in others)
        if not is_right and self.table.columns[number].is_number:
            is_right = agrees_by_rounding(said, self.table, self.rules, number, cases)
        assert is_right, f"block {self.at}: {said}, ours {row}"
        mine = self.offer(Growth(self.table, self.rules), number, cases, tested)
        if isinstance(mine, Refusal):
            assert row.gain is None or row.verdict == "no gain"
        else:
            self.near(net_gain(row), mine.gain)
            self.near(row.split_information, mine.split_info)

    @staticmethod
    def near(ours: float, oracle: float) -> None:
        assert abs(ours - oracle) <= 1e-6

    @staticmethod
    def offer(growth: Growth, number: int, cases: list[Case], tested: frozenset[int]) -> Candidate | Refusal:
        return next(one for one in growth.offers(cases, tested) if column_of(one) == number)

    # -- a column

    def of_column(self, said: Said, row: LedgerRow, number: int, cases: list[Case]) -> None:
        if said.cuts:
            self.of_cuts(said, cases)
        if said.groups:
            self.of_groups(said, row, number, cases)
            return
        if said.cut is not None:
            self.tally.same(row.question.cut, said.cut, PRINTED)
        if said.info is not None:
            is_refused = said.reason is not None
            self.tally.same(self.info_of(row, number, cases), said.info, PRINTED)
            self.tally.same(-0.001 if is_refused else net_gain(row), said.gain, PRINTED)

    def info_of(self, row: LedgerRow, number: int, cases: list[Case]) -> float:
        """Give the split information, of a question that is refused too."""
        if row.split_information is not None:
            return row.split_information
        each = each_of(self.table.columns[number].categories)
        return info_of(self.alone(number, each, cases))

    def of_cuts(self, said: Said, cases: list[Case]) -> None:
        """Compare every cut that is listed; those that a limit forbids are listed by us alone."""
        classes = np.array(class_weights(self.table, cases))
        every = audit(self.tree, self.X, self.y, self.number, every_cut=True)
        ours = [row for row in every if row.column == said.column and row.verdict != "too few"]
        for row, cut in zip(ours, said.cuts, strict=True):
            self.tally.same(row.question.cut, cut.middle, PRINTED)
            self.tally.same(row.gain, cut.gain, PRINTED)
            sides = np.array([branch.outcome for branch in row.branches])
            self.tally.all_same(
                np.array([classes - sides.sum(axis=0), *sides]).ravel(), np.ravel(cut.branches), WEIGHT
            )
            weights = np.array([*sides.sum(axis=1), classes.sum() - sides.sum()])
            shares = weights[weights > 1e-9] / classes.sum()
            self.tally.same(row.gain / -(shares * np.log2(shares)).sum(), cut.ratio, PRINTED)

    # -- categories, and groups of them

    def of_groups(self, said: Said, row: LedgerRow, number: int, cases: list[Case]) -> None:
        """Compare every step on the way to the groups; the first one has a branch for each category."""
        groups = each = each_of(self.table.columns[number].categories)
        for step in said.groups:
            if step.kind == "united":
                tried = self.united(groups, step, number)
                self.of_step(step, self.alone(number, tried, cases), each_of(tried), cases)
                groups = tried if step.combined else groups
            elif step.kind == "final":
                assert said.reason is None
                self.of_step(step, row, [*row.question.codes], cases)
            else:
                groups = self.pure(number, cases) if step.kind == "pure" else each
                is_whole = len(said.groups) == 1 and row.gain is not None
                mine = row if is_whole else self.alone(number, groups, cases)
                self.of_step(step, mine, each_of(groups), cases)

    def pure(self, number: int, cases: list[Case]) -> Groups:
        column = self.table.columns[number]
        inside, _ = Growth(self.table, self.rules).by_category(number, column, cases)
        heavy = [code for code, weights in enumerate(inside) if sum(weights) > grouping.LIGHT]
        light = [code for code in range(len(inside)) if code not in heavy]
        return grouping.first_groups(inside, heavy) + ([tuple(light)] if light else [])

    def united(self, groups: Groups, step: SaidGroups, number: int) -> Groups:
        codes = [self.table.columns[number].categories.index(label) for label in step.united]
        p, q = (next(at for at, group in enumerate(groups) if code in group) for code in codes)
        if step.combined:
            self.tally.all_same([p + 1, q + 1], step.combined, 0)
        self.tally.same(len(groups) - 1, step.n_groups, 0)
        return grouping.merge(groups, p, q)

    def alone(self, number: int, groups: Groups, cases: list[Case]) -> LedgerRow:
        """Give the row of a column that has these groups for categories, and no limit to refuse it."""
        group_of = {code: at for at, group in enumerate(groups) for code in group}
        rows, weights = zip(*cases, strict=True)
        codes = [group_of.get(self.table.values[number][row], -1) for row in rows]
        column = pd.Series(pd.Categorical.from_codes(codes, [f"{at:04d}" for at in range(len(groups))]))
        stump = C45Classifier(min_cases=NEVER, pruning=False, collapse=False, max_depth=1, keep_ledger=True)
        y = self.y.iloc[[*rows]].reset_index(drop=True)
        stump.fit(pd.DataFrame({"it": column}), y, sample_weight=[*map(float, weights)])
        row = stump.ledger_[0].row("it")
        of_class = {int(label): at for at, label in enumerate(stump.classes_)}
        return replace(
            row,
            branches=tuple(
                replace(
                    branch,
                    outcome=tuple(
                        branch.outcome[of_class[label]] if label in of_class else 0.0
                        for label in range(len(self.table.classes))
                    ),
                )
                for branch in row.branches
            ),
        )

    def of_step(self, step: SaidGroups, row: LedgerRow, groups: Groups, cases: list[Case]) -> None:
        if step.info is not None:
            self.tally.same(info_of(row), step.info, PRINTED)
            self.tally.same(-0.001 if step.gain == -0.001 else row.gain, step.gain, PRINTED)
            if step.gain == -0.001:
                sizes = [branch.weight for branch in row.branches]
                assert sum(size >= self.rules.min_cases - ROUNDING for size in sizes) < 2
        if step.ratio is not None:
            self.tally.same(-0.001 if step.ratio == -0.001 else row.ratio, step.ratio, PRINTED)
        if step.branches:
            self.of_table(step.branches, row, groups, np.array(class_weights(self.table, cases)))

    def of_table(self, said: list[list[float]], row: LedgerRow, groups: Groups, classes: np.ndarray) -> None:
        """Compare the class weights of every branch, those without a value first."""
        ours = np.zeros((len(groups), len(classes)))
        if row.branches:
            place = {code: at for at, group in enumerate(groups) for code in group}
            for branch, mine in zip(row.question.codes, row.branches, strict=True):
                if branch:
                    ours[place[branch[0]]] = mine.outcome
        else:  # of one value: all that is known is in it
            known = [at for at, weights in enumerate(said[1:]) if any(weights)]
            assert len(known) <= 1
            assert abs(row.known - sum(map(sum, said[1:])) / classes.sum()) <= 2 * WEIGHT / classes.sum()
            for at in known:
                ours[at] = classes - said[0]
        self.tally.all_same(classes - ours.sum(axis=0), said[0], WEIGHT)
        for mine, theirs in zip(ours, said[1:], strict=True):
            if not mine.any() and any(theirs):
                # Of a group that nobody is in the program prints the figures of another one.
                assert theirs in [other for other in said[1:] if other is not theirs]
                self.tally.n += len(theirs)
            else:
                self.tally.all_same(mine, theirs, WEIGHT)

    # -- the choice

    def of_best(self, block: Block, ledger: Ledger, rounded: set[str]) -> None:
        if block.best is None:
            return
        name, cut, info, gain, worth = block.best
        row = ledger.row(name)
        if ledger.winner is None or ledger.winner.column != name:
            assert not self.is_kept
            assert rounded or abs(row.score - ledger.winner.score) <= PRINTED
        if name in rounded:
            self.take_as_rounded(3 + (cut is not None))  # Replay.choice holds it to what is printed above
        else:
            if cut is not None:
                self.tally.same(row.question.cut, cut, PRINTED)
            self.tally.same(row.split_information, info, PRINTED)
            self.tally.same(net_gain(row), gain, PRINTED)
            self.tally.same(net_gain(row) / row.split_information, worth, PRINTED)
            assert row.verdict != "won" or abs(row.score - worth) <= PRINTED
        if block.unknown is not None:
            assert block.unknown[0] == name
            self.tally.same(1 - row.known, block.unknown[1], PRINTED)
        for one in ledger:
            if one.verdict == "below average" and not rounded:
                assert f"below the average {block.average:.3f}"[:-1] in one.reason

    def is_collapsed(self, n_cases: int) -> bool:
        found = super().is_collapsed(n_cases)
        self.tally.n += found  # it was compared
        return found


def each_of(categories: Sequence[object]) -> Groups:
    """Give a group for each of some categories."""
    return [(code,) for code in range(len(categories))]


def net_gain(row: LedgerRow) -> float:
    return row.gain - (row.cost or 0.0)


def info_of(row: LedgerRow) -> float:
    """Give the split information; of a column with one value that of known and unknown."""
    if row.split_information is not None:
        return row.split_information
    return -sum(share * log2(share) for share in (row.known, 1 - row.known) if share > 0) + 0.0
