"""The local engine: parts in the core's words."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from samples import sample, training_set
from treewright import _core
from treewright.engines.local import CORE_WORDS, LocalEngine
from treewright.errors import ParameterError
from treewright.parts.criteria import Entropy, Gini, Variance
from treewright.parts.limits import Limits
from treewright.parts.part import Part
from treewright.recipes import CART_CLASSES, CART_NUMBERS
from treewright.table.target import CodedClasses

COLUMN = np.array([1.0, 2.0, np.nan, 4.0])
CLASSES = CodedClasses(np.array([0, 0, 1, 1], dtype=np.int32), np.array(["no", "yes"]))
NUMBERS = np.array([0.0, 0.0, 1.0, 1.0])


def test_the_engine_counts_missing_values():
    assert sample([COLUMN], CLASSES).n_missing.tolist() == [1]


def test_the_engine_finds_an_infinite_value():
    columns = [COLUMN, np.array([0.0, 1.0, np.inf, 0.0])]
    assert sample(columns, CLASSES).first_infinite == (1, 2)
    assert sample([COLUMN], CLASSES).first_infinite is None


def test_the_engine_grows_a_tree_of_classes():
    tree = sample([COLUMN], CLASSES).grow(CART_CLASSES).tree
    assert tree.is_classifier
    assert tree.outcome.tolist() == [[2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]


def test_the_engine_grows_a_tree_of_numbers():
    tree = sample([COLUMN], NUMBERS).grow(CART_NUMBERS).tree
    assert not tree.is_classifier
    assert tree.outcome[:, 0].tolist() == [0.5, 0.0, 1.0]


def test_limits_reach_the_core():
    recipe = replace(CART_CLASSES, limits=Limits(min_rows_leaf=3))
    assert sample([COLUMN], CLASSES).grow(recipe).tree.n_nodes == 1


def test_a_limit_beyond_32_bits_is_no_limit():
    recipe = replace(CART_CLASSES, limits=Limits(max_depth=2**40, max_leaves=2**40))
    assert sample([COLUMN], CLASSES).grow(recipe).tree.n_nodes == 3


def test_columns_of_integers_are_remembered():
    tree = sample([COLUMN, np.array([4, 3, 2, 1])], CLASSES).grow(CART_CLASSES).tree
    assert tree.integer_columns == (1,)


def test_every_seam_has_words_for_different_parts():
    for words in CORE_WORDS.values():
        assert len(set(words.values())) == len(words)


@pytest.mark.parametrize(
    ("target", "criterion"), [(CLASSES, Variance()), (NUMBERS, Gini()), (NUMBERS, Entropy())]
)
def test_a_criterion_must_suit_the_target(target, criterion):
    with pytest.raises(ParameterError, match=r"does not suit a target of .*; use"):
        LocalEngine().check(replace(CART_CLASSES, criterion=criterion), isinstance(target, CodedClasses))


@pytest.mark.parametrize("seam", ["criterion", "missing", "order", "ranking"])
def test_an_unknown_part_is_refused_by_its_seam(seam):
    @dataclass(frozen=True)
    class Novelty(Part):
        pass

    with pytest.raises(ParameterError, match=f"engine 'local' does not know {seam}=.*Novelty"):
        LocalEngine().check(replace(CART_CLASSES, **{seam: Novelty()}), of_classes=True)


@pytest.mark.parametrize("options", [{"categorical": "multiway"}, {"order": "best"}])
def test_the_core_lets_limits_change_only_where_nodes_have_an_order(options):
    rows = _core.TrainingSet([COLUMN], len(COLUMN), 1)
    engine = _core.LocalEngine(rows, _core.Classes(CLASSES.codes, 2), None, 1)
    words = {"criterion": "gain_ratio", "ranking": "above_average_gain", "missing": "spread"}
    words |= {"categorical": "groups", "min_weight_once_unknown": 1.0, **options}
    with pytest.raises(ValueError, match="only with groups, depth first"):
        _core.grow(engine, _core.Recipe(**words), None)


@pytest.mark.parametrize(
    ("target", "options", "text"),
    [
        (CLASSES.codes, {"monotone": [1]}, "one entry a column"),
        (CLASSES.codes, {"monotone": [2, 0]}, "-1, 0 or 1"),
        (CLASSES.codes, {"monotone": [0, 1]}, "which column 1 holds, have no order"),
        (np.array([0, 1, 2, 0], dtype=np.int32), {"monotone": [1, 0]}, "numbers or two classes"),
        (NUMBERS, {"criterion": "variance", "leaf_value": "median", "monotone": [1, 0]}, "needs medians"),
    ],
)
def test_the_core_refuses_orders_that_do_not_exist(target, options, text):
    codes = np.array([0, 1, 1, 0], dtype=np.int32)
    is_classes = target.dtype == np.int32
    of_core = _core.Classes(target, int(target.max()) + 1) if is_classes else _core.Numbers(target)
    rows = _core.TrainingSet([COLUMN, codes], len(COLUMN), 1, [0, 2])
    engine = _core.LocalEngine(rows, of_core, None, 1)
    with pytest.raises(ValueError, match=text):
        _core.grow(engine, _core.Recipe(**options), None)


def test_a_training_set_serves_many_growths_on_other_rows_and_targets():
    """Each tree is the one that is grown on these rows alone, and the orders are still there for the next."""
    rng = np.random.default_rng(4)
    n = 9000
    columns = [rng.normal(size=n), rng.integers(0, 6, n).astype(float)]
    columns.append(rng.integers(0, 4, n).astype(np.int32))
    columns[0][rng.random(n) < 0.1] = np.nan
    rows = training_set(columns, 2, [0, 0, 4])
    for seed in range(6):
        weights = rng.integers(0, 3, n).astype(float) if seed else None
        target = np.abs(rng.normal(size=n) + columns[1])
        shared = rows.sample(target, weights).grow(CART_NUMBERS).tree
        alone = sample(columns, target, weights, 1, [0, 0, 4]).grow(CART_NUMBERS).tree
        assert shared == alone


def test_a_training_set_that_was_handed_over_is_refused():
    rows = _core.TrainingSet([COLUMN], len(COLUMN), 1)
    classes = _core.Classes(CLASSES.codes, 2)
    _core.LocalEngine(rows, classes, None, 1, None, is_last=True)
    with pytest.raises(ValueError, match="handed over"):
        _core.LocalEngine(rows, classes, None, 1)
