"""Rows with blanked cells, asked of C4.5's and J48's trees of the whole tables.

The tree of C4.5 behind an answer is stored too. Where ours is another by a tie (test_c45r8), the answers are
asked of the stored tree, walked by the oracle.
"""

import pytest

from golden import quinlan
from golden.learners import LEARNERS, PlainFit
from golden.stored import cells, schema
from oracle.replay_c45 import compare

PROBES = quinlan.GOLDEN / "probes"
TOOLS = {"C4.5 Release 8": "c45r8", "WEKA J48 3.9.7": "weka39_j48"}


def asked() -> list[tuple[str, str, str]]:
    """List the probes: table, program, options."""
    return [
        (path.stem.removesuffix("__probe"), result["tool"], result["options"])
        for path in sorted(PROBES.glob("*__probe.json"))
        for result in quinlan.read(path)["results"]
        if result["tool"] in TOOLS
    ]


pytestmark = pytest.mark.skipif(not asked(), reason=f"no probes at {PROBES}")
learners = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())


@learners
@pytest.mark.parametrize(("dataset", "tool", "options"), asked())
def test_rows_with_gaps_get_the_programs_answers(dataset, tool, options, learner):
    described = quinlan.read(PROBES / f"{dataset}__probe.json")
    kept = next(one for one in described["results"] if (one["tool"], one["options"]) == (tool, options))
    table = quinlan.table(dataset)
    is_j48 = tool.startswith("WEKA")
    is_pruned = not options.endswith(" unpruned")
    rules = quinlan.j48_rules(options) if is_j48 else quinlan.c45_rules("(default)")
    fitted = learner.c45(table, rules)
    if not is_j48:
        result = quinlan.load_c45(f"c45r8__{dataset}__default", "pruned" if is_pruned else "unpruned")
        theirs = result.tree
        ours = fitted.pruned if is_pruned else fitted.unpruned
        if not compare(theirs, ours, None, share=1e-5).same:
            assert not result.is_stable
            fitted = PlainFit(theirs, theirs, rules)
    texts = cells(PROBES / described["probe"])
    columns = [one for one in schema(dataset)["schema"] if one["name"] != schema(dataset)["target"]]
    encoded = [quinlan.encoded(one, [row[one["name"]] for row in texts]) for one in columns]
    rows = list(zip(*encoded, strict=True))
    tolerance = 1e-9 if is_j48 else 2e-5  # C4.5's were printed to five digits
    shares = fitted.shares(rows, pruned=is_pruned)
    for mine, theirs in zip(shares, kept["proba"], strict=True):
        assert all(abs(a - b) <= tolerance for a, b in zip(mine, theirs, strict=True))
    for said, answer, mine in zip(kept["pred"], fitted.answers(rows, pruned=is_pruned), shares, strict=True):
        assert answer == said or mine[said] >= max(mine) - tolerance
