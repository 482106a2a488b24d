"""Read what rpart was given and what it answered, as golden/README.md and definitions.md 1.2 describe it.

A factor is a column of categories; an *ordered* one is a column of numbers, 1, 2, ... in the declared
order. rpart's left and right follow the mean of the target. Here branch 0 of a question is, as in the
library, the side of the low numbers, or of the first category that has a side, so that the same question
reads the same.
"""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from conftest import SHARED
from golden.stored import cells, schema
from oracle import naive_surrogates

RESULTS = SHARED / "golden" / "rpart"
PROBES = SHARED / "golden" / "probes"

# What rpart does when it is not told.
CONTROL = {
    "minsplit": 20,
    "cp": 0.01,
    "maxcompete": 4,
    "maxsurrogate": 5,
    "usesurrogate": 2,
    "surrogatestyle": 0,
    "maxdepth": 30,
}


@dataclass(frozen=True)
class Asked:
    """A stored question, be it primary, competitor or surrogate."""

    column: int
    cut: float | None  # of a column of numbers
    side_of: dict[str, int] | None  # of a column of categories: the branch of each that has one
    left_branch: int  # which branch rpart calls left
    stored: dict[str, Any]

    def branch(self, value: Any) -> int | None:
        """Give the branch of a value, None where it is missing or has none."""
        if value is None:
            return None
        return self.side_of.get(value) if self.side_of is not None else int(value > self.cut)


@dataclass(frozen=True)
class Data:
    """The table that rpart was given: rows without a target are not in it."""

    names: tuple[str, ...]
    is_category: tuple[bool, ...]
    levels: tuple[tuple[str, ...] | None, ...]  # of factors, the ordered ones included
    columns: tuple[tuple[Any, ...], ...]  # None: missing
    y: tuple[Any, ...]
    weights: tuple[int, ...]
    places: tuple[int, ...]  # the row in the file of each row

    @cached_property
    def arrays(self) -> tuple[np.ndarray | pd.Categorical, ...]:
        """The columns for the library: categories declared, NaN where a number is missing."""
        return tuple(
            pd.Categorical(values, categories=list(levels))
            if is_category
            else np.array([math.nan if value is None else value for value in values])
            for values, levels, is_category in zip(self.columns, self.levels, self.is_category, strict=True)
        )

    def table(self, rows: Sequence[int], columns: Sequence[int]) -> dict[str, Any]:
        """Give some rows, and some columns in the order named, as a table for the library."""
        taken = {self.names[j]: self.arrays[j][rows] for j in columns}
        return {
            name: values if isinstance(values, np.ndarray) else pd.Series(values, copy=False)
            for name, values in taken.items()
        }

    def whole(self) -> dict[str, Any]:
        """Give all of it as a table for the library."""
        return self.table(range(len(self.y)), range(len(self.names)))

    def node(self, rows: Sequence[int], asked: Asked) -> naive_surrogates.Rows:
        """Give the rows of a node and where its question sends them in the words of the oracle."""
        values = self.columns[asked.column]
        return naive_surrogates.Rows(
            columns=[[column[row] for row in rows] for column in self.columns],
            is_category=self.is_category,
            weights=[self.weights[row] for row in rows],
            branches=[asked.branch(values[row]) for row in rows],
        )


@dataclass
class StoredNode:
    """A stored node with the rows that reach it."""

    stored: dict[str, Any]
    rows: list[int]
    primary: Asked | None = None
    surrogates: list[Asked] = field(default_factory=list)
    competitors: list[Asked] = field(default_factory=list)
    usual_left: bool | None = None  # whether more of the rows that the question places go left; None: even


def control_of(stored: dict[str, Any]) -> dict[str, Any]:
    """Give every option that a stored result was grown with, the defaults filled in."""
    given = dict(stored["options"]["control"] or {})
    if "minbucket" in given and "minsplit" not in given:
        given["minsplit"] = 3 * given["minbucket"]
    control = CONTROL | given
    return control | {"minbucket": given.get("minbucket", round(control["minsplit"] / 3))}


def leaves_rows(stored: dict[str, Any]) -> bool:
    """Say whether rows that no question can place stopped where they were."""
    return control_of(stored)["usesurrogate"] < 2


@dataclass(frozen=True)
class Result:
    """A stored result and the table it is about."""

    name: str
    stored: dict[str, Any]
    data: Data

    @property
    def is_regression(self) -> bool:
        return self.stored["options"]["method"] == "anova"

    @cached_property
    def control(self) -> dict[str, Any]:
        """Every option of growing, the defaults filled in."""
        return control_of(self.stored)

    @property
    def parms(self) -> dict[str, Any]:
        return self.stored["options"]["parms"] or {}

    @property
    def criterion(self) -> str:
        if self.is_regression:
            return "squared_error"
        return "entropy" if self.parms.get("split") == "information" else "gini"

    @property
    def style(self) -> str:
        return "known" if self.control["surrogatestyle"] == 1 else "all"

    @property
    def leaves_rows(self) -> bool:
        """Say whether rows that no question can place stop where they are."""
        return leaves_rows(self.stored)

    @property
    def classes(self) -> list[str]:
        return self.stored["classes"]

    @property
    def loss(self) -> np.ndarray:
        """Give what a wrong answer costs, rows the true class."""
        rows = self.parms.get("loss", {}).get("rows")
        return 1.0 - np.eye(len(self.classes)) if rows is None else np.array(rows, dtype=float)

    @cached_property
    def y(self) -> np.ndarray:
        """The targets; classes as their number, so that the first of equals is rpart's first."""
        if self.is_regression:
            return np.array(self.data.y)
        number = {label: at for at, label in enumerate(self.classes)}
        return np.array([number[label] for label in self.data.y])

    @cached_property
    def weights(self) -> np.ndarray:
        """The weights of the rows."""
        return np.array(self.data.weights, dtype=float)

    @cached_property
    def class_weights(self) -> np.ndarray:
        """The weight of each class in the training rows."""
        return np.bincount(self.y, self.weights, minlength=len(self.classes))

    @property
    def priors(self) -> np.ndarray:
        """Give how often each class is to be expected."""
        given = self.parms.get("prior")
        weight = self.class_weights
        return weight / weight.sum() if given is None else np.array(given, dtype=float)

    @property
    def altered_priors(self) -> np.ndarray:
        """Give the priors that the losses have changed, as splits are chosen by them."""
        altered = self.priors * self.loss.sum(axis=1)
        return altered / altered.sum()

    def factors(self, priors: np.ndarray) -> np.ndarray:
        """Give what a row of weight 1 of each class counts: prior x all weight / weight of the class."""
        weight = self.class_weights
        return np.divide(priors * weight.sum(), weight, out=np.zeros_like(weight), where=weight > 0)

    @property
    def alters(self) -> bool:
        """Say whether rows of one class count for more than those of another."""
        return "prior" in self.parms or "loss" in self.parms

    def asked(self, stored: dict[str, Any]) -> Asked:
        """Read a stored question."""
        column = self.data.names.index(stored["attr"])
        if stored["kind"] == "threshold":
            return Asked(column, stored["cut"], None, 0 if stored["left_if"] == "<" else 1, stored)
        if not self.data.is_category[column]:  # an ordered factor: printed as sets, cut as a number
            levels = self.data.levels[column]
            low_left = levels[0] in stored["left_values"]
            low = stored["left_values"] if low_left else stored["right_values"]
            return Asked(column, len(low) + 0.5, None, 0 if low_left else 1, stored)
        here = [
            level
            for level in self.data.levels[column]
            if level in stored["left_values"] or level in stored["right_values"]
        ]
        first_left = here[0] in stored["left_values"]
        with_first = stored["left_values" if first_left else "right_values"]
        side_of = {level: 0 if level in with_first else 1 for level in here}
        return Asked(column, None, side_of, 0 if first_left else 1, stored)

    def walk(self) -> Iterator[StoredNode]:
        """Send the rows down the stored tree by the stored rules; give each node in pre-order."""
        stack = [(self.stored["tree"], list(range(len(self.data.y))))]
        while stack:
            stored, rows = stack.pop()
            if "split" not in stored:
                yield StoredNode(stored, rows)
                continue
            node = StoredNode(
                stored,
                rows,
                self.asked(stored["split"]),
                [self.asked(one) for one in stored.get("surrogates", ())],
                [self.asked(one) for one in stored.get("competitors", ())],
            )
            yield node
            asked = self.data.columns[node.primary.column]
            weight = [0, 0]
            for row in rows:
                branch = node.primary.branch(asked[row])
                if branch is not None:
                    weight[branch == node.primary.left_branch] += self.data.weights[row]
            node.usual_left = None if weight[0] == weight[1] else weight[1] > weight[0]
            taken = [self.left(node, lambda at, row=row: self.data.columns[at][row]) for row in rows]
            for child, is_left in ((stored["right"], False), (stored["left"], True)):
                stack.append((child, [row for row, at in zip(rows, taken, strict=True) if at is is_left]))

    def left(self, node: StoredNode, value_in: Callable[[int], Any]) -> bool | None:
        """Say whether a row goes left, given its value in each column; None: it stops here."""
        assert node.primary is not None
        asked = [node.primary, *(node.surrogates if self.control["usesurrogate"] > 0 else ())]
        for question in asked:
            branch = question.branch(value_in(question.column))
            if branch is not None:
                return branch == question.left_branch
        return node.usual_left if self.control["usesurrogate"] == 2 else None


def names() -> list[str]:
    """List the stored results."""
    return sorted(path.stem for path in RESULTS.glob("rpart__*.json")) if RESULTS.is_dir() else []


@lru_cache(maxsize=4)
def table(
    dataset: str, path: Path, ignored: tuple[str, ...] = (), *, weighted: bool = False, keep_all: bool = False
) -> Data:
    """Read a table; rows without a target are left out, without weights also those without any value."""
    about = schema(dataset)
    kinds = [one for one in about["schema"] if one["name"] != about["target"] and one["name"] not in ignored]
    is_category = tuple(one["type"] == "categorical" and not one.get("ordered") for one in kinds)
    levels = tuple(tuple(one["categories"]) if "categories" in one else None for one in kinds)

    def value(text: str, at: int) -> Any:
        if text == "":
            return None
        if is_category[at]:
            return text
        return float(text) if levels[at] is None else float(levels[at].index(text) + 1)

    kept = [
        (place, row, [value(row[one["name"]], at) for at, one in enumerate(kinds)])
        for place, row in enumerate(cells(path))
        if row[about["target"]] != "" or keep_all
    ]
    if not weighted and not keep_all:
        kept = [one for one in kept if any(cell is not None for cell in one[2])]
    as_number = about["task"] == "regression"
    return Data(
        names=tuple(one["name"] for one in kinds),
        is_category=is_category,
        levels=levels,
        columns=tuple(zip(*(values for _, _, values in kept), strict=True)),
        y=tuple(float(row[about["target"]]) if as_number else row[about["target"]] for _, row, _ in kept),
        weights=tuple(1 + place % 3 if weighted else 1 for place, _, _ in kept),
        places=tuple(place for place, _, _ in kept),
    )


def stored_result(name: str) -> dict[str, Any]:
    """Read a stored result."""
    return json.loads((RESULTS / f"{name}.json").read_text("utf-8"))


@lru_cache(maxsize=2)
def load(name: str) -> Result:
    """Read a stored result and its table."""
    stored = stored_result(name)
    weights = stored["options"]["weights"]
    assert weights in (None, "1 + ((0-based row) mod 3)")
    path = SHARED / "data" / f"{stored['dataset']}.csv"
    data = table(stored["dataset"], path, tuple(stored["ignored_columns"]), weighted=weights is not None)
    return Result(name, stored, data)


def probes() -> list[tuple[str, int]]:
    """List the stored probes of rpart: table, number of the result."""
    return [
        (path.stem.removesuffix("__probe"), number)
        for path in (sorted(PROBES.glob("*__probe.json")) if PROBES.is_dir() else [])
        for number, result in enumerate(json.loads(path.read_text("utf-8"))["results"])
        if result["tool"].startswith("rpart")
    ]


def load_probe(dataset: str, number: int) -> tuple[Result, dict[str, Any]]:
    """Read a probe, and the stored result that has the tree it was put to.

    With other options a tree is stored for a smaller cp: splits of no more complexity than the probe's cp are
    cut off.
    """
    probe = json.loads((PROBES / f"{dataset}__probe.json").read_text("utf-8"))["results"][number]
    options = probe["options"]
    same = "default" if options["cp"] else "full"
    same = next(name for name in (f"{same}_gini", same) if f"rpart__{dataset}__{name}" in names())
    other = f"rpart__{dataset}__usesurrogate{options['usesurrogate']}"
    result = load(other if other in names() else f"rpart__{dataset}__{same}")
    control = dict(result.stored["options"]["control"] or {}) | options
    stored = result.stored | {
        "tree": cut_back(result.stored["tree"], options["cp"]),
        "options": result.stored["options"] | {"control": control},
    }
    return Result(result.name, stored, result.data), probe


def cut_back(node: dict[str, Any], cp: float) -> dict[str, Any]:
    """Give a stored tree without the splits of complexity up to cp."""
    if "split" not in node or node["complexity"] <= cp:
        return {name: value for name, value in node.items() if name not in ("split", "left", "right")}
    return node | {side: cut_back(node[side], cp) for side in ("left", "right")}
