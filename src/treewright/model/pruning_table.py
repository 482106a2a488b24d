"""The pruning table: nested trees, and the risk of each on training rows and on held-out rows."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from treewright.grid import Grid
from treewright.model.records import ArrayRecord, Float64, Int64, Per

_ROWS_SHOWN = 40
_TITLES = {
    "complexity": "complexity",
    "n_leaves": "leaves",
    "relative_error": "relative error",
    "cv_error": "cross-validated",
    "cv_std": "standard error",
}


@dataclass(frozen=True, eq=False, repr=False)
class PruningTable(ArrayRecord):
    """The nested trees of cost-complexity pruning, from the root alone to the largest one.

    It prints as a table; `to_frame` gives a data frame.

    Parameters
    ----------
    complexity : array of float64
        Least price of a leaf at which each tree is the best one, as a fraction of the root's risk, in
        descending order. rpart calls it cp.
    n_leaves : array of int64
        Leaves of each tree.
    relative_error : array of float64
        Risk of each tree on the rows it was grown on, as a fraction of the root's.
    cv_error : array of float64
        Risk on held-out rows, as a fraction of the root's; NaN if no rows could be held out.
    cv_std : array of float64
        Standard error of `cv_error`.
    root_risk : float
        Risk of the root, the unit of all others.
    chosen : int
        Row of the chosen tree.

    See Also
    --------
    treewright.CARTClassifier : Has it as ``pruning_table_``, and draws it with `plot_pruning`.

    Examples
    --------
    >>> from treewright import CARTClassifier, datasets
    >>> tree = CARTClassifier(cv=5).fit(*datasets.load("golf"))
    >>> int(tree.pruning_table_.n_leaves[0])
    1
    """

    complexity: Annotated[Float64, Per("tree", nullable=True, may_be_infinite=True)]
    n_leaves: Annotated[Int64, Per("tree", least=1)]
    relative_error: Annotated[Float64, Per("tree", nullable=True, may_be_infinite=True)]
    cv_error: Annotated[Float64, Per("tree", nullable=True, may_be_infinite=True)]
    cv_std: Annotated[Float64, Per("tree", nullable=True, may_be_infinite=True)]
    root_risk: float
    chosen: int

    def __len__(self) -> int:
        return len(self.complexity)

    def __str__(self) -> str:
        text = self._grid().to_text(max_rows=_ROWS_SHOWN)
        chosen = f"chosen: the one of {self.n_leaves[self.chosen]:,} leaves (row {self.chosen})"
        return text if len(self) <= _ROWS_SHOWN else f"{text}\n{len(self):,} trees, {chosen}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self._grid().to_html(max_rows=_ROWS_SHOWN)

    @property
    def alpha(self) -> Float64:
        """`complexity` in units of risk, as for `ccp_alpha`."""
        return self.complexity * self.root_risk

    @property
    def within_one_se(self) -> float:
        """The least cross-validated error plus its standard error: the limit of the 1-SE rule."""
        best = int(np.nanargmin(self.cv_error))
        return float(self.cv_error[best] + self.cv_std[best])

    def to_frame(self) -> Any:
        """Return the table as a data frame of pandas, polars or Arrow, whichever is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row for each tree.
        """
        return Grid(self._columns()).to_frame()

    def _columns(self) -> dict[str, Any]:
        return {title: getattr(self, name).tolist() for name, title in _TITLES.items()}

    def _grid(self) -> Grid:
        columns = self._columns()
        columns[""] = ["← chosen" if row == self.chosen else "" for row in range(len(self))]
        digits = {title: ".4f" for name, title in _TITLES.items() if "error" in name or name == "cv_std"}
        return Grid(columns, {"complexity": ".6f", **digits})
