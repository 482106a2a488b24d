"""Merge the categories of a column into groups as C4.5's -s does (definitions 1.1, value grouping)."""

from collections.abc import Callable, Sequence

from oracle.quinlan_tree import Weight

EPSILON = 1e-3
LIGHT = 0.5  # categories of no more weight are never merged: they are the rest
BETTER = 1e-5  # a merge must raise the ratio by this
NOISE = 1e-12  # of sums: ratios closer than this are equal, and of equals the first pair is merged

Group = tuple[int, ...]
Score = Callable[
    [Sequence[Sequence[Weight]]], tuple[float, float]
]  # class weights a branch → gain, split info


def united(inside: Sequence[Sequence[Weight]], group: Group) -> list[Weight]:
    """Sum the class weights of some categories."""
    return [sum((inside[value][k] for value in group), start=0) for k in range(len(inside[0]))]


def first_groups(inside: Sequence[Sequence[Weight]], values: Sequence[int]) -> list[Group]:
    """A pure category joins the first group that is pure in its class; others start one."""
    groups: list[Group] = []
    for value in values:
        mate = next((i for i, group in enumerate(groups) if is_pure(inside, (*group, value))), None)
        if mate is None:
            groups.append((value,))
        else:
            groups[mate] += (value,)
    return groups


def is_pure(inside: Sequence[Sequence[Weight]], group: Group) -> bool:
    return sum(weight > 0 for weight in united(inside, group)) == 1


def merged(
    inside: Sequence[Sequence[Weight]], score: Score, is_valid: Callable[[Sequence[Weight]], bool]
) -> tuple[Group, ...]:
    """Give the groups, the rest last.

    `inside` are the class weights of each category; `is_valid` judges the weights of the branches.
    """
    values = range(len(inside))
    rest = tuple(value for value in values if sum(inside[value], start=0) <= LIGHT)
    groups = first_groups(inside, [value for value in values if value not in rest])
    half = score(inside)[0] / 2

    def judged(groups: list[Group]) -> tuple[float, float]:
        """Give gain and ratio; −ε where fewer than two groups weigh enough."""
        branches = [united(inside, group) for group in (*groups, rest)]
        if not is_valid([sum(branch, start=0) for branch in branches]):
            return -EPSILON, -EPSILON
        gain, info = score(branches)
        return gain, gain / info if info > EPSILON else -EPSILON

    ratio = judged(groups)[1]
    while len(groups) > 2:
        best: tuple[bool, float, list[Group]] | None = None
        for p in range(len(groups)):
            for q in range(p + 1, len(groups)):
                union = merge(groups, p, q)
                gain, value = judged(union)
                keeps_half = gain >= half - NOISE
                if best is None or (keeps_half, value) > (best[0], best[1] + NOISE):
                    best = (keeps_half, value, union)
        if best[1] < ratio + BETTER:
            break
        _, ratio, groups = best
    return (*groups, rest) if rest else tuple(groups)


def merge(groups: list[Group], p: int, q: int) -> list[Group]:
    """The union keeps place p; the last group moves to place q."""
    union = [*groups]
    union[p] = (*groups[p], *groups[q])
    union[q] = union[-1]
    return union[:-1]
