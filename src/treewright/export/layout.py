"""Positions of the boxes of a drawn tree: a tidy layout for any number of branches and boxes of any width.

Children are as close to each other as their subtrees allow, a node is above the middle of its children, and
every level has its own line. Siblings are packed from the left and from the right, and placed halfway
between the two packings: both keep the minimum distances, so their mean does too, and a small subtree between
two large ones ends up in the middle. A mirrored tree has the mirrored layout, and equal subtrees look the
same.

References
----------
Reingold, Tilford (1981), Tidier drawings of trees, IEEE Transactions on Software Engineering 7.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class _Outline(NamedTuple):
    """The left and right ends of a subtree on each of its levels, relative to its middle."""

    left: NDArray[np.float64]
    right: NDArray[np.float64]


def centres(above: Sequence[int], widths: Sequence[float], gap: float) -> list[float]:
    """Compute the horizontal middles of boxes.

    Parameters
    ----------
    above : sequence of int
        Index of the box above each one, −1 for the first; boxes are in pre-order.
    widths : sequence of float
        Width of each box.
    gap : float
        Least distance between boxes of one level.

    Returns
    -------
    list of float
        The middles, such that the leftmost edge is at 0.

    Examples
    --------
    >>> centres([-1, 0, 0], [10.0, 20.0, 20.0], gap=4.0)
    [22.0, 10.0, 34.0]
    """
    below: list[list[int]] = [[] for _ in above]
    for at, parent in enumerate(above):
        if parent >= 0:
            below[parent].append(at)
    outlines: dict[int, _Outline] = {}
    offset = np.zeros(len(above))  # of each middle from that of the box above
    for at in reversed(range(len(above))):  # in pre-order children follow parents, so here they come first
        half, children = np.array([widths[at] / 2]), below[at]
        outlines[at] = _Outline(-half, half)
        if children:
            parts = [outlines.pop(child) for child in children]
            offset[children] = places = _places(parts, gap)
            outlines[at] = _joined(half, parts, places)
    for at, parent in enumerate(above):
        if parent >= 0:
            offset[at] += offset[parent]
    return [float(each) for each in offset - outlines[0].left.min()]


def _places(parts: Sequence[_Outline], gap: float) -> NDArray[np.float64]:
    """Place the subtrees of siblings around the node above them, which is at 0."""
    from_left = _packed(parts, gap)
    mirrored = [_Outline(-part.right, -part.left) for part in reversed(parts)]
    from_right = -_packed(mirrored, gap)[::-1]
    from_right += from_left[-1] - from_right[-1]
    places: NDArray[np.float64] = (from_left + from_right) / 2
    places -= (places[0] + places[-1]) / 2
    return places


def _packed(parts: Sequence[_Outline], gap: float) -> NDArray[np.float64]:
    """Place subtrees from left to right, each as far to the left as possible."""
    places = np.zeros(len(parts))
    right = parts[0].right
    for at, part in enumerate(parts[1:], start=1):
        levels = min(len(right), len(part.left))
        places[at] = np.max(right[:levels] - part.left[:levels]) + gap
        reach = part.right + places[at]
        right = np.concatenate((np.maximum(reach[:levels], right[:levels]), reach[levels:], right[levels:]))
    return places


def _joined(half: NDArray[np.float64], parts: Sequence[_Outline], places: NDArray[np.float64]) -> _Outline:
    levels = max(len(part.left) for part in parts)
    left, right = np.full(levels, np.inf), np.full(levels, -np.inf)
    for part, place in zip(parts, places, strict=True):
        n_levels = len(part.left)
        np.minimum(left[:n_levels], part.left + place, out=left[:n_levels])
        np.maximum(right[:n_levels], part.right + place, out=right[:n_levels])
    return _Outline(np.concatenate((-half, left)), np.concatenate((half, right)))


def wrapped(widths: Sequence[float], room: float, gap: float) -> list[tuple[float, int]]:
    """Break items of given widths into lines of at most `room`; return the start and the line of each.

    Examples
    --------
    >>> wrapped([30.0, 30.0, 30.0], room=70.0, gap=5.0)
    [(0.0, 0), (35.0, 0), (0.0, 1)]
    """
    places: list[tuple[float, int]] = []
    at, line = 0.0, 0
    for width in widths:
        if at and at + width > room:
            at, line = 0.0, line + 1
        places.append((at, line))
        at += width + gap
    return places
