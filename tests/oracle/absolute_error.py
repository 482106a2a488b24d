"""Absolute errors of growing sets of rows, with two heaps: another way than the library's, quick enough."""

from heapq import heappop, heappush

import numpy as np


def median(y: np.ndarray, weights: np.ndarray) -> float:
    """Give the weighted median, the midpoint where exactly half the weight lies at or below a target."""
    order = np.argsort(y, kind="stable")
    below = 2 * np.cumsum(weights[order])
    total = below[-1] / 2
    i = int(np.searchsorted(below, total))
    return float(y[order[i]] + y[order[i + 1]]) / 2 if below[i] == total else float(y[order[i]])


def loss(y: np.ndarray, weights: np.ndarray) -> float:
    """Give the weighted sum of the distances from the median."""
    return float((weights * np.abs(y - median(y, weights))).sum()) if len(y) else 0.0


def losses_of_prefixes(y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Give the loss of the first row, the first two, and so on."""
    low: list[tuple[float, float]] = []  # at or below the median, the largest on top
    high: list[tuple[float, float]] = []
    low_weight = high_weight = low_sum = high_sum = 0.0
    losses = np.empty(len(y))
    for i, (target, weight) in enumerate(zip(y.tolist(), weights.tolist(), strict=True)):
        if low and target >= -low[0][0]:
            heappush(high, (target, weight))
            high_weight, high_sum = high_weight + weight, high_sum + weight * target
        else:
            heappush(low, (-target, weight))
            low_weight, low_sum = low_weight + weight, low_sum + weight * target
        while low_weight < high_weight:
            moved, w = heappop(high)
            heappush(low, (-moved, w))
            high_weight, high_sum = high_weight - w, high_sum - w * moved
            low_weight, low_sum = low_weight + w, low_sum + w * moved
        while low_weight - low[0][1] >= high_weight + low[0][1]:
            moved, w = heappop(low)
            heappush(high, (-moved, w))
            low_weight, low_sum = low_weight - w, low_sum + w * moved
            high_weight, high_sum = high_weight + w, high_sum - w * moved
        losses[i] = high_sum - low_sum - low[0][0] * (low_weight - high_weight)
    return losses


def losses_of_sides(y, weights, order, missing, last_left, gap_left) -> np.ndarray:
    """Give the loss of both sides of every arrangement (see `oracle.scorer.Arrangements`)."""
    y = y - np.median(y)  # sums of small numbers
    gaps = np.flatnonzero(missing)
    found = np.empty(len(last_left))
    for with_left in (False, True):
        of_way = gap_left == with_left
        ahead, behind = (gaps, gaps[:0]) if with_left else (gaps[:0], gaps)
        rising, falling = np.concatenate([ahead, order]), np.concatenate([behind, order[::-1]])
        left = losses_of_prefixes(y[rising], weights[rising])
        right = np.concatenate([[0.0], losses_of_prefixes(y[falling], weights[falling])])
        n_left = last_left[of_way] + 1 + len(ahead)
        found[of_way] = left[n_left - 1] + right[len(y) - n_left]
    return found
