"""A ledger from the rows: part those of a node by a question, and put the figures in the formulas."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log2
from typing import Any

import numpy as np

from treewright.model.ledger_rows import LedgerRow

OF_SHARES = {
    "gini": lambda p: 1 - sum(x * x for x in p),
    "entropy": lambda p: -sum(x * log2(x) for x in p if x > 0),
    "misclassification": lambda p: 1 - max(p),
    "taylor_entropy": lambda p: sum(x * ((1 - x) + (1 - x) ** 2 / 2) for x in p),
}
OF_SHARES["gain_ratio"] = OF_SHARES["entropy"]
PENALTIES = {"linear": lambda g: 1 - g, "quadratic": lambda g: 1 - g * g, None: lambda g: 1.0}


@dataclass
class NaiveNode:
    """The rows of a node: weight, target, and the cells of every column (None where there is no value)."""

    weights: Sequence[float]
    targets: Sequence[Any]
    columns: dict[str, Sequence[Any]]
    criterion: str
    penalty: str | None = "linear"

    def branches(self, row: LedgerRow, labels: Sequence[Any]) -> tuple[list[list[tuple]], list[tuple]]:
        """Part the rows, (weight, target) each; those scored with no branch come apart."""
        inside: list[list[tuple]] = [[] for _ in row.branches]
        outside = []
        for weight, target, cell in zip(self.weights, self.targets, self.columns[row.column], strict=True):
            if not weight:
                continue
            value = labels.index(cell) if labels and cell is not None else cell
            branch = row.question.missing_branch if value is None else row.question.branch_of(value)
            (inside[branch] if branch >= 0 else outside).append((weight, target))
        return inside, outside

    def impurity(self, rows: Sequence[tuple]) -> float:
        """Impurity of some rows."""
        total = sum(weight for weight, _ in rows)
        if not total:
            return 0.0
        if self.criterion in OF_SHARES:
            of_class: dict[Any, float] = {}
            for weight, target in rows:
                of_class[target] = of_class.get(target, 0.0) + weight / total
            return OF_SHARES[self.criterion](list(of_class.values()))
        mean = sum(weight * target for weight, target in rows) / total
        if self.criterion == "squared_error":
            return sum(weight * (target - mean) ** 2 for weight, target in rows) / total
        if self.criterion == "poisson":
            return sum(weight * target * log(target / mean) for weight, target in rows if target) / total
        points = [target for _, target in rows]
        return min(sum(weight * abs(target - at) for weight, target in rows) for at in points) / total

    def gain(self, row: LedgerRow, labels: Sequence[Any]) -> float:
        """By how much the question lowers the impurity of the node."""
        inside, outside = self.branches(row, labels)
        scored = [one for rows in inside for one in rows]
        total = sum(weight for weight, _ in scored)
        missing = sum(weight for weight, _ in outside)
        fall = self.fall(inside, scored, total)
        return fall * PENALTIES[self.penalty](missing / (total + missing))

    def fall(self, inside: Sequence[Sequence[tuple]], scored: Sequence[tuple], total: float) -> float:
        if self.criterion == "twoing":
            left, right = (sum(weight for weight, _ in rows) for rows in inside)
            classes = {target for _, target in scored}
            apart = sum(
                abs(
                    sum(w for w, t in inside[0] if t == one) / left
                    - sum(w for w, t in inside[1] if t == one) / right
                )
                for one in classes
            )
            return left / total * right / total / 4 * apart**2
        after = sum(sum(w for w, _ in rows) * self.impurity(rows) for rows in inside) / total
        return self.impurity(scored) - after

    def told(self, row: LedgerRow, labels: Sequence[Any], classes: Sequence[Any]) -> list[list[float]]:
        """What each branch holds: the weight of each class, or weight and mean (of the distances)."""
        told = []
        for rows in self.branches(row, labels)[0]:
            if self.criterion in OF_SHARES or self.criterion == "twoing":
                told.append([sum(w for w, t in rows if t == one) for one in classes])
                continue
            total = sum(weight for weight, _ in rows)
            mean = sum(weight * target for weight, target in rows) / total
            told.append([total, self.impurity(rows) if self.criterion == "absolute_error" else mean])
        return told


def split_information(sizes: Sequence[float]) -> float:
    """Information of a split into branches of these sizes."""
    return float(OF_SHARES["entropy"](np.array([size for size in sizes if size]) / sum(sizes)))
