"""Tables that are written come back as they were, from every format, in one piece or in several."""

import csv
import io
import json

import numpy as np
import pytest

from treewright.errors import FileError, MissingPackageError, ParameterError
from treewright.files.reader import read_file
from treewright.files.writer import format_of_name, writer_of
from treewright.table.read import Raw, Table, read

TEXTS = ["plain", "a, b", 'he said "no"', "two\nlines", "a\tb", " spaces ", "中文", None]
MOMENTS = np.array(["2024-02-29T12:30:00", "1999-12-31T23:59:59", "NaT"], dtype="M8[us]")


def several():
    """A table of every kind of column, with gaps."""
    n_rows = len(TEXTS)
    return Table(
        ("text", "whole", "fraction", "truth", "moment", "many, of them"),
        [
            Raw(np.array([*range(n_rows - 1), -1], dtype=np.int32), labels=TEXTS[:-1]),
            Raw(np.arange(n_rows) * 7 - 3, np.arange(n_rows) == 2),
            Raw(np.where(np.arange(n_rows) == 3, np.nan, np.arange(n_rows) / 7)),
            Raw(np.arange(n_rows) % 2 == 0, np.arange(n_rows) == 4),
            Raw(MOMENTS[np.arange(n_rows) % 3], zone="UTC"),
            Raw(np.tile([0.1, 1e300], n_rows // 2)),
        ],
        n_rows,
    )


def written(format, *tables):
    stream = io.BytesIO()
    writer = writer_of(format, stream)
    for table in tables:
        writer.write(table)
    writer.close()
    return stream.getvalue()


def as_lists(table):
    """Give the values of a table as plain ones, None for a gap."""
    found = {}
    for name, raw in zip(table.names, table.columns, strict=True):
        values = raw.decoded().values.tolist()
        gaps = np.zeros(len(values), dtype=bool) if raw.missing is None else raw.missing
        found[name] = [
            None if gap or value is None or value != value else value  # noqa: PLR0124 - NaN
            for value, gap in zip(values, gaps.tolist(), strict=True)
        ]
    return found


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "arrow"])
def test_a_table_comes_back(suffix, tmp_path):
    table = several()
    path = tmp_path / f"table.{suffix}"
    path.write_bytes(written(format_of_name(str(path)), table, table.take(np.array([1, 0]))))
    again = read_file(path, kinds={"text": "text"} if suffix in ("csv", "tsv") else None)
    expected, found = as_lists(table), as_lists(again)
    for name, values in expected.items():
        wanted = [*values, values[1], values[0]]
        if name == "text" and suffix in ("csv", "tsv"):  # where cells lose their spaces, and a gap is empty
            wanted = [(each or "").strip() for each in wanted]
        assert found[name] == wanted, name
    assert again.columns[4].zone == "UTC"


def test_what_is_written_as_csv_is_what_a_plain_reader_expects():
    rows = list(csv.reader(io.StringIO(written("csv", several()).decode(), newline="")))
    assert rows[0] == list(several().names)
    assert [row[0] for row in rows[1:]] == [each or "" for each in TEXTS]
    assert [row[1] for row in rows[1:4]] == ["-3", "4", ""]
    assert float(rows[2][2]) == 1 / 7
    assert [row[3] for row in rows[1:6]] == ["true", "false", "true", "false", ""]


def test_json_lines_hold_plain_values():
    objects = [json.loads(line) for line in written("json", several()).splitlines()]
    assert [each["text"] for each in objects] == TEXTS
    assert objects[2]["whole"] is None
    assert objects[0]["truth"] is True
    assert objects[0]["moment"] == "2024-02-29T12:30:00.000000Z"


def test_a_gap_in_the_only_column_of_a_csv_is_still_a_row(tmp_path):
    path = tmp_path / "one.csv"
    path.write_bytes(written("csv", read({"y": ["a", None, "b"]})))
    assert path.read_text() == 'y\na\n""\nb\n'
    assert read_file(path).n_rows == 3


def test_columns_that_change_their_type_are_refused_where_that_matters():
    whole, fraction = read({"x": np.array([1, 2])}), read({"x": np.array([0.5])})
    assert written("csv", whole, fraction) == b"x\n1\n2\n0.5\n"
    with pytest.raises(FileError, match="'x' held int64 in the first rows and double later"):
        written("parquet", whole, fraction)
    assert len(written("parquet", fraction, whole)) > 0


def test_a_name_that_says_nothing_is_refused():
    with pytest.raises(ParameterError, match=r"name of answers.xls does not end in a format to write"):
        format_of_name("answers.xls")


def test_parquet_needs_pyarrow(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'treewright\[files\]'"):
        writer_of("parquet", io.BytesIO())


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =cmd|' /C calc'!A0", "a=1", "", "plain", "'=1"]


def test_texts_that_look_like_formulas_are_written_as_they_are_unless_a_spreadsheet_reads_them():
    names = {"=name": FORMULAS, "n": np.arange(-5.0, 6.0), "b": [True, False] * 5 + [True]}
    for format, delimiter in (("csv", ","), ("tsv", "\t")):
        plain, shielded = io.BytesIO(), io.BytesIO()
        writer_of(format, plain).write(read(names))
        writer_of(format, shielded, for_spreadsheets=True).write(read(names))
        rows, shown = (
            list(csv.reader(io.StringIO(each.getvalue().decode(), newline=""), delimiter=delimiter))
            for each in (plain, shielded)
        )
        assert [row[0] for row in rows] == ["=name", *FORMULAS]
        assert [row[0] for row in shown] == ["'=name", *(f"'{each}" for each in FORMULAS[:7]), *FORMULAS[7:]]
        assert [row[1:] for row in rows] == [row[1:] for row in shown], "numbers are no formulas"
