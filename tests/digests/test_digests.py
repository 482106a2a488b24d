"""Trees and ledgers stay the same to the bit, whatever becomes of the core."""

import json

import pytest

from digests.pairs import FILE, pairs

DIGESTS = json.loads(FILE.read_text("utf-8"))
PAIRS = list(pairs())


def test_every_pair_has_a_digest():
    assert [pair.name for pair in PAIRS] == list(DIGESTS)
    assert len(PAIRS) >= 200


@pytest.mark.parametrize("block", range(8))
def test_trees_and_ledgers_are_those_that_were_recorded(block):
    assert [pair.name for pair in PAIRS[block::8] if pair.digest() != DIGESTS[pair.name]] == []
