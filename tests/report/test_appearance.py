"""How the page looks and reads: light, dark, in Chinese, on a phone, printed, to axe; with hostile names."""

import re

import pytest

import report_pages
import treewright as tw
from report_pages import boxes, heading, report_of


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
    before = page.locator("svg.tree > g").get_attribute("transform")
    page.set_viewport_size({"width": 500, "height": 700})
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    paper = page.locator("svg.tree").bounding_box()
    for box in page.locator(".box").all():
        at = box.bounding_box()
        assert paper["x"] <= at["x"] < at["x"] + at["width"] <= paper["x"] + paper["width"]
        assert paper["y"] <= at["y"] < at["y"] + at["height"] <= paper["y"] + paper["height"]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("svg.tree > g").get_attribute("transform") == before


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
