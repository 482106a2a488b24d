"""Ask the tree: answers worked out in the page, held to `predict`."""

import warnings

import numpy as np
import pytest

import report_pages
import treewright as tw
from labelled import fit
from report_pages import report_of
from treewright.errors import UnseenCategoryWarning
from treewright.parts.criteria import Variance
from treewright.parts.limits import Limits
from treewright.parts.missing import Surrogates
from treewright.recipes import Recipe


@pytest.mark.parametrize("name", report_pages.REPORTS)
def test_the_tree_answers_as_predict_does(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder)
    _, X, y = report_pages.REPORTS[name](shared)
    page = opened(file)
    rows = report_pages.rows_with_troubles(X, y if isinstance(y, str) else None, 1000)
    asked = page.evaluate("rows => treewright.ask(rows)", report_pages.as_typed(tree.model_, rows))
    expected, probabilities = report_pages.answers(tree, rows)
    assert [each["answer"] for each in asked] == expected
    assert [each["prediction"] for each in asked] == probabilities
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        path = tree.decision_path(rows).toarray()
        for at in range(0, 1000, 100):
            row = {column: values[at] for column, values in rows.items()}
            explained = np.reshape(tree.explain(row).contributions, (len(rows), -1))
            assert np.allclose(
                asked[at]["contributions"], explained, rtol=0, atol=1e-12 * np.abs(tree.tree_.outcome).max()
            )
    for each, shares in zip(asked, path, strict=True):
        assert dict(each["nodes"]) == pytest.approx(
            {node: share for node, share in enumerate(shares) if share}
        )


def test_rows_that_stop_at_a_node_are_answered_for_there(folder, opened):
    rng = np.random.default_rng(2)
    X = {name: np.where(rng.random(200) < 0.3, np.nan, rng.random(200)) for name in ("a", "b", "c")}
    y = np.nan_to_num(X["a"]) + 2 * np.nan_to_num(X["b"]) + rng.random(200)
    tree = tw.DecisionTreeRegressor().fit(X, y)
    recipe = Recipe(criterion=Variance(), missing=Surrogates(1, otherwise="stop"), limits=Limits(max_depth=4))
    tree = tree._with(fit(X, y, recipe=recipe))
    assert (tree.tree_.column[tree.apply(X)] >= 0).any()
    page = opened(tree.report(folder / "stops.html", X, y))
    asked = page.evaluate("rows => treewright.ask(rows)", report_pages.as_typed(tree.model_, X))
    assert [each["answer"] for each in asked] == tree.predict(X).tolist()
    assert [each["nodes"][-1][0] for each in asked] == tree.apply(X).tolist()


def test_a_pruned_tree_is_asked_as_it_is_shown(shared, folder, opened):
    tree, file = report_of("adult", shared, folder)
    _, X, y = report_pages.adult(shared)
    page = opened(file)
    alphas = report_pages.data_of(page)["path"]["alphas"]
    stop = len(alphas) - 8
    page.evaluate("stop => treewright.show(stop)", stop)
    pruned = tree.prune("cost-complexity", alpha=alphas[stop])
    rows = report_pages.rows_with_troubles(X, y, 200)
    asked = page.evaluate("rows => treewright.ask(rows)", report_pages.as_typed(tree.model_, rows))
    expected, probabilities = report_pages.answers(pruned, rows)
    assert [each["answer"] for each in asked] == expected
    assert [each["prediction"] for each in asked] == probabilities


def test_fields_are_filled_in_and_the_path_lights_up(shared, folder, opened):
    tree, file = report_of("watermelon", shared, folder)
    page = opened(file)
    assert not page.locator("#panel-ask").is_visible()
    page.click("#tab-ask")
    assert page.locator("#panel-ask").is_visible()
    assert not page.locator("#panel-node").is_visible()
    row = {"色泽": "青绿", "根蒂": "蜷缩", "敲声": "浊响", "纹理": "清晰", "脐部": "凹陷", "触感": "硬滑"}
    row |= {"密度": 0.2, "含糖率": 0.4}
    page.locator("#panel-ask details summary").click()
    for name, value in row.items():
        field = page.get_by_label(name, exact=True)
        field.select_option(value) if isinstance(value, str) else field.fill(str(value))
    answer = page.locator(".answer strong")

    def predicted(row):
        return tree.predict({name: [value] for name, value in row.items()})[0]

    assert answer.text_content() == predicted(row)
    lit = page.locator(".box.lit").evaluate_all("all => all.map(box => Number(box.dataset.node))")
    assert lit == tree.decision_path({name: [value] for name, value in row.items()}).indices.tolist()
    assert page.locator(".branch.lit").count() == len(lit) - 1
    before = answer.text_content()
    page.get_by_label("密度", exact=True).fill("0.7")
    assert answer.text_content() == predicted(row | {"密度": 0.7}) != before
    page.get_by_label("纹理", exact=True).select_option("another one")
    assert "every branch gets a share" in page.locator(".steps").text_content()
    assert page.locator(".box.lit").count() > 3
    page.get_by_label("密度", exact=True).fill("a lot")
    assert "no value of 密度" in page.locator(".problem").text_content()
    assert page.get_by_label("密度", exact=True).get_attribute("aria-invalid") == "true"
    page.click(".clear")
    assert page.locator(".box.lit").count() == 0
    assert page.get_by_label("密度", exact=True).input_value() == ""
    assert page.locator(".answer").count() == 0
    page.locator("#tab-ask").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#panel-node").is_visible()


def test_categories_too_many_to_choose_from_are_typed(folder, opened):
    labels = [f"kind {n}" for n in range(90)]
    X = {"label": labels * 2, "number": list(range(180))}
    y = [n % 90 < 45 for n in range(180)]
    tree = tw.DecisionTreeClassifier(max_depth=2).fit(X, y)
    page = opened(tree.report(folder / "many.html", X, y))
    page.click("#tab-ask")
    field = page.get_by_label("label", exact=True)
    assert field.get_attribute("list") == "ask-0-list"
    assert page.locator("#ask-0-list option").count() == 90
    for label in ("kind 3", "kind 80"):
        field.fill(label)
        expected = tree.predict({"label": [label], "number": [np.nan]})[0]
        assert page.locator(".answer strong").text_content() == str(expected)
        assert label in page.locator(".steps").text_content()
    field.fill("of no kind")
    assert "has no usable value" in page.locator(".steps").text_content()


def test_what_rounding_leaves_of_a_change_is_shown_as_none(folder, opened):
    rng = np.random.default_rng(24)
    table, y = rng.integers(0, 4, (40, 2)), rng.integers(0, 3, 40)
    X = {"a": table[:, 0], "b": table[:, 1]}
    tree = tw.DecisionTreeClassifier(max_depth=5).fit(X, y)
    explanation = tree.explain({"a": 1, "b": 2})
    changes = explanation.contributions[:, explanation.labels.index(explanation.answer)]
    assert 0 < np.abs(changes[1]) < 1e-15
    page = opened(tree.report(folder / "rounding.html", X, y))
    page.click("#tab-ask")
    for name in ("a", "b"):
        page.get_by_label(name, exact=True).fill(str(1 + (name == "b")))
    told = page.locator(".changes tr").evaluate_all(
        "all => all.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert dict(told)["a"] == "+0.25"
    assert dict(told)["b"] == "0"


def test_an_answer_is_explained_as_explain_does(shared, folder, opened):
    tree, file = report_of("california", shared, folder)
    _, X, y = report_pages.california(shared)
    page = opened(file)
    page.click("#tab-ask")
    row = {name: float(values[5]) for name, values in X.items() if name != y}
    for name, value in row.items():
        page.get_by_label(name, exact=True).fill(repr(value))
    explained = tree.explain(row)
    table = page.locator(".changes tr").evaluate_all(
        "all => all.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    told = {name: float(text.replace(",", "").replace("−", "-")) for name, text in table}
    changes = {
        name: float(change)
        for name, change in zip(row, np.ravel(explained.contributions), strict=True)
        if change
    }
    assert told == pytest.approx(
        {
            "start": tree.tree_.outcome[0, 0],
            **changes,
            "Answer": tree.predict({k: [v] for k, v in row.items()})[0],
        },
        rel=1e-2,
    )
    by_size = sorted(changes, key=lambda name: -abs(changes[name]))
    assert [name for name, _ in table] == ["start", *by_size, "Answer"]
    assert (
        page.locator(".steps li").count()
        == len(tree.decision_path({k: [v] for k, v in row.items()}).indices) - 1
    )
