"""The ledger of a tree in a model file: to plain values, back, and checked before anyone relies on it."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFileError
from treewright.model.fields import Field, check_length, check_runs, check_weights, packed, refuse_first
from treewright.model.ledger_arrays import PER_ROW, STOPS, VERDICTS, LedgerArrays, LedgerRules
from treewright.model.values import Plain
from treewright.parts.criteria import OF_NUMBERS
from treewright.schema import Classes, Numbers, Schema

# Arrays and their types, in the order of the file.
LEDGER: Mapping[str, type[np.generic]] = {
    "row_begin": np.int64,
    "stop": np.int8,
    "average": np.float64,
    "weight": np.float64,
    "column": np.int32,
    "verdict": np.int8,
    "gain": np.float64,
    "cut": np.float64,
    "cut_integer": np.int64,
    "missing": np.float64,
    "missing_branch": np.int32,
    "worth": np.float64,
    "net_gain": np.float64,
    "split_information": np.float64,
    "n_tries": np.int64,
    "branch_begin": np.int64,
    "outcome": np.float64,
    "set_begin": np.int64,
    "set_code": np.int32,
    "set_branch": np.int32,
}
RULES = tuple(each.name for each in fields(LedgerRules))
_WITH_GAPS = ("average", "gain", "cut", "worth", "net_gain", "split_information")
_OF_QUINLAN = ("net_gain", "split_information", "n_tries")
_OF_SOME_RECIPES = ("worth", *_OF_QUINLAN)
_RANKED = [VERDICTS.index(each) for each in ("won", "lower score", "tied", "below average", "other cut")]
_ROUNDED = 1 + 1e-9
_CRITERIA = (
    "gini",
    "entropy",
    "misclassification",
    "taylor_entropy",
    "twoing",
    "gain_ratio",
    "variance",
    "poisson",
    "absolute_error",
    "function",
    "function_of_numbers",
)


def ledger_to_plain(ledger: LedgerArrays) -> Plain:
    """Turn a ledger into plain values; `check_ledger` tells whether it could be read again."""
    rules: dict[str, Plain] = {name: getattr(ledger.rules, name) for name in RULES}
    return {"rules": rules, **{name: packed(getattr(ledger, name)) for name in LEDGER}}


def ledger_from_plain(ledger: Field, n_nodes: int, schema: Schema) -> LedgerArrays:
    """Read a ledger of a tree of so many nodes."""
    of = ledger.fields(["rules", *LEDGER])
    rules = of["rules"].fields(RULES)
    arrays = {
        name: of[name].array(
            dtype, *(None, None) if name == "outcome" else (None,), has_gaps=name in _WITH_GAPS
        )
        for name, dtype in LEDGER.items()
    }
    built = LedgerArrays(
        LedgerRules(
            criterion=rules["criterion"].text(of=_CRITERIA),
            by=rules["by"].text(of=("score", "ratio", "gain")),  # type: ignore[arg-type]  # one of them
            min_rows_leaf=rules["min_rows_leaf"].whole(1),
            min_weight_leaf=rules["min_weight_leaf"].real(),
            slack=rules["slack"].real(),
            penalty=rules["penalty"].text(of=("linear", "quadratic", "none")),  # type: ignore[arg-type]
            ratio_pays_for_gaps=rules["ratio_pays_for_gaps"].flag(),
            unknown_is_branch=rules["unknown_is_branch"].flag(),
            charges_tries=rules["charges_tries"].flag(),
        ),
        **arrays,
    )
    check_ledger(built, n_nodes, schema, ledger.place)
    return built


def check_ledger(ledger: LedgerArrays, n_nodes: int, schema: Schema, place: str) -> None:
    """Raise unless a ledger is one of a tree of so many nodes, so that whatever it is asked it finds."""
    n_rows = len(ledger)
    for name in ("stop", "average", "weight"):
        check_length(getattr(ledger, name), n_nodes, f"{place}.{name}")
    for name in PER_ROW:
        values = getattr(ledger, name)
        if len(values) or name not in _OF_SOME_RECIPES:
            check_length(values, n_rows, f"{place}.{name}")
    _check_rules(ledger, schema, place)
    _check_in(ledger.stop, 0, len(STOPS), f"{place}.stop")
    _check_in(ledger.verdict, 0, len(VERDICTS), f"{place}.verdict")
    _check_in(ledger.column, 0, len(schema.columns), f"{place}.column")
    check_runs(ledger.row_begin, n_nodes, n_rows, f"{place}.row_begin")
    n_branches = check_runs(ledger.branch_begin, n_rows, len(ledger.outcome), f"{place}.branch_begin")
    _check_in(ledger.missing_branch, -1, n_branches, f"{place}.missing_branch")
    _check_questions(ledger, n_branches, schema, place)
    _check_figures(ledger, n_branches, schema, place)


def _check_rules(ledger: LedgerArrays, schema: Schema, place: str) -> None:
    """Check that the figures are those which the ranking and the target have."""
    rules, n_rows = ledger.rules, len(ledger)
    is_of_numbers = isinstance(schema.target, Numbers)
    if (rules.criterion in OF_NUMBERS) != is_of_numbers:
        raise ModelFileError(
            f"{place}.rules.criterion is {rules.criterion!r}, and the target holds "
            f"{'numbers' if is_of_numbers else 'classes'}; they do not go together."
        )
    width = len(schema.target.labels) if isinstance(schema.target, Classes) else 2
    if len(ledger.outcome) and ledger.outcome.shape[1] != width:
        raise ModelFileError(
            f"{place}.outcome has rows of {ledger.outcome.shape[1]:,} values; there should be {width:,}."
        )
    if rules.is_ratio or rules.by != "score":
        check_length(ledger.worth, n_rows, f"{place}.worth")
    if rules.by != "score" or any(len(getattr(ledger, name)) for name in _OF_QUINLAN):
        for name in _OF_QUINLAN:
            check_length(getattr(ledger, name), n_rows, f"{place}.{name}")


def _check_questions(ledger: LedgerArrays, n_branches: NDArray[np.int64], schema: Schema, place: str) -> None:
    """Check that a row has what a question of its column needs, or nothing of it."""
    asks = n_branches > 0
    most = np.where(ledger.missing_branch == 2, 3, 2)
    columns = schema.columns
    is_category = np.array([column.is_category for column in columns])[ledger.column]
    bad = asks & ((n_branches < 2) | (~is_category & (n_branches > most)))
    refuse_first(bad, n_branches, f"{place}: number of branches", "0, 2 or, for gaps and categories, more")
    refuse_first(
        np.isin(ledger.verdict, _RANKED) & ~asks, ledger.verdict, f"{place}.verdict", "one without a question"
    )
    sizes = check_runs(ledger.set_begin, len(ledger), len(ledger.set_code), f"{place}.set_begin")
    check_length(ledger.set_branch, len(ledger.set_code), f"{place}.set_branch")
    wrong = (sizes > 0) != (asks & is_category)
    refuse_first(wrong, sizes, f"{place}: size of the set", "above 0 just where categories are parted")
    n_categories = np.array([len(column.categories) for column in columns])[ledger.column]
    _check_in(ledger.set_code, 0, np.repeat(n_categories, sizes), f"{place}.set_code")
    _check_in(ledger.set_branch, 0, np.repeat(n_branches, sizes), f"{place}.set_branch")
    bad = np.isnan(ledger.cut) == (asks & ~is_category)
    refuse_first(bad, ledger.cut, f"{place}.cut", "a number just where a question has one")


def _check_figures(ledger: LedgerArrays, n_branches: NDArray[np.int64], schema: Schema, place: str) -> None:
    """Check that figures are there just where something is asked, and that weights can be added up."""
    for name in _WITH_GAPS:
        if name not in ("average", "cut"):
            values = getattr(ledger, name)
            refuse_first(np.isinf(values), values, f"{place}.{name}", "a finite number, or null")
    for name in ("gain", "net_gain"):
        values = getattr(ledger, name)
        if len(values):
            bad = np.isnan(values) == (n_branches > 0)
            refuse_first(bad, values, f"{place}.{name}", "a number just where something is asked")
    refuse_first(ledger.n_tries < 0, ledger.n_tries, f"{place}.n_tries", "a number of cuts")
    check_weights(ledger.weight, f"{place}.weight")
    check_weights(ledger.missing, f"{place}.missing")
    of_node = ledger.weight[ledger.node]
    refuse_first(of_node <= 0, of_node, f"{place}: weight of a row's node", "above 0")
    bad = ledger.missing > of_node * _ROUNDED
    refuse_first(bad, ledger.missing, f"{place}.missing", "at most the weight of its node")
    of_classes = isinstance(schema.target, Classes)
    check_weights((ledger.outcome if of_classes else ledger.outcome[:, :1]).ravel(), f"{place}.outcome")


def _check_in(values: NDArray[Any], least: int, below: Any, place: str) -> None:
    refuse_first((values < least) | (values >= below), values, place, "in its range")
