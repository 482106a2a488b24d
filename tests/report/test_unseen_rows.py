"""Figures to rely on come first: of other rows than the training table, or cross-validated."""

import numpy as np
import pytest

import report_pages
import treewright as tw
from loans import credit, some
from report_pages import rules_told
from treewright.cli.main import main
from treewright.estimators.reporting import summary_of
from treewright.formatting import format_with_error

FIRST, REST = slice(0, 450), slice(450, None)

HEADLINE = """() => [...document.querySelectorAll('.headline tbody tr')].map(row => [
  row.dataset.of, row.querySelector('th').textContent,
  ...[...row.querySelectorAll('td')].map(cell => cell.textContent)])"""


def of_classes():
    X, y, _, _ = credit()
    return (
        tw.CARTClassifier(cv=5, random_state=0, pruning="min", max_depth=6).fit(some(X, FIRST), y[FIRST]),
        X,
        y,
    )


def of_numbers():
    X, _, y, _ = credit()
    return (
        tw.CARTRegressor(cv=5, random_state=0, pruning="min", max_depth=6).fit(some(X, FIRST), y[FIRST]),
        X,
        y,
    )


def set_stop(page, stop):
    last = int(page.locator("#stop").get_attribute("max"))
    page.locator("#stop").fill(str(last - stop))


def test_every_node_has_the_counts_of_the_rows_given():
    of_all, classes, numbers, _ = credit()
    X = some(of_all, REST)
    for learner, target in ((tw.DecisionTreeClassifier, classes), (tw.DecisionTreeRegressor, numbers)):
        tree, y = learner(max_depth=5).fit(some(of_all, FIRST), target[FIRST]), target[REST]
        weights = np.arange(len(y)) % 3 / 2
        summary = summary_of(tree, X, y, weights)
        path = tree.decision_path(X).toarray()
        (told,) = (each["given"] for each in summary["trees"])
        assert len(told) == tree.tree_.n_nodes
        for node, here in enumerate(told):
            weight = path[:, node] * weights
            if not weight.any():
                assert here is None
            elif tree.tree_.is_classifier:
                by_class = [weight[y == label].sum() for label in tree.classes_]
                assert dict(zip(here[::2], here[1::2], strict=True)) == {
                    code: each for code, each in enumerate(by_class) if each
                }
            else:
                off = y - tree.tree_.outcome[node, 0]
                expected = [
                    weight.sum(),
                    np.average(y, weights=weight),
                    np.average(off**2, weights=weight) ** 0.5,
                ]
                assert here == pytest.approx(expected, rel=1e-5)


def test_the_training_table_in_any_order_has_no_counts_of_its_own():
    tree, X, y = of_classes()
    order = np.random.default_rng(1).permutation(450)
    summary = summary_of(tree, some(X, order), y[order])
    assert summary["rows"]["are_training"] is True
    assert [each["given"] for each in summary["trees"]] == [None]


def test_other_rows_lead_and_are_told_by_node_and_rule(folder, opened):
    tree, X, y = of_classes()
    new, truth = some(X, REST), y[REST]
    page = opened(tree.report(folder / "unseen.html", new, truth))
    set_stop(page, 0)
    largest = tree.prune("cost-complexity", alpha=0.0)
    leaf, right = largest.apply(new), largest.predict(new) == truth
    rows, baseline = page.evaluate(HEADLINE)
    assert rows == [
        "rows",
        "on the 250 rows given, which are not the training table",
        f"{100 * right.mean():.1f}%",
    ]
    assert baseline == ["baseline", "without a tree, always good", f"{100 * (truth == 'good').mean():.1f}%"]
    for number, *_, given, share in rules_told(page):
        there = leaf == int(number)
        assert given == f"{there.sum():,}"
        assert share == (f"{right[there].mean():.3f}" if there.any() else "")
    page.fill("#search", "0")
    page.keyboard.press("Enter")
    facts = dict(
        page.locator("#panel-node .facts div").evaluate_all(
            "all => all.map(each => [...each.children].map(part => part.textContent))"
        )
    )
    assert facts["Rows given"] == "250"
    assert facts["Right of these"] == report_pages.percent((truth == "good").mean())
    assert page.locator("#panel-node .classes tbody tr").evaluate_all(
        "all => all.map(row => [row.cells[0].textContent, row.cells[3].textContent])"
    ) == [[label, str((truth == label).sum())] for label in ("good", "bad")]


def test_the_errors_of_other_rows_are_a_curve_of_their_own(folder, opened):
    for make in (of_classes, of_numbers):
        tree, X, y = make()
        new, truth = some(X, REST), y[REST]
        page = opened(tree.report(folder / f"curve {make.__name__}.html", new, truth))
        path = report_pages.data_of(page)["path"]
        points = page.locator(".pruning .curve.given").get_attribute("points").split()
        heights = [118 - float(point.split(",")[1]) for point in points]
        errors = []
        for alpha in path["alphas"]:
            answers = tree.prune("cost-complexity", alpha=alpha).predict(new)
            errors.append(
                np.mean(answers != truth) if answers.dtype.kind in "OU" else np.mean((answers - truth) ** 2)
            )
        assert np.array(heights) / heights[-1] == pytest.approx(np.array(errors) / errors[-1])
        set_stop(page, 2)
        assert 118 - float(page.locator(".pruning .dot").get_attribute("cy")) == pytest.approx(heights[2])


def test_cross_validated_figures_lead_on_training_rows(folder, opened):
    for make, unit in ((of_classes, "accuracy"), (of_numbers, "r2")):
        tree, X, y = make()
        page = opened(tree.report(folder / f"trained {make.__name__}.html", some(X, FIRST), y[FIRST]))
        table, leaves = tree.pruning_table_, report_pages.data_of(page)["path"]["leaves"]
        for stop in (0, len(leaves) // 2, len(leaves) - 1):
            set_stop(page, stop)
            at = table.n_leaves.tolist().index(leaves[stop])
            scale = table.root_risk if unit == "accuracy" else 1.0
            value, error = 1 - table.cv_error[at] * scale, table.cv_std[at] * scale
            expected = format_with_error(value, error)
            if unit == "accuracy":
                expected = format_with_error(100 * value, 100 * error).replace(" ", "% ", 1) + "%"
            judged, rows, baseline = page.evaluate(HEADLINE)
            assert judged[1] == "cross-validated, for trees pruned at the same price"
            assert judged[-1] == expected
            assert rows[1] == "on the 450 rows that the tree was grown on"
            assert baseline[0] == "baseline"


def test_errors_that_are_no_share_of_wrong_answers_are_not_told_as_such():
    X, y, _, _ = credit()
    loss = np.array([[0.0, 5.0], [1.0, 0.0]])
    for options in ({"loss": loss, "risk": "loss"}, {"prior": {"bad": 0.5, "good": 0.5}}):
        tree = tw.CARTClassifier(cv=3, random_state=0, max_depth=4, **options).fit(X, y)
        assert summary_of(tree, X, y)["path"]["table"]["score"] is None


def test_a_tree_no_better_than_none_is_told_as_such(folder, opened):
    rng = np.random.default_rng(3)
    X, y = rng.random((200, 4)), np.where(rng.random(200) < 0.7, "often", "seldom")
    tree = tw.DecisionTreeClassifier().fit(X[:100], y[:100])
    page = opened(tree.report(folder / "noise.html", X[100:], y[100:]))
    assert "no better than no tree" in page.locator(".summary").text_content()
    page = opened(tree.report(folder / "noise trained.html", X[:100], y[:100]))
    assert "no better" not in page.locator(".summary").text_content()
    assert "Give the report rows" in page.locator(".summary").text_content()


def test_the_page_of_fit_leads_with_the_figures_of_the_terminal(tmp_path, opened, capsys):
    X, y, _, _ = credit()
    lines = [",".join((*X, "risk")), *(",".join(map(str, row)) for row in zip(*X.values(), y, strict=True))]
    table = tmp_path / "loans.csv"
    table.write_text("\n".join(lines).replace("nan", "").replace("None", ""), "utf-8")
    for options, words in (
        (["--folds", "4"], "4-fold cross-validation"),
        (["--holdout", "0.25"], "on 175 rows held out"),
    ):
        page_file = tmp_path / f"{len(words)}.html"
        command = ["fit", str(table), "--target", "risk", "--algorithm", "c45", "--report", str(page_file)]
        assert main([*command, *options, "-o", str(tmp_path / f"{len(words)}.tw.json")]) == 0
        told = capsys.readouterr().out
        page = opened(page_file)
        judged, rows, _ = page.evaluate(HEADLINE)
        assert words in judged[1]
        value, error = (float(part.rstrip("%")) / 100 for part in judged[2].split(" ± "))
        (line,) = (line for line in told.splitlines() if line.startswith("accuracy"))
        numbers = [
            float(word) for word in line.replace("±", " ").replace(",", " ").split() if word[0].isdigit()
        ]
        assert numbers[:2] == pytest.approx([value, error], abs=1e-9)
        assert "that the tree was grown on" in rows[1]
