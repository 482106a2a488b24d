"""Exact decision trees in which every split can be explained.

Public names are resolved when they are first used, so that ``import treewright`` loads nothing else, not even
NumPy, and the command line responds quickly.

Examples
--------
>>> import treewright as tw
>>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
>>> tree = tw.DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"])
>>> tree.predict({"age": [50], "visits": [2]}).tolist()
['yes']
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright import datasets as datasets
    from treewright import information as information
    from treewright import parts as parts
    from treewright.errors import CloseValuesWarning as CloseValuesWarning
    from treewright.errors import DeepTreeWarning as DeepTreeWarning
    from treewright.errors import IdentifierWarning as IdentifierWarning
    from treewright.errors import TreewrightError as TreewrightError
    from treewright.errors import UnseenCategoryWarning as UnseenCategoryWarning
    from treewright.errors import WeightWarning as WeightWarning
    from treewright.estimators.auditing import audit as audit
    from treewright.estimators.auditing import audit_pruning as audit_pruning
    from treewright.estimators.classifier import DecisionTreeClassifier as DecisionTreeClassifier
    from treewright.estimators.compare import PruningComparison as PruningComparison
    from treewright.estimators.compare import compare_pruning as compare_pruning
    from treewright.estimators.named import CARTClassifier as CARTClassifier
    from treewright.estimators.named import CARTRegressor as CARTRegressor
    from treewright.estimators.quinlan import C45Classifier as C45Classifier
    from treewright.estimators.quinlan import ID3Classifier as ID3Classifier
    from treewright.estimators.regressor import DecisionTreeRegressor as DecisionTreeRegressor
    from treewright.estimators.saving import load as load
    from treewright.explain.counterfactual import Counterfactual as Counterfactual
    from treewright.explain.explanation import Explanation as Explanation
    from treewright.explain.rules import RuleSet as RuleSet
    from treewright.model.ledger import Ledger as Ledger
    from treewright.model.model import Model as Model
    from treewright.model.pruning_ledger import PruningLedger as PruningLedger
    from treewright.model.pruning_table import PruningTable as PruningTable
    from treewright.model.tree import Tree as Tree
    from treewright.parts.recipe import Recipe as Recipe

__version__ = "0.1.1"

_NAMES_IN = {
    "errors": (
        "CloseValuesWarning",
        "DeepTreeWarning",
        "IdentifierWarning",
        "TreewrightError",
        "UnseenCategoryWarning",
        "WeightWarning",
    ),
    "estimators.auditing": ("audit", "audit_pruning"),
    "estimators.classifier": ("DecisionTreeClassifier",),
    "estimators.compare": ("PruningComparison", "compare_pruning"),
    "estimators.named": ("CARTClassifier", "CARTRegressor"),
    "estimators.quinlan": ("C45Classifier", "ID3Classifier"),
    "estimators.regressor": ("DecisionTreeRegressor",),
    "estimators.saving": ("load",),
    "explain.counterfactual": ("Counterfactual",),
    "explain.explanation": ("Explanation",),
    "explain.rules": ("RuleSet",),
    "model.ledger": ("Ledger",),
    "model.model": ("Model",),
    "model.pruning_ledger": ("PruningLedger",),
    "model.pruning_table": ("PruningTable",),
    "model.tree": ("Tree",),
    "parts.recipe": ("Recipe",),
}
_HOME = {name: f"treewright.{module}" for module, names in _NAMES_IN.items() for name in names}
_MODULES = ("datasets", "information", "parts")

__all__ = sorted([*_HOME, *_MODULES])  # noqa: PLE0605 -- the names above


def __getattr__(name: str) -> object:
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
    elif name in _MODULES:
        value = importlib.import_module(f"treewright.{name}")
    else:
        raise AttributeError(f"module 'treewright' has no attribute {name!r}")
    globals()[name] = value  # so that this function is not called again for this name
    return value


def __dir__() -> list[str]:
    # The Tab key offers these names, and no module that happens to be imported.
    return [*__all__, "__version__"]
