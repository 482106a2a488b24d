"""Hostile parameters."""

# ruff: noqa: E501 - a case is a line
# fmt: off
import re
from decimal import Decimal
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, PredefinedSplit

import treewright as tw
from hostile.trial import ONE, SOUND, Case, N, V

nan, inf = float("nan"), float("inf")
ALL = ("",)
TREE = ("DecisionTree",)
SKLEARN, CART, C45, ID3 = ("DecisionTree", "CART"), ("CART",), ("C45",), ("ID3",)
CLASSES = ("DecisionTreeC", "CARTC", "C45", "ID3")
WITH_COSTS = ("DecisionTreeC", "CARTC")
LARGE = 10**30


def given(name: str, value: Any, *says: str, only: tuple[str, ...] = ALL, answers: Any = SOUND, **more: Any) -> Case:
    """Give a case of one parameter; names of cases are the same in every process."""
    shown = re.sub(" at 0x[0-9a-f]+", "", repr(value))
    return Case(f"{name}={shown:.40}", parameters={name: value}, says=says, only=only, answers=answers, **more)


def refused(name: str, *values: Any, only: tuple[str, ...] = ALL, says: tuple[str, ...] = ()) -> list[Case]:
    """Give a case for each value that is refused with the parameter's name and the value."""
    return [given(name, value, f"{name}=", *says, only=only) for value in values]


CASES = [
    given("max_depth", None),
    given("max_depth", 1),
    given("max_depth", np.int8(3)),
    given("max_depth", 2**40),
    *refused("max_depth", 0, -1, -LARGE, says=("too small", "at least 1")),
    *refused("max_depth", LARGE, 10**400, says=("too large", "at most")),
    *refused("max_depth", 1.5, nan, inf, "3", True, [3], b"3", Decimal(3), object(), np.array([3]), says=("not a whole number",)),
    *refused("min_samples_split", 0, 1, -1, -LARGE, only=SKLEARN, says=("too small", "at least 2")),
    *refused("min_samples_split", 2**70, only=SKLEARN, says=("too large",)),
    *refused("min_samples_split", 0.0, -0.5, 1.5, nan, inf, only=SKLEARN, says=("out of range",)),
    *refused("min_samples_split", "2", None, [2], only=SKLEARN),
    given("min_samples_split", 2**40, only=SKLEARN, answers=ONE),
    *refused("min_samples_leaf", 0, -1, only=SKLEARN, says=("too small", "at least 1")),
    *refused("min_samples_leaf", 2**70, only=SKLEARN, says=("too large",)),
    *refused("min_samples_leaf", 1.0, nan, -0.1, only=SKLEARN, says=("out of range",)),
    given("min_samples_leaf", 2**61, only=SKLEARN, answers=ONE),
    given("min_samples_leaf", 1e-300, only=SKLEARN),
    *refused("min_weight_fraction_leaf", -0.1, 0.6, 1, nan, inf, 10**400, only=SKLEARN, says=("out of range",)),
    *refused("min_weight_fraction_leaf", "0.1", None, only=SKLEARN, says=("not a number",)),
    *refused("max_leaf_nodes", 1, 0, -1, only=SKLEARN, says=("too small", "at least 2")),
    *refused("max_leaf_nodes", LARGE, only=SKLEARN, says=("too large",)),
    *refused("max_leaf_nodes", 2.5, "4", only=SKLEARN, says=("not a whole number",)),
    *refused("max_features", 0, -1, only=SKLEARN, says=("too small",)),
    *refused("max_features", 0.0, 1.5, nan, only=SKLEARN, says=("out of range",)),
    *refused("max_features", "auto", "squrt", only=SKLEARN, says=("available: 'sqrt', 'log2'",)),
    given("max_features", 1000, only=SKLEARN),
    given("max_features", 1e-300, only=SKLEARN),
    *refused("min_impurity_decrease", -1, nan, inf, only=SKLEARN, says=("out of range",)),
    given("min_impurity_decrease", 1e308, only=SKLEARN, answers=ONE),
    given("min_impurity_decrease", 5e-324, only=SKLEARN),
    *refused("ccp_alpha", -1, nan, inf, 10**400, only=SKLEARN, says=("out of range",)),
    *refused("ccp_alpha", "0", None, only=SKLEARN, says=("not a number",)),
    given("ccp_alpha", 1e308, only=SKLEARN, answers=ONE),
    *refused("criterion", "ginni", "entropie", "", "GINI", only=SKLEARN, says=("is unknown", "available")),
    *refused("criterion", None, 3, only=SKLEARN, says=("available",)),
    *refused("splitter", "worst", "Best", None, 1, only=TREE, says=("available: 'best', 'random'",)),
    *refused("missing", "drop", "learnt", None, nan, 0, only=("DecisionTree", "CART", "ID3"), says=("available",)),
    *refused("growth", "breath", None, 1, only=TREE, says=("available",)),
    *refused("categorical_split", "subsets", None, 2, only=TREE, says=("available",)),
    *refused("random_state", -1, 2**32, 2**70, 10**400, 1.5, nan, "dice", [], only=(*SKLEARN, "C45"), says=("cannot be used to seed",)),
    *refused("n_jobs", 0, says=("no meaning", "-1 for all cores")),
    *refused("n_jobs", 1.5, "2", [2], True, nan, says=("not a whole number",)),
    *refused("n_jobs", -LARGE, says=("too small",)),
    *refused("n_jobs", LARGE, says=("too large",)),
    given("n_jobs", 2**31),
    given("n_jobs", 4000),
    given("n_jobs", -(2**31)),
    *refused("verbose", -1, "yes", 1.5, None, LARGE),
    *refused("keep_ledger", "yes", 1, None, says=("neither True nor False",)),
    *refused("on_identifier", "stop", None, 1, says=("available",)),
    *refused("recipe", "cart", 3, tw.recipes if hasattr(tw, "recipes") else {}, says=("is not a treewright.Recipe",)),
    *refused("engine", "dask", 3, object()),
    *refused("class_weight", "balance", 3, [1, 2], only=CLASSES),
    given("class_weight", {"low": -1}, "class_weight", "'low'", only=CLASSES),
    given("class_weight", {"low": nan}, "class_weight", "'low'", only=CLASSES),
    given("class_weight", {"low": inf}, "class_weight", "'low'", only=CLASSES),
    given("class_weight", {"low": 10**400}, "class_weight", "1.000e+400", only=CLASSES),
    given("class_weight", {"low": "1"}, "class_weight", "'low'", only=CLASSES),
    given("class_weight", {"lwo": 1}, "class_weight", "'lwo'", only=CLASSES),
    given("class_weight", {"low": 1e308}, "class_weight", "row", only=CLASSES),
    given("class_weight", {"low": 0, "middle": 0, "high": 0}, "weight", "zero", only=CLASSES),
    given("class_weight", {"low": 1e-300}, "class_weight", "below 1e-150", only=CLASSES),
    given("class_weight", {}, only=CLASSES),
    given("class_weight", "balanced", only=CLASSES),
    *refused("prior", "even", 3, only=WITH_COSTS),
    given("prior", [0.5, 0.5], "prior has 2 entries", "3 classes", only=WITH_COSTS),
    given("prior", [nan, 0.5, 0.5], "prior", "nan", only=WITH_COSTS),
    given("prior", [inf, 0.5, 0.5], "prior", "inf", only=WITH_COSTS),
    given("prior", [0, 0.5, 0.5], "prior", "above 0", only=WITH_COSTS),
    given("prior", [1e-300, 0.5, 0.5], only=WITH_COSTS),
    given("prior", {"low": 1}, "prior does not name", only=WITH_COSTS),
    given("loss", [[0, 1], [1, 0]], "loss has 2 entries", "3 classes", only=WITH_COSTS),
    given("loss", np.ones((3, 3)), "loss", "right answer costs 0", only=WITH_COSTS),
    given("loss", [[0, nan, 1], [1, 0, 1], [1, 1, 0]], "loss", "nan", only=WITH_COSTS),
    given("loss", [[0, 1e308, 1], [1, 0, 1], [1, 1, 0]], only=WITH_COSTS),
    given("loss", "zero-one", "loss=", only=WITH_COSTS),
    given("categorical_features", ["c"], "categorical_features", "'c'", only=TREE),
    given("categorical_features", [7], "categorical_features", "index 7", only=TREE),
    given("categorical_features", [True], "categorical_features", "mask of 1 entries", only=TREE),
    given("categorical_features", 1.5, "categorical_features", only=TREE),
    given("categorical_features", [], only=TREE),
    given("categorical_features", [0, 1], only=TREE),
    given("monotonic_cst", {"c": 1}, "monotonic_cst", "'c'", only=TREE),
    given("monotonic_cst", [1], "monotonic_cst", only=TREE),
    given("monotonic_cst", {"a": 2}, "monotonic_cst", only=TREE),
    given("monotonic_cst", "up", "monotonic_cst", only=TREE),
    *refused("pruning", "2-se", 1, "", only=CART, says=("available",)),
    *refused("risk", "gini", None, only=CART, says=("available",)),
    *refused("cv", 1, 0, -1, only=CART, says=("too small", "at least 2")),
    *refused("cv", LARGE, only=CART, says=("too large",)),
    *refused("cv", "5", None, 2.5, only=CART, says=("cannot be used", "number of folds")),
    given("cv", 2**40, only=CART),
    Case("cv of 47 entries", parameters={"cv": [0] * (N - 1)}, says=("cv has 47 entries", "48 rows"), only=CART),
    given("cv", [0] * N, "cv holds all rows out at once", "two folds", only=CART),
    given("cv", [None] + [0] * (N - 1), "cv gives row 0 no fold", only=CART),
    given("cv", PredefinedSplit([-1] * N), "cv", only=CART),
    given("cv", KFold(100), "cv=KFold", "does not split this table", only=CART),
    Case("all weight in one fold", weight=lambda: [1.0] * 4 + [0.0] * (N - 4), parameters={"cv": np.repeat(range(12), 4)}, says=("cv holds all rows of weight above 0 out at once", "two folds"), only=CART),
    *refused("max_surrogates", -1, LARGE, 1.5, "5", only=CART),
    given("max_surrogates", 2**40, only=CART),
    *refused("min_cases", 0, -1, nan, inf, 10**400, only=C45, says=("out of range",)),
    *refused("min_cases", "2", None, [2], only=C45, says=("not a number",)),
    given("min_cases", 5e-324, only=C45),
    given("min_cases", 2**70, only=C45, answers=ONE),
    given("min_cases", 1e308, only=C45, answers=ONE),
    *refused("confidence", 0, 1.5, -1, nan, only=C45, says=("out of range",)),
    given("confidence", 5e-324, only=C45),
    given("confidence", 1e-300, only=C45),
    given("confidence", 1.0, only=C45),
    *refused("variant", "release7", "J48", None, 8, only=C45, says=("available",)),
    *refused("pruning", "yes", 1, None, only=C45, says=("neither True nor False",)),
    *refused("subtree_raising", "yes", 1, None, only=C45, says=("neither True nor False",)),
    *refused("collapse", "yes", 1, None, only=C45, says=("neither True nor False",)),
    *refused("laplace", "yes", 1, None, only=C45, says=("neither True nor False",)),
    *refused("binary_splits", "yes", 1, None, only=C45, says=("neither True nor False",)),
    *refused("reduced_error_folds", 1, 0, -1, only=C45, says=("too small",)),
    *refused("reduced_error_folds", 1.5, "3", only=C45, says=("not a whole number",)),
    given("reduced_error_folds", 2**40, "1099511627776 folds", "48", "fewer folds", only=C45),
    given("reduced_error_folds", LARGE, "reduced_error_folds=", "too large", only=C45),
    *refused("cut_at", "middel", 1, only=C45, says=("available",)),
    *refused("bins", 1, 0, -1, only=ID3, says=("too small", "at least 2")),
    *refused("bins", LARGE, 2**40, only=ID3, says=("too large",)),
    *refused("bins", 2.5, "5", True, only=ID3, says=("not a whole number",)),
    Case("2^40 bins of fractions", lambda: {"a": [v / 7 for v in V]}, parameters={"bins": 2**40}, says=("bins=1099511627776 is too large", "1048576"), only=ID3),
    Case("a million bins of fractions", lambda: {"a": [v / 7 for v in V]}, parameters={"bins": 2**20}, only=ID3),
    Case("fractions without bins", lambda: {"a": [v / 7 for v in V]}, parameters={"bins": None}, says=("column 'a' holds 1.57", "row 2", "give bins="), only=ID3),
    *refused("min_gain", -1, nan, inf, only=ID3, says=("out of range",)),
    given("min_gain", 1e308, only=ID3, answers=ONE),
    *refused("min_gain", "0", None, only=ID3, says=("not a number",)),
]
