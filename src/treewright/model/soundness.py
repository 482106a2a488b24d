"""Checks that arrays form a tree or a ledger: sizes, ranges, children in pre-order.

Every index of a tree that passes is in range, so the core can send any row down it.
"""

from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from treewright.errors import ModelFileError
from treewright.model.fields import check_length, check_record, refuse_first
from treewright.model.ledger_arrays import VERDICTS, LedgerArrays
from treewright.model.questions import EVERY_BRANCH, NO_BRANCH, QuestionArrays
from treewright.model.records import LARGE, Array, Bool, Float64, Int64
from treewright.model.tree import Tree
from treewright.model.tree_arrays import last_below
from treewright.parts.criteria import OF_CLASSES, OF_NUMBERS
from treewright.schema import Classes, Schema

_MOST_NODES = 2**29 - 1  # the core cannot send rows down larger trees
_OF_QUINLAN = ("net_gain", "split_information", "n_tries")
_RANKED = [VERDICTS.index(each) for each in ("won", "lower score", "tied", "below average", "other cut")]
_ROUNDING = 1 + 1e-9


def check_tree(tree: Tree, schema: Schema, place: str = "tree") -> None:
    """Raise unless the arrays form a tree for tables of this schema.

    Parameters
    ----------
    tree : Tree
        The arrays. They are checked before anything is derived from them.
    schema : Schema
        The columns that it may split on.
    place : str
        Its name in the file, for errors.

    Raises
    ------
    ModelFileError
        Naming the first wrong value.
    """
    n, n_columns = tree.n_nodes, len(schema.columns)
    if not 0 < n <= _MOST_NODES:
        raise ModelFileError(f"{place}.column has {n:,} values; a tree has 1 to {_MOST_NODES:,} nodes.")
    if tree.n_columns != n_columns or tree.is_classifier != isinstance(schema.target, Classes):
        raise ModelFileError(f"{place} belongs to another table than the schema beside it.")
    sizes = check_record(tree, {"node": n, "column": n_columns, "class": len(schema.labels) or 1}, place)
    n_children, inner = sizes["child"], tree.column >= 0
    wrong = np.where(inner, n_children < 2, n_children != 0)
    refuse_first(wrong, n_children, f"{place}: number of children", "0 at a leaf and at least 2 elsewhere")
    _check_children(tree, f"{place}.child")
    least = np.where(inner, NO_BRANCH, EVERY_BRANCH)
    should = "a branch of its node, or -1, or at an inner node -2"
    _check_range(tree.missing_branch, least, n_children, f"{place}.missing_branch", should)
    _check_questions(tree, inner, n_children, sizes["set"], schema, place)
    _check_numbers(tree, place)
    if (tree.missing_branch[inner] == EVERY_BRANCH).any():
        _check_weights_of_children(tree, inner, place)
    _check_surrogates(tree, n_children, schema, f"{place}.surrogates")
    _check_branches(tree, n_children, sizes["set"], place)
    if tree.ledger is not None:
        check_ledger(tree.ledger, n, schema, f"{place}.ledger")


def _check_range(values: Array, least: Any, below: Any, place: str, should: str) -> None:
    refuse_first((values < least) | (values >= below), values, place, should)


def _check_weights(values: Float64, place: str) -> None:
    """Raise unless all values are weights: neither below 0 nor so large that a sum of them is infinite."""
    flat = values.ravel()
    refuse_first(~((flat >= 0) & (flat <= LARGE)), flat, place, f"a finite number from 0 to {LARGE}")


def _check_children(tree: Tree, place: str) -> None:
    """Check that nodes are numbered in pre-order: a child after its parent, siblings after each other."""
    child, n = tree.child, tree.n_nodes
    check_length(child, n - 1, place)
    parent = np.repeat(np.arange(n, dtype=np.int64), np.diff(tree.child_begin))
    refuse_first((child <= parent) | (child >= n), child, place, "a node after its parent")
    refuse_first(np.bincount(child, minlength=n)[child] != 1, child, place, "a child of one node only")
    # Every node but the root now has one parent with a lower number: this is a tree.
    inner = tree.column >= 0
    expected = np.empty(n - 1, dtype=np.int64)
    expected[1:] = last_below(inner, tree.child_begin, child)[child[:-1]] + 1
    expected[tree.child_begin[:-1][inner]] = np.flatnonzero(inner) + 1
    refuse_first(child != expected, child, place, "the next node in pre-order")


def _check_questions(
    of: QuestionArrays, asks: Bool, n_branches: Int64, sizes: Int64, schema: Schema, place: str
) -> None:
    """Check thresholds and sets of these `sizes`; `asks` marks the entries that have a question.

    In a tree, sets are in ascending order and `cut` is the float64 nearest to `cut_integer`.
    """
    n_categories = np.array([len(each.categories) if each.is_category else -1 for each in schema.columns])
    of_categories = np.where(asks, n_categories[of.column], -1)
    is_set = of_categories >= 0
    should = "above 0 just where a question is about categories"
    refuse_first((sizes > 0) != is_set, sizes, f"{place}: size of the set", should)
    below, branches = np.repeat(of_categories, sizes), np.repeat(n_branches, sizes)
    _check_range(of.set_code, 0, below, f"{place}.set_code", "the code of a category of its column")
    _check_range(of.set_branch, 0, branches, f"{place}.set_branch", "a branch of its node")
    bad = (asks & ~is_set) == np.isnan(of.cut)
    refuse_first(bad, of.cut, f"{place}.cut", "a number just where a question has one")
    if isinstance(of, LedgerArrays):
        return
    falls = np.append(False, np.diff(of.set_code.astype(np.int64)) <= 0)
    falls[of.set_begin[:-1][sizes > 0]] = False
    refuse_first(falls, of.set_code, f"{place}.set_code", "above the one before it")
    is_integer = np.array([each.is_integer for each in schema.columns])
    bad = asks & is_integer[of.column] & np.isfinite(of.cut) & (of.cut != of.cut_integer.astype(np.float64))
    refuse_first(bad, of.cut, f"{place}.cut", "the float64 nearest to cut_integer")


def _check_branches(tree: Tree, n_children: Int64, sizes: Int64, place: str) -> None:
    """Check that some value takes every branch, or that the branch is only for missing values."""
    is_cut = (n_children > 0) & (sizes == 0)
    bad = is_cut & (n_children > np.where(tree.missing_branch == 2, 3, 2))
    refuse_first(bad, n_children, f"{place}: number of children", "2, or 3 with one for missing values")
    taken = np.zeros(len(tree.child), dtype=bool)
    taken[np.repeat(tree.child_begin[:-1], sizes) + tree.set_branch] = True
    taken[np.repeat(is_cut, n_children)] = True
    has_own = (tree.missing_branch >= 0) & (np.diff(tree.surrogates.begin) == 0)
    taken[tree.child_begin[:-1][has_own] + tree.missing_branch[has_own]] = True
    refuse_first(~taken, tree.child, f"{place}.child", "a node that some category leads to")


def _check_numbers(tree: Tree, place: str) -> None:
    refuse_first(tree.weight[:1] <= 0, tree.weight, f"{place}.weight", "above 0: the root has rows")
    if tree.is_classifier:
        _check_weights(tree.outcome, f"{place}.outcome")
        total = tree.outcome_weight
        bad = (tree.weight > 0) & (total <= 0)
        refuse_first(bad, total, f"{place}: weight of all classes", "above 0 where the node has rows")
    if tree.loss is not None and (np.diag(tree.loss).any() or not tree.is_classifier):
        raise ModelFileError(f"{place}.loss should be of classes, and 0 for the right answer.")
    if not 0 <= tree.smoothing < np.inf:
        raise ModelFileError(f"{place}.smoothing is {tree.smoothing}; it should be a number of at least 0.")


def _check_weights_of_children(tree: Tree, inner: Bool, place: str) -> None:
    """Check that a row can be divided among all children of a node in proportion to their weights."""
    with np.errstate(over="ignore"):
        sums = np.zeros(tree.n_nodes)
        sums[inner] = np.add.reduceat(tree.weight[tree.child], tree.child_begin[:-1][inner])
    bad = inner & ~((sums > 0) & (sums < LARGE))
    refuse_first(bad, sums, f"{place}: weight of the children", "above 0, where rows go down every branch")


def _check_surrogates(tree: Tree, n_children: Int64, schema: Schema, place: str) -> None:
    of = tree.surrogates
    sizes = check_record(of, {"node": tree.n_nodes, "column": len(schema.columns)}, place)
    bad = (sizes["surrogate"] > 0) & (n_children != 2)
    refuse_first(bad, sizes["surrogate"], f"{place}: number", "0 unless the node has two branches")
    _check_questions(of, of.column >= 0, np.full(len(of), 2), sizes["set"], schema, place)


def check_ledger(ledger: LedgerArrays, n_nodes: int, schema: Schema, place: str) -> None:
    """Raise unless the arrays form the ledger of a tree of `n_nodes` nodes."""
    n_entries = {"node": n_nodes, "column": len(schema.columns), "class": len(schema.labels) or 2}
    sizes = check_record(ledger, n_entries, place)
    n_branches = sizes["branch"]
    _check_rules(ledger, schema, place)
    should = "a branch of its row, or -1"
    _check_range(ledger.missing_branch, -1, n_branches, f"{place}.missing_branch", should)
    asks = n_branches > 0
    is_category = np.array([column.is_category for column in schema.columns])[ledger.column]
    bad = (n_branches > np.where(ledger.missing_branch == 2, 3, 2)) & ~is_category | (n_branches == 1)
    should = "0, 2 or, for missing values and categories, more"
    refuse_first(bad, n_branches, f"{place}: number of branches", should)
    bad = np.isin(ledger.verdict, _RANKED) & ~asks
    refuse_first(bad, ledger.verdict, f"{place}.verdict", "one without a question")
    _check_questions(ledger, asks, n_branches, sizes["set"], schema, place)
    _check_figures(ledger, asks, schema, place)


def _check_rules(ledger: LedgerArrays, schema: Schema, place: str) -> None:
    """Check that the ledger has the figures that its criterion, ranking and target need."""
    rules = ledger.rules
    held, known = ("classes", OF_CLASSES) if schema.labels else ("numbers", OF_NUMBERS)
    if rules.criterion not in known:
        _refuse(f"{place}.rules.criterion", rules.criterion, f"it should suit a target of {held}")
    needed = ["worth"] if rules.is_ratio or rules.by != "score" else []
    if rules.by != "score" or any(len(getattr(ledger, name)) for name in _OF_QUINLAN):
        needed += _OF_QUINLAN
    for name in needed:
        check_length(getattr(ledger, name), len(ledger), f"{place}.{name}")


def _check_figures(ledger: LedgerArrays, asks: Bool, schema: Schema, place: str) -> None:
    """Check that exactly the rows with a split have figures, and that weights can be added up."""
    for name in ("gain", "net_gain"):
        values = getattr(ledger, name)
        bad = np.isnan(values) == asks[: len(values)]
        refuse_first(bad, values, f"{place}.{name}", "a number just where a row has a split")
    of_node = ledger.weight[ledger.node]
    refuse_first(of_node <= 0, of_node, f"{place}: weight of a row's node", "above 0")
    bad = ledger.missing > of_node * _ROUNDING
    refuse_first(bad, ledger.missing, f"{place}.missing", "at most the weight of its node")
    _check_weights(ledger.outcome if schema.labels else ledger.outcome[:, :1], f"{place}.outcome")


def check_schema(schema: Schema) -> None:
    """Raise unless the schema of a model may look like this."""
    names = schema.names
    if not names:
        raise ModelFileError("table.columns is empty; a tree asks about at least one column.")
    if len(set(names)) < len(names) or schema.target_name in names:
        raise ModelFileError(f"table.columns has a name twice, or that of the target: {names!r:.200}.")
    for at, column in enumerate(schema.columns):
        place = f"table.columns[{at}]"
        is_moment = column.kind in ("datetime", "duration")
        if bool(column.unit) != is_moment or (column.zone and column.kind != "datetime"):
            found = (column.kind, column.unit, column.zone)
            _refuse(f"{place}: kind, unit and zone", found, "moments have a unit, datetimes may have a zone")
        _check_labels(column.categories, f"{place}.categories")
        if (column.categories or column.bins) and not column.is_category:
            _refuse(f"{place}.kind", column.kind, "such a column should have no categories")
        if column.bins is not None:
            _check_bins(column.bins.edges, len(column.categories), f"{place}.bins.edges")
    if isinstance(schema.target, Classes):
        labels = schema.target.labels
        _check_labels(labels, "table.target.classes")
        is_sorted = all(low < high for low, high in pairwise(labels))  # type: ignore[operator]  # one family
        if not labels or not is_sorted or isinstance(labels[0], float):
            should = "there should be classes, sorted: texts, booleans or whole numbers"
            _refuse("table.target.classes", list(labels), should)


def _check_labels(labels: tuple[Any, ...], place: str) -> None:
    families = {type(label) if isinstance(label, str | bool) else float for label in labels}
    if len(families) > 1 or len(set(labels)) < len(labels):
        _refuse(place, list(labels), "there should be texts, booleans or numbers only, none twice")


def _check_bins(edges: tuple[float | int, ...], n_categories: int, place: str) -> None:
    if len(edges) + 1 != n_categories or any(low >= high for low, high in pairwise(edges)):
        _refuse(place, list(edges), f"edges rise, and there is one less than the {n_categories} categories")


def _refuse(place: str, found: object, should: str) -> NoReturn:
    raise ModelFileError(f"{place} is {found!r:.60}; {should}.")
