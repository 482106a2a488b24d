"""`treewright predict`: predictions for the rows of a table, in order, in batches."""

from argparse import Namespace
from collections.abc import Container
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli import output, tables
from treewright.errors import ParameterError
from treewright.files.writer import format_of_name
from treewright.model import files
from treewright.model.model import Model
from treewright.table.read import Raw, Table
from treewright.writing import is_stream


def run(args: Namespace) -> None:
    """Run the command."""
    output.check_output(args.output, args.force)
    is_stdout = args.output in (None, "-") or is_stream(args.output)
    if args.json and not is_stdout:
        raise ParameterError("--json is for standard output; name the file .jsonl instead.")
    format = ("json" if args.json else "csv") if is_stdout else format_of_name(args.output)
    if args.for_spreadsheets and format not in ("csv", "tsv"):
        raise ParameterError(f"--for-spreadsheets is for CSV and TSV, not {format}; leave it out.")
    model = files.read(args.model).model
    if args.proba and not model.schema.labels:
        raise ParameterError(f"--proba: {args.model} predicts numbers, which have no probabilities.")
    lean = tables.lean(model)
    answers = (_answers(table, lean, args) for table in tables.batches(args, model, keep=args.keep_columns))
    first = next(answers)  # a bad table fails before the output is opened
    output.put_tables(chain([first], answers), args.output, format, args.for_spreadsheets)


def _answers(table: Table, model: Model, args: Namespace) -> Table:
    rows, labels = tables.known_columns(table, model), model.schema.labels
    added = {"prediction": _labelled(labels, model.answers(rows)) if labels else Raw(model.numbers(rows))}
    if args.proba:
        columns = np.asfortranarray(model.shares(rows)).T
        added |= {f"probability_{label}": Raw(each) for label, each in zip(labels, columns, strict=True)}
    kept = dict(zip(table.names, table.columns, strict=True)) if args.keep_columns else {}
    names = (*kept, *(_free_name(name, kept) for name in added))
    return Table(names, [*kept.values(), *added.values()], table.n_rows)


def _labelled(labels: tuple[Any, ...], answers: NDArray[np.intp]) -> Raw:
    if isinstance(labels[0], str):
        return Raw(answers.astype(np.int32), labels=labels)
    return Raw(np.array(labels)[answers])


def _free_name(name: str, taken: Container[str]) -> str:
    """Append underscores until no column of the table has the name."""
    while name in taken:
        name += "_"
    return name
