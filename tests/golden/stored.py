"""Read the shared tables and stored results as golden/README.md describes them."""

import csv
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from conftest import SHARED
from oracle.naive_tree import Rules
from oracle.plain_tree import PlainTree, of_stored
from oracle.scorer import Scorer

RESULTS = SHARED / "golden" / "sklearn"
PROBES = SHARED / "golden" / "probes"
CRITERIA = ("gini", "entropy", "log_loss", "squared_error", "absolute_error", "poisson")


@lru_cache(maxsize=4)
def schema(dataset: str) -> dict[str, Any]:
    """Give what datasets.json says of a table."""
    described = json.loads((SHARED / "data" / "datasets.json").read_text("utf-8"))
    tables = described if isinstance(described, list) else list(described.values())
    return next(table for table in tables if table["file"] == f"{dataset}.csv")


@lru_cache(maxsize=4)
def cells(path: Path) -> tuple[dict[str, str], ...]:
    """Read a CSV file, a dict a row; an empty cell is a missing value."""
    with path.open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


def encoded(dataset: str, rows: tuple[dict[str, str], ...], names: list[str]) -> np.ndarray:
    """Make the columns scikit-learn was given, in float32.

    A category is its index in the declared order, or `name=value` is 1 or 0 (a missing cell is 0 in all of
    them).
    """
    kinds = {column["name"]: column for column in schema(dataset)["schema"]}
    columns = []
    for name in names:
        if name not in kinds:
            attribute, value = name.split("=", 1)
            columns.append([float(row[attribute] == value) for row in rows])
        elif kinds[name]["type"] == "categorical":
            index = {category: i for i, category in enumerate(kinds[name]["categories"])}
            columns.append([float(index[row[name]]) if row[name] else np.nan for row in rows])
        else:
            columns.append([float(row[name]) if row[name] else np.nan for row in rows])
    return np.array(columns, dtype=np.float32).T.astype(float)


@dataclass(frozen=True)
class Result:
    """A stored result and the table it is about, ready to be fitted again."""

    stored: dict[str, Any]
    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None
    asked: np.ndarray  # the rows predictions are stored for: also those without a target

    @property
    def options(self) -> dict[str, Any]:
        return self.stored["options"]

    @property
    def is_regression(self) -> bool:
        return "classes" not in self.stored

    @property
    def tree(self) -> PlainTree | None:
        """Give the stored tree; very large ones were left out."""
        return of_stored(self.stored["tree"], self.stored["feature_names"]) if "tree" in self.stored else None

    @property
    def effective_weights(self) -> np.ndarray:
        """Give the weights with the class weights multiplied in."""
        weights = np.ones(len(self.y)) if self.weights is None else self.weights
        if self.options.get("class_weight") == "balanced":
            count = np.bincount(self.y)
            weights = weights * (len(self.y) / (np.count_nonzero(count) * count))[self.y]
        return weights

    @property
    def rules(self) -> Rules:
        """Give the options in the oracle's words."""
        known = {name: value for name, value in self.options.items() if name in Rules.__dataclass_fields__}
        known["criterion"] = {"log_loss": "entropy"}.get(known["criterion"], known["criterion"])
        return Rules(**known)

    def scorer(self) -> Scorer:
        return Scorer(
            self.X,
            self.y,
            self.effective_weights,
            criterion=self.rules.criterion,
            min_rows_leaf=self.rules.min_samples_leaf,
            directions=self.rules.monotonic_cst,
        )


@lru_cache(maxsize=1)
def index() -> dict[str, dict[str, Any]]:
    """Read the list of stored results: what each was made with, and whether its tree was kept."""
    path = SHARED / "golden" / "index.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    described = [json.loads(line) for line in lines]
    return {Path(one["file"]).stem: one for one in described if one["file"].startswith("sklearn/")}


def names(*, pruned: bool = False, best_first: bool = False) -> list[str]:
    """List the stored results of one kind, of those the library can grow."""
    return sorted(
        name
        for name, one in index().items()
        if one["options"]["criterion"] in CRITERIA
        and ("ccp_alpha" in one["options"]) == pruned
        and ("max_leaf_nodes" in one["options"]) == best_first
        and (RESULTS / f"{name}.json").is_file()
    )


def is_unlimited(name: str) -> bool:
    """Say whether nothing but the rows ended the growth."""
    return set(index()[name]["options"]) <= {"criterion", "random_state"}


@lru_cache(maxsize=2)
def load(name: str) -> Result:
    """Read a stored result and its table."""
    stored = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
    dataset = stored["dataset"]
    target = schema(dataset)["target"]
    everything = cells(SHARED / "data" / f"{dataset}.csv")
    assert len(everything) == stored["rows"]
    asked = encoded(dataset, everything, stored["feature_names"])
    has_target = np.array([row[target] != "" for row in everything])
    rows = [row for row in everything if row[target]]
    if "classes" in stored:
        index = {label: i for i, label in enumerate(stored["classes"])}
        y = np.array([index[row[target]] for row in rows])
    else:
        y = np.array([float(row[target]) for row in rows])
    weights = None
    if stored["weights"] is not None:
        assert stored["weights"] == "1 + ((0-based row) mod 3)"
        weights = 1.0 + np.arange(len(rows)) % 3
    return Result(stored, asked[has_target], y, weights, asked)


@dataclass(frozen=True)
class Probe:
    """Rows with blanked cells and what a model trained on the whole table said of them."""

    result: Result
    X: np.ndarray
    pred: list[float]
    proba: list[list[float]] | None


def probes() -> list[tuple[str, int]]:
    """List the stored probes of scikit-learn: table, number of the result."""
    return [
        (path.stem.removesuffix("__probe"), number)
        for path in (sorted(PROBES.glob("*__probe.json")) if PROBES.is_dir() else [])
        for number, result in enumerate(json.loads(path.read_text("utf-8"))["results"])
        if result["tool"].startswith("scikit-learn")
    ]


def load_probe(dataset: str, number: int) -> Probe:
    """Read a probe and the table its model was trained on."""
    described = json.loads((PROBES / f"{dataset}__probe.json").read_text("utf-8"))
    kept = described["results"][number]
    target = schema(dataset)["target"]
    columns = [column["name"] for column in schema(dataset)["schema"] if column["name"] != target]
    options = dict(kept["options"])
    assert options.pop("encoding") == "ordinal"
    rows = cells(SHARED / "data" / f"{dataset}.csv")
    X = encoded(dataset, rows, columns)
    stored: dict[str, Any] = {"options": options, "feature_names": columns}
    if "classes" in described:
        stored["classes"] = described["classes"]
        options.setdefault("criterion", "gini")
        index = {label: i for i, label in enumerate(described["classes"])}
        y = np.array([index[row[target]] for row in rows])
    else:
        options.setdefault("criterion", "squared_error")
        y = np.array([float(row[target]) for row in rows])
    asked = encoded(dataset, cells(PROBES / described["probe"]), columns)
    return Probe(Result(stored, X, y, None, X), asked, kept["pred"], kept.get("proba"))
