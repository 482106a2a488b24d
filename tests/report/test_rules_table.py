"""The rules of a page, held word by word to `rules()`."""

import numpy as np
import pytest

import report_pages
import treewright as tw
from report_pages import (
    all_rules_told,
    assert_same_rules,
    box_of,
    heading,
    report_of,
    rules_expected,
    rules_told,
)


@pytest.mark.parametrize("name", report_pages.REPORTS)
def test_rules_say_what_rules_says_and_lead_to_their_leaves(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder)
    page = opened(file)
    expected = rules_expected(tree)
    assert_same_rules(rules_told(page), expected[:100])
    assert_same_rules(all_rules_told(page), expected)
    page.locator("#rules tbody .link").last.click()
    assert heading(page) == f"Node {expected[-1][0]}"
    assert box_of(page, expected[-1][0]).get_attribute("aria-selected") == "true"
    frame, box = page.locator("svg.tree").bounding_box(), box_of(page, expected[-1][0]).bounding_box()
    assert frame["x"] <= box["x"] <= frame["x"] + frame["width"]
    assert frame["y"] <= box["y"] <= frame["y"] + frame["height"]


@pytest.mark.parametrize("name", ["watermelon", "adult", "california"])
def test_rules_say_the_same_in_chinese(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder, lang="zh")
    assert_same_rules(rules_told(opened(file)), rules_expected(tree, "zh")[:100])


@pytest.mark.parametrize("name", report_pages.REPORTS)
def test_rules_are_sorted_by_every_heading_both_ways(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder)
    page = opened(file)
    rules = list(tree.rules())
    keys = {
        "length": lambda rule: len(rule.conditions),
        "answer": lambda rule: rule.answer if isinstance(rule.answer, float) else str(rule.answer),
        "rows": lambda rule: rule.n_rows,
        "support": lambda rule: rule.support,
        "confidence": lambda rule: -1 if rule.confidence is None else rule.confidence,
        "node": lambda rule: rule.path.leaf,
    }
    headings = page.locator("#rules [data-key]").evaluate_all("all => all.map(each => each.dataset.key)")
    assert set(headings) == set(keys) - (set() if tree.tree_.is_classifier else {"confidence"})
    for key in (key for key in keys if key in headings):
        rises = key in ("length", "answer", "node")
        for is_rising in (rises, not rises):
            page.click(f"#rules [data-key={key}]")
            expected = sorted(rules, key=keys[key], reverse=not is_rising)
            numbers = page.locator("#rules tbody td:nth-child(1)").all_text_contents()
            assert numbers == [str(rule.path.leaf) for rule in expected[:100]], (key, is_rising)
            order = "ascending" if is_rising else "descending"
            sorted_by = page.locator("#rules th:not([aria-sort=none])")
            assert sorted_by.count() == 1
            assert sorted_by.get_attribute("aria-sort") == order
            assert page.evaluate("document.activeElement.dataset.key") == key


def test_ends_too_near_each_other_are_written_with_all_their_digits(folder, opened):
    near = np.array([1.0, 1 + 2e-10, 1 + 4e-10, 1 + 6e-10])
    tiny = np.array([1e-9, 1e-9 + 2e-19, 1e-9 + 4e-19, 1e-9 + 6e-19])
    for at, x in enumerate((near, tiny, near * 2**54)):
        tree = tw.DecisionTreeClassifier().fit({"x": x}, ["a", "b", "a", "b"])
        page = opened(tree.report(folder / f"near{at}.html", {"x": x}, ["a", "b", "a", "b"]))
        expected = rules_expected(tree)
        assert any("<" in text and "≤" in text for _, text, *_ in expected)
        assert_same_rules(rules_told(page), expected)


def test_a_long_list_of_categories_is_shortened_as_rules_does_it(folder, opened):
    labels = [f"{word}{n}" for n in range(6) for word in ("plum", "宽大", "🍉x", "e\u0301", "a, b", " ")]
    rng = np.random.default_rng(4)
    X = {"label": [labels[at] for at in rng.integers(0, len(labels), 400)], "other": rng.random(400)}
    y = ["yes" if labels.index(label) % 5 < 2 else "no" for label in X["label"]]
    tree = tw.DecisionTreeClassifier(max_depth=3).fit(X, y)
    expected = rules_expected(tree)
    assert any(" more}" in text for _, text, *_ in expected)
    for lang in ("en", "zh"):
        page = opened(tree.report(folder / f"long-{lang}.html", X, y, lang=lang))
        assert_same_rules(rules_told(page), rules_expected(tree, lang))
