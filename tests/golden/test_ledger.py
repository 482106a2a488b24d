"""The library's ledgers against every figure that Release 8 and the textbooks print of a node."""

import numpy as np
import pytest

import treewright as tw
import watermelon_figures
from golden import quinlan, traces
from golden.library_learner import frame_of, target_of
from golden.traces import Block, Said
from oracle.quinlan_tree import Table
from treewright import audit
from treewright.model.ledger import Ledger
from treewright.model.ledger_rows import LedgerRow

PRINTED = 0.0005 + 5e-5  # half a unit, and what float32 adds
EXACT = 1e-9
TEXTBOOK = quinlan.GOLDEN / "textbook"
SMALL = [path.stem for path in sorted((quinlan.GOLDEN / "c45r8_trace").glob("*__v3*.txt"))]
NAMES = sorted(path.stem for path in TEXTBOOK.glob("*.json"))
WITH_ID3 = [name for name in NAMES if "id3_tree" in quinlan.read(TEXTBOOK / f"{name}.json")]

pytestmark = pytest.mark.skipif(not SMALL, reason=f"no traces at {quinlan.GOLDEN}")


# -- Release 8, -v 3: every node, every column, every cut


@pytest.mark.parametrize("name", SMALL)
def test_every_figure_of_a_trace_is_in_the_ledger(name):
    table = quinlan.table(name.split("__")[1])
    X, y = frame_of(table), target_of(table)
    tree = tw.C45Classifier(
        min_cases=1 if "m1" in name else 2,
        group_categories="_s_" in name,
        cut_at="middle",
        prune=False,
        collapse=False,
        keep_ledger=True,
    ).fit(X, y)
    looked_into = [number for number in tree.ledger_.nodes if len(tree.ledger_[number])]
    blocks = traces.read(quinlan.GOLDEN / "c45r8_trace" / f"{name}.txt")
    assert len(blocks) == len(looked_into)
    for block, number in zip(blocks, looked_into, strict=True):
        ledger = tree.ledger_[number]
        check_block(block, ledger, tree.tree_.node(number).outcome, table)
        check_cuts(block, audit(tree, X, y, number, every_cut=True), tree.tree_.node(number).outcome)


def check_block(block: Block, ledger: Ledger, classes: tuple[float, ...], table: Table) -> None:
    """Compare what is said of a node with its ledger."""
    said = {one.column: one for one in block.columns}
    for row, column in zip(ledger, table.columns, strict=True):
        if not column.is_number and len(column.categories) == 1:
            continue  # declared `ignore` to the program
        check_column(said.get(row.column), row, np.array(classes))
    if block.best is None:
        assert ledger.winner is None
        return
    name, cut, info, gain, worth = block.best
    winner = ledger.winner
    assert winner.column == name
    assert (cut is None) == (winner.kind != "cut")
    assert cut is None or abs(winner.question.cut - cut) <= PRINTED
    assert abs(winner.split_information - info) <= PRINTED
    assert abs(winner.gain - (winner.cost or 0) - gain) <= PRINTED
    assert abs(winner.score - worth) <= PRINTED
    for row in ledger:
        if row.verdict == "below average":
            assert f"below the average {block.average:.3f}"[:-1] in row.reason


def check_column(said: Said | None, row: LedgerRow, classes: np.ndarray) -> None:
    if said is None:
        assert row.reason == "used above"
    elif said.reason == "no gain":
        assert row.verdict == "no gain" or row.reason in ("constant", "fewer than 2 rows on one side")
    elif said.reason is not None:
        assert row.gain is None
    else:
        assert abs(row.gain - (row.cost or 0) - said.gain) <= PRINTED
        assert abs(row.split_information - said.info) <= PRINTED
        if said.cut is not None:
            assert abs(row.question.cut - said.cut) <= PRINTED
        else:
            unknown, *branches = said.branches
            ours = [branch.outcome for branch in row.branches]
            if row.kind == "sets" or not all(any(weights) for weights in ours):
                # Of a group that nobody is in the program prints the figures of another one.
                branches = [theirs for theirs, mine in zip(branches, ours, strict=True) if any(mine)]
            ours = [mine for mine in ours if any(mine)]
            known = [weights for weights in branches if any(weights)]
            assert np.abs(np.array(ours) - np.array(known)).max() <= 0.05 + 1e-6
            assert np.abs(classes - np.sum(ours, axis=0) - unknown).max() <= 0.05 + 1e-6


def check_cuts(block: Block, ledger: Ledger, classes: tuple[float, ...]) -> None:
    """Compare every cut that is listed; those that a limit forbids are listed by us alone."""
    for said in block.columns:
        if not said.cuts:
            continue
        ours = [row for row in ledger if row.column == said.column and row.verdict != "too few"]
        assert len(ours) == len(said.cuts)
        for row, cut in zip(ours, said.cuts, strict=True):
            assert abs(row.question.cut - cut.middle) <= PRINTED
            assert abs(row.gain - cut.gain) <= PRINTED
            sides = np.array([branch.outcome for branch in row.branches])
            unknown, below, above = cut.branches
            assert np.abs(sides - [below, above]).max() <= 0.05 + 1e-6
            assert np.abs(np.array(classes) - sides.sum(axis=0) - unknown).max() <= 0.05 + 1e-6
            weights = np.array([*sides.sum(axis=1), sum(classes) - sides.sum()])
            shares = weights[weights > 1e-9] / sum(classes)
            assert abs(row.gain / -(shares * np.log2(shares)).sum() - cut.ratio) <= PRINTED


# -- textbooks


@pytest.mark.parametrize("name", NAMES)
def test_the_ledger_has_every_figure_of_the_root(name):
    figures = quinlan.read(TEXTBOOK / f"{name}.json")
    table = quinlan.table(figures["dataset"])
    X, y = frame_of(table), target_of(table)
    by_variant = {
        variant: tw.C45Classifier(variant=variant, min_cases=1, numeric_cost=False, cut_at="middle").fit(X, y)
        for variant in ("textbook", "release8")
    }
    gini = tw.DecisionTreeClassifier(categorical_split="multiway", missing="majority").fit(X, y)
    one = tw.DecisionTreeClassifier(categorical_split="one-vs-rest", missing="majority").fit(X, y)
    books, programs = (audit(each, X, y, every_cut=True) for each in by_variant.values())
    for column in table.columns:
        kept = figures["attributes"][column.name]
        if column.is_number:
            rows = [row for row in books if row.column == column.name]
            assert [row.question.cut for row in rows] == [each["threshold"] for each in kept["candidates"]]
            for row, each in zip(rows, kept["candidates"], strict=True):
                assert row.gain == pytest.approx(each["gain"], abs=EXACT)
            continue
        book, program = books.row(column.name), programs.row(column.name)
        assert book.known == pytest.approx(kept["known_fraction"])
        assert book.gain == pytest.approx(kept["gain"], abs=EXACT)
        assert book.gain / book.known == pytest.approx(kept["gain_known"], abs=EXACT)
        assert program.gain == pytest.approx(kept["gain"], abs=EXACT)
        assert book.split_information == pytest.approx(kept["split_info_known"], abs=EXACT)
        assert program.split_information == pytest.approx(kept["split_info_c45"], abs=EXACT)
        assert program.ratio == pytest.approx(kept["gain_ratio_c45"], abs=EXACT)
        # The stored "textbook" ratio leaves the known share out of the gain.
        assert book.ratio / book.known == pytest.approx(kept["gain_ratio_textbook"], abs=EXACT)
        assert [list(branch.outcome) for branch in book.branches] == list(kept["values"].values())
        multiway = audit(gini, X, y).row(column.name)
        assert multiway.gain / multiway.known == pytest.approx(kept["gini_decrease_multiway"], abs=EXACT)
        best = audit(one, X, y).row(column.name)
        least = min(kept["gini_index_one_vs_rest"].values())
        assert best.gain / best.known == pytest.approx(kept["gini_known"] - least, abs=EXACT)


@pytest.mark.parametrize("name", WITH_ID3)
def test_the_ledger_has_every_gain_of_every_node_of_id3(name):
    figures = quinlan.read(TEXTBOOK / f"{name}.json")
    table = quinlan.table(figures["dataset"])
    tree = tw.ID3Classifier(keep_ledger=True).fit(frame_of(table), target_of(table))
    check_id3(figures["id3_tree"], tree, 0, table)


def check_id3(kept: dict, tree: tw.ID3Classifier, number: int, table: Table) -> None:
    """Compare a node and all below it."""
    node = tree.tree_.node(number)
    ledger = tree.ledger_[number]
    if node.is_leaf:
        assert "split" not in kept
        assert len(ledger) == 0
        assert "a leaf: " in ledger.why(number)
        return
    assert ledger.winner.column == kept["split"]
    for row in ledger:
        if row.column in kept["gains"]:
            gain = 0.0 if row.gain is None else row.gain
            assert gain == pytest.approx(kept["gains"][row.column], abs=EXACT)
        else:
            assert row.reason == "used above"
    categories = table.columns[node.question.column].categories
    for category, child in zip(categories, node.children, strict=True):
        check_id3(kept["children"][category], tree, child, table)


def test_the_formula_reads_as_in_the_book():
    table = quinlan.table("watermelon_20a_density")
    X, y = frame_of(table), target_of(table)
    ledger = tw.C45Classifier(variant="textbook", keep_ledger=True).fit(X, y).ledger_[0]
    first, *_, last = ledger.formula("色泽").splitlines()
    assert first == "Gain(色泽) = 14/17 × (0.9852 − 4/14 × 1 − 6/14 × 0.9183 − 4/14 × 0) = 0.2520"
    gain, _, ratio, _, _ = watermelon_figures.COLUMNS["色泽"]
    assert last == f"GainRatio(色泽) = {gain:.4f} / 1.5567 = {ratio:.4f}"
