"""Where boxes stand."""

import itertools

import numpy as np
import pytest

from oracle.naive_layout import naive_centres
from treewright.export.layout import centres, wrapped

GAP = 7.0


def random_tree(seed, most=40):
    """Draw a tree in pre-order with boxes of any width."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, most))
    above = [-1]
    for at in range(1, n):
        path = [at - 1]  # in pre-order the next box hangs on the last one or on one above it
        while path[-1] > 0:
            path.append(above[path[-1]])
        above.append(int(rng.choice(path)))
    return above, np.round(rng.uniform(5, 120, n), 1).tolist()


@pytest.mark.parametrize("seed", range(120))
def test_the_layout_is_that_of_its_definition(seed):
    above, widths = random_tree(seed)
    assert centres(above, widths, GAP) == pytest.approx(naive_centres(above, widths, GAP), abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_boxes_of_a_level_keep_their_order_and_their_distance(seed):
    above, widths = random_tree(seed, most=200)
    at = centres(above, widths, GAP)
    depth = [0]
    for parent in above[1:]:
        depth.append(depth[parent] + 1)
    for level in range(max(depth) + 1):
        boxes = [box for box in range(len(above)) if depth[box] == level]
        for left, right in itertools.pairwise(boxes):
            assert at[right] - widths[right] / 2 - (at[left] + widths[left] / 2) >= GAP - 1e-9
    assert min(middle - width / 2 for middle, width in zip(at, widths, strict=True)) == pytest.approx(0)


@pytest.mark.parametrize("seed", range(40))
def test_a_node_stands_over_the_middle_of_its_children(seed):
    above, widths = random_tree(seed, most=100)
    at = centres(above, widths, GAP)
    for parent in set(above[1:]):
        children = [child for child, its in enumerate(above) if its == parent]
        assert at[parent] == pytest.approx((at[children[0]] + at[children[-1]]) / 2)


def test_a_mirrored_tree_is_drawn_mirrored():
    #      0                0
    #   1  2  3    and   1  4  5     with subtrees 4, 5, 6 below the last or the first child
    plain = centres([-1, 0, 0, 0, 3, 3, 3], [10.0, 30.0, 20.0, 10.0, 50.0, 60.0, 70.0], GAP)
    mirrored = centres([-1, 0, 1, 1, 1, 0, 0], [10.0, 10.0, 70.0, 60.0, 50.0, 20.0, 30.0], GAP)
    whole = max(plain[at] + half for at, half in ((1, 15.0), (6, 35.0)))
    pairs = [(0, 0), (1, 6), (2, 5), (3, 1), (4, 4), (5, 3), (6, 2)]
    assert [whole - plain[a] for a, _ in pairs] == pytest.approx([mirrored[b] for _, b in pairs])


def test_a_small_subtree_between_large_ones_stands_in_the_middle():
    above = [-1, 0, 1, 1, 0, 0, 5, 5]
    at = centres(above, [10.0, 10.0, 90.0, 90.0, 10.0, 10.0, 90.0, 90.0], GAP)
    assert at[4] == pytest.approx((at[1] + at[5]) / 2)


def test_a_stair_of_thousands_of_steps_is_laid_out():
    at = centres([-1, *range(4000)], [10.0] * 4001, GAP)
    assert set(at) == {5.0}


def test_things_are_set_in_lines():
    assert wrapped([50.0, 50.0, 200.0, 10.0], room=120.0, gap=10.0) == [(0, 0), (60, 0), (0, 1), (0, 2)]
