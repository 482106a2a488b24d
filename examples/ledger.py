"""Why this split? The ledger of a tree that separates good watermelons from bad ones.

The table is Zhou's watermelon data set 2.0α with the density of his data set 3.0, calculated by hand in many
lecture notes. The ledger has all of their figures, because it holds the candidates that were compared while
the tree grew. The picture, `ledger.svg`, needs matplotlib: pip install treewright[plot].
"""

import warnings
from pathlib import Path

import matplotlib

import treewright as tw

matplotlib.use("svg")
import matplotlib.pyplot as plt

melons, target = tw.datasets.load("watermelon_20a_density")
tree = tw.C45Classifier(variant="textbook", min_cases=1, keep_ledger=True).fit(melons, target)
print(tree.to_text(), end="\n\n")

print("The candidate of each column at the root, and why it lost:\n")
print(tree.ledger_[0], end="\n\n")

print("Colour, as a textbook writes it out:\n")
print(tree.ledger_[0].formula("色泽"), end="\n\n")

print("Every threshold of density, from the data:\n")
cuts = [row for row in tw.audit(tree, melons, target, every_cut=True) if row.column == "密度"]
for row in cuts:
    print(f"{row.question.cut:.4f}  gain {row.gain:.4f}  ratio {row.ratio:.4f}  {row.reason}")

# Quinlan's own program penalizes density for the thresholds it tried, and splits on texture first.
quinlan = tw.C45Classifier(keep_ledger=True).fit(melons, target)
print("\nRelease 8 chooses another split. Its figures for density:\n")
print(quinlan.ledger_[0].formula("密度"))

# The same as a picture: the candidates at the root, and the gain of every threshold of density.
plt.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "treewright", "font.size": 10}
warnings.filterwarnings("ignore", "Glyph .* missing")  # the viewer of the picture has a Chinese font
WINS, LOSES, INK = "#4477aa", "#bcc6d0", "#566270"

figure, (above, below) = plt.subplots(2, 1, figsize=(8.6, 7), height_ratios=(7, 5), layout="constrained")
figure.get_layout_engine().set(hspace=0.06)
rows = sorted(tree.ledger_[0], key=lambda row: row.rank, reverse=True)
places = range(len(rows))
colours = [WINS if row.rank == 1 else LOSES for row in rows]
above.barh(places, [row.ratio for row in rows], color=colours, label="gain ratio")
above.plot([row.gain for row in rows], places, "o", mfc="white", mec=INK, label="gain in bits")
for place, row in zip(places, rows, strict=True):
    above.text(max(row.gain, row.ratio) + 0.01, place, row.reason, va="center", color=INK)
above.set_yticks(places, [row.column for row in rows])
above.set(title="The candidate of each column at the root: the ratio decides", xlim=(0, 0.62))
above.legend(loc="lower right", frameon=False)

below.vlines([row.question.cut for row in cuts], 0, [row.gain for row in cuts], color=LOSES, linewidth=6)
best = max(cuts, key=lambda row: row.ratio)
below.vlines(best.question.cut, 0, best.gain, color=WINS, linewidth=6)
below.text(best.question.cut + 0.008, best.gain, f"{best.question.cut:.4f} wins", va="top", color=INK)
below.set(title="Every threshold of density (密度)", xlabel="threshold", ylabel="gain in bits", ylim=(0, 0.3))
for axes in (above, below):
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig("ledger.svg", metadata={"Date": None})

page = Path("ledger.html")
page.write_text(f'<!doctype html><meta charset="utf-8">{tree.ledger_._repr_html_()}', "utf-8")
print(f"\nThe whole ledger is in {page}, a picture of its root in ledger.svg.")
