"""The ledger: what was considered at each node, every figure, and why the winner won."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError, did_you_mean, listed
from treewright.grid import Format, Grid, shortened
from treewright.model import ledger_words as words
from treewright.model.ledger_arrays import NO_RATIO, OF_NUMBERS, STOPS, VERDICTS, LedgerArrays, LedgerRules
from treewright.model.questions import Branches, Question, Threshold
from treewright.model.surrogates import branches_of
from treewright.schema import Schema

_MOST_NODES, _MOST_ROWS = 12, 60  # that are printed
_ROOM = 44  # places for a cell of text


@dataclass(frozen=True, slots=True)
class LedgerBranch:
    """A branch of a question.

    Parameters
    ----------
    condition : str
        When a row takes it: ``"<= 0.3815"``, ``"青绿"``, ``"missing"``.
    weight : float
        Of the rows that were scored in it.
    outcome : tuple of float
        Weight of each class; or the mean (the mean distance from the median, for the absolute error).
    """

    condition: str
    weight: float
    outcome: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """What one column offered at one node.

    Parameters
    ----------
    node : int
        Number of the node.
    column : str
        Name of the column.
    question : Threshold, Branches or None
        Its best question; None where it has none. Only categories that rows of the node have are in it.
    branches : tuple of LedgerBranch
        Where the rows go.
    known : float
        Share of the node's weight that has a value.
    gain : float or None
        By how much the impurity of the node falls, in bits where the criterion is entropy; rows without a
        value taken into account.
    cost : float or None
        Charge for the cuts tried, in the same unit; None where nothing is charged.
    n_tries : int or None
        Cuts tried, where they are charged for or count in the average.
    split_information, ratio : float or None
        Information of the split itself, and (gain − cost) by it.
    score : float or None
        What columns compete on: the gain, the net gain or the ratio.
    rank : int or None
        Place among all candidates of the node, 1 for the best one.
    verdict : str
        One of `treewright.model.ledger_arrays.VERDICTS`.
    reason : str
        The same in a few words.
    """

    node: int
    column: str
    question: Question | None
    branches: tuple[LedgerBranch, ...]
    known: float
    gain: float | None
    cost: float | None
    n_tries: int | None
    split_information: float | None
    ratio: float | None
    score: float | None
    rank: int | None
    verdict: str
    reason: str

    @property
    def kind(self) -> str:
        """Kind of question: ``"cut"``, ``"known"``, ``"sets"``, ``"categories"``, or ``""`` for none."""
        if self.question is None:
            return ""
        if isinstance(self.question, Threshold):
            return "known" if self.question.cut == math.inf else "cut"
        return "categories" if all(len(codes) <= 1 for codes in self.question.codes) else "sets"


@dataclass(frozen=True, eq=False, repr=False)
class Ledger:
    """What was considered at each node: a row a column, exactly the candidates that were compared.

    It prints as a table, a node after the other; `node` or an index picks one of them. Branches show the
    weight of each class, in the order of ``classes_``, or weight and mean.

    Parameters
    ----------
    schema : Schema
        Names of columns, categories and classes.
    arrays : LedgerArrays
        The figures.
    integer_columns : tuple of int
        Columns compared as int64.
    numbers : tuple of int, optional
        Numbers of the nodes in the tree; by default they are all nodes of it.
    shown : tuple of int, optional
        Positions of the nodes that this ledger is about; by default all.

    Examples
    --------
    >>> import treewright as tw
    >>> columns, target = tw.datasets.load("golf")
    >>> tree = tw.C45Classifier(keep_ledger=True).fit(columns, target)
    >>> print(tree.ledger_[2])  # doctest: +ELLIPSIS
    node 2, weight 5: asks windy = false
    rank  column       question  branches                 gain    cost   split   ratio  reason
          outlook                                                                       used above
          temperature  <= 69     <= 69: 1/1, > 69: 1/2  0.0200  0.2000                  gain 0.020 does ...
          humidity                                                                      fewer than 2 rows ...
       1  windy        = false   false: 0/3, true: 2/0  0.9710          0.9710  1.0000  wins
    >>> tree.ledger_.why(3)
    'a leaf: all rows have one answer'
    """

    schema: Schema
    arrays: LedgerArrays
    integer_columns: tuple[int, ...] = ()
    numbers: tuple[int, ...] | None = None
    shown: tuple[int, ...] | None = None

    @property
    def rules(self) -> LedgerRules:
        """What columns were judged by."""
        return self.arrays.rules

    @property
    def nodes(self) -> tuple[int, ...]:
        """Numbers of the nodes that this ledger is about, those without rows included."""
        return tuple(self._number(at) for at in self._shown)

    def node(self, number: int) -> "Ledger":
        """Give the ledger of one node.

        Raises
        ------
        IndexError
            If there is no such node in it.
        """
        numbers = self.nodes
        if number not in numbers:
            some = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
            raise IndexError(f"node {number} is not in this ledger; it has {some}.")
        at = (self._shown[numbers.index(number)],)
        return Ledger(self.schema, self.arrays, self.integer_columns, self.numbers, at)

    def __getitem__(self, number: int) -> "Ledger":
        return self.node(number)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[LedgerRow]:
        return (self.row(at) for at in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Compare bit for bit."""
        if not isinstance(other, Ledger):
            return NotImplemented
        return self.schema == other.schema and self.nodes == other.nodes and self.arrays == other.arrays

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    def row(self, at: int | str) -> LedgerRow:
        """Give one row, by its position or, in the ledger of one node, by the name of its column."""
        return self._row(self._position(at))

    @property
    def winner(self) -> LedgerRow | None:
        """The row that won, in the ledger of one node; None where no column has a question."""
        found = [row for row in self if row.verdict == "won"]
        return found[0] if found else None

    def why(self, number: int) -> str:
        """Say what a node asks, or why it asks nothing."""
        one = self.node(number)
        stop = STOPS[self.arrays.stop[one._shown[0]]]
        winner = one.winner
        if stop == "asks" and winner is not None:
            return f"asks {self._asked(winner)}"
        would = f"; it would have asked {self._asked(winner)}" if winner is not None else ""
        return f"a leaf: {words.why_leaf(stop)}{would}"

    def formula(self, at: int | str) -> str:
        """Write the arithmetic of a row out, as a textbook would.

        Parameters
        ----------
        at : int or str
            Position of the row, or, in the ledger of one node, the name of its column.

        Returns
        -------
        str
            One line per figure: gain, charge for the cuts tried, split information and ratio, as far as the
            criterion has them.

        Examples
        --------
        >>> import treewright as tw
        >>> columns, target = tw.datasets.load("golf")
        >>> tree = tw.ID3Classifier(bins=2, keep_ledger=True).fit(columns, target)
        >>> print(tree.ledger_[0].formula("outlook"))
        Gain(outlook) = 0.9403 − 4/14 × 0 − 5/14 × 0.9710 − 5/14 × 0.9710 = 0.2467
        """
        position = self._position(at)
        row = self._row(position)
        if row.gain is None:
            raise ParameterError(
                f"column {row.column!r} has no question at node {row.node} ({row.reason}), so there is "
                "nothing to write out; choose a row with a gain."
            )
        arrays = self.arrays
        node = int(self._node_of_row[position])
        begin, end = arrays.branch_begin[position], arrays.branch_begin[position + 1]
        name = row.column
        if row.kind == "cut" and isinstance(row.question, Threshold):
            name = row.question.describe(self.schema).removesuffix(" or missing")
        return words.formula(
            name,
            self.rules,
            outcome=arrays.outcome[begin:end],
            weight=float(arrays.weight[node]),
            missing=float(arrays.missing[position]),
            missing_branch=int(arrays.missing_branch[position]),
            gain=row.gain,
            split=row.split_information,
            ratio=row.ratio,
            cost=row.cost,
            n_tries=row.n_tries,
        )

    def to_frame(self) -> Any:
        """Give all rows as a data frame of pandas, polars or Arrow, whichever is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        rows = list(self)
        return Grid(
            {
                "node": [row.node for row in rows],
                "column": [row.column for row in rows],
                "kind": [row.kind for row in rows],
                "question": [self._asked(row) for row in rows],
                "branches": [self._branches(row) for row in rows],
                "known": [row.known for row in rows],
                "gain": [row.gain for row in rows],
                "cost": [row.cost for row in rows],
                "n_tries": [row.n_tries for row in rows],
                "split_information": [row.split_information for row in rows],
                "ratio": [row.ratio for row in rows],
                "score": [row.score for row in rows],
                "rank": [row.rank for row in rows],
                "verdict": [row.verdict for row in rows],
                "reason": [row.reason for row in rows],
            }
        ).to_frame()

    def __str__(self) -> str:
        return "\n\n".join(
            [f"{head}\n{grid}" if len(grid) else head for head, grid in self._blocks()] + self._more()
        )

    def __repr__(self) -> str:
        return f"<Ledger: {len(self.nodes):,} nodes, {len(self):,} rows>"

    def _repr_html_(self) -> str:
        blocks = [
            f"<h4>{escape(head)}</h4>{grid.to_html() if len(grid) else ''}" for head, grid in self._blocks()
        ]
        return "".join(blocks + [f"<p>{escape(more)}</p>" for more in self._more()])

    # -- what is shown of it

    def _blocks(self) -> list[tuple[str, Grid]]:
        return [self._block(number) for number in self.nodes[: self._n_printed]]

    def _more(self) -> list[str]:
        left = len(self.nodes) - self._n_printed
        return [f"… {left:,} more node{'s' if left != 1 else ''}"] if left else []

    @cached_property
    def _n_printed(self) -> int:
        rows = np.cumsum(np.diff(self.arrays.row_begin)[list(self._shown)])
        return max(1, min(_MOST_NODES, int(np.searchsorted(rows, _MOST_ROWS, side="right"))))

    def _block(self, number: int) -> tuple[str, Grid]:
        one = self.node(number)
        weight = float(self.arrays.weight[one._shown[0]])
        head = f"node {number}, weight {words.spell_weight(weight)}: {self.why(number)}"
        rows = list(one)
        columns: dict[str, Sequence[Any]] = {
            "rank": [row.rank for row in rows],
            "column": [row.column for row in rows],
            "question": [self._short_question(row) for row in rows],
            "branches": [shortened(self._branches(row), _ROOM) for row in rows],
            "known": [row.known if row.known < 1 else None for row in rows],
            "gain": [row.gain for row in rows],
            "cost": [row.cost for row in rows],
            "split": [row.split_information for row in rows],
            "ratio": [row.ratio for row in rows],
            "reason": [row.reason for row in rows],
        }
        for name in ("known", "cost", "split", "ratio"):
            if all(value is None for value in columns[name]):
                del columns[name]
        formats: dict[str, Format] = {"known": ".3f", "gain": words.figure}
        for name in ("cost", "split", "ratio"):
            formats[name] = ".4f"
        return head, Grid(columns, formats)

    def _asked(self, row: LedgerRow) -> str:
        """Write what a row asks."""
        if row.question is None:
            return ""
        if row.kind == "categories" and len(row.branches) > 2:
            return f"{row.column}, each of {len(row.branches)}"
        return row.question.describe(self.schema).removesuffix(" or missing")

    def _short_question(self, row: LedgerRow) -> str:
        return shortened(self._asked(row).removeprefix(row.column).lstrip(", "), _ROOM)

    def _branches(self, row: LedgerRow) -> str:
        return ", ".join(f"{branch.condition}: {self._told(branch)}" for branch in row.branches)

    def _told(self, branch: LedgerBranch) -> str:
        if self.rules.criterion in OF_NUMBERS:
            return f"{words.spell_weight(branch.weight)} ({words.figure(branch.outcome[0])})"
        if len(branch.outcome) > 4:
            return words.spell_weight(branch.weight)
        return "/".join(words.spell_weight(each) for each in branch.outcome)

    # -- where it is found

    @cached_property
    def _shown(self) -> tuple[int, ...]:
        return tuple(range(self.arrays.n_nodes)) if self.shown is None else self.shown

    def _number(self, at: int) -> int:
        return at if self.numbers is None else self.numbers[at]

    @cached_property
    def _rows(self) -> NDArray[np.int64]:
        """Positions of the rows of the nodes shown."""
        begin = self.arrays.row_begin
        return np.concatenate([np.arange(begin[at], begin[at + 1]) for at in self._shown]).astype(np.int64)

    @cached_property
    def _node_of_row(self) -> NDArray[np.int64]:
        return self.arrays.node

    def _position(self, at: int | str) -> int:
        if not isinstance(at, str):
            return int(self._rows[at])
        names = self.schema.names
        if at not in names:
            raise ParameterError(
                f"column {at!r} is not in the table; it has {listed(names)}.{did_you_mean(at, names)}"
            )
        if len(self._shown) != 1:
            raise ParameterError(
                f"row {at!r} is in {len(self._shown)} nodes of this ledger; pick a node first: ledger[0]."
            )
        here = self._rows[self.arrays.column[self._rows] == names.index(at)]
        if not len(here):
            raise ParameterError(f"node {self.nodes[0]} was closed before its columns were looked into.")
        won = here[self._rank[here] > 0]
        return int(won[np.argmin(self._rank[won])] if len(won) else here[0])

    @cached_property
    def _score(self) -> NDArray[np.float64]:
        """What every row of the arrays competes on; NaN for those that do not."""
        rules, arrays = self.rules, self.arrays
        if rules.is_ratio:
            return arrays.worth
        return arrays.net_gain if rules.by == "gain" else arrays.gain

    @cached_property
    def _rank(self) -> NDArray[np.int64]:
        """Place of every row of the arrays in its node; 0: none."""
        arrays = self.arrays
        order_of = {"won": 0, "lower score": 1, "tied": 1, "other cut": 1, "below average": 2}
        tier = np.array([order_of.get(verdict, 9) for verdict in VERDICTS])[arrays.verdict]
        ranked = np.flatnonzero(tier < 9)
        node = self._node_of_row[ranked]
        order = ranked[np.lexsort((-self._score[ranked], tier[ranked], node))]
        first = np.searchsorted(self._node_of_row[order], self._node_of_row[order], side="left")
        rank = np.zeros(len(arrays), dtype=np.int64)
        rank[order] = np.arange(len(order)) - first + 1
        return rank

    def _row(self, position: int) -> LedgerRow:
        arrays, rules = self.arrays, self.rules
        node = int(self._node_of_row[position])
        weight, missing = float(arrays.weight[node]), float(arrays.missing[position])
        column = int(arrays.column[position])
        verdict = VERDICTS[arrays.verdict[position]]
        begin, end = int(arrays.branch_begin[position]), int(arrays.branch_begin[position + 1])
        outcome = arrays.outcome[begin:end]
        question = self._question(position, end - begin) if end > begin else None
        gain = _or_none(arrays.gain[position])
        is_quinlan = bool(len(arrays.net_gain))
        net = _or_none(arrays.net_gain[position]) if is_quinlan else gain
        is_number = not self.schema.columns[column].is_category
        cost = (
            gain - net if rules.charges_tries and is_number and gain is not None and net is not None else None
        )
        ratio = _or_none(arrays.worth[position]) if rules.is_ratio else None
        split = None
        if is_quinlan:
            split = _or_none(arrays.split_information[position])
            if rules.by == "gain":
                ratio = None
        elif ratio is not None:
            split = words.split_information(words.weights_of(outcome, rules))
        n_tries = int(arrays.n_tries[position]) if is_quinlan and is_number and gain is not None else None
        best = self._best_of_node(node)
        of_column = self._best_of_column(node, column)
        return LedgerRow(
            node=self._number(node),
            column=self.schema.names[column],
            question=question,
            branches=tuple(
                LedgerBranch(self._condition(question, branch, missing > 0), *self._weighed(outcome[branch]))
                for branch in range(end - begin)
            )
            if question is not None
            else (),
            known=1.0 - missing / weight if weight else 1.0,
            gain=gain,
            cost=cost,
            n_tries=n_tries,
            split_information=split,
            ratio=None if ratio == NO_RATIO and is_quinlan else ratio,
            score=_or_none(self._score[position]),
            rank=int(self._rank[position]) or None,
            verdict=verdict,
            reason=words.reason(
                verdict,
                words.Case(
                    rules=rules,
                    score=_or_none(self._score[position]),
                    net_gain=net,
                    cost=cost,
                    n_tries=n_tries,
                    average=float(arrays.average[node]),
                    winner=None if best is None else self.schema.names[arrays.column[best]],
                    winner_score=None if best is None else float(self._score[best]),
                    best_cut=None if of_column is None else self._text_of(of_column),
                    best_score=None if of_column is None else float(self._score[of_column]),
                    stop=STOPS[arrays.stop[node]],
                    is_whole=bool(round(weight) == weight and (outcome == np.round(outcome)).all()),
                ),
            ),
        )

    def _best_of_node(self, node: int) -> int | None:
        rows = np.arange(self.arrays.row_begin[node], self.arrays.row_begin[node + 1])
        won = rows[self.arrays.verdict[rows] == 0]
        return int(won[0]) if len(won) else None

    def _best_of_column(self, node: int, column: int) -> int | None:
        rows = np.arange(self.arrays.row_begin[node], self.arrays.row_begin[node + 1])
        rows = rows[(self.arrays.column[rows] == column) & (self._rank[rows] > 0)]
        rows = rows[self.arrays.verdict[rows] != VERDICTS.index("other cut")]
        return int(rows[np.argmin(self._rank[rows])]) if len(rows) else None

    def _text_of(self, position: int) -> str:
        begin, end = self.arrays.branch_begin[position], self.arrays.branch_begin[position + 1]
        return self._question(position, int(end - begin)).describe(self.schema).removesuffix(" or missing")

    def _question(self, position: int, n_branches: int) -> Question:
        arrays = self.arrays
        column = int(arrays.column[position])
        missing = int(arrays.missing_branch[position])
        begin, end = arrays.set_begin[position], arrays.set_begin[position + 1]
        if begin < end:
            codes = branches_of(arrays.set_code[begin:end], arrays.set_branch[begin:end], n_branches)
            return Branches(column, codes, missing)
        cut: float | int = float(arrays.cut[position])
        if column in self.integer_columns and math.isfinite(cut):
            cut = int(arrays.cut_integer[position])
        return Threshold(column, cut, missing)

    def _condition(self, question: Question | None, branch: int, has_missing: bool) -> str:
        assert question is not None, "branches have a question"
        name = self.schema.columns[question.column].name
        text = question.describe(self.schema, branch).removeprefix(f"{name} ").removesuffix(" or missing")
        text = text.removeprefix("= ").removeprefix("is ")
        joined = has_missing and branch == question.missing_branch and text != "missing"
        return f"{text} or missing" if joined else text

    def _weighed(self, outcome: NDArray[np.float64]) -> tuple[float, tuple[float, ...]]:
        if self.rules.criterion in OF_NUMBERS:
            return float(outcome[0]), (float(outcome[1]),)
        return float(outcome.sum()), tuple(outcome.tolist())


def _or_none(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)
