"""Read WEKA's ARFF: columns declared, then rows, dense or sparse.

Words are known in any case, `%` begins a comment, texts with spaces or signs in them stand in quotes of
either kind, with backslashes before quotes inside them. `?` is a gap unless it is quoted. In a sparse row a
column that is not named holds 0, or its first category; a text that is not named is missing.
"""

import re
from collections.abc import Iterator

from treewright.errors import FileError
from treewright.files.attributes import BATCH, Attribute, Row, in_batches, refuse_doubled, table_of
from treewright.files.options import Options
from treewright.files.source import Source
from treewright.files.text import encoding_of, text_lines
from treewright.table.read import Table

_TOKEN = re.compile(
    r"""\s*(?:
        '(?P<single>(?:[^'\\]|\\.)*)' |
        "(?P<double>(?:[^"\\]|\\.)*)" |
        (?P<sign>[{},]) |
        (?P<open>['"]) |
        (?P<plain>[^\s{},%'"](?:[^{},%]*[^{},%\s])?)
    )""",
    re.VERBOSE,
)
_WORD = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{}%,'"][^\s{}%]*))""")
_SIGNS = re.compile(r"""['"%{}\\]""")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
# Java's letters for the parts of a moment, as Python's strptime calls them.
_JAVA = {
    "yyyy": "%Y",
    "yy": "%y",
    "MM": "%m",
    "dd": "%d",
    "HH": "%H",
    "mm": "%M",
    "ss": "%S",
    "SSS": "%f",
    "Z": "%z",
    "X": "%z",
    "XXX": "%z",
    "EEE": "%a",
    "MMM": "%b",
    "a": "%p",
    "hh": "%I",
}
_ISO = "yyyy-MM-dd'T'HH:mm:ss"


def read_arff(source: Source, options: Options) -> Table:
    """Read an ARFF file whole."""
    for table in _tables(source, options, None):
        return table
    raise _no_rows(source)


def arff_batches(source: Source, options: Options) -> Iterator[Table]:
    """Read an ARFF file some rows at a time."""
    n_rows = 0
    for table in _tables(source, options, BATCH):
        n_rows += table.n_rows
        yield table
    if not n_rows:
        raise _no_rows(source)


def _no_rows(source: Source) -> FileError:
    return FileError(f"{source.name} declares its columns and has no rows below @data.")


def _tables(source: Source, options: Options, most: int | None) -> Iterator[Table]:
    lines = enumerate(text_lines(source, encoding_of(source, options.encoding)), start=1)
    attributes = _header(lines, source.name)
    refuse_doubled([attribute.name for attribute in attributes], source.name)
    options.wanted([attribute.name for attribute in attributes])
    for batch in in_batches(_rows(lines, attributes, source.name), most):
        yield table_of(attributes, batch, source.name, options)


def _header(lines: Iterator[tuple[int, str]], name: str) -> list[Attribute]:
    attributes: list[Attribute] = []
    for number, line in lines:
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        word, _, rest = text.replace("\t", " ", 1).partition(" ")
        word = word.lower()
        if word == "@data":
            if not attributes:
                raise FileError(f"{name}, line {number:,}: expected @attribute before @data.")
            return attributes
        if word == "@attribute":
            attributes.append(_attribute(rest, name, number))
        elif word != "@relation":
            raise FileError(
                f"{name}, line {number:,}: expected @relation, @attribute or @data, found {text[:40]!r}."
            )
    raise FileError(f"{name} ends before @data.")


def _attribute(text: str, name: str, line: int) -> Attribute:
    named = _WORD.match(text)
    if named is None:
        raise FileError(f"{name}, line {line:,}: expected the name of a column after @attribute.")
    column = _unquoted(named)
    rest = text[named.end() :].strip()
    if rest.startswith("{"):
        return Attribute(column, "category", _categories(rest, column, name, line))
    kind, _, more = rest.partition(" ")
    kind = kind.partition("%")[0].lower()
    if kind in ("numeric", "real", "integer"):
        return Attribute(column, "number")
    if kind == "string":
        return Attribute(column, "text")
    if kind == "date":
        written = _WORD.match(more)
        return Attribute(
            column, "datetime", moment_format=_strptime(_unquoted(written) if written else _ISO, name, line)
        )
    raise FileError(
        f"{name}, line {line:,}: expected numeric, real, integer, string, date or {{values}} for column "
        f"{column!r}, found {rest[:40]!r}."
    )


def _categories(text: str, column: str, name: str, line: int) -> tuple[str, ...]:
    cells, end = _cells(text[1:], name, line)
    if end is None:
        raise FileError(f"{name}, line {line:,}: expected }} after the values of column {column!r}.")
    categories = tuple(cell for cell, _ in cells)
    if len(set(categories)) < len(categories) or not categories:
        doubled = next((each for each in categories if categories.count(each) > 1), None)
        raise FileError(
            f"{name}, line {line:,}: column {column!r} declares "
            + ("no values." if doubled is None else f"the value {doubled!r} twice.")
        )
    return categories


def _rows(
    lines: Iterator[tuple[int, str]], attributes: list[Attribute], name: str
) -> Iterator[tuple[Row, int]]:
    n_columns = len(attributes)
    for number, line in lines:
        text = line.strip()
        if not text or text[0] == "%":
            continue
        if text[0] == "{":
            yield _sparse(text, attributes, name, number), number
            continue
        if _SIGNS.search(text) is None:
            cells = map(str.strip, text.split(",") if "," in text else text.split())
            row: list[str | None] = [None if cell in ("?", "") else cell for cell in cells]
        else:
            pairs, end = _cells(text, name, number)
            if end is not None:
                raise FileError(f"{name}, line {number:,}: expected a comma, found {text[end - 1]!r}.")
            row = [cell if is_quoted else _value(cell) for cell, is_quoted in pairs]
        if len(row) != n_columns:
            raise FileError(f"{name}, line {number:,}: expected {n_columns} cells, found {len(row)}.")
        yield row, number


def _value(cell: str) -> str | None:
    return None if cell in ("?", "") else cell


def _sparse(text: str, attributes: list[Attribute], name: str, line: int) -> Row:
    row: list[str | None] = [
        "0" if attribute.kind == "number" else attribute.categories[0] if attribute.categories else None
        for attribute in attributes
    ]
    body = text[1:]
    at, before = 0, -1
    while True:
        found = re.compile(r"\s*(\d+)\s+").match(body, at)
        if found is None:
            break
        position = int(found[1])
        if not before < position < len(attributes):
            raise FileError(
                f"{name}, line {line:,}: expected a column between {before + 1} and {len(attributes) - 1}, "
                f"found {position}."
            )
        before = position
        token = _TOKEN.match(body, found.end())
        if token is None or token["sign"] or token["open"]:
            raise FileError(f"{name}, line {line:,}: expected a value for column {position}.")
        row[position] = _value(token["plain"]) if token["plain"] is not None else _unescaped(token)
        at = token.end()
        comma = re.compile(r"\s*,").match(body, at)
        if comma is None:
            break
        at = comma.end()
    if not re.compile(r"\s*\}\s*(?:%.*)?").fullmatch(body, at):
        raise FileError(
            f"{name}, line {line:,}: expected 'column value' pairs parted by commas and a closing }}, found "
            f"{body[at : at + 40]!r}."
        )
    return row


def _cells(text: str, name: str, line: int) -> tuple[list[tuple[str, bool]], int | None]:
    """Part a line into cells, each with whether it was quoted; also where a brace ended it, if one did."""
    cells: list[tuple[str, bool]] = []
    at, awaits = 0, True
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:  # spaces, or a comment, to the end of the line
            break
        at = token.end()
        if token["open"]:
            raise FileError(f"{name}, line {line:,}: expected a closing {token['open']} on the same line.")
        if token["sign"] == ",":
            if awaits:
                cells.append(("", False))
            awaits = True
        elif token["sign"]:
            return cells, at
        elif not awaits:
            raise FileError(
                f"{name}, line {line:,}: expected a comma before {(token[0]).strip()[:40]!r}; quote texts "
                "with quotes or spaces in them."
            )
        else:
            cells.append((token["plain"], False) if token["plain"] is not None else (_unescaped(token), True))
            awaits = False
    if awaits and cells:
        cells.append(("", False))
    return cells, None


def _unescaped(token: re.Match[str]) -> str:
    text = token["single"] if token["single"] is not None else token["double"]
    return _without_backslashes(text)


def _unquoted(word: re.Match[str]) -> str:
    if word[3] is not None:
        return word[3]
    return _without_backslashes(word[1] if word[1] is not None else word[2])


def _without_backslashes(text: str) -> str:
    if "\\" not in text:
        return text
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text)


def _strptime(java: str, name: str, line: int) -> str:
    """Say a Java format of moments in Python's letters; empty for ISO 8601."""
    if java == _ISO:
        return ""
    parts = []
    for quoted, letters, other in re.findall(r"'([^']*)'|([A-Za-z]+)|([^A-Za-z']+)", java):
        runs = re.findall(r"((.)\2*)", letters)
        for run, _ in runs:
            if run not in _JAVA:
                raise FileError(
                    f"{name}, line {line:,}: the date format {java!r} has {run!r} in it, which is not known "
                    "here. Write dates as yyyy-MM-dd."
                )
            parts.append(_JAVA[run])
        parts.append((quoted + other).replace("%", "%%"))
    return "".join(parts)
