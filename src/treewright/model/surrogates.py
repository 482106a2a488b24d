"""The surrogates of a tree as flat, read-only arrays, one entry per surrogate."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.questions import Branches, Question, Surrogate, Threshold


@dataclass(frozen=True, eq=False)
class SurrogateArrays:
    """What the nodes of a tree ask rows that have no value for the node's own question.

    Parameters
    ----------
    begin : array of int32
        The surrogates of node i are those from ``begin[i]`` to ``begin[i + 1]``, the best first.
    column, cut, cut_integer, set_begin, set_code, set_branch : arrays
        What each asks, as in `Tree`.
    low_branch : array of int32
        Branch of the node for values at or below the cut.
    agree, adjusted, n_placed : arrays
        See `treewright.model.questions.Surrogate`.
    """

    begin: NDArray[np.int32]
    column: NDArray[np.int32]
    cut: NDArray[np.float64]
    cut_integer: NDArray[np.int64]
    set_begin: NDArray[np.int32]
    set_code: NDArray[np.int32]
    set_branch: NDArray[np.int32]
    low_branch: NDArray[np.int32]
    agree: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    n_placed: NDArray[np.int64]

    def __post_init__(self) -> None:
        for name in ARRAYS:
            getattr(self, name).flags.writeable = False

    def __reduce__(self) -> tuple[type["SurrogateArrays"], tuple[Any, ...]]:
        return SurrogateArrays, tuple(getattr(self, name) for name in ARRAYS)

    def __eq__(self, other: object) -> bool:
        """Compare bit for bit."""
        if not isinstance(other, SurrogateArrays):
            return NotImplemented
        return all(getattr(self, name).tobytes() == getattr(other, name).tobytes() for name in ARRAYS)

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    def __len__(self) -> int:
        return len(self.column)

    @classmethod
    def none(cls, n_nodes: int) -> "SurrogateArrays":
        """Give none to any of `n_nodes` nodes."""
        of: dict[str, Any] = {name: np.zeros(0, dtype=_DTYPES.get(name, np.int32)) for name in ARRAYS}
        of["begin"] = np.zeros(n_nodes + 1, dtype=np.int32)
        of["set_begin"] = np.zeros(1, dtype=np.int32)
        return cls(**of)

    def of(self, node: int, integer_columns: Sequence[int] = ()) -> tuple[Surrogate, ...]:
        """Give those of a node, the best first."""
        return tuple(
            Surrogate(
                self._question(at, integer_columns),
                is_reversed=bool(self.low_branch[at]),
                agree=float(self.agree[at]),
                adjusted=float(self.adjusted[at]),
                n_placed=int(self.n_placed[at]),
            )
            for at in range(self.begin[node], self.begin[node + 1])
        )

    def of_nodes(self, nodes: NDArray[Any], has_any: NDArray[np.bool_]) -> "SurrogateArrays":
        """Keep those of some nodes, which get numbers 0, 1, ... in a new tree; of leaves there are none."""
        if not len(self):
            return SurrogateArrays.none(len(nodes))
        counts = np.where(has_any, np.diff(self.begin)[nodes], 0)
        kept = runs(self.begin[nodes], counts)
        sizes = np.diff(self.set_begin)[kept]
        in_kept = runs(self.set_begin[kept], sizes)
        return SurrogateArrays(
            begin=_begins(counts),
            set_begin=_begins(sizes),
            set_code=self.set_code[in_kept],
            set_branch=self.set_branch[in_kept],
            **{name: getattr(self, name)[kept] for name in _PER_SURROGATE},
        )

    def _question(self, at: int, integer_columns: Sequence[int]) -> Question:
        column = int(self.column[at])
        begin, end = self.set_begin[at], self.set_begin[at + 1]
        if begin < end:
            codes = branches_of(self.set_code[begin:end], self.set_branch[begin:end], 2)
            return Branches(column, codes, missing_branch=-1)
        cut = int(self.cut_integer[at]) if column in integer_columns else float(self.cut[at])
        return Threshold(column, cut, missing_branch=-1)


ARRAYS = tuple(each.name for each in fields(SurrogateArrays))
_DTYPES = {
    "cut": np.float64,
    "cut_integer": np.int64,
    "agree": np.float64,
    "adjusted": np.float64,
    "n_placed": np.int64,
}
_PER_SURROGATE = ("column", "cut", "cut_integer", "low_branch", "agree", "adjusted", "n_placed")


def branches_of(
    codes: NDArray[np.int32], branches: NDArray[np.int32], n_branches: int
) -> tuple[tuple[int, ...], ...]:
    """List the codes of each branch, in rising order.

    Examples
    --------
    >>> branches_of(np.array([0, 3, 7], dtype=np.int32), np.array([1, 0, 1], dtype=np.int32), 3)
    ((3,), (0, 7), ())
    """
    order = np.argsort(branches, kind="stable")
    ends = np.searchsorted(branches[order], np.arange(n_branches + 1))
    by_branch = codes[order].tolist()
    return tuple(tuple(by_branch[a:b]) for a, b in itertools.pairwise(ends))


def runs(begins: NDArray[Any], sizes: NDArray[Any]) -> NDArray[Any]:
    """List the positions of runs, one run after the other.

    Examples
    --------
    >>> runs(np.array([7, 2]), np.array([2, 3]))
    array([7, 8, 2, 3, 4])
    """
    before = np.cumsum(sizes) - sizes
    return np.repeat(begins - before, sizes) + np.arange(int(sizes.sum()))


def _begins(counts: NDArray[Any]) -> NDArray[np.int32]:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
