"""Delimiter, header, decimal sign and encoding are found out, and can be told."""

import numpy as np
import pytest

from files.written import as_values, use_reader
from treewright.errors import ParameterError
from treewright.files.reader import read_file

ROWS = [["name", "size", "born"], ["Ulm", "1.5", "1805"], ["北京", "21.5", "1045"], ["Bonn", "0.25", "-1"]]
EXPECTED = {
    "name": ("category", ["Ulm", "北京", "Bonn"]),
    "size": ("number", [1.5, 21.5, 0.25]),
    "born": ("whole", [1805, 1045, -1]),
}


@pytest.fixture(params=["arrow", "plain"], autouse=True)
def reader(request, monkeypatch):
    use_reader(monkeypatch, request.param)


@pytest.fixture
def put(tmp_path):
    def write(content, name="table.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("delimiter", "decimal"), [(",", "."), (";", ","), (";", "."), ("\t", ","), ("|", ".")]
)
def test_a_table_is_read_without_being_told_anything(put, delimiter, decimal, end, encoding):
    text = end.join(delimiter.join(row).replace(".", decimal) for row in ROWS) + end
    assert as_values(read_file(put(text, encoding=encoding))) == EXPECTED


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1,2\n3,4\n", ("x0", "x1")),
        ("a,b\n3,4\n", ("a", "b")),
        ("a,2019\nb,4\n", ("x0", "x1")),
        ("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n", ("x0", "x1", "x2")),
        ("p,x,s\ne,x,y\np,b,s\ne,x,s\n", ("x0", "x1", "x2")),
        ("colour,shape\nred,round\nblue,flat\n", ("colour", "shape")),
        (",age\n0,31\n1,52\n", ("x0", "age")),
        ("39, State-gov, 77516\n50, ?, 83311\n", ("x0", "x1", "x2")),
        ("day,ok\n2024-01-01,true\n", ("day", "ok")),
        ("2024-01-01,true\n2024-01-02,false\n", ("x0", "x1")),
        ("town\nUlm\nBonn\n", ("town",)),
        ("12\n13\n", ("x0",)),
        ("\n\na,b\n\n1,2\n", ("a", "b")),
        ('"a ""b""","c\nd"\n1,2\n', ('a "b"', "c\nd")),
    ],
)
def test_the_first_row_is_taken_for_names_or_for_values(put, text, names):
    table = read_file(put(text))
    assert table.names == names
    assert table.has_names == (names[-1] != f"x{len(names) - 1}")


def test_what_is_told_counts_more_than_what_is_found(put):
    path = put("2019;2020\n1,5;2\n")
    assert as_values(read_file(path, header=True)) == {"2019": ("number", [1.5]), "2020": ("whole", [2])}
    assert read_file(path, header=False).n_rows == 2
    assert read_file(path, header=True, decimal=".").columns[0].labels == ["1,5"]
    assert read_file(put("a;b,c\n1;2,3\n"), delimiter=",").names == ("a;b", "c")
    assert read_file(put("name\nM\xfcller\n", encoding="cp1252"), encoding="cp1252").columns[0].labels == [
        "Müller"
    ]


def test_a_header_longer_than_what_is_looked_at_first_is_read_whole(put):
    names = [f"a rather long name of column {at}" for at in range(12_000)]
    table = read_file(put(",".join(names) + "\n" + ("1," * 12_000)[:-1] + "\n"))
    assert table.names == tuple(names)
    assert table.n_rows == 1


def test_a_mark_is_no_part_of_a_name(put):
    for encoding in ("utf-8", "utf-16-le", "gb18030"):
        path = put("\ufeffa,b\n1,2\n", encoding=encoding)
        assert read_file(path, encoding=encoding).names == ("a", "b")


def test_the_name_tells_a_tsv_by_itself(put):
    assert as_values(read_file(put("a,b\n1,2\n", "t.tsv"))) == {"a,b": ("number", [1.2])}
    assert read_file(put("a\tb;c\n1\t2\n", "t.txt")).names == ("a", "b;c")


def test_quotes_keep_what_they_hold(put):
    text = 'n,text\n1,"comma, semi; and ""quotes"""\n2,"two\r\nlines"\n3, "after a space"\n4,5" nail\n'
    labels = ['comma, semi; and "quotes"', "two\r\nlines", "after a space", '5" nail']
    assert read_file(put(text)).columns[1].labels == labels


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1", "2", ""], "whole", [1, 2, None]),
        (["1", "2.0", "NA"], "number", [1.0, 2.0, None]),
        (["1", "-", "none"], "whole", [1, None, None]),
        (["soft", "-", "none"], "category", ["soft", "-", "none"]),
        (["a", "NA", "None"], "category", ["a", None, "None"]),
        (["true", "False", "?"], "boolean", [True, False, None]),
        (["yes", "no", "no"], "category", ["yes", "no", "no"]),
        (["2024-02-30", "2024-01-01", ""], "category", ["2024-02-30", "2024-01-01", None]),
        (["1_000", "2", ""], "category", ["1_000", "2", None]),
        (["0x10", "2", ""], "category", ["0x10", "2", None]),
        (["?", "N/A", "null"], "number", [None, None, None]),
    ],
)
def test_a_column_is_what_all_its_cells_are(put, cells, kind, values):
    path = put("x,y\n" + "".join(f"{cell},0\n" for cell in cells))
    assert as_values(read_file(path, header=True))["x"] == (kind, values)


def test_datetimes_keep_their_zone_and_their_parts_of_seconds(put):
    path = put("t,u\n2024-01-01T12:00:00+08:00,2024-01-01 12:00:00.123456789\n2024-01-01T04:00Z,\n")
    zoned, exact = read_file(path).columns
    assert zoned.zone == "UTC"
    assert zoned.values[0] == zoned.values[1] == np.datetime64("2024-01-01T04:00")
    assert exact.values[0] == np.datetime64("2024-01-01T12:00:00.123456789")
    assert np.isnat(exact.values[1])


def test_a_list_of_missing_texts_of_ones_own_is_all_there_is(put):
    path = put("x,y\n-9,NA\n5,none\n?,\n")
    assert as_values(read_file(path, na=["?", "-9"])) == {
        "x": ("whole", [None, 5, None]),
        "y": ("category", ["NA", "none", None]),
    }
    assert as_values(read_file(path, na=[]))["x"] == ("category", ["-9", "5", "?"])


def test_kinds_that_are_told_count(put):
    path = put("zip,flag,n\n01234, true,7\n 1234,FALSE,?\n")
    assert read_file(path, kinds={"n": "text"}).columns[2].labels == ["7", "?"]
    table = read_file(path, kinds={"zip": "category", "flag": "category"})
    assert as_values(table)["zip"] == ("category", ["01234", "1234"])
    assert as_values(table)["flag"] == ("category", ["true", "FALSE"])
    assert read_file(path, kinds={"zip": "text"}).columns[0].labels == ["01234", "1234"]
    assert as_values(read_file(path, columns=["n", "zip"], kinds={"zip": "number"})) == {
        "zip": ("whole", [1234, 1234]),
        "n": ("whole", [7, None]),
    }


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"delimiter": "::"}, "delimiter='::' cannot separate cells"),
        ({"decimal": "'"}, 'decimal="\'" is not'),
        ({"delimiter": ",", "decimal": ","}, "both ','"),
        ({"encoding": "utf8000"}, "encoding='utf8000' is not known"),
        ({"kinds": {"a": "categorial"}}, "cannot be read as 'categorial'. Did you mean 'category'"),
        ({"na": "NA"}, "na='NA' is one text"),
        ({"columns": "a"}, "columns='a' is one text"),
        ({"format": "cvs"}, "format='cvs' is not known.* Did you mean 'csv'"),
    ],
)
def test_what_cannot_be_told_is_refused(put, told, says):
    with pytest.raises(ParameterError, match=says):
        read_file(put("a,b\n1,2\n"), **told)
