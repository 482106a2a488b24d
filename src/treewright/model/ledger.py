"""The ledger: the candidates that were compared at each node, with every figure and why one won."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from treewright.errors import ParameterError, did_you_mean, listed
from treewright.formatting import format_score, format_weight
from treewright.grid import Format, Grid, shortened, text_width
from treewright.model.ledger_arrays import STOPS, WHY_LEAF, LedgerArrays, LedgerRules
from treewright.model.ledger_rows import LedgerBranch, LedgerRow, LedgerRows, condition_of
from treewright.model.questions import ROOM
from treewright.model.records import Float64, Int64
from treewright.schema import Schema
from treewright.wording import Language, as_language, counted, said

_MOST_NODES, _MOST_ROWS = 12, 60  # printed at most
_ROOM = 44  # characters of a cell, at most


@dataclass(frozen=True, eq=False, repr=False)
class Ledger:
    """The candidates that were compared at each node: a row for each column.

    It prints as one table per node; `node` or an index picks one node. Branches show the weight of each
    class, in the order of ``classes_``, or the weight and the mean.

    Parameters
    ----------
    schema : Schema
        Names of columns, categories and classes.
    arrays : LedgerArrays
        The figures.
    integer_columns : tuple of int
        Columns compared as int64.
    numbers : tuple of int, optional
        Numbers of the nodes in the tree; by default all nodes of the tree.
    shown : tuple of int, optional
        Positions of the nodes that this ledger covers; by default all of them.
    lang : {"en", "zh"}
        Language of its tables, reasons and formulas; names and categories are not translated.
    every_cut : bool
        Whether it lists every cut of one node; then the impurity that each leaves is printed too.
    squares : array of float64, optional
        Sum of squared distances from the mean in each branch of that node's candidates.

    See Also
    --------
    treewright.audit : Score the candidates of one node again, from the data.

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
    lang: Language = "en"
    every_cut: bool = False
    squares: Float64 | None = None

    @property
    def rules(self) -> LedgerRules:
        """How columns were compared."""
        return self.arrays.rules

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        """Numbers of the nodes that this ledger covers, including those without rows."""
        return tuple(self._all.number(at) for at in self._shown)

    def node(self, number: int) -> "Ledger":
        """Return the ledger of one node.

        Parameters
        ----------
        number : int
            Number of the node.

        Returns
        -------
        Ledger
            The ledger of this node alone.

        Raises
        ------
        IndexError
            If the ledger has no such node.
        """
        place = self._places.get(number)
        if place is None:
            numbers = self.nodes
            some = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
            raise IndexError(f"node {number} is not in this ledger; it has {some}.")
        one = replace(self, shown=(place,))
        vars(one)["_all"] = self._all  # shared, so that the ranks are computed only once
        return one

    __getitem__ = node

    def in_language(self, lang: Language) -> "Ledger":
        """Return the same ledger in another language.

        Parameters
        ----------
        lang : {"en", "zh"}
            The language.

        Returns
        -------
        Ledger
            The ledger of the same nodes.

        Examples
        --------
        >>> import treewright as tw
        >>> tree = tw.ID3Classifier(keep_ledger=True).fit(*tw.datasets.load("loan_lihang"))
        >>> tree.ledger_.in_language("zh").why(1)
        '按 有工作 = 否 划分'
        """
        return replace(self, lang=as_language(lang))

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[LedgerRow]:
        return (self.row(at) for at in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Compare bit for bit."""
        if not isinstance(other, Ledger):
            return NotImplemented
        return self.schema == other.schema and self.nodes == other.nodes and self.arrays == other.arrays

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash

    def row(self, at: int | str) -> LedgerRow:
        """Return one row.

        Parameters
        ----------
        at : int or str
            Position of the row or, in the ledger of one node, the name of its column.

        Returns
        -------
        LedgerRow
            The candidate of one column at one node.
        """
        return self._all.row(self._position(at))

    @property
    def winner(self) -> LedgerRow | None:
        """The row that won, in the ledger of one node; None if no column has a split."""
        return next((row for row in self if row.verdict == "won"), None)

    def why(self, number: int) -> str:
        """Say what a node splits on, or why it is a leaf.

        Parameters
        ----------
        number : int
            Number of the node.

        Returns
        -------
        str
            One sentence, without a full stop.
        """
        one = self.node(number)
        stop, winner = STOPS[self.arrays.stop[one._shown[0]]], one.winner
        question = "" if winner is None else self._asked(winner)
        if stop == "asks" and question:
            return said(self.lang, "asks {split}", split=question)
        text = "a leaf: {why}; it would have asked {split}" if question else "a leaf: {why}"
        return said(self.lang, text, why=said(self.lang, WHY_LEAF[stop]), split=question)

    def formula(self, at: int | str | LedgerRow) -> str:
        """Write out the arithmetic of a row, as a textbook would.

        Parameters
        ----------
        at : int, str or LedgerRow
            Position of the row, or, in the ledger of one node, the name of its column; or the row itself.

        Returns
        -------
        str
            A line for each figure of the criterion: the impurity left (if every cut is listed), gain, charge
            for the cuts tried, split information, ratio.

        Examples
        --------
        >>> import treewright as tw
        >>> columns, target = tw.datasets.load("golf")
        >>> tree = tw.ID3Classifier(bins=2, keep_ledger=True).fit(columns, target)
        >>> print(tree.ledger_[0].formula("outlook"))
        Gain(outlook) = 0.9403 − 4/14 × 0 − 5/14 × 0.9710 − 5/14 × 0.9710 = 0.2467
        """
        return self._all.formula(self._position(at))

    def to_frame(self) -> Any:
        """Return all rows as a data frame of pandas, polars or Arrow, whichever is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row for each candidate.
        """
        rows, names = list(self), [each.name for each in fields(LedgerRow)]
        names.insert(names.index("question"), "kind")
        columns = {name: [getattr(row, name) for row in rows] for name in names}
        columns["question"] = [self._asked(row, None) for row in rows]
        columns["branches"] = [self._branches(row) for row in rows]
        return Grid(columns).to_frame()

    def __str__(self) -> str:
        blocks, more = self._printed()
        return "\n\n".join([f"{head}\n{grid}" if len(grid) else head for head, grid in blocks] + more)

    def __repr__(self) -> str:
        return f"<Ledger: {len(self.nodes):,} nodes, {len(self):,} rows>"

    def _repr_html_(self) -> str:
        blocks, more = self._printed()
        texts = [f"<h4>{escape(head)}</h4>{grid.to_html() if len(grid) else ''}" for head, grid in blocks]
        return "".join(texts + [f"<p>{escape(line)}</p>" for line in more])

    # -- printing

    def _printed(self) -> tuple[list[tuple[str, Grid]], list[str]]:
        """Return the heading and the table of each node to print, and a line that counts the other nodes."""
        rows = np.cumsum(np.diff(self.arrays.row_begin)[list(self._shown)])
        n = max(1, min(_MOST_NODES, int(np.searchsorted(rows, _MOST_ROWS, side="right"))))
        blocks = []
        for number, at in list(self._places.items())[:n]:
            weight = format_weight(float(self.arrays.weight[at]))
            about = {"node": number, "weight": weight, "why": self.why(number)}
            head = said(self.lang, "node {node}, weight {weight}: {why}", **about)
            blocks.append((head, self.node(number)._table()))
        left = len(self.nodes) - n
        more = said(self.lang, "… {nodes}", nodes=counted(self.lang, left, "more node"))
        return blocks, [more] if left > 0 else []

    def _table(self) -> Grid:
        """Make the table of all rows; columns without a figure are left out."""
        rows, left = list(self), self._all.left_name
        columns: dict[str, list[Any]] = {
            "rank": [row.rank for row in rows],
            "column": [row.column for row in rows],
            "question": [self._question_cell(row) for row in rows],
            "branches": [self._branches_cell(row) for row in rows],
            "known": [row.known if row.known < 1 else None for row in rows],
            left: self._left(rows),
            "gain": [row.gain for row in rows],
            "cost": [row.cost for row in rows],
            "split": [row.split_information for row in rows],
            "ratio": [row.ratio for row in rows],
            "reason": [row.reason for row in rows],
        }
        for name in ("known", left, "cost", "split", "ratio"):
            if all(value is None for value in columns[name]):
                del columns[name]
        formats: dict[str, Format] = dict.fromkeys(("cost", "split", "ratio"), ".4f")
        formats |= {"known": ".3f", left: format_score, "gain": format_score}
        return Grid(
            {said(self.lang, name): values for name, values in columns.items()},
            {said(self.lang, name): form for name, form in formats.items()},
        )

    def _left(self, rows: list[LedgerRow]) -> list[float | None]:
        """Return the impurity left as it is printed; for numbers, the sum of squares."""
        if not self.every_cut:
            return [None] * len(rows)
        return [None if row.impurity is None else row.impurity * self._parts(row) for row in rows]

    def _parts(self, row: LedgerRow) -> float:
        """Return the factor by which the impurity left is multiplied when printed."""
        return sum(branch.weight for branch in row.branches) if self.rules.is_of_numbers else 1.0

    def _question_cell(self, row: LedgerRow) -> str:
        """Write the split of a row in the room of a cell; a list that is folded says how many are left."""
        texts = (self._condition(row, room) for room in (ROOM, ROOM // 2, 1))
        return shortened(
            next((text for text in texts if text_width(text) <= _ROOM), self._condition(row)), _ROOM
        )

    def _branches_cell(self, row: LedgerRow) -> str:
        """Write the branches of a row in the room of a cell; of two there are their rows at least."""
        text = self._branches(row)
        if text_width(text) > _ROOM and len(row.branches) == 2:
            text = ", ".join(map(self._found, row.branches))
        return shortened(text, _ROOM)

    def _asked(self, row: LedgerRow, room: int | None = ROOM) -> str:
        """Write the split of a row, or nothing where it has none."""
        mark = "," if row.is_of_each else ""
        return "" if row.question is None else f"{row.column}{mark} {self._condition(row, room)}"

    def _condition(self, row: LedgerRow, room: int | None = ROOM) -> str:
        """Write the split of a row, without the name of its column."""
        if row.question is None:
            return ""
        if row.is_of_each:
            return said(self.lang, "each of {n}", n=len(row.branches))
        return condition_of(row.question, self.schema, lang=self.lang, room=room)

    def _branches(self, row: LedgerRow) -> str:
        return ", ".join(f"{each.condition}: {self._found(each)}" for each in row.branches)

    def _found(self, branch: LedgerBranch) -> str:
        """Write what is in a branch: rows by class, or their number and mean."""
        if self.rules.is_of_numbers:
            return f"{format_weight(branch.weight)} ({format_score(branch.outcome[0])})"
        if len(branch.outcome) > 4:
            return format_weight(branch.weight)
        return "/".join(map(format_weight, branch.outcome))

    # -- finding rows

    @cached_property
    def _shown(self) -> tuple[int, ...]:
        return tuple(range(self.arrays.n_nodes)) if self.shown is None else self.shown

    @cached_property
    def _places(self) -> dict[int, int]:
        """Positions of the nodes in the arrays, by their numbers."""
        return dict(zip(self.nodes, self._shown, strict=True))

    @cached_property
    def _all(self) -> LedgerRows:
        """All rows of the arrays, including those of other nodes."""
        about = self.schema, self.arrays, self.integer_columns, self.numbers
        return LedgerRows(*about, self.lang, self.every_cut, self.squares)

    @cached_property
    def _rows(self) -> Int64:
        """Positions of the rows of the nodes shown."""
        begin = self.arrays.row_begin
        return np.concatenate([np.arange(begin[at], begin[at + 1]) for at in self._shown]).astype(np.int64)

    def _position(self, at: int | str | LedgerRow) -> int:
        names = self.schema.names
        if isinstance(at, LedgerRow):
            return self._position_of(at)
        if not isinstance(at, str):
            return int(self._rows[at])
        if at not in names:
            hint = did_you_mean(at, names)
            raise ParameterError(f"column {at!r} is not in the table; it has {listed(names)}.{hint}")
        if (n := len(self._shown)) != 1:
            raise ParameterError(f"row {at!r} is in {n} nodes of this ledger; pick a node first: ledger[0].")
        here = self._rows[self.arrays.column[self._rows] == names.index(at)]
        if not len(here):
            raise ParameterError(f"node {self.nodes[0]} became a leaf before its columns were searched.")
        best = self._all.best(self._shown[0], names.index(at))
        return int(here[0]) if best is None else best

    def _position_of(self, row: LedgerRow) -> int:
        rows = self.node(row.node)._rows if row.node in self._places else self._rows[:0]
        for position in rows.tolist():
            name = self.schema.names[self.arrays.column[position]]
            if name == row.column and self._all.question(position) == row.question:
                return int(position)
        what = f"the row of column {row.column!r} at node {row.node} is not in this ledger"
        raise ParameterError(f"{what}; give one of its rows, a position or the name of a column.")
