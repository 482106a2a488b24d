"""What boxes show on request, and drawings that grow to the right."""

import re

import numpy as np
import pytest

from cli.commands import refused, run
from drawn_trees import KINDS, tree_of
from export.test_picture import assert_tidy, boxes, of
from graphs_of_trees import read_dot, read_mermaid
from treewright import DecisionTreeClassifier
from treewright.errors import ParameterError, ParameterTypeError
from treewright.export.look import Look
from treewright.export.parts import Curve, Text
from treewright.export.picture import picture

ALL = {"node_ids": True, "impurity": True, "counts": True}


def boxes_of(tree, method, **look):
    """Give the lines of the box of each node."""
    if method == "to_svg":
        nodes = [group for group in picture(tree.model_, look=Look(**look)).groups if group.kind == "node"]
        return [[part.text for part in group.parts if isinstance(part, Text)] for group in nodes]
    graph = {"to_dot": read_dot, "to_mermaid": read_mermaid}[method](getattr(tree, method)(**look))
    return [node["label"] for node in graph.nodes.values()]


@pytest.mark.parametrize("method", ["to_svg", "to_dot", "to_mermaid"])
def test_boxes_show_what_is_asked_for_and_nothing_else(method):
    for kind in ("golf", "numbers", "empty branches"):
        tree = tree_of(kind)
        plain = boxes_of(tree, method)
        for name, pattern in (("node_ids", r"node (\d+)"), ("impurity", r"impurity ([\d.e-]+)")):
            assert not any(re.fullmatch(pattern, line) for box in plain for line in box)
            for node, box in enumerate(boxes_of(tree, method, **{name: True})):
                (found,) = (told[1] for line in box if (told := re.fullmatch(pattern, line)))
                expected = node if name == "node_ids" else tree.tree_.impurity[node]
                assert float(found) == pytest.approx(expected, rel=5e-3, abs=1e-12)
    counted = boxes_of(tree_of("golf"), method, counts=True)
    assert "Play 9, Don't Play 5" in counted[0]
    assert boxes_of(tree_of("numbers"), method, counts=True) == boxes_of(tree_of("numbers"), method)


@pytest.mark.parametrize("method", ["to_svg", "to_dot", "to_mermaid"])
def test_numbers_have_the_digits_asked_for(method):
    tree = tree_of("numbers")
    exact, short = boxes_of(tree, method), boxes_of(tree, method, precision=2)
    assert any(re.search(r"\d{3}\.\d", line) for box in exact for line in box)
    assert not any(re.search(r"\d{3}\.\d|\d\.\d{2}", line) for box in short for line in box)


def test_thresholds_have_the_digits_asked_for():
    tree = DecisionTreeClassifier().fit({"x": [0.360, 0.403]}, ["a", "b"])
    assert "≤ 0.3815<" in tree.to_svg()
    assert "≤ 0.38<" in tree.to_svg(precision=2)
    assert '<= 0.38"' in tree.to_dot(precision=2)
    when = np.array(["2024-02-28", "2024-03-01"], dtype="M8[s]")  # dates keep theirs
    assert "2024-02-29" in DecisionTreeClassifier().fit({"when": when}, [0, 1]).to_svg(precision=1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("look", [{"orientation": "right"}, {"orientation": "right"} | ALL, ALL], ids=str)
def test_drawings_are_tidy_whatever_they_show(kind, look):
    assert_tidy(picture(tree_of(kind).model_, look=Look(**look)))


@pytest.mark.parametrize("kind", KINDS)
def test_branches_to_the_right_run_between_boxes(kind):
    drawing = picture(tree_of(kind).model_, look=Look(orientation="right"))
    frames = [group.parts[0] for group in boxes(drawing) if group.kind != "label"]
    for curve in of(drawing, "branch", Curve):
        assert curve.is_across
        assert curve.y <= curve.bend < curve.land <= curve.to_y
        begins = [
            f for f in frames if f.y < curve.x < f.y + f.height and f.x + f.width == pytest.approx(curve.y)
        ]
        ends = [f for f in frames if f.y < curve.to_x < f.y + f.height and f.x == pytest.approx(curve.to_y)]
        assert len(begins) == len(ends) == 1
        assert not any(f.x < curve.land - 1e-6 and f.x + f.width > curve.bend + 1e-6 for f in frames)
    assert len(of(drawing, "branch", Curve)) == tree_of(kind).tree_.n_nodes - 1


def test_every_format_grows_to_the_right():
    tree = tree_of("golf")
    assert "rankdir=LR;" in tree.to_dot(orientation="right")
    assert "rankdir" not in tree.to_dot()
    assert tree.to_mermaid(orientation="right").startswith("flowchart LR\n")
    assert re.search(r'd="M[\d.]+ [\d.]+H[\d.]+C', tree.to_svg(orientation="right"))
    assert tree.to_svg(orientation="right") in tree.to_html(orientation="right")
    down, right = (tree.plot(orientation=orientation) for orientation in ("down", "right"))
    for axes in (down, right):
        axes.figure.clear()
    assert len(down.patches) == len(right.patches)


def test_a_plot_draws_a_branch_to_the_right_where_svg_does():
    tree = tree_of("golf")
    curve = of(picture(tree.model_, look=Look(orientation="right")), "branch", Curve)[0]
    ax = tree.plot(orientation="right")
    extents = [patch.get_path().get_extents() for patch in ax.patches]
    assert any(
        np.allclose((box.x0, box.x1), (curve.y, curve.to_y), atol=1.0)
        and min(curve.x, curve.to_x) - 20 < box.y0 < box.y1 < max(curve.x, curve.to_x) + 20
        for box in extents
    )


@pytest.mark.parametrize(
    ("look", "error", "words"),
    [
        ({"node_ids": 1}, ParameterTypeError, "node_ids=1 is neither True nor False"),
        ({"precision": 2.5}, ParameterTypeError, "precision=2.5 is not a whole number"),
        ({"precision": 0}, ParameterError, "precision=0 is out of range; give 1 to 17"),
        ({"orientation": "left"}, ParameterError, "orientation='left' is not known; give 'down', 'right'"),
        ({"node_id": True}, ParameterTypeError, "node_id= is not an option .* Did you mean 'node_ids'"),
    ],
)
def test_what_no_drawing_has_is_refused(look, error, words):
    tree = tree_of("golf")
    for method in ("to_svg", "to_dot", "to_mermaid", "to_html", "plot"):
        with pytest.raises(error, match=words):
            getattr(tree, method)(**look)


def test_the_command_line_draws_as_python_does(tmp_path):
    tree, model = tree_of("golf"), tmp_path / "golf.tw.json"
    tree.save(model)
    words = ("--node-ids", "--impurity", "--counts", "--precision", 3, "--orientation", "right")
    ran = run("show", model, "--format", "svg", *words)
    assert ran.out.rstrip() == tree.to_svg(**ALL, precision=3, orientation="right").rstrip()
    refused(run("show", model, "--format", "json", "--node-ids"), 2, "--node-ids does not apply to json")
    refused(run("show", model, "--format", "text", "--precision", 3), 2, "--precision does not apply to text")
    refused(run("show", model, "--format", "svg", "--precision", 0), 2, "--precision 0 is out of range")


MARKUP = re.compile(r"<style>.*?</style>|<[^>]+>|&[a-z#0-9]+;", re.S)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "hostile"])
@pytest.mark.parametrize("method", ["to_svg", "to_html", "to_dot", "to_mermaid"])
def test_drawings_in_chinese_say_all_in_chinese(kind, method):
    tree = tree_of(kind)

    def said(lang):
        if method in ("to_dot", "to_mermaid"):
            return " ".join(line for box in boxes_of(tree, method, lang=lang, **ALL) for line in box)
        return MARKUP.sub(" ", getattr(tree, method)(max_depth=2, max_nodes=5, lang=lang, **ALL))

    data = [*tree.model_.schema.names, *getattr(tree, "classes_", ()), tree.model_.schema.target_name]
    data += [label for column in tree.model_.schema.columns for label in column.categories]
    known = set(re.findall(r"[A-Za-z]{2,}", " ".join(map(str, data))))
    assert set(re.findall(r"[A-Za-z]{2,}", said("zh"))) - known == set()
    english, chinese = (sorted(re.findall(r"\d+(?:\.\d+)?", said(lang))) for lang in ("en", "zh"))
    assert english == chinese


def test_a_drawing_in_chinese_reads_as_expected():
    tree = tree_of("golf")
    assert boxes_of(tree, "to_svg", lang="zh", **ALL)[0] == [
        *("outlook", "14 个样本", "Play 9, Don't Play 5", "不纯度 0.94", "结点 0")
    ]
    svg = tree.to_svg(lang="zh", max_nodes=4)
    assert "<title>class 的决策树: 8 个结点, 画出 4 个, 5 个叶结点</title>" in svg
    assert "… 另 2 个" in svg
    page = tree.to_html(lang="zh")
    assert '<html lang="zh-CN">' in page
    assert "8 个结点, 5 个叶结点, 2 层划分. 指向方框可看详情." in page
    assert tree.to_text(lang="zh").splitlines()[-1] in page.replace("&gt;", ">").replace("&#x27;", "'")
    with pytest.raises(ParameterError, match="lang='fr'"):
        tree.to_svg(lang="fr")
    leaf = tree_of("a leaf").to_html()
    assert "<p>1 node, 1 leaf, 0 levels of questions. Point" in leaf
