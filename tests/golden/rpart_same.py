"""Say whether two questions, two lists of surrogates are the same, up to what rpart leaves open."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from golden.rpart_stored import Asked, Data, StoredNode
from oracle.naive_surrogates import Rows, Surrogate

CLOSE = 1e-9  # relative; rpart's figures are stored to ten digits


def surrogates_of_stored(node: StoredNode) -> list[Surrogate]:
    """Read the surrogates of a stored node; their branches become those of its question."""
    found = []
    for asked in node.surrogates:
        is_reversed = asked.left_branch != node.primary.left_branch
        sides = asked.side_of and tuple(sorted((k, side ^ is_reversed) for k, side in asked.side_of.items()))
        found.append(
            Surrogate(
                asked.column,
                asked.stored["agree"],
                asked.stored["adj"],
                asked.cut,
                is_reversed and asked.side_of is None,
                sides,
                asked.stored["count"],
            )
        )
    return found


def same_cut(data: Data, column: int, ours: float, theirs: float) -> bool:
    """Compare cuts; of an ordered factor only the levels below are stored."""
    if data.levels[column] is not None:
        return math.floor(ours) == math.floor(theirs)
    return math.isclose(ours, theirs, rel_tol=CLOSE)


def same_question(data: Data, ours: Asked, theirs: Asked) -> bool:
    """Say whether two questions are one."""
    if ours.column != theirs.column or ours.side_of != theirs.side_of:
        return False
    return ours.cut is None or same_cut(data, ours.column, ours.cut, theirs.cut)


def is_free(rows: Rows, column: int, category: Any) -> bool:
    """Say whether the definition leaves the side of a category open.

    As much of it goes to the one side as to the other, and so do all placed rows. rpart then takes its right
    side, that of the larger mean of the target; the library takes the last branch.
    """
    weight, of_category = [0, 0], [0, 0]
    for value, branch, w in zip(rows.columns[column], rows.branches, rows.weights, strict=True):
        if branch is not None:
            weight[branch] += w
            of_category[branch] += w if value == category else 0
    return weight[0] == weight[1] and of_category[0] == of_category[1]


def surrogate_differences(
    data: Data, rows: Rows, ours: Sequence[Surrogate], theirs: Sequence[Surrogate], *, counts: bool
) -> list[str]:
    """Say where two lists of surrogates differ."""
    names = [[data.names[one.column] for one in found] for found in (ours, theirs)]
    if names[0] != names[1]:
        return [f"surrogates are {names[0]}, stored are {names[1]}"]
    found = []
    for a, b in zip(ours, theirs, strict=True):
        what = f"surrogate {data.names[a.column]}:"
        if not math.isclose(a.agree, b.agree, rel_tol=CLOSE):
            found.append(f"{what} agree is {float(a.agree)}, stored is {b.agree}")
        if not math.isclose(a.adjusted, b.adjusted, rel_tol=CLOSE):
            found.append(f"{what} adjusted is {float(a.adjusted)}, stored is {b.adjusted}")
        if counts and a.n_placed != b.n_placed:
            found.append(f"{what} placed {a.n_placed} rows, stored is {b.n_placed}")
        if a.side_of is None:
            if a.is_reversed != b.is_reversed or not same_cut(data, a.column, a.cut, b.cut):
                found.append(f"{what} {a.cut, a.is_reversed}, stored is {b.cut, b.is_reversed}")
            continue
        sides, stored = dict(a.side_of), dict(b.side_of)
        other = [k for k in sides.keys() | stored.keys() if sides.get(k) != stored.get(k)]
        if sides.keys() != stored.keys() or not all(is_free(rows, a.column, k) for k in other):
            found.append(f"{what} {sides}, stored is {stored}")
    return found


def kept_by_rpart(found: Iterable[Any], limit: int, worth: Callable[[Any], Any]) -> list[list[Any]]:
    """Give what rpart may keep of a list in column order, the best first: a list for each way ties may fall.

    Where it has room for two and both places are taken, one better than both is left alone in the list: the
    one that was best until then is forgotten (definitions.md 1.2 has it of competitors; surrogates are kept
    the same way). Whether one of equal worth is better is up to rpart's rounding.
    """
    lists: list[list[Any]] = [[]]
    for one in found:
        after = []
        for kept in lists:
            is_tie = limit == len(kept) == 2 and math.isclose(worth(one), worth(kept[0]), rel_tol=CLOSE)
            is_better = limit == len(kept) == 2 and worth(one) > worth(kept[0])
            if is_tie or is_better:
                after.append([one])
            if is_tie or not is_better:
                after.append(sorted([*kept, one], key=worth, reverse=True)[:limit])
        lists = after
    return lists
