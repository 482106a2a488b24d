"""The ledger of a tree in a model file: to plain values, back, and checked before anyone relies on it."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFileError
from treewright.model.fields import Field, packed, refuse_first
from treewright.model.ledger_arrays import PER_ROW, STOPS, VERDICTS, LedgerArrays, LedgerRules
from treewright.model.values import Plain
from treewright.schema import Schema

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
_OF_SOME_RECIPES = ("worth", "net_gain", "split_information", "n_tries")
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
    """Turn a ledger into plain values."""
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
    """Raise unless every number of a ledger is in its range, so that whatever it is asked it finds."""
    n_rows = len(ledger)
    for name in ("stop", "average", "weight"):
        _check_length(getattr(ledger, name), n_nodes, f"{place}.{name}")
    for name in PER_ROW:
        values = getattr(ledger, name)
        if len(values) or name not in _OF_SOME_RECIPES:
            _check_length(values, n_rows, f"{place}.{name}")
    _check_in(ledger.stop, 0, len(STOPS), f"{place}.stop")
    _check_in(ledger.verdict, 0, len(VERDICTS), f"{place}.verdict")
    _check_in(ledger.column, 0, len(schema.columns), f"{place}.column")
    _check_runs(ledger.row_begin, n_nodes, n_rows, f"{place}.row_begin")
    n_branches = _check_runs(ledger.branch_begin, n_rows, len(ledger.outcome), f"{place}.branch_begin")
    bad = (ledger.missing_branch < -1) | (ledger.missing_branch >= np.maximum(n_branches, 1))
    refuse_first(bad, ledger.missing_branch, f"{place}.missing_branch", "a branch of its row, or -1")
    sizes = _check_runs(ledger.set_begin, n_rows, len(ledger.set_code), f"{place}.set_begin")
    _check_length(ledger.set_branch, len(ledger.set_code), f"{place}.set_branch")
    n_categories = np.array([len(column.categories) for column in schema.columns])[ledger.column]
    _check_in(ledger.set_code, 0, np.repeat(n_categories, sizes), f"{place}.set_code")
    _check_in(ledger.set_branch, 0, np.repeat(n_branches, sizes), f"{place}.set_branch")
    if ledger.rules.is_ratio and len(ledger.worth) != n_rows:
        _check_length(ledger.worth, n_rows, f"{place}.worth")
    if ledger.rules.by != "score":
        for name in ("worth", "net_gain", "split_information", "n_tries"):
            _check_length(getattr(ledger, name), n_rows, f"{place}.{name}")


def _check_length(values: NDArray[Any], n: int, place: str) -> None:
    if len(values) != n:
        raise ModelFileError(f"{place} has {len(values):,} values; there should be {n:,}.")


def _check_in(values: NDArray[Any], least: int, below: Any, place: str) -> None:
    refuse_first((values < least) | (values >= below), values, place, "in its range")


def _check_runs(begin: NDArray[np.int64], n: int, n_entries: int, place: str) -> NDArray[np.int64]:
    """Check that n runs lie one after the other and fill their array; give their lengths."""
    _check_length(begin, n + 1, place)
    lengths = np.diff(begin)
    refuse_first(np.append(begin[:1] != 0, lengths < 0), begin, place, "0 at first, and never fall")
    refuse_first(begin[-1:] != n_entries, begin[-1:], f"{place}, its last value,", f"{n_entries:,}")
    return lengths
