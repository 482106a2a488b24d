"""Parts that are right alone are right together: tables and rules drawn by Hypothesis."""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracle.agreement import CRITERIA, TIMES, close_calls, disagreement
from oracle.exact_scores import OF_NUMBERS
from oracle.naive_tree import Rules
from tables import Table


@st.composite
def cases(draw) -> tuple[Table, Rules]:
    """Draw a table of few values with gaps and weights, and rules to grow by."""
    criterion = draw(st.sampled_from(CRITERIA))
    n, m = draw(st.integers(1, 14)), draw(st.integers(1, 3))
    cell = st.sampled_from([0.0, 1.0, 2.0, 2.5, float("nan"), -1.0])
    X = np.array(draw(st.lists(st.lists(cell, min_size=m, max_size=m), min_size=n, max_size=n)))
    if criterion in OF_NUMBERS:
        values = [0.0, 0.5, 1.0, 3.0, 4.0 if criterion == "poisson" else -4.0]
        y = np.array(draw(st.lists(st.sampled_from(values), min_size=n, max_size=n)))
    else:
        y = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
        y = np.unique(y, return_inverse=True)[1]
    weights = draw(st.none() | st.lists(st.sampled_from([0.0, 1.0, 2.0, 0.5]), min_size=n, max_size=n))
    if weights is not None:
        assume(any(weights))
        weights = np.array(weights)
    assume(criterion != "poisson" or (y if weights is None else y * weights).any())
    # Orders are of numbers, or of two classes.
    has_order = criterion in OF_NUMBERS or y.max() == 1
    directions = st.tuples(*[st.integers(-1, 1)] * m)
    rules = Rules(
        criterion,
        max_depth=draw(st.none() | st.integers(1, 4)),
        min_samples_split=draw(st.integers(2, 5)),
        min_samples_leaf=draw(st.integers(1, 3)),
        min_weight_fraction_leaf=draw(st.sampled_from([0.0, 0.0, 0.125, 0.25])),
        max_leaf_nodes=draw(st.none() | st.integers(2, 6)),
        min_impurity_decrease=draw(st.sampled_from([0.0, 0.0, 0.013, 0.11])),
        min_impurity=draw(st.sampled_from([0.0, 0.0, 0.17, 0.43])),
        growth=draw(st.sampled_from(["depth", "best", "breadth"])),
        monotonic_cst=draw(st.none() | directions) if has_order else None,
    )
    return Table(X, y, weights), rules


@settings(max_examples=1000 * TIMES, deadline=None, derandomize=True)
@given(cases())
def test_any_rules_on_any_table_give_the_oracles_tree(case):
    table, rules = case
    assume(not close_calls(table, rules))
    found = disagreement(table, rules)
    assert found is None, f"{rules}\n{table}\n{found}"
