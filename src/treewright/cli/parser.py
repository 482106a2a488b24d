"""The command line: every command with its options, its help and its examples.

Nothing here loads NumPy or scikit-learn, so ``treewright --help`` is fast. `main` imports the module of the
command that runs, and only that one.
"""

import argparse
import re
import sys
from typing import Any, NamedTuple, NoReturn

from treewright.export.formats import OURS

_EXAMPLES = """\
examples:
  treewright demo                                       a tree on a bundled table
  treewright fit data.csv --target y -o y.tw.json       grow, evaluate, print, save
  treewright predict y.tw.json new.csv -o answers.csv   predict for new rows
  treewright show y.tw.json --format svg -o y.svg       draw the tree

'treewright COMMAND --help' has more. Tables: CSV, TSV, JSON lines, ARFF, C4.5's
.names and .data, Parquet, Arrow; - is standard input.
Exit status: 0 done, 1 bad data or model, 2 bad command line, 130 interrupted,
141 standard output closed."""

RULES = "rules"
"""The format of `show` that is no exporter."""
_FORMATS = ", ".join((*OURS, RULES))
_SUFFIXES = ", ".join(suffix for each in OURS.values() for suffix in each.suffixes)
_TYPES = {"N": int, "FRACTION": float}  # by the name of the value; all other values are texts

_SHARED = {
    "MODEL": "model file, *.tw.json",
    "--target COLUMN": "target column, if its name is not the one the model was fitted with",
    "--target COLUMN!": "column to predict",
    "--task {classification,regression}": "what to predict; default: by the values of the target",
    "--keep NAME...": "use a column that would be left out",
    "--drop NAME...": "leave a column out",
    "--kind NAME=KIND...": "type of a column: categorical, numeric, boolean, datetime, text",
    "--text NAME...": "read a column as categories, even if it looks like numbers or dates",
    "--seed N=0": "random seed (0)",
    "--force": "overwrite files that exist",
    "--width N": "width of the printed tree in characters, at least 40, or 0 for no limit; default: the "
    "width of the terminal, or no limit if the output is not a terminal",
    "--json": "write JSON to standard output, for programs",
    "--lang LANG": "language of trees, drawings, ledgers, formulas and pages: en or zh; default: zh if "
    "LC_ALL, LC_MESSAGES or LANG begins with zh",
}
"""Arguments shared by several commands."""
READING = {
    "--table-format FORMAT": "csv, tsv, json (lines), arff, c45, parquet or arrow",
    "--delimiter CHAR": "separator between the cells of a CSV",
    "--encoding NAME": "text encoding; default: UTF-8, or GB18030 if that fails",
    "--decimal CHAR": "decimal mark of a CSV: . or ,",
    "--[no-]header": "whether the first row of a CSV holds column names",
    "--thousands CHAR": "separator between groups of three digits in a CSV: , . ' or space",
    "--percent {points,fraction}": "how percentages in a CSV are read: points (76.4), the default, or "
    "fraction (0.764)",
    "--date-format FORMAT...": "how dates of a CSV are written, as Python's strptime takes it",
    "--na TEXT...": "text that marks a missing value, instead of the usual ones",
    "--missing TEXT...": "text that marks a missing value, besides the usual ones",
}
"""How a table is written."""


class Command(NamedTuple):
    """A command as it is typed.

    Parameters
    ----------
    about, description, examples : str
        Texts of the help; `about` is the first sentence of `description`.
    options : dict of str to str
        Help by argument: ``"TABLE"``, ``"[TABLE]"`` if it may be omitted, ``"--flag"``, ``"--name VALUE"``,
        ``"--name {one,other}"``, ``"--name VALUE=default"``, ``"--name VALUE!"`` if it is required,
        ``"--name VALUE..."`` if it may be repeated.
    """

    about: str
    description: str
    examples: str
    options: dict[str, str]

    @classmethod
    def of(cls, text: str) -> "Command":
        """Read a command: description, examples, and arguments with their help, or several of `_SHARED`."""
        description, examples, arguments = text.split("\n\n")
        first = re.split(r"[.:]\s", description)[0].replace("\n", " ")
        options: dict[str, str] = {}
        for line in arguments.splitlines():
            specs, _, help = line.partition("  ")
            options |= {spec: help.strip() or _SHARED[spec] for spec in specs.split(", ")}
        return cls(first[0].lower() + first[1:], description, examples, options)


_TEXTS = {
    "fit": """\
Grow a tree on a table, evaluate it, print it, save it. Reports how each column
was read, evaluates on rows that the tree was not grown on, and prints the tree,
its errors and the candidate splits at the root. The saved tree uses all rows.

  treewright fit melons.csv --target good
  treewright fit adult.csv --target income --algorithm c45 -o adult.tw.json
  treewright fit cars.csv --target mpg --drop name --kind cylinders=categorical
  treewright fit golf.csv --target class --set max_depth=3 --set cv=5
  treewright fit big.parquet --target y --holdout 0.25 --json > report.json
  zcat golf.csv.gz | treewright fit - --target class

TABLE                         training rows; - is standard input
--algorithm {cart,c45,id3}=cart  CART (default: binary splits, surrogates, cross-validated pruning), C4.5, ID3
-o --output MODEL             where to save the model, *.tw.json
--report PAGE                 also write an interactive report, *.html
--folds N                     number of cross-validation folds (10); 0 for none
--holdout FRACTION            evaluate on a random fraction of the rows instead
--set NAME=VALUE...           a parameter of the estimator: a number, true, false, null, JSON or text
--verbose                     also report how the tree was grown: engine, threads, entries sorted
--target COLUMN!, --keep NAME..., --drop NAME..., --kind NAME=KIND..., --text NAME...
--task {classification,regression}
--seed N=0, --force, --width N, --lang LANG, --json""",
    "predict": """\
Predict for every row of a table, in order. Columns are matched by name; those
that the tree asks about have to be there, and others are ignored. Rows are read
in batches, so the table may be larger than memory.

  treewright predict melons.tw.json new.csv
  treewright predict melons.tw.json new.csv --proba -o answers.parquet
  treewright predict melons.tw.json new.csv --keep-columns -o answers.csv
  zcat new.csv.gz | treewright predict melons.tw.json - | head

MODEL
TABLE            rows to predict for; - is standard input
-o --output OUT  output file: .csv, .tsv, .jsonl, .parquet or .arrow; default: CSV to standard output
--proba          add the probability of each class
--keep-columns   also write the columns of the table
--json           write JSON lines to standard output
--for-spreadsheets  put ' before texts that a spreadsheet would compute, such as =1+1 (CSV, TSV)
--force""",
    "evaluate": """\
Evaluate a model on rows with a known target: scores beside those of always
predicting the most frequent class, or the mean, with their standard errors, and
a confusion matrix. Use rows that the model was not grown on, or the scores will
be too good; on its training rows, --folds evaluates trees grown without a fold.

  treewright evaluate melons.tw.json others.csv
  treewright evaluate melons.tw.json melons.csv --folds 10
  treewright evaluate cars.tw.json cars.csv --json

MODEL
TABLE      rows with their target; - is standard input
--folds N  cross-validate on TABLE with the parameters of the model, instead of predicting with it
--target COLUMN, --seed N=0, --json""",
    "show": f"""\
Print or draw a model. The size of a drawing can be limited; it then says how
many nodes are left out.

  treewright show melons.tw.json
  treewright show melons.tw.json --format rules
  treewright show melons.tw.json -o melons.svg
  treewright show melons.tw.json -o melons.png --max-depth 3
  treewright show melons.tw.json -o melons.svg --node-ids --orientation right
  treewright show melons.tw.json melons.csv -o melons.png --lang zh
  treewright show melons.tw.json --format dot | dot -Tpdf > melons.pdf

MODEL
[TABLE]          rows to chart in the boxes of a drawing, as a rule the training rows; - is standard input
--format FORMAT  {_FORMATS}; default: by the suffix of the output ({_SUFFIXES}), or else text
-o --output OUT  output file; default: standard output
--max-depth N    deepest level to show; the root is level 0
--max-nodes N    maximum number of nodes to draw; 0 for all
--node-ids       write the number of its node in each box of a drawing
--impurity       write the impurity of its node in each box
--counts         write the weights of the classes in each box
--precision N    significant digits of thresholds, predictions and impurities in a drawing, 1 to 17
--orientation {{down,right}}  where the branches of a drawing go; default: down
--json           same as --format json
--target COLUMN, --force, --width N, --lang LANG""",
    "audit": """\
List the candidate splits of a node, and why one won. Every column is scored
again, as when the tree was grown: give the rows that the model was grown on.
Nodes are numbered as in 'treewright show MODEL --format json' and in drawings.

  treewright audit melons.tw.json melons.csv
  treewright audit melons.tw.json melons.csv --node 2 --formulas
  treewright audit melons.tw.json melons.csv --every-cut --json
  treewright audit melons.tw.json melons.csv --pruning --formulas
  treewright audit melons.tw.json new.csv --pruning --method pre-pruning

MODEL
TABLE                the training rows, or those that --method needs; - is standard input
--node N             number of the node (0); the root is 0
--every-cut          list every cut of each numeric column, and every category
--pruning            list instead what pruning compared at each node
--method METHOD      with --pruning: a method of 'treewright prune'; default: the one of 'fit'
--set NAME=VALUE...  with --method: an option of the method
--formulas           print the arithmetic behind each score
--target COLUMN, --lang LANG, --json""",
    "explain": """\
Explain predictions: the path of a row through the tree, what each column adds
(Shapley values), the leaf and its expected error; and the smallest change that
leads to another prediction. Rows are numbered from 1.

  treewright explain melons.tw.json melons.csv
  treewright explain melons.tw.json melons.csv --row 3 --row 5 --change
  treewright explain melons.tw.json melons.csv --change-to no --keep-as-is id
  treewright explain cars.tw.json cars.csv --change-to 30.. --json

MODEL
TABLE                 rows to explain; - is standard input
--row N...            number of a row to explain; default: 1
--change              also find the smallest change that leads to another prediction
--change-to ANSWER    the same, for this class, or a range of numbers such as 10..20, 10.. or ..20
--keep-as-is NAME...  a column that must not change
--json""",
    "rules": """\
Write a model as rules. One rule for each leaf, or C4.5's rule set: conditions
that do not help are dropped, few rules are kept, and the first that a row meets
predicts. As text, Markdown, JSON, or SQL that predicts inside a database.

  treewright rules melons.tw.json
  treewright rules melons.tw.json -o melons.md
  treewright rules melons.tw.json --format sql --sql-table melons
  treewright rules melons.tw.json melons.csv --kind c45rules

MODEL
[TABLE]                          the training rows, for c45rules; - is standard input
--kind {leaves,c45rules}=leaves  one rule for each leaf (default), or C4.5's rule set
--format {text,markdown,json,sql}  default: by the suffix of the output, or else text
-o --output OUT                  output file; default: standard output
--sql-table NAME                 for SQL: write the query that adds the predictions to this table
--target COLUMN, --force, --json""",
    "importances": """\
List how much each column matters: the share of the total decrease of impurity
that its splits bring. With rows, also how much worse the predictions get when
the values of the column are shuffled, with standard errors; use rows that the
model was not grown on.

  treewright importances melons.tw.json
  treewright importances melons.tw.json others.csv
  treewright importances cars.tw.json cars.csv --repeats 20 --json

MODEL
[TABLE]        rows with their target; - is standard input
--repeats N=5  how often each column is shuffled (5)
--target COLUMN, --seed N=0, --json""",
    "compare": """\
Compare algorithms and pruning rules: CART, C4.5 and ID3, each pruned by every
rule that applies, on the same folds. Lists their errors on rows that the trees
were not grown on, with standard errors, how far each is above the best, and the
baseline: always the most frequent class, or the mean.

  treewright compare melons.csv --target good
  treewright compare adult.csv --target income --only cart --only c45 --folds 5
  treewright compare cars.csv --target mpg --drop name --json

TABLE                 rows with their target; - is standard input
--only ALGORITHM...   cart, c45 or id3; default: all that can predict the target
--folds N             number of folds (10)
--target COLUMN!, --keep NAME..., --drop NAME..., --kind NAME=KIND..., --text NAME...
--task {classification,regression}
--seed N=0, --json""",
    "tune": """\
Choose depth, size of leaves and pruning by cross-validation, and say how well
the choice does: each fold is predicted by a tree that was tuned and grown
without it (nested cross-validation). Lists what was tried, and saves a tree
grown on all rows with the best settings. For --try: max_depth, and for CART
min_samples_leaf and cp, for C4.5 min_cases and confidence (null: no pruning).

  treewright tune melons.csv --target good -o good.tw.json
  treewright tune adult.csv --target income --algorithm c45 --folds 10
  treewright tune cars.csv --target mpg --try max_depth=[4,8] --try cp=0.01

TABLE                       training rows; - is standard input
--algorithm {cart,c45}=cart  CART (default) or C4.5
-o --output MODEL           where to save the model, *.tw.json
--folds N                   number of folds, outside and inside (5)
--try NAME=VALUE...         a value, or a list in JSON, to try instead of the usual ones
--target COLUMN!, --keep NAME..., --drop NAME..., --kind NAME=KIND..., --text NAME...
--task {classification,regression}
--seed N=0, --force, --width N, --lang LANG, --json""",
    "prune": """\
Prune a model. Methods, and their options for --set:
  cost-complexity  alpha, cp or leaves; or held-out rows as TABLE, with scoring,
                   rule (min, 1-se); risk
  reduced-error    held-out rows as TABLE; strict
  pre-pruning      held-out rows as TABLE
  error-based      the training rows as TABLE; confidence, raising
  pessimistic      standard_errors
  minimum-error    m

  treewright prune adult.tw.json --method pessimistic -o small.tw.json
  treewright prune adult.tw.json --method cost-complexity --set leaves=8
  treewright prune adult.tw.json new.csv --method reduced-error -o few.tw.json

MODEL
[TABLE]              rows with their target, for the methods that need them; - is standard input
--method METHOD!     pruning method, see above
-o --output MODEL    where to save the pruned model, *.tw.json
--set NAME=VALUE...  an option of the method
--target COLUMN, --force, --width N, --lang LANG, --json""",
    "report": """\
Write an interactive report as one HTML page. It opens from disk, loads nothing
else, and has the tree to explore, to prune and to query, its rules, and how
well it does on the rows of TABLE.

  treewright report melons.tw.json melons.csv -o melons.html
  treewright report melons.tw.json melons.csv -o melons.html --lang zh
  treewright report melons.tw.json melons.csv --json > melons.json

MODEL
TABLE             rows with their target, to evaluate the tree on; - is standard input
-o --output PAGE  output file, *.html; default: standard output
--title TEXT      title of the page
--examples N=30   rows of TABLE that the page holds, to ask the tree about; 0 for none
--target COLUMN, --force, --lang LANG, --json""",
    "demo": """\
Grow a tree on a small bundled table, with all figures: C4.5 on the watermelon
table of a textbook (Zhou Zhihua, Machine Learning, table 4.3). Prints all
figures behind the first split, the tree and its rules, and draws the tree.

  treewright demo
  treewright demo -o melons.svg
  treewright demo --table melons.csv      also write the table, to try:
  treewright fit melons.csv --target 好瓜 --algorithm c45

-o --output PICTURE=watermelon.svg  file for the drawing (watermelon.svg)
--table CSV                         also write the table to this file
--force, --width N, --lang LANG""",
}
COMMANDS = {name: Command.of(text) for name, text in _TEXTS.items()}


class OneLineParser(argparse.ArgumentParser):
    """A parser that reports an error in one line."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; also accept an optional TABLE after options, where argparse does not find it."""
        found, others = super().parse_known_args(args, namespace)
        is_word = len(others) == 1 and (others[0] == "-" or not others[0].startswith("-"))
        if is_word and getattr(found, "table", "") is None:
            found.table = others.pop()
        if others:  # reported by the command, since its help lists its arguments
            self.error(f"unrecognized arguments: {' '.join(others)}")
        return found, others

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with status 2."""
        print(f"{self.prog}: error: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)


def command_line() -> OneLineParser:
    """Make the parser of all commands, from which the documentation of the command line is also generated."""
    import treewright

    shape: Any = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
    parser = OneLineParser(
        prog="treewright",
        description="Exact decision trees: grow one from a table, see why it splits as it does, use it.",
        epilog=_EXAMPLES,
        **shape,
    )
    parser.add_argument("--version", action="version", version=f"treewright {treewright.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for name, each in COMMANDS.items():
        texts = {"description": each.description, "epilog": f"examples:\n{each.examples}"}
        command = commands.add_parser(name, help=each.about, **shape | texts)
        _add(command, {"--debug": "print a traceback if the command fails"} | each.options)
        if {"TABLE", "[TABLE]"} & each.options.keys():
            heading = "how the table is written", "by default detected from its name and first rows"
            _add(command.add_argument_group(*heading), READING)
    return parser


_SPEC = re.compile(r"(?P<flags>(-\S+ ?)*)(?P<value>\[?[A-Z=]+]?|{.*})?(?P<more>!|\.\.\.|=(?P<default>.*))?")


def _add(group: argparse._ActionsContainer, options: dict[str, str]) -> None:
    """Add arguments as `Command` describes them."""
    for spec, help in options.items():
        found = _SPEC.fullmatch(spec)
        assert found is not None, spec
        flags, value = found["flags"].replace("[no-]", "").split(), found["value"]
        settings: dict[str, Any] = {"help": help}
        if not value:
            settings["action"] = argparse.BooleanOptionalAction if "[no-]" in spec else "store_true"
        elif value.startswith("{"):
            settings |= {"choices": value.strip("{}").split(","), "default": found["default"]}
        elif found["more"] == "...":
            settings |= {"metavar": value, "action": "append", "default": [], "type": _TYPES.get(value)}
            settings["help"] += "; may be repeated"
        elif flags:
            settings |= {"metavar": value, "type": _TYPES.get(value), "default": found["default"]}
            settings["required"] = found["more"] == "!"
        else:
            flags = [value.strip("[]").lower()]
            settings |= {"metavar": value.strip("[]"), "nargs": "?" if value.startswith("[") else None}
        group.add_argument(*flags, **settings)
