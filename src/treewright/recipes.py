"""Recipes: one choice per seam. The named learners are recipes, that is, data.

Examples
--------
>>> from dataclasses import replace
>>> from treewright.parts.limits import Limits
>>> replace(CART_CLASSES, limits=Limits(max_depth=3)).criterion
Gini()
"""

from dataclasses import dataclass, field, replace

from treewright.parts.costs import Costs
from treewright.parts.criteria import Criterion, Entropy, GainRatio, Gini, Variance
from treewright.parts.leaf_values import LeafValue, Mean, Shares
from treewright.parts.limits import Limits
from treewright.parts.missing import LearnedBranch, MissingPolicy, Refuse, Spread
from treewright.parts.monotone import Monotone
from treewright.parts.orders import DepthFirst, GrowthOrder
from treewright.parts.pruners import Collapse, ErrorBased, InTurn, NoPruning, Pruner
from treewright.parts.rankings import AboveAverageGain, BestScore, Ranking
from treewright.parts.splitters import (
    CategorySplitter,
    MultiwaySplitter,
    Splitter,
    SubsetSplitter,
    ThresholdSplitter,
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a tree is grown and pruned.

    Parameters
    ----------
    criterion : one of `treewright.parts.criteria`
        How good are these children?
    numeric : ThresholdSplitter
        What are the best questions on a numeric column?
    categorical : SubsetSplitter, MultiwaySplitter, OneVsRestSplitter or GroupingSplitter
        What are the best questions on a column of categories?
    ranking : BestScore or AboveAverageGain
        Which column wins?
    missing : one of `treewright.parts.missing`
        Where do rows without a value go?
    order : DepthFirst, LevelByLevel or BestFirst
        Which open node next?
    limits : Limits
        May this node, this cut exist?
    pruner : one of `treewright.parts.pruners`
        What smaller tree is better?
    costs : Costs
        How often are the classes to be expected, and what does mistaking them cost?
    leaf_value : Mean or Median
        What does a node answer where the target is a number?
    shares : Shares
        How do the classes of a leaf become probabilities?
    monotone : Monotone
        With which columns may answers only rise, or only fall?
    seed : int
        Of whatever is drawn at random; draws are keyed by it, by the node's path and by the column.
    """

    criterion: Criterion
    numeric: Splitter = field(default_factory=ThresholdSplitter)
    categorical: CategorySplitter = field(default_factory=SubsetSplitter)
    ranking: Ranking = field(default_factory=BestScore)
    missing: MissingPolicy = field(default_factory=LearnedBranch)
    order: GrowthOrder = field(default_factory=DepthFirst)
    limits: Limits = field(default_factory=Limits)
    pruner: Pruner = field(default_factory=NoPruning)
    costs: Costs = field(default_factory=Costs)
    leaf_value: LeafValue = field(default_factory=Mean)
    shares: Shares = field(default_factory=Shares)
    monotone: Monotone = field(default_factory=Monotone)
    seed: int = 0


CART_CLASSES = Recipe(criterion=Gini())
CART_NUMBERS = Recipe(criterion=Variance())

ID3 = Recipe(
    criterion=Entropy(),
    categorical=MultiwaySplitter(),
    missing=Refuse(),
    limits=Limits(needs_gain=True),
)

# C4.5, Release 8, as Quinlan's program grows and prunes; its constants are those of the program.
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

# Weka's J48: the same with other constants, and tolerances wherever numbers are compared.
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

# As the worked examples of textbooks do it: no charge for many cuts, no margin, cuts half-way, every cut a
# candidate of its own, and what is missing no branch.
C45_TEXTBOOK = replace(
    C45_RELEASE8,
    numeric=ThresholdSplitter(),
    ranking=AboveAverageGain(slack=1e-9, tolerance=1e-9, needs_gain=True, counts="cuts"),
    missing=Spread(is_branch=False),
)
