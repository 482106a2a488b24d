"""The library's ledgers against every figure that Release 8 and the textbooks print of a node.

Every number of a file is counted, and as many must have been compared: nothing is left out unnoticed.
"""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import treewright as tw
import watermelon_figures
from golden import quinlan, tally, traces
from golden.ledger_replay import LedgerReplay
from golden.library_learner import frame_of, target_of
from golden.tally import Tally
from golden.trace_replay import options
from oracle.quinlan_tree import Table
from treewright import audit
from treewright.model.ledger import Ledger

EXACT = 1e-9
ROUNDED = 0.0005 + EXACT  # a book prints three decimals
TEXTBOOK = quinlan.GOLDEN / "textbook"
TRACES = sorted(path.stem for path in (quinlan.GOLDEN / "c45r8_trace").glob("*.txt"))
NAMES = sorted(path.stem for path in TEXTBOOK.glob("*.json"))
WITH_ID3 = [name for name in NAMES if "id3_tree" in quinlan.read(TEXTBOOK / f"{name}.json")]
# Figures where float32 takes a side of a cut for too light or not, or two values for one (definitions 2.1):
# they are right for one way of rounding, ours for exact arithmetic. All others are ours.
FLOAT32 = {"breast_w": 18, "credit_a": 12, "glass": 56, "hypothyroid": 4, "labor": 5, "titanic": 8}
# Zhou prints 0.109 for a gain of 0.1081.
MISPRINTED = {("watermelon_20", "色泽"), ("watermelon_30", "色泽")}

pytestmark = pytest.mark.skipif(not TRACES, reason=f"no traces at {quinlan.GOLDEN}")


@pytest.mark.parametrize("name", TRACES)
def test_every_figure_of_a_trace_is_in_the_ledger(name):
    dataset = name.split("__")[1]
    path = quinlan.GOLDEN / "c45r8_trace" / f"{name}.txt"
    table = quinlan.table(dataset, ("pgtime",) if dataset == "stagec" else ())
    is_small = "v3" in name
    replay = LedgerReplay(table, quinlan.c45_rules(options(name)), traces.read(path), is_kept=is_small)
    replay.node(table.cases(), frozenset())
    assert replay.wrong == []
    assert replay.at == len(replay.blocks)
    assert replay.n_rounded == FLOAT32.get(dataset, 0)
    assert replay.tally.n == traces.count_figures(path)
    if is_small:
        assert replay.at == len(replay.looked_into)


# -- textbooks


@pytest.mark.parametrize("name", NAMES)
def test_the_ledger_has_every_figure_of_the_root(name):
    figures = quinlan.read(TEXTBOOK / f"{name}.json")
    figures.pop("id3_tree", None)
    root = Root(figures["dataset"])
    root.check_whole(figures)
    for column in root.table.columns:
        check = root.check_numbers if column.is_number else root.check_categories
        check(column.name, figures["attributes"][column.name])
    root.check_published(figures.get("published_3_decimals", {}))
    assert root.tally.n == tally.count_figures(figures)


class Root:
    """The ledgers of a table's root, by all that the books look at."""

    def __init__(self, dataset: str) -> None:
        self.dataset = dataset
        self.table = quinlan.table(dataset)
        self.tally = Tally()
        self.X, self.y = frame_of(self.table), target_of(self.table)
        plain = {"min_cases": 1, "numeric_cost": False, "cut_at": "middle"}
        self.book = self.ledger(tw.C45Classifier(variant="textbook", **plain))
        self.program = self.ledger(tw.C45Classifier(**plain))
        self.every = self.ledger(tw.C45Classifier(variant="textbook", **plain), every_cut=True)
        observed = tw.C45Classifier(variant="textbook", **plain | {"cut_at": "observed"})
        self.observed = self.ledger(observed, every_cut=True)
        gini = tw.DecisionTreeClassifier(categorical_split="multiway", missing="majority")
        self.gini = self.ledger(gini, every_cut=True)

    def ledger(self, estimator: Any, every_cut: bool = False) -> Ledger:
        return audit(estimator.fit(self.X, self.y), self.X, self.y, every_cut=every_cut)

    def check_whole(self, figures: dict[str, Any]) -> None:
        entropy = tw.DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(self.X, self.y).tree_
        gini = tw.DecisionTreeClassifier(max_depth=1).fit(self.X, self.y).tree_
        counts = dict(zip(self.table.classes, entropy.node(0).outcome, strict=True))
        assert counts.keys() == figures["class_counts"].keys()
        self.tally.all_same(
            [counts[label] for label in figures["class_counts"]], figures["class_counts"].values(), 0
        )
        self.tally.same(entropy.impurity[0], figures["entropy"], EXACT)
        self.tally.same(gini.impurity[0], figures["gini"], EXACT)

    def check_categories(self, name: str, kept: dict[str, Any]) -> None:
        book, program, gini = (ledger.row(name) for ledger in (self.book, self.program, self.gini))
        same = self.tally.same
        same(book.known, kept["known_fraction"], EXACT)
        labels = [branch.condition.split(" ", 1)[1] for branch in book.branches]
        assert labels == list(kept["values"])
        for branch in book.branches:
            self.tally.all_same(branch.outcome, kept["values"][branch.condition.split(" ", 1)[1]], 0)
        inside = np.array([branch.outcome for branch in book.branches])
        same(tw.information.entropy(counts=inside.sum(axis=0)), kept["entropy_known"], EXACT)
        assert f"{kept['entropy_known']:.4f} − " in self.book.formula(name)
        same(book.gain / book.known, kept["gain_known"], EXACT)
        same(book.gain, kept["gain"], EXACT)
        assert program.gain == book.gain
        same(book.split_information, kept["split_info_known"], EXACT)
        same(program.split_information, kept["split_info_c45"], EXACT)
        # The stored "textbook" ratio leaves the known share out of the gain.
        same(book.ratio / book.known, kept["gain_ratio_textbook"], EXACT)
        same(program.ratio, kept["gain_ratio_c45"], EXACT)
        before = tw.information.gini(counts=inside.sum(axis=0))
        same(before, kept["gini_known"], EXACT)
        same(before - gini.gain / gini.known, kept["gini_index_multiway"], EXACT)
        same(gini.gain / gini.known, kept["gini_decrease_multiway"], EXACT)
        best = self.check_one_against_rest(name, kept["gini_index_one_vs_rest"], before)
        one = self.ledger(tw.DecisionTreeClassifier(categorical_split="one-vs-rest", missing="majority"))
        assert one.row(name).gain / one.row(name).known == pytest.approx(before - best, abs=EXACT)

    def check_one_against_rest(self, name: str, kept: dict[str, float], before: float) -> float:
        """Ask about each category for itself, and give the least index."""
        values = self.X[name]
        assert [label.split(" ", 1)[1] for label in values.cat.categories] == list(kept)
        for label in values.cat.categories:
            it = pd.DataFrame({"it": (values == label).map({True: "yes", False: "no"}).where(values.notna())})
            tree = tw.DecisionTreeClassifier(categorical_split="one-vs-rest", missing="majority")
            row = audit(tree.fit(it, self.y), it, self.y).row("it")
            self.tally.same(before - row.gain / row.known, kept[label.split(" ", 1)[1]], EXACT)
        return min(kept.values())

    def check_numbers(self, name: str, kept: dict[str, Any]) -> None:
        every, observed, gini = (
            [row for row in ledger if row.column == name] for ledger in (self.every, self.observed, self.gini)
        )
        self.tally.same(every[0].known, kept["known_fraction"], EXACT)
        whole = np.sum([branch.outcome for branch in every[0].branches], axis=0)
        self.tally.same(tw.information.entropy(counts=whole), kept["entropy_known"], EXACT)
        for rows in zip(every, observed, gini, kept["candidates"], strict=True):
            self.check_cut(*rows)
        best = self.program.row(name)  # Release 8 takes the cut of highest gain
        at = [row.question for row in every].index(best.question)
        self.check_cut(best, observed[at], gini[at], kept["best_by_gain"])

    def check_cut(self, row: Any, observed: Any, gini: Any, kept: dict[str, Any]) -> None:
        assert gini.question.cut == row.question.cut
        self.tally.same(row.question.cut, kept["threshold"], 0)
        self.tally.same(observed.question.cut, kept["lower_value"], 0)
        for branch, side in zip(row.branches, ("left", "right"), strict=True):
            self.tally.all_same(branch.outcome, kept[side], 0)
        self.tally.same(row.gain, kept["gain"], EXACT)
        self.tally.same(gini.gain, kept["gini_decrease"], EXACT)

    def check_published(self, kept: dict[str, Any]) -> None:
        if "entropy" in kept:
            tree = tw.DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(self.X, self.y).tree_
            self.tally.same(tree.impurity[0], kept["entropy"], ROUNDED)
        for name, gain in kept.get("gain", {}).items():
            within = 0.001 if (self.dataset, name) in MISPRINTED else ROUNDED
            self.tally.same(self.program.row(name).gain, gain, within)
        for name, cut in kept.get("threshold", {}).items():
            self.tally.same(self.program.row(name).question.cut, cut, ROUNDED)


@pytest.mark.parametrize("name", WITH_ID3)
def test_the_ledger_has_every_figure_of_every_node_of_id3(name):
    figures = quinlan.read(TEXTBOOK / f"{name}.json")
    table = quinlan.table(figures["dataset"])
    tree = tw.ID3Classifier(keep_ledger=True).fit(frame_of(table), target_of(table))
    compared = Tally()
    assert check_id3(figures["id3_tree"], tree, 0, table, compared) == tree.tree_.n_nodes
    assert compared.n == tally.count_figures(figures["id3_tree"])


def check_id3(kept: dict, tree: tw.ID3Classifier, number: int, table: Table, compared: Tally) -> int:
    """Compare a node and all below it; give how many there are."""
    node = tree.tree_.node(number)
    ledger = tree.ledger_[number]
    compared.same(node.n_rows, kept["n"], 0)
    if "counts" in kept:
        counts = dict(zip(table.classes, node.outcome, strict=True))
        compared.all_same([counts[label] for label in kept["counts"]], kept["counts"].values(), 0)
        compared.same(tree.tree_.impurity[number], kept["entropy"], EXACT)
        compared.same(tw.information.gini(counts=[*counts.values()]), kept["gini"], EXACT)
    if node.is_leaf:
        assert "split" not in kept
        assert len(ledger) == 0
        why = "no row reaches it" if "leaf_from_parent" in kept else "all rows have one answer"
        assert ledger.why(number) == f"a leaf: {why}"
        return 1
    assert ledger.winner.column == kept["split"]
    assert [row.column for row in ledger if row.verdict in ("won", "tied")] == kept["tied_attributes"]
    for row in ledger:
        if row.column in kept["gains"]:
            compared.same(0.0 if row.gain is None else row.gain, kept["gains"][row.column], EXACT)
        else:
            assert row.reason == "used above"
    categories = table.columns[node.question.column].categories
    return 1 + sum(
        check_id3(kept["children"][category], tree, child, table, compared)
        for category, child in zip(categories, node.children, strict=True)
    )


def test_the_formula_reads_as_in_the_book():
    table = quinlan.table("watermelon_20a_density")
    X, y = frame_of(table), target_of(table)
    ledger = tw.C45Classifier(variant="textbook", keep_ledger=True).fit(X, y).ledger_[0]
    first, *_, last = ledger.formula("色泽").splitlines()
    assert first == "Gain(色泽) = 14/17 × (0.9852 − 4/14 × 1 − 6/14 × 0.9183 − 4/14 × 0) = 0.2520"
    gain, _, ratio, _, _ = watermelon_figures.COLUMNS["色泽"]
    assert last == f"GainRatio(色泽) = {gain:.4f} / 1.5567 = {ratio:.4f}"
