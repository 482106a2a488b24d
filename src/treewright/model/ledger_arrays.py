"""The ledger of a tree as flat, read-only arrays: what every column offered at every node."""

from collections.abc import Callable, Set
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.parts.criteria import OF_NUMBERS, criterion_called

# What became of a column at a node; the first eleven are the core's.
VERDICTS = (
    "won",
    "lower score",
    "tied",
    "below average",
    "no gain",
    "constant",
    "too few",
    "out of order",
    "not drawn",
    "not needed",
    "other cut",
    "all missing",
    "used above",
)
# Why a node asks nothing; the last one is told by pruning, all others by the core.
STOPS = (
    "asks",
    "empty",
    "pure",
    "max depth",
    "too few rows",
    "too few for leaves",
    "too light",
    "pure enough",
    "no question",
    "too little gain",
    "leaves spent",
    "pruned",
)
CONSTANT, BELOW_AVERAGE, OTHER_CUT, ALL_MISSING, USED_ABOVE, PRUNED = 5, 3, 10, 11, 12, 11
NO_RATIO = -1.0  # worth of a split that tells nothing of its own

Penalty: TypeAlias = Literal["linear", "quadratic", "none"]


@dataclass(frozen=True, slots=True)
class LedgerRules:
    """What columns were judged by, as far as the ledger's words need it.

    Parameters
    ----------
    criterion : str
        The core's word: ``"gini"``, ``"entropy"``, ``"variance"``, ...
    by : {"score", "ratio", "gain"}
        What columns compete on: the fall of the impurity; Quinlan's gain ratio or gain.
    min_rows_leaf, min_weight_leaf : int, float
        What either side of a cut must hold.
    slack : float
        How far below the average a gain may lie.
    penalty : {"linear", "quadratic", "none"}
        How rows without a value lower a gain.
    ratio_pays_for_gaps : bool
        Whether they lower a ratio, too.
    unknown_is_branch : bool
        Whether they count as a branch in the information of the split.
    charges_tries : bool
        Whether numeric columns pay for the cuts they tried.
    """

    criterion: str
    by: Literal["score", "ratio", "gain"] = "score"
    min_rows_leaf: int = 1
    min_weight_leaf: float = 0.0
    slack: float = 0.0
    penalty: Penalty = "linear"
    ratio_pays_for_gaps: bool = False
    unknown_is_branch: bool = False
    charges_tries: bool = False

    @property
    def is_ratio(self) -> bool:
        """Whether columns compete by a ratio of gain to the information of the split."""
        criterion = criterion_called(self.criterion)
        return criterion is not None and criterion.is_ratio and self.by != "gain"


@dataclass(frozen=True, eq=False)
class LedgerArrays:
    """What every column offered at every node that was looked into, and why leaves ask nothing.

    Parameters
    ----------
    rules : LedgerRules
        What columns were judged by.
    row_begin : array of int64
        The rows of node i are those from ``row_begin[i]`` to ``row_begin[i + 1]``; none where the node was
        closed before its columns were looked into.
    stop : array of int8
        Why each node asks nothing, a position in `STOPS`.
    average : array of float64
        Gain that columns had to reach at each node; NaN where there is none.
    weight : array of float64
        Weight of each node while its columns were looked into.
    column : array of int32
        Column of each row, rising in each node.
    verdict : array of int8
        What became of it, a position in `VERDICTS`.
    gain : array of float64
        By how much the question lowers the impurity of the node, the known share taken into account; NaN
        where there is no question.
    cut, cut_integer : arrays
        As in `Tree`, where the column holds numbers.
    missing : array of float64
        Weight of the rows without a value.
    missing_branch : array of int32
        Branch with which these were scored; −1 where they were not.
    worth : array of float64
        What the question competed on, where that is a ratio; else empty.
    net_gain, split_information, n_tries : arrays
        Of Quinlan's ranking: gain less the charge, information of the split, cuts tried; else empty.
    branch_begin : array of int64
        The branches of row i are those from ``branch_begin[i]`` to ``branch_begin[i + 1]``.
    outcome : array of float64, (n_branches, n_classes) or (n_branches, 2)
        Weight of each class, or weight and mean of each branch (weight and mean distance from the median,
        where the criterion is the absolute error).
    set_begin, set_code, set_branch : arrays
        Categories of each row that the node's rows have, and their branches, as in `Tree`.
    """

    rules: LedgerRules
    row_begin: NDArray[np.int64]
    stop: NDArray[np.int8]
    average: NDArray[np.float64]
    weight: NDArray[np.float64]
    column: NDArray[np.int32]
    verdict: NDArray[np.int8]
    gain: NDArray[np.float64]
    cut: NDArray[np.float64]
    cut_integer: NDArray[np.int64]
    missing: NDArray[np.float64]
    missing_branch: NDArray[np.int32]
    worth: NDArray[np.float64]
    net_gain: NDArray[np.float64]
    split_information: NDArray[np.float64]
    n_tries: NDArray[np.int64]
    branch_begin: NDArray[np.int64]
    outcome: NDArray[np.float64]
    set_begin: NDArray[np.int64]
    set_code: NDArray[np.int32]
    set_branch: NDArray[np.int32]

    def __post_init__(self) -> None:
        for name in ARRAYS:
            getattr(self, name).flags.writeable = False

    def __reduce__(self) -> tuple[type["LedgerArrays"], tuple[Any, ...]]:
        return LedgerArrays, tuple(getattr(self, each.name) for each in fields(self))

    def __eq__(self, other: object) -> bool:
        """Compare bit for bit."""
        if not isinstance(other, LedgerArrays):
            return NotImplemented
        return self.rules == other.rules and all(
            getattr(self, name).tobytes() == getattr(other, name).tobytes() for name in ARRAYS
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    def __len__(self) -> int:
        return len(self.column)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.stop)

    @property
    def node(self) -> NDArray[np.int64]:
        """The node of every row."""
        return np.repeat(np.arange(self.n_nodes), np.diff(self.row_begin))

    def settled(
        self, parent: NDArray[np.int32], asked: NDArray[np.int32], is_category: NDArray[np.bool_]
    ) -> "LedgerArrays":
        """Say more exactly why columns of a single value have no question.

        Parameters
        ----------
        parent : array of int32
            Parent of every node, −1 for the root.
        asked : array of int32
            Column asked about at every node.
        is_category : array of bool
            Whether each column holds categories.
        """
        constant = np.flatnonzero(self.verdict == CONSTANT)
        if not len(constant):
            return self
        node = np.searchsorted(self.row_begin, constant, side="right") - 1
        column = self.column[constant]
        verdict = self.verdict.copy()
        verdict[constant[self.missing[constant] >= self.weight[node] * (1 - 1e-9)]] = ALL_MISSING
        rows = np.flatnonzero(is_category[column])
        at = parent[node[rows]]
        while len(rows):
            inside = at >= 0
            rows, at = rows[inside], at[inside]
            is_used = asked[at] == column[rows]
            used = constant[rows[is_used]]
            verdict[used[verdict[used] == CONSTANT]] = USED_ABOVE
            rows, at = rows[~is_used], parent[at[~is_used]]
        return replace(self, verdict=verdict)

    def compared(self) -> "LedgerArrays":
        """Say which of all cuts that are listed had a gain below the average."""
        if self.rules.by != "ratio":
            return self
        enough = self.average[self.node] - self.rules.slack
        is_below = (self.verdict == OTHER_CUT) & (self.net_gain < enough)
        return replace(self, verdict=np.where(is_below, np.int8(BELOW_AVERAGE), self.verdict))

    def used_above(self, asked: Set[int], is_category: NDArray[np.bool_]) -> "LedgerArrays":
        """Say which columns of a single node have one value because a question above parted them."""
        used = np.isin(self.column, list(asked)) & is_category[self.column] & (self.verdict == CONSTANT)
        return replace(self, verdict=np.where(used, np.int8(USED_ABOVE), self.verdict))

    def of_nodes(self, nodes: NDArray[Any], is_pruned: NDArray[np.bool_]) -> "LedgerArrays":
        """Keep some nodes, which get numbers 0, 1, ... in a new tree; say which of them were pruned."""
        row_begin, rows = _taken(self.row_begin, nodes)
        branch_begin, branches = _taken(self.branch_begin, rows)
        set_begin, sets = _taken(self.set_begin, rows)
        of_rows = {name: getattr(self, name) for name in PER_ROW}
        return replace(
            self,
            row_begin=row_begin,
            stop=np.where(is_pruned, np.int8(PRUNED), self.stop[nodes]),
            average=self.average[nodes],
            weight=self.weight[nodes],
            branch_begin=branch_begin,
            outcome=self.outcome[branches],
            set_begin=set_begin,
            set_code=self.set_code[sets],
            set_branch=self.set_branch[sets],
            **{name: values[rows] if len(values) else values for name, values in of_rows.items()},
        )

    def scaled(self, unit: float) -> "LedgerArrays":
        """Give all weights in another unit."""
        is_weight = np.ones(self.outcome.shape[1], dtype=bool)
        if self.rules.criterion in OF_NUMBERS:
            is_weight[1] = False
        return replace(
            self,
            rules=replace(self.rules, min_weight_leaf=self.rules.min_weight_leaf * unit),
            weight=self.weight * unit,
            missing=self.missing * unit,
            outcome=self.outcome * np.where(is_weight, unit, 1.0),
        )

    def with_cuts(self, moved: Callable[[int, NDArray[Any]], NDArray[Any]], integers: Any) -> "LedgerArrays":
        """Move the cuts of numeric columns: ``moved(column, cuts)`` gives the new ones."""
        cut, cut_integer = self.cut.copy(), self.cut_integer.copy()
        for column in np.unique(self.column).tolist():
            rows = np.flatnonzero((self.column == column) & np.isfinite(self.cut))
            if not len(rows):
                continue
            new = moved(column, (cut_integer if column in integers else cut)[rows])
            cut[rows] = new
            if column in integers:
                cut_integer[rows] = new
        return replace(self, cut=cut, cut_integer=cut_integer)


ARRAYS = tuple(each.name for each in fields(LedgerArrays))[1:]
PER_ROW = (
    "column",
    "verdict",
    "gain",
    "cut",
    "cut_integer",
    "missing",
    "missing_branch",
    "worth",
    "net_gain",
    "split_information",
    "n_tries",
)


def _taken(begin: NDArray[np.int64], of: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Keep the runs `of` some owners: where these begin then, and the positions of all that is kept."""
    sizes = np.diff(begin)[of]
    new = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return new, np.repeat(begin[:-1][of] - new[:-1], sizes) + np.arange(new[-1])
