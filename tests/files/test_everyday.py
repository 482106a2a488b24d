"""Numbers and dates in everyday dress are read where a whole column agrees; what reads two ways is told."""

import json

import numpy as np
import pytest

from files.written import as_values, kind_and_values, use_reader
from treewright.errors import ColumnError, ParameterError
from treewright.files.reader import read_batches, read_file


@pytest.fixture(params=["arrow", "plain"], autouse=True)
def reader(request, monkeypatch):
    use_reader(monkeypatch, request.param)


@pytest.fixture
def column(tmp_path):
    """Read a column of a file whose cells are quoted; a semicolon tells nothing of decimal signs."""

    def read_in(cells, delimiter=";", **told):
        path = tmp_path / "t.csv"
        path.write_text(f'x{delimiter}"y"\n' + "".join(f'"{each}"{delimiter}a\n' for each in cells), "utf-8")
        return read_file(path, header=True, **told).columns[0]

    return read_in


def days(raw):
    return np.datetime_as_string(raw.values, "D").tolist()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("cells", "values", "notation"),
    [
        (["69,322.77", "5.00", "-1,200.10"], [69322.77, 5.0, -1200.1], "1,234.5"),
        (["1.200,50", "13", "0,5"], [1200.5, 13.0, 0.5], "1.234,5"),
        (["1 200,5", "12", "13\u202f000,0"], [1200.5, 12.0, 13000.0], "1 234,5"),
        (["1'200.5", "3.25", "7"], [1200.5, 3.25, 7.0], "1'234.5"),
        (["1,200,300", "5", "12,000"], [1200300, 5, 12000], "1,234.5"),
        (["76.4%", "8 %", "-0.5%"], [76.4, 8.0, -0.5], "1234.5 %"),
        (["€ 1.200,50", "€3", "-€ 7,25"], [1200.5, 3.0, -7.25], "1.234,5 €"),
        (["$69,322.77", "$5", "$-1"], [69322.77, 5.0, -1.0], "1,234.5 $"),
        (["1.200,50 EUR", "3,00 EUR", "9 EUR"], [1200.5, 3.0, 9.0], "1.234,5 EUR"),
    ],
)
def test_a_column_of_dressed_numbers_is_numbers(column, cells, values, notation, delimiter):
    raw = column([*cells, "n.a.", "-"], delimiter)
    kind = "whole" if isinstance(values[0], int) else "number"
    assert kind_and_values(raw) == (kind, [*values, None, None])
    assert raw.notation == notation
    assert f"is read as {raw.values[cells.index(max(cells, key=len))]}" in raw.note


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["06/06/2020", "31/01/2020"], ["2020-06-06", "2020-01-31"]),
        (["06/06/2020", "1/31/2020"], ["2020-06-06", "2020-01-31"]),
        (["06/06/2020", "05/05/2020"], ["2020-06-06", "2020-05-05"]),
        (["06.07.2020", "7.6.2020"], ["2020-07-06", "2020-06-07"]),
        (["2020/07/06", "2020/6/7"], ["2020-07-06", "2020-06-07"]),
        (["31-01-2020", "06-07-2020"], ["2020-01-31", "2020-07-06"]),
        (["2020年7月6日", "2020年12月31日"], ["2020-07-06", "2020-12-31"]),
    ],
)
def test_a_column_of_dressed_dates_is_datetimes(column, cells, found):
    raw = column([*cells, "n.a."])
    assert days(raw) == [*found, "NaT"]
    assert "is read as 2020-" in raw.note


def test_times_of_day_are_read_too(column):
    raw = column(["31/01/2020 13:05", "01/02/2020 00:00"])
    assert raw.values.astype("M8[m]").astype(str).tolist() == ["2020-01-31T13:05", "2020-02-01T00:00"]
    raw = column(["1/31/2020 1:05:30 PM", "2/1/2020 12:00:00 AM"])
    assert raw.values.astype("M8[s]").astype(str).tolist() == ["2020-01-31T13:05:30", "2020-02-01T00:00:00"]


@pytest.mark.parametrize(
    "cells",
    [
        ["76.4%", "80"],
        ["€5", "$5"],
        ["1,200.5", "1.200,5"],
        ["12,34,567", "5"],
        ["0,123,456", "5"],
        ["31/01/2020", "01/31/2020"],
        ["30/02/2020", "01/01/2020"],
        ["06/06/2020", "06.06.2020"],
        ["1/2/3", "4/5/6"],
        ["06/06/20", "07/06/20"],
        ["69,322.77", "about 5"],
        ["13:00 PM", "1:00 AM"],
        ["1.2.3", "2.0.1"],
    ],
)
def test_cells_that_do_not_agree_stay_categories_without_a_word(column, cells):
    raw = column(cells)
    assert kind_and_values(raw) == ("category", cells)
    assert raw.note == ""


@pytest.mark.parametrize(
    ("cells", "note"),
    [
        (["=1", " =1", "\t=1", "x"], "'=1' and ' =1' are one category: spaces around a cell do not count"),
        (["yes ", "no", "yes"], "'yes ' and 'yes' are one category: spaces around a cell do not count"),
        (["yes", " no", " yes", "", " "], "'yes' and ' yes' are one category"),
        (["yes", " no", "", " ", "?", " ?"], ""),
        (["1.200 ", "1.200", "x"], "'1.200 ' and '1.200' are one category"),
    ],
)
def test_texts_that_are_one_category_without_their_spaces_are_noted(column, cells, note):
    raw = column(cells)
    assert raw.note.startswith(note)
    assert bool(raw.note) == bool(note)
    kept = dict.fromkeys(cell.strip() for cell in cells if cell.strip() not in ("", "?"))
    assert set(raw.labels) == set(kept)


@pytest.mark.parametrize(
    ("cells", "note", "told", "values"),
    [
        (
            ["06/06/2020", "06/07/2020"],
            "'06/07/2020' is 2020-07-06 (--date-format '%d/%m/%Y') or 2020-06-07 (--date-format '%m/%d/%Y')",
            [{"date_formats": ["%d/%m/%Y"]}, {"date_formats": ["%m/%d/%Y"]}],
            [["2020-06-06", "2020-07-06"], ["2020-06-06", "2020-06-07"]],
        ),
        (
            ["950", "1.200"],
            "'1.200' is 1.2 (--decimal .) or 1200 (--thousands .)",
            [{"decimal": "."}, {"thousands": "."}, {"decimal": ","}],
            [[950.0, 1.2], [950, 1200], [950, 1200]],
        ),
        (
            ["1,200", "2,300"],
            "'1,200' is 1.2 (--decimal ,) or 1200 (--thousands ,)",
            [{"decimal": ","}, {"thousands": ","}, {"decimal": "."}],
            [[1.2, 2.3], [1200, 2300], [1200, 2300]],
        ),
        (
            ["€ 1.200", "€ 950"],
            "'€ 1.200' is 1.2 (--decimal .) or 1200 (--thousands .)",
            [{"decimal": "."}, {"thousands": "."}],
            [[1.2, 950.0], [1200, 950]],
        ),
    ],
)
def test_what_reads_two_ways_stays_a_category_until_an_option_decides(column, cells, note, told, values):
    raw = column(cells)
    assert kind_and_values(raw) == ("category", cells)
    assert raw.note == f"{note}; it stays a category"
    kind = "datetime" if "date" in note else "number"
    with pytest.raises(ColumnError, match=f"column 'x' cannot be read as a {kind}: '") as error:
        column(cells, kinds={"x": kind})
    assert note in str(error.value)
    for options, expected in zip(told, values, strict=True):
        for kinds in ({}, {"x": kind}):
            raw = column(cells, **options, kinds=kinds)
            assert (days(raw) if kind == "datetime" else raw.values.tolist()) == expected


def test_what_reads_two_ways_far_down_is_seen(column):
    raw = column(["950"] * 30_000 + ["1.200"])
    assert raw.labels == ["950", "1.200"]
    assert raw.note == "'1.200' is 1.2 (--decimal .) or 1200 (--thousands .); it stays a category"
    assert column(["950"] * 30_000 + ["1.200", "0.5"]).values[-2:].tolist() == [1.2, 0.5]
    assert column(["950"] * 30_000 + ["1.200", "1.200.300"]).values[-2:].tolist() == [1200, 1200300]


def test_other_numbers_of_the_file_tell_the_decimal_sign(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b\n1.200;0.5\n2.300;12.25\n")
    assert as_values(read_file(path))["a"] == ("number", [1.2, 2.3])
    path.write_text("a;b\n1.200;0,5\n2.300;12,25\n")
    assert as_values(read_file(path))["a"] == ("whole", [1200, 2300])
    path.write_text("a,b\n1.200,x\n2.300,y\n")  # a comma between cells: a point in numbers
    assert as_values(read_file(path))["a"] == ("number", [1.2, 2.3])
    path.write_text('a,b\n"1,200",x\n"2,300",y\n')
    assert as_values(read_file(path))["a"] == ("whole", [1200, 2300])


def test_a_sign_for_thousands_decides_and_forbids_nothing(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b;c\n1.200;69,322.77;0.5\n2.300;1.00;12.25\n")
    values = as_values(read_file(path, thousands="."))
    assert values == {
        "a": ("whole", [1200, 2300]),
        "b": ("number", [69322.77, 1.0]),
        "c": ("number", [0.5, 12.25]),
    }


def test_codes_with_zeros_in_front_stay_text_however_far_down(column):
    raw = column(["01234", "90210", "00501"])
    assert raw.labels == ["01234", "90210", "00501"]
    assert raw.note == "'00501' has zeros in front, so it stays text; --kind NAME=numeric reads numbers"
    assert column(["01234", "90210"], kinds={"x": "number"}).values.tolist() == [1234, 90210]
    assert column(["0", "10", "200"]).values.tolist() == [0, 10, 200]
    assert column(["007", "1.5"]).values.tolist() == [7.0, 1.5]
    assert column(["-07", "12"]).values.tolist() == [-7, 12]
    far = ["7"] * 30_000
    assert column([*far, "007"]).labels == ["7", "007"]
    assert column([*far, "007", "1.5"]).values[-2:].tolist() == [7.0, 1.5]


@pytest.mark.parametrize("delimiter", [",", ";", "|", "\t"])
@pytest.mark.parametrize("chunk", [40, 1 << 22])
@pytest.mark.parametrize(
    "rows", ["7,a\n007,b\n", "7,a\n 007 ,b\n", "7,a\n007,b", '7,a\n"007",b\n', "007,a\n7,b\n"]
)
def test_zeros_in_front_are_seen_wherever_they_stand(tmp_path, rows, chunk, delimiter, request, monkeypatch):
    use_reader(monkeypatch, request.node.callspec.params["reader"], chunk)
    path = tmp_path / "t.csv"
    path.write_text(("x,y\n" + "8,c\n" * 20 + rows).replace(",", delimiter))
    assert set(read_file(path, delimiter=delimiter).columns[0].labels) == {"8", "7", "007"}


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_zeros_in_front_are_seen_in_the_last_cell_too(tmp_path, end):
    path = tmp_path / "t.csv"
    path.write_text("y,x\n" + "c,8\n" * 20 + "c,07" + end, newline="")
    assert read_file(path).columns[1].labels == ["8", "07"]


def test_percentages_can_be_read_as_fractions(column):
    raw = column(["76.4%", "8 %"], percent="fraction")
    assert (raw.values.tolist(), raw.note) == ([0.764, 0.08], "'76.4%' is read as 0.764")
    raw = column(["5%"], kinds={"x": "number"}, notations={"x": raw.notation})
    assert raw.values.tolist() == [0.05]


def test_a_format_of_dates_that_is_told_comes_first(column):
    assert days(column(["6.7.20", "7.7.20"], date_formats=["%d.%m.%y"])) == ["2020-07-06", "2020-07-07"]
    assert days(column(["6 Jul 2020"], date_formats=["%Y", "%d %b %Y"])) == ["2020-07-06"]
    assert days(column(["20200706", "20200707"], date_formats=["%Y%m%d"])) == ["2020-07-06", "2020-07-07"]
    assert column(["5", "6"], date_formats=["%d.%m.%y"]).values.tolist() == [5, 6]


def test_more_missing_texts_come_besides_the_usual_ones(column):
    assert kind_and_values(column(["5", "unknown", "NA"], missing=["unknown"])) == ("whole", [5, None, None])
    assert kind_and_values(column(["red", "n.a.", "N.A.", "unknown"]))[1] == ["red", None, None, "unknown"]
    assert kind_and_values(column(["5", "x", "NA"], na=["x"], missing=["NA"])) == ("whole", [5, None, None])


@pytest.mark.parametrize(
    ("cells", "kind", "says"),
    [
        (["76.4%", "about 80", "3%"], "number", "'about 80' in row 1, which is not a number"),
        (["76.4%", "3%", "80"], "number", "'80' in row 2, which is not written as '76.4%' is"),
        (["31/01/2020", "30/02/2020"], "datetime", "'30/02/2020' in row 1, which is not a date"),
        (["31/01/2020", "01/31/2020"], "datetime", "'01/31/2020' in row 1, which is not written as '31/01"),
    ],
)
def test_a_kind_that_is_told_does_it_or_names_the_cell_in_the_way(column, cells, kind, says):
    with pytest.raises(ColumnError, match=says):
        column(cells, kinds={"x": kind})


@pytest.mark.parametrize(
    ("notation", "cells", "values"),
    [
        ("1.234,5 €", ["1.200", "950"], [1200, 950]),
        ("1.234,5 €", ["1.5", "2.25"], [1.5, 2.25]),
        ("1234.5", ["1.200"], [1.2]),
        ("", ["1.200"], [1.2]),
        ("1234.5 %", ["5", "7"], [5, 7]),
    ],
)
def test_new_rows_are_read_in_the_notation_of_a_model(column, notation, cells, values):
    raw = column(cells, kinds={"x": "number"}, notations={"x": notation})
    assert raw.values.tolist() == values


def test_new_rows_in_another_unit_are_refused(column):
    with pytest.raises(ColumnError, match="'5 €' in row 0, which is not a number"):
        column(["5 €"], kinds={"x": "number"}, notations={"x": "1234.5 %"})


def test_the_dates_of_new_rows_follow_those_of_the_model(column):
    for notation, day in (("%d/%m/%Y", "2020-07-06"), ("%m/%d/%Y", "2020-06-07")):
        raw = column(["06/07/2020"], kinds={"x": "datetime"}, notations={"x": notation})
        assert days(raw) == [day]
    assert days(column(["2020-07-06"], kinds={"x": "datetime"}, notations={"x": "%d/%m/%Y"})) == [
        "2020-07-06"
    ]


def test_batches_read_as_the_first_one_does_and_refuse_what_is_written_otherwise(
    tmp_path, request, monkeypatch
):
    use_reader(monkeypatch, request.node.callspec.params["reader"], 64)
    path = tmp_path / "t.csv"
    path.write_text("x;y\n" + "31/12/2020;1,5\n" * 20 + "06/07/2020;7\n" * 20 + "06/07/2020;1.200\n" * 20)
    pieces = list(read_batches(path))
    assert len(pieces) > 10
    assert days(pieces[-1].columns[0])[-1] == "2020-07-06"
    assert [piece.columns[1].values[-1] for piece in pieces[:1] + pieces[-1:]] == [1.5, 1200]
    line = "{:15}\n".format
    path.write_text(line("x;y") + line("1.234,5;a") * 19 + line("0.5;a") * 20)  # in its own chunk
    with pytest.raises(ColumnError, match=r"'x' is written as 1.234,5 up to row \d+, and plainly below"):
        list(read_batches(path, kinds={"x": "number"}))


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"thousands": "x"}, "thousands='x' is not one of"),
        ({"thousands": ",", "decimal": ","}, "thousands and decimal are both ','"),
        ({"percent": "ratio"}, "percent='ratio' is not one of 'points', 'fraction'"),
        ({"date_formats": ["%d.%m.%Q"]}, "'%d.%m.%Q' is not a format of dates .*bad directive"),
        ({"date_formats": ["%d.%d"]}, "'%d.%d' is not a format of dates"),
        ({"date_formats": ["dmy"]}, "'dmy' is not a format of dates; give one such as"),
        ({"date_formats": "%d"}, "date_formats='%d' is one text"),
        ({"missing": "x"}, "missing='x' is one text"),
    ],
)
def test_options_that_mean_nothing_are_refused(column, told, says):
    with pytest.raises(ParameterError, match=says):
        column(["1"], **told)


def test_texts_of_other_formats_keep_their_kinds_unless_told(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"x": "69,322.77", "d": "06.06.2020"}\n{"x": "5", "d": "07.06.2020"}\n')
    assert {kind for kind, _ in as_values(read_file(path)).values()} == {"category"}
    table = read_file(path, kinds={"x": "number", "d": "datetime"})
    assert table.columns[0].values.tolist() == [69322.77, 5.0]
    assert days(table.columns[1]) == ["2020-06-06", "2020-06-07"]
    with pytest.raises(ParameterError, match="thousands is for CSV and TSV"):
        read_file(path, thousands=",")


def test_real_tables_hold_no_everyday_dress_and_keep_their_kinds(shared):
    for about in json.loads((shared / "data" / "datasets.json").read_text("utf-8")):
        table = read_file(shared / "data" / about["file"])
        assert [raw.note for raw in table.columns] == [""] * len(table.columns), about["name"]
        for name, raw in zip(table.names, table.columns, strict=True):
            texts = [cell for cell in raw.decoded().values.tolist() if isinstance(cell, str)]
            is_category = raw.labels is not None or raw.values.dtype.kind == "b"
            assert is_category or not texts, (about["name"], name)
