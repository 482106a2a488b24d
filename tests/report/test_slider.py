"""The slider of pruning: every stop of every report, held to `prune`."""

import json

import pytest

import report_pages
from report_pages import boxes, report_of

# Goes to every stop as a hand would, and writes down all that is to be seen there.
EVERY_STOP = """() => {
  const slider = document.querySelector('#stop');
  const text = selector => document.querySelector(selector).textContent;
  const found = [];
  for (let stop = 0; stop <= Number(slider.max); stop++) {
    slider.value = slider.max - stop;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    found.push({
      nodes: treewright.nodes(),
      drawn: [...document.querySelectorAll('.box')].map(box => [
        Number(box.dataset.number), box.classList.contains('leaf'), box.getAttribute('aria-expanded')]),
      said: text('output.stop'),
      spoken: slider.getAttribute('aria-valuetext'),
      leaves: text('.summary dl div:nth-child(2) dd'),
      rules: [...document.querySelectorAll('#rules tbody tr')].map(row => row.cells[1].textContent),
      mark: document.querySelector('.pruning .dot').getAttribute('cx'),
    });
  }
  return JSON.stringify(found);
}"""


def nodes_of(tree):
    """Give the nodes of a fitted tree as the page does."""
    nodes = tree.tree_
    labels = tree.classes_.tolist() if nodes.is_classifier else None
    return {
        "parent": nodes.parent.tolist(),
        "column": nodes.column.tolist(),
        "rows": nodes.n_rows.tolist(),
        "answer": nodes.outcome[:, 0].tolist()
        if labels is None
        else [str(labels[code]) for code in nodes.answer.tolist()],
    }


def assert_drawn(drawn, tree):
    """See that what is drawn is the top of a tree: a node that is open with all that is below it."""
    numbers = [number for number, _, _ in drawn]
    opened = {number for number, _, expanded in drawn if expanded == "true"}
    expected = {0} | {child for number in opened for child in tree.children(number)}
    assert set(numbers) == expected
    assert len(numbers) == len(expected)
    for number, is_leaf, expanded in drawn:
        assert is_leaf == (tree.column[number] < 0)
        assert (expanded is None) == is_leaf


@pytest.mark.parametrize("name", report_pages.REPORTS)
def test_the_slider_shows_the_trees_that_prune_gives_at_every_stop(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder)
    page = opened(file)
    as_fitted = nodes_of(tree)
    assert page.evaluate("treewright.nodes()") == as_fitted
    path = report_pages.data_of(page)["path"]
    stops = json.loads(page.evaluate(EVERY_STOP))
    assert len(stops) == len(path["alphas"]) >= 3
    for at, (alpha, stop) in enumerate(zip(path["alphas"], stops, strict=True)):
        pruned = tree.prune("cost-complexity", alpha=alpha)
        n_leaves = pruned.get_n_leaves()
        assert stop["nodes"] == nodes_of(pruned)
        assert_drawn(stop["drawn"], pruned.tree_)
        assert stop["said"].split()[0] == stop["leaves"] == f"{n_leaves:,}"
        assert stop["said"].endswith("as fitted") == (at == path["fitted"])
        assert stop["spoken"] == stop["said"]
        assert stop["rules"] == [report_pages.in_words(rule) for rule in pruned.rules()[:100]]
    assert n_leaves == len(stops[-1]["drawn"]) == 1
    marks = [float(stop["mark"]) for stop in stops]
    assert marks == sorted(marks, reverse=True), "the slider and the curve run the same way"
    assert len({stop["mark"] for stop in stops}) == len({len(stop["nodes"]["rows"]) for stop in stops})
    page.locator("#stop").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("treewright.nodes()") == stops[-2]["nodes"]
    assert boxes(page) > 1
    page.click("#fitted")
    assert page.evaluate("treewright.nodes()") == as_fitted
    assert page.locator("output.stop").text_content() == f"{tree.get_n_leaves():,} leaves, as fitted"


def test_the_trees_of_the_path_are_nested_and_none_below_fifty_leaves_is_passed_over(shared, folder, opened):
    tree, file = report_of("california", shared, folder)
    path = report_pages.data_of(opened(file))["path"]
    table = tree.pruning_path_ if hasattr(tree, "pruning_path_") else tree.pruning_table_
    small = [n for n in table.n_leaves.tolist() if n <= 50]
    assert [n for n in path["leaves"] if n <= 50] == sorted(small, reverse=True)


def test_the_curve_has_the_band_of_one_standard_error(shared, folder, opened):
    tree, file = report_of("california", shared, folder)
    page = opened(file)
    points = page.locator(".pruning polygon.band").get_attribute("points").split()
    table = tree.pruning_table_
    assert len(points) == 2 * len(table)
    assert page.locator(".pruning line.allowed").count() == 1
    # The picture is 104 units high from no error to the highest.
    heights = [118 - float(point.split(",")[1]) for point in points]
    highest = max(1.0, (table.cv_error + table.cv_std).max())
    upper = [104 * error / highest for error in (table.cv_error + table.cv_std).tolist()]
    lower = [104 * error / highest for error in (table.cv_error - table.cv_std).tolist()]
    assert heights == pytest.approx([*upper, *lower[::-1]])


def test_what_was_asked_and_searched_follows_the_slider(shared, folder, opened):
    _, file = report_of("california", shared, folder)
    page = opened(file)
    page.fill("#search", "medianIncome")
    n_found = int(page.locator("#found").text_content().split()[0])
    page.click("#tab-ask")
    page.get_by_label("medianIncome", exact=True).fill("9")
    before = page.locator(".answer strong").text_content()
    page.locator("#stop").fill("0")
    assert page.locator(".answer strong").text_content() != before
    assert page.locator(".box.lit").count() == 1
    assert page.locator("#found").text_content() == "0 nodes"
    page.click("#next")
    page.click("#fitted")
    assert int(page.locator("#found").text_content().split()[0]) == n_found
    assert page.locator(".answer strong").text_content() == before
