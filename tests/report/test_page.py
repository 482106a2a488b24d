"""The page of a report, used in a browser as people use it. `make browser` installs Chromium."""

import numpy as np
import pytest

import report_pages
import treewright as tw
from report_pages import box_of, boxes, heading, report_of, scale
from treewright.estimators.reporting import summary_of
from treewright.report.render import static


@pytest.mark.parametrize("name", report_pages.REPORTS)
def test_the_tree_is_zoomed_opened_and_closed(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder)
    page = opened(file)
    before = scale(page)
    page.click("#zoom-in")
    assert scale(page) > before * 1.3
    page.click("#zoom-out")
    page.click("#zoom-out")
    assert scale(page) < before * 0.8
    page.click("#close-all")
    assert boxes(page) == 1
    transform = page.locator("svg.tree > g").get_attribute("transform")
    frame = page.locator("svg.tree").bounding_box()
    page.mouse.move(frame["x"] + 30, frame["y"] + 30)
    page.mouse.down()
    page.mouse.move(frame["x"] + 90, frame["y"] + 70, steps=3)
    page.mouse.up()
    assert page.locator("svg.tree > g").get_attribute("transform") != transform
    page.click("#fit")
    assert page.locator("svg.tree > g").get_attribute("transform") == transform
    page.click("#open-all")
    assert boxes(page) == tree.tree_.n_nodes
    page.click("#close-all")
    box_of(page, 0).click()
    assert boxes(page) == 1 + len(tree.tree_.children(0))
    assert box_of(page, 0).get_attribute("aria-expanded") == "true"
    box_of(page, 0).click()
    assert boxes(page) == 1


@pytest.mark.parametrize("name", report_pages.REPORTS)
def test_the_tree_is_walked_with_keys_alone(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder)
    page = opened(file)
    page.click("#close-all")
    box_of(page, 0).focus()

    def at():
        return page.evaluate("document.activeElement.getAttribute('data-node')")

    page.keyboard.press("ArrowRight")
    assert boxes(page) == 1 + len(tree.tree_.children(0))
    assert at() == "0"
    page.keyboard.press("ArrowRight")
    assert at() == "1"
    first, second, *_ = page.locator(".box").evaluate_all("all => all.map(box => box.dataset.node).slice(1)")
    page.keyboard.press("ArrowDown")
    assert at() == second
    assert page.locator(".box[tabindex='0']").count() == 1
    assert box_of(page, second).get_attribute("aria-selected") == "true"
    page.keyboard.press("ArrowUp")
    assert at() == first
    page.keyboard.press("ArrowLeft")
    assert at() == "0"
    page.keyboard.press("End")
    assert at() == page.locator(".box").last.get_attribute("data-node")
    page.keyboard.press("Home")
    assert at() == "0"
    page.keyboard.press("Enter")
    assert boxes(page) == 1
    page.keyboard.press("*")
    assert boxes(page) == tree.tree_.n_nodes


@pytest.mark.parametrize("name", report_pages.REPORTS)
def test_nodes_are_found_by_number_column_and_rule(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder)
    page = opened(file)
    last = tree.tree_.n_nodes - 1
    page.fill("#search", str(last))
    assert page.locator("#found").text_content() == "1 node"
    page.keyboard.press("Enter")
    assert heading(page) == f"Node {last}"
    root = tree.tree_.node(0).question
    column = tree.model_.schema.names[root.column]
    page.fill("#search", column)
    asking = int((tree.tree_.column == root.column).sum())
    found = int(page.locator("#found").text_content().split()[0])
    assert found >= asking + len(tree.tree_.children(0))
    page.click("#next")
    assert heading(page) == "Node 0"
    page.click("#next")
    assert heading(page) != "Node 0"
    assert page.locator(".box.found").count() >= 2
    child = tree.tree_.children(0)[1]
    page.fill("#search", root.describe(tree.model_.schema, 1).removesuffix(" or missing"))
    page.click("#next")
    assert heading(page) == f"Node {child}"
    page.fill("#search", "no such column anywhere")
    assert page.locator("#found").text_content() == "0 nodes"


@pytest.mark.parametrize("name", report_pages.REPORTS)
def test_a_click_shows_how_the_rows_of_a_node_are_spread(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder)
    page = opened(file)
    child = tree.tree_.children(0)[0]
    page.fill("#search", str(child))
    page.keyboard.press("Enter")
    box_of(page, child).click()
    node = tree.tree_.node(child)
    panel = page.locator("#panel-node")
    assert heading(page) == f"Node {child}"
    assert panel.locator("dl.facts dd").first.text_content() == f"{node.n_rows:,}"
    box_of(page, 0).click()
    root = tree.tree_.node(0)
    if hasattr(root.question, "cut"):
        assert panel.locator("line.cut").count() == 1
        bars = panel.locator(".picture").first.locator("rect")
    else:
        bars = panel.locator(".categories tbody tr")
    assert bars.count() >= 2
    found = tw.audit(tree, *report_pages.REPORTS[name](shared)[1:])
    ledger = panel.locator(".ledger tbody")
    assert ledger.count() == min(len(found), 30)
    assert ledger.first.get_attribute("class") == "won"
    assert not ledger.first.locator("pre").is_visible()
    ledger.first.locator("summary").click()
    assert ledger.first.locator("pre").text_content() == found.formula(found.winner.column)
    assert ledger.first.locator("pre").is_visible()


def nodes_of(tree):
    return [
        {"column": int(column), "rows": int(rows), "depth": int(depth)}
        for column, rows, depth in zip(tree.column, tree.n_rows, tree.depth, strict=True)
    ]


@pytest.mark.parametrize("name", report_pages.REPORTS)
def test_the_slider_shows_the_trees_that_prune_gives(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder)
    page = opened(file)
    assert page.evaluate("treewright.nodes()") == nodes_of(tree.tree_)
    slider, text = page.locator("#stop"), page.locator("output.stop")
    path = page.evaluate("JSON.parse(document.getElementById('treewright-data').textContent).path")
    stops = sorted(
        {0, len(path["alphas"]) - 1, *np.linspace(0, len(path["alphas"]) - 1, 7).astype(int).tolist()}
    )
    for stop in stops:
        pruned = tree.prune("cost-complexity", alpha=path["alphas"][stop])
        slider.fill(str(stop))
        assert page.evaluate("treewright.nodes()") == nodes_of(pruned.tree_)
        assert text.text_content().split()[0] == f"{pruned.get_n_leaves():,}"
        assert page.locator("#rules tbody tr").count() == min(pruned.get_n_leaves(), 100)
        assert page.locator(".summary dd").nth(1).text_content() == f"{pruned.get_n_leaves():,}"
    assert boxes(page) == 1
    where = page.locator(".pruning line.cut").get_attribute("x1")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator(".pruning line.cut").get_attribute("x1") != where
    assert boxes(page) > 1
    page.click("#fitted")
    assert page.evaluate("treewright.nodes()") == nodes_of(tree.tree_)
    assert text.text_content() == f"{tree.get_n_leaves():,} leaves, as fitted"


def test_the_curve_has_the_band_of_one_standard_error(shared, folder, opened):
    tree, file = report_of("california", shared, folder)
    page = opened(file)
    points = page.locator(".pruning polygon.band").get_attribute("points").split()
    assert len(points) == 2 * len(tree.pruning_table_)
    assert page.locator(".pruning line.allowed").count() == 1


@pytest.mark.parametrize("name", report_pages.REPORTS)
def test_rules_are_sorted_and_lead_to_their_leaves(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder)
    page = opened(file)
    rules = tree.rules()
    rows = sorted((rule.n_rows for rule in rules), reverse=True)

    def told(place):
        texts = page.locator(f"#rules tbody td:nth-child({place})").all_text_contents()
        return [float(text.strip("%").replace(",", "")) for text in texts]

    page.click("#rules [data-key=rows]")
    assert told(4) == rows[:100]
    assert page.locator("#rules th[aria-sort=descending]").count() == 1
    page.click("#rules [data-key=rows]")
    assert told(4) == rows[::-1][:100]
    page.click("#rules [data-key=support]")
    assert told(5) == sorted(told(5), reverse=True)
    page.click("#rules [data-key=length]")
    lengths = page.locator("#rules tbody td:nth-child(2)").evaluate_all(
        "all => all.map(cell => cell.querySelectorAll('.condition').length)"
    )
    assert lengths == sorted(lengths)
    assert lengths == sorted(len(rule.conditions) for rule in rules)[:100]
    if tree.tree_.is_classifier:
        page.click("#rules [data-key=confidence]")
        assert told(6) == sorted(told(6), reverse=True)
    page.click("#rules [data-key=answer]")
    page.click("#rules [data-key=node]")
    leaves = np.flatnonzero(tree.tree_.column < 0).tolist()
    assert told(1) == leaves[:100]
    if len(leaves) > 100:
        page.click(".show-all")
        assert told(1) == leaves
    page.locator("#rules tbody .link").last.click()
    assert heading(page) == f"Node {leaves[-1]}"
    assert box_of(page, leaves[-1]).count() == 1 or tree.model_.grown is not None


def test_what_is_known_of_the_data_is_on_the_page(shared, folder, opened):
    tree, file = report_of("adult", shared, folder)
    _, X, y = report_pages.adult(shared)
    page = opened(file)
    matrix = page.locator(".matrix tbody td").all_text_contents()
    answers = tree.predict({name: values for name, values in X.items() if name != y})
    truth = np.array(X[y])
    counted = [f"{np.sum((truth == a) & (answers == b)):,}" for a in tree.classes_ for b in tree.classes_]
    assert matrix == counted
    first = page.locator(".importances tr").first
    assert (
        first.locator("th").text_content() == tree.model_.schema.names[np.argmax(tree.feature_importances_)]
    )
    assert page.locator(".profile tbody tr").count() == len(tree.model_.schema.columns)
    page.click("nav a[href='#data']")
    assert page.evaluate("scrollY") > 300
    residuals = opened(report_of("california", shared, folder)[1])
    assert residuals.locator("#quality .chart").count() == 2


def test_the_script_shows_reports_in_notebooks_too(shared, folder, opened):
    tree, file = report_of("watermelon", shared, folder)
    page = opened(file)
    notebook = page.context.new_page()
    script = notebook.evaluate_handle(
        "code => import(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})))",
        static("report.js"),
    )
    notebook.evaluate(
        """([script, summary]) => {
          const model = {get: name => ({summary, lang: "en"})[name]};
          for (const _ of [1, 2]) script.default.render({model, el: document.body});
        }""",
        [script, summary_of(tree, *report_pages.watermelon(shared)[1:])],
    )
    assert notebook.locator(".tw").count() == 2
    assert notebook.locator(".box").count() == 2 * tree.tree_.n_nodes
    notebook.locator(".tw").nth(1).locator("#close-all").click()
    assert notebook.locator(".box").count() == tree.tree_.n_nodes + 1
