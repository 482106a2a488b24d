"""The local engine: all rows in this process, in the compiled core."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core, parts
from treewright.engines.engine import Engine, Grown, Progress, Work
from treewright.errors import ParameterError, did_you_mean
from treewright.missing_values import is_missing_code
from treewright.model.labelled_rows import LabelledRows
from treewright.model.ledger_arrays import LedgerArrays, LedgerRules
from treewright.model.surrogates import SurrogateArrays
from treewright.model.tree import Tree
from treewright.parts.recipe import SEAMS, refuse_conflicts
from treewright.recipes import Recipe
from treewright.schema import Column
from treewright.table.encode import Codes, Encoding
from treewright.table.fingerprint import fingerprint
from treewright.table.target import CodedClasses, Target, targets_of

# The core's word for every part it knows. This engine refuses other parts.
CORE_WORDS: Mapping[str, Mapping[type, str]] = {
    seam: {kind: kind.word for kind in SEAMS[seam]}
    for seam in ("criterion", "categorical", "missing", "ranking", "order", "leaf_value")
}
# Limits have the same names in the core.
_LIMITS = tuple(each.name for each in fields(parts.Limits))
_OF_SURROGATES = tuple(each.name for each in fields(SurrogateArrays))
_LATER = ("dask", "spark")  # engines of later versions


class LocalEngine:
    """Grows trees in this process, in the compiled core."""

    def prepare(self, rows: LabelledRows, encoding: Encoding, n_threads: int = 1) -> "LocalTrainingSet":
        """Encode a table and put each of its columns in order."""
        return LocalTrainingSet(*encoding.of(rows.table, rows.weights), n_threads)

    def check(self, recipe: Recipe, of_classes: bool) -> None:
        """Raise if this engine cannot grow by a recipe, or if the recipe does not suit the target."""
        for seam, words in CORE_WORDS.items():
            part = getattr(recipe, seam)
            if type(part) not in words:
                known = ", ".join(f"{each.__name__}()" for each in words)
                raise ParameterError(f"engine 'local' does not know {seam}={part}; it knows {known}.")
        refuse_conflicts(recipe, "classes" if of_classes else "numbers")


class LocalTrainingSet:
    """The encoded columns of a table. Each is sorted once, at the latest when a tree needs it.

    Parameters
    ----------
    codes : list of arrays
        Columns as `treewright.table.encode.encode` gives them; used in place.
    columns : sequence of Column
        Their names, kinds and categories.
    n_threads : int
        Threads to use.
    """

    def __init__(self, codes: Codes, columns: Sequence[Column], n_threads: int = 1) -> None:
        self.codes, self.columns, self.n_threads = codes, tuple(columns), n_threads
        # A column without known categories is still categorical.
        self.n_categories = [max(1, len(each.categories)) if each.is_category else 0 for each in columns]
        self.integer_columns = tuple(at for at, column in enumerate(codes) if column.dtype == np.int64)
        self.core = _core.TrainingSet(codes, len(codes[0]), n_threads, self.n_categories)

    @cached_property
    def may_lack_answers(self) -> list[bool]:
        """For each column, whether some row may have no branch at a split on it.

        This is so if a value is missing, or if the column is categorical: a new row may have a category that
        the node has not seen.
        """
        return [
            known.is_category or bool(is_missing_code(codes).any())
            for known, codes in zip(self.columns, self.codes, strict=True)
        ]

    def fingerprint(self, target: Target, weights: NDArray[np.float64] | None) -> str:
        """Compute the fingerprint of the rows of positive weight."""
        return fingerprint(self.codes, targets_of(target), weights, self.n_threads)

    def sample(
        self,
        target: Target,
        weights: NDArray[np.float64] | None = None,
        own_weights: NDArray[np.float64] | None = None,
        *,
        is_last: bool = False,
    ) -> "LocalSample":
        """Return the rows of positive weight; the last sample takes over the memory of the training set."""
        core_target = (
            _core.Classes(target.codes, len(target.labels))
            if isinstance(target, CodedClasses)
            else _core.Numbers(target)
        )
        core = _core.LocalEngine(self.core, core_target, weights, self.n_threads, own_weights, is_last)
        return LocalSample(self, target, core)


@dataclass(frozen=True, eq=False)
class LocalSample:
    """The rows of a training set that trees are grown on; see `LocalTrainingSet.sample`."""

    training_set: LocalTrainingSet
    target: Target
    core: _core.LocalEngine

    @property
    def n_missing(self) -> NDArray[np.int64]:
        """Missing values of every column."""
        return self.core.n_missing

    @property
    def first_infinite(self) -> tuple[int, int] | None:
        """Column and row of an infinite value, None if there are none."""
        return self.core.first_infinite

    def look(
        self, recipe: Recipe, *, every_cut: bool, path: int = 0, low: float = -np.inf, high: float = np.inf
    ) -> LedgerArrays:
        """Score the columns with all rows in one node, without growing a tree."""
        alone = replace(recipe, limits=replace(recipe.limits, max_leaves=1))  # the root is never split
        at: dict[str, Any] = {
            "lists_every_cut": every_cut,
            "root_path": path,
            "root_low": low,
            "root_high": high,
        }
        ledger = self.grow(alone, keep_ledger=True, **at).tree.ledger
        assert ledger is not None, "keep_ledger is set"
        return ledger

    def grow(
        self,
        recipe: Recipe,
        progress: Progress | None = None,
        keep_ledger: bool = False,
        *,
        own_rows_only: bool = False,
        **options: Any,
    ) -> Grown:
        """Grow one tree, and keep its ledger if `keep_ledger` is set; `options` are passed on to the core."""
        if own_rows_only and isinstance(recipe.missing, parts.Surrogates):
            options["surrogates_for"] = self.training_set.may_lack_answers
            if recipe.missing.otherwise == "majority" and not any(self.training_set.may_lack_answers):
                recipe = replace(recipe, missing=parts.MajorityBranch())  # grows the same tree, faster
        core_recipe = self._core_recipe(recipe, keeps_ledger=keep_ledger, **options)
        arrays: dict[str, Any] = _core.grow(self.core, core_recipe, progress)
        ledger, ends = arrays.pop("ledger", None), arrays.pop("ends", None)
        if "surrogate_begin" in arrays:
            surrogates = {name: arrays.pop(f"surrogate_{name}") for name in _OF_SURROGATES}
            arrays["surrogates"] = SurrogateArrays(**surrogates)
        tree = Tree(
            outcome=arrays.pop("value"),
            n_columns=len(self.training_set.columns),
            is_classifier=isinstance(self.target, CodedClasses),
            integer_columns=self.training_set.integer_columns,
            **arrays,
        )
        if ledger is not None:
            ledger["verdict"] = ledger["verdict"].view(np.int8)
            kept = LedgerArrays(self._ledger_rules(recipe), weight=tree.weight.copy(), **ledger)
            is_category = np.array(self.training_set.n_categories) > 0
            tree = replace(tree, ledger=kept.settled(tree.parent, tree.column, is_category))
        return Grown(tree, Work(**self.core.work), ends)

    def _ledger_rules(self, recipe: Recipe) -> LedgerRules:
        ranking, missing = recipe.ranking, recipe.missing
        word = recipe.criterion.word
        if word == "function" and not isinstance(self.target, CodedClasses):
            word = "function_of_numbers"
        quinlan = ranking if isinstance(ranking, parts.AboveAverageGain) else None
        spread = missing if isinstance(missing, parts.Spread) else None
        return LedgerRules(
            criterion=word,
            by=quinlan.by if quinlan else "score",
            min_rows_leaf=recipe.limits.min_rows_leaf,
            min_weight_leaf=recipe.limits.min_weight_leaf,
            slack=quinlan.slack if quinlan else 0.0,
            penalty=(spread.penalty or "none") if spread else "linear",
            ratio_pays_for_gaps=spread is not None,
            unknown_is_branch=quinlan is not None and spread is not None and spread.is_branch,
            charges_tries=quinlan is not None and recipe.numeric.charges_tries,
        )

    def _core_recipe(self, recipe: Recipe, **options: Any) -> _core.Recipe:
        missing, ranking, numeric = recipe.missing, recipe.ranking, recipe.numeric
        many = ranking.many_values * self.core.n_rows if isinstance(ranking, parts.AboveAverageGain) else 0
        surrogates = missing if isinstance(missing, parts.Surrogates) else parts.Surrogates()
        for name in _LIMITS:
            options[name] = getattr(recipe.limits, name)
        for name in ("max_depth", "max_leaves", "max_columns"):
            # In the core −1 means no limit; numbers beyond 32 bits limit nothing either.
            if options[name] is None or options[name] > np.iinfo(np.int32).max:
                options[name] = -1
        for seam, words in CORE_WORDS.items():
            options[seam] = words[type(getattr(recipe, seam))]
        return _core.Recipe(
            splitter=numeric.choose,
            seed=recipe.seed,
            function=getattr(recipe.criterion, "scores", None),
            monotone=recipe.monotone.directions if recipe.monotone.is_constrained else (),
            max_surrogates=surrogates.max_surrogates,
            agreement=surrogates.style,
            lets_rows_stop=surrogates.otherwise == "stop",
            quinlan=self._quinlan(recipe),
            has_many_values=[0 < many <= n_categories for n_categories in self.training_set.n_categories],
            penalty=(missing.penalty or "none") if isinstance(missing, parts.Spread) else "linear",
            cut_at=numeric.cut_at,
            min_gap=numeric.min_gap,
            min_weight_once_unknown=getattr(recipe.categorical, "min_weight_once_unknown", None) or 0.0,
            **options,
        )

    def _quinlan(self, recipe: Recipe) -> _core.Quinlan:
        ranking, missing = recipe.ranking, recipe.missing
        if not isinstance(ranking, parts.AboveAverageGain):
            return _core.Quinlan()
        return _core.Quinlan(
            by_ratio=ranking.by == "ratio",
            charges_tries=recipe.numeric.charges_tries,
            scales_side=recipe.numeric.scales_side,
            unknown_is_branch=isinstance(missing, parts.Spread) and missing.is_branch,
            every_cut_counts=ranking.counts == "cuts",
            is_strict=ranking.needs_gain,
            n_classes=self.target.n_declared if isinstance(self.target, CodedClasses) else 0,
            slack=ranking.slack,
            tolerance=ranking.tolerance,
        )


def engine_of(value: object) -> Engine:
    """Return the engine that a parameter names, or the parameter itself if it is an engine.

    Examples
    --------
    >>> engine_of("locale")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: engine='locale' is unknown; available: None, 'local'. Did you mean ...
    """
    if value is None or (isinstance(value, str) and value == "local"):
        return LocalEngine()
    if isinstance(value, str):
        is_later = value in _LATER
        raise ParameterError(
            f"engine={value!r} is {'not available in this version' if is_later else 'unknown'}; available: "
            "None, 'local'." + ("" if is_later else did_you_mean(value, ("local", *_LATER)))
        )
    if isinstance(value, type) or not isinstance(value, Engine):
        raise ParameterError(
            f"engine={value!r} is not an engine; give None, 'local', or an object with the methods check and "
            "prepare of treewright.engines.engine.Engine."
        )
    return value
