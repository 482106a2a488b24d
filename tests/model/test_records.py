"""Records of arrays: what is declared once is copied, compared, selected, checked, written and read."""

import copy
import pickle
from dataclasses import dataclass, fields, replace
from typing import Annotated

import numpy as np
import pytest

from kinds_of_trees import fitted
from treewright.errors import ModelFileError
from treewright.model.fields import Field, arrays_to_plain, check_record
from treewright.model.ledger_arrays import LedgerArrays
from treewright.model.pruning_table import PruningTable
from treewright.model.records import ArrayRecord, Float64, Int32, Int64, Per
from treewright.model.surrogates import SurrogateArrays
from treewright.model.tree import Tree


@dataclass(frozen=True, eq=False)
class Grades(ArrayRecord):
    """Grades of pupils."""

    begin: Annotated[Int32, Per("pupil", runs_of="grade")]
    age: Annotated[Int32, Per("pupil", at_leaf=-1)]
    grade: Annotated[Float64, Per("grade", nullable=True)]
    note: Annotated[Int64 | None, Per("pupil")] = None
    school: str = ""


def grades(**changed):
    of = {
        "begin": np.array([0, 2, 2, 5], np.int32),
        "age": np.array([7, 8, 9], np.int32),
        "grade": np.array([1.0, 2.0, 3.0, np.nan, 5.0]),
    }
    return Grades(**{**of, **changed})


def test_what_is_declared_is_known_of_each_array():
    arrays = Grades.arrays()
    assert list(arrays) == ["begin", "age", "grade", "note"]
    assert [per.dtype for per in arrays.values()] == [np.int32, np.int32, np.float64, np.int64]
    assert [name for name, per in arrays.items() if per.is_optional] == ["note"]


def test_a_record_is_read_only_and_compares_bit_for_bit():
    record = grades()
    with pytest.raises(ValueError, match="read-only"):
        record.age[0] = 1
    assert record == grades()
    assert hash(record) == hash(grades())
    assert record != grades(school="ours")
    assert record != grades(grade=np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert grades(grade=np.zeros(5)) != grades(grade=-np.zeros(5))
    assert record != "a record"
    assert record != grades(note=np.zeros(3, np.int64))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_is_equal_and_read_only(again):
    twin = again(grades(note=np.arange(3)))
    assert twin == grades(note=np.arange(3))
    assert not twin.grade.flags.writeable
    assert not twin.note.flags.writeable


def test_large_arrays_are_pickled_without_a_copy():
    record = grades(grade=np.zeros(100_000), begin=np.array([0, 0, 0, 100_000], np.int32))
    buffers = []
    stream = pickle.dumps(record, protocol=5, buffer_callback=buffers.append)
    assert len(stream) < 2_000
    assert pickle.loads(stream, buffers=buffers) == record


def test_entries_are_selected_with_their_runs():
    kept = Grades(**grades().selected("pupil", np.array([2, 0])))
    assert (kept.begin.tolist(), kept.age.tolist()) == ([0, 3, 5], [9, 7])
    np.testing.assert_array_equal(kept.grade, [3.0, np.nan, 5.0, 1.0, 2.0])
    assert kept.begin.dtype == np.int32
    leaves = grades().selected("pupil", np.array([2, 0]), inner=np.array([False, True]))
    assert (leaves["begin"].tolist(), leaves["age"].tolist()) == ([0, 0, 2], [-1, 7])
    assert leaves["grade"].tolist() == [1.0, 2.0]


def test_a_record_is_written_and_read_by_its_declaration():
    plain = arrays_to_plain(grades())
    assert plain["grade"] == [1.0, 2.0, 3.0, None, 5.0]
    _, arrays = Field(plain, "grades").record(Grades)
    assert Grades(**arrays) == grades()
    with pytest.raises(ModelFileError, match=r"grades\.age\[0\] is 0.5; it should be a whole number"):
        Field({**plain, "age": [0.5, 1, 2]}, "grades").record(Grades)
    with pytest.raises(ModelFileError, match="grades has no field 'age'"):
        Field({name: plain[name] for name in ("begin", "grade")}, "grades").record(Grades)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"age": np.zeros(2, np.int32)}, "grades.age has 2 values; there should be 3"),
        ({"note": np.zeros(4, np.int64)}, "grades.note has 4 values; there should be 3"),
        ({"begin": np.array([0, 2, 1, 5], np.int32)}, r"grades.begin\[2\] is 1; it should be 0 at first"),
        ({"grade": np.zeros(4)}, r"grades.begin, its last value,\[0\] is 5; it should be 4"),
    ],
)
def test_lengths_are_checked_by_the_declaration(changed, message):
    assert check_record(grades(), {"pupil": 3}, "grades")["grade"].tolist() == [2, 0, 3]
    with pytest.raises(ModelFileError, match=message):
        check_record(grades(**changed), {"pupil": 3}, "grades")


@pytest.mark.parametrize("record", [Tree, SurrogateArrays, LedgerArrays, PruningTable])
def test_every_array_of_a_model_is_in_a_record(record):
    """Nothing but the declaration tells arrays from other fields: none is forgotten by the base."""
    names = set(record.arrays())
    assert all(("NDArray" in str(each.type)) <= (each.name in names) for each in fields(record))
    assert record.__eq__ is ArrayRecord.__eq__
    assert record.__reduce__ is ArrayRecord.__reduce__


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WiderLedger(LedgerArrays):
    """A ledger with another column: two lines, here."""

    lift: Annotated[Float64, Per("row", nullable=True)]


def test_a_column_of_the_ledger_is_declared_in_one_place():
    """Pruning, scaling, copies, checks and the file carry a new column along, which nothing else names."""
    tree = fitted("a ledger").tree_
    of = {each.name: getattr(tree.ledger, each.name) for each in fields(LedgerArrays)}
    wider = WiderLedger(**of, lift=np.arange(len(tree.ledger), dtype=np.float64))
    pruned = replace(tree, ledger=wider).collapsed([1]).ledger
    first = tree.ledger.row_begin[:-1][[0, 1]]
    assert pruned.lift[pruned.row_begin[:-1][[0, 1]]].tolist() == first.tolist()
    assert wider.scaled(2.0).lift is wider.lift
    assert pickle.loads(pickle.dumps(wider)) == wider
    assert wider != replace(wider, lift=wider.lift + 1)
    _, arrays = Field(arrays_to_plain(wider), "ledger").record(WiderLedger)
    assert WiderLedger(rules=wider.rules, **arrays) == wider
    with pytest.raises(ModelFileError, match=r"ledger\.lift has 1 values"):
        check_record(
            replace(wider, lift=wider.lift[:1]),
            {"node": tree.n_nodes, "column": tree.n_columns, "class": 3},
            "ledger",
        )
