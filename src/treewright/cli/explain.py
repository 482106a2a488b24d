"""`treewright explain`: why a model predicts as it does for rows of a table, and what would change that."""

from argparse import Namespace
from typing import Any

import numpy as np

from treewright.cli import output, tables
from treewright.cli.settings import value_of
from treewright.errors import ParameterError, UnreachableError
from treewright.explain.counterfactual import counterfactual
from treewright.explain.explanation import explain
from treewright.formatting import format_count
from treewright.model import files
from treewright.model.model import Model
from treewright.table.read import Table


def run(args: Namespace) -> None:
    """Run the command."""
    if args.keep_as_is and not (args.change or args.change_to):
        raise ParameterError("--keep-as-is NAME is for --change; add it, or leave --keep-as-is out.")
    model = files.read(args.model).model
    rows, model = _rows(args, model), tables.lean(model)
    if args.json:
        output.put_json([_plain(args, model, number, row) for number, row in rows.items()])
    else:
        output.put_sections(
            *(text for number, row in rows.items() for text in _texts(args, model, number, row))
        )


def _rows(args: Namespace, model: Model) -> dict[int, Table]:
    """Return the rows to explain, by their numbers, which start at 1."""
    numbers, found, n_rows = args.row or [1], {}, 0
    for batch in tables.batches(args, model, keep=True):
        for number in numbers:
            if n_rows < number <= n_rows + batch.n_rows:
                found[number] = batch.take(np.array([number - n_rows - 1]))
        n_rows += batch.n_rows
    for number in numbers:
        if number not in found:
            rows = format_count(n_rows, "row")
            raise ParameterError(f"--row {number} does not exist: {tables.named(args.table)} has {rows}.")
    return {number: tables.known_columns(found[number], tables.lean(model)) for number in numbers}


def _texts(args: Namespace, model: Model, number: int, row: Table) -> list[str]:
    texts = [f"Row {number}: {explain(model, row)}"]
    if args.change or args.change_to:
        try:
            texts.append(str(counterfactual(model, row, _wanted(args, model), args.keep_as_is)))
        except UnreachableError as error:
            texts.append(f"No change: {error}")
    return texts


def _plain(args: Namespace, model: Model, number: int, row: Table) -> dict[str, Any]:
    told = {"row_number": number, **explain(model, row).to_dict()}
    if args.change or args.change_to:
        try:
            told["counterfactual"] = counterfactual(
                model, row, _wanted(args, model), args.keep_as_is
            ).to_dict()
        except UnreachableError as error:
            told["counterfactual"] = {"error": str(error)}
    return told


def _wanted(args: Namespace, model: Model) -> Any:
    """Return the prediction to reach; None for any other than the present one."""
    text, labels = args.change_to, model.schema.labels
    if text is None or text in labels:
        return text
    if labels:
        return next((label for label in labels if str(label) == text or label == value_of(text)), text)
    low, dots, high = text.partition("..")
    ends = [None if end == "" else value_of(end) for end in (low, high)]
    if not dots or not all(end is None or isinstance(end, int | float) for end in ends):
        raise ParameterError(f"--change-to {text}: give a range of numbers, such as 10..20, 10.. or ..20.")
    return tuple(ends)
