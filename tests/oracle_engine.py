"""An engine of its own: it grows trees by the slow oracle, in exact arithmetic, without the core."""

from dataclasses import dataclass, replace

import numpy as np

from oracle.naive_tree import Rules, grow
from random_trees import shape
from treewright.engines.engine import Grown
from treewright.errors import ParameterError
from treewright.model.tree import Tree
from treewright.parts.criteria import Entropy, Gini, Variance
from treewright.parts.limits import Limits
from treewright.parts.pruners import NoPruning
from treewright.recipes import Recipe
from treewright.table.checks import first_infinite
from treewright.table.fingerprint import fingerprint
from treewright.table.target import targets_of

WORDS = {Gini: "gini", Entropy: "entropy", Variance: "squared_error"}


class OracleEngine:
    def check(self, recipe, of_classes):
        plain = Recipe(recipe.criterion, limits=Limits(max_depth=recipe.limits.max_depth))
        if type(recipe.criterion) not in WORDS or replace(recipe, pruner=NoPruning()) != plain:
            raise ParameterError("OracleEngine() takes criterion and max_depth alone; use engine='local'.")

    def prepare(self, rows, encoding, n_threads=1):
        return OracleTrainingSet(*encoding.of(rows.table, rows.weights))


@dataclass(frozen=True)
class OracleTrainingSet:
    codes: list
    columns: tuple

    def fingerprint(self, target, weights):
        return fingerprint(self.codes, targets_of(target), weights)

    def sample(self, target, weights=None, own_weights=None, *, is_last=False):
        weights = np.ones(len(target)) if weights is None else weights
        return OracleSample(np.array(self.codes, float), target, weights)


@dataclass(frozen=True)
class OracleSample:
    codes: np.ndarray
    target: object
    weights: np.ndarray

    n_missing = property(lambda self: np.isnan(np.where(self.weights, self.codes, 0.0)).sum(axis=1))
    first_infinite = property(lambda self: first_infinite(np.where(self.weights, self.codes, 0.0)))

    def grow(self, recipe, progress=None, keep_ledger=False, *, own_rows_only=False):
        rules = Rules(WORDS[type(recipe.criterion)], recipe.limits.max_depth)
        nodes = grow(self.codes.T, targets_of(self.target), rules, self.weights)
        arrays = shape([[node.left, node.right] if node.split else [] for node in nodes])
        for at, split in ((at, node.split) for at, node in enumerate(nodes) if node.split):
            arrays["column"][at], arrays["cut"][at] = split.column, split.cut
            arrays["missing_branch"][at] = not split.missing_left
        for name in ("weight", "impurity", "gain"):
            arrays[name] = np.array([float(getattr(node, name)) for node in nodes])
        arrays |= {"n_rows": np.array([len(node.rows) for node in nodes]), "n_columns": len(self.codes)}
        outcome = np.array([[float(each) for each in node.value] for node in nodes])
        return Grown(Tree(**arrays, outcome=outcome, is_classifier=rules.criterion != "squared_error"))

    def look(self, recipe, **options):
        raise ParameterError("OracleEngine() does not look into nodes; use engine='local'.")
