"""Rules are filtered by support and confidence, copied and saved as text."""

import re

import numpy as np

import treewright as tw
from report_pages import report_of, rules_told


def test_rules_are_filtered_by_support_and_confidence(shared, folder, opened):
    tree, file = report_of("adult", shared, folder)
    page = opened(file)
    rules = tree.rules()
    for support, confidence in ((2.0, ""), ("", 90.0), (0.5, 80.0)):
        page.fill("#least-support", str(support))
        page.fill("#least-confidence", str(confidence))
        expected = [
            str(rule.path.leaf)
            for rule in rules
            if 100 * rule.support >= (support or 0) and 100 * (rule.confidence or 0) >= (confidence or 0)
        ]
        assert 0 < len(expected) < len(rules)
        assert [told[0] for told in rules_told(page)] == expected[:100]
    page.click("[data-key=rows]")
    counts = [int(told[3].replace(",", "")) for told in rules_told(page)]
    assert counts == sorted(counts, reverse=True)
    page.fill("#least-support", "")
    page.fill("#least-confidence", "")
    page.locator("#stop").fill("1")
    assert len(rules_told(page)) == 2


def test_rules_are_copied_and_saved_whole(folder, opened):
    towns = [f"town {n}" for n in range(40)]
    rng = np.random.default_rng(1)
    age = np.where(rng.random(600) < 0.1, np.nan, rng.random(600))
    X = {"town": rng.choice(towns, 600).tolist(), "age": age}
    y = [(int(town[5:]) % 2 > 0) + (old > 0.5) for town, old in zip(X["town"], age, strict=True)]
    tree = tw.DecisionTreeClassifier(max_depth=3).fit(X, y)
    file = tree.report(folder / "copied.html", X, y)
    page = opened(file, permissions=["clipboard-read", "clipboard-write"])
    page.click("#copy-rules")
    page.locator("#rules-said", has_text=f"{tree.get_n_leaves()} rules copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(copied) == tree.get_n_leaves()
    for line, rule in zip(copied, tree.rules(), strict=True):
        assert line.startswith("If ")
        assert line.endswith(f"Then {rule.answer} [{rule.n_rows:,} rows, Confidence {rule.confidence:.3f}]")
        assert "more}" not in line, "every category by its name"
    assert sum(line.count("town ") > 15 for line in copied) > 1
    gaps = [line for line in copied if " or missing" in line and " and " in line]
    assert gaps
    assert all(re.search(r"\(age [^()]+ or missing\)", line) for line in gaps)
    page.fill("#least-support", "30")
    with page.expect_download() as download:
        page.click("#download-rules")
    assert download.value.suggested_filename == "rules.txt"
    saved = download.value.path().read_text("utf-8").splitlines()
    assert saved == [line for line, rule in zip(copied, tree.rules(), strict=True) if rule.support >= 0.3]
    assert len(rules_told(page)) == len(saved) < len(copied)


def test_the_rules_of_a_regression_have_no_confidence(shared, folder, opened):
    tree, file = report_of("california", shared, folder)
    page = opened(file)
    assert page.locator("#least-confidence").count() == 0
    page.fill("#least-support", "5")
    assert [told[0] for told in rules_told(page)] == [
        str(rule.path.leaf) for rule in tree.rules() if rule.support >= 0.05
    ]
