"""`C45Classifier` and `ID3Classifier`: Quinlan's learners."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from treewright import parts
from treewright.engines.engine import Engine
from treewright.errors import ParameterError
from treewright.estimators import parameters as chosen
from treewright.estimators.classifies import Classifies
from treewright.estimators.parameters import choice, parameter, with_constructor
from treewright.estimators.targets import warn_if_too_light
from treewright.model.labelled_rows import LabelledRows
from treewright.parts.bounds import flag, real, whole
from treewright.parts.pruners import Pruner
from treewright.parts.splitters import CategorySplitter, CutAt
from treewright.recipes import C45_J48, C45_RELEASE8, C45_TEXTBOOK, ID3, Recipe
from treewright.table.bins import edges_of, refuse_unlisted
from treewright.table.identifiers import OnIdentifier
from treewright.table.read import Table

Variant: TypeAlias = Literal["release8", "j48", "textbook"]
MissingInID3: TypeAlias = Literal["refuse", "spread", "branch", "majority"]
VARIANTS: Mapping[str, Recipe] = {"release8": C45_RELEASE8, "j48": C45_J48, "textbook": C45_TEXTBOOK}
_MOST = float(np.finfo(np.float64).max)
_GROUPS = {"release8": parts.GroupingSplitter(min_weight_once_unknown=1.0)}  # others keep `min_cases`
_MISSING_IN_ID3 = {word: chosen.MISSING[word] for word in get_args(MissingInID3)}
_COMPETE_BY: Mapping[str, Literal["ratio", "gain"]] = {"gain_ratio": "ratio", "gain": "gain"}


@with_constructor
class C45Classifier(Classifies):
    """Grow a tree that predicts a class, as Quinlan's C4.5 does.

    Columns compete by gain ratio, but only those with at least average gain; a numeric column is charged for
    the cuts it tried; a row with a missing value goes down every branch with a fraction of its weight; the
    grown tree is pruned by expected errors, and branches may be raised.

    Parameters
    ----------
    variant : {"release8", "j48", "textbook"}, default="release8"
        Which constants to use: those of C4.5 Release 8, of Weka's J48, or of worked examples in textbooks (no
        charge for cuts, cuts half-way between values, every cut a separate candidate, and no branch for
        missing values in the split information).
    min_cases : float, default=2
        Weight that at least two branches of a split must have.
    confidence : float, default=0.25
        Confidence of the pruning; a smaller one prunes more.
    pruning : bool, default=True
        Whether to prune by expected errors. The tree before pruning stays in ``model_.grown``, and the method
        `prune` prunes it by other rules. Version 0.1 called the parameter ``prune``; that name is still
        accepted, with a `FutureWarning`.
    subtree_raising : bool, default=True
        Whether pruning may replace a node by its heaviest branch.
    collapse : bool, default=True
        Whether a subtree that makes no fewer errors on the training rows than a leaf becomes a leaf.
    group_categories : bool, default=False
        Merge categories into groups that share a branch, two at a time, while that raises the gain ratio. A
        column with two categories is not grouped.
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        What columns are compared by. With ``"gain"``, a column need not reach the average gain.
    binary_splits : bool, default=False
        Separate one category from all others instead of giving each its own branch.
    laplace : bool, default=False
        Add 1 to the weight of every class for `predict_proba`; `predict` does not depend on it.
    numeric_cost : bool, default=True
        Whether numeric columns are charged for the cuts tried; with ``variant="textbook"`` they never are.
    cut_at : {"observed", "middle"}, optional
        Put cuts at the largest value of the table that is not above the middle of the two values, or at that
        middle. The default depends on the variant.
    reduced_error_folds : int, optional
        Prune by the errors on held-out rows, the last of this many folds, instead of expected errors; then
        nothing is collapsed or raised. Rows are assigned to folds class by class in the order of the table,
        so another order of rows may give another tree. With ``pruning=False`` no row is held out.
    max_depth : int, optional
        Largest number of edges from the root to a leaf.
    class_weight : dict, "balanced" or None, default=None
        Weights by class, multiplied by `sample_weight`. ``"balanced"`` is n_samples / (n_classes × rows of
        the class).
    random_state : int, RandomState or None, default=None
        Nothing is drawn at random; for compatibility with scikit-learn.
    recipe : Recipe, optional
        All choices at once, see `treewright.Recipe`, and `treewright.recipes` for those of this learner. It
        decides everything but `class_weight`, `keep_ledger`, `on_identifier`, `n_jobs`, `engine` and
        `verbose`; leave the other parameters at their defaults.
    keep_ledger : bool, default=False
        Whether to keep, in `ledger_`, the candidate of every column at every node and why it lost. The tree
        is the same either way.
    on_identifier : {"warn", "drop", "ignore", "raise"}, default="warn"
        What to do about a categorical column that identifies rows: nearly every row has its own. Warn with
        a `treewright.IdentifierWarning`; leave it out of the tree (it still counts in `n_features_in_`, and
        at prediction it may hold anything or be absent); use it like any other; or raise an error.
    n_jobs : int, optional
        Number of threads, as for `DecisionTreeClassifier`. The tree is the same for any number of threads.
    engine : {None, "local"} or Engine, default=None
        Where rows are counted.
    verbose : int, default=0
        1 writes the progress of long fits to standard error; 2 also how the tree was grown: the engine, the
        number of threads, and how many list entries were sorted, scanned and moved.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Class labels that occur, sorted.
    n_classes_ : int
        Number of classes.
    tree_ : treewright.Tree
        The pruned tree; ``tree_.errors`` are the expected errors of every subtree.
    model_ : treewright.Model
        The tree together with the schema of its table, and the tree before pruning.
    ledger_ : treewright.Ledger
        The candidate of every column at every node, with ``keep_ledger=True``.
    feature_importances_ : array of shape (n_features,)
        Fraction of the total information gain that each column contributes.
    n_features_in_ : int
        Number of columns of the training table.
    feature_names_in_ : array of shape (n_features,)
        Their names, if all of them are strings.
    n_outputs_ : int
        Number of targets: always 1.

    See Also
    --------
    ID3Classifier : Its predecessor.
    CARTClassifier : Binary splits, pruned by cross-validation.
    compare_pruning : Compare the rules to prune by.

    Notes
    -----
    Weights are whole multiples of a tiny unit and sums are exact; the original programs add up float32
    (Release 8) or float64 (J48) and may break exact ties differently. A weight that misses a limit only by
    the rounding of fractional weights counts as reaching it.

    As in Release 8 and J48, neighbouring values of a numeric column no more than 1e-5 apart count as one: no
    cut lies between them. A column without a wider gap cannot be split, and a `CloseValuesWarning` names it;
    multiply it, or use ``variant="textbook"``, which has no such limit.

    The original Release 8 differs in these points. It reads the number -999 as unknown; here it is a number,
    and only NaN, None, NA and NaT are missing values. It stops at a value that the names file does not
    declare; here a new category counts as missing, with a warning. Its cases all have weight 1; here weights
    may be fractions. They still count cases, unless they add up to 1, see `fit`; if they are too small for
    any split, a `WeightWarning` says so.

    With ``group_categories=True``, Release 8 replaces `min_cases` by 1 for the rest of the run as soon as a
    column of more than two categories has no known value in a node; ``variant="release8"`` does the same, the
    other variants do not. Classes and categories that a table declares but that do not occur count as in
    Release 8: such a class counts in the minimum size of the sides of a cut, and such a category has a branch
    that predicts what its parent does.

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

    variant: Variant = parameter("release8", choice, "ranking", of=VARIANTS)
    min_cases: float = parameter(2, real, "limits", above=0.0)
    confidence: float = parameter(0.25, real, "pruner", above=0.0, at_most=1.0)
    pruning: bool = parameter(True, flag, "pruner")
    subtree_raising: bool = parameter(True, flag, "pruner")
    collapse: bool = parameter(True, flag, "pruner")
    group_categories: bool = parameter(False, flag, "categorical")
    criterion: Literal["gain_ratio", "gain"] = parameter("gain_ratio", choice, "ranking", of=_COMPETE_BY)
    binary_splits: bool = parameter(False, flag, "categorical")
    laplace: bool = parameter(False, flag, "shares")
    numeric_cost: bool = parameter(True, flag, "numeric")
    cut_at: CutAt | None = parameter(None, choice, "numeric", of=("observed", "middle"))
    reduced_error_folds: int | None = parameter(None, whole, "pruner", at_least=2)
    max_depth: int | None = parameter(None, whole, "limits", at_least=1)
    class_weight: Any = None
    random_state: Any = parameter(None, chosen.random_state, "seed")
    recipe: Recipe | None = None
    keep_ledger: bool = False
    on_identifier: OnIdentifier = "warn"
    n_jobs: int | None = None
    engine: Engine | Literal["local"] | None = None
    verbose: int = 0

    def _recipe(self, rows: LabelledRows) -> Recipe:
        given = chosen.read(self)
        base: Recipe = given["variant"]
        least: float = given["min_cases"]
        assert isinstance(base.ranking, parts.AboveAverageGain), "all variants rank by gain"
        warn_if_too_light(rows, least)
        charges, cut_at = base.numeric.charges_tries and given["numeric_cost"], given["cut_at"]
        return replace(
            base,
            ranking=replace(base.ranking, by=given["criterion"]),
            numeric=replace(base.numeric, charges_tries=charges, cut_at=cut_at or base.numeric.cut_at),
            categorical=self._categories(given),
            limits=parts.Limits(
                given["max_depth"], min_weight_leaf=least, min_weight_split=min(2 * least, _MOST)
            ),
            pruner=_pruner(given),
            shares=replace(base.shares, smoothing=1.0 if given["laplace"] else 0.0),
        )

    def _counts_cases(self) -> bool:
        return True

    def _as_grown(self) -> Recipe:
        return self.recipe or chosen.read_one(self, "variant")

    def _categories(self, given: Mapping[str, Any]) -> CategorySplitter:
        if given["group_categories"] and given["binary_splits"]:
            raise ParameterError(
                "group_categories=True and binary_splits=True both say how to split categories; choose one."
            )
        if given["group_categories"]:
            return _GROUPS.get(self.variant, parts.GroupingSplitter())
        by_default: CategorySplitter = given["variant"].categorical
        return parts.OneVsRestSplitter() if given["binary_splits"] else by_default


def _pruner(given: Mapping[str, Any]) -> Pruner:
    base: tuple[Pruner, ...] = given["variant"].pruner.pruners
    if given["pruning"] and given["reduced_error_folds"] is not None:
        tolerances = [each.tolerance for each in base if isinstance(each, parts.ErrorBased)]
        return parts.HeldOutFold(given["reduced_error_folds"], parts.ReducedError(max(1e-9, *tolerances)))
    pruners: list[Pruner] = []
    for each in base:
        if isinstance(each, parts.ErrorBased) and given["pruning"]:
            pruners.append(replace(each, confidence=given["confidence"], raising=given["subtree_raising"]))
        elif isinstance(each, parts.Collapse) and given["collapse"]:
            pruners.append(each)
    return parts.InTurn(tuple(pruners)) if pruners else parts.NoPruning()


@with_constructor
class ID3Classifier(Classifies):
    """Grow a tree that predicts a class, as Quinlan's ID3 does.

    Every column is categorical, and each category gets its own branch; a node is split on the column of
    highest information gain.

    Parameters
    ----------
    min_gain : float, default=0.0
        Smallest weight of the node / total weight × information gain of a split. A split without gain is
        never made.
    max_depth : int, optional
        Largest number of edges from the root to a leaf.
    missing : {"refuse", "spread", "branch", "majority"}, default="refuse"
        What to do with missing values: raise an error, send the row down every branch with a fraction of its
        weight, give missing values a branch of their own, or send the row to the heaviest branch.
    bins : int, optional
        Cut columns of numbers with fractions, of datetimes and of durations into this many intervals of about
        equal weight; equal values stay in one interval, so there may be fewer. None rejects such columns.
        Whole numbers are categories as they are.
    class_weight : dict, "balanced" or None, default=None
        Weights by class, multiplied by `sample_weight`. ``"balanced"`` is n_samples / (n_classes × rows of
        the class).
    recipe : Recipe, optional
        All choices at once, see `treewright.Recipe`, and `treewright.recipes` for those of this learner. It
        decides everything but `bins`, `class_weight`, `keep_ledger`, `on_identifier`, `n_jobs`, `engine` and
        `verbose`; leave the other parameters at their defaults.
    keep_ledger : bool, default=False
        Whether to keep, in `ledger_`, the candidate of every column at every node and why it lost. The tree
        is the same either way.
    on_identifier : {"warn", "drop", "ignore", "raise"}, default="warn"
        What to do about a categorical column that identifies rows: nearly every row has its own. Warn with
        a `treewright.IdentifierWarning`; leave it out of the tree (it still counts in `n_features_in_`, and
        at prediction it may hold anything or be absent); use it like any other; or raise an error.
    n_jobs : int, optional
        Number of threads, as for `DecisionTreeClassifier`. The tree is the same for any number of threads.
    engine : {None, "local"} or Engine, default=None
        Where rows are counted.
    verbose : int, default=0
        1 writes the progress of long fits to standard error; 2 also how the tree was grown: the engine, the
        number of threads, and how many list entries were sorted, scanned and moved.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Class labels that occur, sorted.
    n_classes_ : int
        Number of classes.
    tree_ : treewright.Tree
        The tree, with scikit-learn's array names and `node(i)` and `walk()`.
    model_ : treewright.Model
        The tree together with the schema of its table.
    bin_edges_ : dict of arrays
        Inner edges of the intervals, by position of the column; empty without `bins`. An edge belongs to the
        interval below it, and the outer intervals are unbounded. The model bins new rows by itself.
    ledger_ : treewright.Ledger
        The candidate of every column at every node, with ``keep_ledger=True``.
    feature_importances_ : array of shape (n_features,)
        Fraction of the total information gain that each column contributes.
    n_features_in_ : int
        Number of columns of the training table.
    feature_names_in_ : array of shape (n_features,)
        Their names, if all of them are strings.
    n_outputs_ : int
        Number of targets: always 1.

    See Also
    --------
    C45Classifier : Its successor.
    DecisionTreeClassifier : Binary splits, with many more options.

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

    min_gain: float = parameter(0.0, real, "limits", at_least=0.0)
    max_depth: int | None = parameter(None, whole, "limits", at_least=1)
    missing: MissingInID3 = parameter("refuse", choice, "missing", of=_MISSING_IN_ID3)
    bins: int | None = parameter(None, whole, at_least=2, at_most=2**20)
    class_weight: Any = None
    recipe: Recipe | None = None
    keep_ledger: bool = False
    on_identifier: OnIdentifier = "warn"
    n_jobs: int | None = None
    engine: Engine | Literal["local"] | None = None
    verbose: int = 0

    def _as_grown(self) -> Recipe:
        return self.recipe or ID3

    def _recipe(self, rows: LabelledRows) -> Recipe:
        given = chosen.read(self)
        limits = parts.Limits(max_depth=given["max_depth"], min_gain=given["min_gain"], needs_gain=True)
        return replace(ID3, missing=given["missing"], limits=limits)

    @property
    def bin_edges_(self) -> dict[int, NDArray[Any]]:
        """Inner edges of the intervals of each binned column, by its position."""
        edges = {at: edges_of(column) for at, column in enumerate(self._fitted().model.schema.columns)}
        return {at: inner for at, inner in edges.items() if inner is not None}

    def _categorical(self, table: Table) -> frozenset[int] | None:
        if chosen.read_one(self, "bins") is None:
            refuse_unlisted(table)
        return frozenset(range(len(table.columns)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = self.bins is None
        tags.input_tags.string = True
        return tags
