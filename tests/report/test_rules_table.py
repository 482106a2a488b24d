"""The rules of a page, held word by word to `rules()`."""

import re

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


def test_a_long_list_of_categories_is_folded_unfolds_and_is_found(folder, opened):
    labels = [f"{word}{n}" for n in range(6) for word in ("plum", "宽大", "🍉x", "e\u0301", "a, b", " ")]
    rng = np.random.default_rng(4)
    X = {"label": [labels[at] for at in rng.integers(0, len(labels), 400)], "other": rng.random(400)}
    y = ["yes" if labels.index(label) % 5 < 2 else "no" for label in X["label"]]
    tree = tw.DecisionTreeClassifier(max_depth=3).fit(X, y)
    for lang, more in (("en", r"… \d+ more"), ("zh", r"… 另有 \d+ 个")):
        page = opened(tree.report(folder / f"long-{lang}.html", X, y, lang=lang))
        fold = page.locator("#rules .fold").first
        assert re.fullmatch(more, fold.text_content())
        # The last category of the list is folded: a tooltip names it, a search finds it, a click shows it.
        whole, cell = fold.get_attribute("title"), page.locator("#rules td:has(.fold)").first.element_handle()
        last = re.split(r", (?!b)", whole)[-1].split("}")[0]
        assert last not in cell.text_content()
        page.fill("#search", f"label {whole}")
        assert page.locator("#found").text_content()[0] != "0"
        page.fill("#search", last)
        assert page.locator("#found").text_content()[0] != "0"
        n_folds = page.locator("#rules .fold").count()
        fold.click()
        assert page.locator("#rules .fold").count() == n_folds - 1
        assert whole in cell.text_content()
        assert_same_rules(rules_told(page), rules_expected(tree, lang))


def test_or_missing_stands_in_parentheses_beside_other_conditions(folder, opened):
    X = {"age": [1.0, 2.0, None, 4.0, 5.0, 6.0, 1.0, 2.0], "tsh": [1, 1, 1, 1, 1, 1, 2, 2]}
    y = ["s", "s", "s", "l", "l", "l", "m", "m"]
    tree = tw.DecisionTreeClassifier().fit(X, y)
    page = opened(tree.report(folder / "parentheses.html", X, y))
    told = rules_told(page)
    assert "(age ≤ 3 or missing) and tsh ≤ 1.5" in [text for _, text, *_ in told]
    assert_same_rules(told, rules_expected(tree))
    (number,) = (number for number, text, *_ in told if text == "(age ≤ 3 or missing) and tsh ≤ 1.5")
    page.fill("#search", "if (age ≤ 3 or missing) and tsh ≤ 1.5 then s")
    assert page.locator(".box.found").get_attribute("data-number") == number
