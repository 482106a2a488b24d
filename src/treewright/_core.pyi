"""The compiled core: rows in, flat tree arrays out. Knows codes and numbers, no names."""

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
    """A number for every row that what is in it decides, and nothing else."""

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
    """The numbers that tell C4.5 and its variants apart."""
    def __init__(
        self,
        *,
        by_ratio: bool = True,           # columns compete by gain ratio, else by gain
        charges_tries: bool = True,      # log2(tries) / weight off the gain of a numeric column
        scales_side: bool = True,        # a tenth of the known weight a class on either side of a cut, 25 at most
        unknown_is_branch: bool = True,  # rows without a value count as one in the information of the split
        every_cut_counts: bool = False,  # in the average: every cut for itself, else every column
        is_strict: bool = False,         # a column needs a gain
        n_classes: int = 0,              # declared; 0: as many as there are
        slack: float = 1e-3,             # below the average by which a gain may be
        tolerance: float = 0.0,          # scores closer than this are equal
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
        missing: str = "learned",       # "learned" | "refuse" | "majority" (rows without a value follow the heavier branch,
                                        # cuts are scored on known rows) | "branch" (one of their own, the last) |
                                        # "spread" (down every branch in shares) | "surrogate" (the best surrogate that is known, then the heavier branch; scored as "majority")
        order: str = "depth",           # "depth" | "breadth" | "best"
        max_depth: int = -1,            # -1: no limit
        min_rows_split: int = 2,
        min_rows_leaf: int = 1,
        min_weight_leaf: float = 0.0,   # absolute weight
        max_leaves: int = -1,           # -1: no limit
        min_gain: float = 0.0,          # on node weight / total weight * impurity decrease
        min_impurity: float = 0.0,      # a node at or below it is a leaf
        max_columns: int = -1,          # columns drawn per node; -1: all
        seed: int = 0,
        leaf_value: str = "mean",       # "mean" | "median" (Numbers)
        function: Callable[[NDArray[Any], NDArray[np.float64], NDArray[np.int64]], NDArray[np.float64]] | None = None,
                                        # with criterion "function": (targets, weights, cuts) -> a score for each cut; called
                                        # from the calling thread, which is the only one then
        monotone: Sequence[int] = [],   # by column: answers rise (1), fall (-1), as they like (0); empty: 0 for all. Answers are
                                        # the mean (absolute_error: median) or of two classes the share of the second
        max_surrogates: int = 5,
        agreement: str = "all",         # "all" | "known": what the agreement of a surrogate is a share of
        lets_rows_stop: bool = False,   # with "surrogate": rows that none of them places stop at the node, in place of the heavier branch
        ranking: str = "best_score",    # "best_score" | "above_average_gain"
        quinlan: Quinlan = ...,         # for above_average_gain
        has_many_values: Sequence[bool] = [],  # by column: does not count in the average gain
        penalty: str = "linear",        # "linear" | "quadratic" | "none": where missing values are spread
        cut_at: str = "middle",         # "middle" | "observed"
        min_gap: float = 0.0,           # numbers no further apart are one
        min_weight_split: float = 0.0,  # absolute weight
        min_weight_once_unknown: float = 0.0,  # above 0: what replaces min_weight_leaf, and twice this min_weight_split, once a column
                                        # of more than two categories had no known value in a node; with "groups", "depth"
        needs_gain: bool = False,
        keeps_ledger: bool = False,     # of every column of every node
        lists_every_cut: bool = False,  # ... and of every cut of numbers
        root_path: int = 0,             # where all rows are a node of a larger tree: key of its draws,
        root_low: float = ...,          # and bounds of what it may answer
        root_high: float = ...,
        count_above: int | None = None, # nodes of more rows are counted by bins where that is possible; None: where it pays
        surrogates_for: Sequence[bool] = [],   # with "surrogate", by column: whether its questions get any; empty: all do
    ) -> None: ...

class TrainingSet:
    """The columns of a table, each put in order once, for any number of growths."""
    def __init__(
        self,
        columns: Sequence[NDArray[Any]],      # 1-D float64, float32, int64 or int32 codes, any stride; NaN, the least int64 or code -1 is missing
        n_rows: int,
        n_threads: int,
        n_categories: Sequence[int] | None = None,  # by column: 0 for numbers; k: int32 codes 0 .. k - 1, as declared
    ) -> None: ...

class LocalEngine:
    """Rows of a training set in this process; good for one growth."""
    def __init__(
        self,
        training_set: TrainingSet,
        target: Classes | Numbers,
        weights: NDArray[np.float64] | None,  # rows of weight 0 take no part
        n_threads: int,
        own_weights: NDArray[np.float64] | None = None,  # where surrogates are weighed; by default `weights`
        is_last: bool = False,  # nobody grows on the training set after this: its orders are handed over
    ) -> None: ...
    @property
    def n_rows(self) -> int: ...  # of positive weight
    @property
    def n_missing(self) -> NDArray[np.int64]: ...  # by column
    @property
    def first_infinite(self) -> tuple[int, int] | None: ...  # (column, row) of an infinite value, if there is one
    @property
    def work(self) -> dict[str, Any]: ...  # of the growth, as in `treewright.engines.engine.Work`

def path_of(branches: Sequence[int]) -> int:
    """Key of the random draws of the node that these branches lead to from the root."""

def grow(engine: LocalEngine, recipe: Recipe, progress: Callable[[int, int], None] | None = None) -> dict[str, NDArray[Any]]:
    """Grow one tree. `progress(rows_settled, rows)` is called from the calling thread now and then.

    Arrays in pre-order, root 0:
    column int32 (-1 leaf) | cut float64 (`<=` goes to branch 0; inf: known values to branch 0, missing to branch 1;
    nan at leaves) | cut_integer int64 (the cut where the column is int64, else 0) | child_begin int32 (n_nodes + 1) and
    child int32 (children of node i: child[child_begin[i]:child_begin[i+1]]) | missing_branch int32 (branch of a missing
    value, -1 where it goes down every one and at leaves, -2 where it stops) | set_begin int32 (n_nodes + 1), set_code and set_branch int32 (where node i asks about categories:
    set_code[set_begin[i]:set_begin[i+1]], rising, take the branches of the same places in set_branch, others are as missing;
    else empty) |
    search int8 (0 threshold or leaf, 1 exact set search, 2 heuristic) | n_rows int64 | weight float64 | value float64 (n_nodes, n_classes): weight of each class, or
    (n_nodes, 1): mean or median; both clipped to their bounds where the recipe is monotone | impurity float64 | gain float64 (node weight / total weight * impurity decrease; 0 at leaves)
    worth float64 (what the winner competed on), net_gain float64 (for above_average_gain: bits a unit of weight, charges off) |
    where there are surrogates, surrogate_begin int32 (n_nodes + 1): those of node i are those from here to the next; each has surrogate_column,
    _cut, _cut_integer, _set_begin, _set_code, _set_branch as nodes have, _low_branch int32 (of values at or below the cut),
    _agree, _adjusted float64, _n_placed int64

    Where rows are in shares and ranked as C4.5 does also "ends" int32, by row of positive weight: the node of its leaf, or the first
    one that asked for a value it has not.

    With keeps_ledger also "ledger", a dict: row_begin int64 (n_nodes + 1), average float64, stop int8 by node; and by row,
    as in `treewright.model.ledger_arrays.LedgerArrays`: column int32 | verdict uint8 | gain float64 (of the node, not of the whole
    table) | cut float64, cut_integer int64 | missing float64 | missing_branch int32 | worth float64 (empty but for gain_ratio) | net_gain,
    split_information float64, n_tries int64 (empty but for above_average_gain) | branch_begin int64, outcome float64
    (n_branches, n_classes or 2) | set_begin int64, set_code, set_branch int32
    """

def weakest_links(
    child_begin: NDArray[np.int32], child: NDArray[np.int32], risk: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Inner nodes in the order in which weakest-link pruning turns them into leaves, and the alpha of each step; these do not fall."""

def add_up(
    child_begin: NDArray[np.int32], child: NDArray[np.int32], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Values, (n_nodes, k), of every node and of all nodes below it, added up."""

def no_worse_as_leaves(
    child_begin: NDArray[np.int32],
    child: NDArray[np.int32],
    as_leaf: NDArray[np.float64],
    slack: NDArray[np.float64],
    bottom_up: bool,  # what was found below counts with what it costs as a leaf
) -> NDArray[np.int32]:
    """Inner nodes that cost no more as leaves than their leaves do together, but for their slack."""

def cut_at(
    child_begin: NDArray[np.int32], child: NDArray[np.int32], leaves: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """What is left where some nodes become leaves: nodes by the number they had, `child_begin`, `child`."""

def complexities(
    child_begin: NDArray[np.int32], child: NDArray[np.int32], risk: NDArray[np.float64], least: float
) -> NDArray[np.float64]:
    """Up to which price of a leaf each node stays split, as rpart works it out."""

class Questions:
    """Questions side by side, in the arrays of a tree."""
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
    """What the nodes of a tree say, looked at once."""
    def __init__(self, of_nodes: NDArray[np.float64] | NDArray[np.int64]) -> None:
        """A number for each node, or a row of them; used in place."""

def plain_row(
    row: dict[Any, Any],
    columns: tuple[tuple[str, dict[Any, int] | None], ...],  # names, and the codes of categories
    number_of: Callable[[Any, dict[Any, int] | None], float | None],
) -> NDArray[np.float64] | None:
    """One row, (1, n_columns): finite floats as they are, what `number_of` gives for all other values and for those of categories. A list of one value is that value. None if a column is not in the row, or `number_of` gives None."""

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
        """Leaf of every row. Columns as for LocalEngine, the same dtype family (float, int64 or codes) as at fit; a code of no category is missing."""
    def take(
        self,
        rows: NDArray[Any] | Sequence[NDArray[Any]],
        of_nodes: Answers | NDArray[np.float64] | NDArray[np.int64],
        takes_missing: bool,
        n_threads: int,
    ) -> NDArray[Any] | None:
        """What the leaf of every row says, in the type and the dimensions of `of_nodes`; None if there is an infinite float, or a NaN and missing values are not taken. Of numbers, those of a row in several leaves are in their proportions; of whole numbers it takes those of the heaviest leaf. Rows are columns as above or a two-dimensional array of float64 or float32, with the code in place of a category."""
    @property
    def spreads(self) -> bool: ...  # whether rows without a value may reach several leaves
    def spread(
        self, columns: Sequence[NDArray[Any]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Leaves of every row and the share of it that reaches each: those of row i from begin[i] to begin[i + 1], rising."""
    def shapley_values(
        self,
        columns: Sequence[NDArray[Any]],
        of_nodes: NDArray[np.float64],
        points: NDArray[np.float64],   # between 0 and 1, of Gauss-Legendre quadrature
        weights: NDArray[np.float64],  # of the points
        n_threads: int,
    ) -> NDArray[np.float64]:
        """Shapley values, (n_rows, n_columns, k), of every column for every row; `of_nodes`, (n_nodes, k), is what nodes say. d / 2 points are exact where no path asks more than d columns. Refuses trees in which rows stop."""

class Pessimism:
    """How many errors to expect of a leaf beyond those it made."""
    def __init__(
        self,
        *,
        confidence: float,
        deviate: float,      # normal deviate of the confidence
        all_wrong: float,    # extra errors where errors + 1/2 >= n, a case that is not one
        least_extra: float,  # ... but not fewer
        no_errors: float,    # fewer are none
        one_error: float,    # fewer are interpolated between none and one
        adds_none: bool,
    ) -> None: ...
    def extra(self, n: float, errors: float) -> float:
        """Errors to add to `errors` among n cases."""
    @property
    def most_fewer(self) -> float | None:
        """By how much fewer may be expected of a leaf with more rows, at most; None: not known."""

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
    """Prune by pessimistic errors. `ends`, of each row of positive weight: its leaf, or the first node that asks for a value it has not. What is left, in pre-order: origin int32 (the node it was), label int32 (its class), child_begin, child,
    n_rows int64 (-1: no row came, it is as it was), weights float64 (n_nodes, n_classes), errors float64 (of the subtree)."""

def general_rule(
    fails: NDArray[np.uint64],     # (n_conditions, n_rows / 64 rounded up): a bit for each row, the first one in the lowest bit of the first byte
    targets: NDArray[np.int32],
    weights: NDArray[np.float64],
    answer: int,
    pessimism: Pessimism,
    default_error: float,          # of a rule that no row meets
) -> tuple[NDArray[np.int32], float, NDArray[np.uint64]]:
    """Drop conditions of a rule while its expected error does not grow, that of least error first: the conditions that are left, the error, and the rows that meet them, as in `fails`."""
