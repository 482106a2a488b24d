"""The named learners as recipes.

Examples
--------
>>> from dataclasses import replace
>>> from treewright.parts.limits import Limits
>>> replace(CART_CLASSES, limits=Limits(max_depth=3)).criterion
Gini()
"""

from dataclasses import replace

from treewright.parts import (
    AboveAverageGain,
    Collapse,
    Entropy,
    ErrorBased,
    GainRatio,
    Gini,
    InTurn,
    Limits,
    MultiwaySplitter,
    Recipe,
    Refuse,
    Shares,
    Spread,
    ThresholdSplitter,
    Variance,
)

__all__ = ["C45_J48", "C45_RELEASE8", "C45_TEXTBOOK", "CART_CLASSES", "CART_NUMBERS", "ID3", "Recipe"]

CART_CLASSES = Recipe(criterion=Gini())
CART_NUMBERS = Recipe(criterion=Variance())

ID3 = Recipe(
    criterion=Entropy(),
    categorical=MultiwaySplitter(),
    missing=Refuse(),
    limits=Limits(needs_gain=True),
)

# C4.5 Release 8, with the constants of Quinlan's program.
C45_RELEASE8 = Recipe(
    criterion=GainRatio(),
    numeric=ThresholdSplitter(cut_at="observed", min_gap=1e-5, charges_tries=True, scales_side=True),
    categorical=MultiwaySplitter(),
    ranking=AboveAverageGain(tolerance=1e-9),
    missing=Spread(),
    limits=Limits(min_weight_leaf=2.0, min_weight_split=4.0),
    pruner=InTurn((Collapse(), ErrorBased())),
    shares=Shares(empty="certain"),
)

# Weka's J48: the same with other constants, and tolerances where numbers are compared.
C45_J48 = replace(
    C45_RELEASE8,
    ranking=AboveAverageGain(tolerance=1e-6, needs_gain=True),
    pruner=InTurn(
        (
            Collapse(bottom_up=False),
            ErrorBased(
                tolerance=1e-6,
                deviate="exact",
                all_wrong=1.0,
                least_extra=0.0,
                no_errors=0.0,
                one_error=1.0,
                most_confident=0.5,
                keeps_label_on_tie=False,
            ),
        )
    ),
    shares=Shares(),
)

# As in the worked examples of textbooks: no charge for the number of cuts, no slack, cuts half-way, every cut
# a candidate of its own, and no branch for missing values in the split information.
C45_TEXTBOOK = replace(
    C45_RELEASE8,
    numeric=ThresholdSplitter(),
    ranking=AboveAverageGain(slack=1e-9, tolerance=1e-9, needs_gain=True, counts="cuts"),
    missing=Spread(is_branch=False),
)
