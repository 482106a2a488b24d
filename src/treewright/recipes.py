"""Recipes of the named learners.

Examples
--------
>>> from dataclasses import replace
>>> from treewright import parts
>>> replace(CART_CLASSES, limits=parts.Limits(max_depth=3)).criterion
Gini()
"""

from dataclasses import replace
from typing import Any

from treewright import parts
from treewright.parts.recipe import Recipe

__all__ = ["C45_J48", "C45_RELEASE8", "C45_TEXTBOOK", "CART_CLASSES", "CART_NUMBERS", "ID3", "Recipe"]

CART_CLASSES = Recipe(criterion=parts.Gini())
CART_NUMBERS = Recipe(criterion=parts.Variance())

ID3 = Recipe(
    criterion=parts.Entropy(),
    categorical=parts.MultiwaySplitter(),
    missing=parts.Refuse(),
    limits=parts.Limits(needs_gain=True),
)

# C4.5 Release 8, with the constants of Quinlan's program.
C45_RELEASE8 = Recipe(
    criterion=parts.GainRatio(),
    numeric=parts.ThresholdSplitter(cut_at="observed", min_gap=1e-5, charges_tries=True, scales_side=True),
    categorical=parts.MultiwaySplitter(),
    ranking=parts.AboveAverageGain(tolerance=1e-9),
    missing=parts.Spread(),
    limits=parts.Limits(min_weight_leaf=2.0, min_weight_split=4.0),
    pruner=parts.InTurn((parts.Collapse(), parts.ErrorBased())),
    shares=parts.Shares(empty="certain"),
)

# Weka's J48: the same with other constants, and with tolerances when numbers are compared.
_J48: Any = {"all_wrong": 1.0, "least_extra": 0.0, "no_errors": 0.0, "one_error": 1.0, "most_confident": 0.5}
_J48_ERRORS = parts.ErrorBased(tolerance=1e-6, deviate="exact", keeps_label_on_tie=False, **_J48)
C45_J48 = replace(
    C45_RELEASE8,
    ranking=parts.AboveAverageGain(tolerance=1e-6, needs_gain=True),
    pruner=parts.InTurn((parts.Collapse(bottom_up=False), _J48_ERRORS)),
    shares=parts.Shares(),
)

# As in the worked examples of textbooks: no charge for the number of cuts, no slack, cuts half-way, every cut
# a separate candidate, and no branch for missing values in the split information.
C45_TEXTBOOK = replace(
    C45_RELEASE8,
    numeric=parts.ThresholdSplitter(),
    ranking=parts.AboveAverageGain(slack=1e-9, tolerance=1e-9, needs_gain=True, counts="cuts"),
    missing=parts.Spread(is_branch=False),
)
