"""Grow a first tree that separates good watermelons from bad ones.

The table is Zhou's (*Machine Learning*, table 4.3): density and sugar of seventeen melons, and whether
each one is good. The program draws the tree in `first_tree.svg`.
"""

from pathlib import Path

from sklearn.model_selection import LeaveOneOut, cross_val_predict

import treewright as tw

columns, target = tw.datasets.load("watermelon_30")
melons = {"density": columns["密度"], "sugar": columns["含糖率"]}
truth = ["good" if answer == "是" else "bad" for answer in columns[target]]

tree = tw.DecisionTreeClassifier().fit(melons, truth)

print("Seventeen watermelons, from Zhou's Machine Learning. Which are good?\n")
print(tree.to_text() + "\n")
Path("first_tree.svg").write_text(tree.to_svg(), encoding="utf-8")

# A tree of this size memorizes its melons. The real test is its prediction for a melon it has not seen.
X = [list(melon) for melon in zip(*melons.values(), strict=True)]
unseen = cross_val_predict(tw.DecisionTreeClassifier(), X, truth, cv=LeaveOneOut())

print("melon  density  sugar  truth  predicted  without this melon")
rows = zip(X, truth, tree.predict(melons), unseen, strict=True)
for number, ((density, sugar), answer, seen, guess) in enumerate(rows, start=1):
    mark = "" if guess == answer else " (wrong)"
    print(f"{number:5}  {density:7.3f}  {sugar:5.3f}  {answer:5}  {seen:9}  {guess}{mark}")

n_right = sum(guess == answer for guess, answer in zip(unseen, truth, strict=True))
print(f"\naccuracy on the training melons: {tree.score(melons, truth):.0%}")
print(f"accuracy by leave-one-out:       {n_right / len(truth):.0%}")
print(f"\n{tree.get_n_leaves()} leaves, {tree.get_depth()} levels.", end=" ")
print(f"The class has an entropy of {tw.information.entropy(truth):.3f} bits;", end=" ")
leaf = tree.apply(melons)
print(f"given the leaf, {tw.information.conditional_entropy(truth, leaf):.3f} of them remain.")
