"""Every format gives the same table; declared categories stay declared."""

import _thread
import gzip
import io
import json
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from files.written import as_values
from treewright.errors import FileError
from treewright.files.reader import kinds_of, read_batches, read_file

COLUMNS = {
    "age": [31, None, 2**53 + 1],
    "size": [1.5, -2.0, None],
    "town": ["北京", None, 'O\'Higgins, "x"'],
    "sold": [True, False, None],
}
EXPECTED = {
    "age": ("whole", COLUMNS["age"]),
    "size": ("number", COLUMNS["size"]),
    "town": ("category", COLUMNS["town"]),
    "sold": ("boolean", COLUMNS["sold"]),
}


def arrow(kind):
    table = pa.table(COLUMNS)
    stream = io.BytesIO()
    if kind == "parquet":
        pyarrow.parquet.write_table(table, stream)
    elif kind == "feather":
        pyarrow.feather.write_feather(table, stream)
    else:
        make = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
        with make(stream, table.schema) as writer:
            for batch in table.to_batches(2):
                writer.write_batch(batch)
    return stream.getvalue()


def lines():
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
    rows = [{name: value for name, value in row.items() if value is not None} for row in rows]
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


CSV = 'age,size,town,sold\n31,1.5,北京,true\n,-2.0,,false\n9007199254740993,,"O\'Higgins, ""x""",\n'.encode()
ARFF = """% people
@RELATION people
@attribute age INTEGER
@Attribute size Real
@ATTRIBUTE town string
@attribute sold {true, false}
@data
31, 1.5, 北京, true
?, -2.0, ?, false
9007199254740993, ?, 'O\\'Higgins, "x"', ?
""".encode()
FILES = {
    "t.csv": CSV,
    "t.csv.gz": gzip.compress(CSV),
    "t.tsv": CSV.replace(b",", b"\t").replace(b"O'Higgins\t", b"O'Higgins,"),
    "t.jsonl": lines(),
    "t.ndjson.gz": gzip.compress(lines()),
    "t.arff": ARFF,
    "t.parquet": arrow("parquet"),
    "t.feather": arrow("feather"),
    "t.arrow": arrow("file"),
    "stream.arrow": arrow("stream"),
    "no suffix of csv": CSV,
    "no suffix of json": lines(),
    "no suffix of arff": ARFF,
    "misnamed.csv": arrow("parquet"),
}


def expected(name):
    if "arff" not in name:
        return EXPECTED
    return {**EXPECTED, "sold": ("category", ["true", "false", None])}


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_table(name, tmp_path):
    (tmp_path / name).write_bytes(FILES[name])
    assert as_values(read_file(tmp_path / name)) == expected(name)


@pytest.mark.parametrize("name", FILES)
def test_every_format_comes_in_batches(name, tmp_path, monkeypatch):
    from treewright.files import reader

    monkeypatch.setattr(reader, "BATCH", 2)
    (tmp_path / name).write_bytes(FILES[name])
    columns = ["age", "size", "town"]
    batches = [as_values(batch) for batch in read_batches(tmp_path / name, columns=columns)]
    for column in columns:
        assert [value for batch in batches for value in batch[column][1]] == COLUMNS[column]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("read", [read_file, lambda place: next(read_batches(place))], ids=["whole", "batch"])
def test_standard_input_is_any_format(name, read, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FILES[name])))
    found = as_values(read("-"))
    n_rows = 2 if name.endswith(".arrow") and read is not read_file else 3
    assert {column: values[:n_rows] for column, (_, values) in expected(name).items()} == {
        column: values for column, (_, values) in found.items()
    }


def test_a_named_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    for read in (read_file, lambda place: next(read_batches(place))):
        writer = threading.Thread(target=pipe.write_bytes, args=(gzip.compress(CSV),))
        writer.start()
        assert as_values(read(pipe)) == EXPECTED
        writer.join()


def test_a_pipe_is_read_as_it_fills():
    code = (
        "from treewright.files.reader import read_batches\n"
        "print(sum(batch.columns[0].values.sum() for batch in read_batches('-')))"
    )
    text = "a,b\n" + "1,x\n" * 500_000
    for data in (text.encode(), gzip.compress(text.encode(), 1)):
        ran = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
        assert ran.stdout == b"500000\n"


def test_an_interrupt_ends_the_wait_for_a_pipe(tmp_path):
    """A signal that arrives just before read(2) blocks does not end it; `interrupt_main` acts like one."""
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    for read in (read_file, lambda place: next(read_batches(place))):
        is_over = threading.Event()

        def interrupt(is_over=is_over):
            with pipe.open("wb") as rows:
                rows.write(b"a,b\n1,x\n")
                rows.flush()
                time.sleep(0.3)
                _thread.interrupt_main()
                is_over.wait(20)

        writer = threading.Thread(target=interrupt)
        writer.start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            read(pipe)
        waited = time.monotonic() - start
        is_over.set()
        writer.join()
        assert waited < 5


def test_what_parquet_declares_is_declared(tmp_path):
    path = tmp_path / "t.parquet"
    ordered = pa.DictionaryArray.from_arrays(
        pa.array([1, 0, None], pa.int32()), ["low", "high"], ordered=True
    )
    day = pa.array([1, 2, None], pa.date32())
    pyarrow.parquet.write_table(pa.table({"c": ordered, "d": day, "t": ["?", "b", ""]}), path)
    table = read_file(path)
    assert (table.columns[0].labels, table.columns[0].is_declared) == (["low", "high"], True)
    assert table.columns[1].values.dtype.kind == "M"
    assert as_values(table)["t"] == ("category", ["?", "b", ""])  # a gap would be null
    assert as_values(read_file(path, na=["?"]))["t"] == ("category", [None, "b", ""])
    told = read_file(path, kinds={"d": "category", "c": "text"}, columns=["d", "c"])
    assert as_values(told)["d"][1][0] == "1970-01-02 00:00:00" or as_values(told)["d"][1][0].startswith(
        "1970"
    )


def test_a_polars_frame_on_disk_is_read_as_it_was(tmp_path):
    frame = pl.DataFrame(COLUMNS)
    frame.write_parquet(tmp_path / "t.parquet")
    frame.write_ipc(tmp_path / "t.arrow")
    for name in ("t.parquet", "t.arrow"):
        assert as_values(read_file(tmp_path / name)) == as_values(frame)


def test_json_knows_dates_and_leaves_numbers_in_quotes_alone(tmp_path):
    path = tmp_path / "t.jsonl"
    first = '{"d": "2024-02-29", "n": "12", "big": 1e400}'
    path.write_text(first + '\n\n{"d": null, "n": "NA", "big": 123456789012345678901}\n')
    found = as_values(read_file(path))
    assert found["d"][0] == "datetime"
    assert found["n"] == ("category", ["12", "NA"])
    assert found["big"] == ("number", [np.inf, 123456789012345678901.0])
    assert as_values(read_file(path, kinds={"n": "number"}))["n"] == ("whole", [12, None])
    assert as_values(read_file(path, na=["NA"]))["n"] == ("category", ["12", None])


def test_a_key_that_comes_late_is_a_column_of_the_whole_and_refused_in_batches(tmp_path, monkeypatch):
    from treewright.files import reader

    monkeypatch.setattr(reader, "BATCH", 2)
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n{"a": 2}\n{"a": 3, "b": "x"}\n')
    assert as_values(read_file(path))["b"] == ("category", [None, None, "x"])
    with pytest.raises(FileError, match="line 3: the key 'b' was not there in the first"):
        list(read_batches(path))
    assert sum(batch.n_rows for batch in read_batches(path, columns=["a"])) == 3


BLOCK = (
    "import sys\n"
    "class Absent:\n"
    "    def find_spec(self, name, *more):\n"
    "        if name in absent:\n"
    "            raise ModuleNotFoundError(name)\n"
    "sys.meta_path.insert(0, Absent())\n"
)


def test_no_dataframe_library_is_needed(tmp_path):
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    code = (
        f"absent = {{'pandas', 'polars'}}\n{BLOCK}"
        "from treewright.files.reader import read_batches, read_file\n"
        f"for name in {list(FILES)}:\n"
        f"    place = {str(tmp_path)!r} + '/' + name\n"
        "    assert read_file(place).n_rows == sum(each.n_rows for each in read_batches(place)) == 3\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_pyarrow_the_rest_is_read_and_the_extra_is_named(tmp_path):
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    code = (
        f"absent = {{'pandas', 'polars', 'pyarrow'}}\n{BLOCK}"
        "from treewright.files.reader import read_file\n"
        "from treewright.errors import MissingPackageError\n"
        "for name in ('t.csv', 't.csv.gz', 't.tsv', 't.jsonl', 't.arff'):\n"
        f"    table = read_file({str(tmp_path)!r} + '/' + name)\n"
        "    assert table.n_rows == 3 and table.columns[0].values[2] == 2**53 + 1\n"
        "for name in ('t.parquet', 't.arrow'):\n"
        "    try:\n"
        f"        read_file({str(tmp_path)!r} + '/' + name)\n"
        "    except MissingPackageError as error:\n"
        "        assert \"pip install 'treewright[files]'\" in str(error)\n"
        "    else:\n"
        "        raise AssertionError(name)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_reading_a_csv_loads_no_dataframe_library(tmp_path):
    (tmp_path / "t.csv").write_bytes(CSV)
    code = (
        "import sys\n"
        "from treewright.files.reader import read_file\n"
        f"read_file({str(tmp_path / 't.csv')!r})\n"
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert not {"pandas", "polars", "narwhals", "sklearn", "scipy"} & set(loaded.split())


def test_new_rows_are_read_as_a_model_knows_them(tmp_path):
    from treewright import DecisionTreeClassifier

    path = tmp_path / "cars.csv"
    path.write_text(
        "doors,ok,when,class\n2,true,2024-01-01,a\n5more,false,2024-01-02,b\n2,true,2024-01-03,a\n"
    )
    model = DecisionTreeClassifier().fit(read_file(path), "class").model_
    new = tmp_path / "new.csv"
    new.write_text("doors,ok,when\n2,true,\n2,,2024-01-03\n")
    told = {"kinds": kinds_of(model.schema), "columns": model.schema.names}
    assert told["kinds"] == {"doors": "category", "ok": "boolean", "when": "datetime"}
    (batch,) = read_batches(new, **told)
    assert model.predict(batch).tolist() == ["a", "a"]
    assert kinds_of(model.schema, with_target=True)["class"] == "category"


def test_a_tree_grown_on_a_file_is_that_of_the_frame(tmp_path):
    from treewright import DecisionTreeClassifier, datasets

    columns, target = datasets.load("golf")
    declared = datasets.schema("golf")
    frame = pd.DataFrame(columns)
    for name, about in declared.items():
        if about["kind"] == "categorical":
            frame[name] = pd.Categorical(frame[name], categories=about["categories"])
    names = [", ".join(declared[target]["categories"]) + "."]
    names += [
        f"{name}: {', '.join(about.get('categories', ['continuous']))}."
        for name, about in declared.items()
        if name != target
    ]
    (tmp_path / "golf.names").write_text("\n".join(names))
    rows = zip(*columns.values(), strict=True)
    (tmp_path / "golf.data").write_text("".join(",".join(map(str, row)) + ".\n" for row in rows))
    table = read_file(tmp_path / "golf")
    assert table.names[-1] == "class"
    ours = DecisionTreeClassifier().fit(table, "class").model_
    theirs = DecisionTreeClassifier().fit(frame, target).model_
    assert ours.schema == theirs.schema
    assert ours.tree == theirs.tree
