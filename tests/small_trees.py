"""Small random trees with every kind of question and every way with gaps, and rows to ask them about."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from math import inf
from typing import Any

import numpy as np

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ID3Classifier,
)
from treewright.model.questions import Threshold


@dataclass(frozen=True)
class Kind:
    """A learner with its options; whether its target are numbers, and whether rows may have gaps."""

    name: str
    make: Callable[[], Any]
    of_numbers: bool = False
    takes_gaps: bool = True


def _plain(split, missing, of_numbers):
    make = DecisionTreeRegressor if of_numbers else DecisionTreeClassifier
    name = f"{split}-{missing}-{'numbers' if of_numbers else 'classes'}"
    return Kind(name, lambda: make(categorical_split=split, missing=missing), of_numbers, missing != "refuse")


KINDS = [
    *(
        _plain(*parts)
        for parts in product(
            ("subset", "multiway", "one-vs-rest"),
            ("learned", "majority", "branch", "spread", "surrogate", "refuse"),
            (False, True),
        )
        if parts[:2] != ("multiway", "surrogate")
    ),
    Kind("cart-classes", lambda: CARTClassifier(pruning=None)),
    Kind("cart-numbers", lambda: CARTRegressor(pruning=None), of_numbers=True),
    Kind(
        "losses",
        lambda: DecisionTreeClassifier(max_depth=3, missing="spread", loss=[[0, 1, 4], [2, 0, 1], [1, 3, 0]]),
    ),
    Kind("release8", lambda: C45Classifier(min_cases=1)),
    Kind("release8-groups", lambda: C45Classifier(min_cases=1, pruning=False, group_categories=True)),
    Kind("j48-laplace", lambda: C45Classifier(variant="j48", min_cases=1, laplace=True)),
    Kind("id3", ID3Classifier, takes_gaps=False),
    Kind("id3-spread", lambda: ID3Classifier(missing="spread", bins=3)),
]


# Every way to part rows, with words in the names of the kinds of trees that have it.
SPLITS = {
    "a cut": ("",),
    "known or not": ("learned",),
    "two sets": ("subset", "cart"),
    "one against the rest": ("one-vs-rest",),
    "a branch a category": ("multiway", "release8", "id3"),
    "groups": ("groups",),
    "a branch for gaps": ("branch",),
    "a surrogate": ("surrogate", "cart"),
}


def splits_of(tree: Any, kind: Kind) -> set[str]:
    """Name the ways in which a tree parts rows."""
    found = set()
    for node in tree.tree_.walk():
        question = node.question
        if question is None:
            continue
        if isinstance(question, Threshold):
            found.add("known or not" if question.cut == inf else "a cut")
        elif "one-vs-rest" in kind.name:
            found.add("one against the rest")
        elif any(len(codes) > 1 for codes in question.codes):
            found.add("groups" if "groups" in kind.name else "two sets")
        else:
            found.add("a branch a category" if len(question.codes) > 2 else "two sets")
        n_branches = len(node.children)
        if any(question.is_for_missing(branch) for branch in range(n_branches)) and n_branches > 2:
            found.add("a branch for gaps")
        if node.surrogates:
            found.add("a surrogate")
    return found


def cases_with(split: str, n: int, seed: int, **options: Any) -> Iterator["Case"]:
    """Draw as many trees that part rows in a way."""
    drawn = cases(100 * n, seed, of=kinds(*SPLITS[split]), **options)
    yield from islice((case for case in drawn if split in splits_of(case.tree, case.kind)), n)


@dataclass(frozen=True)
class Case:
    """A fitted tree and rows to ask it about."""

    kind: Kind
    tree: Any
    rows: list[dict[str, Any]]

    def __str__(self) -> str:
        return f"{self.kind.name}\n{self.tree.to_text()}"


def kinds(*words: str) -> list[Kind]:
    """Give the kinds with one of the words in their names."""
    return [kind for kind in KINDS if any(word in kind.name for word in words)]


def cases(
    n: int,
    seed: int,
    *,
    of: list[Kind] | None = None,
    columns: tuple[int, int] = (2, 5),
    n_rows: int = 4,
    gaps: float = 0.35,
    categories: float = 0.5,
) -> Iterator[Case]:
    """Draw trees, one kind after the other; `gaps` and `categories` are shares of values and columns."""
    of = of or KINDS
    for at in range(n):
        rng = np.random.default_rng([seed, at])
        yield case(of[at % len(of)], rng, columns, n_rows, gaps, categories)


def case(
    kind: Kind,
    rng: np.random.Generator,
    columns: tuple[int, int],
    n_rows: int,
    asked_gaps: float,
    categories: float,
) -> Case:
    """Draw a table, grow a tree on it and draw rows, some of them not in the table."""
    n = int(rng.integers(6, 30))
    is_category = rng.random(rng.integers(columns[0], columns[1] + 1)) < categories
    drawn: list[Any] = []
    for _ in is_category:
        base = rng.integers(0, 6, n)
        if drawn and rng.random() < 0.5:  # alike, so that there are surrogates
            base = np.where(rng.random(n) < 0.8, drawn[-1], base)
        drawn.append(base)
    gaps = float(rng.choice([0.0, 0.25])) if kind.takes_gaps else 0.0
    table = {
        f"x{at}": [_value(code, category, rng.random() < gaps, kind) for code in base]
        for at, (base, category) in enumerate(zip(drawn, is_category, strict=True))
    }
    for name, category in zip(table, is_category, strict=True):
        if all(value is None for value in table[name]):
            table[name][0] = _value(0, category, False, kind)
    y = rng.integers(0, 3, n)
    y[:3] = 0, 1, 2  # as many classes as there are losses
    if kind.of_numbers:
        y = y / 4 + rng.integers(0, 3, n)
    weights = None if kind.name.startswith(("cart", "id3")) else rng.integers(1, 4, n).astype(float)
    tree = kind.make().fit(table, y, sample_weight=weights)
    asked = asked_gaps if kind.takes_gaps else 0.0
    seen = {name: [value for value in values if value is not None] for name, values in table.items()}
    rows = [
        {
            name: _asked(rng, seen[name], category, asked, kind)
            for name, category in zip(table, is_category, strict=True)
        }
        for _ in range(n_rows)
    ]
    return Case(kind, tree, rows)


def _value(code, is_category, is_gap, kind):
    if is_gap:
        return None
    if is_category:
        return f"c{code}"
    return int(code) if kind.name == "id3" else float(code) / 2


def _asked(rng, seen, is_category, gaps, kind):
    if rng.random() < gaps:
        return None
    value = seen[rng.integers(len(seen))]
    return value if is_category or kind.name == "id3" else value + float(rng.choice([0.0, 0.25, -3.0, 3.0]))
