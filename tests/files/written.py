"""Random tables as they stand in files: cells of all kinds, written in many ways."""

import datetime as dt

import numpy as np

from treewright.files import arrow_rows, delimited, text
from treewright.table.read import read

WORDS = [
    "Ulm",
    "北京",
    "上海 市",
    "a,b",
    "c;d",
    'say "so"',
    "two\nlines",
    "none",
    "None",
    "NA",
    "x_1",
    "1_000",
]
WORDS += [
    "0x1F",
    "١٢",
    "no|yes",
    "e5",
    "-",
    "5' 3\"",
    "tab\tbed",
    " spaced ",
    "é",
    "1.2.3",
    "--1",
    "乌黑",
    "_",
    "nil",
]
GAPS = ["", "?", "NA", "nan", "null", "<NA>", "n.a."]


def whole(rng):
    return str(rng.choice([rng.integers(-5, 5), rng.integers(-(10**6), 10**6), 2**53 + 1, -(2**62)]))


def fraction(rng):
    forms = ["{:.3f}", "{:.17g}", "{:e}", "{:+.1f}", "{:.0f}."]
    return forms[rng.integers(len(forms))].format(rng.normal() * 10.0 ** rng.integers(-8, 9))


def moment(rng):
    when = dt.datetime(2000, 1, 1) + dt.timedelta(seconds=int(rng.integers(0, 10**9)))
    return when.isoformat(sep=str(rng.choice([" ", "T"])))


CELLS = {
    "wholes": whole,
    "fractions": fraction,
    "digits": lambda rng: str(rng.integers(0, 4)),
    "words": lambda rng: str(rng.choice(WORDS)),
    "few words": lambda rng: str(rng.choice(WORDS[:3])),
    "truths": lambda rng: str(rng.choice(["true", "FALSE", "True"])),
    "days": lambda rng: str(np.datetime64("2020-02-27") + int(rng.integers(0, 5))),
    "moments": moment,
    "zoned": lambda rng: moment(rng) + str(rng.choice(["Z", "+01:00", "-0530", "+08"])),
    "ends": lambda rng: str(
        rng.choice(["1e400", "-inf", "9223372036854775808", "5e-324", "Infinity", "NAN"])
    ),
    "codes": lambda rng: f"{rng.integers(0, 2000):05}",
    "grouped": lambda rng: f"{rng.integers(-2000, 3 * 10**6):,}",
    "money": lambda rng: f"€ {rng.integers(0, 10**6) / 100:,.2f}",
    "percents": lambda rng: f"{rng.integers(0, 1000) / 10}{rng.choice(['%', ' %'])}",
    "spaced": lambda rng: f"{rng.integers(0, 10**6):,}".replace(",", str(rng.choice([" ", "\u202f"]))),
    "slashed days": lambda rng: f"{rng.integers(1, rng.choice([10, 29]))}/{rng.integers(1, 13)}/2020",
    "dotted days": lambda rng: (
        f"{rng.integers(1, 32):02}.{rng.integers(1, 13):02}.{rng.integers(1990, 2030)}"
    ),
    "gaps": lambda rng: str(rng.choice(GAPS)),
}


def cells(rng, n_rows):
    """Draw a column: mostly of one kind, with gaps, and now and then something else far down."""
    kind = str(rng.choice(list(CELLS)))
    share = rng.choice([0.0, 0.0, 0.2, 0.9])
    drawn = [str(rng.choice(GAPS)) if rng.random() < share else CELLS[kind](rng) for _ in range(n_rows)]
    if rng.random() < 0.3:
        other = str(
            rng.choice(["none", "-", "x", "1.5", "0x1F", " 7 ", "+3", "1e3", "007", "2024-01-01", "true"])
        )
        drawn[int(rng.integers(n_rows // 2, n_rows))] = other
    return drawn


def table(rng):
    n_rows, n_columns = int(rng.integers(1, 30)), int(rng.integers(1, 6))
    return {f"c{at}列": cells(rng, n_rows) for at in range(n_columns)}


def write(rng, columns, delimiter=",", decimal="."):
    """Write a table of texts as CSV: quotes where they must be, and elsewhere at will; any end of lines."""
    always = rng.random() < 0.2
    at_will = rng.random() < 0.3
    end = str(rng.choice(["\n", "\r\n"]))

    def written(cell):
        if decimal == "," and rng.random() < 0.9:
            cell = cell.replace(".", ",")
        must = any(sign in cell for sign in f'{delimiter}"\n\r') or (len(columns) == 1 and not cell.strip())
        if must or always or (at_will and rng.random() < 0.5):
            return '"' + cell.replace('"', '""') + '"'
        return cell

    rows = [list(columns), *map(list, zip(*columns.values(), strict=True))]
    lines = [delimiter.join(map(written, row)) for row in rows]
    if rng.random() < 0.2:
        lines.insert(int(rng.integers(1, len(lines) + 1)), "")
    return end.join(lines) + (end if rng.random() < 0.8 else "")


def kind_and_values(raw):
    """Give a column as plain values, None for a gap, with the name of its kind."""
    if raw.labels is not None:
        return "category", raw.decoded().values.tolist()
    values = raw.values
    missing = np.zeros(len(values), bool) if raw.missing is None else raw.missing.copy()
    kind = {"i": "whole", "f": "number", "b": "boolean", "M": "datetime"}[values.dtype.kind]
    if kind == "number":
        missing |= np.isnan(values)
    if kind == "datetime":
        missing |= np.isnat(values)
        zone = dt.UTC if raw.zone else None
        items = [each and each.replace(tzinfo=zone) for each in values.astype("M8[us]").tolist()]
    else:
        items = values.tolist()
    return kind, [None if gap else item for gap, item in zip(missing.tolist(), items, strict=True)]


def as_values(data):
    read_in = read(data)
    return {n: kind_and_values(raw) for n, raw in zip(read_in.names, read_in.columns, strict=True)}


def use_reader(monkeypatch, name, chunk=None):
    """Read with pyarrow or with the plain reader, in pieces of some size."""
    monkeypatch.setattr(arrow_rows, "is_there", lambda: name == "arrow")
    monkeypatch.setattr(delimited, "WORTH_LOADING", 0)
    if chunk is not None:
        monkeypatch.setattr(text, "CHUNK", chunk)
