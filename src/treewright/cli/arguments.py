"""What command lines share: the options for reading a table, help with examples, errors of one line."""

import argparse
import sys
from collections.abc import Callable
from typing import Any, NoReturn

# What people call kinds, and what a table calls them.
KINDS = {
    "categorical": "category",
    "category": "category",
    "numeric": "number",
    "number": "number",
    "boolean": "boolean",
    "datetime": "datetime",
    "text": "text",
}


class OneLineParser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Say it, and end with status 2."""
        print(f"{self.prog}: error: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)


def command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], None], about: str, more: str, examples: str
) -> argparse.ArgumentParser:
    """Add a command.

    Parameters
    ----------
    commands : subparsers
        Where to.
    name : str
        What is typed.
    run : callable
        What it does.
    about : str
        One line about it.
    more : str
        A paragraph.
    examples : str
        Lines to type.
    """
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=about,
        description=f"{more}",
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("--debug", action="store_true", help="show where in the code something went wrong")
    return parser


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add --json."""
    parser.add_argument("--json", action="store_true", help="write JSON to standard output, for programs")


def add_output(parser: argparse.ArgumentParser, metavar: str, what: str) -> None:
    """Add -o and --force."""
    parser.add_argument("-o", "--output", metavar=metavar, help=what)
    parser.add_argument("--force", action="store_true", help="replace the output if it exists")


def add_width(parser: argparse.ArgumentParser) -> None:
    """Add --width."""
    parser.add_argument(
        "--width",
        type=int,
        metavar="N",
        help="columns for the tree's text, at least 40, 0 for no limit; by default those of the terminal, "
        "and no limit where there is none",
    )


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add what can be told of a table's file."""
    group = parser.add_argument_group(
        "how the table is written", "found out from its name and first rows where it is not told"
    )
    group.add_argument(
        "--table-format", metavar="FORMAT", help="csv, tsv, json (lines), arff, c45, parquet or arrow"
    )
    group.add_argument("--delimiter", metavar="SIGN", help="what parts the cells of a CSV")
    group.add_argument("--encoding", metavar="NAME", help="encoding of a text; else UTF-8, else GB18030")
    group.add_argument("--decimal", metavar="SIGN", help="decimal sign of a CSV: . or ,")
    group.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="whether the first row of a CSV holds names",
    )
    group.add_argument(
        "--na",
        action="append",
        metavar="TEXT",
        help="a text that means 'no value', instead of the usual ones",
    )


def reading(args: argparse.Namespace) -> dict[str, Any]:
    """Give what was told, as `read_file` takes it."""
    delimiter = "\t" if args.delimiter in ("\\t", "tab") else args.delimiter
    return {
        "format": args.table_format,
        "delimiter": delimiter,
        "encoding": args.encoding,
        "decimal": args.decimal,
        "header": args.header,
        "na": args.na,
    }


def kinds(pairs: list[str] | None) -> dict[str, Any]:
    """Read ``NAME=KIND``.

    Raises
    ------
    ParameterError
        If a pair is none, or there is no such kind.

    Examples
    --------
    >>> kinds(["pclass=categorical"])
    {'pclass': 'category'}
    """
    from treewright.errors import ParameterError, did_you_mean, listed

    found = {}
    for pair in pairs or []:
        name, sign, kind = pair.rpartition("=")
        if not sign or not name:
            raise ParameterError(f"--kind {pair!r} is not NAME=KIND, such as age=numeric.")
        if kind not in KINDS:
            hint = did_you_mean(kind, KINDS) or f" There are {listed(KINDS)}."
            raise ParameterError(f"--kind {pair!r}: no kind is called {kind!r}.{hint}")
        found[name] = KINDS[kind]
    return found
