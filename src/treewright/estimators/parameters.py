"""How estimators declare their parameters, how these are checked, and the recipe that they form."""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, partial
from numbers import Integral
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, dataclass_transform, get_args

import numpy as np
from sklearn.utils import check_random_state

from treewright import parts
from treewright.engines.local import engine_of
from treewright.errors import ParameterError, ParameterTypeError, shown, warn
from treewright.estimators.renamed import takes_old_names
from treewright.parts import criteria, leaf_values, orders, pruners, splitters
from treewright.parts.bounds import MOST, flag, one_of, real, whole
from treewright.parts.missing import MissingPolicy
from treewright.parts.part import Kind, Part, by_word
from treewright.parts.recipe import SEAMS
from treewright.table import identifiers

T = TypeVar("T")

# The words that parameters take, for type checkers and editors; a test compares them with the parts.
Splitter: TypeAlias = splitters.Choose
CategoricalSplit: TypeAlias = Literal["subset", "multiway", "one-vs-rest"]
Missing: TypeAlias = Literal["learned", "majority", "surrogate", "spread", "branch", "refuse"]
Penalty: TypeAlias = Literal["linear", "quadratic"]
PENALTIES = (*get_args(Penalty), None)
Growth: TypeAlias = Literal["depth", "best", "breadth"]
LeafWord: TypeAlias = Literal["mean", "median"]
ColumnsDrawn: TypeAlias = Literal["sqrt", "log2"]

CRITERIA = {kind: by_word(SEAMS["criterion"], suits=kind) for kind in get_args(Kind)}
LEAF_VALUES = by_word(SEAMS["leaf_value"])
SPLITTERS = {word: parts.ThresholdSplitter(word) for word in get_args(splitters.Choose)}
CATEGORICAL = by_word(SEAMS["categorical"])
MISSING = by_word(SEAMS["missing"])
ORDERS = by_word(SEAMS["order"])

# Names of the parameters that decide a field of the recipe, if they differ from the name of the field.
_PARAMETERS = {"numeric": "splitter", "categorical": "categorical_split", "order": "growth"}


class Parameter(NamedTuple):
    """How a parameter is read.

    Parameters
    ----------
    read : callable
        Takes the name and the value; returns what the value stands for, or raises.
    seam : str, optional
        Field of the recipe that it decides; None if it decides none and may be given together with a recipe.
    """

    read: Callable[[str, Any], Any]
    seam: str | None = None


def read_later(_name: str, value: T) -> T:
    """Return a value unchecked; it is checked later, when the table, the folds or the cores are known."""
    return value


def parameter(
    default: Any, read: Callable[..., Any] = read_later, seam: str | None = None, **bounds: Any
) -> Any:
    """Declare a parameter of an estimator, in the body of its class.

    Parameters
    ----------
    default : object
        Its default. If the default is None, None is accepted without being read.
    read : callable
        Takes the name, the value and the bounds; returns what the value stands for, or raises.
    seam : str, optional
        As for `Parameter`.
    **bounds : dict
        The values that are allowed.
    """

    @cache
    def read_default(name: str) -> Any:
        return None if default is None else read(name, default, **bounds)

    def read_given(name: str, value: Any) -> Any:
        # Most parameters have their default, which is read only once: this keeps small fits fast.
        return read_default(name) if value is default else read(name, value, **bounds)

    return field(default=default, metadata={Parameter: Parameter(read_given, seam)})


@dataclass_transform(kw_only_default=True, eq_default=False)
def with_constructor(kind: type[T]) -> type[T]:
    """Give a class the constructor that scikit-learn requires of estimators.

    It takes the parameters that the class and its bases declare, as keywords, and stores them unchecked.
    `_parameters` lists them. A parameter that a class declares again by its default alone is read as in the
    base class.

    Examples
    --------
    >>> @with_constructor
    ... class Estimator:
    ...     max_depth: int | None = None
    ...     cv: int = parameter(10, whole, "pruner", at_least=2)
    >>> Estimator(cv=5).cv, Estimator._parameters["cv"].seam
    (5, 'pruner')
    """
    made: Any = dataclass(kw_only=True, eq=False, repr=False, match_args=False)(kind)
    made.__init__ = takes_old_names(made.__init__)
    of_bases = getattr(made, "_parameters", {})
    made._parameters = {
        each.name: each.metadata.get(Parameter) or of_bases.get(each.name) or Parameter(read_later)
        for each in fields(made)
    }
    return made  # type: ignore[no-any-return]


def choice(name: str, value: object, *, of: Mapping[str, T] | tuple[T, ...]) -> T:
    """Look up a choice by its word; if `of` is a tuple, return the word itself.

    Raises
    ------
    ParameterError
        If it is unknown; the text names the nearest.

    Examples
    --------
    >>> choice("criterion", "entropie", of=CRITERIA["classes"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: criterion='entropie' is unknown; available: 'gini', ...
    """
    one_of(name, value, of)
    return value if isinstance(of, tuple) else of[value]  # type: ignore[return-value, index]  # one of them


def read_criterion(name: str, value: object, *, of: Kind) -> criteria.Criterion:
    """Read a criterion: a word, or a function that scores cuts."""
    if callable(value) and not isinstance(value, type):
        return parts.FunctionCriterion(value)
    if isinstance(value, str) and value == "friedman_mse" and of == "numbers":
        warn(
            "criterion='friedman_mse' is deprecated, as in scikit-learn 1.9: it is the same as "
            "criterion='squared_error'. Use that.",
            FutureWarning,
        )
        value = "squared_error"
    criterion: criteria.Criterion = choice(name, value, of=CRITERIA[of])
    return criterion


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


def a_recipe(name: str, value: object) -> parts.Recipe | None:
    """Read a recipe."""
    if value is not None and not isinstance(value, parts.Recipe):
        raise ParameterTypeError(
            f"{name}={value!r:.60} is not a treewright.Recipe; give one, such as Recipe(parts.Gini())."
        )
    return value


def random_state(_name: str, value: T) -> T:
    """Read a seed or a generator, and draw nothing."""
    # Making a generator takes longer than fitting a small table.
    if not (isinstance(value, Integral) and 0 <= int(value) < 2**32):
        generator(value)
    return value


def generator(random_state: object) -> np.random.RandomState:
    """Make a random number generator from a seed; a generator is returned as it is.

    Examples
    --------
    >>> generator("dice")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: random_state='dice' cannot be used to seed a generator; give ...
    """
    try:
        found: np.random.RandomState = check_random_state(random_state)
    except (ValueError, OverflowError) as error:
        raise ParameterError(
            f"random_state={shown(random_state):.60} cannot be used to seed a generator; give a whole number "
            f"from 0 to {2**32 - 1}, a generator or None."
        ) from error
    return found


# The parameters of all estimators; each class declares them again by their defaults alone.
OF_ALL: Mapping[str, Parameter] = {
    "recipe": Parameter(a_recipe),
    "keep_ledger": Parameter(flag),
    "on_identifier": Parameter(partial(choice, of=identifiers.CHOICES)),
    "n_jobs": Parameter(read_later),
    "engine": Parameter(lambda _, value: engine_of(value)),
    "verbose": Parameter(read_later),
}


def read(estimator: Any, *names: str) -> dict[str, Any]:
    """Check parameters of an estimator, and return what they stand for.

    Parameters
    ----------
    estimator : estimator
        Its class lists its parameters in `_parameters`.
    *names : str
        The parameters to read; by default all.
    """
    table: Mapping[str, Parameter] = estimator._parameters
    return {name: table[name].read(name, getattr(estimator, name)) for name in names or table}


def read_one(estimator: Any, name: str, default: Any = None) -> Any:
    """Check a parameter and return what it stands for; `default` if the estimator does not have it."""
    return read(estimator, name)[name] if name in estimator._parameters else default


def recipe_of(estimator: Any) -> parts.Recipe | None:
    """Return the recipe of an estimator, if it has one; raise if another parameter contradicts it.

    Examples
    --------
    >>> import treewright as tw
    >>> tree = tw.DecisionTreeClassifier(max_depth=3, recipe=tw.Recipe(tw.parts.Gini()))
    >>> recipe_of(tree)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: max_depth=3 contradicts recipe=, which decides limits; leave max_d...
    """
    recipe: parts.Recipe | None = read_one(estimator, "recipe")
    if recipe is None:
        return None
    read(estimator)
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
    """Spell a part as a parameter and its word; None if there is no word for it.

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
    """Convert scikit-learn's stopping parameters, including fractions, to limits."""
    min_leaf = _rows(given["min_samples_leaf"], n_rows, least=1)
    of_columns = n_columns_drawn(given["max_features"], n_columns)
    return parts.Limits(
        max_depth=given["max_depth"],
        min_rows_split=max(_rows(given["min_samples_split"], n_rows, least=2), min(2 * min_leaf, MOST)),
        min_rows_leaf=min_leaf,
        min_weight_leaf=given["min_weight_fraction_leaf"] * weight,
        max_leaves=given["max_leaf_nodes"],
        min_gain=given["min_impurity_decrease"],
        min_impurity=given["min_impurity"],
        max_columns=of_columns if of_columns < n_columns else None,
    )


def order(chosen: orders.GrowthOrder, max_leaf_nodes: object) -> orders.GrowthOrder:
    """Choose the growth order; a limit on leaves means best first, unless breadth was requested."""
    is_limited = max_leaf_nodes is not None and isinstance(chosen, parts.DepthFirst)
    return parts.BestFirst() if is_limited else chosen


def leaf_value(given: Mapping[str, Any]) -> leaf_values.LeafValue:
    """Choose what leaves predict; by default the value that suits the criterion, as in scikit-learn.

    Examples
    --------
    >>> leaf_value({"criterion": parts.AbsoluteError()}), leaf_value({"criterion": parts.Variance()})
    (Median(), Mean())
    """
    by_default = parts.Median() if isinstance(given["criterion"], parts.AbsoluteError) else parts.Mean()
    return given.get("leaf_value") or by_default


def pruner(given: Mapping[str, Any]) -> pruners.Pruner:
    """Choose the pruner; as in scikit-learn, a price of 0 prunes nothing, not even links that cost nothing.

    `pruning`, `cv` and `risk` are for estimators that have them.
    """
    alpha, risk = given["ccp_alpha"], given.get("risk", "impurity")
    links: pruners.Links = "weakest" if risk == "impurity" else "rpart"
    if risk == "loss" and given.get("loss") is None:
        why = "there is none; give loss= a matrix," if "loss" in given else "this tree predicts numbers;"
        known = "risk='error' or risk='impurity'"
        raise ParameterError(f"risk='loss' weights errors by their loss, and {why} use {known}.")
    rule = given.get("pruning")
    if rule is None:
        return parts.CostComplexity(alpha, risk, links) if alpha > 0 else parts.NoPruning()
    cv, state = given["cv"], given["random_state"]
    n_folds = whole("cv", cv, at_least=2) if isinstance(cv, Integral) else parts.CrossValidated().n_folds
    # Without a random state, rows are always assigned to folds in the same way.
    seed = 0 if state is None else int(generator(state).randint(2**31 - 1))
    return parts.CrossValidated(rule, n_folds, risk, alpha, seed, links)


def without_pruning(estimator: Any) -> dict[str, Any]:
    """Return parameters that switch off all pruning by an estimator.

    Examples
    --------
    >>> import treewright as tw
    >>> without_pruning(tw.CARTRegressor()), without_pruning(tw.C45Classifier())
    ({'ccp_alpha': 0.0, 'pruning': None}, {'pruning': False, 'reduced_error_folds': None})
    """
    known = estimator._parameters
    if estimator.recipe is not None:
        return {"recipe": replace(estimator.recipe, pruner=parts.NoPruning())}
    off: dict[str, Any] = {"ccp_alpha": 0.0, "pruning": False if "variant" in known else None}
    return {name: value for name, value in (off | {"reduced_error_folds": None}).items() if name in known}


def n_columns_drawn(max_features: object, n_columns: int) -> int:
    """Convert `max_features` to a number of columns.

    Examples
    --------
    >>> n_columns_drawn("sqrt", 20), n_columns_drawn(0.5, 5), n_columns_drawn(None, 5)
    (4, 2, 5)
    """
    if max_features is None:
        return n_columns
    if isinstance(max_features, str):
        functions = {"sqrt": np.sqrt, "log2": np.log2}
        return max(1, int(choice("max_features", max_features, of=functions)(n_columns)))
    if isinstance(max_features, Integral):
        return whole("max_features", max_features, at_least=1)
    return max(1, int(real("max_features", max_features, above=0.0, at_most=1.0) * n_columns))


def _rows(given: int | float, n_rows: int, least: int) -> int:
    """Return a whole number unchanged, and a fraction as a number of rows, rounded up."""
    return given if isinstance(given, int) else max(least, math.ceil(given * n_rows))
