"""The choices that a tree is grown with, as small values, and `Recipe`, which holds one of each.

A part says *which* criterion, splitter, order and so on to use; the core does the work. For most parts the
estimators have a word, such as ``criterion="gini"`` for ``Gini()``; a recipe takes all parts, with options:

>>> import treewright as tw
>>> recipe = tw.Recipe(tw.parts.Entropy(), missing=tw.parts.Spread(penalty="quadratic"))
>>> tw.DecisionTreeClassifier(recipe=recipe).fit({"age": [22, 35, 47]}, ["no", "no", "yes"]).get_n_leaves()
2
"""

# A new part becomes public through the `__all__` of its file.
# ruff: noqa: F403
from treewright.parts import criteria, leaf_values, missing, orders, pruners, splitters
from treewright.parts.costs import Costs
from treewright.parts.criteria import *
from treewright.parts.leaf_values import *
from treewright.parts.limits import Limits
from treewright.parts.missing import *
from treewright.parts.monotone import Monotone
from treewright.parts.orders import *
from treewright.parts.pruners import *
from treewright.parts.rankings import AboveAverageGain, BestScore
from treewright.parts.recipe import Recipe
from treewright.parts.splitters import *

__all__ = ["AboveAverageGain", "BestScore", "Costs", "Limits", "Monotone", "Recipe"]
__all__ += criteria.__all__
__all__ += leaf_values.__all__
__all__ += missing.__all__
__all__ += orders.__all__
__all__ += pruners.__all__
__all__ += splitters.__all__


def __dir__() -> list[str]:
    return __all__  # what the Tab key offers
