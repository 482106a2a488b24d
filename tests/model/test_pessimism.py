"""What pruning takes for granted of the errors to expect of a leaf."""

from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from treewright.model.pessimism import pessimism
from treewright.parts.pruners import ErrorBased
from treewright.recipes import C45_J48

RULES = {"release8": ErrorBased(), "j48": C45_J48.pruner.pruners[1]}


def expected_errors(rules, weights):
    errors = sum(weights) - max(weights)
    return errors + rules.extra(sum(weights), errors)


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=500, deadline=None)
@given(
    confidence=st.floats(0.001, 1.0),
    weights=st.lists(st.floats(0.01, 30) | st.integers(1, 2000), min_size=2, max_size=5),
    more=st.lists(st.floats(0, 3) | st.integers(0, 2000), min_size=5, max_size=5),
)
def test_a_leaf_with_more_rows_is_not_expected_to_make_many_fewer_errors(name, confidence, weights, more):
    rules = pessimism(replace(RULES[name], confidence=confidence))
    after = [a + b for a, b in zip(weights, more, strict=False)]
    assert expected_errors(rules, after) >= expected_errors(rules, weights) - rules.most_fewer


@pytest.mark.parametrize("name", RULES)
def test_nor_where_a_leaf_goes_from_one_rule_to_the_next(name):
    """A grid of small leaves, each beside all that it may become: where steps and bends are."""
    n, errors = (it.ravel() for it in np.meshgrid(np.linspace(0.05, 4, 80), np.linspace(0, 2.5, 51)))
    n, errors = n[errors < n], errors[errors < n]
    for confidence in (0.001, 0.01, 0.25, 0.5, 0.9):
        rules = pessimism(replace(RULES[name], confidence=confidence))
        found = errors + [rules.extra(a, b) for a, b in zip(n.tolist(), errors.tolist(), strict=True)]
        for at in range(len(n)):
            becomes = (n >= n[at]) & (errors >= errors[at]) & (errors - errors[at] <= n - n[at] + 1e-12)
            assert found[becomes].min() >= found[at] - rules.most_fewer


def test_the_step_down_of_release_8_is_there():
    """Without it `most_fewer` could be nothing: a leaf with half an error more is expected to make fewer."""
    rules = pessimism(ErrorBased())
    assert 1.5 + rules.extra(2.0, 1.5) < 1.49 + rules.extra(2.0, 1.49) - 0.1
    assert pessimism(C45_J48.pruner.pruners[1]).most_fewer < rules.most_fewer


@pytest.mark.parametrize(
    "unusual", [{"confidence": 0.0005}, {"all_wrong": 1.5}, {"least_extra": 1.0}, {"one_error": 3.0}]
)
def test_of_other_rules_it_is_not_known(unusual):
    assert pessimism(replace(ErrorBased(), **unusual)).most_fewer is None
