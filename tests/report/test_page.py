"""The page of a report, used in a browser as people use it. `make browser` installs Chromium."""

import re

import numpy as np
import pytest

import report_pages
import treewright as tw
from report_pages import MOST_BOXES, box_of, boxes, heading, report_of, scale
from treewright.export.drawn import Words

# Turns the wheel over the tree, with or without the control key; tells whether the page may scroll.
WHEEL = """ctrlKey => document.querySelector('svg.tree').dispatchEvent(new WheelEvent('wheel', {
  deltaY: -200, ctrlKey, bubbles: true, cancelable: true, clientX: 300, clientY: 500,
}))"""


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
    assert page.evaluate(WHEEL, False), "the page scrolls, as everywhere"
    assert scale(page) == 1
    assert not page.evaluate(WHEEL, True), "the page stays where it is"
    assert scale(page) > 1.1
    page.click("#fit")
    page.click("#open-all")
    assert boxes(page) == (tree.tree_.n_nodes if tree.tree_.n_nodes <= MOST_BOXES else 2)
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
        return page.evaluate("document.activeElement.dataset.number")

    page.keyboard.press("ArrowRight")
    assert boxes(page) == 1 + len(tree.tree_.children(0))
    assert at() == "0"
    page.keyboard.press("ArrowRight")
    assert at() == "1"
    first, second, *_ = map(str, tree.tree_.children(0))
    page.keyboard.press("ArrowDown")
    assert at() == second
    assert heading(page) == f"Node {second}"
    assert page.locator(".box[tabindex='0']").count() == 1
    assert page.locator(".box[aria-selected=true]").count() == 1
    assert box_of(page, second).get_attribute("aria-selected") == "true"
    page.keyboard.press("ArrowUp")
    assert at() == first
    page.keyboard.press("ArrowLeft")
    assert at() == "0"
    page.keyboard.press("End")
    assert at() == str(tree.tree_.children(0)[-1])
    page.keyboard.press("Home")
    assert at() == "0"
    page.keyboard.press("ArrowLeft")
    assert boxes(page) == 1
    page.keyboard.press(" ")
    assert boxes(page) > 1
    page.keyboard.press("Enter")
    assert boxes(page) == 1
    assert at() == "0"
    page.keyboard.press("*")
    assert boxes(page) == (tree.tree_.n_nodes if tree.tree_.n_nodes <= MOST_BOXES else 2)
    page.keyboard.press("End")
    assert at() == str(tree.tree_.n_nodes - 1)
    frame, box = page.locator("svg.tree").bounding_box(), box_of(page, at()).bounding_box()
    assert frame["y"] <= box["y"] <= box["y"] + box["height"] <= frame["y"] + frame["height"]


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
    summary = report_pages.data_of(page)
    spread = summary["trees"][0]["spread"][0] if summary["path"]["fitted"] is None else None
    spread = spread or summary["trees"][summary["path"]["tree"]]["spread"][0]
    sums = [sum(groups) for groups in spread["counts"]]
    if hasattr(root.question, "cut"):
        bars = (
            panel.locator(".picture")
            .first.locator("rect")
            .evaluate_all(
                "all => all.map(bar => ['class', 'x', 'height'].map(name => bar.getAttribute(name)))"
            )
        )
        expected = [
            (f"c{group}", 16 * at + 0.5, 84 * weight / max(sums))
            for at, groups in enumerate(spread["counts"])
            for group, weight in enumerate(groups)
            if weight
        ]
        assert [style for style, _, _ in bars] == [style for style, _, _ in expected]
        assert [float(x) for _, x, _ in bars] == pytest.approx([x for _, x, _ in expected])
        assert [float(height) for *_, height in bars] == pytest.approx([height for *_, height in expected])
        place = (root.question.cut - spread["low"]) / (spread["high"] - spread["low"])
        assert float(panel.locator("line.cut").get_attribute("x1")) == pytest.approx(320 * place)
    else:
        categories = tree.model_.schema.columns[root.question.column].categories
        told = panel.locator(".categories tbody tr").evaluate_all(
            "all => all.map(row => [0, 2, 3].map(at => row.cells[at].textContent))"
        )
        assert told == [
            [categories[code], f"{n:,}", f"branch {root.question.branch_of(code) + 1}"]
            for code, n in zip(spread["codes"], sums, strict=True)
        ]
    found = tw.audit(tree, *report_pages.REPORTS[name](shared)[1:])
    ledger = panel.locator(".ledger tbody")
    assert ledger.count() == min(len(found), 30)
    assert ledger.first.get_attribute("class") == "won"
    assert not ledger.first.locator("pre").is_visible()
    ledger.first.locator("summary").click()
    assert ledger.first.locator("pre").text_content() == found.formula(found.winner.column)
    assert ledger.first.locator("pre").is_visible()


def test_what_is_known_of_the_data_is_on_the_page(shared, folder, opened):
    tree, file = report_of("adult", shared, folder)
    _, X, y = report_pages.adult(shared)
    page = opened(file)
    matrix = page.locator("#quality .matrix tbody td").all_text_contents()
    answers = tree.predict({name: values for name, values in X.items() if name != y})
    truth = np.array(X[y])
    counted = [f"{np.sum((truth == a) & (answers == b)):,}" for a in tree.classes_ for b in tree.classes_]
    assert matrix == counted
    names, importances = tree.model_.schema.names, tree.feature_importances_
    told = page.locator(".importances tr").evaluate_all(
        "all => all.map(row => [row.cells[0].textContent, row.cells[2].textContent])"
    )
    order = [at for at in np.argsort(-importances, kind="stable") if importances[at] > 0]
    assert told == [[names[at], f"{importances[at]:.3f}"] for at in order]
    assert page.locator(".profile tbody tr").count() == len(tree.model_.schema.columns)
    for place in ("data", "curves", "quality", "importances", "rules", "tree"):
        page.click(f"nav a[href='#{place}']")
        top = page.locator(f"#{place}").bounding_box()["y"]
        is_at_end = page.evaluate(
            "Math.abs(scrollY + innerHeight - document.documentElement.scrollHeight) < 2"
        )
        assert abs(top) < 2 or (is_at_end and 0 < top < 900)
        page.evaluate("scrollTo(0, 0)")
    residuals = opened(report_of("california", shared, folder)[1])
    heights = (
        residuals.locator("#quality .chart")
        .first.locator("rect")
        .evaluate_all("all => all.map(bar => Number(bar.getAttribute('height')))")
    )
    tree, X, y = report_pages.california(shared)
    missed = np.asarray(X[y]) - tree.predict({name: values for name, values in X.items() if name != y})
    counts = np.histogram(missed, 20)[0]
    assert heights == pytest.approx((74 * counts / counts.max()).tolist(), abs=0.3)
    assert residuals.locator("#quality .chart").nth(1).locator("rect.c0").count() > 50


def test_one_word_for_one_gain_and_no_ledger_without_candidates(shared, folder, opened):
    tree, file = report_of("watermelon", shared, folder)
    page = opened(file)
    panel = page.locator("#panel-node")
    assert panel.locator(".facts dt").all_text_contents() == [
        "Rows",
        "Impurity",
        "Weighted decrease",
    ]
    assert "Gain" in panel.locator(".ledger thead th").all_text_contents()
    leaf = int(np.flatnonzero(tree.tree_.column < 0)[0])
    page.fill("#search", str(leaf))
    page.keyboard.press("Enter")
    assert heading(page) == f"Node {leaf}"
    assert "What was considered here" in panel.text_content()
    assert panel.locator(".ledger").count() == 0


def test_the_weight_of_rows_is_told_where_it_differs_from_their_number(folder, opened):
    (X, y), weights = tw.datasets.load("golf"), np.arange(14) % 2 + 1.0
    tree = tw.C45Classifier().fit(X, y, sample_weight=weights)
    page = opened(tree.report(folder / "weights.html", X, y, sample_weight=weights))
    facts = page.locator("#panel-node .facts div").all_text_contents()
    assert facts[:2] == ["Rows14", "Weight21"]


def test_every_control_is_reached_with_the_keyboard(shared, folder, opened):
    _, file = report_of("watermelon", shared, folder)
    page = opened(file)
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        told = page.evaluate(
            """() => {
              const at = document.activeElement;
              const outline = getComputedStyle(at).outlineStyle;
              const stroke = at.matches('.box') && getComputedStyle(at.querySelector('rect')).strokeWidth;
              return [at.id || at.dataset.number || at.dataset.key || at.getAttribute('href') || at.tagName,
                      outline !== 'none' || stroke === '4px'];
            }"""
        )
        if told[0] == "BODY":  # the end of the page
            break
        reached.append(told[0])
        assert told[1], f"nothing shows that {told[0]} has the focus"
    toolbar = ["search", "next", "zoom-in", "zoom-out", "fit", "open-all", "close-all"]
    links = ["#tree", "#rules", "#importances", "#quality", "#curves", "#data"]
    expected = ["theme", *links, *toolbar, "stop", "fitted", "0", "tab-node"]
    assert [each for each in reached if each in expected][: len(expected)] == expected
    for key in ("node", "length", "answer", "rows", "support", "confidence"):
        assert key in reached
    before = boxes(page)
    page.focus("#close-all")
    page.keyboard.press("Enter")
    assert boxes(page) == 1 < before


def test_a_rule_that_is_pasted_into_the_search_leads_to_its_leaf(shared, folder, opened):
    for name in ("watermelon", "adult", "california"):
        tree, file = report_of(name, shared, folder)
        page = opened(file)
        for rule in list(tree.rules())[::9]:
            texts = [" and ".join(rule.texts)] + ([str(rule)] if tree.tree_.is_classifier else [])
            for text in texts:
                page.fill("#search", text)
                page.keyboard.press("Enter")
                numbers = page.locator(".box.found").evaluate_all("all => all.map(box => box.dataset.number)")
                assert str(rule.path.leaf) in numbers
                assert page.locator("#found").text_content() == (
                    "1 node" if len(numbers) == 1 else f"{len(numbers)} nodes"
                )
                assert len(numbers) <= 3


def test_a_click_on_a_node_shows_the_node_whatever_was_shown_before(shared, folder, opened):
    _, file = report_of("watermelon", shared, folder)
    page = opened(file)
    page.click("#tab-ask")
    box_of(page, 2).click()
    assert page.locator("#panel-node").is_visible()
    assert heading(page) == "Node 2"


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_leaves_of_numbers_say_how_far_their_rows_agree(criterion, folder, opened):
    rng = np.random.default_rng(4)
    X, y = {"x": rng.integers(0, 9, 80)}, np.floor(rng.gamma(2.0, 3.0, 80)) + 1
    tree = tw.DecisionTreeRegressor(criterion=criterion, max_leaf_nodes=4).fit(X, y)
    for lang, word in (("en", ""), ("zh", "标准差|平均绝对误差|偏差")):
        page = opened(tree.report(folder / f"{criterion}-{lang}.html", X, y, lang=lang))
        page.click("#open-all")
        words = Words(tree.model_)
        for leaf in np.flatnonzero(tree.tree_.column < 0).tolist():
            *_, told = box_of(page, leaf).locator("text.facts").first.text_content().split(" · ")
            measure, figure = told.split()
            expected = words.spread(leaf).split()
            assert float(figure) == pytest.approx(float(expected[1]), rel=1e-9)
            assert measure == expected[0] if lang == "en" else re.fullmatch(word, measure)


def test_a_leaf_that_no_row_reached_says_nothing_of_agreement(folder, opened):
    X, y = tw.datasets.load("watermelon_20a")
    tree = tw.C45Classifier(pruning=False, min_cases=1).fit(X, y)
    empty = np.flatnonzero(tree.tree_.n_rows == 0).tolist()
    assert empty
    page = opened(tree.report(folder / "empty.html", X, y))
    page.click("#open-all")
    for leaf in empty:
        assert box_of(page, leaf).locator("text.facts").first.text_content() == f"{leaf} · 0 rows"


def test_long_names_of_classes_are_broken_between_words_and_stay_in_the_panel(folder, opened):
    long = "approved after a long discussion by the whole committee"
    X, y = {"x": np.arange(40.0)}, [long if at % 3 else "no" for at in range(40)]
    tree = tw.DecisionTreeClassifier(max_depth=2).fit(X, y)
    page = opened(tree.report(folder / "classes.html", {"x": X["x"][:30]}, y[:30]))
    panel = page.locator("#panel-node")
    assert panel.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert panel.locator(".classes thead th").last.text_content() == "Rows given"
    heading = panel.locator(".classes tbody th").filter(has_text=long)
    n_lines = heading.evaluate(
        "each => each.getClientRects()[0].height / parseFloat(getComputedStyle(each).lineHeight)"
    )
    assert n_lines < 6
