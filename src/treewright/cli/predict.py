"""`treewright predict`: answers for the rows of a table, in order, in memory that does not grow with it."""

import argparse
from typing import TYPE_CHECKING, Any

from treewright.cli.arguments import add_output, add_reading, command

if TYPE_CHECKING:
    from treewright.model.model import Model
    from treewright.table.read import Raw, Table

_MORE = """\
Answer for every row of a table, in order. Columns are found by name; those that
the model does not ask for do not matter. A table of any length goes through,
some rows at a time."""

_EXAMPLES = """\
  treewright predict melons.tw.json new.csv
  treewright predict melons.tw.json new.csv --proba -o answers.parquet
  treewright predict melons.tw.json new.csv --keep-columns -o answers.csv
  zcat new.csv.gz | treewright predict melons.tw.json - | head"""

PREDICTION = "prediction"


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(commands, "predict", run, "answer for the rows of a table", _MORE, _EXAMPLES)
    parser.add_argument("model", metavar="MODEL", help="model file, *.tw.json")
    parser.add_argument("table", metavar="TABLE", help="rows to answer for; - is standard input")
    add_output(
        parser,
        "OUT",
        "where to write: .csv, .tsv, .jsonl, .parquet or .arrow; by default CSV to standard output",
    )
    parser.add_argument("--proba", action="store_true", help="add the probability of each class")
    parser.add_argument("--keep-columns", action="store_true", help="write the table's own columns too")
    parser.add_argument("--json", action="store_true", help="write JSON lines to standard output")
    add_reading(parser)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    from treewright.cli.output import check_output, opened
    from treewright.cli.tables import batches
    from treewright.errors import ParameterError
    from treewright.files.writer import format_of_name, writer_of
    from treewright.model import files
    from treewright.schema import Classes
    from treewright.writing import is_stream

    check_output(args.output, args.force)
    is_stdout = args.output in (None, "-") or is_stream(args.output)
    if args.json and not is_stdout:
        raise ParameterError("--json is for standard output; name the file .jsonl instead.")
    format = ("json" if args.json else "csv") if is_stdout else format_of_name(args.output)
    model = files.read(args.model).model
    if args.proba and not isinstance(model.schema.target, Classes):
        raise ParameterError(f"--proba: {args.model} predicts numbers, which have no probabilities.")
    rows = batches(args, model, keep=args.keep_columns)
    first = next(rows)  # what is wrong with the table shows before anything is opened
    answers = _answers(first, model, args)
    with opened(args.output) as stream:
        writer = writer_of(format, stream)
        writer.write(answers)
        for table in rows:
            writer.write(_answers(table, model, args))
        writer.close()


def _answers(table: "Table", model: "Model", args: argparse.Namespace) -> "Table":
    import numpy as np

    from treewright.cli.tables import known_columns
    from treewright.schema import Classes
    from treewright.table.read import Raw, Table

    asked = known_columns(table, model)
    added: dict[str, Raw] = {}
    target = model.schema.target
    if isinstance(target, Classes):
        added[PREDICTION] = _labelled(target.labels, model.answers(asked))
    else:
        added[PREDICTION] = Raw(model.numbers(asked))
    if args.proba and isinstance(target, Classes):
        shares = model.shares(asked)
        for at, label in enumerate(target.labels):
            added[f"probability_{label}"] = Raw(np.ascontiguousarray(shares[:, at]))
    kept = dict(zip(table.names, table.columns, strict=True)) if args.keep_columns else {}
    names = [*kept, *(_free(name, kept) for name in added)]
    return Table(tuple(names), [*kept.values(), *added.values()], table.n_rows)


def _labelled(labels: tuple[Any, ...], answers: Any) -> "Raw":
    import numpy as np

    from treewright.table.read import Raw

    if isinstance(labels[0], str):
        return Raw(answers.astype(np.int32), labels=labels)
    return Raw(np.array(labels)[answers])


def _free(name: str, taken: dict[str, Any]) -> str:
    """Give a name that no column of the table has."""
    while name in taken:
        name += "_"
    return name
