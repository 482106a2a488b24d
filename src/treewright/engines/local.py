"""The local engine: all rows in this process, in the compiled core."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.engines.engine import Progress, Work
from treewright.errors import ParameterError
from treewright.model.ledger_arrays import LedgerArrays, LedgerRules
from treewright.model.surrogates import SurrogateArrays
from treewright.model.tree import Tree
from treewright.parts import (
    AboveAverageGain,
    FunctionCriterion,
    GroupingSplitter,
    Recipe,
    Spread,
    Surrogates,
)
from treewright.parts.recipe import SEAMS, refuse_conflicts
from treewright.table.encode import Codes
from treewright.table.target import CodedClasses

# The core's word for every part it knows. A part that is not here is beyond this engine.
CORE_WORDS: Mapping[str, Mapping[type, str]] = {
    seam: {kind: kind.word for kind in SEAMS[seam]}
    for seam in ("criterion", "categorical", "missing", "ranking", "order", "leaf_value")
}


class TrainingSet:
    """The columns of a table, each put in order once, to be grown on many times.

    Parameters
    ----------
    codes : list of arrays
        Columns as `treewright.table.encode.encode` gives them; used in place.
    n_rows : int
        Their length.
    n_threads : int
        Threads to use.
    n_categories : sequence of int, optional
        Categories that each column declares, 0 where it holds numbers.
    """

    def __init__(
        self, codes: Codes, n_rows: int, n_threads: int, n_categories: Sequence[int] | None = None
    ) -> None:
        self.n_columns = len(codes)
        self.n_categories = tuple(n_categories or [0] * len(codes))
        self.integer_columns = tuple(at for at, column in enumerate(codes) if column.dtype == np.int64)
        self.core = _core.TrainingSet(codes, n_rows, n_threads, n_categories)


class LocalEngine:
    """Rows in memory, each column put in order once.

    Parameters
    ----------
    table : TrainingSet or list of arrays
        Columns that are in order already, and stay so for others; or as `treewright.table.encode.encode`
        gives them, to be put in order for this growth alone.
    target : CodedClasses or array of float64
        Classes or numbers.
    weights : array of float64 or None
        Rows of weight 0 take no part.
    n_threads : int
        Threads to use.
    n_categories : sequence of int, optional
        Of columns as they are: categories that each declares, 0 where it holds numbers.
    own_weights : array of float64, optional
        What rows weigh where the target does not count, as in surrogates; by default `weights`.
    """

    def __init__(
        self,
        table: TrainingSet | Codes,
        target: CodedClasses | NDArray[np.float64],
        weights: NDArray[np.float64] | None,
        n_threads: int,
        n_categories: Sequence[int] | None = None,
        own_weights: NDArray[np.float64] | None = None,
    ) -> None:
        self._of_classes = isinstance(target, CodedClasses)
        self._n_declared = target.n_declared if isinstance(target, CodedClasses) else 0
        core_target = (
            _core.Classes(target.codes, len(target.labels))
            if isinstance(target, CodedClasses)
            else _core.Numbers(target)
        )
        is_alone = not isinstance(table, TrainingSet)
        if not isinstance(table, TrainingSet):
            n_rows = len(target.codes if isinstance(target, CodedClasses) else target)
            table = TrainingSet(table, n_rows, n_threads, n_categories)
        self._n_columns = table.n_columns
        self._n_categories = table.n_categories
        self._integer_columns = table.integer_columns
        self._core = _core.LocalEngine(table.core, core_target, weights, n_threads, own_weights, is_alone)
        self._ends: NDArray[np.int32] | None = None

    @property
    def n_missing(self) -> NDArray[np.int64]:
        """Missing values of every column."""
        return self._core.n_missing

    @property
    def first_infinite(self) -> tuple[int, int] | None:
        """Column and row of an infinite value, None if there is none."""
        return self._core.first_infinite

    @property
    def work(self) -> Work:
        """How the tree was grown, once it is."""
        return Work(**self._core.work)

    @property
    def ends(self) -> NDArray[np.int32] | None:
        """Where each row of positive weight ended in the tree; None where the core does not tell."""
        return self._ends

    def check(self, recipe: Recipe) -> None:
        """Raise if a part of the recipe is beyond this engine or does not suit the target."""
        for seam, words in CORE_WORDS.items():
            part = getattr(recipe, seam)
            if type(part) not in words:
                known = ", ".join(f"{each.__name__}()" for each in words)
                raise ParameterError(f"engine 'local' does not know {seam}={part}; it knows {known}.")
        refuse_conflicts(recipe, "classes" if self._of_classes else "numbers")

    def grow(self, recipe: Recipe, progress: Progress | None = None, keep_ledger: bool = False) -> Tree:
        """Grow one tree, and keep its ledger if asked to."""
        return self._grow(recipe, progress, keeps_ledger=keep_ledger)

    def look(
        self, recipe: Recipe, *, every_cut: bool, path: int = 0, low: float = -np.inf, high: float = np.inf
    ) -> LedgerArrays:
        """Look into the columns of all rows as one node, and grow nothing.

        Parameters
        ----------
        recipe : Recipe
            How columns are judged.
        every_cut : bool
            Whether to list every cut of a numeric column, not only its best one.
        path : int
            Key of the node's random draws.
        low, high : float
            Bounds of what the node may answer, where answers are monotone.
        """
        limits = replace(recipe.limits, max_leaves=1)  # so the root is looked into and never opened
        tree = self._grow(
            replace(recipe, limits=limits),
            keeps_ledger=True,
            lists_every_cut=every_cut,
            root_path=path,
            root_low=low,
            root_high=high,
        )
        assert tree.ledger is not None, "it was asked for"
        return tree.ledger

    def _grow(self, recipe: Recipe, progress: Progress | None = None, **asked: Any) -> Tree:
        self.check(recipe)
        arrays: dict[str, Any] = dict(_core.grow(self._core, self._core_recipe(recipe, asked), progress))
        ledger = arrays.pop("ledger", None)
        self._ends = arrays.pop("ends", None)
        of_surrogates = [name for name in arrays if name.startswith("surrogate_")]
        surrogates = {name.removeprefix("surrogate_"): arrays.pop(name) for name in of_surrogates}
        tree = Tree(
            surrogates=SurrogateArrays(**surrogates),
            outcome=arrays.pop("value"),
            n_columns=self._n_columns,
            is_classifier=self._of_classes,
            integer_columns=self._integer_columns,
            **arrays,
        )
        if ledger is None:
            return tree
        ledger["verdict"] = ledger["verdict"].view(np.int8)
        kept = LedgerArrays(self._ledger_rules(recipe), weight=tree.weight.copy(), **ledger)
        is_category = np.array(self._n_categories) > 0
        return replace(tree, ledger=kept.settled(tree.parent, tree.column, is_category))

    def _ledger_rules(self, recipe: Recipe) -> LedgerRules:
        ranking, missing = recipe.ranking, recipe.missing
        word = CORE_WORDS["criterion"][type(recipe.criterion)]
        is_quinlan = isinstance(ranking, AboveAverageGain)
        spread = missing if isinstance(missing, Spread) else None
        return LedgerRules(
            criterion=word if self._of_classes or word != "function" else "function_of_numbers",
            by=ranking.by if isinstance(ranking, AboveAverageGain) else "score",
            min_rows_leaf=recipe.limits.min_rows_leaf,
            min_weight_leaf=recipe.limits.min_weight_leaf,
            slack=ranking.slack if isinstance(ranking, AboveAverageGain) else 0.0,
            penalty=(spread.penalty or "none") if spread else "linear",
            ratio_pays_for_gaps=spread is not None,
            unknown_is_branch=is_quinlan and spread is not None and spread.is_branch,
            charges_tries=is_quinlan and recipe.numeric.charges_tries,
        )

    def _core_recipe(self, recipe: Recipe, asked: Mapping[str, Any]) -> _core.Recipe:
        limits, missing, ranking = recipe.limits, recipe.missing, recipe.ranking
        many = ranking.many_values * self._core.n_rows if isinstance(ranking, AboveAverageGain) else 0
        surrogates = missing if isinstance(missing, Surrogates) else Surrogates()
        grouping = recipe.categorical if isinstance(recipe.categorical, GroupingSplitter) else None
        words: dict[str, Any] = {
            seam: known[type(getattr(recipe, seam))] for seam, known in CORE_WORDS.items()
        }
        return _core.Recipe(
            **words,
            splitter=recipe.numeric.choose,
            max_depth=_or_none(limits.max_depth),
            min_rows_split=limits.min_rows_split,
            min_rows_leaf=limits.min_rows_leaf,
            min_weight_leaf=limits.min_weight_leaf,
            max_leaves=_or_none(limits.max_leaves),
            min_gain=limits.min_gain,
            min_impurity=limits.min_impurity,
            max_columns=_or_none(limits.max_columns),
            seed=recipe.seed,
            function=recipe.criterion.scores if isinstance(recipe.criterion, FunctionCriterion) else None,
            monotone=list(recipe.monotone.directions) if recipe.monotone.is_constrained else [],
            max_surrogates=surrogates.max_surrogates,
            agreement=surrogates.style,
            lets_rows_stop=surrogates.otherwise == "stop",
            quinlan=self._quinlan(recipe),
            has_many_values=[0 < many <= n_categories for n_categories in self._n_categories],
            penalty=(missing.penalty or "none") if isinstance(missing, Spread) else "linear",
            cut_at=recipe.numeric.cut_at,
            min_gap=recipe.numeric.min_gap,
            min_weight_split=limits.min_weight_split,
            min_weight_once_unknown=(grouping.min_weight_once_unknown or 0.0) if grouping else 0.0,
            needs_gain=limits.needs_gain,
            **asked,
        )

    def _quinlan(self, recipe: Recipe) -> _core.Quinlan:
        ranking, missing = recipe.ranking, recipe.missing
        if not isinstance(ranking, AboveAverageGain):
            return _core.Quinlan()
        return _core.Quinlan(
            by_ratio=ranking.by == "ratio",
            charges_tries=recipe.numeric.charges_tries,
            scales_side=recipe.numeric.scales_side,
            unknown_is_branch=isinstance(missing, Spread) and missing.is_branch,
            every_cut_counts=ranking.counts == "cuts",
            is_strict=ranking.needs_gain,
            n_classes=self._n_declared,
            slack=ranking.slack,
            tolerance=ranking.tolerance,
        )


def _or_none(limit: int | None) -> int:
    """Say "no limit" in the core's way; a limit beyond 32 bits limits nothing either."""
    return -1 if limit is None or limit > np.iinfo(np.int32).max else limit
