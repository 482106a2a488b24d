"""Rows given are loaded, and what would change an answer is told: held to the library."""

import json

import numpy as np
import pytest

import kinds_of_trees
import report_pages
import treewright as tw
from loans import MADE, classifier
from report_pages import kind_with_rows
from treewright.errors import ParameterError, ParameterTypeError, UnreachableError, UnseenCategoryWarning
from treewright.estimators.reporting import summary_of

NUMBERS = ("number", "one_number", "count")  # any other number is no aim: ranges have a test of their own
OF_CLASSES = [name for name, kind in kinds_of_trees.KINDS.items() if kind.target not in NUMBERS]

# Loads every example and reads what is told of it.
EVERY_EXAMPLE = """() => {
  const pick = document.querySelector('#example');
  const found = [];
  const cells = rows => [...document.querySelectorAll(rows)].map(
    row => [...row.cells].map(cell => cell.textContent));
  for (let at = 0; at < pick.options.length - 1; at++) {
    pick.value = at;
    pick.dispatchEvent(new Event('change', {bubbles: true}));
    found.push({
      answer: document.querySelector('.answer strong')?.textContent ?? null,
      truth: document.querySelector('.truth bdi')?.textContent ?? null,
      shapley: cells('.shapley tr'),
      changes: [...document.querySelectorAll('.changes-wanted li')].map(each => each.textContent),
      note: document.querySelector('.wanted .note')?.textContent ?? null,
      wrong: document.querySelectorAll('[aria-invalid=true]').length,
    });
  }
  return JSON.stringify(found);
}"""


def every_example(page):
    page.click("#tab-ask")
    return json.loads(page.evaluate(EVERY_EXAMPLE))


def number_of(text):
    return float(text.replace(",", "").replace("−", "-"))


def taken(X, at):
    return {name: values.iloc[at] if hasattr(values, "iloc") else values[at] for name, values in X.items()}


@pytest.mark.parametrize("name", kinds_of_trees.KINDS)
@pytest.mark.filterwarnings(f"ignore::{UnseenCategoryWarning.__module__}.{UnseenCategoryWarning.__name__}")
def test_examples_are_answered_as_the_rows_that_they_are(name, folder, opened):
    tree, _, y = kind_with_rows(name)
    X = kinds_of_trees.KINDS[name].rows()  # with gaps, and categories that nobody has seen
    y = np.asarray(y)[: len(next(iter(X.values())))]
    page = opened(tree.report(folder / f"examples {name}.html", X, y))
    examples = report_pages.data_of(page)["rows"]["examples"]
    assert len(examples) == 30
    assert examples[0]["row"] == 0
    assert examples[-1]["row"] == len(y) - 1
    answers, _ = report_pages.answers(tree, X)
    told = every_example(page)
    names = tree.model_.schema.names
    values = tree.shapley_values(X)
    classes = getattr(tree, "classes_", [])  # floats that are whole numbers are labels without a point
    label_of = dict(zip(map(str, classes), map(str, tree.model_.schema.labels), strict=True))
    for example, each in zip(examples, told, strict=True):
        row = example["row"]
        assert each["wrong"] == 0
        if isinstance(answers[row], str):
            assert [each["answer"], each["truth"]] == [label_of[answers[row]], label_of[str(y[row])]]
            shares = values[row, :, [*map(str, tree.classes_)].index(answers[row])]
        else:
            assert number_of(each["answer"]) == pytest.approx(answers[row], rel=1e-5)
            assert number_of(each["truth"]) == pytest.approx(y[row], rel=1e-5, abs=1e-5)
            shares = values[row]
        of_columns = {column: number_of(text) for column, text in each["shapley"][1:]}
        expected = {column: share for column, share in zip(names, shares, strict=True) if abs(share) > 1e-10}
        assert of_columns.keys() == expected.keys()
        assert all(
            of_columns[column] == pytest.approx(share, rel=5.1e-3) for column, share in expected.items()
        )
        said = answers[row]
        if isinstance(said, str):
            said = tree.predict_proba(X)[row, [*map(str, tree.classes_)].index(said)]
        assert number_of(each["shapley"][0][1]) == pytest.approx(said - shares.sum(), rel=5.1e-3, abs=1e-9)


@pytest.mark.parametrize("name", OF_CLASSES)
@pytest.mark.filterwarnings(f"ignore::{UnseenCategoryWarning.__module__}.{UnseenCategoryWarning.__name__}")
def test_changes_are_as_small_as_those_of_counterfactual(name, folder, opened):
    tree, X, y = kind_with_rows(name)
    page = opened(tree.report(folder / f"changes {name}.html", X, y))
    examples, solved = report_pages.data_of(page)["rows"]["examples"], 0
    for example, each in zip(examples, every_example(page), strict=True):
        try:
            found = tree.counterfactual(taken(X, example["row"]))
        except UnreachableError:
            assert each["changes"] == []
            assert "No change" in each["note"] or "Fill in" in each["note"]
            solved += 1
            continue
        if each["note"]:
            assert "Fill in" in each["note"]
            assert tree.tree_.surrogates or (tree.tree_.missing_branch < 0).any()
            continue
        solved += 1
        columns = [change.split(":")[0] for change in each["changes"]]
        assert len(columns) == found.cost.columns
    assert solved > 4


def test_a_number_is_brought_into_a_range(folder, opened):
    tree, X, y, _ = MADE["regressor"]()
    page = opened(tree.report(folder / "range.html", X, y))
    examples = report_pages.data_of(page)["rows"]["examples"]
    page.click("#tab-ask")
    aim = float(np.quantile(tree.predict(X), 0.9))
    seen = set()
    for at, example in enumerate(examples):
        page.select_option("#example", str(at))
        page.locator("#wanted-low").fill(repr(aim))
        assert page.locator("#example").input_value() == str(at), "the row is the same"
        told = page.locator(".wanted").text_content()
        if None in example["values"] and "Fill in" in told:
            continue
        row = taken(X, example["row"])
        found = tree.counterfactual(row, target=(aim, None))
        assert page.locator(".changes-wanted li").count() == len(found.changes)
        seen.add(len(found.changes))
        if not found.changes:
            assert "already" in told
    assert len(seen) > 1
    page.locator("#wanted-low").fill("1e9")
    assert "No change" in page.locator(".wanted").text_content()


def test_a_change_leads_to_the_class_wanted_at_every_stop(folder, opened):
    X, y = np.random.default_rng(1).random((300, 4)), np.random.default_rng(2).integers(0, 3, 300)
    y = np.where(X[:, 0] > 0.6, 2, np.where(X[:, 1] > 0.5, 1, 0)) + 0 * y
    tree = tw.DecisionTreeClassifier().fit(X, y)
    page = opened(tree.report(folder / "wanted.html", X, y))
    path = report_pages.data_of(page)["path"]
    page.click("#tab-ask")
    page.select_option("#example", "4")
    row = [float(page.get_by_label(name, exact=True).input_value()) for name in tree.model_.schema.names]
    for stop in (0, len(path["alphas"]) - 2):
        page.locator("#stop").fill(str(len(path["alphas"]) - 1 - stop))
        pruned = tree.prune("cost-complexity", alpha=path["alphas"][stop])
        for label in set(pruned.predict(X).tolist()):
            page.select_option("#wanted", label=str(label))
            found = pruned.counterfactual(row, target=label)
            changes = page.locator(".changes-wanted li").all_text_contents()
            assert [change.split(":")[0] for change in changes] == [each.column for each in found.changes]
            for change, each in zip(changes, found.changes, strict=True):
                end = float(each.condition.strip("≤> in(]").split(",")[0])
                assert any(float(word) == pytest.approx(end) for word in change.split() if word[0].isdigit())


def test_an_edited_row_is_no_example_any_more(folder, opened):
    tree, X, y, _ = classifier()
    page = opened(tree.report(folder / "edited.html", X, y))
    page.click("#tab-ask")
    page.select_option("#example", "2")
    assert page.locator(".truth").count() == 1
    page.get_by_label("age", exact=True).fill("30")
    assert page.locator("#example").input_value() == ""
    assert page.locator(".truth").count() == 0
    page.select_option("#example", "3")
    page.select_option("#example", "")
    assert page.locator(".answer").count() == 0
    assert page.get_by_label("age", exact=True).input_value() == ""


def test_a_page_holds_no_more_rows_than_it_is_told_to(tmp_path):
    tree, X, y, _ = classifier()
    assert summary_of(tree, X, y, examples=0)["rows"]["examples"] == []
    assert len(summary_of(tree, X, y, examples=10_000)["rows"]["examples"]) == len(y)
    page = tree.report(tmp_path / "none.html", X, y, examples=0)
    assert '"examples":[]' in page.read_text("utf-8")
    with pytest.raises(ParameterError, match="examples=-1 is too small"):
        tree.report(tmp_path / "none.html", X, y, examples=-1)
    with pytest.raises(ParameterTypeError, match="not a whole number"):
        tree.report(tmp_path / "none.html", X, y, examples=0.5)
    wide = np.random.default_rng(0).random((50, 1000))
    tree = tw.DecisionTreeClassifier(max_depth=1).fit(wide, wide[:, 0] > 0.5)
    assert len(summary_of(tree, wide, wide[:, 0] > 0.5)["rows"]["examples"]) == 20
