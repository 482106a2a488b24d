"""How the rows of every node are spread over the column it asks about: row by row, from the definition."""

import math

N_BINS = 20


def interval(value, low, high):
    """Tell in which of equal intervals a value lies; the last one holds its upper end."""
    if high <= low:
        return 0
    return min(int((value - low) / (high - low) * N_BINS), N_BINS - 1)


def spread_over_values(values, groups, weights, n_groups):
    """Count rows by interval and group; rows without a value apart."""
    known = [value for value in values if value is not None and not math.isnan(value)]
    low, high = (min(known), max(known)) if known else (None, None)
    counts = [[0.0] * n_groups for _ in range(N_BINS)]
    missing = [0.0] * n_groups
    for value, group, weight in zip(values, groups, weights, strict=True):
        if value is None or math.isnan(value):
            missing[group] += weight
        else:
            counts[interval(value, low, high)][group] += weight
    return low, high, counts, missing


def spread_over_categories(codes, groups, weights, n_groups, with_branch):
    """Count rows by category and group; those that have none, or one without a branch, apart."""
    counts = {}
    missing = [0.0] * n_groups
    for code, group, weight in zip(codes, groups, weights, strict=True):
        where = counts.setdefault(code, [0.0] * n_groups) if code in with_branch else missing
        where[group] += weight
    return counts, missing
