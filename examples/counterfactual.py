"""What would have to be different? The smallest change of a row that changes the prediction.

The picture, `counterfactual.svg`, needs matplotlib: pip install treewright[plot].
"""

import matplotlib
import numpy as np

import treewright as tw
from treewright.errors import UnreachableError

matplotlib.use("svg")
import matplotlib.pyplot as plt

RULE = "-" * 72

columns, target = tw.datasets.load("golf")
golf = tw.C45Classifier().fit(columns, target)
day = {"outlook": "sunny", "temperature": 80, "humidity": 90, "windy": "true"}

print(golf.to_text())
print(f"{RULE}\nNo golf today. What would have helped?\n")
print(golf.counterfactual(day))

print(f"{RULE}\nThe outlook cannot change:\n")
change = golf.counterfactual(day, keep=["outlook"])
print(change)
print(f"\nThe changed day: {change.row}")
print(f"The prediction:  {golf.predict({name: [value] for name, value in change.row.items()})[0]}")

print(f"{RULE}\nNor can the humidity:\n")
try:
    golf.counterfactual(day, keep=["outlook", "humidity"])
except UnreachableError as error:
    print(error)

columns, target = tw.datasets.load("watermelon_30")
is_good = [1.0 if answer == "是" else 0.0 for answer in columns.pop(target)]
melons = tw.DecisionTreeRegressor(max_depth=3).fit(columns, is_good)
melon = {name: values[-1] for name, values in columns.items()}

print(f"{RULE}\nA range as the target, here for the proportion of good melons:\n")
print(melons.counterfactual(melon, target=(0.9, None)))

# With two numeric columns, a picture shows the way from a bad melon to the nearest good one.
plt.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "treewright", "font.size": 10}
two = {"density": columns["密度"], "sugar": columns["含糖率"]}
truth = np.where(is_good, "good", "bad")
tree = tw.DecisionTreeClassifier(criterion="entropy").fit(two, truth)
density, sugar = np.meshgrid(np.linspace(0.2, 0.8, 301), np.linspace(0, 0.5, 251))
says = tree.predict({"density": density.ravel(), "sugar": sugar.ravel()}).reshape(density.shape)

figure, axes = plt.subplots(figsize=(7.2, 5.6), layout="constrained")
axes.contourf(density, sugar, says == "good", levels=(-0.5, 0.5, 1.5), colors=("#fbe3da", "#d5ecd9"))
for label, colour, mark in (("good", "#228833", "o"), ("bad", "#ee8866", "X")):
    is_so = truth == label
    axes.scatter(
        np.array(two["density"])[is_so], np.array(two["sugar"])[is_so], color=colour, marker=mark, label=label
    )
print(f"{RULE}\nThe bad melons, and what would make them good:\n")
for at in np.flatnonzero(truth == "bad"):
    start = {name: values[at] for name, values in two.items()}
    better = tree.counterfactual(start)
    print(f"melon {at + 1}:", ", ".join(map(str, better.changes)))
    to = (better.row["density"], better.row["sugar"])
    axes.annotate(
        "", to, tuple(start.values()), arrowprops={"arrowstyle": "->", "color": "#1c2430", "shrinkB": 0}
    )
axes.set(
    xlabel="density",
    ylabel="sugar",
    title="The smallest change, in thresholds crossed, that makes a bad melon good",
)
axes.legend(loc="upper left")
figure.savefig("counterfactual.svg", metadata={"Date": None})
print("\nThe picture is in counterfactual.svg.")
