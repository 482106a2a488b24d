"""Whether arrays form a tree: sizes, ranges, and children in pre-order, before anyone relies on them.

Whatever passes here can be asked about any row: the core finds every index in its range.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFileError
from treewright.model.fields import LARGE, check_length, check_runs, check_weights, refuse_first
from treewright.model.questions import EVERY_BRANCH, NO_BRANCH
from treewright.model.surrogates import SurrogateArrays
from treewright.model.tree import OPTIONAL, Tree
from treewright.schema import Classes, Schema

_MOST_NODES = 2**29 - 1  # that the core can send rows down
_PER_NODE = (
    "cut",
    "cut_integer",
    "missing_branch",
    "search",
    "n_rows",
    "weight",
    "outcome",
    "impurity",
    "gain",
    *OPTIONAL,
)
_PER_SURROGATE = ("cut", "cut_integer", "low_branch", "agree", "adjusted", "n_placed")


def check_tree(tree: Tree, schema: Schema, place: str = "tree") -> None:
    """Raise unless the arrays form a tree for tables of this schema.

    Parameters
    ----------
    tree : Tree
        The arrays; nothing is worked out from them before they are found sound.
    schema : Schema
        The columns that it may ask about.
    place : str
        Its name in the file, for errors.

    Raises
    ------
    ModelFileError
        That names the first value that cannot be.
    """
    n = tree.n_nodes
    if not 0 < n <= _MOST_NODES:
        raise ModelFileError(f"{place}.column has {n:,} values; a tree has 1 to {_MOST_NODES:,} nodes.")
    for name in _PER_NODE:
        check_length(getattr(tree, name), n, f"{place}.{name}")
    if tree.n_columns != len(schema.columns) or tree.is_classifier != isinstance(schema.target, Classes):
        raise ModelFileError(f"{place} is of another table than the schema beside it.")
    _check_column(tree.column, schema, f"{place}.column", least=-1)
    n_children = check_runs(tree.child_begin, n, len(tree.child), f"{place}.child_begin")
    is_leaf = tree.column < 0
    wrong = np.where(is_leaf, n_children != 0, n_children < 2)
    refuse_first(wrong, n_children, f"{place}: number of children", "0 at a leaf and at least 2 elsewhere")
    _check_children(tree, f"{place}.child")
    _check_missing_branch(tree, n_children, place)
    _check_questions(tree, n_children, schema, place)
    _check_numbers(tree, schema, place)
    if (tree.missing_branch[~is_leaf] == EVERY_BRANCH).any():
        _check_shares(tree, n_children, place)
    _check_surrogates(tree, n_children, schema, f"{place}.surrogates")
    _check_branches(tree, n_children, place)


def _check_column(column: NDArray[np.int32], schema: Schema, place: str, least: int) -> None:
    n_columns = len(schema.columns)
    bad = (column < least) | (column >= n_columns)
    refuse_first(bad, column, place, f"a column's number, {least} to {n_columns - 1}")


def _check_children(tree: Tree, place: str) -> None:
    """Check that the nodes are numbered in pre-order: a child after its parent, siblings after each other."""
    child, n = tree.child, tree.n_nodes
    check_length(child, n - 1, place)
    parent = np.repeat(np.arange(n, dtype=np.int64), np.diff(tree.child_begin))
    refuse_first((child <= parent) | (child >= n), child, place, "a node after its parent")
    n_parents = np.bincount(child, minlength=n)
    refuse_first(n_parents[child] != 1, child, place, "a child of one node only")
    # Every node but the root now has one parent, of a lower number: a tree. The last node below each one is
    # found by going to the last child, then twice as far in every step.
    last = np.arange(n, dtype=np.int64)
    inner = tree.column >= 0
    last[inner] = child[tree.child_begin[1:][inner] - 1]
    while True:
        further = last[last]
        if np.array_equal(further, last):
            break
        last = further
    expected = np.empty(n - 1, dtype=np.int64)
    expected[1:] = last[child[:-1]] + 1
    expected[tree.child_begin[:-1][inner]] = np.flatnonzero(inner) + 1
    refuse_first(child != expected, child, place, "the next node in pre-order")


def _check_missing_branch(tree: Tree, n_children: NDArray[np.int64], place: str) -> None:
    least = np.where(n_children > 0, NO_BRANCH, EVERY_BRANCH)
    bad = (tree.missing_branch < least) | (tree.missing_branch >= n_children)
    expected = "a branch of its node, or -1, or at an inner node -2"
    refuse_first(bad, tree.missing_branch, f"{place}.missing_branch", expected)


def _check_questions(
    of: Tree | SurrogateArrays, n_branches: NDArray[np.int64], schema: Schema, place: str
) -> None:
    """Check cuts and sets; `n_branches` of every question, 0 where nothing is asked."""
    asked = of.column >= 0
    n_categories = np.array([len(each.categories) if each.is_category else -1 for each in schema.columns])
    of_categories = np.where(asked, n_categories[of.column], -1)
    is_set = of_categories >= 0
    sizes = check_runs(of.set_begin, len(of.column), len(of.set_code), f"{place}.set_begin")
    check_length(of.set_branch, len(of.set_code), f"{place}.set_branch")
    refuse_first(
        (sizes > 0) != is_set, sizes, f"{place}: size of the set", "above 0 just where categories are"
    )
    most, branches = np.repeat(of_categories, sizes), np.repeat(n_branches, sizes)
    bad = (of.set_code < 0) | (of.set_code >= most)
    refuse_first(bad, of.set_code, f"{place}.set_code", "the code of a category of its column")
    falls = np.append(False, np.diff(of.set_code.astype(np.int64)) <= 0)
    begins = of.set_begin[:-1][sizes > 0]
    falls[begins] = False
    refuse_first(falls, of.set_code, f"{place}.set_code", "above the one before it")
    bad = (of.set_branch < 0) | (of.set_branch >= branches)
    refuse_first(bad, of.set_branch, f"{place}.set_branch", "a branch of its node")
    bad = (asked & ~is_set) == np.isnan(of.cut)
    refuse_first(bad, of.cut, f"{place}.cut", "a number just where a question has one")
    is_integer = np.array([each.is_integer for each in schema.columns])
    exact = asked & is_integer[of.column] & np.isfinite(of.cut)
    bad = exact & (of.cut != of.cut_integer.astype(np.float64))
    refuse_first(bad, of.cut, f"{place}.cut", "the float64 nearest to cut_integer")


def _check_branches(tree: Tree, n_children: NDArray[np.int64], place: str) -> None:
    """Check that every branch is taken by some value, but for one that missing values may have alone."""
    sizes = np.diff(tree.set_begin)
    is_cut = (n_children > 0) & (sizes == 0)
    bad = is_cut & (n_children > np.where(tree.missing_branch == 2, 3, 2))
    refuse_first(bad, n_children, f"{place}: number of children", "2, or 3 with one for missing values")
    taken = np.zeros(len(tree.child), dtype=bool)
    taken[np.repeat(tree.child_begin[:-1], sizes) + tree.set_branch] = True
    taken[np.repeat(is_cut, n_children)] = True
    has_own = (tree.missing_branch >= 0) & (np.diff(tree.surrogates.begin) == 0)
    taken[tree.child_begin[:-1][has_own] + tree.missing_branch[has_own]] = True
    refuse_first(~taken, tree.child, f"{place}.child", "a node that some category leads to")


def _check_numbers(tree: Tree, schema: Schema, place: str) -> None:
    width = len(schema.target.labels) if isinstance(schema.target, Classes) else 1
    if tree.outcome.shape != (tree.n_nodes, width):
        found = " × ".join(map(str, tree.outcome.shape))
        raise ModelFileError(f"{place}.outcome has {found} values; there should be {tree.n_nodes} × {width}.")
    for name in ("weight", "outcome", "impurity", "gain", *OPTIONAL):
        values = getattr(tree, name)
        if values is not None and _holds_weights(name, tree.is_classifier):
            check_weights(values.ravel(), f"{place}.{name}")
        elif values is not None:
            flat = values.ravel()
            refuse_first(~np.isfinite(flat), flat, f"{place}.{name}", "a finite number")
    refuse_first(tree.n_rows < 0, tree.n_rows, f"{place}.n_rows", "a number of rows")
    refuse_first(tree.weight[:1] <= 0, tree.weight, f"{place}.weight", "above 0: the root has rows")
    if tree.is_classifier:
        told = tree.told_weight
        bad = (tree.weight > 0) & (told <= 0)
        refuse_first(bad, told, f"{place}: weight of all classes", "above 0 where the node has rows")
    bad = (tree.search < 0) | (tree.search > 2)
    refuse_first(bad, tree.search, f"{place}.search", "0, 1 or 2")
    if tree.label is not None:
        bad = (tree.label < 0) | (tree.label >= width)
        refuse_first(bad, tree.label, f"{place}.label", f"a class, 0 to {width - 1}")
    if tree.loss is not None:
        if tree.loss.shape != (width, width) or not tree.is_classifier:
            raise ModelFileError(f"{place}.loss should be a row and a column for each of the classes.")
        bad = ~np.isfinite(tree.loss) | (tree.loss < 0) | (np.eye(width, dtype=bool) & (tree.loss != 0))
        refuse_first(
            bad.ravel(), tree.loss.ravel(), f"{place}.loss", "at least 0, and 0 for the right answer"
        )
    if not 0 <= tree.smoothing < np.inf:
        raise ModelFileError(f"{place}.smoothing is {tree.smoothing}; it should be a number of at least 0.")


def _holds_weights(name: str, is_classifier: bool) -> bool:
    return name in ("weight", "errors") or (name == "outcome" and is_classifier)


def _check_shares(tree: Tree, n_children: NDArray[np.int64], place: str) -> None:
    """Check that rows which go down every branch can be shared out by the weights of the children."""
    inner = n_children > 0
    begins = tree.child_begin[:-1][inner]
    if len(begins):
        with np.errstate(over="ignore"):
            sums = np.zeros(tree.n_nodes)
            sums[inner] = np.add.reduceat(tree.weight[tree.child], begins)
        bad = inner & ~((sums > 0) & (sums < LARGE))
        refuse_first(bad, sums, f"{place}: weight of the children", "above 0, where rows are shared out")


def _check_surrogates(tree: Tree, n_children: NDArray[np.int64], schema: Schema, place: str) -> None:
    of = tree.surrogates
    counts = check_runs(of.begin, tree.n_nodes, len(of), f"{place}.begin")
    refuse_first((counts > 0) & (n_children != 2), counts, f"{place}: number", "0 but for two branches")
    for name in _PER_SURROGATE:
        check_length(getattr(of, name), len(of), f"{place}.{name}")
    _check_column(of.column, schema, f"{place}.column", least=0)
    _check_questions(of, np.full(len(of), 2), schema, place)
    refuse_first((of.low_branch < 0) | (of.low_branch > 1), of.low_branch, f"{place}.low_branch", "0 or 1")
    for name in ("agree", "adjusted"):
        values = getattr(of, name)
        refuse_first(~np.isfinite(values), values, f"{place}.{name}", "a finite number")
    refuse_first(of.n_placed < 0, of.n_placed, f"{place}.n_placed", "a number of rows")


def check_schema(schema: Schema) -> None:
    """Raise unless a model may remember such a table."""
    names = schema.names
    if not names:
        raise ModelFileError("table.columns is empty; a tree asks about at least one column.")
    if len(set(names)) < len(names) or schema.target_name in names:
        raise ModelFileError(f"table.columns has a name twice, or that of the target: {names!r:.200}.")
    for at, column in enumerate(schema.columns):
        place = f"table.columns[{at}]"
        is_moment = column.kind in ("datetime", "duration")
        if bool(column.unit) != is_moment or (column.zone and column.kind != "datetime"):
            raise ModelFileError(
                f"{place} is of kind {column.kind!r} with unit {column.unit!r} and zone {column.zone!r}; "
                "moments have a unit, datetimes may have a zone."
            )
        _check_labels(column.categories, f"{place}.categories")
        if (column.categories or column.bins) and not column.is_category:
            raise ModelFileError(
                f"{place} is of kind {column.kind!r} and has categories; it should have none."
            )
        if column.bins is not None:
            _check_bins(column.bins.edges, len(column.categories), f"{place}.bins.edges")
    if isinstance(schema.target, Classes):
        labels = schema.target.labels
        _check_labels(labels, "table.target.classes")
        is_sorted = all(low < high for low, high in pairwise(labels))  # type: ignore[operator]  # one family
        if not labels or not is_sorted or isinstance(labels[0], float):
            raise ModelFileError(
                f"table.target.classes is {list(labels)!r:.60}; there should be classes, sorted: texts, "
                "booleans or whole numbers."
            )


def _check_labels(labels: tuple[Any, ...], place: str) -> None:
    families = {
        str if isinstance(label, str) else bool if isinstance(label, bool) else float for label in labels
    }
    if len(families) > 1 or len(set(labels)) < len(labels):
        raise ModelFileError(
            f"{place} is {list(labels)!r:.60}; there should be texts, booleans or numbers only, none twice."
        )


def _check_bins(edges: tuple[float | int, ...], n_categories: int, place: str) -> None:
    if len(edges) + 1 != n_categories or any(low >= high for low, high in pairwise(edges)):
        raise ModelFileError(
            f"{place} is {list(edges)!r:.60}; edges rise, and there is one less than the {n_categories} "
            "categories."
        )
