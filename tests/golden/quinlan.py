"""Read what C4.5 Release 8, J48 and Id3 answered on the shared tables (golden/README.md)."""

import json
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from conftest import SHARED
from golden.stored import cells, schema
from oracle.naive_c45_rules import J48, RELEASE8, Rules
from oracle.quinlan_tree import Column, Grown, Question, Table

GOLDEN = SHARED / "golden"


@lru_cache(maxsize=2)
def table(dataset: str, ignored: tuple[str, ...] = ()) -> Table:
    """Read a shared table with the categories in their declared order."""
    described = schema(dataset)
    rows = cells(SHARED / "data" / f"{dataset}.csv")
    target = described["target"]
    columns = [one for one in described["schema"] if one["name"] != target and one["name"] not in ignored]
    classes = next(one["categories"] for one in described["schema"] if one["name"] == target)
    place = {label: i for i, label in enumerate(classes)}
    return Table(
        columns=tuple(
            Column(one["name"], tuple(one["categories"]) if one["type"] == "categorical" else None)
            for one in columns
        ),
        values=tuple(encoded(one, [row[one["name"]] for row in rows]) for one in columns),
        classes=tuple(classes),
        target=tuple(place[row[target]] for row in rows),
    )


def encoded(column: dict[str, Any], texts: list[str]) -> tuple[float | int | None, ...]:
    """Numbers as they are, a category as its place, an empty cell as None."""
    if column["type"] != "categorical":
        return tuple(float(text) if text else None for text in texts)
    place = {category: i for i, category in enumerate(column["categories"])}
    return tuple(place[text] if text else None for text in texts)


def rows_of(table: Table) -> list[tuple[float | int | None, ...]]:
    """Give the rows to be asked about."""
    return list(zip(*table.values, strict=True))


def grown(stored: dict[str, Any], table: Table) -> Grown:
    """Read a stored node of C4.5 or J48 and all below it."""
    node = Grown(
        weight=stored["n"],
        class_weights=tuple(stored["dist"]),
        label=table.classes.index(stored["class"]),
        errors=stored.get("errors", 0.0),
        gain=stored.get("info_gain"),
        worth=stored.get("gain_ratio"),
    )
    if "attr" not in stored:
        return node
    return replace(
        node,
        question=question(stored, table),
        children=tuple(grown(branch["node"], table) for branch in stored["branches"]),
    )


def question(stored: dict[str, Any], table: Table) -> Question:
    """Read what a stored node asks."""
    column = next(i for i, one in enumerate(table.columns) if one.name == stored["attr"])
    branches = stored["branches"]
    if stored["kind"] == "threshold":
        return Question(column, "cut", cut=printed_value(stored["cut"], table.sorted_values[column]))
    place = {category: i for i, category in enumerate(table.columns[column].categories)}
    if stored["kind"] == "one_vs_rest":
        one = place[branches[0]["value"]]
        return Question(column, "one value", groups=((one,), tuple(i for i in place.values() if i != one)))
    if stored["kind"] == "discrete":
        groups = tuple((place[branch["value"]],) for branch in branches)
        return Question(column, "values", groups=groups)
    return Question(
        column, "groups", groups=tuple(tuple(place[v] for v in branch["values"]) for branch in branches)
    )


def printed_value(cut: float, values: tuple[float, ...]) -> float:
    """Give the value of the table a cut is, where float32 was printed for it; values are in order."""
    at = bisect_left(values, cut)
    near = [value for value in values[max(at - 1, 0) : at + 1] if abs(value - cut) <= 1e-7 * abs(value)]
    return min(near, key=lambda value: abs(value - cut), default=cut)


@dataclass(frozen=True)
class Stored:
    """A stored tree with what it answered, and the options it was grown with."""

    name: str
    dataset: str
    options: str
    is_stable: bool
    kept: dict[str, Any]
    ignored: tuple[str, ...]
    step: str  # "unpruned", "pruned"

    @property
    def table(self) -> Table:
        return table(self.dataset, self.ignored)

    @property
    def tree(self) -> Grown:
        return grown(self.kept["tree"], self.table)


def c45_rules(options: str) -> Rules:
    """Read Release 8's command line."""
    words = options.replace("(default)", "").split()
    return replace(
        RELEASE8,
        by_ratio="-g" not in words,
        group_categories="-s" in words,
        min_cases=int(words[words.index("-m") + 1]) if "-m" in words else 2,
        confidence=int(words[words.index("-c") + 1]) / 100 if "-c" in words else 0.25,
    )


def j48_rules(options: str) -> Rules:
    """Read J48's command line."""
    words = options.replace("(default)", "").split()
    return replace(
        J48,
        min_cases=int(words[words.index("-M") + 1]) if "-M" in words else 2,
        confidence=float(words[words.index("-C") + 1]) if "-C" in words else 0.25,
        prune="-U" not in words,
        raising="-S" not in words,
        collapse="-O" not in words,
        one_against_rest="-B" in words,
        laplace="-A" in words,
        cost_of_cuts="-J" not in words,
        reduced_error_folds=int(words[words.index("-N") + 1]) if "-R" in words else None,
        snap="-doNotMakeSplitPointActualValue" not in words,
    )


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


def c45_results() -> list[str]:
    """List the stored results of Release 8."""
    return sorted(path.stem for path in (GOLDEN / "c45r8").glob("*.json"))


def j48_results() -> list[str]:
    """List the stored results of J48."""
    return sorted(path.stem for path in (GOLDEN / "weka").glob("*j48__*.json"))


def load_c45(name: str, step: str) -> Stored:
    described = read(GOLDEN / "c45r8" / f"{name}.json")
    return Stored(
        name=name,
        dataset=described["dataset"],
        options=described["options"],
        is_stable=described["order_stable"].get(step, False),
        kept=described[step],
        ignored=tuple(described["ignored_columns"]),
        step=step,
    )


def load_j48(name: str) -> Stored:
    described = read(GOLDEN / "weka" / f"{name}.json")
    return Stored(
        name=name,
        dataset=described["dataset"],
        options=described["options"],
        is_stable=described.get("order_stable", False),
        kept=described,
        ignored=tuple(described["ignored_columns"]),
        step="unpruned" if "-U" in described["options"].split() else "pruned",
    )
