"""What can be typed: every command with its options, its help and its examples.

Nothing here loads NumPy or scikit-learn, so ``treewright --help`` answers at once. `main` imports the
module of the command that runs, and only that one.
"""

import argparse
import sys
from typing import Any, NoReturn

from treewright import __version__

_EXAMPLES = """\
examples:
  treewright demo                                       a tree on a bundled table
  treewright fit data.csv --target y -o y.tw.json       grow, evaluate, print, save
  treewright predict y.tw.json new.csv -o answers.csv   predict for new rows
  treewright show y.tw.json --format svg -o y.svg       draw the tree

'treewright COMMAND --help' has more. Tables: CSV, TSV, JSON lines, ARFF, C4.5's
.names and .data, Parquet, Arrow; - is standard input.
Exit status: 0 done, 1 bad data or model, 2 bad command line, 130 interrupted."""

# Options that several commands take.
_SHARED: dict[str, dict[str, Any]] = {
    "model": {"metavar": "MODEL", "help": "model file, *.tw.json"},
    "table": {"metavar": "TABLE"},
    "--target": {
        "metavar": "COLUMN",
        "help": "the target column, if its name is not the one the model was fitted with",
    },
    "--set": {"action": "append", "metavar": "NAME=VALUE"},
    "--force": {"action": "store_true", "help": "overwrite files that exist"},
    "--json": {"action": "store_true", "help": "write JSON to standard output, for programs"},
    "--debug": {"action": "store_true", "help": "print a traceback if the command fails"},
    "--width": {
        "type": int,
        "metavar": "N",
        "help": "width of the printed tree in characters, at least 40, or 0 for no limit; default: the width "
        "of the terminal, or no limit if the output is not a terminal",
    },
    "--table-format": {
        "metavar": "FORMAT",
        "help": "csv, tsv, json (lines), arff, c45, parquet or arrow",
    },
    "--delimiter": {"metavar": "CHAR", "help": "separator between the cells of a CSV"},
    "--encoding": {"metavar": "NAME", "help": "text encoding; default: UTF-8, or GB18030 if that fails"},
    "--decimal": {"metavar": "CHAR", "help": "decimal mark of a CSV: . or ,"},
    "--header": {
        "action": argparse.BooleanOptionalAction,
        "help": "whether the first row of a CSV holds column names",
    },
    "--na": {
        "action": "append",
        "metavar": "TEXT",
        "help": "text that marks a missing value, instead of the usual ones; may be repeated",
    },
}
READING = ("--table-format", "--delimiter", "--encoding", "--decimal", "--header", "--na")
"""The options that say how a table is written."""


class OneLineParser(argparse.ArgumentParser):
    """A parser that reports an error in one line, and knows the options that commands share."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with status 2."""
        print(f"{self.prog}: error: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)

    def add(self, *names: str, **settings: Any) -> None:
        """Add an option; `settings` override those of a shared option."""
        self.add_argument(*names, **_SHARED.get(names[-1], {}) | settings)

    def add_output(self, metavar: str, help: str) -> None:
        """Add ``-o`` and ``--force``."""
        self.add("-o", "--output", metavar=metavar, help=help)
        self.add("--force")

    def add_reading(self) -> None:
        """Add the options that say how a table is written."""
        group = self.add_argument_group(
            "how the table is written", "detected from its name and its first rows by default"
        )
        for name in READING:
            group.add_argument(name, **_SHARED[name])


def command_line() -> OneLineParser:
    """Return the parser of all commands; the page of the command line in the docs is made from it."""
    parser = OneLineParser(
        prog="treewright",
        description="Exact decision trees: grow one from a table, see why it splits as it does, use it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"treewright {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for add in (_fit, _predict, _evaluate, _show, _audit, _prune, _report, _demo):
        add(commands)
    return parser


def _command(commands: Any, name: str, about: str, description: str, examples: str) -> OneLineParser:
    """Add a command: its line in ``treewright --help``, and the text and the examples of its own help."""
    parser: OneLineParser = commands.add_parser(
        name,
        help=about,
        description=description,
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add("--debug")
    return parser


def _fit(commands: Any) -> None:
    parser = _command(
        commands,
        "fit",
        "grow a tree on a table, evaluate it, print it, save it",
        """\
Grow a tree on a table. Reports how each column was read, evaluates the tree on
rows it was not grown on, and prints the tree, its errors and the candidate
splits at the root. The tree printed and saved is grown on all rows.""",
        """\
  treewright fit melons.csv --target good
  treewright fit adult.csv --target income --algorithm c45 -o adult.tw.json
  treewright fit cars.csv --target mpg --drop name --kind cylinders=categorical
  treewright fit golf.csv --target class --set max_depth=3 --set cv=5
  treewright fit big.parquet --target y --holdout 0.25 --json > report.json
  zcat golf.csv.gz | treewright fit - --target class""",
    )
    parser.add("table", help="training rows; - is standard input")
    parser.add("--target", required=True, help="column to predict")
    parser.add(
        "--algorithm",
        choices=("cart", "c45", "id3"),
        default="cart",
        help="CART (default: binary splits, surrogates, pruned by cross-validation), C4.5 or ID3",
    )
    parser.add_output("MODEL", "where to save the model, *.tw.json")
    parser.add("--report", metavar="PAGE", help="also write an interactive report, *.html")
    evaluate = parser.add_mutually_exclusive_group()
    evaluate.add_argument(
        "--folds", type=int, default=10, metavar="N", help="number of cross-validation folds (10); 0 for none"
    )
    evaluate.add_argument(
        "--holdout", type=float, metavar="FRACTION", help="evaluate on a random fraction of the rows instead"
    )
    parser.add("--seed", type=int, default=0, metavar="N", help="random seed for the folds (0)")
    parser.add("--task", choices=("classification", "regression"), help="default: decided from the target")
    parser.add("--set", help="a parameter of the estimator: a number, true, false, null, JSON or text")
    parser.add(
        "--keep", action="append", default=[], metavar="NAME", help="use a column that would be left out"
    )
    parser.add("--drop", action="append", default=[], metavar="NAME", help="leave a column out")
    parser.add(
        "--kind",
        action="append",
        metavar="NAME=KIND",
        help="what a column holds: categorical, numeric, boolean, datetime, text",
    )
    parser.add("--width")
    parser.add("--json")
    parser.add_reading()


def _predict(commands: Any) -> None:
    parser = _command(
        commands,
        "predict",
        "predict for the rows of a table",
        """\
Predict for every row of a table, in order. Columns are matched by name; columns
that the model does not use are ignored. Rows are read in batches, so the table
may be larger than memory.""",
        """\
  treewright predict melons.tw.json new.csv
  treewright predict melons.tw.json new.csv --proba -o answers.parquet
  treewright predict melons.tw.json new.csv --keep-columns -o answers.csv
  zcat new.csv.gz | treewright predict melons.tw.json - | head""",
    )
    parser.add("model")
    parser.add("table", help="rows to predict for; - is standard input")
    parser.add_output(
        "OUT", "output file: .csv, .tsv, .jsonl, .parquet or .arrow; default: CSV to standard output"
    )
    parser.add("--proba", action="store_true", help="add the probability of each class")
    parser.add("--keep-columns", action="store_true", help="also write the columns of the table")
    parser.add("--json", help="write JSON lines to standard output")
    parser.add_reading()


def _evaluate(commands: Any) -> None:
    parser = _command(
        commands,
        "evaluate",
        "evaluate a model on rows with a known target",
        """\
Evaluate a model on rows with a known target: a confusion matrix and the figures
of each class, or the errors of a regression, each with its standard error. Use
rows that the model was not grown on, or the figures will be too good.""",
        """\
  treewright evaluate melons.tw.json others.csv
  treewright evaluate cars.tw.json cars.csv --json""",
    )
    _add_model_and_rows(parser, "rows with their target; - is standard input")


def _show(commands: Any) -> None:
    parser = _command(
        commands,
        "show",
        "print or draw a model",
        """\
Print or draw a model. A drawing may be limited in size; it says how many nodes
are left out.""",
        """\
  treewright show melons.tw.json
  treewright show melons.tw.json --format rules
  treewright show melons.tw.json -o melons.svg
  treewright show melons.tw.json -o melons.png --max-depth 3
  treewright show melons.tw.json --format dot | dot -Tpdf > melons.pdf""",
    )
    parser.add("model")
    parser.add(
        "--format",
        metavar="FORMAT",
        help="text (default), rules, dot, mermaid, json, svg, html, png or pdf; otherwise taken from the "
        "name of the output: .txt, .dot, .mmd, .md (Mermaid in Markdown), .json, .svg, .html, .png or .pdf",
    )
    parser.add_output("OUT", "output file; default: standard output")
    parser.add("--max-depth", type=int, metavar="N", help="deepest level to show; the root is level 0")
    parser.add("--max-nodes", type=int, metavar="N", help="maximum number of nodes to draw; 0 for all")
    parser.add("--width")
    parser.add("--json", help="same as --format json")


def _audit(commands: Any) -> None:
    parser = _command(
        commands,
        "audit",
        "list the candidate splits of a node, and why one won",
        """\
Score every column at a node again, as when the tree was grown, and list the
candidate splits. Give the rows that the model was grown on. Nodes are numbered
as in 'treewright show MODEL --format json' and in drawings.""",
        """\
  treewright audit melons.tw.json melons.csv
  treewright audit melons.tw.json melons.csv --node 2 --formulas
  treewright audit melons.tw.json melons.csv --every-cut --json""",
    )
    _add_model_and_rows(parser, "the training rows; - is standard input")
    parser.add("--node", type=int, default=0, metavar="N", help="number of the node; the root is 0")
    parser.add("--every-cut", action="store_true", help="list every cut of each numeric column")
    parser.add("--formulas", action="store_true", help="print the arithmetic behind each score")


def _prune(commands: Any) -> None:
    parser = _command(
        commands,
        "prune",
        "prune a model",
        """\
Prune a tree; nothing is grown again. Methods, and options for --set:
  cost-complexity  alpha, cp or leaves; or held-out rows as TABLE, with scoring,
                   rule (min, 1-se); risk
  reduced-error    held-out rows as TABLE
  error-based      the training rows as TABLE; confidence, raising
  pessimistic      standard_errors
  minimum-error    m""",
        """\
  treewright prune adult.tw.json --method pessimistic -o small.tw.json
  treewright prune adult.tw.json --method cost-complexity --set leaves=8
  treewright prune adult.tw.json new.csv --method reduced-error -o few.tw.json""",
    )
    _add_model_and_rows(parser, "rows with their target, for the methods that need them", nargs="?")
    parser.add("--method", required=True, metavar="METHOD", help="pruning method, see above")
    parser.add("--set", help="an option of the method")
    parser.add_output("MODEL", "where to save the pruned model, *.tw.json")
    parser.add("--width")


def _report(commands: Any) -> None:
    parser = _command(
        commands,
        "report",
        "write an interactive report as one HTML page",
        """\
Write one HTML page that opens from disk and loads nothing else: the tree to
explore, to prune and to query, its rules, and how well it does on the rows of
TABLE.""",
        """\
  treewright report melons.tw.json melons.csv -o melons.html
  treewright report melons.tw.json melons.csv -o melons.html --lang zh
  treewright report melons.tw.json melons.csv --json > melons.json""",
    )
    _add_model_and_rows(parser, "rows with their target, to evaluate the tree on; - is standard input")
    parser.add_output("PAGE", "output file, *.html; default: standard output")
    parser.add("--lang", default="en", metavar="LANG", help="language of the page: en or zh")
    parser.add("--title", metavar="TEXT", help="title of the page")


def _demo(commands: Any) -> None:
    parser = _command(
        commands,
        "demo",
        "grow a tree on a small bundled table, with all figures",
        """\
Grow a C4.5 tree on the watermelon table of a textbook (Zhou Zhihua, Machine
Learning, table 4.3). Prints all figures behind the first split, the tree and
its rules, and draws the tree.""",
        """\
  treewright demo
  treewright demo -o melons.svg
  treewright demo --table melons.csv      also write the table, to try:
  treewright fit melons.csv --target 好瓜 --algorithm c45""",
    )
    parser.add(
        "-o",
        "--output",
        metavar="PICTURE",
        default="watermelon.svg",
        help="file for the drawing (watermelon.svg)",
    )
    parser.add("--table", metavar="CSV", help="also write the table to this file")
    parser.add("--force")
    parser.add("--width")


def _add_model_and_rows(parser: OneLineParser, rows: str, **settings: Any) -> None:
    """Add a model, a table with its target, and the options to read it."""
    parser.add("model")
    parser.add("table", help=rows, **settings)
    parser.add("--target")
    parser.add("--json")
    parser.add_reading()
