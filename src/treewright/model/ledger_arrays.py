"""The ledger of a tree as read-only arrays: the best split of every column at every node, and why one won.

To add a column: compute it in the core, declare it in `LedgerArrays` and describe it in `model.schema.json`.
Pruning, pickling, checks and the model file follow from the declaration.
"""

import math
from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from treewright.formatting import format_weight
from treewright.model.questions import QuestionArrays
from treewright.model.records import LARGE, Array, Bool, Float64, Int8, Int32, Int64, Per
from treewright.parts.criteria import OF_NUMBERS, Criterion, criterion_called
from treewright.wording import Language, counted, said

# The result of a column at a node; the core knows the first eleven.
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
# Why a node is a leaf, as a short key and as text for people; pruning sets the last one, the core all others.
WHY_LEAF = {
    "asks": "asks",
    "empty": "no row reaches it",
    "pure": "all rows have one answer",
    "max depth": "the tree has reached its maximum depth",
    "too few rows": "too few rows to be split",
    "too few for leaves": "too few rows for two leaves",
    "too light": "too little weight to be split",
    "pure enough": "its impurity is low enough",
    "no question": "no column can be split",
    "too little gain": "it gains too little",
    "leaves spent": "the limit on leaves is reached",
    "pruned": "pruned",
}
STOPS = tuple(WHY_LEAF)
CONSTANT, BELOW_AVERAGE, TOO_FEW, OTHER_CUT, ALL_MISSING, USED_ABOVE, PRUNED = 5, 3, 6, 10, 11, 12, 11
NO_RATIO = -1.0  # `worth` of a split without split information


@dataclass(frozen=True, slots=True)
class LedgerRules:
    """How columns were compared, as far as the texts of the ledger need it.

    Parameters
    ----------
    criterion : str
        Its word in the core: ``"gini"``, ``"entropy"``, ``"variance"``, ...
    by : {"score", "ratio", "gain"}
        The figure that columns are compared by: the decrease of impurity, or Quinlan's gain ratio or gain.
    min_rows_leaf, min_weight_leaf : int, float
        Least rows and weight on either side of a cut.
    slack : float
        How far a gain may be below the average.
    penalty : {"linear", "quadratic", "none"}
        How missing values lower a gain.
    ratio_pays_for_gaps : bool
        Whether missing values also lower the ratio.
    unknown_is_branch : bool
        Whether missing values count as a branch in the split information.
    charges_tries : bool
        Whether the gain of numeric columns is charged for the cuts tried.
    """

    criterion: str
    by: Literal["score", "ratio", "gain"] = "score"
    min_rows_leaf: int = 1
    min_weight_leaf: float = 0.0
    slack: float = 0.0
    penalty: Literal["linear", "quadratic", "none"] = "linear"
    ratio_pays_for_gaps: bool = False
    unknown_is_branch: bool = False
    charges_tries: bool = False

    @property
    def is_ratio(self) -> bool:
        """Whether columns are compared by the ratio of gain to split information."""
        criterion = criterion_called(self.criterion)
        return criterion is not None and criterion.is_ratio and self.by != "gain"

    @property
    def is_of_numbers(self) -> bool:
        """Whether the target holds numbers."""
        return self.criterion in OF_NUMBERS

    @property
    def known_criterion(self) -> type[Criterion]:
        """The criterion."""
        found = criterion_called(self.criterion)
        assert found is not None, "the ledger is of a criterion that this version knows"
        return found

    def weights_of(self, outcome: Float64) -> Float64:
        """Return the weight of each branch."""
        return outcome[:, 0] if self.is_of_numbers else outcome.sum(axis=1)

    def unevenness(self, outcome: Float64) -> float:
        """Return the difference in weight of the sides of a cut if that breaks ties, else 0."""
        if not self.known_criterion.prefers_even_sides or len(outcome) < 2:
            return 0.0
        left, right = self.weights_of(outcome)[:2]
        return float(abs(left - right))

    def too_few(self, is_whole: bool, lang: Language) -> str:
        """Say which limit on the sides of a cut was not met; `is_whole` if all weights are whole numbers."""
        least = self.min_weight_leaf
        if least <= self.min_rows_leaf and (not least or self.min_rows_leaf > 1):
            rows = counted(lang, self.min_rows_leaf, "row")
        elif is_whole:
            rows = counted(lang, math.ceil(least), "row")
        else:
            return said(lang, "less than a weight of {weight} on one side", weight=format_weight(least))
        return said(lang, "fewer than {rows} on one side", rows=rows)


@dataclass(frozen=True, eq=False, repr=False)
class LedgerArrays(QuestionArrays):
    """The best split of every column at every node that was searched, and why leaves are leaves.

    Parameters
    ----------
    rules : LedgerRules
        How columns were compared.
    row_begin : array of int64
        The rows of node i are those from ``row_begin[i]`` to ``row_begin[i + 1]``; none if the node became a
        leaf before its columns were searched.
    stop : array of int8
        Why each node is a leaf, as a position in `STOPS`.
    average : array of float64
        Gain that columns had to reach at each node; NaN if there was no such limit.
    weight : array of float64
        Weight of each node when its columns were searched.
    column : array of int32
        Column of each row, ascending within each node.
    verdict : array of int8
        Its result, as a position in `VERDICTS`.
    gain : array of float64
        Decrease of the node's impurity, with missing values taken into account; NaN where there is no split.
    cut, cut_integer : arrays
        As in `Tree`, where the column holds numbers.
    missing : array of float64
        Weight of the rows whose value is missing.
    missing_branch : array of int32
        Branch with which these rows were scored; −1 if they were not scored.
    worth : array of float64
        The ratio that the split was compared by, if splits compete by a ratio; else empty.
    net_gain, split_information, n_tries : arrays
        For Quinlan's ranking: gain minus the charge, split information, cuts tried; else empty.
    branch_begin : array of int64
        The branches of row i are those from ``branch_begin[i]`` to ``branch_begin[i + 1]``.
    outcome : array of float64, (n_branches, n_classes) or (n_branches, 2)
        Weight of each class, or weight and mean of each branch (weight and mean distance from the median, if
        the criterion is the absolute error).
    set_begin, set_code, set_branch : arrays
        Categories that rows of the node have, and their branches, as in `Tree`.
    """

    rules: LedgerRules
    row_begin: Annotated[Int64, Per("node", runs_of="row")]
    stop: Annotated[Int8, Per("node", least=0, most=len(STOPS) - 1)]
    average: Annotated[Float64, Per("node", nullable=True, may_be_infinite=True)]
    weight: Annotated[Float64, Per("node", least=0, most=LARGE)]
    column: Annotated[Int32, Per("row", indexes="column", least=0)]
    verdict: Annotated[Int8, Per("row", least=0, most=len(VERDICTS) - 1)]
    gain: Annotated[Float64, Per("row", nullable=True)]
    cut: Annotated[Float64, Per("row", nullable=True, may_be_infinite=True)]
    cut_integer: Annotated[Int64, Per("row")]
    missing: Annotated[Float64, Per("row", least=0, most=LARGE)]
    missing_branch: Annotated[Int32, Per("row")]
    worth: Annotated[Float64, Per("row", nullable=True, may_be_empty=True)]
    net_gain: Annotated[Float64, Per("row", nullable=True, may_be_empty=True)]
    split_information: Annotated[Float64, Per("row", nullable=True, may_be_empty=True)]
    n_tries: Annotated[Int64, Per("row", may_be_empty=True, least=0)]
    branch_begin: Annotated[Int64, Per("row", runs_of="branch")]
    outcome: Annotated[Float64, Per("branch", columns="class")]
    set_begin: Annotated[Int64, Per("row", runs_of="set")]
    set_code: Annotated[Int32, Per("set")]
    set_branch: Annotated[Int32, Per("set")]

    def __len__(self) -> int:
        return len(self.column)

    def __repr__(self) -> str:
        return f"<LedgerArrays: {len(self):,} rows of {self.n_nodes:,} nodes>"

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.stop)

    @property
    def node(self) -> Int64:
        """The node of every row."""
        return np.repeat(np.arange(self.n_nodes), np.diff(self.row_begin))

    def settled(self, parent: Int32, asked: Int32, is_category: Bool) -> "LedgerArrays":
        """Refine the verdict of columns with a single value: all missing, or used above.

        Parameters
        ----------
        parent : array of int32
            Parent of every node, −1 for the root.
        asked : array of int32
            Column that every node splits on.
        is_category : array of bool
            Whether each column holds categories.
        """
        constant = np.flatnonzero(self.verdict == CONSTANT)
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
        """Mark the cuts whose gain was below the average, if all cuts are listed."""
        if self.rules.by != "ratio":
            return self
        enough = self.average[self.node] - self.rules.slack
        is_below = (self.verdict == OTHER_CUT) & (self.net_gain < enough)
        return replace(self, verdict=np.where(is_below, np.int8(BELOW_AVERAGE), self.verdict))

    def used_above(self, asked: Set[int], is_category: Bool) -> "LedgerArrays":
        """In the ledger of one node, mark columns that have a single value because of a split above."""
        used = np.isin(self.column, list(asked)) & is_category[self.column] & (self.verdict == CONSTANT)
        return replace(self, verdict=np.where(used, np.int8(USED_ABOVE), self.verdict))

    def of_nodes(self, nodes: Array, is_pruned: Bool) -> "LedgerArrays":
        """Keep the rows of some nodes, which are renumbered 0, 1, ...; `is_pruned` marks those pruned."""
        taken = self.selected("node", nodes)
        taken["stop"][is_pruned] = PRUNED
        return replace(self, **taken)

    def scaled(self, unit: float) -> "LedgerArrays":
        """Multiply all weights by a unit."""
        rules = replace(self.rules, min_weight_leaf=self.rules.min_weight_leaf * unit)
        outcome = self.outcome * (np.array([unit, 1.0]) if rules.is_of_numbers else unit)
        weight, missing = self.weight * unit, self.missing * unit
        return replace(self, rules=rules, weight=weight, missing=missing, outcome=outcome)
