"""The local engine: all rows in this process, in the compiled core."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core, parts
from treewright.engines.engine import Engine, Grown, Progress, Work
from treewright.errors import ParameterError, did_you_mean
from treewright.model.labelled_rows import LabelledRows
from treewright.model.ledger_arrays import LedgerArrays, LedgerRules
from treewright.model.surrogates import SurrogateArrays
from treewright.model.tree import Tree
from treewright.parts.recipe import SEAMS, refuse_conflicts
from treewright.schema import Column
from treewright.table.encode import Codes, Encoding
from treewright.table.fingerprint import fingerprint
from treewright.table.target import CodedClasses, Target, targets_of

# The core's word for every part it knows. This engine refuses other parts.
CORE_WORDS: Mapping[str, Mapping[type, str]] = {
    seam: {kind: kind.word for kind in SEAMS[seam]}
    for seam in ("criterion", "categorical", "missing", "ranking", "order", "leaf_value")
}
_LATER = ("dask", "spark")  # engines of later versions


class LocalEngine:
    """Grows trees in this process, in the compiled core."""

    def prepare(self, rows: LabelledRows, encoding: Encoding, n_threads: int = 1) -> "LocalTrainingSet":
        """Encode a table and put each of its columns in order."""
        codes, columns = encoding.of(rows.table, rows.weights)
        return LocalTrainingSet(codes, columns, n_threads)

    def check(self, recipe: parts.Recipe, of_classes: bool) -> None:
        """Raise if this engine cannot grow by a recipe, or if the recipe does not suit the target."""
        for seam, words in CORE_WORDS.items():
            part = getattr(recipe, seam)
            if type(part) not in words:
                known = ", ".join(f"{each.__name__}()" for each in words)
                raise ParameterError(f"engine 'local' does not know {seam}={part}; it knows {known}.")
        refuse_conflicts(recipe, "classes" if of_classes else "numbers")


class LocalTrainingSet:
    """The columns of a table, encoded, and each put in order once.

    Parameters
    ----------
    codes : list of arrays
        Columns as `treewright.table.encode.encode` gives them; used in place.
    columns : sequence of Column
        What is known of them.
    n_threads : int
        Threads to use.
    """

    def __init__(self, codes: Codes, columns: Sequence[Column], n_threads: int = 1) -> None:
        self.codes, self.columns, self.n_threads = codes, tuple(columns), n_threads
        # A column whose categories are all unknown is still one of categories.
        self.n_categories = [max(1, len(each.categories)) if each.is_category else 0 for each in columns]
        self.core = _core.TrainingSet(codes, len(codes[0]), n_threads, self.n_categories)

    def fingerprint(self, target: Target, weights: NDArray[np.float64] | None) -> str:
        """Sum up the rows of positive weight."""
        return fingerprint(self.codes, targets_of(target), weights)

    def sample(
        self,
        target: Target,
        weights: NDArray[np.float64] | None = None,
        own_weights: NDArray[np.float64] | None = None,
        *,
        is_last: bool = False,
    ) -> "LocalSample":
        """Give the rows of positive weight; the last sample takes over the memory of the training set."""
        return LocalSample(self, target, weights, own_weights, is_last)


class LocalSample:
    """The rows of a training set that trees are grown on; see `LocalTrainingSet.sample`."""

    def __init__(
        self,
        rows: LocalTrainingSet,
        target: Target,
        weights: NDArray[np.float64] | None,
        own_weights: NDArray[np.float64] | None,
        is_last: bool,
    ) -> None:
        self._of_classes = isinstance(target, CodedClasses)
        self._n_declared = target.n_declared if isinstance(target, CodedClasses) else 0
        self._n_categories = rows.n_categories
        self._integer_columns = tuple(at for at, codes in enumerate(rows.codes) if codes.dtype == np.int64)
        core_target = (
            _core.Classes(target.codes, len(target.labels))
            if isinstance(target, CodedClasses)
            else _core.Numbers(target)
        )
        self._core = _core.LocalEngine(
            rows.core, core_target, weights, rows.n_threads, own_weights, is_last=is_last
        )

    @property
    def n_missing(self) -> NDArray[np.int64]:
        """Missing values of every column."""
        return self._core.n_missing

    @property
    def first_infinite(self) -> tuple[int, int] | None:
        """Column and row of an infinite value, None if there are none."""
        return self._core.first_infinite

    def grow(
        self, recipe: parts.Recipe, progress: Progress | None = None, keep_ledger: bool = False
    ) -> Grown:
        """Grow one tree, and keep its ledger if `keep_ledger` says so."""
        return self._grow(recipe, progress, keeps_ledger=keep_ledger)

    def look(
        self,
        recipe: parts.Recipe,
        *,
        every_cut: bool,
        path: int = 0,
        low: float = -np.inf,
        high: float = np.inf,
    ) -> LedgerArrays:
        """Score the columns of all rows as one node, and grow nothing."""
        limits = replace(recipe.limits, max_leaves=1)  # so the root is scored and never split
        tree = self._grow(
            replace(recipe, limits=limits),
            keeps_ledger=True,
            lists_every_cut=every_cut,
            root_path=path,
            root_low=low,
            root_high=high,
        ).tree
        assert tree.ledger is not None, "keeps_ledger is set"
        return tree.ledger

    def _grow(self, recipe: parts.Recipe, progress: Progress | None = None, **options: Any) -> Grown:
        arrays: dict[str, Any] = dict(_core.grow(self._core, self._core_recipe(recipe, options), progress))
        ledger, ends = arrays.pop("ledger", None), arrays.pop("ends", None)
        of_surrogates = [name for name in arrays if name.startswith("surrogate_")]
        surrogates = {name.removeprefix("surrogate_"): arrays.pop(name) for name in of_surrogates}
        tree = Tree(
            surrogates=SurrogateArrays(**surrogates),
            outcome=arrays.pop("value"),
            n_columns=len(self._n_categories),
            is_classifier=self._of_classes,
            integer_columns=self._integer_columns,
            **arrays,
        )
        if ledger is not None:
            ledger["verdict"] = ledger["verdict"].view(np.int8)
            kept = LedgerArrays(self._ledger_rules(recipe), weight=tree.weight.copy(), **ledger)
            is_category = np.array(self._n_categories) > 0
            tree = replace(tree, ledger=kept.settled(tree.parent, tree.column, is_category))
        return Grown(tree, Work(**self._core.work), ends)

    def _ledger_rules(self, recipe: parts.Recipe) -> LedgerRules:
        ranking, missing = recipe.ranking, recipe.missing
        word = CORE_WORDS["criterion"][type(recipe.criterion)]
        is_quinlan = isinstance(ranking, parts.AboveAverageGain)
        spread = missing if isinstance(missing, parts.Spread) else None
        return LedgerRules(
            criterion=word if self._of_classes or word != "function" else "function_of_numbers",
            by=ranking.by if isinstance(ranking, parts.AboveAverageGain) else "score",
            min_rows_leaf=recipe.limits.min_rows_leaf,
            min_weight_leaf=recipe.limits.min_weight_leaf,
            slack=ranking.slack if isinstance(ranking, parts.AboveAverageGain) else 0.0,
            penalty=(spread.penalty or "none") if spread else "linear",
            ratio_pays_for_gaps=spread is not None,
            unknown_is_branch=is_quinlan and spread is not None and spread.is_branch,
            charges_tries=is_quinlan and recipe.numeric.charges_tries,
        )

    def _core_recipe(self, recipe: parts.Recipe, options: Mapping[str, Any]) -> _core.Recipe:
        limits, missing, ranking = recipe.limits, recipe.missing, recipe.ranking
        many = ranking.many_values * self._core.n_rows if isinstance(ranking, parts.AboveAverageGain) else 0
        surrogates = missing if isinstance(missing, parts.Surrogates) else parts.Surrogates()
        grouping = recipe.categorical if isinstance(recipe.categorical, parts.GroupingSplitter) else None
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
            function=recipe.criterion.scores
            if isinstance(recipe.criterion, parts.FunctionCriterion)
            else None,
            monotone=list(recipe.monotone.directions) if recipe.monotone.is_constrained else [],
            max_surrogates=surrogates.max_surrogates,
            agreement=surrogates.style,
            lets_rows_stop=surrogates.otherwise == "stop",
            quinlan=self._quinlan(recipe),
            has_many_values=[0 < many <= n_categories for n_categories in self._n_categories],
            penalty=(missing.penalty or "none") if isinstance(missing, parts.Spread) else "linear",
            cut_at=recipe.numeric.cut_at,
            min_gap=recipe.numeric.min_gap,
            min_weight_split=limits.min_weight_split,
            min_weight_once_unknown=(grouping.min_weight_once_unknown or 0.0) if grouping else 0.0,
            needs_gain=limits.needs_gain,
            **options,
        )

    def _quinlan(self, recipe: parts.Recipe) -> _core.Quinlan:
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
            n_classes=self._n_declared,
            slack=ranking.slack,
            tolerance=ranking.tolerance,
        )


def engine_of(value: object) -> Engine:
    """Give the engine that a parameter names, or that it is.

    Examples
    --------
    >>> engine_of("lokal")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: engine='lokal' is unknown; available: None, 'local'. Did you mean ...
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
            f"engine={value!r} is no engine; give None, 'local', or an object with the methods check and "
            "prepare of treewright.engines.engine.Engine."
        )
    return value


def _or_none(limit: int | None) -> int:
    """Turn None, and limits beyond 32 bits, into the core's value for no limit."""
    return -1 if limit is None or limit > np.iinfo(np.int32).max else limit
