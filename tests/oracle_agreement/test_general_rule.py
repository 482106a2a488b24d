"""Conditions that the core drops of a rule are those that the definition drops."""

import numpy as np
import pytest

from oracle import naive_general_rule
from oracle.agreement import TIMES
from treewright import _core
from treewright.model.pessimism import quinlans


def as_words(flags):
    """Pack flags, (n, n_rows), into words of 64 rows."""
    n, n_rows = flags.shape
    packed = np.zeros((n, -(-n_rows // 64) * 8), dtype=np.uint8)
    packed[:, : -(-n_rows // 8)] = np.packbits(flags, axis=1, bitorder="little")
    return packed.view(np.uint64)


@pytest.mark.parametrize("weights", ["ones", "halves"])
def test_a_rule_loses_the_conditions_that_it_should(weights):
    rng = np.random.default_rng(len(weights))
    n_left, n_dropped = 0, 0
    for _ in range(60 * TIMES):
        n_rows, n = int(rng.integers(1, 200)), int(rng.integers(0, 9))
        targets = rng.integers(0, 3, n_rows).astype(np.int32)
        of_rows = np.ones(n_rows) if weights == "ones" else rng.integers(1, 6, n_rows) / 2
        # Rows of class 0 fail conditions less often.
        fails = rng.random((n, n_rows)) < np.where(targets == 0, 0.1, 0.5) * rng.random((n, 1))
        confidence, default_error = float(rng.choice([0.1, 0.25, 0.5])), float(rng.random())
        rows = list(zip(targets.tolist(), of_rows.tolist(), strict=True))
        expected, error = naive_general_rule.general_rule(fails.tolist(), rows, 0, confidence, default_error)
        left, found, met = _core.general_rule(
            as_words(fails), targets, of_rows, 0, quinlans(confidence), default_error
        )
        assert left.tolist() == expected
        assert found == pytest.approx(error, rel=1e-12)
        is_met = ~fails[left].any(axis=0)
        assert met.tolist() == as_words(is_met[None])[0].tolist()
        n_left, n_dropped = n_left + len(left), n_dropped + n - len(left)
    assert min(n_left, n_dropped) > 50 * TIMES


def test_arrays_of_other_sizes_are_refused():
    fails, targets, weights = np.zeros((2, 2), np.uint64), np.zeros(100, np.int32), np.ones(100)
    with pytest.raises(ValueError, match="weights has 99 entries; 100 are wanted"):
        _core.general_rule(fails, targets, weights[1:], 0, quinlans(), 0.5)
    with pytest.raises(ValueError, match="a condition of fails has 1 entries; 2 are wanted, of 64 rows each"):
        _core.general_rule(np.zeros((2, 1), np.uint64), targets, weights, 0, quinlans(), 0.5)
