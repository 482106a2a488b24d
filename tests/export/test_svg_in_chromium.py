"""What a browser makes of the drawings, measured by the browser itself.

`make browser` installs Chromium where that can be done.
"""

import html
import json
import re
import shutil
import subprocess

import pytest

import drawn_trees

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: make browser")

# For every drawing: boxes of nodes, labels and notes, and texts in them, as the browser lays them out.
MEASURE = """
<script>
const flat = box => [box.left, box.top, box.right, box.bottom];
const found = Array.from(document.querySelectorAll("svg.treewright"), svg => ({
  page: flat(svg.getBoundingClientRect()),
  groups: Array.from(svg.querySelectorAll("g"), group => ({
    kind: group.getAttribute("class").replace("tw-", ""),
    box: flat((group.querySelector("rect") || group).getBoundingClientRect()),
    texts: Array.from(group.querySelectorAll("text"),
                      text => [text.textContent, ...flat(text.getBoundingClientRect())]),
  })),
}));
const out = document.createElement("pre");
out.id = "measured";
out.textContent = JSON.stringify(found);
document.body.replaceChildren(out);
</script>
"""


def in_browser(text, folder, *options):
    """Give what the script of a page leaves in the element `measured`."""
    page = folder / "page.html"
    page.write_text(text, "utf-8")
    # A root of a container has no sandbox to be put in; the page is ours.
    ran = subprocess.run(
        [
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *options),
            *(f"--user-data-dir={folder / 'profile'}", "--dump-dom", page.as_uri()),
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    return json.loads(html.unescape(re.search(r'<pre id="measured">(.*?)</pre>', ran.stdout, re.S)[1]))


def measured(drawings, folder):
    return in_browser(f'<!DOCTYPE html><meta charset="utf-8"><body>{"".join(drawings)}{MEASURE}', folder)


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.01 and min(a[3], b[3]) - max(a[1], b[1]) > 0.01


def assert_inside(inner, outer, what):
    assert inner[0] >= outer[0] - 0.01, what
    assert inner[1] >= outer[1] - 0.01, what
    assert inner[2] <= outer[2] + 0.01, what
    assert inner[3] <= outer[3] + 0.01, what


def test_no_text_is_outside_its_box_and_no_boxes_overlap(shared, tmp_path):
    trees = {
        "adult": drawn_trees.adult(shared),
        **{kind: drawn_trees.tree_of(kind) for kind in drawn_trees.KINDS},
    }
    drawings = {name: tree.to_svg() for name, tree in trees.items()}
    drawings["first levels of many"] = drawn_trees.many_nodes().to_svg()
    for name, drawing in zip(drawings, measured(drawings.values(), tmp_path), strict=True):
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


def test_a_text_that_is_too_wide_would_be_noticed(tmp_path):
    drawing = drawn_trees.golf().to_svg().replace(">outlook<", ">outlook of the coming days<")
    (page,) = measured([drawing], tmp_path)
    root = next(group for group in page["groups"] if group["kind"] == "node")
    text, *extent = root["texts"][0]
    with pytest.raises(AssertionError, match="coming days"):
        assert_inside(extent, root["box"], text)


# Once the page is shown: where the root and the frame of the drawing are; and a moment later, scrolled back.
OPENED = """
<script>
setTimeout(() => {
  const frame = document.querySelector(".drawing"), at = frame.getBoundingClientRect();
  const root = document.querySelector("svg g.tw-node rect").getBoundingClientRect();
  const found = {width: frame.scrollWidth, scrolled: frame.scrollLeft,
                 frame: [at.left, at.right], root: [root.left, root.right]};
  setTimeout(() => {
    frame.scrollLeft = 5;
    setTimeout(() => {
      const out = document.createElement("pre");
      out.id = "measured";
      out.textContent = JSON.stringify({...found, back: frame.scrollLeft});
      document.body.replaceChildren(out);
    }, 300);
  }, 1500);
}, 300);
</script>
"""


def test_a_page_that_is_wider_than_the_window_opens_at_the_root(tmp_path):
    page = drawn_trees.many_nodes().to_html()
    opened = in_browser(page.replace("</body>", f"{OPENED}</body>"), tmp_path, "--virtual-time-budget=5000")
    left, right = opened["frame"]
    assert opened["width"] > 2 * (right - left)
    assert opened["scrolled"] > 0
    assert sum(opened["root"]) / 2 == pytest.approx((left + right) / 2, abs=10)  # beside the scroll bar
    assert opened["back"] == 5, "one may scroll to where one likes"
