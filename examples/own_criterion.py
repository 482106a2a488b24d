"""Grow a tree with a criterion of your own: a quantile loss for the upper end of the target.

A criterion is a function that scores all cuts of a column at once. Rows come in the order of the column,
`cuts` has the number of rows on the left of each cut, and the score is the decrease of the loss. The library
handles limits, weights, missing values and ties.

Here the loss is that of a quantile (Koenker and Bassett 1978): a prediction that is too low costs nine times
as much as one that is too high. So the tree separates rows whose *large* values differ, even if means and
medians are alike. The picture, `own_criterion.svg`, needs matplotlib: pip install treewright[plot].
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
    """Give the decrease of the quantile loss for each cut."""
    whole = loss(y, weight)
    return [whole - loss(y[:cut], weight[:cut]) - loss(y[cut:], weight[cut:]) for cut in cuts]


# Calls to a help desk: the typical call takes the same time at any hour, but after five some take very long.
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
    print("nine calls in ten end within", ", ".join(f"{end:.1f}" for end in ends), "minutes, by leaf\n")
    for each, end in zip(np.unique(leaf), ends, strict=True):
        when = hour[leaf == each]
        dots = axes.scatter(when, minutes[leaf == each], s=8, alpha=0.6)
        axes.hlines(end, when.min() - 0.4, when.max() + 0.4, dots.get_facecolor()[:1, :3], lw=2)
    axes.set(title=name, xlabel="hour of the day", xticks=(8, 12, 16, 20))
panels[0].set_ylabel("minutes")
figure.suptitle("One colour per leaf; nine calls in ten are below its line", fontsize=11)
figure.savefig("own_criterion.svg", metadata={"Date": None})
print("The picture is in own_criterion.svg.")
