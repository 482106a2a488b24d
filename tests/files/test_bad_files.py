"""What cannot be read is refused in one line that says what, where and what to do."""

import gzip
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from files.written import use_reader
from treewright.errors import ColumnError, FileError, ParameterError, TableError, TreewrightError
from treewright.files.reader import read_batches, read_file
from treewright.files.source import HEAD

ARFF = "@relation r\n@attribute a real\n@attribute c {x, 'y z'}\n@data\n1,x\n"
NAMES = "yes, no.\nage: continuous.\nsize: small, large.\n"


def parquet():
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pa.table({"a": np.arange(5000)}), stream)
    return stream.getvalue()


BAD = {
    "an empty file": ("t.csv", "", "is empty"),
    "blank lines": ("t.csv", "\n \n\n", "only blank lines"),
    "a header only": ("t.csv", "a,b\n", "a header and no rows"),
    "a short row": ("t.csv", "a,b\n1,2\n3\n4,5\n", "line 3: expected 2 cells, found 1"),
    "a long row": ("t.csv", 'a,b\n1,"x\ny"\n\n3,4,5\n', "line 5: expected 2 cells, found 3"),
    "bytes that are not text": ("t.csv", b"a,b\n1,\xff\x80\n", r"byte 0xFF at offset 6, .* not text"),
    "latin text": (
        "t.csv",
        "a\nMüller\nJosé\n".encode("cp1252"),
        r"byte 0xFC at offset 3, .*encoding='cp1252'",
    ),
    "bytes that are not text below a mark": ("t.csv", b"\xef\xbb\xbfa,b\n1,\xff\n", r"byte 0xFF at offset 9"),
    "half a UTF-16": ("t.csv", "a,b\n1,2\n".encode("utf-16")[:-1], r"offset \d+, .*utf-16"),
    "a NUL byte": ("t.csv", b"a,b\n1,\x00\n", "NUL byte at offset 6"),
    "UTF-16 without a mark": ("t.csv", "a,b\n1,2\n".encode("utf-16-le"), "NUL byte at offset 1, .*utf-16-le"),
    "doubled names": ("t.csv", "a,b,a\n1,2,3\n", "more than one column named 'a'"),
    "a quote without its twin": (
        "t.csv",
        'a,b\n1,2\n3,"x\n4,5\n',
        "line 3: a quote is opened and not closed",
    ),
    "a stray quote without its twin": ("t.csv", 'a,b\n1,5" x\n3,"x\n4,5\n', "line 3: a quote is opened"),
    "a quote that ends early": ("t.csv", 'a,b\n1,"x"y\n', "line 2: a quote ends before its cell"),
    "half a gzip": ("t.csv.gz", gzip.compress(b"a,b\n1,2\n" * 99)[:-9], "a gzip file that ends too early"),
    "no gzip": ("t.csv.gz", b"\x1f\x8bnonsense", "a damaged gzip file"),
    "damaged Parquet": ("t.parquet", parquet()[:2000] + parquet()[2010:], "damaged or incomplete"),
    "half a Parquet": ("t.parquet", parquet()[:2000], "damaged or incomplete"),
    "no Parquet": ("t.parquet", "a,b\n", "does not begin as a .parquet file does"),
    "half an Arrow file": ("t.arrow", b"ARROW1\x00\x00abc", "damaged or incomplete"),
    "a spreadsheet": ("t.xlsx", b"PK\x03\x04....", "a zip file or a spreadsheet.*CSV, TSV, JSON lines, ARFF"),
    "JSON that is no object": (
        "t.jsonl",
        '{"a": 1}\n[1]\n',
        'line 2: expected a JSON object such as {"age": 31}',
    ),
    "half an object": ("t.jsonl", '{"a": 1}\n{"a": \n', "line 2: expected a JSON object"),
    "a key twice": ("t.jsonl", '{"a": 1, "a": 2}\n', "line 1: the key 'a' occurs twice"),
    "a list in JSON": ("t.jsonl", '{"a": 1}\n{"a": [2]}\n', r"line 2: column 'a' holds \[2\]"),
    "mixed JSON": ("t.jsonl", '{"a": 1}\n{"a": "x"}\n', "line 2: column 'a' mixes kinds of values: 1, 'x'"),
    "JSON without rows": ("t.jsonl", "\n", "no rows"),
    "JSON without columns": ("t.jsonl", "{}\n", "without any columns"),
    "ARFF: an unknown word": (
        "t.arff",
        "@relation r\n@colour a real\n",
        "line 2: expected @relation, @attribute",
    ),
    "ARFF: an unknown type": ("t.arff", "@attribute a rael\n@data\n1\n", "line 1: expected numeric, real"),
    "ARFF: no name": (
        "t.arff",
        "@relation r\n@attribute\n@data\n1\n",
        "line 2: expected the name of a column",
    ),
    "ARFF: no brace": (
        "t.arff",
        "@attribute a {x, y\n@data\nx\n",
        "line 1: expected } after the values of column",
    ),
    "ARFF: no values": ("t.arff", "@attribute a {}\n@data\nx\n", "line 1: column 'a' declares no values"),
    "ARFF: a value twice": ("t.arff", "@attribute a {x,x}\n@data\nx\n", "declares the value 'x' twice"),
    "ARFF: a name twice": (
        "t.arff",
        "@attribute a real\n@attribute a real\n@data\n1,1\n",
        "more than one column",
    ),
    "ARFF: no data": ("t.arff", "@relation r\n@attribute a real\n", "ends before @data"),
    "ARFF: data first": ("t.arff", "@relation r\n@data\n1\n", "line 2: expected @attribute before @data"),
    "ARFF: no rows": ("t.arff", "@relation r\n@attribute a real\n@data\n% none\n", "no rows below @data"),
    "ARFF: a short row": ("t.arff", ARFF + "2\n", "line 6: expected 2 cells, found 1"),
    "ARFF: no number": ("t.arff", ARFF + "two,x\n", "line 6: column 'a' expects a number, found 'two'"),
    "ARFF: not declared": ("t.arff", ARFF + "2,yz\n", "line 6: column 'c' holds 'yz', which is not among"),
    "ARFF: an open quote": ("t.arff", ARFF + "2,'y z\n", "line 6: expected a closing '"),
    "ARFF: two texts": ("t.arff", ARFF + "2,'y' 'z'\n", "line 6: expected a comma before"),
    "ARFF: a weight": ("t.arff", ARFF + "2,x,{5}\n", "line 6: expected a comma, found '{'"),
    "ARFF: a sparse place": (
        "t.arff",
        ARFF + "{0 1, 7 x}\n",
        "line 6: expected a column between 1 and 1, found 7",
    ),
    "ARFF: a sparse pair": ("t.arff", ARFF + "{0 1, x}\n", "line 6: expected 'column value' pairs"),
    "ARFF: a sparse end": ("t.arff", ARFF + "{0 1\n", "line 6: expected 'column value' pairs"),
    "ARFF: a sparse value": ("t.arff", ARFF + "{0 ,}\n", "line 6: expected a value for column 0"),
    "ARFF: a strange date": ("t.arff", "@attribute d date 'QQ'\n@data\n1\n", "line 1: the date format 'QQ'"),
    "ARFF: no date": ("t.arff", "@attribute d date\n@data\nMonday\n", "line 3: column 'd' expects a date"),
}
BAD_NAMES = {
    "no colon": ("yes, no.\nage continuous.\n", "line 2: expected a colon after the column's name 'age cont"),
    "a colon too many": (
        "yes, no.\nage: young: old.\n",
        "line 2: expected a comma or a period after 'young'",
    ),
    "no columns": ("yes, no.\n| nothing\n", "declares classes and no columns"),
    "no classes": (", no.\nage: continuous.\n", "line 1: expected a class"),
    "no kind": ("yes, no.\n\nage: .\n", "line 3: expected continuous, discrete, ignore or the values"),
    "nothing after the colon": ("yes, no.\nage:", "ends where continuous, discrete, ignore"),
    "discrete without a number": ("yes, no.\nage: discrete.\n", "line 2: expected a number after 'discrete'"),
    "a value twice": ("yes, no.\nage: a, b, a.\n", "line 2: 'a' is declared twice"),
    "a name twice": ("yes, no.\nage: a.\nage: b.\n", "more than one column named 'age'"),
    "a formula of C5.0's": ("yes, no.\nage := size * 2.\n", "line 2: column 'age' is defined by a formula"),
}
BAD_ROWS = {
    "a short row": ("31,small,yes\n\n31,small\n", "line 3: expected 3 values, found 2"),
    "an unknown value": ("31,smal,yes\n", "line 1: column 'size' holds 'smal'.* Did you mean 'small'"),
    "an unknown class": ("31,small,maybe\n", "line 1: column 'class' holds 'maybe'"),
    "no number": ("young,small,yes\n", "line 1: column 'age' expects a number, found 'young'"),
    "no rows": ("| nothing\n", "holds no rows"),
}


@pytest.fixture(params=["arrow", "plain"])
def reader(request, monkeypatch):
    use_reader(monkeypatch, request.param)
    return request.param


def refused(path, says, **told):
    for read in (read_file, lambda *args, **more: list(read_batches(*args, **more))):
        with pytest.raises(TreewrightError, match=says) as caught:
            read(path, **told)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 400
    return caught.value


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_in_one_line(case, tmp_path, reader):
    name, content, says = BAD[case]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    error = refused(path, says)
    assert isinstance(error, TableError | ColumnError)
    assert name in str(error)


@pytest.mark.parametrize("case", BAD_NAMES)
def test_bad_names_are_refused_with_their_line(case, tmp_path):
    content, says = BAD_NAMES[case]
    (tmp_path / "t.names").write_text(content)
    (tmp_path / "t.data").write_text("1,yes\n")
    refused(tmp_path / "t.data", says)


@pytest.mark.parametrize("case", BAD_ROWS)
def test_bad_rows_of_c45_are_refused_with_their_line(case, tmp_path):
    content, says = BAD_ROWS[case]
    (tmp_path / "t.names").write_text(NAMES)
    (tmp_path / "t.data").write_text(content)
    refused(tmp_path / "t", says)


def test_names_without_rows_are_refused(tmp_path):
    (tmp_path / "t.names").write_text(NAMES)
    refused(tmp_path / "t.names", "has no t.data beside it")
    (tmp_path / "u.csv").write_text("a\n1\n")
    with pytest.raises(ParameterError, match=r"no \.names file beside"):
        read_file(tmp_path / "u.csv", format="c45")
    with pytest.raises(ParameterError, match="cannot come from standard input"):
        read_file("-", format="c45")


def test_a_file_that_is_not_there_is_refused_with_the_nearest_name(tmp_path):
    (tmp_path / "golf.csv").write_text("a\n1\n")
    refused(tmp_path / "glof.csv", r"does not exist. Did you mean 'golf.csv'\?")
    refused(tmp_path / "nowhere" / "golf.csv", "there is no folder")
    refused(tmp_path, "is a folder")


def test_a_row_far_down_is_refused_with_its_line(tmp_path, reader, monkeypatch):
    use_reader(monkeypatch, reader, 1 << 14)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + '1,"x\ny"\n' * 40_000 + "1\n")
    assert path.stat().st_size > HEAD
    refused(path, "line 80,002: expected 2 cells, found 1")
    path.write_bytes(b"a,b\n" + b"1,x\n" * 90_000 + b"1,\xff\xff\n")
    refused(path, "byte 0xFF at offset 360,006")
    path.write_text("a,b\n" + "1,x\n" * 90_000 + '1,"x\n')
    refused(path, "line 90,002: a quote is opened and not closed before the file ends")


def test_a_quote_that_is_never_closed_does_not_fill_the_memory(tmp_path, reader, monkeypatch):
    from treewright.files import rows

    use_reader(monkeypatch, reader, 1 << 10)
    monkeypatch.setattr(rows, "_LONGEST_ROW", 1 << 16)
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,"' + "x\n" * 200_000)
    refused(path, "line 2: a quote is opened and not closed within")


def test_options_that_a_format_has_no_use_for_are_refused(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text(ARFF)
    with pytest.raises(ParameterError, match="delimiter is for CSV and TSV, and this is ARFF"):
        read_file(path, delimiter=";")
    (tmp_path / "t.parquet").write_bytes(parquet())
    with pytest.raises(ParameterError, match=r"encoding is for .*, and this is Parquet"):
        read_file(tmp_path / "t.parquet", encoding="utf-8")


def test_columns_that_are_not_there_are_refused_with_the_nearest_name(tmp_path, reader):
    path = tmp_path / "t.csv"
    path.write_text("age,income\n1,2\n")
    for told in ({"columns": ["agee"]}, {"kinds": {"agee": "number"}}):
        with pytest.raises(ColumnError, match=r"column 'agee' is not in the table. Did you mean 'age'\?"):
            read_file(path, **told)


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("number", "'x' in row 1, which is not a number"),
        ("boolean", "which is not true or false"),
        ("datetime", "which is not a date or time in a known format"),
    ],
)
def test_a_cell_that_is_not_of_the_kind_told_is_refused(tmp_path, reader, kind, says):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\nx,3\n")
    with pytest.raises(ColumnError, match=says):
        read_file(path, kinds={"a": kind})


def test_texts_below_numbers_are_refused_in_batches(tmp_path, reader, monkeypatch):
    use_reader(monkeypatch, reader, 1 << 10)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,true\n" * 9000 + "x,true\n")
    with pytest.raises(ColumnError, match="column 'a' holds 'x' in row 9000, which is not a number"):
        list(read_batches(path))
    path.write_text("a,b\n" + "1,true\n" * 9000 + "1,maybe\n")
    with pytest.raises(ColumnError, match="column 'b' holds 'maybe' in row 9000, which is not true or false"):
        list(read_batches(path))


def test_chinese_far_down_is_told_to_be_so_in_batches(tmp_path, reader, monkeypatch):
    use_reader(monkeypatch, reader, 1 << 14)
    path = tmp_path / "t.csv"
    path.write_bytes(("n,town\n" + "1,Ulm\n" * 60_000 + "2,北京\n").encode("gb18030"))
    with pytest.raises(FileError, match=r"not text in UTF-8\. If it is text, .* encoding='gb18030'"):
        list(read_batches(path))
    assert sum(batch.n_rows for batch in read_batches(path, encoding="gb18030")) == 60_001


def test_half_a_file_gives_nothing(tmp_path, reader):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 200_000)[:-20])
    with pytest.raises(FileError, match="ends too early"):
        read_file(path)
