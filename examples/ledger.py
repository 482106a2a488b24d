"""Why did the tree ask that? The ledger of a tree that tells good watermelons from bad.

The table is Zhou's watermelon data set 2.0α with the density of his data set 3.0, worked out by hand in many
lecture notes. Every figure of theirs is in the ledger, because the ledger holds the very candidates that were
compared while the tree grew.
"""

from pathlib import Path

import treewright as tw

melons, target = tw.datasets.load("watermelon_20a_density")
tree = tw.C45Classifier(variant="textbook", min_cases=1, keep_ledger=True).fit(melons, target)
print(tree.to_text(), end="\n\n")

print("What each column offered at the root, and why it did not win:\n")
print(tree.ledger_[0], end="\n\n")

print("Colour, as a textbook writes it out:\n")
print(tree.ledger_[0].formula("色泽"), end="\n\n")

print("Every cut of density, from the data:\n")
cuts = [row for row in tw.audit(tree, melons, target, every_cut=True) if row.column == "密度"]
for row in cuts:
    print(f"{row.question.cut:.4f}  gain {row.gain:.4f}  ratio {row.ratio:.4f}  {row.reason}")

# Quinlan's own program charges density for the cuts it tried, and asks about texture first.
quinlan = tw.C45Classifier(keep_ledger=True).fit(melons, target)
print("\nRelease 8 asks another question. Its density:\n")
print(quinlan.ledger_[0].formula("密度"))

page = Path("ledger.html")
page.write_text(f'<!doctype html><meta charset="utf-8">{tree.ledger_._repr_html_()}', "utf-8")
print(f"\nThe whole ledger is in {page}.")
