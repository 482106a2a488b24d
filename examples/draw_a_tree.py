"""Draw a tree in every format, and write a picture and a page to the current folder.

The table is Zhou's seventeen watermelons with some missing values (*Machine Learning*, table 4.4). C4.5
sends a melon with a missing value down every branch, with fractional weights, as the picture,
`watermelon.svg`, shows.
"""

from pathlib import Path

import treewright as tw

melons, target = tw.datasets.load("watermelon_20a")
tree = tw.C45Classifier(pruning=False, min_cases=1).fit(melons, target)

print("The first two levels, for a terminal:\n")
print(tree.to_text(max_depth=2) + "\n")

print("The first one as a Mermaid flowchart, for a Markdown page:\n")
print(tree.to_mermaid(max_depth=1))

Path("watermelon.svg").write_text(tree.to_svg(), encoding="utf-8")
Path("watermelon.dot").write_text(tree.to_dot(), encoding="utf-8")
Path("watermelon.json").write_text(tree.to_json(), encoding="utf-8")
tree.to_html("watermelon.html")
for suffix in ("svg", "html", "dot", "json"):
    file = Path(f"watermelon.{suffix}")
    print(f"{file} has {file.stat().st_size:,} bytes")
