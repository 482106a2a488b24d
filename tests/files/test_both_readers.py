"""The quick reader and the plain one give what a slow, obvious one gives, whatever the table and dialect."""

import os

import numpy as np
import pytest

from files.written import as_values, kind_and_values, table, use_reader, write
from oracle.naive_file import naive_table
from treewright.files.delimited import joined
from treewright.files.reader import read_batches, read_file

N_TABLES = 1500 if os.environ.get("TREEWRIGHT_TORTURE") else 150
DIALECTS = [(",", "."), (";", ","), ("\t", "."), ("|", ","), (";", ".")]
ENCODINGS = ["utf-8", "utf-8", "utf-8-sig", "utf-16", "gb18030", "utf-32"]


@pytest.mark.parametrize(("delimiter", "decimal"), DIALECTS, ids=repr)
def test_both_readers_give_what_the_slow_one_gives(delimiter, decimal, tmp_path, monkeypatch):
    rng = np.random.default_rng(len(DIALECTS) * ord(delimiter) + ord(decimal))
    for at in range(N_TABLES // len(DIALECTS)):
        text = write(rng, table(rng), delimiter, decimal)
        path = tmp_path / f"{at}.csv"
        encoding = str(rng.choice(ENCODINGS))
        path.write_bytes(text.encode(encoding))
        expected = naive_table(text, delimiter, decimal)
        chunk = int(rng.choice([9, 70, 1000, 1 << 22]))
        told = {"delimiter": delimiter, "decimal": decimal, "header": True, "encoding": encoding}
        for reader in ("arrow", "plain"):
            use_reader(monkeypatch, reader, chunk)
            found = as_values(read_file(path, **told))
            assert found == expected, (reader, chunk, text)


@pytest.mark.parametrize("reader", ["arrow", "plain"])
def test_batches_are_the_table_in_pieces(reader, tmp_path, monkeypatch):
    rng = np.random.default_rng(7)
    for at in range(N_TABLES // 5):
        text = write(rng, table(rng))
        path = tmp_path / f"{at}.csv"
        path.write_text(text, "utf-8", newline="")
        use_reader(monkeypatch, reader, int(rng.choice([20, 200])))
        whole = read_file(path, header=True, delimiter=",")
        kinds = {n: {"whole": "number"}.get(kind, kind) for n, (kind, _) in as_values(whole).items()}
        notations = {n: raw.notation for n, raw in zip(whole.names, whole.columns, strict=True)}
        pieces = list(read_batches(path, header=True, delimiter=",", kinds=kinds, notations=notations))
        assert sum(piece.n_rows for piece in pieces) == whole.n_rows
        for position, raw in enumerate(whole.columns):
            parts = [piece.columns[position] for piece in pieces]
            values = [value for part in parts for value in kind_and_values(part)[1]]
            kind, expected = kind_and_values(raw)
            if kind == "number":  # a piece of it may be whole, and more exact
                values = [None if value is None else float(value) for value in values]
            assert values == expected, (text, whole.names[position])


@pytest.mark.parametrize("reader", ["arrow", "plain"])
def test_a_text_far_down_makes_a_column_of_numbers_categories(reader, tmp_path, monkeypatch):
    use_reader(monkeypatch, reader, 1 << 12)
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n" + "007,1,1\n" * 50_000 + "x,1.5,1\n" + "8,8,y\n" * 2000, "utf-8")
    table = read_file(path)
    assert table.columns[0].labels == ["007", "x", "8"]
    assert table.columns[2].labels == ["1", "y"]
    assert table.columns[1].values.dtype == np.float64
    assert table.columns[1].values[49_999:50_002].tolist() == [1.0, 1.5, 8.0]


@pytest.mark.parametrize("reader", ["arrow", "plain"])
def test_whole_numbers_stay_exact_with_gaps_far_down(reader, tmp_path, monkeypatch):
    use_reader(monkeypatch, reader, 1 << 10)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + f"{2**53 + 1},u\n" * 40_000 + "?,u\n" * 2000, "utf-8")
    raw = read_file(path).columns[0]
    assert raw.values.dtype == np.int64
    assert raw.values[0] == 2**53 + 1
    assert raw.missing.sum() == 2000


@pytest.mark.parametrize("reader", ["arrow", "plain"])
def test_chinese_far_down_is_found_to_be_gb18030(reader, tmp_path, monkeypatch):
    use_reader(monkeypatch, reader, 1 << 12)
    path = tmp_path / "t.csv"
    path.write_bytes(("n,town\n" + "1,Ulm\n" * 60_000 + "2,北京\n").encode("gb18030"))
    assert read_file(path).columns[1].labels == ["Ulm", "北京"]


@pytest.mark.parametrize("reader", ["arrow", "plain"])
def test_a_column_without_values_so_far_may_hold_anything_below(reader, tmp_path, monkeypatch):
    use_reader(monkeypatch, reader, 64)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,\n" * 50 + "1,2.5\n", "utf-8")
    *first, last = read_batches(path)
    assert all(np.isnan(batch.columns[1].values).all() for batch in first)
    assert kind_and_values(last.columns[1])[1][-1] == 2.5


def test_pieces_of_gaps_do_not_make_whole_numbers_fractions():
    from treewright.table.read import Raw

    gaps = Raw(np.full(2, np.nan))
    wholes = Raw(np.array([2**53 + 1]))
    assert joined([wholes, Raw(np.zeros(2, np.int64), np.ones(2, bool))]).values.dtype == np.int64
    assert joined([wholes, Raw(np.array([0.5]))]).values.tolist() == [float(2**53 + 1), 0.5]
    assert np.isnan(joined([gaps, gaps]).values).all()
