"""Trees to draw: from textbooks, from a real table, with hostile names, and with every kind of branch."""

import csv
import functools
import json
import warnings

import numpy as np

import treewright as tw
from treewright.errors import DeepTreeWarning

# Markup, quotes, marks of the formats, other directions, controls, pictures, halves of characters.
HOSTILE = [
    "<script>alert(1)</script>",
    "\"double\" and 'single'",
    "&amp; & &#60;",
    "]]> --> <!-- */ }",
    "two\nlines\r\nand\ttabs",
    "back\\slash \\N \\n",
    "a|b|c [x] {y} (z) `tick` *bold* _it_ #35; ; %% end",
    "1. a list - of + things",
    "$x^2$ and $",
    "שלום עולם",
    "\u202eright to left",
    "مرحبا",
    "👩‍👩‍👧 family 🍉🍉",
    "nul\x00 bell\x07 \x7f\x85",
    "half \ud83d",
    "no character \ufffe",
    "e\u0301\u0301\u0301 combining",
    "色泽，根蒂",
    "",
    " ",
]


def golf():
    return tw.C45Classifier().fit(*tw.datasets.load("golf"))


def watermelon():
    return tw.C45Classifier(pruning=False, min_cases=1).fit(*tw.datasets.load("watermelon_30"))


def adult(shared):
    """Real: 48,842 rows, sets of up to 41 categories, gaps."""
    facts = json.loads((shared / "data" / "datasets.json").read_text("utf-8"))
    facts = facts["adult"] if isinstance(facts, dict) else next(f for f in facts if f["name"] == "adult")
    with (shared / "data" / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {}
    for column in facts["schema"]:
        values = [row[column["name"]] or None for row in rows]
        if column["type"] == "numeric":
            values = np.array([np.nan if value is None else float(value) for value in values])
        columns[column["name"]] = values
    return tw.DecisionTreeClassifier(max_depth=4).fit(columns, facts["target"])


def hostile():
    """A tree whose columns, categories and classes are all hostile; each category has a branch."""
    n = len(HOSTILE)
    labels = HOSTILE * 2
    columns = {f"{name} ": labels for name in HOSTILE[:1]}
    columns[HOSTILE[1]] = [float(at) for at in range(2 * n)]
    y = [*HOSTILE, *HOSTILE[1:], HOSTILE[0]]
    return tw.DecisionTreeClassifier(categorical_split="multiway").fit(columns, y)


def hostile_names():
    """Trees that ask about each hostile name in turn."""
    for name in HOSTILE:
        yield name, tw.DecisionTreeClassifier().fit({name or "x": ["a", "b"]}, ["no", name])


def gaps(missing="branch"):
    """Rows without a value, in a column of numbers and one of categories."""
    age = [20.0, 21.0, 22.0, 30.0, 31.0, 32.0, None, None, 25.0, 26.0]
    town = ["a", "b", None, "a", "b", None, "a", "c", "c", None]
    y = ["no", "no", "no", "yes", "yes", "yes", "no", "yes", "no", "maybe"]
    visits = [1, 2, 8, 3, 8, 9, 2, 8, 4, 5]
    return tw.DecisionTreeClassifier(missing=missing).fit({"age": age, "town": town, "visits": visits}, y)


@functools.cache
def many_nodes():
    """A tree of some 5,000 nodes: labels drawn at random have to be learned one by one."""
    rng = np.random.default_rng(5)
    return tw.DecisionTreeClassifier().fit(rng.random((5000, 1)), rng.integers(0, 2, 5000))


def regression():
    rng = np.random.default_rng(1)
    X = {"hour": rng.integers(0, 24, 200), "day": rng.choice(["mon", "tue", "sat", "sun"], 200)}
    y = X["hour"] * 10.0 + np.isin(X["day"], ["sat", "sun"]) * 55.0
    return tw.DecisionTreeRegressor(max_depth=3).fit(X, y)


def deep(depth=1200):
    """A tree that is one long stair: of classes with a row each, one is split off at a time."""
    X = np.arange(depth + 1.0)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeepTreeWarning)
        return tw.DecisionTreeClassifier().fit(X, np.arange(depth + 1))


def wide(n_branches=300):
    """A node with very many branches."""
    towns = [f"town {at:03}" for at in range(n_branches)]
    X = {"town": [*towns, *towns[:40], *towns[:10]]}
    return tw.DecisionTreeClassifier(categorical_split="multiway").fit(X, [t[-1] for t in X["town"]])


# Trees of every kind that drawings tell apart.
KINDS = {
    "golf": golf,
    "watermelon": watermelon,
    "gaps have a branch": lambda: gaps("branch"),
    "gaps go everywhere": lambda: gaps("spread"),
    "gaps have surrogates": lambda: gaps("surrogate"),
    "gaps are learned": lambda: gaps("learned"),
    "empty branches": lambda: tw.C45Classifier(pruning=False, min_cases=1).fit(
        *tw.datasets.load("watermelon_20a")
    ),
    "intervals": lambda: tw.ID3Classifier(bins=3, max_depth=3).fit(*tw.datasets.load("watermelon_30")),
    "numbers": regression,
    "a leaf": lambda: tw.DecisionTreeRegressor().fit([[1.0]], [2.5]),
    "hostile": hostile,
}


@functools.cache
def tree_of(kind):
    """Grow a tree of a kind, once."""
    return KINDS[kind]()
