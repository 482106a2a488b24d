"""Read a tree as rules: what it says about melons, the same as SQL, and how far to trust each rule.

The picture, `rules.svg`, wants matplotlib: pip install treewright[plot].
"""

import warnings

import matplotlib

import treewright as tw

matplotlib.use("svg")
import matplotlib.pyplot as plt

columns, target = tw.datasets.load("watermelon_30")
tree = tw.DecisionTreeClassifier(max_depth=3).fit(columns, target)

print("One rule for each leaf:\n")
rules = tree.rules()
print(rules)

# A rule knows its conditions, its answer, and how far to trust it.
best = max(rules, key=lambda rule: rule.support * (1 - rule.error_bound))
print(f"\nThe rule that says most: {best}.")
print(
    f"It holds for {best.n_rows} melons of {len(columns[target])}; at most {best.error_bound:.0%} "
    "of those to come should be others."
)

print("\nThe same as SQL:\n")
print(rules.to_sql("melons"))

print("\nAs C4.5rules makes them, in order, with a class for the rest:\n")
quinlan = tw.C45Classifier().fit(columns, target)
short = quinlan.rules(kind="c45rules", X=columns, y=target)
print(short)
melons = {name: values for name, values in columns.items() if name != target}
right = sum(short.predict(melons) == columns[target])
print(f"\nright on the melons they were made of: {right} of {len(columns[target])}")

# The same as a picture. A rule is worth something where it holds for many rows, so that its bar is long, and
# where few rows to come can be others, so that the line from its confidence does not reach far down.
plt.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "treewright", "font.size": 10}
warnings.filterwarnings("ignore", "Glyph .* missing")  # whoever shows the picture has Chinese letters
COLOURS, INK = {"是": "#228833", "否": "#ee8866"}, "#1c2430"


def draw(rules, title, holds, sure):
    """Draw rules from top to bottom: for how many rows each holds, and how sure it is."""
    places = range(len(rules), 0, -1)
    colours = [COLOURS[rule.answer] for rule in rules]
    holds.barh(places, [rule.n_rows for rule in rules], height=0.4, color=colours)
    for place, rule in zip(places, rules, strict=True):
        holds.text(0.08, place + 0.22, f"{' and '.join(rule.texts)} → {rule.answer}", va="bottom", color=INK)
    holds.set_title(title, loc="left", fontsize=11, pad=8)
    sure.hlines(
        places,
        [1 - rule.error_bound for rule in rules],
        [rule.confidence for rule in rules],
        colours,
        linewidth=3,
    )
    sure.scatter([rule.confidence for rule in rules], places, color=colours, zorder=3)
    for axes in (holds, sure):
        axes.set_yticks([])
        axes.set_ylim(0.3, len(rules) + 0.7)
        axes.spines[["top", "right", "left"]].set_visible(False)


figure, axes = plt.subplots(2, 2, figsize=(8.6, 7.4), width_ratios=(3, 2), sharex="col", layout="constrained")
draw(rules, "One rule for each leaf", *axes[0])
draw(short, "C4.5's rules, the first that is met answers, otherwise 否", *axes[1])
axes[1, 0].set(xlabel="melons it holds for", xlim=(0, 8))
axes[1, 1].set(xlabel="share that it gets right:\nseen (dot), at least to be expected (line)", xlim=(0, 1.05))
figure.savefig("rules.svg", metadata={"Date": None})
print("\nrules.svg shows both sets, one above the other.")
