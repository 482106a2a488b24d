"""What sets C4.5 Release 8, J48 and the textbooks apart, as numbers; and the arithmetic they share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log2

from oracle.quinlan_tree import Weight

EPSILON = 1e-3


@dataclass(frozen=True)
class Rules:
    """The options a user sets, then what sets the programs apart (the defaults are Release 8's)."""

    min_cases: float = 2
    confidence: float = 0.25
    by_ratio: bool = True  # False: -g
    group_categories: bool = False  # -s
    one_against_rest: bool = False  # -B
    prune: bool = True
    raising: bool = True  # False: -S
    laplace: bool = False  # -A
    reduced_error_folds: int | None = None  # -R -N: the last of so many is held out to prune by

    weight_tolerance: float = 1e-6  # weights closer than this are equal: shares of cases are rounded
    score_tolerance: float = 1e-9  # so are gains, ratios and estimates: a tie goes to the first
    gap: float = 1e-5  # closer values are one
    margin: float = 0.1  # a side of a cut weighs this much of a class's even share, between min_cases and 25
    min_cases_after_margin: bool = True  # cuts inside the margin but below min_cases count as tried
    known_are_counted: bool = False  # enough known: rows, not weight
    cost_of_cuts: bool = True  # False: -J
    snap: bool = True  # a cut is a value of the table, not the middle of two
    every_cut_competes: bool = False  # in the average and the choice, not the best of its column only
    unknown_is_a_branch: bool = True  # in split info
    least_gain_bits: float = 0.0  # W_k · gain below this is no gain
    least_split_info: float = EPSILON  # a question of less cannot be chosen
    least_split_bits: float = 0.0  # the same, times W
    least_worth: float = -EPSILON  # the worth of the best question must exceed this
    average_slack: float = EPSILON
    many_values: float = 0.3  # categories per row of the table from which a column is left out of the average

    collapse: bool = True
    collapse_bottom_up: bool = True  # as part of growing; else top-down on the whole tree
    empty_leaf_knows_parent: bool = True  # its class and class weights
    forget_min_cases: bool = True  # Release 8's -s bug (definitions 2.1)

    interpolated_deviate: bool = True  # z(confidence) from Quinlan's table, not the normal quantile
    all_wrong: float = 0.67  # extra errors where e + 1/2 >= N, a case not wrong
    least_extra: float = -inf  # not fewer than this there (Release 8 adds a negative number if e > N)
    no_errors: float = 1e-6  # fewer are none
    one_error: float = 0.9999  # fewer are interpolated between none and one
    no_extra_above: float = inf  # a confidence above this adds nothing
    keep_label_on_tie: bool = True  # while pruning


RELEASE8 = Rules()
J48 = Rules(
    score_tolerance=1e-6,
    min_cases_after_margin=False,
    known_are_counted=True,
    least_gain_bits=1e-6,
    least_split_info=0.0,
    least_split_bits=1e-6,
    least_worth=0.0,
    collapse_bottom_up=False,
    empty_leaf_knows_parent=False,
    forget_min_cases=False,
    interpolated_deviate=False,
    all_wrong=1.0,
    least_extra=0.0,
    no_errors=0.0,
    one_error=1.0,
    no_extra_above=0.5,
    keep_label_on_tie=False,
)
TEXTBOOK = Rules(
    gap=0.0,
    margin=0.0,
    min_cases_after_margin=False,
    cost_of_cuts=False,
    snap=False,
    every_cut_competes=True,
    unknown_is_a_branch=False,
    least_split_info=0.0,
    least_worth=0.0,
    average_slack=1e-9,
    forget_min_cases=False,
)


# -- Information ------------------------------------------------------------------------------------------


def bits(weights: Iterable[Weight]) -> float:
    """T(v) = V log V − Σ v_i log v_i, in bits."""
    kept = [weight for weight in weights if weight > 0]
    whole = sum(kept, start=0)
    if not kept:
        return 0.0
    return float(whole * log2(whole)) - sum(float(weight * log2(weight)) for weight in kept)


def gain_of(branches: Sequence[Sequence[Weight]], unknown: Weight, rules: Rules) -> float:
    """(1 − F) · (base − info / W_k), from the class weights of each branch."""
    known = sum((sum(branch, start=0) for branch in branches), start=0)
    base = bits(sum(column, start=0) for column in zip(*branches, strict=True))
    saved = base - sum(bits(branch) for branch in branches)
    if abs(saved) <= rules.least_gain_bits:
        saved = 0.0
    return saved / float(known) * float(known / (known + unknown))


def split_info_of(sizes: Sequence[Weight], unknown: Weight, rules: Rules) -> float:
    """T(w_unknown, w_1, …, w_r) / W, or without the unknown cases altogether."""
    if rules.unknown_is_a_branch:
        sizes = [unknown, *sizes]
    whole = sum(sizes, start=0)
    return bits(sizes) / float(whole) if whole else 0.0


# -- Weights ----------------------------------------------------------------------------------------------


def exceeds(a: Weight, b: Weight, tolerance: float) -> bool:
    """Say whether a is larger than b by more than rounding."""
    return a - b > tolerance


def reaches(weight: Weight, least: Weight, rules: Rules) -> bool:
    """Say whether a weight is no less than it must be."""
    return not exceeds(least, weight, rules.weight_tolerance)


def enough_branches(sizes: Iterable[Weight], least: Weight, rules: Rules) -> bool:
    """At least two branches must weigh `least`."""
    return sum(reaches(size, least, rules) for size in sizes) >= 2
