"""Take the pictures of reports that the documents show: ``python docs/pictures/take.py``, then look at them.

Needs playwright, Chromium and, for the page as printed, pypdfium2 and pillow.
"""

import csv
import io
import shutil
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image
from playwright.sync_api import sync_playwright

import treewright as tw

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[2] / "shared" / "data"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WIDE, PHONE = {"width": 1200, "height": 820}, {"width": 390, "height": 1500}


def adult():
    """Grow a tree of every eighth person of the census."""
    with (SHARED / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[::8]
    X = {name: [row[name] or None for row in rows] for name in rows[0]}
    for name, values in X.items():
        if all(value is None or value.lstrip("-").isdigit() for value in values):
            X[name] = [None if value is None else int(value) for value in values]
    return tw.C45Classifier(keep_ledger=True).fit(X, "income"), X, "income"


def watermelon():
    """Grow the textbook's tree."""
    X, y = tw.datasets.load("watermelon_30")
    return tw.C45Classifier(pruning=False, min_cases=1, keep_ledger=True).fit(X, y), X, y


def keep(name, picture):
    """Write a picture in few colours, which is all that pages have."""
    picture.convert("RGB").quantize(96).save(HERE / name, optimize=True)


def main():
    """Take them all."""
    folder = Path(tempfile.mkdtemp())
    pages = {}
    for name, (tree, X, y) in {"adult": adult(), "watermelon": watermelon()}.items():
        for lang in ("en", "zh"):
            pages[name, lang] = tree.report(folder / f"{name}-{lang}.html", X, y, lang=lang)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def taken(file, act=lambda page: None, **options):
            page = browser.new_page(**options)
            page.set_default_timeout(120_000)
            page.goto(file.as_uri())
            page.wait_for_selector(".box")
            page.evaluate("document.getElementById('tree').scrollIntoView()")
            act(page)
            return page

        def shot(page):
            return Image.open(io.BytesIO(page.screenshot()))

        keep("report-light.png", shot(taken(pages["adult", "en"], viewport=WIDE)))
        keep("report-dark.png", shot(taken(pages["adult", "en"], viewport=WIDE, color_scheme="dark")))

        def ask(page):
            page.click("#tab-ask")
            page.get_by_label("纹理", exact=True).select_option("清晰")
            page.get_by_label("密度", exact=True).fill("0.6")

        keep("report-chinese.png", shot(taken(pages["watermelon", "zh"], ask, viewport=WIDE)))
        keep("report-phone.png", shot(taken(pages["adult", "en"], viewport=PHONE)))
        printed = pypdfium2.PdfDocument(taken(pages["watermelon", "zh"]).pdf(format="A4"))
        sheets = [sheet.render(scale=1).to_pil() for sheet in printed]
        strip = Image.new("RGB", (sum(each.width + 20 for each in sheets) - 20, sheets[0].height), "gray")
        for at, each in enumerate(sheets):
            strip.paste(each, (at * (each.width + 20), 0))
        keep("report-printed.png", strip)
        browser.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
