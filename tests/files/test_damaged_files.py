"""Files with bytes put in, taken out and changed: a table or one line, never anything else."""

import os

import numpy as np
import pytest

from files.test_declared_files import ARFF, NAMES, ROWS
from files.test_formats import FILES
from files.written import as_values, table, use_reader, write
from treewright.errors import TreewrightError
from treewright.files.reader import read_batches, read_file

N_FILES = 3000 if os.environ.get("TREEWRIGHT_TORTURE") else 200
STRANGE = ['"', ",", "\n", "\r", "\r\n", '""', ";", "\t", "\0", " ", "0x1", "nan", '"\n', ',"', '",', "|"]
STRANGE += ["'", "北", "{", "}", "\\", "%", "?", "@", ":", ".", "[", "1e999", "null", "discrete", "@data"]
STRANGE += ["9" * 30, "1" * 5000]
BYTES = [each.encode() for each in STRANGE] + [b"\xff", b"\xc3", b"\xb1\xb1", b"\xef\xbb\xbf", b"2" * 400]


def damaged(rng, data):
    data = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        at = int(rng.integers(0, len(data) + 1))
        what = BYTES[rng.integers(len(BYTES))]
        cut = int(rng.choice([0, 1, 5]))
        data[at : at + cut] = b"" if cut == 5 else what
    return bytes(data)


def outcome(read, path):
    """Give what comes of reading: values, or what was said."""
    try:
        return read(path)
    except TreewrightError as error:
        said = str(error)
    assert "\n" not in said
    return said


def test_both_readers_make_the_same_of_a_damaged_csv(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    path = tmp_path / "t.csv"
    n_tables = 0
    for _ in range(N_FILES):
        signs = [(",", "."), (";", ","), ("\t", ".")][rng.integers(3)]
        encoding = str(rng.choice(["utf-8", "utf-8", "gb18030", "utf-16"]))
        path.write_bytes(damaged(rng, write(rng, table(rng), *signs).encode(encoding)))
        chunk = int(rng.choice([5, 40, 1000, 1 << 22]))
        found = []
        for reader in ("arrow", "plain"):
            use_reader(monkeypatch, reader, chunk)
            found.append(outcome(lambda place: as_values(read_file(place)), path))
        assert found[0] == found[1], path.read_bytes()
        n_tables += isinstance(found[0], dict)
    assert N_FILES // 5 < n_tables < N_FILES  # some were harmed, some were not


@pytest.mark.parametrize(
    "name", ["t.arff", "t.data", "t.jsonl", "t.csv.gz", "t.parquet", "t.arrow", "stream.arrow"]
)
def test_a_damaged_file_of_any_format_is_a_table_or_one_line(name, tmp_path):
    rng = np.random.default_rng(1)
    path = tmp_path / name
    whole = {"t.arff": ARFF.encode(), "t.data": ROWS.encode()}.get(name) or FILES[name]
    for _ in range(N_FILES // 4):
        if name == "t.data":
            (tmp_path / "t.names").write_bytes(damaged(rng, NAMES.encode()))
        path.write_bytes(damaged(rng, whole))
        outcome(read_file, path)
        outcome(lambda place: list(read_batches(place)), path)
