"""Read WEKA's ARFF: declared columns, then rows, dense or sparse.

Keywords may be in any case; `%` begins a comment. Texts with spaces or special characters are in single or
double quotes, with backslashes before quotes inside them. `?` is a missing value unless it is quoted. In a
sparse row an omitted column holds 0, or its first category; an omitted text is missing.
"""

import re
from collections.abc import Iterator

from treewright.errors import FileError
from treewright.files.attributes import Attribute, AttributeKind, Row, Rows, tables_of
from treewright.files.options import Options
from treewright.files.source import Source
from treewright.files.text import Lines
from treewright.table.read import Table, refuse_doubles, repeated

_QUOTED = r"""'(?P<single>(?:[^'\\]|\\.)*)' | "(?P<double>(?:[^"\\]|\\.)*)" """
_CELL = rf"""{_QUOTED} | (?P<plain>[^\s{{}},%'"](?:[^{{}},%]*[^{{}},%\s])?)"""
_TOKEN = re.compile(rf"""\s*(?: {_CELL} | (?P<sign>[{{}},]) | (?P<open>['"]) )""", re.VERBOSE)
_WORD = re.compile(rf"""\s*(?: {_QUOTED} | (?P<plain>[^\s{{}}%,'"][^\s{{}}%]*) )""", re.VERBOSE)
_PAIR = re.compile(rf"""\s*(?P<position>\d+)\s+(?P<value> {_CELL} )?\s*(?P<comma>,)?""", re.VERBOSE)
_END_OF_SPARSE = re.compile(r"\s*\}\s*(?:%.*)?")
_SIGNS = re.compile(r"""['"%{}\\]""")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_NUMBERS: dict[str, AttributeKind] = dict.fromkeys(("numeric", "real", "integer"), "number")
_KINDS: dict[str, AttributeKind] = _NUMBERS | {"string": "text", "date": "datetime"}
# Java's letters for the fields of a date, and Python's directives for them.
_FIELDS = ("yyyy", "yy", "MM", "MMM", "dd", "EEE", "HH", "hh", "mm", "ss", "SSS", "a", "Z", "X", "XXX")
_DIRECTIVES = ("%Y", "%y", "%m", "%b", "%d", "%a", "%H", "%I", "%M", "%S", "%f", "%p", "%z", "%z", "%z")
_JAVA = dict(zip(_FIELDS, _DIRECTIVES, strict=True))
_ISO = "yyyy-MM-dd'T'HH:mm:ss"


def arff_tables(source: Source, options: Options, most: int | None) -> Iterator[Table]:
    """Read an ARFF file."""
    lines = Lines(source, options.encoding)
    texts = (text for line in lines if (text := line.strip()) and text[0] != "%")
    attributes: list[Attribute] = []
    for text in texts:
        word, _, rest = text.replace("\t", " ", 1).partition(" ")
        word = word.lower()
        if word == "@data":
            break
        if word == "@attribute":
            attributes.append(_attribute(rest, lines))
        elif word != "@relation":
            raise lines.error(f"expected @relation, @attribute or @data, found {text[:40]!r}.")
    else:
        raise FileError(f"{source.name} ends before @data.")
    if not attributes:
        raise lines.error("expected @attribute before @data.")
    names = [attribute.name for attribute in attributes]
    refuse_doubles(names, source.name, "Rename all but one.", FileError)
    options.wanted(names)
    return tables_of(attributes, _rows(texts, attributes, lines), source, options, most)


def _attribute(text: str, lines: Lines) -> Attribute:
    named = _WORD.match(text)
    if named is None:
        raise lines.error("expected the name of a column after @attribute.")
    column = _text(named)
    rest = text[named.end() :].strip()
    if rest.startswith("{"):
        return Attribute(column, "category", _categories(rest, column, lines))
    word, _, more = rest.partition(" ")
    kind = _KINDS.get(word.partition("%")[0].lower())
    if kind is None:
        expected = f"expected numeric, real, integer, string, date or {{values}} for column {column!r}"
        raise lines.error(f"{expected}, found {rest[:40]!r}.")
    return Attribute(column, kind, datetime_format=_strptime(more, lines) if kind == "datetime" else "")


def _categories(text: str, column: str, lines: Lines) -> tuple[str, ...]:
    cells, end = _cells(text[1:], lines)
    if end is None:
        raise lines.error(f"expected }} after the values of column {column!r}.")
    categories = tuple(cell for cell, _ in cells)
    if not categories:
        raise lines.error(f"column {column!r} declares no values.")
    if doubled := repeated(categories):
        raise lines.error(f"column {column!r} declares the value {doubled[0]!r} twice.")
    return categories


def _rows(texts: Iterator[str], attributes: list[Attribute], lines: Lines) -> Rows:
    for text in texts:
        if text[0] == "{":
            yield lines.number, _sparse(text[1:], attributes, lines)
            continue
        if _SIGNS.search(text) is None:
            row = [_value(cell.strip()) for cell in (text.split(",") if "," in text else text.split())]
        else:
            pairs, end = _cells(text, lines)
            if end is not None:
                raise lines.error(f"expected a comma, found {text[end - 1]!r}.")
            row = [cell if is_quoted else _value(cell) for cell, is_quoted in pairs]
        if len(row) != len(attributes):
            raise lines.error(f"expected {len(attributes)} cells, found {len(row)}.")
        yield lines.number, row


def _value(cell: str) -> str | None:
    return None if cell in ("?", "") else cell


def _sparse(text: str, attributes: list[Attribute], lines: Lines) -> Row:
    row = ["0" if each.kind == "number" else next(iter(each.categories), None) for each in attributes]
    at, before = 0, -1
    while (pair := _PAIR.match(text, at)) is not None:
        position = int(pair["position"])
        if not before < position < len(row):
            between = f"between {before + 1} and {len(row) - 1}"
            raise lines.error(f"expected a column {between}, found {position}.")
        if pair["value"] is None:
            raise lines.error(f"expected a value for column {position}.")
        row[position] = _value(pair["plain"]) if pair["plain"] is not None else _text(pair)
        at, before = pair.end(), position
        if pair["comma"] is None:
            break
    if not _END_OF_SPARSE.fullmatch(text, at):
        expected = "'column value' pairs separated by commas and a closing }"
        raise lines.error(f"expected {expected}, found {text[at : at + 40]!r}.")
    return row


def _cells(text: str, lines: Lines) -> tuple[list[tuple[str, bool]], int | None]:
    """Split a line into cells, each with whether it was quoted; also return where a brace ends it, if any."""
    cells: list[tuple[str, bool]] = []
    at, awaits = 0, True
    while (token := _TOKEN.match(text, at)) is not None:  # otherwise only spaces or a comment are left
        at = token.end()
        if token["open"]:
            raise lines.error(f"expected a closing {token['open']} on the same line.")
        if token["sign"] == ",":
            if awaits:
                cells.append(("", False))
            awaits = True
        elif token["sign"]:
            return cells, at
        elif not awaits:
            expected = f"expected a comma before {token[0].strip()[:40]!r}"
            raise lines.error(f"{expected}; quote texts with quotes or spaces in them.")
        else:
            cells.append((_text(token), token["plain"] is None))
            awaits = False
    if awaits and cells:
        cells.append(("", False))
    return cells, None


def _text(token: re.Match[str]) -> str:
    """Return the text of a token, without its quotes and the backslashes in them."""
    if token["plain"] is not None:
        return token["plain"]
    quoted = token["double"] if token["single"] is None else token["single"]
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), quoted)


def _strptime(text: str, lines: Lines) -> str:
    """Translate a Java date format for Python's strptime; empty for ISO 8601 or if no format is given."""
    written = _WORD.match(text)
    java = _ISO if written is None else _text(written)
    if java == _ISO:
        return ""
    fields = []
    for quoted, run, _, other in re.findall(r"'([^']*)'|(([A-Za-z])\3*)|([^A-Za-z']+)", java):
        if run and run not in _JAVA:
            unknown = f"the date format {java!r} has an unknown {run!r} in it"
            raise lines.error(f"{unknown}. Write dates as yyyy-MM-dd.")
        fields.append(_JAVA[run] if run else (quoted + other).replace("%", "%%"))
    return "".join(fields)
