"""Grow a tree by a criterion of your own: one that looks at the upper end of the target.

A criterion is a function of all cuts of a column at once. Rows come in the order of the column, `cuts` says
how many of them lie on the left of each cut, and the answer is by how much each cut lowers the loss. Which
cuts are allowed, what weights and missing values do, which cut wins a tie: none of that is its business.

Here the loss is that of a quantile (Koenker and Bassett 1978): being too low costs nine times as much as
being too high. So the tree parts rows whose *large* values differ, even where means and medians are alike.
The picture, `own_criterion.svg`, wants matplotlib: pip install treewright[plot].
"""

import matplotlib
import numpy as np

import treewright as tw

matplotlib.use("svg")
import matplotlib.pyplot as plt

LEVEL = 0.9


def loss(y, weight):
    """Quantile loss of the targets about their own quantile."""
    order = np.argsort(y, kind="stable")
    y, weight = y[order], weight[order]
    below = np.cumsum(weight)
    quantile = y[np.searchsorted(below, LEVEL * below[-1])]
    return np.sum(weight * np.where(y >= quantile, LEVEL * (y - quantile), (1 - LEVEL) * (quantile - y)))


def upper_end(y, weight, cuts):
    """By how much each cut lowers the quantile loss."""
    whole = loss(y, weight)
    return [whole - loss(y[:cut], weight[:cut]) - loss(y[cut:], weight[cut:]) for cut in cuts]


# Calls to a help desk: the usual one takes as long in every hour, but after five some take very long.
rng = np.random.default_rng(0)
hour = rng.integers(8, 20, 400)
staff = rng.integers(3, 9, 400)
minutes = 10 - 0.4 * staff + rng.normal(0, 1, 400)
minutes[hour >= 17] += rng.choice([-2.0, 16.0], np.sum(hour >= 17), p=[0.88, 0.12])
calls = {"hour": hour, "staff": staff}

plt.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "treewright", "font.size": 10}
figure, panels = plt.subplots(1, 3, figsize=(9, 4), sharey=True, layout="constrained")
for axes, (name, criterion) in zip(
    panels,
    [("squared_error", "squared_error"), ("absolute_error", "absolute_error"), ("upper_end", upper_end)],
    strict=True,
):
    tree = tw.DecisionTreeRegressor(criterion=criterion, max_depth=2, min_samples_leaf=20)
    tree.fit(calls, minutes)
    print(f"{name}\n{tree.to_text()}\n")
    leaf = tree.apply(calls)
    ends = [np.quantile(minutes[leaf == each], LEVEL) for each in np.unique(leaf)]
    print("nine calls in ten are done within", ", ".join(f"{end:.1f}" for end in ends), "minutes, by leaf\n")
    for each, end in zip(np.unique(leaf), ends, strict=True):
        when = hour[leaf == each]
        dots = axes.scatter(when, minutes[leaf == each], s=8, alpha=0.6)
        axes.hlines(end, when.min() - 0.4, when.max() + 0.4, dots.get_facecolor()[:1, :3], lw=2)
    axes.set(title=name, xlabel="hour of the day", xticks=(8, 12, 16, 20))
panels[0].set_ylabel("minutes")
figure.suptitle("A colour for each leaf; nine calls in ten are done by its line", fontsize=11)
figure.savefig("own_criterion.svg", metadata={"Date": None})
print("The picture is in own_criterion.svg.")
