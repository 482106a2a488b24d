"""What Release 8 says of every column at every node it looks at: gain, split info, cut, or why not.

The oracle is held to it here, all the way; the library's ledgers are in `test_ledger.py`.
"""

import pytest

from golden import quinlan, traces
from golden.trace_replay import Replay, options

NAMES = sorted(path.stem for path in (quinlan.GOLDEN / "c45r8_trace").glob("*.txt"))

pytestmark = pytest.mark.skipif(not NAMES, reason=f"no traces at {quinlan.GOLDEN}")


@pytest.mark.parametrize("name", NAMES)
def test_every_column_of_every_node_scores_as_printed(name):
    dataset = name.split("__")[1]
    table = quinlan.table(dataset, ("pgtime",) if dataset == "stagec" else ())
    blocks = traces.read(quinlan.GOLDEN / "c45r8_trace" / f"{name}.txt")
    replay = Replay(table, quinlan.c45_rules(options(name)), blocks)
    replay.node(table.cases(), frozenset())
    assert replay.wrong == []
    assert replay.at == len(blocks)
    assert sum(replay.n_collapsed.values()) == sum(len(block.collapsed) for block in blocks)
