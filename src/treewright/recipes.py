"""Recipes: one choice per seam. The named learners are recipes, that is, data.

Examples
--------
>>> from dataclasses import replace
>>> from treewright.parts.limits import Limits
>>> replace(CART_CLASSES, limits=Limits(max_depth=3)).criterion
Gini()
"""

from dataclasses import dataclass, field

from treewright.parts.costs import Costs
from treewright.parts.criteria import Criterion, Gini, Variance
from treewright.parts.leaf_values import LeafValue, Mean
from treewright.parts.limits import Limits
from treewright.parts.missing import LearnedBranch, MissingPolicy
from treewright.parts.monotone import Monotone
from treewright.parts.orders import DepthFirst, GrowthOrder
from treewright.parts.pruners import NoPruning, Pruner
from treewright.parts.rankings import BestScore, Ranking
from treewright.parts.splitters import CategorySplitter, Splitter, SubsetSplitter, ThresholdSplitter


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a tree is grown and pruned.

    Parameters
    ----------
    criterion : one of `treewright.parts.criteria`
        How good are these children?
    numeric : ThresholdSplitter
        What are the best questions on a numeric column?
    categorical : SubsetSplitter, MultiwaySplitter or OneVsRestSplitter
        What are the best questions on a column of categories?
    ranking : BestScore
        Which column wins?
    missing : one of `treewright.parts.missing`
        Where do rows without a value go?
    order : DepthFirst, LevelByLevel or BestFirst
        Which open node next?
    limits : Limits
        May this node, this cut exist?
    pruner : NoPruning or CostComplexity
        What smaller tree is better?
    costs : Costs
        How often are the classes to be expected, and what does mistaking them cost?
    leaf_value : Mean or Median
        What does a node answer where the target is a number?
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
    monotone: Monotone = field(default_factory=Monotone)
    seed: int = 0


CART_CLASSES = Recipe(criterion=Gini())
CART_NUMBERS = Recipe(criterion=Variance())
