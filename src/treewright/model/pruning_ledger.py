"""The pruning ledger: what a pruning rule compared at each node, in order, and what it decided."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from html import escape
from typing import Any

from treewright.errors import ParameterError
from treewright.formatting import format_percent, format_score, format_weight
from treewright.grid import Format, Grid, shortened
from treewright.model.ledger_rows import condition_of
from treewright.model.pruning_rows import PruningRow, Whole, formula_of, verdict_of
from treewright.model.questions import Threshold
from treewright.model.tree import Tree
from treewright.parts.pruners import CostComplexity, ErrorBased, PrePruning, Pruner, ReducedError
from treewright.schema import Schema
from treewright.wording import Language, said

_MOST_ROWS = 60  # printed at most
_ROOM = 30  # characters for a question
_TITLES = {
    "cost-complexity": "cost-complexity pruning: the price g(t) of a leaf",
    "error-based": "error-based pruning: errors to expect",
    "reduced-error": "reduced-error pruning",
    "pre-pruning": "pre-pruning",
    "pessimistic": "pessimistic pruning: errors, half an error for each leaf",
    "minimum-error": "minimum-error pruning: errors to expect",
}


@dataclass(frozen=True, eq=False, repr=False)
class PruningLedger:
    """What a pruning rule compared at each node, in order: a row for each comparison.

    It prints as a table; `formula` writes out the arithmetic of a row.

    Parameters
    ----------
    schema : Schema
        Names of columns and categories.
    tree : Tree
        The tree as it was grown, whose nodes are compared.
    pruner : Pruner
        The rule and its settings.
    rows : tuple of PruningRow
        The comparisons.
    total : float
        Weight of the rows that the figures are about: the rows of the tree, or those held out.
    lang : {"en", "zh"}
        Language in which it prints.

    See Also
    --------
    treewright.audit_pruning : Makes it.

    Examples
    --------
    >>> import treewright as tw
    >>> tree = tw.C45Classifier(pruning=False).fit(*tw.datasets.load("golf"))
    >>> ledger = tw.audit_pruning(tree, method="pessimistic")
    >>> print(ledger)
    pessimistic pruning: errors, half an error for each leaf
    step  node  asks            weight  leaves    leaf  subtree  result
       1     0  outlook             14       5  5.5000   3.9330  stays
       2     2  windy = false        5       2  2.5000   1.8944  stays
       3     5  humidity <= 75       5       2  2.5000   1.8944  stays
    >>> print(ledger.formula(0))
    leaf: 5 + 1/2 = 5.5000
    subtree: E = 0 + 5/2 = 2.5000; E + √(2.5000 × (14 − 2.5000) / 14) = 3.9330
    5.5000 > 3.9330: stays
    """

    schema: Schema
    tree: Tree
    pruner: Pruner
    rows: tuple[PruningRow, ...]
    total: float
    lang: Language = "en"

    @property
    def method(self) -> str:
        """The word of the rule, as for `prune`."""
        return self.pruner.word or ""

    @property
    def counts_errors(self) -> bool:
        """Whether the cost of held-out rows is the number of errors."""
        return self.tree.is_classifier and self.tree.loss is None

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[PruningRow]:
        return iter(self.rows)

    def __getitem__(self, at: int) -> PruningRow:
        return self.rows[at]

    def formula(self, at: int | PruningRow) -> str:
        """Write out the arithmetic of a comparison, as a textbook would.

        Parameters
        ----------
        at : int or PruningRow
            Number of the node, or one of the rows. If a node was compared several times, because branches
            above it were raised, the last comparison.

        Returns
        -------
        str
            A line for each side of the comparison, and the result.
        """
        row = at if isinstance(at, PruningRow) else self._row_of(at)
        of_classes = self.tree.is_classifier
        whole = Whole(
            weight=self.total,
            prior=float(self.tree.shares[0, self.tree.answer[row.node]]) if of_classes else 1.0,
            n_classes=self.tree.outcome.shape[1],
            counts_errors=self.counts_errors,
        )
        return formula_of(self.pruner, row, whole, self._said)

    def asks(self, node: int) -> str:
        """Write what a node splits on.

        Parameters
        ----------
        node : int
            Number of an inner node of the grown tree.

        Returns
        -------
        str
            The condition of its first branch; the name of the column if there are more than two.
        """
        question = self.tree.inner_question(node)
        name = self.schema.columns[question.column].name
        if not isinstance(question, Threshold) and len(self.tree.children(node)) > 2:
            return name
        return f"{name} {condition_of(question, self.schema, lang=self.lang)}"

    def to_frame(self) -> Any:
        """Return all rows as a data frame of pandas, polars or Arrow, whichever is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row for each comparison.
        """
        columns = {each.name: [getattr(row, each.name) for row in self.rows] for each in fields(PruningRow)}
        for name in ("terms", "branch_terms"):
            columns[name] = [list(getattr(row, name)) for row in self.rows]
        columns["asks"] = [self.asks(row.node) for row in self.rows]
        return Grid(columns).to_frame()

    def __str__(self) -> str:
        return "\n".join([self._title(), *([self._grid().to_text(_MOST_ROWS)] if self.rows else ())])

    def __repr__(self) -> str:
        return f"<PruningLedger: {self.method}, {len(self):,} rows>"

    def _repr_html_(self) -> str:
        table = self._grid().to_html(_MOST_ROWS) if self.rows else ""
        return f"<h4>{escape(self._title())}</h4>{table}"

    # -- printing

    def _said(self, text: str, **figures: object) -> str:
        return said(self.lang, text, **figures)

    @property
    def _is_by_held_out_rows(self) -> bool:
        return isinstance(self.pruner, PrePruning | ReducedError)

    def _title(self) -> str:
        title = self._said(_TITLES[self.method])
        if not self.rows:
            return f"{title}: {self._said('the tree is a leaf')}"
        if not self._is_by_held_out_rows:
            return title
        measure = "accuracy on held-out rows" if self.counts_errors else "mean cost on held-out rows"
        return f"{title}: {self._said(measure)}"

    def _figure(self, value: float) -> str:
        """Write one side of a comparison; the cost on held-out rows as the accuracy of the whole tree."""
        if not self._is_by_held_out_rows:
            return format_score(value)
        share = value / self.total
        return format_percent(1 - share, decimals=1) if self.counts_errors else format_score(share)

    def _grid(self) -> Grid:
        """Make the table of all rows, with the columns of the rule."""
        match self.pruner:
            case CostComplexity():
                figures = {"R(t)": "as_leaf", "R(T)": "as_subtree", "g(t)": "price", "cut at": "cut_at"}
            case ErrorBased():
                figures = {"leaf": "as_leaf", "subtree": "as_subtree", "branch": "as_branch"}
            case PrePruning():
                figures = {"before": "as_leaf", "after": "as_subtree"}
            case _:
                figures = {"leaf": "as_leaf", "subtree": "as_subtree"}
        by_price = isinstance(self.pruner, CostComplexity)
        columns: dict[str, list[Any]] = {
            "cut" if by_price else "step": [row.step for row in self.rows],
            "node": [row.node for row in self.rows],
            "asks": [shortened(self.asks(row.node), _ROOM) for row in self.rows],
            "weight": [row.weight for row in self.rows],
            "leaves": [row.n_leaves for row in self.rows],
        }
        columns |= {name: [getattr(row, key) for row in self.rows] for name, key in figures.items()}
        columns["result"] = [verdict_of(self.pruner, row, self._said) for row in self.rows]
        formats: dict[str, Format] = dict.fromkeys(figures, self._figure)
        formats["weight"] = format_weight
        headings = {name: name if "(" in name else self._said(name) for name in columns}
        return Grid(
            {headings[name]: values for name, values in columns.items()},
            {headings[name]: form for name, form in formats.items()},
        )

    def _row_of(self, node: int) -> PruningRow:
        found = [row for row in self.rows if row.node == node]
        if not found:
            there = ", ".join(map(str, sorted({row.node for row in self.rows}))) or "none"
            raise ParameterError(f"node {node} is not in this ledger; it has {there}.")
        return found[-1]
