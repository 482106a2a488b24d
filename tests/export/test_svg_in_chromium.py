"""What a browser makes of the drawings, measured by the browser itself.

`make browser` installs Chromium where that can be done.
"""

import pytest

import drawn_trees

# For every drawing: boxes of nodes, labels and notes, and texts in them, as the browser lays them out.
MEASURE = """() => {
  const flat = box => [box.left, box.top, box.right, box.bottom];
  return Array.from(document.querySelectorAll("svg.treewright"), svg => ({
    page: flat(svg.getBoundingClientRect()),
    groups: Array.from(svg.querySelectorAll("g"), group => ({
      kind: group.getAttribute("class").replace("tw-", ""),
      box: flat((group.querySelector("rect") || group).getBoundingClientRect()),
      texts: Array.from(group.querySelectorAll("text"),
                        text => [text.textContent, ...flat(text.getBoundingClientRect())]),
    })),
  }));
}"""


@pytest.fixture
def page(browser):
    """Give an empty page."""
    page = browser.new_page()
    yield page
    page.close()


def measured(drawings, page):
    page.set_content(f'<!DOCTYPE html><meta charset="utf-8"><body>{"".join(drawings)}')
    return page.evaluate(MEASURE)


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.01 and min(a[3], b[3]) - max(a[1], b[1]) > 0.01


def assert_inside(inner, outer, what):
    assert inner[0] >= outer[0] - 0.01, what
    assert inner[1] >= outer[1] - 0.01, what
    assert inner[2] <= outer[2] + 0.01, what
    assert inner[3] <= outer[3] + 0.01, what


def test_no_text_is_outside_its_box_and_no_boxes_overlap(shared, page):
    trees = {
        "adult": drawn_trees.adult(shared),
        **{kind: drawn_trees.tree_of(kind) for kind in drawn_trees.KINDS},
    }
    drawings = {name: tree.to_svg() for name, tree in trees.items()}
    drawings["first levels of many"] = drawn_trees.many_nodes().to_svg()
    for name, drawing in zip(drawings, measured(drawings.values(), page), strict=True):
        groups = drawing["groups"]
        frames = [group["box"] for group in groups if group["kind"] != "legend"]
        n_nodes = trees[name].tree_.n_nodes if name in trees else 63
        assert sum(group["kind"] == "node" for group in groups) == n_nodes
        for at, frame in enumerate(frames):
            assert_inside(frame, drawing["page"], name)
            assert not any(overlap(frame, other) for other in frames[at + 1 :]), name
        for group in groups:
            legend = group["kind"] == "legend"
            for text, *extent in group["texts"]:
                assert_inside(extent, drawing["page"] if legend else group["box"], (name, text))
                assert not legend or not any(overlap(extent, frame) for frame in frames)


def test_a_text_that_is_too_wide_would_be_noticed(page):
    drawing = drawn_trees.golf().to_svg().replace(">outlook<", ">outlook of the coming days<")
    (found,) = measured([drawing], page)
    root = next(group for group in found["groups"] if group["kind"] == "node")
    text, *extent = root["texts"][0]
    with pytest.raises(AssertionError, match="coming days"):
        assert_inside(extent, root["box"], text)


# Where the root and the frame of the drawing are.
OPENED = """() => {
  const frame = document.querySelector(".drawing"), at = frame.getBoundingClientRect();
  const root = document.querySelector("svg g.tw-node rect").getBoundingClientRect();
  return {width: frame.scrollWidth, scrolled: frame.scrollLeft,
          frame: [at.left, at.right], root: [root.left, root.right]};
}"""
FRAME = "document.querySelector('.drawing')"


def test_a_page_that_is_wider_than_the_window_opens_at_the_root(page, tmp_path):
    drawn_trees.many_nodes().to_html(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    opened = page.evaluate(OPENED)
    left, right = opened["frame"]
    assert opened["width"] > 2 * (right - left)
    assert opened["scrolled"] > 0
    assert sum(opened["root"]) / 2 == pytest.approx((left + right) / 2, abs=10)  # beside the scroll bar
    page.wait_for_function(f"getComputedStyle({FRAME}).scrollSnapType === 'none'")
    page.evaluate(f"{FRAME}.scrollLeft = 5")
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
    assert page.evaluate(f"{FRAME}.scrollLeft") == 5, "one may scroll to where one likes"
