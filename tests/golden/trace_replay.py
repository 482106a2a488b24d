"""Follow what Release 8 says while it grows a tree, node by node, with the cases that are there.

The cases are sent down the tests the program took, so that a tie broken by float32 ends nothing, and at each
node every column is scored by the oracle. Three decimals are printed, so half a unit of the third is the
tolerance. Where a weight lies within rounding of a limit, or two values 1e-5 apart, float32 may count a cut
or not (definitions.md 2.1): there what is printed must be right for one of the ways.
"""

from dataclasses import dataclass, field, replace
from math import log2

from golden.traces import Block, Said
from oracle.naive_c45 import Candidate, Growth, Refusal, leaf_of
from oracle.naive_c45_rules import EPSILON, Rules
from oracle.quinlan_tree import Case, Question, Table, spread, total
from oracle.replay_c45 import ROUNDING

PRINTED = 0.0005 + 5e-5  # half a unit, and what float32 adds
REASONS = {
    "known": ("insufficient cases",),
    "cut": ("no gain",),
    "branches": ("not two branches", "no known values"),
}


def options(name: str) -> str:
    """Read the command line off a trace's name: golf__v3_s_m1."""
    return name.split("__")[2].replace("_", " -").replace("m1", "m 1").replace("v2", "").replace("v3", "")


@dataclass
class Replay:
    """A trace being followed, depth first, branches in order."""

    table: Table
    rules: Rules
    blocks: list[Block]
    at: int = 0
    wrong: list[str] = field(default_factory=list)
    n_collapsed: dict[int, int] = field(default_factory=dict)  # nodes made leaves, by blocks read by then

    def node(self, cases: list[Case], tested: frozenset[int]) -> float:
        """Follow the trace at a node, and give its errors: leaves by weight or purity are not in it."""
        leaf = leaf_of(self.table, cases)
        least = 2 * self.rules.min_cases
        if leaf.class_weights[leaf.label] == leaf.weight or leaf.weight < least - ROUNDING:
            return leaf.errors
        if leaf.weight < least + ROUNDING and not self.is_next(cases):
            return leaf.errors
        block = self.blocks[self.at]
        self.at += 1
        if not same_cases(block, cases):
            self.wrong.append(f"block {self.at}: {block.n_cases} cases of {block.weight}, ours {len(cases)}")
            return leaf.errors
        self.columns(block, cases, tested)
        self.choice(block)
        if block.best is None:
            return leaf.errors
        question = self.taken(block, cases)
        below = tested | {question.column} if question.kind == "values" else tested
        errors = sum(self.node(branch, below) for branch in spread(self.table, question, cases) if branch)
        is_leaf = self.is_collapsed(len(cases))
        if abs(errors - (leaf.errors - EPSILON)) > ROUNDING and is_leaf != (errors >= leaf.errors - EPSILON):
            self.wrong.append(f"a node of {len(cases)} cases: {errors} errors, {leaf.errors} as a leaf")
        return leaf.errors if is_leaf else errors

    def is_collapsed(self, n_cases: int) -> bool:
        """Say whether, after all below it, a node of so many cases was made a leaf."""
        said = self.blocks[self.at - 1].collapsed[self.n_collapsed.get(self.at, 0) :]
        if not said or said[0] != n_cases:
            return False
        self.n_collapsed[self.at] = self.n_collapsed.get(self.at, 0) + 1
        return True

    def is_next(self, cases: list[Case]) -> bool:
        """Say whether the trace goes on with these cases."""
        return self.at < len(self.blocks) and same_cases(self.blocks[self.at], cases)

    def taken(self, block: Block, cases: list[Case]) -> Question:
        """Give the question the program took."""
        name, cut, *_ = block.best
        number = next(i for i, column in enumerate(self.table.columns) if column.name == name)
        if cut is None:
            growth = Growth(self.table, replace(self.rules, weight_tolerance=ROUNDING))
            (offer,) = (one for one in growth.offers(cases, frozenset()) if column_of(one) == number)
            return offer.question
        cuts = all_cuts(self.table, self.rules, number, cases, generous=True)
        return min(cuts, key=lambda one: abs(one.middle - cut)).question

    def columns(self, block: Block, cases: list[Case], tested: frozenset[int]) -> None:
        """Compare what is printed of every column."""
        said = {one.column: one for one in block.columns}
        growth = Growth(self.table, self.rules)
        growths = [Growth(self.table, replace(self.rules, weight_tolerance=w)) for w in (ROUNDING, -ROUNDING)]
        offers = {column_of(one): one for one in growth.offers(cases, tested)}
        others = [{column_of(one): one for one in growth.offers(cases, tested)} for growth in growths]
        for number, column in enumerate(self.table.columns):
            mine = said.get(column.name)
            if not column.is_number and len(column.categories) == 1:
                continue  # declared `ignore` to the program, which refuses such a column
            agreed = any(agrees(mine, one[number]) for one in (offers, *others))
            if column.is_number and not agreed:
                agreed = agrees_by_rounding(mine, self.table, self.rules, number, cases)
            if not agreed:
                self.wrong.append(f"block {self.at}: {mine}, ours {offers[number]}")

    def choice(self, block: Block) -> None:
        """The average and the winner follow from the figures printed of the columns."""
        offered = [one for one in block.columns if one.reason is None]
        numbers = {one.name: i for i, one in enumerate(self.table.columns)}
        growth = Growth(self.table, self.rules)
        counted = [one.gain for one in offered if growth.is_counted(numbers[one.column])]
        if not counted:
            assert block.best is None
            return
        average = sum(counted) / len(counted)
        assert abs(block.average - average) <= 2 * PRINTED
        if block.best is None:
            return
        name, _, info, gain, worth = block.best
        winner = next(one for one in offered if one.column == name)
        assert (winner.info, winner.gain) == (info, gain)
        assert abs(worth - gain / info) <= PRINTED * (1 + (1 + worth) / info)
        assert gain >= average - EPSILON - 2 * PRINTED
        for one in offered:
            if one.gain >= average - EPSILON + 2 * PRINTED and one.info > EPSILON + PRINTED:
                assert one.gain / one.info <= worth + PRINTED * (1 + (1 + worth) / one.info), one


def column_of(offer: Candidate | Refusal) -> int:
    return offer.question.column if isinstance(offer, Candidate) else offer.column


def all_cuts(
    table: Table, rules: Rules, number: int, cases: list[Case], *, generous: bool
) -> list[Candidate]:
    """List the cuts there may be, or those there must be, without their cost."""
    sign = 1 if generous else -1
    rules = replace(
        rules,
        weight_tolerance=sign * ROUNDING,
        score_tolerance=-1.0,
        gap=rules.gap - sign * 1e-8,
        cost_of_cuts=False,
        every_cut_competes=True,
    )
    offers = Growth(table, rules).cuts(number, cases)
    return [one for one in offers if isinstance(one, Candidate)]


def agrees_by_rounding(said: Said | None, table: Table, rules: Rules, number: int, cases: list[Case]) -> bool:
    """Say whether a printed figure is right if cuts within rounding of a limit count, or do not."""
    if said is None:
        return False
    possible = all_cuts(table, rules, number, cases, generous=True)
    sure = all_cuts(table, rules, number, cases, generous=False)
    costs = [log2(t) / total(cases) for t in range(max(len(sure), 1), len(possible) + 1)]
    if said.reason == "no gain":
        return not sure or max(one.gain for one in sure) - costs[-1] <= PRINTED
    if said.reason == "insufficient cases":
        return not sure
    return any(
        abs(one.middle - said.cut) <= PRINTED
        and abs(one.split_info - said.info) <= PRINTED
        and abs(one.gain - cost - said.gain) <= PRINTED
        for one in possible
        for cost in costs
    )


def same_cases(block: Block, cases: list[Case]) -> bool:
    return block.n_cases == len(cases) and abs(block.weight - total(cases)) <= 0.0501


def agrees(said: Said | None, mine: Candidate | Refusal) -> bool:
    """Compare what was said of a column with what it offers."""
    if isinstance(mine, Refusal):
        return said is None if mine.reason == "tested" else said and said.reason in REASONS[mine.reason]
    if said is None or said.reason is not None:
        return False
    return (
        abs(said.gain - mine.gain) <= PRINTED
        and abs(said.info - mine.split_info) <= PRINTED
        and (said.cut is None or abs(said.cut - mine.middle) <= PRINTED)
    )
