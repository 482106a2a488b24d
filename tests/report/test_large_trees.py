"""Trees of thousands of nodes on a page: what is made of them, and that the reader does not lose them."""

import re
import tracemalloc

import numpy as np
import pytest

import report_pages
import treewright as tw
from report_pages import MOST_BOXES, box_of, boxes, heading, report_of
from treewright.errors import DeepTreeWarning
from treewright.estimators.reporting import summary_of
from treewright.report.distributions import NodeDistributions

CELL = 2  # pixels, of which each shows one node

# The marks of a tree from afar: colour, and place and size of each.
MARKS = """() => [...document.querySelectorAll('svg.tree .mark')].flatMap(path =>
  path.getAttribute('d').split('z').filter(Boolean).map(one => {
    const [x, y, width, height] = one.match(/-?[0-9.]+/g).map(Number);
    return {style: path.getAttribute('class'), x, y, width, height};
  }))"""
SETTLED = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))"


@pytest.fixture
def large(shared, folder, opened):
    """Give a tree of some 5,000 nodes and its page, with all of them open."""
    tree, file = report_of("5,000 nodes", shared, folder)
    page = opened(file)
    page.click("#open-all")
    return tree.tree_, page


def frame_of(page):
    return page.locator("svg.tree").bounding_box()


def in_view(page):
    """Give the numbers of the nodes whose boxes are to be seen."""
    return page.evaluate(
        """() => {
          const frame = document.querySelector('svg.tree').getBoundingClientRect();
          return [...document.querySelectorAll('.box:not(.far)')].filter(box => {
            const at = box.querySelector('rect').getBoundingClientRect();
            const isBeside = at.left >= frame.right || at.right <= frame.left;
            return !isBeside && at.top < frame.bottom && at.bottom > frame.top;
          }).map(box => Number(box.dataset.number));
        }"""
    )


def drag(page, x, y):
    frame = frame_of(page)
    from_x, from_y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    page.mouse.move(from_x, from_y)
    page.mouse.down()
    page.mouse.move(from_x + x, from_y + y, steps=2)
    page.mouse.up()


def zoom_in(page, times):
    for _ in range(times):
        page.click("#zoom-in")


def test_from_afar_a_few_pixels_show_one_node_and_no_node_has_a_box_but_those_that_keys_lead_to(large):
    tree, page = large
    assert tree.n_nodes > 5_000
    marks, frame = page.evaluate(MARKS), frame_of(page)
    cells = {(mark["x"] // CELL, mark["y"] // CELL) for mark in marks}
    assert 300 < len(marks) <= 1.1 * len(cells)
    assert len(marks) < 0.8 * tree.n_nodes
    assert boxes(page) == 2  # the root, which is selected, and the node after it
    colours = {mark["style"].split()[1] for mark in marks}
    assert colours == {"c0", "c1"}
    for at, size in (("x", "width"), ("y", "height")):
        ends = [mark[at] for mark in marks], [mark[at] + mark[size] for mark in marks]
        assert 0 <= min(ends[0]) < 40, "the tree fills the frame"
        assert frame[size] - 40 < max(ends[1]) <= frame[size]


def test_zooming_in_turns_marks_into_boxes_of_what_is_in_view_only(large):
    tree, page = large
    page.fill("#search", str(tree.n_nodes // 2))
    page.keyboard.press("Enter")
    assert page.evaluate(MARKS) == []
    seen = in_view(page)
    assert 5 < len(seen) <= boxes(page) <= MOST_BOXES
    assert boxes(page) <= len(seen) + 3
    drag(page, 0, -200)
    after = in_view(page)
    assert set(after) != set(seen)
    assert boxes(page) <= len(after) + 3
    numbers = page.locator(".box").evaluate_all("all => all.map(box => Number(box.dataset.number))")
    assert numbers == sorted(numbers), "they are read out in the order of the tree"
    page.click("#fit")
    assert len(page.evaluate(MARKS)) > 300


def test_a_click_on_a_mark_selects_its_node_and_a_second_one_goes_there(large):
    _, page = large
    frame = frame_of(page)
    mark = max(
        (mark for mark in page.evaluate(MARKS) if "inner" not in mark["style"]), key=lambda mark: mark["x"]
    )
    at = {"x": mark["x"] + mark["width"] / 2, "y": mark["y"] + mark["height"] / 2}
    assert 0 < at["x"] < frame["width"]
    page.locator("svg.tree").click(position=at)
    number = int(heading(page).removeprefix("Node "))
    assert number != 0
    assert box_of(page, number).get_attribute("aria-selected") == "true"
    assert number not in in_view(page)
    page.locator("svg.tree").click(position=at)
    assert heading(page) == f"Node {number}"
    assert number in in_view(page)


def test_keys_walk_a_tree_of_marks_too(large):
    tree, page = large
    box_of(page, 0).focus()
    for key, expected in (
        ("ArrowRight", 1),
        ("ArrowDown", 2),
        ("ArrowUp", 1),
        ("End", tree.n_nodes - 1),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.number") == str(expected)
        box = box_of(page, expected)
        assert int(box.get_attribute("aria-level")) == tree.depth[expected] + 1
        assert box.get_attribute("role") == "treeitem"
        assert heading(page) == f"Node {expected}"
    page.click("#fit")
    box_of(page, 0).focus()
    page.keyboard.press("ArrowLeft")
    assert boxes(page) == 1, "the root is closed"
    assert page.evaluate("document.activeElement.dataset.number") == "0"


def test_nodes_that_are_found_stand_out_from_afar(large):
    tree, page = large
    wanted = tree.n_nodes // 2
    page.fill("#search", str(wanted))
    assert [mark["style"] for mark in page.evaluate(MARKS)].count("mark found") == 1
    page.click("#next")
    assert heading(page) == f"Node {wanted}"
    assert wanted in in_view(page)
    assert "found" in box_of(page, wanted).get_attribute("class")


@pytest.mark.parametrize("name", ["watermelon", "5,000 nodes"])
def test_neither_pan_nor_zoom_loses_the_tree(name, shared, folder, opened):
    _, file = report_of(name, shared, folder)
    page = opened(file)
    for x, y in ((-350, 0), (0, 200), (350, 0), (0, -200), (350, 200)):
        for _ in range(5):
            drag(page, x, y)
        assert in_view(page), (x, y)
    page.click("#close-all")
    for _ in range(6):
        drag(page, 350, 200)
    assert in_view(page) == [0]
    page.click("#open-all")
    fitted = tree_width(page)
    page.evaluate("for (let times = 0; times < 30; times++) document.querySelector('#zoom-out').click()")
    assert tree_width(page) > fitted / 4


def tree_width(page):
    return page.evaluate("document.querySelector('svg.tree > g').getBoundingClientRect().width")


def test_a_small_picture_shows_where_one_is_and_leads_elsewhere(large):
    _, page = large
    minimap, window = page.locator(".minimap"), page.locator(".minimap .window")

    def down():
        return float(window.get_attribute("y"))

    assert not minimap.is_visible(), "all of it is in view"
    zoom_in(page, 6)
    assert minimap.is_visible()
    assert page.locator(".minimap .mark").count() >= 2
    whole, before, marks = minimap.bounding_box(), down(), page.evaluate(MARKS)
    assert float(window.get_attribute("height")) < whole["height"] / 3
    minimap.click(position={"x": 30, "y": whole["height"] - 8})
    assert page.evaluate(MARKS) != marks
    assert down() > before + 10
    page.click("#fit")
    assert not minimap.is_visible()


def test_the_address_of_a_node_leads_to_it(shared, folder, opened):
    tree, file = report_of("california", shared, folder)
    page = opened(file)
    assert page.evaluate("location.hash") == ""
    wanted = int(tree.tree_.n_nodes * 0.7)
    page.fill("#search", str(wanted))
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == f"#node={wanted}"
    page.evaluate("location.hash = '#node=3'")
    page.wait_for_function("document.querySelector('#panel-node h3').textContent === 'Node 3'")
    stop = str(int(page.locator("#stop").get_attribute("max")) - 2)
    page.locator("#stop").fill(stop)
    page.fill("#search", "5")
    page.keyboard.press("Enter")
    told = page.evaluate("location.hash")
    rule = page.locator("#panel-node .path").text_content()
    assert re.fullmatch(r"#node=5&stop=\d+", told)
    page.goto("about:blank")
    page.goto(file.as_uri() + told)
    assert heading(page) == "Node 5"
    assert page.locator("#panel-node .path").text_content() == rule
    assert page.locator("#stop").input_value() == stop
    assert 5 in in_view(page)
    page.goto("about:blank")
    for nonsense in ("#node=999999", "#node=1&stop=999999", "#rules"):
        page.goto(file.as_uri() + nonsense)
        assert heading(page) == "Node 0"
        page.goto("about:blank")


def test_a_tree_that_was_fitted_is_fitted_again_when_its_frame_changes(shared, folder, opened):
    _, file = report_of("watermelon", shared, folder)
    page = opened(file, viewport={"width": 1280, "height": 900})
    whole = len(in_view(page))
    page.set_viewport_size({"width": 700, "height": 800})
    page.evaluate(SETTLED)
    frame, tree = frame_of(page), page.locator("svg.tree > g").bounding_box()
    assert len(in_view(page)) == whole
    assert frame["x"] <= tree["x"]
    assert tree["x"] + tree["width"] <= frame["x"] + frame["width"]
    zoom_in(page, 3)
    middle = """() => {
      const {left, width} = document.querySelector('svg.tree').getBoundingClientRect();
      return left + width / 2;
    }"""
    root = "() => document.querySelector('.box rect').getBoundingClientRect().left"
    apart = page.evaluate(root) - page.evaluate(middle)
    page.set_viewport_size({"width": 1100, "height": 800})
    page.evaluate(SETTLED)
    assert page.evaluate(root) - page.evaluate(middle) == pytest.approx(apart, abs=1), "the middle stays"


def test_a_table_of_many_rules_has_only_the_lines_near_those_in_view(shared, folder, opened):
    tree, file = report_of("5,000 nodes", shared, folder)
    page = opened(file)
    n_leaves = tree.get_n_leaves()
    table, lines = page.locator("#rules table"), page.locator("#rules tbody tr")
    assert table.get_attribute("aria-rowcount") == str(n_leaves + 1)
    for share in (0, 0.3, 0.31, 0.7, 1, 0.5):
        at = page.evaluate(
            """async share => {
              const region = document.querySelector('#rules .scroll');
              region.scrollIntoView();
              region.scrollTop = share * region.scrollHeight;
              await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
              const {left, top} = region.getBoundingClientRect();
              const line = document.elementFromPoint(left + 20, top + 200).closest('tr');
              return Number(line.getAttribute('aria-rowindex'));
            }""",
            share,
        )
        assert 34 <= lines.count() <= 300
        assert abs(at / n_leaves - share) < 0.1, "the line in view is that of the place scrolled to"
    page.locator("#rules .scroll").evaluate("region => { region.scrollTop = region.scrollHeight }")
    page.evaluate(SETTLED)
    assert lines.last.get_attribute("aria-rowindex") == str(n_leaves + 1)
    page.click("#rules [data-key=rows]")
    assert lines.first.get_attribute("aria-rowindex") == "2"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert lines.count() == n_leaves, "on paper are all of them"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert lines.count() <= 300


def chain(n_levels):
    """Grow a tree that takes one row off at each level."""
    X, y = {"x": np.arange(n_levels + 1.0)}, np.arange(n_levels + 1) % 2
    with pytest.warns(DeepTreeWarning):
        return tw.DecisionTreeClassifier().fit(X, y), X, y


def test_what_the_report_of_a_chain_takes_does_not_grow_with_its_depth(monkeypatch):
    tree, X, y = chain(2_000)
    assert tree.get_depth() == 2_000
    rows = tree._labelled(X, y, None, "report on").encoded(tree.model_)
    tracemalloc.start()
    spread = NodeDistributions(tree.tree_, rows, np.array([0, 1])).describe(tree.model_.schema)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    told = sum(node["n"] for node in spread)
    assert told > 2_000_000, "rows by the nodes they pass"
    assert peak < 8 * told, "not even one number for each of these"
    path_of = type(tree.tree_).path_of
    asked = []
    monkeypatch.setattr(
        type(tree.tree_),
        "path_of",
        lambda self, leaves: (asked.append(len(leaves)), path_of(self, leaves))[1],
    )
    assert summary_of(tree, X, y)["trees"][0]["spread"][0]["n"] == 2_001
    assert set(asked) <= {1}, "paths of single nodes, for their ledgers"


def test_a_chain_of_thousands_of_levels_is_opened_searched_and_told(folder, opened):
    tree, X, y = chain(7_800)
    page = opened(tree.report(folder / "chain.html", X, y))
    page.click("#open-all")
    assert len(page.evaluate(MARKS)) < 2_000
    last = tree.tree_.n_nodes - 1
    page.fill("#search", str(last))
    page.click("#next")
    assert heading(page) == f"Node {last}"
    assert page.locator("#panel-node .path").text_content().strip() == "x > 7799.5"
    page.fill("#search", "x > 7799.5")
    assert page.locator("#found").text_content() == "1 node"


def test_a_large_tree_is_printed_whole_and_shown_as_before(large):
    _, page = large
    zoom_in(page, 20)
    before = page.locator("svg.tree > g").get_attribute("transform")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(page.evaluate(MARKS)) > 300
    assert page.locator("svg.tree").get_attribute("viewBox").startswith("0 0 ")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("svg.tree").get_attribute("viewBox") is None
    assert page.locator("svg.tree > g").get_attribute("transform") == before


def test_two_fingers_zoom_and_one_pans(shared, folder, opened):
    _, file = report_of("watermelon", shared, folder)
    page = opened(file, viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page.locator("svg.tree").scroll_into_view_if_needed()
    frame = frame_of(page)
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    wire = page.context.new_cdp_session(page)

    def touch(kind, *points):
        touches = [{"x": at_x, "y": at_y, "id": at} for at, (at_x, at_y) in enumerate(points)]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    before = report_pages.scale(page)
    touch("touchStart", (x - 30, y), (x + 30, y))
    for far in (40, 60, 80):
        touch("touchMove", (x - far, y), (x + far, y))
    touch("touchEnd")
    assert report_pages.scale(page) > before * 2
    transform = page.locator("svg.tree > g").get_attribute("transform")
    touch("touchStart", (x, y))
    for far in (10, 20, 30):
        touch("touchMove", (x - far, y))
    touch("touchEnd")
    assert page.locator("svg.tree > g").get_attribute("transform") != transform
    assert report_pages.scale(page) > before * 2
