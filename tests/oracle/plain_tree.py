"""One plain form for every tree that is compared: ours, scikit-learn's, the stored ones and the naive one."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from oracle.naive_tree import Node


@dataclass(frozen=True)
class Test:
    """What an inner node asks."""

    __test__ = False  # not a pytest class

    column: int
    cut: float
    missing_left: bool

    def left(self, values: np.ndarray) -> np.ndarray:
        """Say for each value whether it goes left."""
        with np.errstate(invalid="ignore"):
            return np.where(np.isnan(values), self.missing_left, values <= self.cut)


@dataclass
class PlainTree:
    """A binary tree as lists, root first; `left` and `right` are -1 at a leaf."""

    tests: list[Test | None] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    n_rows: list[int] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    impurity: list[float] = field(default_factory=list)
    value: list[list[float]] = field(default_factory=list)  # class shares, or the mean

    def __len__(self) -> int:
        return len(self.tests)

    def is_leaf(self, i: int) -> bool:
        return self.left[i] < 0

    def depth(self) -> int:
        """Give the depth of the deepest leaf."""
        return max(depth for _, depth in self.walk())

    def walk(self, start: int = 0) -> Iterator[tuple[int, int]]:
        """List (node, depth below start) in pre-order."""
        stack = [(start, 0)]
        while stack:
            i, depth = stack.pop()
            yield i, depth
            if not self.is_leaf(i):
                stack += [(self.right[i], depth + 1), (self.left[i], depth + 1)]

    def rows_of(self, X: np.ndarray, rows: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
        """List (node, depth, its rows) in pre-order."""
        stack = [(0, 0, rows)]
        while stack:
            i, depth, here = stack.pop()
            yield i, depth, here
            if not self.is_leaf(i):
                left = self.tests[i].left(X[here, self.tests[i].column])
                stack += [(self.right[i], depth + 1, here[~left]), (self.left[i], depth + 1, here[left])]

    def shown(self, start: int = 0) -> str:
        """Print the tree, a line a node."""
        lines = []
        for i, depth in self.walk(start):
            test = self.tests[i]
            what = (
                f"-> {np.round(self.value[i], 6).tolist()}"
                if test is None
                else (f"x{test.column} <= {test.cut!r}, missing {'left' if test.missing_left else 'right'}")
            )
            lines.append(f"{'  ' * depth}{i}: {what}  (rows {self.n_rows[i]}, weight {self.weight[i]:g})")
        return "\n".join(lines)


def of_estimator(estimator) -> PlainTree:
    """Read a fitted estimator, ours or scikit-learn's, through the array names they share."""
    t = estimator.tree_
    inner = np.asarray(t.children_left) >= 0
    gaps_left = np.asarray(t.missing_go_to_left).astype(bool)
    value = np.asarray(t.value)
    return PlainTree(
        tests=[
            Test(int(column), float(cut), bool(missing_left)) if is_inner else None
            for column, cut, missing_left, is_inner in zip(
                t.feature, t.threshold, gaps_left, inner, strict=True
            )
        ],
        left=np.where(inner, t.children_left, -1).tolist(),
        right=np.where(inner, t.children_right, -1).tolist(),
        n_rows=np.asarray(t.n_node_samples).tolist(),
        weight=np.asarray(t.weighted_n_node_samples).tolist(),
        impurity=np.asarray(t.impurity).tolist(),
        value=value.reshape(len(value), -1).tolist(),
    )


def of_nodes(nodes: Sequence[Node], *, shares: bool) -> PlainTree:
    """Read a naive tree; `shares` turns class weights into shares."""
    return PlainTree(
        tests=[None if n.is_leaf else Test(n.split.column, n.split.cut, n.split.missing_left) for n in nodes],
        left=[n.left for n in nodes],
        right=[n.right for n in nodes],
        n_rows=[len(n.rows) for n in nodes],
        weight=[float(n.weight) for n in nodes],
        impurity=[float(n.impurity) for n in nodes],
        value=[[float(v / n.weight) if shares else float(v) for v in n.value] for n in nodes],
    )


def of_stored(root: dict, names: Sequence[str]) -> PlainTree:
    """Read a stored nested tree (see golden/README.md)."""
    tree = PlainTree()
    index = {name: i for i, name in enumerate(names)}

    def visit(node: dict) -> int:
        i = len(tree)
        is_inner = "attr" in node
        cut = math.inf if node.get("missing_only") else node.get("cut")
        tree.tests.append(Test(index[node["attr"]], cut, node["missing_go_left"]) if is_inner else None)
        tree.n_rows.append(node["n"])
        tree.weight.append(node["wt"])
        tree.impurity.append(node["impurity"])
        tree.value.append(node["proba"] if "proba" in node else [node["value"]])
        tree.left.append(-1)
        tree.right.append(-1)
        if is_inner:
            tree.left[i] = visit(node["left"])
            tree.right[i] = visit(node["right"])
        return i

    visit(root)
    return tree


def difference(
    ours: PlainTree, expected: PlainTree, *, value_tolerance: float, other_tolerance: float
) -> str | None:
    """Say where two trees numbered alike differ first, or None. Cuts must be equal exactly."""
    for i in range(min(len(ours), len(expected))):
        for name in ("tests", "left", "right", "n_rows"):
            mine, theirs = getattr(ours, name)[i], getattr(expected, name)[i]
            if mine != theirs:
                return f"node {i}: {name} is {mine}, expected {theirs}"
        for name, tolerance in (
            ("weight", value_tolerance),
            ("impurity", other_tolerance),
            ("value", value_tolerance),
        ):
            mine, theirs = getattr(ours, name)[i], getattr(expected, name)[i]
            if not np.allclose(mine, theirs, rtol=tolerance, atol=tolerance):
                return f"node {i}: {name} is {mine!r}, expected {theirs!r}"
    return None if len(ours) == len(expected) else f"{len(ours)} nodes, expected {len(expected)}"
