"""The surrogates of a tree as read-only arrays, an entry for each surrogate."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from treewright.model.questions import QuestionArrays, Surrogate
from treewright.model.records import Array, Bool, Float64, Int32, Int64, Per, read_only


@dataclass(frozen=True, eq=False, repr=False)
class SurrogateArrays(QuestionArrays):
    """The questions that nodes ask about rows whose value in the node's own column is missing.

    Parameters
    ----------
    begin : array of int32
        The surrogates of node i are those from ``begin[i]`` to ``begin[i + 1]``, the best first.
    column, cut, cut_integer, set_begin, set_code, set_branch : arrays
        Their questions, as in `treewright.model.tree.Tree`.
    low_branch : array of int32
        Branch of the node for values up to the cut.
    agree, adjusted, n_placed : arrays
        See `treewright.model.questions.Surrogate`.
    """

    begin: Annotated[Int32, Per("node", runs_of="surrogate")]
    column: Annotated[Int32, Per("surrogate", indexes="column", least=0)]
    cut: Annotated[Float64, Per("surrogate", nullable=True, may_be_infinite=True)]
    cut_integer: Annotated[Int64, Per("surrogate")]
    set_begin: Annotated[Int32, Per("surrogate", runs_of="set")]
    set_code: Annotated[Int32, Per("set")]
    set_branch: Annotated[Int32, Per("set")]
    low_branch: Annotated[Int32, Per("surrogate", least=0, most=1)]
    agree: Annotated[Float64, Per("surrogate")]
    adjusted: Annotated[Float64, Per("surrogate")]
    n_placed: Annotated[Int64, Per("surrogate", least=0)]

    def __len__(self) -> int:
        return len(self.column)

    def __repr__(self) -> str:
        return f"<SurrogateArrays: {len(self):,} surrogates of {len(self.begin) - 1:,} nodes>"

    @classmethod
    def none(cls, n_nodes: int) -> "SurrogateArrays":
        """Make the arrays for a tree of `n_nodes` nodes without surrogates."""
        none = object.__new__(cls)
        none.__dict__.update(_no_surrogates(), begin=read_only(np.zeros(n_nodes + 1, dtype=np.int32)))
        return none

    def of(self, node: int, integer_columns: Sequence[int] = ()) -> tuple[Surrogate, ...]:
        """List the surrogates of a node, the best first."""
        return tuple(
            Surrogate(
                self.question_at(at, 2, -1, integer_columns),
                is_reversed=bool(self.low_branch[at] and self.set_begin[at] == self.set_begin[at + 1]),
                agree=float(self.agree[at]),
                adjusted=float(self.adjusted[at]),
                n_placed=int(self.n_placed[at]),
            )
            for at in range(self.begin[node], self.begin[node + 1])
        )

    def of_nodes(self, nodes: Array, inner: Bool) -> "SurrogateArrays":
        """Keep the surrogates of some nodes, renumbered 0, 1, ... in a new tree; leaves have none."""
        if not len(self):
            return SurrogateArrays.none(len(nodes))
        return SurrogateArrays(**self.selected("node", nodes, inner))


@cache
def _no_surrogates() -> dict[str, Array]:
    """Return the empty arrays that all trees without surrogates share, which keeps small fits fast."""
    return {name: read_only(values) for name, values in SurrogateArrays.zeros({}).items()}
