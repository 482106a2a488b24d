"""The page of a report, used in a browser as people use it. `make browser` installs Chromium."""

import re
import shutil
import warnings

import numpy as np
import pytest

import kinds_of_trees
import report_pages
import treewright as tw
from treewright.errors import UnseenCategoryWarning
from treewright.estimators.reporting import summary_of
from treewright.fitting.fit import fit
from treewright.parts.criteria import Variance
from treewright.parts.limits import Limits
from treewright.parts.missing import Surrogates
from treewright.recipes import Recipe
from treewright.report.render import static

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install -e .[test]"
)
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: make browser")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        # A root of a container has no sandbox to be put in; the page is ours.
        browser = started.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reports")


@pytest.fixture
def opened(browser):
    """Give a function that opens a file; in the end no network was asked and nothing complained of."""
    contexts, troubles = [], []

    def open_file(file, **options):
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: troubles.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        own = file.as_uri()
        page.on("request", lambda request: request.url == own or troubles.append(f"request: {request.url}"))
        page.goto(own)
        page.wait_for_selector(".box")
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert [each for each in troubles if "data:," not in each] == []


def report_of(name, shared, folder, **options):
    tree, X, y = report_pages.REPORTS[name](shared)
    file = folder / f"{name}{''.join(options.values())}.html"
    if not file.exists():
        tree.report(file, X, y, **options)
    return tree, file


def boxes(page):
    return page.locator(".box").count()


def scale(page):
    return float(re.search(r"scale\(([^)]+)\)", page.locator("svg.tree > g").get_attribute("transform"))[1])


def heading(page):
    return page.locator("#panel-node h3").text_content()


def box_of(page, number):
    return page.locator(f".box[data-node='{number}']")


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


DECIDES_DIFFERENTLY = [
    *("every type of column", "weights", "whole numbers as classes", "one leaf", "one leaf of numbers"),
    *("multiway", "a branch for gaps", "one against the rest", "spread", "refuse", "surrogates"),
    *("surrogates of numbers", "CART pruned with priors", "prior and loss", "monotone", "medians"),
    *("numbers in shares", "C4.5", "C4.5 unpruned", "C4.5 binary", "C4.5 with groups", "J48", "ID3"),
    *("ID3 with intervals", "one class"),
]


def test_trees_of_every_kind_answer_as_predict_does(folder, opened):
    file = folder / "kind.html"
    page = None
    for name in DECIDES_DIFFERENTLY:
        kind, tree = kinds_of_trees.KINDS[name], kinds_of_trees.fitted(name)
        table = kinds_of_trees.training_table()
        tree.report(file, {column: table[column] for column in kind.columns}, table[kind.target])
        if page is None:
            page = opened(file)
        else:
            page.goto(file.as_uri())
        asked = page.evaluate("rows => treewright.ask(rows)", report_pages.as_typed(tree.model_, kind.rows()))
        expected, probabilities = report_pages.answers(tree, kind.rows())
        assert [each["answer"] for each in asked] == expected, name
        assert [each["prediction"] for each in asked] == probabilities, name


def test_rows_that_stop_at_a_node_are_answered_for_there(folder, opened):
    rng = np.random.default_rng(2)
    X = {name: np.where(rng.random(200) < 0.3, np.nan, rng.random(200)) for name in ("a", "b", "c")}
    y = np.nan_to_num(X["a"]) + 2 * np.nan_to_num(X["b"]) + rng.random(200)
    tree = tw.DecisionTreeRegressor().fit(X, y)
    recipe = Recipe(criterion=Variance(), missing=Surrogates(1, otherwise="stop"), limits=Limits(max_depth=4))
    tree.model_ = fit(X, y, recipe=recipe)
    assert (tree.tree_.column[tree.apply(X)] >= 0).any()
    page = opened(tree.report(folder / "stops.html", X, y))
    asked = page.evaluate("rows => treewright.ask(rows)", report_pages.as_typed(tree.model_, X))
    assert [each["answer"] for each in asked] == tree.predict(X).tolist()
    assert [each["nodes"][-1][0] for each in asked] == tree.apply(X).tolist()


def test_a_pruned_tree_is_asked_as_it_is_shown(shared, folder, opened):
    tree, file = report_of("adult", shared, folder)
    _, X, y = report_pages.adult(shared)
    page = opened(file)
    alphas = page.evaluate("JSON.parse(document.getElementById('treewright-data').textContent).path.alphas")
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


def test_light_turns_to_dark_and_back(shared, folder, opened):
    _, file = report_of("watermelon", shared, folder)
    page = opened(file)

    def paper():
        return page.evaluate("getComputedStyle(document.querySelector('.tw')).backgroundColor")

    light = paper()
    page.click("#theme")
    dark = paper()
    assert dark != light
    page.click("#theme")
    assert paper() == light
    page.emulate_media(color_scheme="dark")
    assert paper() == light
    fresh = opened(file, color_scheme="dark")
    assert fresh.evaluate("getComputedStyle(document.querySelector('.tw')).backgroundColor") == dark


def test_the_page_speaks_chinese(shared, folder, opened):
    _, file = report_of("watermelon", shared, folder, lang="zh")
    page = opened(file)
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    for number in range(8):
        page.fill("#search", str(number))
        page.keyboard.press("Enter")
        text = page.locator("#treewright").inner_text()
        assert set(re.findall(r"[A-Za-z]{3,}", text)) == {"Classifier", "treewright"}
    page.click("#tab-ask")
    page.get_by_label("纹理", exact=True).select_option("其他类别")
    text = page.locator("#treewright").inner_text()
    assert "每一支各得一份" in text
    assert set(re.findall(r"[A-Za-z]{3,}", text)) == {"Classifier", "treewright"}


@pytest.mark.parametrize(
    ("name", "width"), [("watermelon", 1280), ("adult", 360), ("adult", 1280), ("california", 360)]
)
def test_no_text_is_cut_off_or_wider_than_its_place(name, width, shared, folder, opened):
    _, file = report_of(name, shared, folder)
    page = opened(file, viewport={"width": width, "height": 800})
    page.click("#tab-ask")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    outside = page.evaluate(
        """() => [...document.querySelectorAll('.box')].flatMap(box => {
          const frame = box.querySelector('rect').getBoundingClientRect();
          return [...box.querySelectorAll('text:not(.more ~ text)')].filter(text => {
            const at = text.getBoundingClientRect();
            return at.right > frame.right + 1 || at.left < frame.left - 1 || at.bottom > frame.bottom + 1;
          }).map(text => text.textContent);
        })"""
    )
    assert outside == []
    wide = page.evaluate(
        """() => [...document.querySelectorAll('main :is(p, h2, h3, h4, dd, dt, label, button, output)')]
          .filter(each => !each.closest('.scroll, .field') && each.clientWidth)
          .filter(each => each.scrollWidth > each.clientWidth + 1)
          .map(each => each.textContent)"""
    )
    assert wide == []


def test_it_prints(shared, folder, opened):
    _, file = report_of("watermelon", shared, folder)
    page = opened(file)
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 8
    page.emulate_media(media="print")
    assert not page.locator(".toolbar").is_visible()
    assert page.locator("svg.tree").is_visible()


HOSTILE = [
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "<svg onload='window.hacked = 1'>",
    "<!-- <script>",
    "]]> --> */ }",
    "javascript:window.hacked=1",
    '" onmouseover="window.hacked = 1',
    "' onfocus='window.hacked = 1' autofocus='",
    "${window.hacked = 1}",
    "{{constructor.constructor('window.hacked = 1')()}}",
    "`window.hacked = 1`",
    "\\u003cscript>window.hacked=1\\u003c/script>",
    "&lt;script&gt;window.hacked = 1&lt;/script&gt;",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
    "\u202eright to left",
    "\u2066isolated\u2069",
    "שלום עולם",
    "مرحبا بالعالم",
    "👩‍👩‍👧 family 🍉🍉",
    "two\nlines\r\nand\ttabs",
    "nul\x00 bell\x07 \x7f\x85",
    "half \ud83d",
    "no character \ufffe",
    "line\u2028separator\u2029",
    "e\u0301\u0301\u0301 combining",
    "Z̷͚̓a̸͇͐l̶̘̕g̵̱̀o̶͔͝",
    "色泽，根蒂",
    "''",
    '""',
    " ",
    "\t",
    "a" * 10_000,
    "宽" * 10_000,
    "<b>" * 3_000,
    "\u0600\u06dd\u070f",
    "\ufeffbyte order",
    "\u00adsoft\u00adhyphen",
    "zero\u200bwidth\u200d\u200c",
    "NaN",
    "null",
    "undefined",
    "true",
    "-0",
    "1e999",
    "<base href='https://elsewhere.example/'>",
    "<meta http-equiv=refresh content='0;url=https://elsewhere.example/'>",
    "<style>*{display:none}</style>",
    "<iframe srcdoc='<script>top.hacked=1</script>'>",
]


def test_hostile_names_only_show(folder, opened):
    assert len(HOSTILE) >= 50
    n = len(HOSTILE)
    X = {
        name: [float((row >> (at % 6)) % 2 or row == at) for row in range(2 * n)]
        for at, name in enumerate(HOSTILE)
    }
    X["the category"] = HOSTILE * 2
    y = HOSTILE + HOSTILE[1:] + HOSTILE[:1]
    tree = tw.DecisionTreeClassifier(categorical_split="multiway", keep_ledger=True).fit(X, y)
    page = opened(tree.report(folder / "hostile.html", X, y, title=HOSTILE[1]))
    page.click("#open-all")
    assert boxes(page) == tree.tree_.n_nodes
    for node in range(0, tree.tree_.n_nodes, max(1, tree.tree_.n_nodes // 12)):
        page.fill("#search", str(node))
        page.keyboard.press("Enter")
        assert heading(page) == f"Node {node}"
    page.click("#tab-ask")
    page.get_by_label("the category", exact=True).select_option(index=3)
    assert page.locator(".answer").count() == 1
    page.fill("#search", HOSTILE[0])
    page.click("#theme")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main script, main img, main iframe, main base, main meta, main style").count() == 0
    assert HOSTILE[0] in page.locator("main").inner_text()
    # Halves of characters do not come through the wire of the test.
    whole = [at for at, name in enumerate(HOSTILE) if not re.search("[\ud800-\udfff]", name)]
    rows = {name: [values[at] for at in whole] for name, values in X.items()}
    asked = page.evaluate("rows => treewright.ask(rows)", report_pages.as_typed(tree.model_, rows))
    assert [each["nodes"][-1][0] for each in asked] == tree.apply(rows).tolist()


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


def test_a_page_of_many_nodes_stays_small(shared, folder):
    tree, file = report_of("5,000 nodes", shared, folder)
    assert tree.tree_.n_nodes >= 4_500
    assert file.stat().st_size < 5_000_000


@pytest.mark.parametrize(("name", "scheme"), [("watermelon", "dark"), ("california", "light")])
def test_axe_finds_no_serious_fault(name, scheme, shared, folder, opened, pytestconfig):
    axe = pytestconfig.rootpath / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.is_file():
        pytest.skip("axe-core is not here: npm ci --prefix frontend")
    page = opened(report_of(name, shared, folder)[1], color_scheme=scheme)
    for tab in ("#tab-node", "#tab-ask"):
        page.click(tab)
        page.evaluate(axe.read_text("utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [
            (each["id"], [node["html"][:200] for node in each["nodes"]][:3])
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        assert serious == []
