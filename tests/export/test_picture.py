"""The picture of a tree: no text outside its box, no box over another, and what styles say."""

import itertools

import numpy as np
import pytest

import drawn_trees
import treewright as tw
from drawn_trees import KINDS, tree_of
from treewright.export import metrics
from treewright.export.parts import FONTS, Curve, Rect, Text
from treewright.export.picture import picture


@pytest.fixture(params=KINDS)
def drawing(request):
    return picture(tree_of(request.param).model_)


def boxes(drawing):
    return [group for group in drawing.groups if group.kind in ("label", "node", "more")]


def of(drawing, kind, *types):
    return [
        part for group in drawing.groups if group.kind == kind for part in group.parts if type(part) in types
    ]


def extent(text):
    size, is_bold = FONTS[text.style]
    wide = metrics.width(text.text, size, is_bold)
    left = text.x - wide / 2 if text.anchor == "middle" else text.x
    return left, text.y - size, left + wide, text.y + size / 4


def overlap(a, b):
    return (
        min(a.x + a.width, b.x + b.width) - max(a.x, b.x) > 1e-6
        and min(a.y + a.height, b.y + b.height) - max(a.y, b.y) > 1e-6
    )


def assert_tidy(drawing):
    for group in boxes(drawing):
        frame, *parts = group.parts
        assert isinstance(frame, Rect)
        assert frame.x >= 0
        assert frame.x + frame.width <= drawing.width
        assert frame.y >= 0
        assert frame.y + frame.height <= drawing.height
        for part in parts:
            left, top, right, bottom = (
                extent(part)
                if isinstance(part, Text)
                else (part.x, part.y, part.x + part.width, part.y + part.height)
            )
            assert left >= frame.x - 1e-6
            assert right <= frame.x + frame.width + 1e-6
            assert top >= frame.y - 1e-6
            assert bottom <= frame.y + frame.height + 1e-6
    frames = sorted((group.parts[0] for group in boxes(drawing)), key=lambda frame: frame.x)
    for at, frame in enumerate(frames):
        for other in itertools.takewhile(lambda it: it.x < frame.x + frame.width, frames[at + 1 :]):  # noqa: B023
            assert not overlap(frame, other)
    for text in of(drawing, "legend", Text):
        left, _, right, bottom = extent(text)
        assert left >= 0
        assert right <= drawing.width
        assert all(bottom <= frame.y for frame in frames)


def test_texts_are_inside_their_boxes_and_boxes_apart(drawing):
    assert_tidy(drawing)


@pytest.mark.parametrize(("max_depth", "max_nodes"), [(None, 63), (2, None), (None, 700), (0, None)])
def test_a_part_of_a_large_tree_is_tidy_too(max_depth, max_nodes):
    tree = drawn_trees.many_nodes()
    drawing = picture(tree.model_, max_depth, max_nodes)
    assert_tidy(drawing)
    notes = [text.text for text in of(drawing, "more", Text)]
    assert all(note.startswith("… ") and note.endswith(" more") for note in notes)
    n_more = sum(int(note.split()[1].replace(",", "")) for note in notes)
    assert n_more + len([group for group in drawing.groups if group.kind == "node"]) == tree.tree_.n_nodes


def test_a_node_of_hundreds_of_branches_and_a_stair_are_tidy():
    assert_tidy(picture(drawn_trees.wide().model_, max_nodes=None))
    assert_tidy(picture(drawn_trees.deep(300).model_, max_nodes=None))


def test_branches_run_between_boxes_and_never_over_others(drawing):
    frames = [group.parts[0] for group in boxes(drawing) if group.kind != "label"]
    for curve in of(drawing, "branch", Curve):
        assert curve.y <= curve.bend < curve.land <= curve.to_y
        # Bends happen between the levels, where no box is.
        assert not any(
            frame.y < curve.land - 1e-6 and frame.y + frame.height > curve.bend + 1e-6 for frame in frames
        )
        begins = [
            f for f in frames if f.x < curve.x < f.x + f.width and f.y + f.height == pytest.approx(curve.y)
        ]
        ends = [f for f in frames if f.x < curve.to_x < f.x + f.width and f.y == pytest.approx(curve.to_y)]
        assert len(begins) == len(ends) == 1


def test_a_branch_is_as_thick_as_it_is_heavy():
    tree = tree_of("golf")
    curves = of(picture(tree.model_), "branch", Curve)
    assert [round(curve.thickness / 18 * 14, 6) for curve in curves] == [4, 5, 5, 3, 2, 2, 3]


def test_the_bar_of_a_box_shows_the_shares_of_its_classes():
    tree = tree_of("golf")
    drawing = picture(tree.model_)
    nodes = [group for group in drawing.groups if group.kind == "node"]
    for node, group in enumerate(nodes):
        track, *filled = [part for part in group.parts[1:] if isinstance(part, Rect)]
        by_style = {part.style: part.width / track.width for part in filled}
        shares = dict(zip(("fill-c0", "fill-c1"), tree.tree_.shares[node], strict=True))
        assert by_style == pytest.approx({style: share for style, share in shares.items() if share})


@pytest.mark.parametrize("kind", KINDS)
def test_every_leaf_says_how_far_its_rows_agree(kind):
    tree = tree_of(kind).tree_
    nodes = [group for group in picture(tree_of(kind).model_).groups if group.kind == "node"]
    for leaf in np.flatnonzero(tree.column < 0).tolist():
        about = [part.text for part in nodes[leaf].parts if isinstance(part, Text)][1]
        if not tree.n_rows[leaf]:
            assert about == "0 rows"
        elif tree.is_classifier:
            share = tree.shares[leaf, tree.answer[leaf]]
            assert about.startswith(f"{100 * share:.0f}%")
        else:
            assert about.endswith(f", sd {tree.impurity[leaf] ** 0.5:.3g}")


def test_the_bar_of_a_number_shows_where_it_lies_between_the_least_and_the_largest():
    tree = tree_of("numbers")
    values = tree.tree_.outcome[:, 0]
    for node, group in enumerate(g for g in picture(tree.model_).groups if g.kind == "node"):
        track, filled = [part for part in group.parts[1:] if isinstance(part, Rect)]
        share = (values[node] - values.min()) / np.ptp(values)
        assert filled.width == pytest.approx(max(share * track.width, 2.0))


def test_branches_of_missing_values_and_of_no_rows_are_drawn_as_such():
    styles = {
        kind: [curve.style for curve in of(picture(tree_of(kind).model_), "branch", Curve)] for kind in KINDS
    }
    assert styles["gaps have a branch"].count("branch missing") == 1
    assert styles["empty branches"].count("branch empty") == 2
    assert set(styles["golf"]) == {"branch"}
    dotted = [
        part for part in of(picture(tree_of("empty branches").model_), "node", Rect) if "empty" in part.style
    ]
    assert len(dotted) == 2


def test_missing_values_are_mentioned_where_they_go():
    def texts(name):
        drawing = picture(tree_of(name).model_)
        return [part.text for kind in ("label", "node") for part in of(drawing, kind, Text)]

    assert "missing: every branch" in texts("gaps go everywhere")
    assert "missing: 1 surrogate" in texts("gaps have surrogates")
    assert "missing" in texts("gaps have a branch")
    assert "or missing" in texts("gaps are learned")
    assert not any("missing" in text for text in texts("golf"))


def test_a_long_list_of_categories_is_shortened_with_its_count_and_told_in_full():
    towns = [f"town {at:02}" for at in range(60)]
    tree = tw.DecisionTreeClassifier(on_identifier="ignore").fit(
        {"town": towns}, [at % 2 for at in range(60)]
    )
    labels = [group for group in picture(tree.model_).groups if group.kind == "label"]
    for label, others in zip(labels, (towns[::2], towns[1::2]), strict=True):
        lines = [part.text for part in label.parts if isinstance(part, Text)]
        assert len(lines) <= 3
        n_shown = sum(line.count("town") for line in lines)
        assert lines[-1].endswith(f"… {30 - n_shown} more")
        assert all(town in label.story[0] for town in others)


def test_signs_are_set_in_cuts_and_intervals_but_never_in_names():
    def labels(tree):
        return {part.text for part in of(picture(tree.model_), "label", Text)}

    assert {"≤ 75", "> 75"} <= labels(tree_of("golf"))
    assert any(text.startswith("≤ ") for text in labels(tree_of("intervals")))
    named = tw.DecisionTreeClassifier().fit({"income": ["<=50K", ">50K"]}, ["a", "b"])
    assert labels(named) == {"<=50K", ">50K"}


def test_chinese_labels_are_whole():
    texts = {part.text for part in of(picture(tree_of("watermelon").model_), "node", Text)}
    assert {"纹理", "密度", "触感", "是", "否"} <= texts


def test_of_many_classes_the_heaviest_have_colours_of_their_own():
    y = [f"class {at:02}" for at in range(30) for _ in range(1 + (at % 7 == 0))]
    tree = tw.DecisionTreeClassifier(max_depth=2).fit(np.arange(len(y))[:, None], y)
    drawing = picture(tree.model_)
    legend = [part.text for part in of(drawing, "legend", Text)]
    assert legend[-1] == "22 others"
    assert {f"class {at:02}" for at in range(0, 30, 7)} <= set(legend)
    assert_tidy(drawing)
