"""A recipe is one choice per seam: everything that decides how a tree is grown and pruned."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import Any, TypeAlias, get_args
from weakref import ref

from treewright.errors import ParameterError, ParameterTypeError
from treewright.parts.bounds import whole
from treewright.parts.costs import Costs
from treewright.parts.criteria import CRITERIA, Criterion, FunctionCriterion
from treewright.parts.leaf_values import LeafValue, Mean, Shares
from treewright.parts.limits import Limits
from treewright.parts.missing import LearnedBranch, MissingPolicy
from treewright.parts.monotone import Monotone
from treewright.parts.orders import DepthFirst, GrowthOrder
from treewright.parts.part import Kind, Limit, Part
from treewright.parts.pruners import PRUNERS, CostComplexity, NoPruning, Pruner
from treewright.parts.rankings import BestScore, Ranking
from treewright.parts.splitters import CategorySplitter, Splitter, SubsetSplitter, ThresholdSplitter


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Recipe:
    """How a tree is grown and pruned: one choice for each seam.

    Estimators take it as ``recipe=``. `dataclasses.replace` gives a recipe with other choices.

    Parameters
    ----------
    criterion : a criterion, such as Gini or Variance
        How splits are scored.
    numeric : ThresholdSplitter
        Which splits of a numeric column are candidates.
    categorical : SubsetSplitter, MultiwaySplitter, OneVsRestSplitter or GroupingSplitter
        Which splits of a categorical column are candidates.
    ranking : BestScore or AboveAverageGain
        Which column wins.
    missing : LearnedBranch, MajorityBranch, OwnBranch, Surrogates, Spread or Refuse
        Where rows with missing values go.
    order : DepthFirst, LevelByLevel or BestFirst
        Which node is split next.
    limits : Limits
        Which nodes may be split, and which cuts may be made.
    pruner : NoPruning, CostComplexity, CrossValidated or another pruner
        Which smaller tree is better.
    costs : Costs
        Priors of the classes, and the cost of each error.
    leaf_value : Mean or Median
        Prediction of a leaf if the target is numeric.
    shares : Shares
        How the classes of a leaf become probabilities.
    monotone : Monotone
        Columns along which predictions may only rise, or only fall.
    seed : int
        Seed of all random draws; each draw also depends on the node's path and the column.

    See Also
    --------
    treewright.parts : All choices.
    treewright.recipes : The recipes of the classic learners.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from treewright import parts
    >>> recipe = parts.Recipe(parts.Entropy(), missing=parts.Spread(), limits=parts.Limits(max_depth=3))
    >>> replace(recipe, criterion=parts.Gini()).limits.max_depth
    3
    >>> parts.Recipe("gini")
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterTypeError: criterion='gini' is not a part for this; give Gini().
    """

    criterion: Criterion
    numeric: Splitter = field(default=ThresholdSplitter())
    categorical: CategorySplitter = field(default=SubsetSplitter())
    ranking: Ranking = field(default=BestScore())
    missing: MissingPolicy = field(default=LearnedBranch())
    order: GrowthOrder = field(default=DepthFirst())
    limits: Limits = field(default=Limits())
    pruner: Pruner = field(default=NoPruning())
    costs: Costs = field(default=Costs())
    leaf_value: LeafValue = field(default=Mean())
    shares: Shares = field(default=Shares())
    monotone: Monotone = field(default=Monotone())
    seed: int = 0

    def __post_init__(self) -> None:
        for seam, kinds in SEAMS.items():
            value = getattr(self, seam)
            if isinstance(value, kinds):
                continue
            # A part that no field knows may belong to another engine.
            is_known = isinstance(value, tuple(chain(*SEAMS.values())))
            if not isinstance(value, Part) or is_known or len(kinds) == 1:
                meant = [kind for kind in kinds if value is kind or value in kind.words()] or kinds
                known = _either(f"{kind.__name__}()" for kind in meant)
                raise ParameterTypeError(f"{seam}={value!r:.60} is not a part for this; give {known}.")
        whole("seed", self.seed, at_least=0)


# The parts to choose from, for each field of a recipe.
SEAMS: Mapping[str, tuple[type[Part], ...]] = {
    **{each.name: get_args(each.type) or (each.type,) for each in fields(Recipe) if each.name != "seed"},
    "criterion": CRITERIA,
    "pruner": PRUNERS,
}

_DEFAULTS = {each.name: each.default for each in fields(Recipe)}

# How users write a part of a field: as a name and a value; None if they have no way to.
Spelling: TypeAlias = Callable[[str, Part], tuple[str, str] | None]


def as_class(seam: str, part: Part) -> tuple[str, str]:
    """Spell a part as it is written in a recipe.

    Examples
    --------
    >>> as_class("numeric", ThresholdSplitter())
    ('numeric', 'ThresholdSplitter()')
    """
    is_default = type(part) not in (FunctionCriterion, CostComplexity) and part == type(part)()
    return seam, f"{type(part).__name__}()" if is_default else repr(part)


def refuse_conflicts(recipe: Recipe, target: Kind, spelling: Spelling = as_class) -> None:
    """Raise if a part does not suit the target, or if two parts cannot be combined.

    Parameters
    ----------
    recipe : Recipe
        The choices.
    target : {"classes", "numbers"}
        What the target holds.
    spelling : callable
        How the user wrote the parts, so that the error uses the same words.

    Examples
    --------
    >>> from treewright.parts.criteria import Twoing
    >>> from treewright.parts.splitters import MultiwaySplitter
    >>> refuse_conflicts(Recipe(Twoing(), categorical=MultiwaySplitter()), "classes")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: criterion=Twoing() scores two branches, and categorical=Multi...
    """
    known = _PASSED.get(target)
    if known is not None and known() is recipe:
        return

    def spelled(seam: str, part: Any) -> str:
        return "=".join(spelling(seam, part) or as_class(seam, part))

    for seam in SEAMS:
        part = getattr(recipe, seam)
        if part is _DEFAULTS.get(seam):
            continue
        for inner in getattr(part, "pruners", (part,)):
            # Parts that every recipe has by default do no harm.
            if isinstance(inner, Part) and target not in inner.suits and part != _DEFAULTS.get(seam):
                suited = [f"{kind.__name__}()" for kind in SEAMS[seam] if target in kind.suits]
                way_out = f"use {_either(suited)}" if suited else "leave it out"
                raise ParameterError(f"{spelled(seam, inner)} does not suit a target of {target}; {way_out}.")
    for seam, limit in _conflicts(recipe):
        part, other = getattr(recipe, seam), limit.seam
        others = [kind() for kind in SEAMS[other] if kind is not FunctionCriterion]
        allowed = [each for each in others if not limit.forbids(part, each)]
        free = [each for each in allowed if not _breaks(recipe, other, each)]
        names, values = zip(*filter(None, (spelling(other, each) for each in free or allowed)), strict=True)
        why = limit.why.format(spelled(other, getattr(recipe, other)))
        raise ParameterError(f"{spelled(seam, part)} {why}; use {names[0]}={_either(values)}.")
    _PASSED[target] = ref(recipe)


# The last recipe that passed, by target: the engine checks the recipe that the estimator just checked.
_PASSED: dict[Kind, ref[Recipe]] = {}


def _conflicts(recipe: Recipe) -> Iterator[tuple[str, Limit]]:
    """Find the fields whose part cannot be combined with another part, and the limits they break."""
    for seam in SEAMS:
        part: Part = getattr(recipe, seam)
        for limit in part.limits:
            if limit.forbids(part, getattr(recipe, limit.seam)):
                yield seam, limit


def _breaks(recipe: Recipe, seam: str, part: Any) -> bool:
    """Return whether a part conflicts with the other parts of a recipe."""
    changed: dict[str, Any] = {seam: part}
    return any(seam in (at, limit.seam) for at, limit in _conflicts(replace(recipe, **changed)))


def _either(texts: Iterable[str]) -> str:
    *others, last = texts
    return f"{', '.join(others)} or {last}" if others else last
