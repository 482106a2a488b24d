"""The choices that a tree is grown with, as small values, and `Recipe`, which holds one of each.

A part says *which* criterion, splitter, order and so on; the core does the work. Parameters of the estimators
have words for most of them, ``criterion="gini"`` for ``Gini()``; a recipe takes them all, with their numbers:

>>> import treewright as tw
>>> recipe = tw.Recipe(tw.parts.Entropy(), missing=tw.parts.Spread(penalty="quadratic"))
>>> tw.DecisionTreeClassifier(recipe=recipe).fit({"age": [22, 35, 47]}, ["no", "no", "yes"]).get_n_leaves()
2
"""

from treewright.parts import criteria
from treewright.parts.costs import Costs
from treewright.parts.criteria import *  # noqa: F403 -- a new criterion is public without a line here
from treewright.parts.leaf_values import Mean, Median, Shares
from treewright.parts.limits import Limits
from treewright.parts.missing import LearnedBranch, MajorityBranch, OwnBranch, Refuse, Spread, Surrogates
from treewright.parts.monotone import Monotone
from treewright.parts.orders import BestFirst, DepthFirst, LevelByLevel
from treewright.parts.pruners import (
    Collapse,
    CostComplexity,
    CrossValidated,
    ErrorBased,
    HeldOutFold,
    InTurn,
    MinimumError,
    NoPruning,
    Pessimistic,
    ReducedError,
)
from treewright.parts.rankings import AboveAverageGain, BestScore
from treewright.parts.recipe import Recipe
from treewright.parts.splitters import (
    GroupingSplitter,
    MultiwaySplitter,
    OneVsRestSplitter,
    SubsetSplitter,
    ThresholdSplitter,
)

__all__ = [
    "AboveAverageGain",
    "BestFirst",
    "BestScore",
    "Collapse",
    "CostComplexity",
    "Costs",
    "CrossValidated",
    "DepthFirst",
    "ErrorBased",
    "GroupingSplitter",
    "HeldOutFold",
    "InTurn",
    "LearnedBranch",
    "LevelByLevel",
    "Limits",
    "MajorityBranch",
    "Mean",
    "Median",
    "MinimumError",
    "Monotone",
    "MultiwaySplitter",
    "NoPruning",
    "OneVsRestSplitter",
    "OwnBranch",
    "Pessimistic",
    "Recipe",
    "ReducedError",
    "Refuse",
    "Shares",
    "Spread",
    "SubsetSplitter",
    "Surrogates",
    "ThresholdSplitter",
]
__all__ += criteria.__all__
