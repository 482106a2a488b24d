"""The small charts of rows in the boxes of drawings: what each bar, point and line stands for."""

from itertools import pairwise

import numpy as np
import pytest

import report_pages
import treewright as tw
from export.test_picture import assert_tidy, of
from kinds_of_trees import KINDS
from treewright.errors import ParameterError, ParameterTypeError, TargetError, WeightError
from treewright.estimators.reporting import rows_to_draw
from treewright.export.charts import HEIGHT, WIDTH, Charts
from treewright.export.drawn import Words
from treewright.export.look import Look
from treewright.export.parts import Rect, Text
from treewright.export.picture import picture

SOME = (
    *("every type of column", "weights", "multiway", "a branch for gaps", "spread", "surrogates", "numbers"),
    *("C4.5", "numbers in shares", "one class", "one leaf", "ID3 with intervals", "surrogates of numbers"),
)


def charts_of(tree, X, y, sample_weight=None, **look):
    """Give the chart of each node; classes have their codes as colours."""
    rows = rows_to_draw(tree, True, X, y, sample_weight)
    charts = Charts(Words(tree.model_, Look(**look)), rows, str)
    return [charts.of(node) for node in range(tree.tree_.n_nodes)]


def heights(parts, kept=lambda part: True):
    """Add up the heights of bars by class."""
    found = {}
    for part in parts:
        if isinstance(part, Rect) and part.style.startswith("fill-") and kept(part):
            code = int(part.style.removeprefix("fill-"))
            found[code] = found.get(code, 0.0) + part.height
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_drawings_with_charts_are_tidy(kind):
    tree, X, y = report_pages.kind_with_rows(kind)
    rows = rows_to_draw(tree, True, X, y)
    for lang in ("en", "zh"):
        drawing = picture(tree.model_, 3, look=Look(lang=lang, counts=True), rows=rows)
        assert_tidy(drawing)
        for node in range(min(tree.tree_.n_nodes, 10)):
            for part in Charts(Words(tree.model_), rows, str).of(node):
                assert part.x >= 0
                if isinstance(part, Rect):
                    assert part.x + part.width <= WIDTH + 1e-6
                    assert 0 <= part.y <= part.y + part.height < HEIGHT
    without = picture(tree.model_, 3)
    assert (len(of(drawing, "node", Rect)) > len(of(without, "node", Rect))) == (tree.tree_.n_nodes > 1)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_bars_on_each_side_of_the_cut_are_the_classes_of_the_branch(criterion):
    for seed in range(25):
        rng = np.random.default_rng([seed, 90])
        n = int(rng.integers(4, 80))
        X = {"a": rng.normal(size=n), "b": rng.integers(0, 6, n), "c": 10.0 ** rng.integers(-3, 6, n)}
        y, weights = rng.integers(0, 3, n), rng.integers(1, 4, n).astype(float)
        tree = tw.DecisionTreeClassifier(criterion=criterion, max_depth=3).fit(X, y, weights)
        for node, parts in enumerate(charts_of(tree, X, y, weights)):
            if tree.tree_.column[node] < 0:
                assert parts == []
                continue
            (cut,) = [part for part in parts if part.style == "cut"]
            total = sum(heights(parts).values())
            left, right = tree.tree_.children(node)
            for child, is_left in ((left, True), (right, False)):
                side = heights(parts, lambda part, left=is_left, at=cut.x: (part.x < at + 0.6) == left)
                expected = tree.tree_.outcome[child] / tree.tree_.weight[node]
                for code, share in enumerate(expected.tolist()):
                    assert side.get(code, 0.0) / total == pytest.approx(share, abs=1e-9)


def test_every_category_has_a_bar_beside_those_of_its_branch():
    X = {"town": [*"aabbbccd", None, None]}
    y = [0, 0, 1, 1, 1, 0, 0, 1, 1, 1]
    tree = tw.DecisionTreeClassifier(max_depth=1, missing="majority").fit(X, y)
    parts = charts_of(tree, X, y)[0]
    bars = sorted((part for part in parts if part.style.startswith("fill-")), key=lambda part: part.x)
    assert [part.style for part in bars] == ["fill-0", "fill-0", "fill-1", "fill-1", "fill-1"]
    assert [part.height / bars[2].height for part in bars[:4]] == pytest.approx([2 / 3, 2 / 3, 1, 1 / 3])
    gaps = [after.x - before.x - before.width for before, after in pairwise(bars)]
    assert gaps[1] > gaps[0] == pytest.approx(gaps[2])
    names = sorted((part for part in parts if isinstance(part, Text)), key=lambda part: part.x)
    assert [part.text for part in names] == ["a", "c", "b", "d", "?"]
    known = ["a", "b", "c", "d"]
    (last,) = [part for part in bars if part.x > 150]
    assert last.height / bars[2].height == pytest.approx(2 / 3)
    full = tw.DecisionTreeClassifier(max_depth=1).fit({"town": known}, [0, 1, 0, 1])
    drawn = charts_of(full, {"town": known}, [0, 1, 0, 1])[0]
    assert "?" not in [part.text for part in drawn if isinstance(part, Text)]


def test_of_many_categories_the_heaviest_have_bars_and_the_others_are_counted():
    X = {"town": [f"town {at:02}" for at in range(30) for _ in range(at + 1)]}
    y = [at % 2 for at in range(30) for _ in range(at + 1)]
    tree = tw.DecisionTreeClassifier(categorical_split="multiway").fit(X, y)
    parts = charts_of(tree, X, y)[0]
    assert sum(part.style.startswith("fill-") for part in parts) == 12
    assert [part.text for part in parts if isinstance(part, Text)] == ["… 18 more"]
    assert [part.text for part in charts_of(tree, X, y, lang="zh")[0] if isinstance(part, Text)] == [
        "… 另 18 个"
    ]


def test_points_stand_for_rows_and_lines_for_the_means_of_the_sides():
    x = np.array([0.0, 1, 2, 8, 9, 10])
    y = np.array([0.0, 2, 4, 20, 18, 16])
    tree = tw.DecisionTreeRegressor(max_depth=1).fit({"x": x}, y)
    parts = charts_of(tree, {"x": x}, y)[0]
    points = [part for part in parts if part.style == "dot"]
    ground, top = points[0].y, points[3].y  # of 0 and of 20
    assert [(ground - point.y) / (ground - top) * 20 for point in points] == pytest.approx(y)
    means = [part for part in parts if part.style == "mean"]
    assert [(ground - part.y - 0.1) / (ground - top) * 20 for part in means] == pytest.approx(
        [2, 18], abs=0.1
    )
    (cut,) = [part for part in parts if part.style == "cut"]
    assert cut.x + cut.width / 2 == pytest.approx(WIDTH / 2)
    assert (means[0].x + means[0].width, means[1].x) == pytest.approx((WIDTH / 2, WIDTH / 2))
    assert [part.text for part in parts if isinstance(part, Text)] == ["0", "10"]
    many = {"x": np.arange(5000.0)}
    tree = tw.DecisionTreeRegressor(max_depth=1).fit(many, many["x"])
    assert sum(part.style == "dot" for part in charts_of(tree, many, many["x"])[0]) == 200


def test_boxes_show_the_quartiles_of_a_category():
    X = {"town": [*"aaaaa", *"bbbbb"]}
    y = np.array([0.0, 10, 20, 30, 40, 60, 70, 80, 90, 100])
    tree = tw.DecisionTreeRegressor(max_depth=1).fit(X, y)
    parts = charts_of(tree, X, y)[0]
    whiskers = [part for part in parts if part.style == "dot"]
    low, high = whiskers[0].y + whiskers[0].height, whiskers[1].y

    def target(place):
        return (low - place) / (low - high) * 100

    assert [target(each.y + each.height) for each in whiskers] == pytest.approx([0, 60])
    assert [target(each.y) for each in whiskers] == pytest.approx([40, 100])
    boxes = [part for part in parts if part.style == "value"]
    assert [target(each.y) for each in boxes] == pytest.approx([30, 90])
    assert [target(each.y + each.height) for each in boxes] == pytest.approx([10, 70])
    assert [target(part.y + 0.75) for part in parts if part.style == "cut"] == pytest.approx([20, 80])


def test_every_drawing_has_charts_if_rows_are_given():
    X, y = tw.datasets.load("watermelon_30")
    tree = tw.C45Classifier(pruning=False, min_cases=1).fit(X, y)
    drawn, plain = tree.to_svg(X=X, y=y), tree.to_svg()
    assert drawn.count("tw-axis") == (tree.tree_.column >= 0).sum() + 1  # one in the style sheet
    assert '<rect class="tw-axis' not in plain
    assert drawn in tree.to_html(X=X, y=y)
    axes = tree.plot(X=X, y=y)
    assert len(axes.patches) > len(tree.plot().patches)
    with pytest.raises(ParameterTypeError, match="X= is not an option of a drawing"):
        tree.to_dot(X=X)


def test_the_rows_of_fit_are_charted_as_long_as_they_are_at_hand():
    X, y = np.array([[1.0], [2], [5], [6]]), np.array([0, 0, 1, 1])
    tree = tw.DecisionTreeClassifier().fit(X, y)
    drawn = tree.to_svg(histograms=True)
    assert drawn == tree.to_svg(X=X, y=y) != tree.to_svg()
    del X
    for method in ("to_svg", "to_html", "plot"):
        with pytest.raises(ParameterError, match=r"not at hand; give X and y, as to fit\."):
            getattr(tree, method)(histograms=True)
    with pytest.raises(ParameterTypeError, match="histograms= is not an option of a drawing"):
        tree.to_dot(histograms=True)


def test_what_cannot_be_drawn_is_refused():
    X, y = tw.datasets.load("golf")
    tree = tw.C45Classifier().fit(X, y)
    with pytest.raises(ParameterError, match="histograms need the rows of fit"):
        tree.to_svg(y=y)
    with pytest.raises(ParameterError, match="histograms='yes' is neither True nor False"):
        tree.to_svg(histograms="yes")
    with pytest.raises(TargetError):
        tree.to_svg(X=X)
    with pytest.raises(TargetError, match="not grown on"):
        tree.to_svg(X={name: X[name] for name in X if name != y}, y=["rain"] * 14)
    with pytest.raises(WeightError, match="all weights are zero"):
        tree.to_svg(X=X, y=y, sample_weight=[0.0] * 14)


def test_whole_numbers_are_placed_however_large_and_far_apart_they_are():
    for values in (
        [1 - 9 * 10**18, -8 * 10**18, 8 * 10**18, 9 * 10**18],
        [2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3],
    ):
        X, y = {"x": np.array(values)}, [0, 0, 1, 1]
        parts = charts_of(tw.DecisionTreeClassifier().fit(X, y), X, y)[0]
        (cut,) = [part for part in parts if part.style == "cut"]
        assert heights(parts, lambda part, at=cut.x: part.x < at).keys() == {0}
        assert heights(parts, lambda part, at=cut.x: part.x > at).keys() == {1}
        bars = sorted(part.x for part in parts if part.style.startswith("fill-"))
        assert 0 <= bars[0] < 10
        assert 150 < bars[-1] < WIDTH
