"""`C45Classifier` and `ID3Classifier`: Quinlan's learners."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.engines.engine import Engine
from treewright.errors import ParameterError
from treewright.estimators import parameters as chosen
from treewright.estimators.classifies import Classifies
from treewright.estimators.renamed import takes_old_names
from treewright.estimators.targets import warn_if_too_light
from treewright.parts.bounds import real, whole
from treewright.parts.limits import Limits
from treewright.parts.pruners import (
    Collapse,
    ErrorBased,
    HeldOutFold,
    InTurn,
    NoPruning,
    Pruner,
    ReducedError,
)
from treewright.parts.rankings import AboveAverageGain
from treewright.parts.splitters import CategorySplitter, GroupingSplitter, OneVsRestSplitter
from treewright.recipes import C45_J48, C45_RELEASE8, C45_TEXTBOOK, ID3, Recipe
from treewright.table.bins import edges_of, refuse_unlisted
from treewright.table.read import Table
from treewright.table.weights import as_cases

Variant: TypeAlias = Literal["release8", "j48", "textbook"]
CutAt: TypeAlias = Literal["observed", "middle"]
VARIANTS: Mapping[str, Recipe] = {"release8": C45_RELEASE8, "j48": C45_J48, "textbook": C45_TEXTBOOK}
_GROUPS: Mapping[str, GroupingSplitter] = {
    "release8": GroupingSplitter(min_weight_once_unknown=1.0),
    "j48": GroupingSplitter(),
    "textbook": GroupingSplitter(),
}
_CUT_AT: Mapping[str, CutAt] = {"observed": "observed", "middle": "middle"}
_COMPETE_BY: Mapping[str, Literal["ratio", "gain"]] = {"gain_ratio": "ratio", "gain": "gain"}


class C45Classifier(Classifies):
    """Grow a tree that answers with a class, as Quinlan's C4.5 does.

    Columns compete by gain ratio, but only those with at least average gain; a numeric column pays for the
    cuts it tried; rows without a value go down every branch with a share of their weight; the grown tree is
    pruned by the errors to be expected, and branches may be raised.

    Parameters
    ----------
    variant : {"release8", "j48", "textbook"}, default="release8"
        Whose constants: C4.5 Release 8's, Weka's J48's, or those of worked examples in textbooks (no charge
        for cuts, cuts half-way between values, every cut a candidate of its own, missing values no branch in
        the split information).
    min_cases : float, default=2
        Weight that at least two branches of a split must have.
    confidence : float, default=0.25
        Confidence of the pruning; the smaller, the more is pruned.
    pruning : bool, default=True
        Whether to prune by the errors to be expected. The tree before that stays in ``model_.grown``, and the
        method `prune` applies other rules to it. (Version 0.1 called the parameter ``prune``, which is still
        taken, with a `FutureWarning`.)
    subtree_raising : bool, default=True
        Whether pruning may put the heaviest branch in the place of its node.
    collapse : bool, default=True
        Whether a subtree that makes no fewer errors on the training rows than a leaf becomes one.
    group_categories : bool, default=False
        Merge categories into groups that share a branch, two at a time, while that raises the gain ratio.
        Columns with two categories are asked as they are.
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        What columns compete on. With ``"gain"`` there is no average to reach.
    binary_splits : bool, default=False
        Part one category from all others instead of giving each a branch.
    laplace : bool, default=False
        Add 1 to the weight of every class for `predict_proba`; `predict` does not depend on it.
    numeric_cost : bool, default=True
        Whether numeric columns pay for the cuts they tried; ``variant="textbook"`` never lets them.
    cut_at : {"observed", "middle"}, optional
        Put cuts at the largest value of the table that is not above the middle of the two values, or at that
        middle. By default as the variant does.
    reduced_error_folds : int, optional
        Prune by the errors among rows held out of growing, the last of so many folds, instead of the errors
        to be expected; nothing is collapsed or raised then. Rows are dealt to the folds class by class in the
        order of the table, so another order of rows may give another tree. With ``pruning=False`` no row is
        held out.
    max_depth : int, optional
        Edges from the root to the deepest leaf.
    class_weight : dict, "balanced" or None
        Weight of each class, multiplied with the weights of its rows.
    random_state : int, RandomState or None
        Nothing is drawn at random; for compatibility with scikit-learn.
    keep_ledger : bool, default=False
        Whether `ledger_` keeps what every column offered at every node, and why it did not win. The tree is
        the same either way.
    n_jobs : int, optional
        Threads, as for `DecisionTreeClassifier`. The tree is the same for any number of them.
    engine : {None, "local"} or Engine, default=None
        Where rows are counted.
    verbose : int, default=0
        1 writes to standard error how far long fits are, then how the tree was grown: which way was taken,
        on how many threads, and how many entries of lists were sorted, scanned and moved.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Labels observed, sorted.
    n_classes_ : int
        Their number.
    tree_ : treewright.model.tree.Tree
        The pruned tree; ``tree_.errors`` are the errors to be expected of every subtree.
    model_ : treewright.model.model.Model
        The tree together with what it remembers of the table, and the tree before pruning.
    feature_importances_ : array of shape (n_features,)
        Share of each column in the total information gain.
    n_features_in_, feature_names_in_ : int, array
        Columns of the training table.

    Notes
    -----
    Weights are whole multiples of a tiny unit here and sums are exact; the programs add up float32 (Release
    8) or float64 (J48) and may break exact ties in another way. A weight that reaches a limit but for the
    rounding of shares reaches it.

    What Release 8 does otherwise: it takes the number -999 for "unknown"; here that is a number, and only
    NaN, None, NA and NaT are missing. It stops at a value that the file of names does not declare; here a new
    category counts as unknown, with a warning. Its cases all weigh 1; here weights may be fractions.
    They count cases all the same, unless they add up to 1, see `fit`; where they are too small for any split,
    a `WeightWarning` says so.
    With ``group_categories=True`` it forgets `min_cases` for the rest of the run, and goes on with 1, as soon
    as a column of more than two categories has no known value in a node; ``variant="release8"`` does too,
    the others do not.
    Classes and categories that a table declares but never shows are as they are there: such a class counts in
    the least size of the sides of a cut, such a category has a branch, which answers as its parent.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning. Quinlan (1996), Improved use of continuous attributes
    in C4.5.

    Examples
    --------
    >>> import treewright as tw
    >>> columns, target = tw.datasets.load("golf")
    >>> tree = tw.C45Classifier().fit(columns, target)
    >>> print(tree.to_text())
    14 rows: Play 9, Don't Play 5
    ├── outlook = overcast → Play (100% of 4 rows)
    ├── outlook = rain: 5 rows: Play 3, Don't Play 2
    │   ├── windy = false → Play (100% of 3 rows)
    │   └── windy = true → Don't Play (100% of 2 rows)
    └── outlook = sunny: 5 rows: Don't Play 3, Play 2
        ├── humidity <= 75 → Play (100% of 2 rows)
        └── humidity > 75 → Don't Play (100% of 3 rows)
    """

    @takes_old_names
    def __init__(
        self,
        *,
        variant: Variant = "release8",
        min_cases: float = 2,
        confidence: float = 0.25,
        pruning: bool = True,
        subtree_raising: bool = True,
        collapse: bool = True,
        group_categories: bool = False,
        criterion: Literal["gain_ratio", "gain"] = "gain_ratio",
        binary_splits: bool = False,
        laplace: bool = False,
        numeric_cost: bool = True,
        cut_at: CutAt | None = None,
        reduced_error_folds: int | None = None,
        max_depth: int | None = None,
        class_weight: Any = None,
        random_state: Any = None,
        keep_ledger: bool = False,
        n_jobs: int | None = None,
        engine: Engine | Literal["local"] | None = None,
        verbose: int = 0,
    ) -> None:
        self.variant = variant
        self.min_cases = min_cases
        self.confidence = confidence
        self.pruning = pruning
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.group_categories = group_categories
        self.criterion = criterion
        self.binary_splits = binary_splits
        self.laplace = laplace
        self.numeric_cost = numeric_cost
        self.cut_at = cut_at
        self.reduced_error_folds = reduced_error_folds
        self.max_depth = max_depth
        self.class_weight = class_weight
        self.random_state = random_state
        self.keep_ledger = keep_ledger
        self.n_jobs = n_jobs
        self.engine = engine
        self.verbose = verbose

    def _recipe(self, table: Table, weights: NDArray[np.float64] | None, target: Any) -> Recipe:
        chosen.generator(self.random_state)
        base = chosen.choice("variant", self.variant, VARIANTS)
        by = chosen.choice("criterion", self.criterion, _COMPETE_BY)
        assert isinstance(base.ranking, AboveAverageGain), "all variants rank by gain"
        least = real("min_cases", self.min_cases, above=0.0)
        warn_if_too_light(target, weights, least)
        depth = None if self.max_depth is None else whole("max_depth", self.max_depth, at_least=1)
        charges = base.numeric.charges_tries and chosen.flag("numeric_cost", self.numeric_cost)
        return replace(
            base,
            ranking=replace(base.ranking, by=by),
            numeric=replace(base.numeric, charges_tries=charges, cut_at=self._cut_at(base)),
            categorical=self._categories(base.categorical),
            limits=Limits(max_depth=depth, min_weight_leaf=least, min_weight_split=2 * least),
            pruner=self._pruner(base.pruner),
            shares=replace(base.shares, smoothing=1.0 if chosen.flag("laplace", self.laplace) else 0.0),
        )

    def _counts_cases(self) -> bool:
        return True

    def _weigh(self, target: Any, weights: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        return super()._weigh(target, as_cases(weights))

    def _as_grown(self) -> Recipe:
        return chosen.choice("variant", self.variant, VARIANTS)

    def _categories(self, base: CategorySplitter) -> CategorySplitter:
        is_binary = chosen.flag("binary_splits", self.binary_splits)
        if chosen.flag("group_categories", self.group_categories):
            if is_binary:
                raise ParameterError(
                    "group_categories=True and binary_splits=True both say how to part categories; "
                    "choose one."
                )
            return _GROUPS[self.variant]
        return OneVsRestSplitter() if is_binary else base

    def _cut_at(self, base: Recipe) -> CutAt:
        return base.numeric.cut_at if self.cut_at is None else chosen.choice("cut_at", self.cut_at, _CUT_AT)

    def _pruner(self, base: Pruner) -> Pruner:
        confidence = real("confidence", self.confidence, above=0.0, at_most=1.0)
        raising = chosen.flag("subtree_raising", self.subtree_raising)
        wanted = {
            Collapse: chosen.flag("collapse", self.collapse),
            ErrorBased: chosen.flag("pruning", self.pruning),
        }
        assert isinstance(base, InTurn), "all variants collapse and prune"
        if self.reduced_error_folds is not None:
            folds = whole("reduced_error_folds", self.reduced_error_folds, at_least=2)
            if wanted[ErrorBased]:
                tolerances = [each.tolerance for each in base.pruners if isinstance(each, ErrorBased)]
                return HeldOutFold(folds, ReducedError(max(1e-9, *tolerances)))
        pruners = [each for each in base.pruners if wanted[type(each)]]
        if not pruners:
            return NoPruning()
        return InTurn(
            tuple(
                replace(each, confidence=confidence, raising=raising)
                if isinstance(each, ErrorBased)
                else each
                for each in pruners
            )
        )


class ID3Classifier(Classifies):
    """Grow a tree that answers with a class, as Quinlan's ID3 does.

    Every column holds categories, each of which gets a branch; the column of most information gain is asked.

    Parameters
    ----------
    min_gain : float, default=0.0
        Least weight of the node / total weight × information gain of a split. One that gains nothing is never
        made.
    max_depth : int, optional
        Edges from the root to the deepest leaf.
    missing : {"refuse", "spread", "branch", "majority"}, default="refuse"
        What to do with rows without a value.
    bins : int, optional
        Cut columns of numbers with fractions, of datetimes and of durations into this many intervals of about
        the same weight; equal values are never parted, so there may be fewer. None refuses such columns.
        Whole numbers are categories as they are.
    class_weight : dict, "balanced" or None
        Weight of each class, multiplied with the weights of its rows.
    keep_ledger : bool, default=False
        Whether `ledger_` keeps what every column offered at every node, and why it did not win. The tree is
        the same either way.
    n_jobs : int, optional
        Threads, as for `DecisionTreeClassifier`.
    engine : {None, "local"} or Engine, default=None
        Where rows are counted.
    verbose : int, default=0
        1 writes to standard error how far long fits are, then how the tree was grown: which way was taken,
        on how many threads, and how many entries of lists were sorted, scanned and moved.

    Attributes
    ----------
    classes_, n_classes_, tree_, model_, feature_importances_, n_features_in_, feature_names_in_
        As for `DecisionTreeClassifier`.
    bin_edges_ : dict of arrays
        Inner edges of the intervals, by position of the column; empty without `bins`. An edge belongs to the
        interval below it, and the outer intervals have no end. The model itself cuts new rows.

    References
    ----------
    Quinlan (1986), Induction of decision trees.

    Examples
    --------
    >>> import treewright as tw
    >>> columns, target = tw.datasets.load("weather_nominal")
    >>> print(tw.ID3Classifier().fit(columns, target).to_text())
    14 rows: yes 9, no 5
    ├── outlook = overcast → yes (100% of 4 rows)
    ├── outlook = rainy: 5 rows: yes 3, no 2
    │   ├── windy = FALSE → yes (100% of 3 rows)
    │   └── windy = TRUE → no (100% of 2 rows)
    └── outlook = sunny: 5 rows: no 3, yes 2
        ├── humidity = high → no (100% of 3 rows)
        └── humidity = normal → yes (100% of 2 rows)

    Numbers with fractions are cut into intervals:

    >>> tree = tw.ID3Classifier(bins=2).fit({"size": [0.5, 1.5, 2.5, 3.5]}, ["S", "S", "L", "L"])
    >>> print(tree.to_text())
    4 rows: L 2, S 2
    ├── size <= 2 → S (100% of 2 rows)
    └── size > 2 → L (100% of 2 rows)
    """

    def __init__(
        self,
        *,
        min_gain: float = 0.0,
        max_depth: int | None = None,
        missing: Literal["refuse", "spread", "branch", "majority"] = "refuse",
        bins: int | None = None,
        class_weight: Any = None,
        keep_ledger: bool = False,
        n_jobs: int | None = None,
        engine: Engine | Literal["local"] | None = None,
        verbose: int = 0,
    ) -> None:
        self.min_gain = min_gain
        self.max_depth = max_depth
        self.missing = missing
        self.bins = bins
        self.class_weight = class_weight
        self.keep_ledger = keep_ledger
        self.n_jobs = n_jobs
        self.engine = engine
        self.verbose = verbose

    def _as_grown(self) -> Recipe:
        return ID3

    def _recipe(self, table: Table, weights: NDArray[np.float64] | None, target: Any) -> Recipe:
        known = {name: chosen.MISSING[name] for name in ("refuse", "spread", "branch", "majority")}
        depth = None if self.max_depth is None else whole("max_depth", self.max_depth, at_least=1)
        least = real("min_gain", self.min_gain, at_least=0.0)
        return replace(
            ID3,
            missing=chosen.choice("missing", self.missing, known),
            limits=Limits(max_depth=depth, min_gain=least, needs_gain=True),
        )

    @property
    def bin_edges_(self) -> dict[int, NDArray[Any]]:
        """Inner edges of the intervals of each column that was cut, by its position."""
        edges = {at: edges_of(column) for at, column in enumerate(self._fitted().model.schema.columns)}
        return {at: inner for at, inner in edges.items() if inner is not None}

    def _categorical(self, table: Table) -> frozenset[int] | None:
        if self._n_bins() is None:
            refuse_unlisted(table)
        return frozenset(range(len(table.columns)))

    def _n_bins(self) -> int | None:
        return None if self.bins is None else whole("bins", self.bins, at_least=2)

    def _takes_missing(self) -> bool:
        return bool(self.missing != "refuse")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = self.bins is None
        tags.input_tags.string = True
        return tags
