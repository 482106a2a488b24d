"""The compiled core: it takes rows and returns flat tree arrays. It knows codes and numbers, but no names."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

def numbers_of_rows(
    columns: Sequence[NDArray[Any]],  # as for LocalEngine
    target: NDArray[Any],             # float64, or the codes of classes
    weights: NDArray[np.float64] | None,
    seed: int,                        # 64 bits
) -> NDArray[np.uint64]:
    """A number for every row that depends only on its values."""

def fingerprint(
    columns: Sequence[NDArray[Any]],
    target: NDArray[Any],
    weights: NDArray[np.float64] | None,
    n_threads: int = 1,
) -> int:
    """The sum of these numbers (64 bits, seed 0) over rows of positive weight."""

class Classes:
    """Target of a classification tree: a code per row, 0 .. n_classes - 1."""
    def __init__(self, codes: NDArray[np.int32], n_classes: int) -> None: ...

class Numbers:
    """Target of a regression tree: a finite float per row."""
    def __init__(self, values: NDArray[np.float64]) -> None: ...

class Quinlan:
    """The numbers in which C4.5 and its variants differ."""
    def __init__(
        self,
        *,
        by_ratio: bool = True,           # columns compete by gain ratio, else by gain
        charges_tries: bool = True,      # log2(tries) / weight is subtracted from the gain of a numeric column
        scales_side: bool = True,        # either side of a cut needs a tenth of the known weight per class, at most 25
        unknown_is_branch: bool = True,  # rows with a missing value count as a branch in the split information
        every_cut_counts: bool = False,  # the average is taken over all cuts, else over columns
        is_strict: bool = False,         # a column needs a positive gain
        n_classes: int = 0,              # declared classes; 0: those observed
        slack: float = 1e-3,             # how far a gain may be below the average
        tolerance: float = 0.0,          # scores closer than this count as equal
    ) -> None: ...

class Recipe:
    """One choice per seam, in the core's words."""
    def __init__(
        self,
        *,
        criterion: str = "gini",        # of Classes: "gini" | "entropy" | "misclassification" | "taylor_entropy" | "twoing" | "gain_ratio";
                                        # of Numbers: "variance" | "poisson" | "absolute_error"; of either: "function"
        splitter: str = "best",         # "best" | "random"
        categorical: str = "subset",    # "subset" | "multiway" | "one-vs-rest" | "groups" (with above_average_gain)
        missing: str = "learned",       # "learned" | "refuse" | "majority" (rows with a missing value take the heavier branch,
                                        # cuts are scored on the other rows) | "branch" (a branch of their own, the last) |
                                        # "spread" (down every branch with fractional weights) | "surrogate" (the best surrogate with a
                                        # known value, else the heavier branch; scored as "majority")
        order: str = "depth",           # "depth" | "breadth" | "best"
        max_depth: int = -1,            # -1: no limit
        min_rows_split: int = 2,
        min_rows_leaf: int = 1,
        min_weight_leaf: float = 0.0,   # absolute weight
        max_leaves: int = -1,           # -1: no limit
        min_gain: float = 0.0,          # on node weight / total weight * impurity decrease
        min_impurity: float = 0.0,      # a node with at most this impurity is a leaf
        max_columns: int = -1,          # columns drawn per node; -1: all
        seed: int = 0,
        leaf_value: str = "mean",       # "mean" | "median" (Numbers)
        function: Callable[[NDArray[Any], NDArray[np.float64], NDArray[np.int64]], NDArray[np.float64]] | None = None,
                                        # with criterion "function": (targets, weights, cuts) -> a score for each cut; called
                                        # from the calling thread, and the tree is grown by that thread alone
        monotone: Sequence[int] = [],   # by column: predictions rise (1), fall (-1) or are free (0); empty: 0 for all. The prediction is
                                        # the mean (absolute_error: median), or the share of the second of two classes
        max_surrogates: int = 5,
        agreement: str = "all",         # "all" | "known": the rows whose weight the agreement of a surrogate is relative to
        lets_rows_stop: bool = False,   # with "surrogate": rows that no surrogate places stop at the node, instead of taking the heavier branch
        ranking: str = "best_score",    # "best_score" | "above_average_gain"
        quinlan: Quinlan = ...,         # for above_average_gain
        has_many_values: Sequence[bool] = [],  # by column: whether it does not count in the average gain
        penalty: str = "linear",        # "linear" | "quadratic" | "none": with "spread", how missing values lower a gain
        cut_at: str = "middle",         # "middle" | "observed"
        min_gap: float = 0.0,           # numbers no further apart count as equal
        min_weight_split: float = 0.0,  # absolute weight
        min_weight_once_unknown: float = 0.0,  # if above 0, it replaces min_weight_leaf, and twice this min_weight_split, once a column
                                        # of more than two categories has no known value in a node; with "groups", "depth"
        needs_gain: bool = False,
        keeps_ledger: bool = False,     # the candidate of every column at every node
        lists_every_cut: bool = False,  # ... and every cut of numeric columns
        root_path: int = 0,             # if all rows are a node of a larger tree: the key of its random draws,
        root_low: float = ...,          # and the bounds of its prediction
        root_high: float = ...,
        count_above: int | None = None, # nodes of more rows are counted by bins if possible; None: if that is faster
        surrogates_for: Sequence[bool] = [],   # with "surrogate", by column: whether splits on it get surrogates; empty: all do
    ) -> None: ...

class TrainingSet:
    """The columns of a table, each sorted once, to grow any number of trees on."""
    def __init__(
        self,
        columns: Sequence[NDArray[Any]],      # 1-D float64, float32, int64 or int32 codes, any stride; NaN, the least int64 or code -1 is missing
        n_rows: int,
        n_threads: int,
        n_categories: Sequence[int] | None = None,  # by column: 0 for numbers; k for int32 codes 0 .. k - 1, as declared
    ) -> None: ...

class LocalEngine:
    """Rows of a training set in this process; can grow one tree."""
    def __init__(
        self,
        training_set: TrainingSet,
        target: Classes | Numbers,
        weights: NDArray[np.float64] | None,  # rows of weight 0 take no part
        n_threads: int,
        own_weights: NDArray[np.float64] | None = None,  # for weighing surrogates; by default `weights`
        is_last: bool = False,  # the training set is not used after this: its sorted columns are taken over
    ) -> None: ...
    @property
    def n_rows(self) -> int: ...  # of positive weight
    @property
    def n_missing(self) -> NDArray[np.int64]: ...  # by column
    @property
    def first_infinite(self) -> tuple[int, int] | None: ...  # (column, row) of an infinite value, if there is one
    @property
    def work(self) -> dict[str, Any]: ...  # the work of growing, as in `treewright.engines.engine.Work`

def path_of(branches: Sequence[int]) -> int:
    """Key of the random draws of the node that these branches lead to from the root."""

def grow(engine: LocalEngine, recipe: Recipe, progress: Callable[[int, int], None] | None = None) -> dict[str, NDArray[Any]]:
    """Grow one tree. `progress(rows_settled, rows)` is called from the calling thread from time to time.

    Arrays in pre-order, root 0:
    column int32 (-1 leaf) | cut float64 (`<=` goes to branch 0; inf: known values to branch 0, missing to branch 1;
    nan at leaves) | cut_integer int64 (the cut where the column is int64, else 0) | child_begin int32 (n_nodes + 1) and
    child int32 (children of node i: child[child_begin[i]:child_begin[i+1]]) | missing_branch int32 (branch of a missing
    value, -1 if it goes down every branch and at leaves, -2 if it stops) | set_begin int32 (n_nodes + 1), set_code and set_branch int32 (if node i splits on
    categories: those in set_code[set_begin[i]:set_begin[i+1]], ascending, take the branches at the same positions of set_branch, all others count as
    missing; else empty) |
    search int8 (0 threshold or leaf, 1 exact set search, 2 heuristic) | n_rows int64 | weight float64 | value float64 (n_nodes, n_classes): weight of each class, or
    (n_nodes, 1): mean or median; both clipped to their bounds if the recipe is monotone | impurity float64 | gain float64 (node weight / total weight * impurity decrease; 0 at leaves)
    worth float64 (the figure by which the winner was compared), net_gain float64 (for above_average_gain: bits per unit of weight, minus charges) |
    if there are surrogates, surrogate_begin int32 (n_nodes + 1): the surrogates of node i are those from surrogate_begin[i] to surrogate_begin[i+1]; each
    has surrogate_column, _cut, _cut_integer, _set_begin, _set_code, _set_branch like nodes, _low_branch int32 (of values at or below the cut),
    _agree, _adjusted float64, _n_placed int64

    With fractional rows and C4.5's ranking also "ends" int32, by row of positive weight: its leaf, or the first node that splits
    on a column in which the row has no value.

    With keeps_ledger also "ledger", a dict: row_begin int64 (n_nodes + 1), average float64, stop int8 by node; and by row,
    as in `treewright.model.ledger_arrays.LedgerArrays`: column int32 | verdict uint8 | gain float64 (relative to the node, not to the
    whole table) | cut float64, cut_integer int64 | missing float64 | missing_branch int32 | worth float64 (empty except for gain_ratio) | net_gain,
    split_information float64, n_tries int64 (empty except for above_average_gain) | branch_begin int64, outcome float64
    (n_branches, n_classes or 2) | set_begin int64, set_code, set_branch int32
    """

def weakest_links(
    child_begin: NDArray[np.int32], child: NDArray[np.int32], risk: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Inner nodes in the order in which weakest-link pruning turns them into leaves, and the alpha of each step; alphas never fall."""

def add_up(
    child_begin: NDArray[np.int32], child: NDArray[np.int32], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sums of the values, (n_nodes, k), of every node and all nodes below it."""

def no_worse_as_leaves(
    child_begin: NDArray[np.int32],
    child: NDArray[np.int32],
    as_leaf: NDArray[np.float64],
    slack: NDArray[np.float64],
    bottom_up: bool,  # nodes found further down count with their cost as leaves
) -> NDArray[np.int32]:
    """Inner nodes that cost no more as leaves, apart from their slack, than the leaves of their subtrees together."""

def cut_at(
    child_begin: NDArray[np.int32], child: NDArray[np.int32], leaves: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """The tree that remains if some nodes become leaves: its nodes by their old numbers, `child_begin`, `child`."""

def complexities(
    child_begin: NDArray[np.int32], child: NDArray[np.int32], risk: NDArray[np.float64], least: float
) -> NDArray[np.float64]:
    """The price of a leaf up to which each node stays split, as rpart computes it."""

class Questions:
    """Questions, in the arrays of a tree."""
    def __init__(
        self,
        column: NDArray[np.int32],
        cut: NDArray[np.float64],
        cut_integer: NDArray[np.int64],
        set_begin: NDArray[np.int32],
        set_code: NDArray[np.int32],
        set_branch: NDArray[np.int32],
    ) -> None: ...

class Answers:
    """The values of the nodes of a tree, checked once."""
    def __init__(self, of_nodes: NDArray[np.float64] | NDArray[np.int64]) -> None:
        """A number or a row of numbers for each node; used in place."""

def plain_row(
    row: dict[Any, Any],
    columns: tuple[tuple[str, dict[Any, int] | None], ...],  # names, and the codes of categories
    number_of: Callable[[Any, dict[Any, int] | None], float | None],
) -> NDArray[np.float64] | None:
    """One row, (1, n_columns): finite floats as they are, the result of `number_of` for all other values and for categories. A list of one value counts as that value. None if the row lacks a column, or `number_of` returns None."""

class Router:
    """A tree laid out for prediction."""
    def __init__(
        self,
        question: Questions,
        child_begin: NDArray[np.int32],
        child: NDArray[np.int32],
        missing_branch: NDArray[np.int32],
        weight: NDArray[np.float64],
        surrogate_begin: NDArray[np.int32],
        surrogate: Questions,
        surrogate_low_branch: NDArray[np.int32],
    ) -> None: ...
    def apply(self, columns: Sequence[NDArray[Any]], n_threads: int) -> NDArray[np.int32]:
        """Leaf of every row. Columns as for LocalEngine, of the same dtype family (float, int64 or codes) as in training; a code without a category is missing."""
    def take(
        self,
        rows: NDArray[Any] | Sequence[NDArray[Any]],
        of_nodes: Answers | NDArray[np.float64] | NDArray[np.int64],
        takes_missing: bool,
        n_threads: int,
    ) -> NDArray[Any] | None:
        """The value of the leaf of every row, in the type and the dimensions of `of_nodes`; None if there is an infinite float, or a NaN although missing values are not allowed. For a row in several leaves, floats are averaged by weight; whole numbers are those of the heaviest leaf. Rows are columns as above or a two-dimensional array of float64 or float32, with codes in place of categories."""
    @property
    def spreads(self) -> bool: ...  # whether rows with a missing value may reach several leaves
    def spread(
        self, columns: Sequence[NDArray[Any]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Leaves of every row, ascending, and the fraction of the row that reaches each: begin, leaves, fractions; row i has those from begin[i] to begin[i + 1]."""
    def shapley_values(
        self,
        columns: Sequence[NDArray[Any]],
        of_nodes: NDArray[np.float64],
        points: NDArray[np.float64],   # between 0 and 1, of Gauss-Legendre quadrature
        weights: NDArray[np.float64],  # of the points
        n_threads: int,
    ) -> NDArray[np.float64]:
        """Shapley values, (n_rows, n_columns, k), of every column for every row; `of_nodes`, (n_nodes, k), are the predictions of nodes. d / 2 points are exact if no path has splits on more than d columns. Rejects trees in which rows stop."""

class Pessimism:
    """How many errors to expect in a leaf beyond those it made."""
    def __init__(
        self,
        *,
        confidence: float,
        deviate: float,      # normal deviate of the confidence
        all_wrong: float,    # if errors + 1/2 >= n: extra errors for each case that is not an error
        least_extra: float,  # ... but at least this many
        no_errors: float,    # up to this, errors count as none
        one_error: float,    # below this, the extra errors are interpolated between none and one
        adds_none: bool,
    ) -> None: ...
    def extra(self, n: float, errors: float) -> float:
        """Errors to add to `errors` among n cases."""
    @property
    def most_fewer(self) -> float | None:
        """Upper bound of how many fewer errors may be expected in a leaf with more rows; None if not known."""

def prune_error_based(
    columns: Sequence[NDArray[Any]],
    codes: NDArray[np.int32],
    n_classes: int,
    weights: NDArray[np.float64],
    question: Questions,
    child_begin: NDArray[np.int32],
    child: NDArray[np.int32],
    missing_branch: NDArray[np.int32],
    weight: NDArray[np.float64],
    surrogate_begin: NDArray[np.int32],
    surrogate: Questions,
    surrogate_low_branch: NDArray[np.int32],
    labels: NDArray[np.int32],
    pessimism: Pessimism,
    raises: bool,
    keeps_label_on_tie: bool,
    slack: float,
    tolerance: float,
    ends: NDArray[np.int32] | None = None,
) -> dict[str, NDArray[Any]]:
    """Prune by pessimistic errors. `ends` has, for each row of positive weight, its leaf, or the first node that splits on a column in which it has no value. The result is the pruned tree, in pre-order: origin int32 (the old number of the node), label int32 (its class), child_begin, child,
    n_rows int64 (-1: no row reaches it, it is unchanged), weights float64 (n_nodes, n_classes), errors float64 (of the subtree)."""

def general_rule(
    fails: NDArray[np.uint64],     # (n_conditions, n_rows / 64 rounded up): a bit for each row, the first one in the lowest bit of the first byte
    targets: NDArray[np.int32],
    weights: NDArray[np.float64],
    answer: int,
    pessimism: Pessimism,
    default_error: float,          # expected error of a rule that no row meets
) -> tuple[NDArray[np.int32], float, NDArray[np.uint64]]:
    """Drop conditions of a rule while its expected error does not grow, first the one that leaves the least error. Returns the remaining conditions, the error, and the rows that meet them, packed as in `fails`."""
