"""Parts are small values: frozen, comparable, checked where they are made."""

import dataclasses
import pickle

import numpy as np
import pytest

from treewright.errors import ParameterError, ParameterTypeError
from treewright.parts.bounds import real, whole
from treewright.parts.costs import Costs
from treewright.parts.criteria import (
    AbsoluteError,
    Entropy,
    FunctionCriterion,
    GainRatio,
    Gini,
    Misclassification,
    Poisson,
    TaylorEntropy,
    Twoing,
    Variance,
)
from treewright.parts.leaf_values import Mean, Median
from treewright.parts.limits import Limits
from treewright.parts.missing import LearnedBranch, MajorityBranch, OwnBranch, Refuse
from treewright.parts.monotone import Monotone
from treewright.parts.orders import BestFirst, DepthFirst, LevelByLevel
from treewright.parts.pruners import (
    CostComplexity,
    HeldOutFold,
    MinimumError,
    NoPruning,
    Pessimistic,
    PrePruning,
    ReducedError,
)
from treewright.parts.rankings import BestScore
from treewright.parts.splitters import (
    GroupingSplitter,
    MultiwaySplitter,
    OneVsRestSplitter,
    SubsetSplitter,
    ThresholdSplitter,
)
from treewright.recipes import CART_CLASSES, CART_NUMBERS, Recipe

PARTS = [
    *(AbsoluteError(), Mean(), Median(), FunctionCriterion(np.add)),
    *(Misclassification(), TaylorEntropy(), Twoing(), GainRatio(), Poisson()),
    *(Gini(), Entropy(), Variance(), ThresholdSplitter(), BestScore(), LearnedBranch(), Refuse()),
    *(DepthFirst(), LevelByLevel(), BestFirst(), Limits(), NoPruning(), CostComplexity(0.1), CART_CLASSES),
    *(SubsetSplitter(), MultiwaySplitter(), OneVsRestSplitter(), MajorityBranch(), OwnBranch()),
    Costs((0.5, 0.5), ((0.0, 1.0), (5.0, 0.0))),
    *(
        Monotone(),
        Monotone((1, 0, -1)),
        GroupingSplitter(),
        GroupingSplitter(1.0),
        ReducedError(),
        ReducedError(strict=True),
        PrePruning(),
        HeldOutFold(),
    ),
    *(Pessimistic(), MinimumError(), MinimumError(m=2.0)),
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)
def test_a_part_is_a_frozen_value(part):
    assert dataclasses.replace(part) == part
    assert hash(dataclasses.replace(part)) == hash(part)
    for field in dataclasses.fields(part):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(part, field.name, None)


def test_a_function_shows_by_its_name_and_must_be_one():
    assert repr(FunctionCriterion(smallest_split)) == "FunctionCriterion(smallest_split)"
    assert pickle.loads(pickle.dumps(FunctionCriterion(smallest_split))) == FunctionCriterion(smallest_split)
    with pytest.raises(ParameterTypeError, match="function='gini' cannot be called"):
        FunctionCriterion("gini")


def smallest_split(y, weight, cuts):
    return -cuts


def test_parts_that_differ_are_not_equal():
    assert Gini() != Entropy()
    assert ThresholdSplitter("best") != ThresholdSplitter("random")


def test_cart_is_a_recipe_for_classes_and_one_for_numbers():
    assert Recipe(criterion=Gini()) == CART_CLASSES
    assert Recipe(criterion=Variance()) == CART_NUMBERS


def test_a_splitter_suggests_the_nearest_way_to_choose():
    with pytest.raises(ParameterError, match=r"choose='bets' is unknown.*Did you mean 'best'\?"):
        ThresholdSplitter("bets")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_depth", 0),
        ("max_depth", 2.5),
        ("max_leaves", -1),
        ("max_columns", True),
        ("min_rows_split", 1),
        ("min_rows_leaf", 0),
        ("min_weight_leaf", -0.5),
        ("min_gain", float("nan")),
        ("min_impurity", float("inf")),
        ("min_impurity", "small"),
    ],
)
def test_a_limit_out_of_range_is_refused_by_name_and_value(name, value):
    with pytest.raises(ParameterError, match=f"{name}="):
        Limits(**{name: value})


def test_a_least_weight_that_groups_fall_back_to_is_positive():
    with pytest.raises(ParameterError, match=r"min_weight_once_unknown=0 is out of range"):
        GroupingSplitter(min_weight_once_unknown=0)


def test_a_price_of_leaves_is_not_negative():
    with pytest.raises(ParameterError, match=r"alpha=-0\.1"):
        CostComplexity(-0.1)


@pytest.mark.parametrize(
    ("prior", "text"),
    [
        ((0.5, 0.4), r"prior sums to 0\.9; give positive numbers that sum to 1"),
        ((1.0, 0.0), r"prior holds 0\.0 for class number 1"),
        ((1.5, -0.5), r"prior holds -0\.5 for class number 1"),
        ((float("nan"), 0.5), "prior holds nan"),
    ],
)
def test_priors_are_positive_and_sum_to_one(prior, text):
    with pytest.raises(ParameterError, match=text):
        Costs(prior=prior)


def test_priors_may_miss_one_by_rounding():
    assert Costs(prior=(0.1,) * 10).prior == (0.1,) * 10


@pytest.mark.parametrize(
    ("loss", "text"),
    [
        (((0.0, 1.0),), "loss has 1 rows and 2 columns in row 0; give a square matrix"),
        (((0.0, -1.0), (1.0, 0.0)), r"loss holds -1\.0 in row 0, column 1"),
        (((0.0, float("inf")), (1.0, 0.0)), "loss holds inf in row 0, column 1"),
        (((0.0, 1.0), (1.0, 2.0)), r"loss holds 2\.0 in row 1, column 1; the right answer costs 0"),
        (((0.0, 0.0), (1.0, 0.0)), "loss holds nothing but 0 in row 0"),
    ],
)
def test_losses_are_a_square_matrix_without_a_diagonal(loss, text):
    with pytest.raises(ParameterError, match=text):
        Costs(loss=loss)


def test_whole_numbers_of_numpy_are_whole_numbers():
    assert whole("n", np.int8(3), at_least=1) == 3
    assert type(whole("n", np.int8(3), at_least=1)) is int


@pytest.mark.parametrize("value", [True, 2.0, "2", None])
def test_what_is_no_whole_number_is_a_type_error(value):
    with pytest.raises(TypeError, match="is not a whole number"):
        whole("n", value, at_least=1)


@pytest.mark.parametrize("value", [True, "2", None, 1j])
def test_what_is_no_number_is_a_type_error(value):
    with pytest.raises(TypeError, match="is not a number"):
        real("share", value, at_least=0.0)


@pytest.mark.parametrize(
    ("value", "bounds"), [(0.0, {"above": 0.0}), (1.0, {"below": 1.0}), (1.1, {"at_most": 1.0})]
)
def test_bounds_may_be_open_or_closed(value, bounds):
    with pytest.raises(ParameterError, match="out of range"):
        real("share", value, **bounds)


@pytest.mark.parametrize("direction", [2, 0.5, "up", None])
def test_a_direction_is_up_down_or_none(direction):
    with pytest.raises(ParameterError, match=r"directions holds .* for column number 1; give -1, 0 or 1"):
        Monotone((1, direction))
