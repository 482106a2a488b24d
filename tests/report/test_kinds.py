"""Trees of every kind on a page: drawn, told as rules and asked as they are."""

import pytest

import kinds_of_trees
import report_pages
from report_pages import assert_same_rules, kind_with_rows, percent, rules_expected, rules_told

KINDS = [
    *("every type of column", "weights", "whole numbers as classes", "one leaf", "one leaf of numbers"),
    *("multiway", "a branch for gaps", "one against the rest", "spread", "refuse", "surrogates"),
    *("surrogates of numbers", "CART pruned with priors", "prior and loss", "monotone", "medians"),
    *("numbers in shares", "C4.5", "C4.5 unpruned", "C4.5 binary", "C4.5 with groups", "J48", "ID3"),
    *("ID3 with intervals", "one class"),
]

DRAWN = """() => {
  const attributes = element =>
    Object.fromEntries([...element.attributes].map(each => [each.name, each.value]));
  return {
    boxes: [...document.querySelectorAll('.box')].map(box => ({
      ...attributes(box),
      texts: [...box.querySelectorAll(':scope > text')].map(text => text.textContent),
      bar: [...box.querySelectorAll(':scope > g > rect:not(.track)')].map(rect => [
        rect.getAttribute('class'), Number(rect.getAttribute('width'))]),
    })),
    branches: [...document.querySelectorAll('path.branch')].map(path => ({
      ...attributes(path),
      dashes: getComputedStyle(path).strokeDasharray,
    })),
  };
}"""


def lead_to(tree, schema, node):
    """Tell what leads to a node, and whether rows without a value take the same branch."""
    parent = int(tree.parent[node])
    if parent < 0:
        return "all rows", False
    question, branch = tree.question(parent), tree.children(parent).index(node)
    text = question.condition(schema, branch).replace("<= ", "≤ ", 1)
    if tree.surrogates.of(parent, tree.integer_columns):  # gaps are not what decides there
        return text.removesuffix(" or missing"), False
    return text, question.is_for_missing(branch) or question.shares_missing(schema, branch)


def assert_text(shown, text):
    """Compare what is drawn, where there may be no room for all of it."""
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))


def assert_drawn_as_it_is(drawn, estimator):
    tree, schema = estimator.tree_, estimator.model_.schema
    boxes = {int(box["data-number"]): box for box in drawn["boxes"]}
    assert len(drawn["boxes"]) == len(boxes) == tree.n_nodes
    low, high = tree.outcome[:, 0].min(), tree.outcome[:, 0].max()
    for node, box in boxes.items():
        is_leaf, share = tree.column[node] < 0, tree.shares[node]
        lead, _ = lead_to(tree, schema, node)
        parent = int(tree.parent[node])
        siblings = tree.children(parent) if parent >= 0 else [node]
        rows = f"{tree.n_rows[node]:,} row{'' if tree.n_rows[node] == 1 else 's'}"
        assert box["role"] == "treeitem"
        assert int(box["aria-level"]) == tree.depth[node] + 1
        assert int(box["aria-setsize"]) == len(siblings)
        assert int(box["aria-posinset"]) == siblings.index(node) + 1
        assert box.get("aria-expanded") == (None if is_leaf else "true")
        assert ("leaf" in box["class"].split()) == is_leaf
        assert f"Node {node}: {lead}. " in box["aria-label"]
        assert box["aria-label"].endswith(rows)
        assert_text(box["texts"][0], lead)
        if not is_leaf:
            assert_text(box["texts"][1], f"{schema.names[tree.column[node]]} ?")
        elif tree.is_classifier:
            assert_text(box["texts"][1], str(schema.target.labels[tree.answer[node]]))
        if tree.is_classifier:
            agreement = f" · {percent(share.max())}" if tree.n_rows[node] else ""
            assert box["texts"][2] == f"{node} · {rows}{agreement}"
            assert dict(box["bar"]) == pytest.approx(
                {f"c{code}": 180 * each for code, each in enumerate(share.tolist()) if each}
            )
        else:
            level = (share[0] - low) / (high - low) if high > low else 0
            assert box["bar"] == [["c0", pytest.approx(max(2, 180 * level))]]
    assert sorted(int(branch["data-number"]) for branch in drawn["branches"]) == list(range(1, tree.n_nodes))
    for branch in drawn["branches"]:
        node = int(branch["data-number"])
        width = max(1, 16 * tree.weight[node] / tree.weight[0])
        assert float(branch["stroke-width"]) == pytest.approx(width, abs=0.006)
        _, is_for_gaps = lead_to(tree, schema, node)
        styles = branch["class"].split()
        assert ("missing" in styles) == is_for_gaps
        assert ("empty" in styles) == (tree.weight[node] == 0)
        assert (branch["dashes"] != "none") == (is_for_gaps or tree.weight[node] == 0)


@pytest.mark.parametrize("name", KINDS)
def test_trees_of_every_kind_are_drawn_told_and_asked_as_they_are(name, folder, opened):
    tree, X, y = kind_with_rows(name)
    page = opened(tree.report(folder / f"{name}.html", X, y))
    rows = kinds_of_trees.KINDS[name].rows()
    asked = page.evaluate("rows => treewright.ask(rows)", report_pages.as_typed(tree.model_, rows))
    expected, probabilities = report_pages.answers(tree, rows)
    assert [each["answer"] for each in asked] == expected
    assert [each["prediction"] for each in asked] == probabilities
    assert_same_rules(rules_told(page), rules_expected(tree))
    page.click("#open-all")
    assert_drawn_as_it_is(page.evaluate(DRAWN), tree)


@pytest.mark.parametrize("name", ["multiway", "a branch for gaps", "spread", "ID3 with intervals"])
def test_trees_of_some_kinds_are_told_in_chinese(name, folder, opened):
    tree, X, y = kind_with_rows(name)
    page = opened(tree.report(folder / f"{name}-zh.html", X, y, lang="zh"))
    assert_same_rules(rules_told(page), rules_expected(tree, "zh"))


def test_kinds_have_several_branches_sets_of_categories_and_branches_for_gaps():
    """See to it that the comparison above has something to compare."""
    trees = {name: kinds_of_trees.fitted(name) for name in KINDS}
    texts = [
        lead_to(each.tree_, each.model_.schema, node)
        for each in trees.values()
        for node in range(each.tree_.n_nodes)
    ]
    assert max(len(trees["multiway"].tree_.children(node.id)) for node in trees["multiway"].tree_.walk()) > 2
    for wanted in ("in {", "is missing", " or missing", "= ", "≤ ", "> ", "in ("):
        assert any(wanted in text for text, _ in texts), wanted
    assert any(is_for_gaps for _, is_for_gaps in texts)
    assert any((each.tree_.weight == 0).any() for each in trees.values())
