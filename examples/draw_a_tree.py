"""Draw a tree in every way there is, and leave a picture and a page in the folder this is run in.

The table is Zhou's seventeen watermelons with some of their marks unreadable (*Machine Learning*, table 4.4).
C4.5 sends a melon without a mark down every branch, in shares; look for it in the picture: `watermelon.svg`.
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
