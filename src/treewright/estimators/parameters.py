"""From scikit-learn's flat parameters to a recipe: every choice checked when `fit` is called."""

import math
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from sklearn.utils import check_random_state

from treewright.errors import ParameterError, ParameterTypeError, did_you_mean, listed
from treewright.parts.bounds import real, whole
from treewright.parts.criteria import (
    AbsoluteError,
    Criterion,
    Entropy,
    FunctionCriterion,
    GainRatio,
    Gini,
    Misclassification,
    Poisson,
    TaylorEntropy,
    Twoing,
    Variance,
)
from treewright.parts.leaf_values import LeafValue, Mean, Median
from treewright.parts.limits import Limits
from treewright.parts.missing import (
    LearnedBranch,
    MajorityBranch,
    MissingPolicy,
    OwnBranch,
    Refuse,
    Spread,
    Surrogates,
)
from treewright.parts.orders import BestFirst, DepthFirst, GrowthOrder, LevelByLevel
from treewright.parts.pruners import RISKS, RULES, CostComplexity, CrossValidated, Links, NoPruning, Pruner
from treewright.parts.splitters import (
    CategorySplitter,
    MultiwaySplitter,
    OneVsRestSplitter,
    SubsetSplitter,
    ThresholdSplitter,
)

T = TypeVar("T")

# The words that parameters take, for type checkers and editors; the tables below say what they stand for.
ClassCriterion: TypeAlias = Literal[
    "gini", "entropy", "log_loss", "misclassification", "taylor_entropy", "twoing", "gain_ratio"
]
NumberCriterion: TypeAlias = Literal["squared_error", "absolute_error", "poisson", "friedman_mse"]
Splitter: TypeAlias = Literal["best", "random"]
CategoricalSplit: TypeAlias = Literal["subset", "multiway", "one-vs-rest"]
Missing: TypeAlias = Literal["learned", "majority", "surrogate", "spread", "branch", "refuse"]
Penalty: TypeAlias = Literal["linear", "quadratic"]
Growth: TypeAlias = Literal["depth", "best", "breadth"]
LeafWord: TypeAlias = Literal["mean", "median"]
ColumnsDrawn: TypeAlias = Literal["sqrt", "log2"]

CRITERIA_OF_CLASSES: Mapping[str, Criterion] = {
    "gini": Gini(),
    "entropy": Entropy(),
    "log_loss": Entropy(),
    "misclassification": Misclassification(),
    "taylor_entropy": TaylorEntropy(),
    "twoing": Twoing(),
    "gain_ratio": GainRatio(),
}
CRITERIA_OF_NUMBERS: Mapping[str, Criterion] = {
    "squared_error": Variance(),
    "absolute_error": AbsoluteError(),
    "poisson": Poisson(),
}
LEAF_VALUES: Mapping[str, LeafValue] = {"mean": Mean(), "median": Median()}
SPLITTERS: Mapping[str, ThresholdSplitter] = {
    "best": ThresholdSplitter("best"),
    "random": ThresholdSplitter("random"),
}
CATEGORICAL: Mapping[str, CategorySplitter] = {
    "subset": SubsetSplitter(),
    "multiway": MultiwaySplitter(),
    "one-vs-rest": OneVsRestSplitter(),
}
MISSING: Mapping[str, MissingPolicy] = {
    "learned": LearnedBranch(),
    "majority": MajorityBranch(),
    "surrogate": Surrogates(),
    "spread": Spread(),
    "branch": OwnBranch(),
    "refuse": Refuse(),
}
PENALTIES: Mapping[str, Penalty] = {"linear": "linear", "quadratic": "quadratic"}
ORDERS: Mapping[str, GrowthOrder] = {"depth": DepthFirst(), "best": BestFirst(), "breadth": LevelByLevel()}


def choice(name: str, value: object, available: Mapping[str, T]) -> T:
    """Look a choice up by its name.

    Raises
    ------
    ParameterError
        If it is unknown, with the nearest name, or not available in this version.

    Examples
    --------
    >>> choice("criterion", "entropie", CRITERIA_OF_CLASSES)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: criterion='entropie' is unknown; available: 'gini', ...
    """
    if isinstance(value, str) and value in available:
        return available[value]
    raise _unavailable(name, value, available)


def criterion_of_classes(name: object) -> Criterion:
    """Look a criterion for classes up; a function is one itself."""
    return _criterion(name, CRITERIA_OF_CLASSES)


def criterion_of_numbers(name: object) -> Criterion:
    """Look a criterion for numbers up; warn of the one that scikit-learn 1.11 takes away."""
    if isinstance(name, str) and name == "friedman_mse":
        warnings.warn(
            "criterion='friedman_mse' is deprecated, as in scikit-learn 1.9: it always was the same as "
            "criterion='squared_error'. Use that.",
            FutureWarning,
            stacklevel=2,
        )
        name = "squared_error"
    return _criterion(name, CRITERIA_OF_NUMBERS)


def _criterion(given: object, available: Mapping[str, Criterion]) -> Criterion:
    if callable(given) and not isinstance(given, type):
        return FunctionCriterion(given)
    return choice("criterion", given, available)


def flag(name: str, value: object) -> bool:
    """Check that a parameter is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{name}={value!r} is neither True nor False.")
    return bool(value)


def missing(parameters: Mapping[str, Any]) -> MissingPolicy:
    """Choose the missing policy; `max_surrogates` is for estimators that have it."""
    chosen = choice("missing", parameters["missing"], MISSING)
    penalty = (
        None
        if (given := parameters["missing_penalty"]) is None
        else choice("missing_penalty", given, PENALTIES)
    )
    if isinstance(chosen, Spread):
        return replace(chosen, penalty=penalty)
    if "max_surrogates" not in parameters:
        return chosen
    most = whole("max_surrogates", parameters["max_surrogates"], at_least=0)
    return replace(chosen, max_surrogates=most) if isinstance(chosen, Surrogates) else chosen


def _unavailable(name: str, value: object, available: Iterable[object]) -> ParameterError:
    known = tuple(available)
    if callable(value) or not isinstance(value, str):
        way_out = f" Give {name}=None." if known == (None,) else ""
        return ParameterError(
            f"{name}={value!r} is not available in this version; available: {listed(known)}.{way_out}"
        )
    return ParameterError(
        f"{name}={value!r} is unknown; available: {listed(known)}." + did_you_mean(value, known)
    )


def limits(parameters: Mapping[str, Any], n_rows: int, n_columns: int, weight: float) -> Limits:
    """Turn scikit-learn's stopping parameters, fractions included, into limits."""
    min_leaf = _count_or_fraction("min_samples_leaf", parameters, n_rows, least=1)
    min_split = _count_or_fraction("min_samples_split", parameters, n_rows, least=2)
    of_columns = n_columns_drawn(parameters["max_features"], n_columns)
    share = real(
        "min_weight_fraction_leaf", parameters["min_weight_fraction_leaf"], at_least=0.0, at_most=0.5
    )
    return Limits(
        max_depth=_optional("max_depth", parameters, at_least=1),
        min_rows_split=max(min_split, 2 * min_leaf),
        min_rows_leaf=min_leaf,
        min_weight_leaf=share * weight,
        max_leaves=_optional("max_leaf_nodes", parameters, at_least=2),
        min_gain=real("min_impurity_decrease", parameters["min_impurity_decrease"], at_least=0.0),
        min_impurity=real("min_impurity", parameters["min_impurity"], at_least=0.0),
        max_columns=of_columns if of_columns < n_columns else None,
    )


def order(growth: object, max_leaf_nodes: object) -> GrowthOrder:
    """Choose the growth order; a limit on leaves means best first, unless breadth was asked for."""
    chosen = choice("growth", growth, ORDERS)
    if max_leaf_nodes is not None and isinstance(chosen, DepthFirst):
        return BestFirst()
    return chosen


def leaf_value(value: object, criterion: Criterion) -> LeafValue:
    """Choose what leaves answer; None is what suits the criterion best, as in scikit-learn.

    Examples
    --------
    >>> leaf_value(None, AbsoluteError()), leaf_value(None, Variance()), leaf_value("median", Variance())
    (Median(), Mean(), Median())
    """
    if value is None:
        return Median() if isinstance(criterion, AbsoluteError) else Mean()
    return choice("leaf_value", value, LEAF_VALUES)


def pruner(parameters: Mapping[str, Any]) -> Pruner:
    """Choose the pruner; as in scikit-learn 0 prunes nothing, not even links that cost nothing.

    `pruning`, `cv` and `risk` are for estimators that have them.
    """
    alpha = real("ccp_alpha", parameters["ccp_alpha"], at_least=0.0)
    of_risk = choice("risk", parameters.get("risk", "impurity"), dict(zip(RISKS, RISKS, strict=True)))
    links: Links = "weakest" if of_risk == "impurity" else "rpart"
    if of_risk == "loss" and parameters.get("loss") is None:
        raise ParameterError(
            "risk='loss' weighs answers by their loss, and there is none; give loss= a matrix, or use "
            "risk='error'."
        )
    if parameters.get("pruning") is None:
        return CostComplexity(alpha, of_risk, links) if alpha > 0 else NoPruning()
    rule = choice("pruning", parameters["pruning"], dict(zip(RULES, RULES, strict=True)))
    cv = parameters["cv"]
    n_folds = whole("cv", cv, at_least=2) if isinstance(cv, Integral) else CrossValidated().n_folds
    return CrossValidated(rule, n_folds, of_risk, alpha, _dealt_by(parameters["random_state"]), links)


def _dealt_by(random_state: Any) -> int:
    """Give the seed that rows are dealt to folds by; without one it is always the same."""
    return 0 if random_state is None else int(generator(random_state).randint(2**31 - 1))


def generator(random_state: object) -> np.random.RandomState:
    """Give the generator of random numbers that a seed, or a generator itself, stands for.

    Examples
    --------
    >>> generator("dice")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: random_state='dice' cannot be used to seed a generator; give ...
    """
    try:
        found: np.random.RandomState = check_random_state(random_state)
    except ValueError as error:
        raise ParameterError(
            f"random_state={random_state!r:.60} cannot be used to seed a generator; give a whole number, a "
            "generator or None."
        ) from error
    return found


def n_columns_drawn(max_features: object, n_columns: int) -> int:
    """Turn `max_features` into a number of columns.

    Examples
    --------
    >>> n_columns_drawn("sqrt", 20), n_columns_drawn(0.5, 5), n_columns_drawn(None, 5)
    (4, 2, 5)
    """
    if max_features is None:
        return n_columns
    if isinstance(max_features, str):
        functions = {"sqrt": np.sqrt, "log2": np.log2}
        return max(1, int(choice("max_features", max_features, functions)(n_columns)))
    if isinstance(max_features, Integral):
        return whole("max_features", max_features, at_least=1)
    return max(1, int(real("max_features", max_features, above=0.0, at_most=1.0) * n_columns))


def _optional(name: str, parameters: Mapping[str, Any], at_least: int) -> int | None:
    value = parameters[name]
    return None if value is None else whole(name, value, at_least=at_least)


def _count_or_fraction(name: str, parameters: Mapping[str, Any], n_rows: int, least: int) -> int:
    """Take a whole number as it is and a fraction as a share of all rows, rounded up."""
    value = parameters[name]
    if isinstance(value, Integral):
        return whole(name, value, at_least=least)
    if isinstance(value, str) or value is None:
        raise ParameterTypeError(
            f"{name}={value!r} is not a number; give a count of at least {least} or a fraction."
        )
    # As in scikit-learn, a leaf may not ask for all rows but a split may.
    bound = {"below": 1.0} if least == 1 else {"at_most": 1.0}
    return max(least, math.ceil(real(name, value, above=0.0, **bound) * n_rows))
