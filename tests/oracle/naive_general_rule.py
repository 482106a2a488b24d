"""A rule made more general by the definition: one condition and one row at a time."""

from dataclasses import replace

from oracle.naive_c45_pruning import extra_errors
from oracle.naive_c45_rules import RELEASE8


def rates(fails, left, rows, answer, confidence, default_error):
    """Pessimistic and raw error of the conditions that are left; `rows` are pairs of a class and a weight."""
    covered = [pair for at, pair in enumerate(rows) if not any(fails[each][at] for each in left)]
    n = sum(weight for _, weight in covered)
    errors = sum(weight for of, weight in covered if of != answer)
    if not n:
        return default_error, 0.0
    return (errors + extra_errors(n, errors, replace(RELEASE8, confidence=confidence))) / n, errors / n


def general_rule(fails, rows, answer, confidence, default_error):
    """The conditions that are left, and their pessimistic error."""
    left = list(range(len(fails)))

    def rates_of(conditions):
        return rates(fails, conditions, rows, answer, confidence, default_error)

    while left:
        now = rates_of(left)
        without = [rates_of([each for each in left if each != dropped]) for dropped in left]
        if not any(expected <= now[0] or made <= now[1] for expected, made in without):
            break
        del left[min(range(len(left)), key=lambda at: without[at][0])]
    return left, rates_of(left)[0]
