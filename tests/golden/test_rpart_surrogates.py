"""The naive surrogates against all that rpart stored: question, order, agree, adj, rows placed."""

import pytest

from golden import rpart_stored
from golden.rpart_same import kept_by_rpart, surrogate_differences, surrogates_of_stored
from oracle import naive_surrogates

NAMES = rpart_stored.names()
MOST_ROWS = 1000  # a node of more is looked at in small tables only: plain Python is slow

pytestmark = pytest.mark.skipif(not NAMES, reason=f"no stored results at {rpart_stored.RESULTS}")


@pytest.mark.parametrize("name", NAMES)
def test_the_naive_surrogates_are_those_of_rpart(name):
    result = rpart_stored.load(name)
    control, data = result.control, result.data
    for node in result.walk():
        if node.primary is None or len(data.y) > 4 * MOST_ROWS < 4 * len(node.rows):
            continue
        rows = data.node(node.rows, node.primary)
        limit, others = control["maxsurrogate"], set(range(len(data.names))) - {node.primary.column}
        if limit == 2:
            found = [naive_surrogates.of_column(rows, column, result.style) for column in sorted(others)]
            lists = kept_by_rpart(filter(None, found), limit, lambda one: one.agree)
        else:
            lists = [
                naive_surrogates.find(rows, node.primary.column, max_surrogates=limit, style=result.style)
            ]
        wrong = [
            surrogate_differences(
                data,
                rows,
                naive_surrogates.route(rows, kept)[1],
                surrogates_of_stored(node),
                counts=control["usesurrogate"] > 0,
            )
            for kept in lists
        ]
        assert [] in wrong, f"node {node.stored['id']} of {len(node.rows)} rows: {wrong}"
