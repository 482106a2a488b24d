"""Why does the tree predict this? Explanations of single rows, with and without missing values.

Golf is Quinlan's table of fourteen days, the watermelons are Zhou's (table 4.4, with missing values). The
picture, `explain.svg`, needs matplotlib: pip install treewright[plot].
"""

import matplotlib

import treewright as tw

matplotlib.use("svg")
import matplotlib.pyplot as plt

RULE = "-" * 72

columns, target = tw.datasets.load("golf")
golf = tw.C45Classifier().fit(columns, target)
day = {"outlook": "sunny", "temperature": 80, "humidity": 90, "windy": "true"}

print(golf.to_text())
print(f"{RULE}\nA sunny and humid day:\n")
print(golf.explain(day))

print(f"{RULE}\nThe same day with the outlook missing; C4.5 goes down every branch:\n")
print(golf.explain({**day, "outlook": None}))

columns, target = tw.datasets.load("watermelon_20a")
melons = tw.CARTClassifier(pruning=None).fit(columns, target)
melon = {name: values[0] for name, values in columns.items() if name != target}

print(f"{RULE}\nA melon with the texture (纹理) missing; CART uses another column instead:\n")
print(melons.explain({**melon, "纹理": None}))

# All printed values are also available as numbers.
explanation = golf.explain(day)
print(f"{RULE}\nShapley values of every class:\n")
for column, values in explanation.to_dict()["shapley"].items():
    print(f"{column:12}", "  ".join(f"{label} {value:+.3f}" for label, value in values.items()))
total = explanation.expected + explanation.shapley.sum(axis=0)
print(f"\nTogether with the expected value for any day they add up to {total.round(3).tolist()},")
print(f"and the tree predicts {explanation.prediction.tolist()}.")

# The same as a picture: from the prediction for any day, column by column, to that for this day.
plt.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "treewright", "font.size": 10}


def waterfall(axes, start, changes, title):
    """Draw steps from a start to the sum, from top to bottom."""
    before = start
    axes.barh("any day", start, color="#bcc6d0")
    for at, (name, change) in enumerate(changes.items(), start=1):
        axes.barh(name, change, left=before, color="#ee8866" if change > 0 else "#4477aa")
        axes.text(
            max(before, before + change) + 0.02,
            at,
            f"{change:+.3f}" if abs(change) > 1e-9 else "0",
            va="center",
        )
        before += change
    axes.barh("this day", before, color="#566270")
    axes.text(before + 0.02, len(changes) + 1, f"{before:.3f}", va="center")
    axes.set(title=title, xlim=(0, 1.25), xticks=(0, 0.5, 1))
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)


figure, grid = plt.subplots(2, 2, figsize=(9, 6), sharex=True, layout="constrained")
for row, sky, (on_the_path, by_shapley) in zip(
    (day, {**day, "outlook": None}), ("sunny", "missing"), grid, strict=True
):
    explanation = golf.explain(row)
    at = explanation.labels.index("Don't Play")
    names = [f"{column} {row[column] or 'missing'}" for column in explanation.columns]
    for axes, start, parts, title in (
        (on_the_path, explanation.root, explanation.contributions, f"on the path, outlook {sky}"),
        (by_shapley, explanation.expected, explanation.shapley, f"Shapley values, outlook {sky}"),
    ):
        waterfall(axes, start[at], dict(zip(names, parts[:, at], strict=True)), title)
figure.supxlabel("probability of Don't Play", fontsize=10)
figure.savefig("explain.svg", metadata={"Date": None})
print("\nexplain.svg shows the effect of each column, with the outlook known and missing.")
