"""What the parameters of the estimators may be, as tables, and the recipe that they make."""

import inspect
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from numbers import Integral
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args

import numpy as np
from sklearn.utils import check_random_state

from treewright import parts
from treewright.engines.local import engine_of
from treewright.errors import ParameterError, ParameterTypeError
from treewright.parts.bounds import flag, one_of, real, whole
from treewright.parts.criteria import Criterion
from treewright.parts.leaf_values import LeafValue
from treewright.parts.missing import MissingPolicy
from treewright.parts.orders import GrowthOrder
from treewright.parts.part import Kind, Part, by_word
from treewright.parts.pruners import RISKS, RULES, Links, Pruner
from treewright.parts.recipe import SEAMS
from treewright.parts.splitters import CategorySplitter, Choose

T = TypeVar("T")

# The words that parameters take, for type checkers and editors; a test compares them with the parts.
Splitter: TypeAlias = Choose
CategoricalSplit: TypeAlias = Literal["subset", "multiway", "one-vs-rest"]
Missing: TypeAlias = Literal["learned", "majority", "surrogate", "spread", "branch", "refuse"]
Penalty: TypeAlias = Literal["linear", "quadratic"]
Growth: TypeAlias = Literal["depth", "best", "breadth"]
LeafWord: TypeAlias = Literal["mean", "median"]
ColumnsDrawn: TypeAlias = Literal["sqrt", "log2"]

CRITERIA: Mapping[Kind, Mapping[str, Criterion]] = {
    kind: by_word(SEAMS["criterion"], suits=kind) for kind in get_args(Kind)
}
LEAF_VALUES: Mapping[str, LeafValue] = by_word(SEAMS["leaf_value"])
SPLITTERS: Mapping[str, parts.ThresholdSplitter] = {
    word: parts.ThresholdSplitter(word) for word in get_args(Choose)
}
CATEGORICAL: Mapping[str, CategorySplitter] = by_word(SEAMS["categorical"])
MISSING: Mapping[str, MissingPolicy] = by_word(SEAMS["missing"])
ORDERS: Mapping[str, GrowthOrder] = by_word(SEAMS["order"])

# What the parameters that decide a part of the recipe are called, if not as the field is.
_PARAMETERS = {"numeric": "splitter", "categorical": "categorical_split", "order": "growth"}


class Parameter(NamedTuple):
    """What a parameter may be.

    Parameters
    ----------
    read : callable
        Takes the name and the value; gives what the value stands for, or raises.
    seam : str, optional
        Field of the recipe that it decides; None: none, so it may be given together with a recipe.
    """

    read: Callable[[str, Any], Any]
    seam: str | None = None


def choice(name: str, value: object, of: Mapping[str, T]) -> T:
    """Look a choice up by its word.

    Raises
    ------
    ParameterError
        If it is unknown; the text names the nearest.

    Examples
    --------
    >>> choice("criterion", "entropie", CRITERIA["classes"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: criterion='entropie' is unknown; available: 'gini', ...
    """
    one_of(name, value, of)
    return of[value]  # type: ignore[index]  # one of the words


def same(name: str, value: object, *, of: tuple[object, ...], later: tuple[str, ...] = ()) -> Any:
    """Read a word, or None, that stands for itself."""
    one_of(name, value, of, later)
    return value


def criterion(name: str, value: object, *, of: Kind) -> Criterion:
    """Read a criterion: a word, or a function that scores cuts."""
    if callable(value) and not isinstance(value, type):
        return parts.FunctionCriterion(value)
    if isinstance(value, str) and value == "friedman_mse" and of == "numbers":
        warnings.warn(
            "criterion='friedman_mse' is deprecated, as in scikit-learn 1.9: it is the same as "
            "criterion='squared_error'. Use that.",
            FutureWarning,
            stacklevel=2,
        )
        value = "squared_error"
    return choice(name, value, CRITERIA[of])


def optional(read: Callable[[str, Any], T]) -> Callable[[str, Any], T | None]:
    """Let a parameter be None, too."""
    return lambda name, value: None if value is None else read(name, value)


def count_or_fraction(name: str, value: Any, *, least: int) -> int | float:
    """Read a number of rows, or a fraction of all rows."""
    if isinstance(value, Integral):
        return whole(name, value, at_least=least)
    if isinstance(value, str) or value is None:
        raise ParameterTypeError(
            f"{name}={value!r} is not a number; give a count of at least {least} or a fraction."
        )
    # As in scikit-learn, a leaf may not require all rows but a split may.
    bound = {"below": 1.0} if least == 1 else {"at_most": 1.0}
    return real(name, value, above=0.0, **bound)


def columns_drawn(_name: str, value: object) -> object:
    """Read how many columns are drawn for each node."""
    n_columns_drawn(value, 1)
    return value


def read_later(_name: str, value: T) -> T:
    """Leave a value to those who have the table, the folds or the cores to check it against."""
    return value


def a_recipe(name: str, value: object) -> parts.Recipe:
    """Read a recipe."""
    if not isinstance(value, parts.Recipe):
        raise ParameterTypeError(
            f"{name}={value!r:.60} is not a treewright.Recipe; give one, such as Recipe(parts.Gini())."
        )
    return value


def random_state(_name: str, value: T) -> T:
    """Read a seed or a generator, and draw nothing."""
    generator(value)
    return value


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


# What all estimators take.
OF_ALL: Mapping[str, Parameter] = {
    "recipe": Parameter(optional(a_recipe)),
    "keep_ledger": Parameter(flag),
    "n_jobs": Parameter(read_later),
    "engine": Parameter(lambda _, value: engine_of(value)),
    "verbose": Parameter(read_later),
}
# What the estimators of scikit-learn's names take, for classes and for numbers.
OF_TREES: Mapping[str, Parameter] = {
    **OF_ALL,
    "splitter": Parameter(partial(choice, of=SPLITTERS), "numeric"),
    "max_depth": Parameter(optional(partial(whole, at_least=1)), "limits"),
    "min_samples_split": Parameter(partial(count_or_fraction, least=2), "limits"),
    "min_samples_leaf": Parameter(partial(count_or_fraction, least=1), "limits"),
    "min_weight_fraction_leaf": Parameter(partial(real, at_least=0.0, at_most=0.5), "limits"),
    "max_features": Parameter(columns_drawn, "limits"),
    "random_state": Parameter(random_state, "seed"),
    "max_leaf_nodes": Parameter(optional(partial(whole, at_least=2)), "limits"),
    "min_impurity_decrease": Parameter(partial(real, at_least=0.0), "limits"),
    "ccp_alpha": Parameter(partial(real, at_least=0.0), "pruner"),
    "monotonic_cst": Parameter(read_later, "monotone"),
    "min_impurity": Parameter(partial(real, at_least=0.0), "limits"),
    "categorical_features": Parameter(read_later),
    "categorical_split": Parameter(partial(choice, of=CATEGORICAL), "categorical"),
    "missing": Parameter(partial(choice, of=MISSING), "missing"),
    "missing_penalty": Parameter(partial(same, of=("linear", "quadratic", None)), "missing"),
    "growth": Parameter(partial(choice, of=ORDERS), "order"),
}
OF_CLASSES: Mapping[str, Parameter] = {
    "criterion": Parameter(partial(criterion, of="classes"), "criterion"),
    "class_weight": Parameter(read_later),
    "prior": Parameter(read_later, "costs"),
    "loss": Parameter(read_later, "costs"),
}
OF_NUMBERS: Mapping[str, Parameter] = {
    "criterion": Parameter(partial(criterion, of="numbers"), "criterion"),
    "leaf_value": Parameter(optional(partial(choice, of=LEAF_VALUES)), "leaf_value"),
}
# What CART takes besides.
OF_CART: Mapping[str, Parameter] = {
    "max_surrogates": Parameter(partial(whole, at_least=0), "missing"),
    "pruning": Parameter(partial(same, of=(*RULES, None)), "pruner"),
    "cv": Parameter(read_later, "pruner"),
    "risk": Parameter(partial(same, of=RISKS), "pruner"),
}


def read(estimator: Any, *names: str) -> dict[str, Any]:
    """Check parameters of an estimator by its table, and give what they stand for.

    Parameters
    ----------
    estimator : estimator
        Its class has the table: `_parameters`.
    *names : str
        Which of them; by default all.
    """
    table: Mapping[str, Parameter] = estimator._parameters
    return {name: table[name].read(name, getattr(estimator, name)) for name in names or table}


def recipe_of(estimator: Any) -> parts.Recipe | None:
    """Give the recipe of an estimator that has one, and check that no other parameter contradicts it.

    Examples
    --------
    >>> import treewright as tw
    >>> tree = tw.DecisionTreeClassifier(max_depth=3, recipe=tw.Recipe(tw.parts.Gini()))
    >>> recipe_of(tree)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: max_depth=3 contradicts recipe=, which decides limits; leave max_d...
    """
    recipe: parts.Recipe | None = read(estimator)["recipe"]
    if recipe is None:
        return None
    kind: type = type(estimator)
    for name, default in _defaults(kind).items():
        value, each = getattr(estimator, name), estimator._parameters.get(name)
        is_default = value is default or (isinstance(value, str | float | Integral) and value == default)
        if each is not None and each.seam is not None and not is_default:
            raise ParameterError(
                f"{name}={value!r:.60} contradicts recipe=, which decides {each.seam}; leave {name} out, or "
                f"set {each.seam} in the recipe."
            )
    return recipe


@cache
def _defaults(kind: type) -> dict[str, Any]:
    return {name: each.default for name, each in inspect.signature(kind).parameters.items()}


def as_typed(seam: str, part: Part) -> tuple[str, str] | None:
    """Spell a part as parameters do, by a word; None where no word stands for it.

    Examples
    --------
    >>> as_typed("order", parts.BestFirst()), as_typed("numeric", parts.ThresholdSplitter("random"))
    (('growth', "'best'"), ('splitter', "'random'"))
    """
    words = [part.choose] if isinstance(part, parts.ThresholdSplitter) else part.words()
    if isinstance(part, parts.FunctionCriterion):
        return seam, part.name
    return (_PARAMETERS.get(seam, seam), repr(words[0])) if words else None


def missing(given: Mapping[str, Any]) -> MissingPolicy:
    """Choose the missing policy; `max_surrogates` is for estimators that have it."""
    chosen: MissingPolicy = given["missing"]
    if isinstance(chosen, parts.Spread):
        return replace(chosen, penalty=given["missing_penalty"])
    if isinstance(chosen, parts.Surrogates) and "max_surrogates" in given:
        return replace(chosen, max_surrogates=given["max_surrogates"])
    return chosen


def limits(given: Mapping[str, Any], n_rows: int, n_columns: int, weight: float) -> parts.Limits:
    """Turn scikit-learn's stopping parameters, fractions included, into limits."""
    min_leaf = _rows(given["min_samples_leaf"], n_rows, least=1)
    of_columns = n_columns_drawn(given["max_features"], n_columns)
    return parts.Limits(
        max_depth=given["max_depth"],
        min_rows_split=max(_rows(given["min_samples_split"], n_rows, least=2), 2 * min_leaf),
        min_rows_leaf=min_leaf,
        min_weight_leaf=given["min_weight_fraction_leaf"] * weight,
        max_leaves=given["max_leaf_nodes"],
        min_gain=given["min_impurity_decrease"],
        min_impurity=given["min_impurity"],
        max_columns=of_columns if of_columns < n_columns else None,
    )


def order(chosen: GrowthOrder, max_leaf_nodes: object) -> GrowthOrder:
    """Choose the growth order; a limit on leaves means best first, unless breadth was requested."""
    return (
        parts.BestFirst() if max_leaf_nodes is not None and isinstance(chosen, parts.DepthFirst) else chosen
    )


def leaf_value(chosen: LeafValue | None, criterion: Criterion) -> LeafValue:
    """Choose what leaves answer; None is what suits the criterion best, as in scikit-learn.

    Examples
    --------
    >>> leaf_value(None, parts.AbsoluteError()), leaf_value(None, parts.Variance())
    (Median(), Mean())
    """
    return chosen or (parts.Median() if isinstance(criterion, parts.AbsoluteError) else parts.Mean())


def pruner(given: Mapping[str, Any]) -> Pruner:
    """Choose the pruner; as in scikit-learn 0 prunes nothing, not even links that cost nothing.

    `pruning`, `cv` and `risk` are for estimators that have them.
    """
    alpha, risk = given["ccp_alpha"], given.get("risk", "impurity")
    links: Links = "weakest" if risk == "impurity" else "rpart"
    if risk == "loss" and given.get("loss") is None:
        raise ParameterError(
            "risk='loss' weights errors by their loss, and there is none; give loss= a matrix, or use "
            "risk='error'."
        )
    rule = given.get("pruning")
    if rule is None:
        return parts.CostComplexity(alpha, risk, links) if alpha > 0 else parts.NoPruning()
    cv, state = given["cv"], given["random_state"]
    n_folds = whole("cv", cv, at_least=2) if isinstance(cv, Integral) else parts.CrossValidated().n_folds
    # Without a random state the rows are always assigned in the same way.
    seed = 0 if state is None else int(generator(state).randint(2**31 - 1))
    return parts.CrossValidated(rule, n_folds, risk, alpha, seed, links)


def unpruned(estimator: Any) -> dict[str, Any]:
    """Give the parameters with which an estimator prunes nothing.

    Examples
    --------
    >>> import treewright as tw
    >>> unpruned(tw.CARTRegressor()), unpruned(tw.C45Classifier())
    ({'ccp_alpha': 0.0, 'pruning': None}, {'pruning': False, 'reduced_error_folds': None})
    """
    known = estimator._parameters
    if estimator.recipe is not None:
        return {"recipe": replace(estimator.recipe, pruner=parts.NoPruning())}
    off: dict[str, Any] = {"ccp_alpha": 0.0, "pruning": False if "variant" in known else None}
    return {name: value for name, value in (off | {"reduced_error_folds": None}).items() if name in known}


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


def _rows(given: int | float, n_rows: int, least: int) -> int:
    """Take a whole number as it is and a fraction as a share of all rows, rounded up."""
    return given if isinstance(given, int) else max(least, math.ceil(given * n_rows))
