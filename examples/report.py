"""Hand a tree over: one page that opens from disk, in English and in Chinese."""

import treewright as tw

table, target = tw.datasets.load("watermelon_30")
tree = tw.C45Classifier(pruning=False, min_cases=1, keep_ledger=True).fit(table, target)

for lang, file in (("en", "melons.html"), ("zh", "melons.zh.html")):
    page = tree.report(file, table, target, lang=lang, title="Melons" if lang == "en" else "西瓜")
    print(f"{page}: {page.stat().st_size / 1000:.0f} kB, open it in any browser")
