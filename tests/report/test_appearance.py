"""How the page looks and reads: light, dark, in Chinese, on a phone, printed, to axe; with hostile names."""

import re

import numpy as np
import pytest

import report_pages
import treewright as tw
from report_pages import boxes, heading, report_of, scale

PAPER, INK = (
    f"getComputedStyle(document.querySelector('.tw')).{style}" for style in ("backgroundColor", "color")
)
DARK = "rgb(20, 24, 29)"


def test_light_turns_to_dark_and_back(shared, folder, opened):
    _, file = report_of("watermelon", shared, folder)
    page = opened(file, color_scheme="light")

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


def test_the_theme_is_remembered_for_the_next_page(shared, folder, opened):
    page = opened(report_of("watermelon", shared, folder)[1], color_scheme="light")
    page.click("#theme")
    page.reload()
    page.wait_for_selector(".box")
    assert page.evaluate(PAPER) == DARK
    page.click("#theme")
    page.reload()
    page.wait_for_selector(".box")
    assert page.evaluate(PAPER) != DARK


@pytest.mark.parametrize(("scheme", "turns"), [("dark", 0), ("light", 1), ("dark", 2)])
def test_dark_pages_print_black_on_white(scheme, turns, shared, folder, opened):
    page = opened(report_of("watermelon", shared, folder)[1], color_scheme=scheme)
    for _ in range(turns):
        page.click("#theme")
    assert page.evaluate(PAPER) == DARK
    page.emulate_media(media="print", color_scheme=scheme)
    assert page.evaluate(PAPER) == "rgb(255, 255, 255)"
    assert page.evaluate(INK) == "rgb(28, 36, 48)"


# All that is read or spoken: texts, labels, hints, formulas.
SAID = """within => {
  const names = ['aria-label', 'aria-valuetext', 'placeholder', 'title', 'data-label'];
  return [...document.querySelectorAll(`${within}, ${within} *`)].flatMap(each => [
    ...[...each.childNodes].filter(node => node.nodeType === 3).map(({data}) => data),
    ...names.map(name => each.getAttribute(name)),
  ]).filter(Boolean).join(' | ');
}"""


def words_of(text):
    return set(re.findall(r"[A-Za-z]{2,}", text))


@pytest.mark.parametrize("name", ["watermelon", "adult", "california"])
def test_no_english_is_left_on_a_chinese_page(name, shared, folder, opened):
    tree, file = report_of(name, shared, folder, lang="zh")
    page = opened(file)
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    schema = tree.model_.schema
    data = [*schema.names, *map(str, getattr(tree, "classes_", [])), report_pages.REPORTS[name](shared)[2]]
    data += [str(label) for column in schema.columns for label in column.categories]
    known = words_of(" ".join([*data, type(tree).__name__, "treewright", "log"]))
    assert words_of(page.evaluate(SAID, "#treewright")) <= known
    for number in range(min(tree.tree_.n_nodes, 8)):
        page.fill("#search", str(number))
        page.keyboard.press("Enter")
        assert page.locator("#panel-node h3").text_content() == f"结点 {number}"
        assert words_of(page.evaluate(SAID, "#tree")) <= known
    last = int(page.locator("#stop").get_attribute("max"))
    page.locator("#stop").fill(str(last - 1))
    page.click("#tab-ask")
    asked = page.locator("#panel-ask .fields :is(input, select)").first
    if asked.evaluate("each => each.tagName") == "SELECT":
        asked.select_option("其他类别")
        assert "每一支各得一份" in page.locator(".steps").text_content()
    else:
        asked.fill("许多")
        assert "不是" in page.locator(".problem").text_content()
        asked.fill("1")
    page.click("#close-all")
    assert words_of(page.evaluate(SAID, "#treewright")) <= known


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["watermelon", "adult", "california"])
def test_the_ledger_has_its_figures_and_formulas_in_every_language(name, lang, shared, folder, opened):
    tree, file = report_of(name, shared, folder, lang=lang)
    page, ledger = opened(file), tree.ledger_.in_language(lang)
    for number in np.flatnonzero(tree.tree_.column >= 0)[:6].tolist():  # a page has pruned leaves as grown
        page.fill("#search", str(number))
        page.keyboard.press("Enter")
        assert ledger.why(number) in page.locator("#panel-node").text_content()
        rows = page.locator("#panel-node .ledger tbody")
        told = rows.evaluate_all(
            """all => all.map(row => {
              const note = row.querySelector('td.note'), formula = note.querySelector('pre');
              return [row.querySelector('th').textContent, note.firstChild.textContent,
                formula && formula.textContent];
            })"""
        )
        here = ledger[number]
        expected = [
            [row.column, row.reason, None if row.gain is None else here.formula(at)]
            for at, row in enumerate(here)
        ]
        assert sorted(told, key=str) == sorted(expected, key=str)[: len(told)]
        assert len(told) == len(expected)


# Texts that stick out of their box, lie on one another, or boxes that do.
FAULTS = """() => {
  const outside = [], overlapping = [];
  // Letters a pixel high are measured badly: the tree is looked at in full size.
  const sheet = document.querySelector('svg.tree > g'), zoomed = sheet.getAttribute('transform');
  sheet.setAttribute('transform', '');
  const meet = (a, b) =>
    a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  const boxes = [...document.querySelectorAll('.box')];
  const frames = boxes.map(box => box.querySelector('rect').getBoundingClientRect());
  boxes.forEach((box, at) => {
    const texts = [...box.querySelectorAll('text:not(.more ~ text)')];
    const places = texts.map(text => text.getBBox()), frame = box.querySelector('rect').getBBox();
    texts.forEach((text, i) => {
      const {x, y, width, height} = places[i];
      if (x < 0 || x + width > frame.width) outside.push(text.textContent);
      if (y < 0 || y + height > frame.height) outside.push(text.textContent);
      // Lines are set closer than the tallest letters of all fonts: their middles must be apart.
      if (i && y + height / 2 - (places[i - 1].y + places[i - 1].height / 2) < 0.6 * height)
        overlapping.push(text.textContent);
    });
    for (let other = 0; other < at; other++)
      if (meet(frames[at], frames[other])) overlapping.push(`${at} and ${other}`);
  });
  sheet.setAttribute('transform', zoomed);
  const isWide = each => each.clientWidth && each.scrollWidth > each.clientWidth + 1;
  const kinds = 'main :is(p, h2, h3, h4, dd, dt, label, button, output, td, th, li)';
  const wide = [...document.querySelectorAll(kinds)]
    .filter(each => !each.closest('.field') && isWide(each))
    .map(each => each.textContent);
  const sideways = [...document.querySelectorAll('.scroll')].filter(isWide)
    .map(each => each.getAttribute('aria-label'));
  const cut = [...document.querySelectorAll('input[placeholder]')].filter(each => {
    const style = getComputedStyle(each), canvas = document.createElement('canvas').getContext('2d');
    canvas.font = style.font;
    const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return each.clientWidth && canvas.measureText(each.placeholder).width > room;
  }).map(each => each.placeholder);
  return {outside, overlapping, wide, sideways, cut};
}"""
NO_FAULTS = {"outside": [], "overlapping": [], "wide": [], "sideways": [], "cut": []}


@pytest.mark.parametrize(
    ("name", "width", "lang"),
    [
        *[("watermelon", 1280, "en"), ("watermelon", 360, "zh"), ("adult", 360, "en"), ("adult", 1280, "en")],
        *[("california", 360, "en"), ("california", 1280, "zh"), ("5,000 nodes", 360, "en")],
    ],
)
def test_no_text_is_cut_off_or_lies_on_another(name, width, lang, shared, folder, opened):
    _, file = report_of(name, shared, folder, **({"lang": lang} if lang != "en" else {}))
    page = opened(file, viewport={"width": width, "height": 800})
    assert page.evaluate(FAULTS) == NO_FAULTS
    page.click("#tab-ask")
    if name != "5,000 nodes":
        page.click("#open-all")
    assert page.evaluate(FAULTS) == NO_FAULTS
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("name", "height"), [("watermelon", 1500), ("adult", 900), ("california", 900)])
def test_the_frame_is_as_tall_as_the_tree_and_opens_to_be_read(name, height, shared, folder, opened):
    _, file = report_of(name, shared, folder)
    page = opened(file, viewport={"width": 1280, "height": height})
    frame = page.locator(".frame").bounding_box()
    tree = page.locator("svg.tree > g").bounding_box()
    assert 480 <= frame["height"] <= max(480, 0.72 * height) + 1
    assert frame["height"] <= max(480, tree["height"] + 90)
    assert frame["x"] <= tree["x"]
    assert tree["x"] + tree["width"] <= frame["x"] + frame["width"]
    assert scale(page) >= 0.62
    side = page.locator(".side").bounding_box()
    assert abs(side["height"] - frame["height"]) < 2
    page.click("#open-all")
    if name == "adult":
        assert page.locator(".frame").bounding_box()["height"] == pytest.approx(0.72 * height, abs=1)


@pytest.mark.parametrize(("name", "most"), [("watermelon", 3), ("adult", 14), ("california", 6)])
def test_it_prints(name, most, shared, folder, opened):
    _, file = report_of(name, shared, folder)
    page = opened(file, viewport={"width": 1280, "height": 900})
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= most
    page.set_viewport_size({"width": 690, "height": 1000})
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")  # it fits again
    before = page.locator("svg.tree > g").get_attribute("transform")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for control in (".toolbar", "nav", ".tabs", "#stop", "#fitted", "#theme", "#panel-ask"):
        assert not page.locator(control).is_visible()
    assert page.evaluate(FAULTS) == NO_FAULTS
    assert page.evaluate("document.documentElement.scrollWidth") <= 690
    paper, drawn = (page.locator(f"svg.tree{inside}").bounding_box() for inside in ("", " > g"))
    for at, size in (("x", "width"), ("y", "height")):
        assert paper[at] <= drawn[at] < drawn[at] + drawn[size] <= paper[at] + paper[size]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("svg.tree > g").get_attribute("transform") == before


def test_whatever_gets_into_the_page_its_policy_stops(shared, folder, browser):
    _, file = report_of("watermelon", shared, folder)
    page = browser.new_page()
    refused, answered, failed = [], [], []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(file.as_uri())
    page.wait_for_selector(".box")
    page.on("response", lambda response: answered.append(response.url))
    page.on("requestfailed", lambda request: failed.append(request.failure))
    page.evaluate(
        """async () => {
          const add = (tag, with_) =>
            document.body.append(Object.assign(document.createElement(tag), with_));
          add('script', {textContent: 'window.hacked = 1'});
          add('script', {src: 'https://elsewhere.example/code.js'});
          add('style', {textContent: '.tw { display: none }'});
          add('img', {src: 'https://elsewhere.example/seen.png'});
          document.querySelector('h1').setAttribute('onclick', 'window.hacked = 2');
          document.querySelector('h1').click();
          await fetch('https://elsewhere.example/').catch(() => null);
        }"""
    )
    assert page.evaluate("window.hacked") is None
    assert page.locator(".tw").is_visible()
    assert answered == []
    assert set(failed) <= {"csp"}
    for directive in ("script-src", "style-src", "img-src", "default-src"):
        assert any(directive in each for each in refused), directive
    page.close()


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


def test_a_page_of_many_nodes_stays_small(shared, folder):
    tree, file = report_of("5,000 nodes", shared, folder)
    assert tree.tree_.n_nodes >= 4_500
    assert file.stat().st_size < 5_000_000


@pytest.mark.parametrize(
    ("name", "scheme"),
    [("watermelon", "dark"), ("adult", "light"), ("california", "dark"), ("5,000 nodes", "light")],
)
def test_axe_finds_no_serious_fault(name, scheme, shared, folder, opened, pytestconfig):
    axe = pytestconfig.rootpath / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.is_file():
        pytest.skip("axe-core is not here: npm ci --prefix frontend")
    page = opened(report_of(name, shared, folder)[1], color_scheme=scheme)
    page.evaluate(axe.read_text("utf-8"))

    def assert_no_serious_fault(within):
        found = page.evaluate("within => axe.run(within, {resultTypes: ['violations']})", within)
        assert [
            (each["id"], [node["html"][:200] for node in each["nodes"]][:3])
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
        ] == []

    # Rows of rules are all alike: a few of them stand for a hundred.
    assert_no_serious_fault({"include": ["html"], "exclude": ["#rules tbody tr:nth-child(n+6)"]})
    page.click("#tab-ask")
    asked = page.locator("#panel-ask .fields :is(input, select)").first
    if asked.evaluate("each => each.tagName") == "SELECT":
        asked.select_option(index=1)
    else:
        asked.fill("0.5")
    assert page.locator(".answer").count() == 1
    assert_no_serious_fault("#tree")
