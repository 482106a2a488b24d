"""Read a tree as rules: what it predicts for melons, the same as SQL, and how reliable each rule is.

The picture, `rules.svg`, needs matplotlib: pip install treewright[plot].
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

# A rule has its conditions, its prediction, and an upper bound of its error.
best = max(rules, key=lambda rule: rule.support * (1 - rule.error_bound))
print(f"\nThe strongest rule: {best}.")
print(
    f"It covers {best.n_rows} melons of {len(columns[target])}; among new ones at most "
    f"{best.error_bound:.0%} should have another class."
)

print("\nThe same as SQL:\n")
print(rules.to_sql("melons"))

print("\nThe rules of C4.5rules, in order, with a default class:\n")
quinlan = tw.C45Classifier().fit(columns, target)
short = quinlan.rules(kind="c45rules", X=columns, y=target)
print(short)
melons = {name: values for name, values in columns.items() if name != target}
right = sum(short.predict(melons) == columns[target])
print(f"\ncorrect on the training melons: {right} of {len(columns[target])}")

# The same as a picture. A good rule covers many rows, so that its bar is long, and has a low bound of its
# error, so that the line from its confidence is short.
plt.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "treewright", "font.size": 10}
warnings.filterwarnings("ignore", "Glyph .* missing")  # the viewer of the picture has a Chinese font
COLOURS, INK = {"是": "#228833", "否": "#ee8866"}, "#1c2430"


def draw(rules, title, holds, sure):
    """Draw rules from top to bottom: the rows of each rule, and how reliable it is."""
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
draw(short, "C4.5's rules: the first match predicts, otherwise 否", *axes[1])
axes[1, 0].set(xlabel="rows of the rule", xlim=(0, 8))
axes[1, 1].set(xlabel="accuracy: in training (dot),\nlower bound for new rows (line)", xlim=(0, 1.05))
figure.savefig("rules.svg", metadata={"Date": None})
print("\nrules.svg shows both sets, one above the other.")
