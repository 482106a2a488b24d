"""rpart's pruned trees and cp tables, with the cross-validated errors of the stored groups.

Every result that differs is named below.
"""

from functools import partial

import numpy as np
import pytest

from golden import rpart_stored
from golden.rpart_ours import walk_together
from golden.rpart_pruning import charged, pruned, reversed_columns, ties_in_folds
from golden.rpart_stored import Result
from golden.test_rpart import TIED

STORED = {name: rpart_stored.stored_result(name) for name in rpart_stored.names()}
NAMES = [name for name, stored in STORED.items() if stored["order_stable"]]
LEAVE_ROWS = [name for name in NAMES if rpart_stored.leaves_rows(STORED[name])]
# Trees of folds that ties decide (the stored tree itself has none): what rpart prints for held-out rows.
TIED_IN_FOLDS = (
    "rpart__credit_a__loss_1_5",
    "rpart__cu_summary__cp0_minsplit5",
    "rpart__letter__cp0005_gini",
)

pytestmark = pytest.mark.skipif(not NAMES, reason=f"no stored results at {rpart_stored.RESULTS}")


def stored_table(result: Result) -> np.ndarray:
    names = ["CP", "nsplit", "rel error", "xerror", "xstd"]
    return np.array([[row.get(name, np.nan) for name in names] for row in result.stored["cptable"]])


def own_table(table) -> np.ndarray:
    columns = table.complexity, table.n_leaves - 1, table.relative_error, table.cv_error, table.cv_std
    return np.array(columns, dtype=float).T


@pytest.mark.parametrize("name", NAMES)
def test_the_pruned_tree_and_its_cp_table_are_rparts(name):
    result = rpart_stored.load(name)
    theirs = stored_table(result)
    has_folds = not np.isnan(theirs[:, 3]).any()
    as_rpart = {"judge": partial(charged, as_rpart=True)} if result.leaves_rows else {}
    model, table = pruned(result, with_folds=has_folds, **as_rpart)
    ours = own_table(table)
    assert ours[:, :3] == pytest.approx(theirs[:, :3], abs=1e-7)
    if has_folds and name not in TIED_IN_FOLDS:
        assert ours[:, 3:] == pytest.approx(theirs[:, 3:], abs=1e-7)
    seen = 0
    for node, number in walk_together(result, model):
        assert (node.primary is None) == model.tree.node(number).is_leaf
        assert model.tree.n_rows[number] == node.stored["n"]
        seen += 1
    assert model.tree.n_nodes == result.stored["n_nodes"]
    assert seen == model.tree.n_nodes or name in TIED


@pytest.mark.parametrize("name", LEAVE_ROWS)
def test_held_out_rows_that_stop_are_charged_what_their_node_answers(name):
    result = rpart_stored.load(name)
    _, one_by_one = pruned(result, judge=partial(charged, as_rpart=False))
    _, at_once = pruned(result)
    assert own_table(at_once) == pytest.approx(own_table(one_by_one), rel=1e-9)


@pytest.mark.parametrize("name", TIED_IN_FOLDS)
def test_the_excused_errors_come_from_trees_of_folds_that_ties_decide(name):
    result = rpart_stored.load(name)
    ties = list(ties_in_folds(result))
    assert ties
    for fold, node, first, last in ties:
        print(f"{name}, fold {fold}, node {node}: the first column gains {first!r}, the last {last!r}")
        assert first == pytest.approx(last, rel=1e-12)
    if name == "rpart__letter__cp0005_gini":
        return  # so many that neither order of the columns is rpart's
    _, table = pruned(reversed_columns(result))
    assert own_table(table) == pytest.approx(stored_table(result), abs=1e-7)
