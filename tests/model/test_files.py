"""Model files: written whole, checked in full, and no way to crash by reading one."""

import base64
import copy
import errno
import hashlib
import json
import math
import os
import random
import warnings
from dataclasses import fields, replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import treewright as tw
from kinds_of_trees import KINDS, fitted
from treewright.errors import ModelFileAccessError, ModelFileError, TreewrightError
from treewright.model import files
from treewright.model.ledger_arrays import LedgerArrays, LedgerRules
from treewright.model.model import Model, router_of
from treewright.model.provenance import Provenance
from treewright.model.pruning_table import PruningTable
from treewright.model.sections import SECTIONS, TREE_OPTIONS
from treewright.model.soundness import check_tree
from treewright.model.surrogates import SurrogateArrays
from treewright.model.tree import Tree
from treewright.schema import Bins, Classes, Column, Schema

SCHEMA = json.loads((Path(files.__file__).parent / "model.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def saved(name):
    estimator = fitted(name)
    classes = getattr(estimator, "classes_", None)
    return files.Saved(
        estimator.model_, type(estimator).__name__, {}, True, None if classes is None else "object"
    )


def content(name):
    return files.to_bytes(saved(name))


def sealed(plain):
    """Write plain values as a file whose checksum is right."""
    return resealed(json.dumps(plain, ensure_ascii=False).encode("utf-8"))


def resealed(text):
    """Give any bytes that end like an object the right checksum."""
    body = text.rstrip()
    assert body.endswith(b"}")
    body = body[:-1].rstrip().removesuffix(b",")
    return body + b',\n"checksum": "sha256:%s"\n}\n' % hashlib.sha256(body).hexdigest().encode()


def plain_of(name):
    plain = json.loads(content(name))
    del plain["checksum"]
    return plain


@pytest.mark.parametrize("name", KINDS)
def test_a_file_keeps_to_the_schema(name, tmp_path):
    fitted(name).save(tmp_path / "model.tw.json")
    VALIDATOR.validate(json.loads((tmp_path / "model.tw.json").read_bytes()))


def names(cls):
    return {each.name for each in fields(cls)}


RECORDS = {
    "tree": (Tree, SCHEMA["$defs"]["tree"], {*TREE_OPTIONS}),
    "surrogates": (SurrogateArrays, SCHEMA["$defs"]["surrogates"], set()),
    "ledger": (LedgerArrays, SCHEMA["$defs"]["ledger"], {"rules"}),
    "pruning": (PruningTable, SCHEMA["properties"]["pruning"], {"chosen", "root_risk"}),
}


def test_the_schema_is_one_and_names_every_field():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    of = SCHEMA["$defs"]
    assert set(of["ledger"]["properties"]["rules"]["properties"]) == names(LedgerRules)
    assert set(of["column"]["properties"]) == names(Column)
    assert set(of["column"]["properties"]["bins"]["properties"]) == names(Bins)
    around = {"format", "schema", "estimator", "checksum"}
    assert set(SCHEMA["properties"]) == {section.name for section in SECTIONS} | around


@pytest.mark.parametrize(("record", "schema", "others"), RECORDS.values(), ids=RECORDS)
def test_the_schema_describes_arrays_as_they_are_declared(record, schema, others):
    """What an array of the file is follows from its declaration; the schema adds only what it means."""
    arrays = record.arrays()
    assert set(schema["properties"]) == {*arrays} | others
    for name, per in arrays.items():
        form = np.dtype(per.dtype).name + "_or_missing" * per.nullable + "_rows" * (bool(per.columns))
        described = schema["properties"][name]
        assert described.keys() == {"description", "$ref"}, name
        assert described["$ref"] == f"#/$defs/{form}", name
    needed = {name for name, per in arrays.items() if not (per.omit or per.is_optional)}
    assert set(schema["required"]) - others == needed


def test_every_field_of_a_model_is_written():
    """A field that is added to one of these has to be added to the file, too; it would be lost silently."""
    assert names(Model) == {section.field for section in SECTIONS}
    derived = {"n_columns", "is_classifier", "integer_columns"}
    for record, _, others in RECORDS.values():
        assert names(record) - derived == {*record.arrays()} | others
    assert names(Schema) == {"columns", "target", "target_name", "takes_missing"}
    assert names(Provenance) == {"library", "n_rows", "weight", "fingerprint", "parts"}


@pytest.mark.parametrize("name", KINDS)
def test_packed_arrays_hold_the_same_as_numbers(name, monkeypatch):
    kept = saved(name)
    monkeypatch.setattr("treewright.model.fields.MOST_PLAIN", 0)
    packed = files.to_bytes(kept)
    VALIDATOR.validate(json.loads(packed))
    back = files.from_bytes(packed)
    assert back == kept
    assert back.model.tree == kept.model.tree
    monkeypatch.undo()
    assert files.to_bytes(back) == files.to_bytes(kept)


def test_large_arrays_are_packed_and_small_ones_are_not():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 2)), rng.integers(0, 3, 4000)
    tree = tw.DecisionTreeClassifier().fit(X, y)
    assert tree.tree_.n_nodes < 4096 < 3 * tree.tree_.n_nodes
    plain = json.loads(files.to_bytes(files.Saved(tree.model_, "DecisionTreeClassifier", {}, False, "int64")))
    assert isinstance(plain["tree"]["column"], list)
    outcome = plain["tree"]["outcome"]
    assert (outcome["type"], outcome["shape"]) == ("float64", [tree.tree_.n_nodes, 3])
    values = np.frombuffer(base64.b64decode(outcome["base64"]), "<f8").reshape(-1, 3)
    assert np.array_equal(values, tree.tree_.outcome)


def test_a_file_can_be_looked_into():
    lines = content("every type of column").decode("utf-8").splitlines()
    assert lines[:3] == ["{", '"format": "treewright-model",', '"schema": 1,']
    assert any("上海" in line for line in lines)
    assert any(line.startswith(' "column": [') for line in lines)


# What is said of files that are not as they should be.

GOOD = "C4.5"


def refused(text, tmp_path):
    path = tmp_path / "model.tw.json"
    path.write_bytes(text)
    with pytest.raises(ModelFileError) as caught:
        tw.load(path)
    message = str(caught.value)
    assert str(path) in message
    return message


def test_what_is_wrong_with_a_file_is_told_apart(tmp_path):
    good = content(GOOD)
    assert "not a model file of treewright: it is empty" in refused(b"", tmp_path)
    assert "not a model file of treewright: it begins with 'PK" in refused(b"PK\x03\x04", tmp_path)
    assert "not a model file of treewright: it begins with '{\"a\": 1}'" in refused(b'{"a": 1}', tmp_path)
    assert "looks like a pickle" in refused(b"\x80\x04\x95", tmp_path)
    assert "byte order mark" in refused(b"\xef\xbb\xbf" + good, tmp_path)
    assert f"cut short after {len(good) // 2:,} bytes" in refused(good[: len(good) // 2], tmp_path)
    assert "cut short" in refused(good[:-3], tmp_path)
    assert "altered after it was written" in refused(good.replace(b'"rows": 120', b'"rows": 121'), tmp_path)
    assert "changes line ends" in refused(good.replace(b"\n", b"\r\n"), tmp_path)
    assert "an editor or a transfer" in refused(json.dumps(json.loads(good)).encode(), tmp_path)
    newer = refused(sealed({**plain_of(GOOD), "schema": 7}), tmp_path)
    assert 'schema 7 of "treewright-model", newer than schema 1' in newer
    assert "Update treewright" in newer
    assert "which does not exist" in refused(sealed({**plain_of(GOOD), "schema": 0}), tmp_path)


def test_files_that_cannot_be_opened_are_named(tmp_path):
    for path in (tmp_path / "absent.tw.json", tmp_path, tmp_path / "absent" / "model.tw.json"):
        with pytest.raises(ModelFileAccessError, match="cannot be read") as caught:
            tw.load(path)
        assert isinstance(caught.value, OSError)
        assert caught.value.errno in (errno.ENOENT, errno.EISDIR)
        assert str(path) in str(caught.value)
    with pytest.raises(ModelFileAccessError, match="not a regular file"):
        tw.load("/dev/null")
    for path in (tmp_path, tmp_path / "absent" / "model.tw.json"):
        with pytest.raises(ModelFileAccessError, match="cannot be written"):
            fitted(GOOD).save(path)


def test_an_older_schema_is_brought_up_to_date(tmp_path, monkeypatch):
    """Made up: in schema 0 the table was called schema, and trees had no search."""
    old = plain_of("gini")
    old["schema"], old["structure"] = 0, old.pop("table")
    searched = old["tree"].pop("search", None)

    def from_0(sections):
        tree = {**sections["tree"]} | ({} if searched is None else {"search": searched})
        return {
            **{name: value for name, value in sections.items() if name != "structure"},
            "table": sections["structure"],
            "tree": tree,
        }

    monkeypatch.setitem(files.MIGRATIONS, 0, from_0)
    assert files.from_bytes(sealed(old)) == saved("gini")


# Writing: whole or not at all.


def test_a_file_that_is_there_is_replaced_and_links_stay(tmp_path):
    target, link = tmp_path / "real.tw.json", tmp_path / "link.tw.json"
    target.write_text("old")
    link.symlink_to(target)
    fitted(GOOD).save(link)
    assert link.is_symlink()
    assert tw.load(target).tree_ == fitted(GOOD).tree_
    assert sorted(tmp_path.iterdir()) == [link, target]


def test_a_new_file_has_the_rights_of_any_new_file(tmp_path):
    (tmp_path / "other").touch()
    fitted(GOOD).save(tmp_path / "model.tw.json")
    assert (tmp_path / "model.tw.json").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_at_any_step_leaves_the_old_file_and_nothing_else(step, failure, tmp_path, monkeypatch):
    path = tmp_path / "model.tw.json"
    path.write_bytes(b"old")

    def fail(*_):
        raise failure

    if step == "write":
        opened = os.fdopen

        def half(descriptor, mode):
            file = opened(descriptor, mode)

            class Full:
                def __enter__(self):
                    return self

                def __exit__(self, *_):
                    file.close()

                def write(self, text):
                    file.write(text[: len(text) // 2])
                    file.flush()
                    fail()

            return Full()

        monkeypatch.setattr(files.os, "fdopen", half)
    else:
        monkeypatch.setattr(files.os, step, fail)
    with pytest.raises(ModelFileAccessError if isinstance(failure, OSError) else KeyboardInterrupt) as caught:
        fitted(GOOD).save(path)
    monkeypatch.undo()
    if isinstance(failure, OSError):
        assert "No space left on device" in str(caught.value)
        assert caught.value.errno == errno.ENOSPC
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_tree_that_could_not_be_read_again_is_not_written(tmp_path):
    kept = saved("gini")
    weight = kept.model.tree.weight.copy()
    weight[1] = np.nan
    faulty = replace(kept, model=replace(kept.model, tree=replace(kept.model.tree, weight=weight)))
    with pytest.raises(ModelFileError, match=r"was not written: tree\.weight\[1\] is nan"):
        files.write(faulty, tmp_path / "model.tw.json")
    kept = saved("a ledger")
    missing = np.full(len(kept.model.tree.ledger), 1e9)
    faulty = replace(kept.model.tree, ledger=replace(kept.model.tree.ledger, missing=missing))
    with pytest.raises(ModelFileError, match=r"was not written: tree\.ledger\.missing\[0\]"):
        files.write(replace(kept, model=replace(kept.model, tree=faulty)), tmp_path / "model.tw.json")
    kept = saved("gini")
    large = replace(kept.model.schema.columns[0], kind="category", categories=(2**70,))
    columns = (large, *kept.model.schema.columns[1:])
    faulty = replace(kept, model=replace(kept.model, schema=replace(kept.model.schema, columns=columns)))
    with pytest.raises(ModelFileError, match="whole number of 64 bits"):
        files.write(faulty, tmp_path / "model.tw.json")
    assert list(tmp_path.iterdir()) == []


# Structure: single faults, each with its message.


def put(plain, path, value):
    *way, last = path
    for step in way:
        plain = plain[step]
    plain[last] = value


FAULTS = {
    "a column beyond the table": (("tree", "column", 0), 99, "tree.column[0] is 99; it should be a column's"),
    "a fraction": (("tree", "column", 0), 0.5, "tree.column[0] is 0.5; it should be a whole number"),
    "true for 1": (("tree", "column", 0), True, "tree.column[0] is true; it should be a whole number"),
    "a number beyond its type": (("tree", "child", 0), 2**40, "tree.child[0] is 1099511627776"),
    "a child before its parent": (("tree", "child", 2), 0, "tree.child[2] is 0; it should be a node after"),
    "a child of two": (("tree", "child", 1), 1, "tree.child[0] is 1; it should be a child of one node"),
    "a run that falls": (
        ("tree", "child_begin", 1),
        -1,
        "tree.child_begin[1] is -1; it should be 0 at first",
    ),
    "an array too short": (("tree", "weight"), [1.0], "tree.weight has 1 values; there should be"),
    "no array": (("tree", "weight"), "1", "tree.weight is '1'; it should be a list"),
    "a gap": (("tree", "weight", 0), None, "tree.weight[0] is null; it should be a number that"),
    "a negative weight": (
        ("tree", "weight", 1),
        -1.0,
        "tree.weight[1] is -1.0; it should be a finite number",
    ),
    "a root without rows": (("tree", "weight", 0), 0.0, "tree.weight[0] is 0.0; it should be above 0"),
    "a row too long": (("tree", "outcome", 1), [1.0] * 4, "tree.outcome[1] is a list of length 4"),
    "a cut without a question": (("tree", "cut", 1), 1.0, "tree.cut[1] is 1.0; it should be a number just"),
    "a branch beyond": (
        ("tree", "missing_branch", 0),
        9,
        "tree.missing_branch[0] is 9; it should be a branch",
    ),
    "a leaf where rows stop": (
        ("tree", "missing_branch", -1),
        -2,
        "is -2; it should be a branch of its node, or -1, or at an inner node -2",
    ),
    "a branch below all": (
        ("tree", "missing_branch", 0),
        -3,
        "tree.missing_branch[0] is -3; it should be a branch",
    ),
    "a code beyond": (("tree", "set_code", -1), 99, "is 99; it should be the code of a category"),
    "codes that fall": (("tree", "set_code", 1), 0, "tree.set_code[1] is 0; it should be above the one"),
    "a branch of no child": (("tree", "set_branch", 0), 5, "tree.set_branch[0] is 5; it should be a branch"),
    "a class beyond": (
        ("tree", "label", 0),
        3,
        "tree.label[0] is 3; it should be a class's number",
    ),
    "a search of no kind": (
        ("tree", "search", 0),
        3,
        "search[0] is 3; it should be a whole number from 0 to 2",
    ),
    "rows below 0": (
        ("tree", "n_rows", 0),
        -5,
        "n_rows[0] is -5; it should be a whole number of at least 0",
    ),
    "an unknown field": (("tree", "colour"), [], "tree has a field 'colour' that this version does not know"),
    "an unknown section": (
        ("ledgers",),
        {},
        "the file has a field 'ledgers' that this version does not know",
    ),
    "an unknown kind": (
        ("table", "columns", 0, "kind"),
        "text",
        "table.columns[0].kind is 'text'; it should",
    ),
    "a name twice": (("table", "columns", 0, "name"), "town", "table.columns has a name twice"),
    "a label twice": (("table", "columns", 1, "categories"), ["a", "a"], "none twice"),
    "1 and true": (("table", "columns", 1, "categories"), [True, 1], "texts, booleans or numbers only"),
    "a list as a label": (
        ("table", "columns", 1, "categories", 0),
        [],
        "categories[0] is a list of length 0",
    ),
    "a label of many bits": (("table", "columns", 1, "categories"), [2**90], "whole number of 64 bits"),
    "classes out of order": (
        ("table", "target", "classes"),
        ["b", "a", "c"],
        "there should be classes, sorted",
    ),
    "no columns": (("table", "columns"), [], "table.columns is empty"),
    "a unit of numbers": (("table", "columns", 0, "unit"), "ns", "moments have a unit"),
    "a fingerprint": (
        ("provenance", "fingerprint"),
        "xyz",
        "provenance.fingerprint is 'xyz'; it should be 16",
    ),
    "another estimator": (
        ("estimator", "name"),
        "os.system",
        "estimator.name is 'os.system', which is not one of",
    ),
    "a regressor of classes": (("estimator", "name"), "CARTRegressor", "they do not go together"),
    "a type of labels": (("estimator", "class_type"), "int8", "cannot be of type int8"),
    "a parameter": (
        ("estimator", "parameters", "colour"),
        1,
        "parameters has 'colour', which C45Classifier does",
    ),
    "a value of no form": (
        ("estimator", "parameters", "pruning"),
        {"eval": "1"},
        "parameters.pruning is {'eval'",
    ),
}


@pytest.mark.parametrize(("path", "value", "message"), FAULTS.values(), ids=FAULTS)
def test_a_single_fault_is_named_with_its_place_and_value(path, value, message, tmp_path):
    plain = plain_of(GOOD)
    put(plain, path, value)
    found = refused(sealed(plain), tmp_path)
    assert message in found
    assert "Save the model again" in found


def test_surrogates_and_shares_are_checked(tmp_path):
    plain = plain_of("surrogates")
    for path, value, message in (
        (("begin", 0), 1, "tree.surrogates.begin[0] is 1"),
        (("column", 0), -1, "tree.surrogates.column[0] is -1"),
        (("low_branch", 0), 2, "tree.surrogates.low_branch[0] is 2; it should be a whole number from 0 to 1"),
        (("set_branch", 0), 2, "tree.surrogates.set_branch[0] is 2"),
        (("agree", 0), None, "tree.surrogates.agree[0] is null"),
    ):
        faulty = copy.deepcopy(plain)
        put(faulty["tree"]["surrogates"], path, value)
        assert message in refused(sealed(faulty), tmp_path)
    spread = plain_of("spread")
    for weight, message in (
        (0.0, "tree: weight of the children"),  # nothing to share out by
        (1e300, "tree: weight of the children"),  # a sum beyond what weights can be
        (1.7e308, "tree.weight[1] is 1.7e+308; it should be a finite number from 0 to 1e+300"),
    ):
        faulty = copy.deepcopy(spread)
        faulty["tree"]["weight"][1:] = [weight] * (len(faulty["tree"]["weight"]) - 1)
        assert message in refused(sealed(faulty), tmp_path)


@pytest.mark.parametrize("name", ["row_begin", "branch_begin", "set_begin"])
def test_offsets_of_64_bits_whose_differences_wrap_are_refused(name, tmp_path):
    """2**63 - 1 to -2**63 is a step of 1 to whoever subtracts in 64 bits; memory was read far off then."""
    plain = plain_of("a ledger")
    plain["tree"]["ledger"][name][1:4] = [2**63 - 1, -(2**63), -1]
    message = refused(sealed(plain), tmp_path)
    assert (
        f"tree.ledger.{name}[2] is -9223372036854775808; it should be 0 at first, and never fall" in message
    )


LEDGER_FAULTS = {
    "a criterion of numbers": (("rules", "criterion"), "variance", "; it should suit a target of classes"),
    "rows too narrow": (("outcome",), lambda rows: [row[:-1] for row in rows], "there should be 3"),
    "one branch": (("branch_begin", 1), lambda begin: begin - 1, "number of branches[0] is 1"),
    "a branch of gaps that is none": (("missing_branch", 0), 2, "missing_branch[0] is 2"),
    "a verdict on nothing": (("verdict",), lambda verdicts: [0] * len(verdicts), "it should be one without"),
    "no cut": (("cut", 0), None, "cut[0] is nan"),
    "no gain": (("gain", 0), None, "gain[0] is nan"),
    "a gain without end": (("gain", 0), "inf", "gain[0] is inf"),
    "a node without rows": (("weight", 0), 0.0, "weight of a row's node[0] is 0.0"),
    "more gaps than rows": (("missing", 0), 1e6, "missing[0] is 1000000.0; it should be at most the weight"),
    "a negative weight": (("outcome", 0, 0), -1.0, "outcome[0] is -1.0; it should be a finite number from 0"),
    "figures of some": (("net_gain",), [], "net_gain has 0 values"),
    "cuts tried": (("n_tries", 0), -1, "n_tries[0] is -1; it should be a whole number of at least 0"),
}


@pytest.mark.parametrize(("path", "value", "message"), LEDGER_FAULTS.values(), ids=LEDGER_FAULTS)
def test_a_ledger_has_what_its_rows_need(path, value, message, tmp_path):
    plain = plain_of("a ledger of a pruned tree")
    *_, last = path
    holder = plain["tree"]["ledger"]
    for step in path[:-1]:
        holder = holder[step]
    holder[last] = value(holder[last]) if callable(value) else value
    found = refused(sealed(plain), tmp_path)
    assert "tree.ledger" in found
    assert message in found


def test_every_branch_of_a_tree_is_taken_by_some_value(tmp_path):
    plain = plain_of("multiway")
    tree = plain["tree"]
    at = tree["set_begin"][1:].index(next(end for end in tree["set_begin"] if end))
    first, last = tree["set_begin"][at], tree["set_begin"][at + 1]
    tree["set_branch"][first:last] = [0] * (last - first)
    assert "it should be a node that some category leads to" in refused(sealed(plain), tmp_path)


def test_classes_weigh_something_where_there_are_rows(tmp_path):
    plain = plain_of("gini")
    plain["tree"]["outcome"][1] = [0.0] * 3
    assert "weight of all classes[1] is 0.0; it should be above 0" in refused(sealed(plain), tmp_path)


def test_the_pruning_table_and_factors_are_checked(tmp_path):
    plain = plain_of("CART pruned with priors")
    n = len(plain["pruning"]["complexity"])
    for path, value, message in (
        (("pruning", "chosen"), n, f"pruning.chosen is {n}; it should be a whole number from 0 to {n - 1}"),
        (("pruning", "cv_std"), [0.5], f"pruning.cv_std has 1 values; there should be {n}"),
        (
            ("pruning", "n_leaves", 0),
            0,
            "n_leaves[0] is 0; it should be a whole number of at least 1",
        ),
        (("pruning", "root_risk"), None, "pruning.root_risk is null; it should be a finite number"),
        (("factors",), [1.0], "factors has 1 values; there should be 3"),
        (("factors", 0), -1.0, "factors[0] is -1.0; it should be at least 0"),
    ):
        faulty = copy.deepcopy(plain)
        put(faulty, path, value)
        assert message in refused(sealed(faulty), tmp_path)


def test_hostile_files_are_refused_at_once(tmp_path):
    plain = plain_of(GOOD)
    good = json.dumps(plain, ensure_ascii=False).encode()

    def with_cut(text):
        begin = good.index(b'"cut": [') + len(b'"cut": [')
        return resealed(good[:begin] + text + b", " + good[begin:])

    deep = b"[" * 200_000 + b"]" * 200_000
    assert "nested too deep" in refused(with_cut(deep), tmp_path)
    assert "nested too deep" in refused(with_cut(b'{"a":' * 100_000 + b"1" + b"}" * 100_000), tmp_path)
    assert "too large for a float64" in refused(with_cut(b"1e999"), tmp_path)
    assert "bare NaN" in refused(with_cut(b"NaN"), tmp_path)
    assert "bare -Infinity" in refused(with_cut(b"-Infinity"), tmp_path)
    assert "it is not JSON" in refused(with_cut(b"9" * 100_000), tmp_path)
    assert "tree.cut[0] is 99999" in refused(with_cut(b"9" * 400), tmp_path)
    assert "it is not JSON" in refused(with_cut(b"1 2"), tmp_path)
    assert "it is not JSON" in refused(with_cut(b'"\xff"'), tmp_path)
    twice = good[:-1] + b', "tree": {}}'
    assert "the field 'tree' twice" in refused(resealed(twice), tmp_path)
    huge = copy.deepcopy(plain)
    huge["tree"]["column"] = {"type": "int32", "shape": [2**39], "base64": "AAAA"}
    assert "tree.column has 3 bytes, and its shape" in refused(sealed(huge), tmp_path)
    huge["tree"]["column"] = {"type": "int32", "shape": [1, 1, 1], "base64": "AAAAAA=="}
    assert "a list of 1 lengths" in refused(sealed(huge), tmp_path)
    huge["tree"]["column"] = {"type": "object", "shape": [1], "base64": "AAAAAA=="}
    assert "tree.column.type is 'object'; it should be one of 'int32'" in refused(sealed(huge), tmp_path)
    huge["tree"]["column"] = {"type": "int32", "shape": [1], "base64": "!!"}
    assert "tree.column.base64 is not base64" in refused(sealed(huge), tmp_path)
    wide = copy.deepcopy(plain)
    wide["estimator"]["class_type"] = "str"
    wide["table"]["target"]["classes"] = ["a", "b", "c" * 2**26]
    assert "too large for type 'str'" in refused(sealed(wide), tmp_path)
    nested = copy.deepcopy(plain)
    for _ in range(60):
        nested["estimator"]["parameters"] = {"pruning": [nested["estimator"]["parameters"].get("pruning")]}
    assert "parameters.pruning is nested too deep" in refused(sealed(nested), tmp_path)


def test_a_chain_as_deep_as_it_is_long_is_checked_quickly():
    """200,000 levels: whatever goes level by level, or calls itself, would never end."""
    n = 400_001
    inner = np.arange(n) % 2 == 0
    inner[-1] = False
    child = np.stack([np.flatnonzero(inner) + 1, np.flatnonzero(inner) + 2], axis=1).ravel()
    tree = Tree(
        column=np.where(inner, 0, -1).astype(np.int32),
        cut=np.where(inner, 1.0, np.nan),
        cut_integer=np.zeros(n, np.int64),
        child_begin=np.append(0, np.cumsum(np.where(inner, 2, 0))).astype(np.int32),
        child=child.astype(np.int32),
        missing_branch=np.where(inner, 0, -1).astype(np.int32),
        set_begin=np.zeros(n + 1, np.int32),
        set_code=np.zeros(0, np.int32),
        set_branch=np.zeros(0, np.int32),
        search=np.zeros(n, np.int8),
        n_rows=np.ones(n, np.int64),
        weight=np.ones(n),
        outcome=np.ones((n, 1)),
        impurity=np.zeros(n),
        gain=np.zeros(n),
        n_columns=1,
        is_classifier=False,
    )
    kept = files.Saved(
        Model(replace(saved("numbers").model.schema, columns=(Column("x"),)), tree), "x", {}, True, None
    )
    back = files.from_bytes(files.to_bytes(kept))
    assert back.model.tree == tree
    assert back.model.predict([[2.0]]).tolist() == [1.0]


def preorder_by_walking(tree):
    """Tell whether nodes are numbered in pre-order, by walking down: the slow twin."""
    seen, ways = [], [0]
    while ways:
        node = ways.pop()
        if node in seen or not 0 <= node < tree.n_nodes:
            return False
        seen.append(node)
        ways += reversed(tree.children(node))
    return seen == list(range(tree.n_nodes))


def test_children_are_in_pre_order_just_where_walking_says_so():
    tree, schema = fitted("multiway").tree_, fitted("multiway").model_.schema
    rng = np.random.default_rng(2)
    assert preorder_by_walking(tree)
    n_sound = 0
    for _ in range(400):
        child = tree.child.copy()
        for _ in range(rng.integers(0, 3)):
            a, b = rng.integers(0, len(child), 2)
            child[a], child[b] = (child[b], child[a]) if rng.random() < 0.7 else (child[b], child[b])
        other = replace(tree, child=child)
        try:
            check_tree(other, schema)
            is_sound = True
        except ModelFileError:
            is_sound = False
        assert is_sound == preorder_by_walking(other)
        n_sound += is_sound
    assert 0 < n_sound < 400


# 2,000 damaged files.

SMALL = (
    "C4.5",
    "surrogates",
    "every type of column",
    "spread",
    "numbers",
    "ID3 with intervals",
    "prior and loss",
    "CART pruned with priors",
)
N_DAMAGED = 2000


def damage_bytes(rng, text):
    """Flip, cut, double or drop bytes."""
    text = bytearray(text)
    at = rng.randrange(len(text))
    way = rng.randrange(5)
    if way == 0:
        text[at] ^= 1 << rng.randrange(8)
    elif way == 1:
        del text[at:]
    elif way == 2:
        del text[at : at + rng.randrange(1, 30)]
    elif way == 3:
        text[at:at] = text[at : at + rng.randrange(1, 30)]
    else:
        other = rng.randrange(len(text))
        text[at], text[other] = text[other], text[at]
    return bytes(text)


STRANGE = [
    None,
    True,
    -1,
    0,
    1,
    2,
    3,
    7,
    0.5,
    -2.5,
    1e308,
    5e-324,
    2**31 - 1,
    2**31,
    -(2**63),
    2**64,
    "",
    "inf",
]
STRANGE += ["number", "上", [], {}, [1], [[]], {"base64": ""}, {"tuple": 1}]


def containers_of(plain):
    found, ways = [], [plain]
    while ways:
        each = ways.pop()
        found.append(each)
        ways += [
            v for v in (each.values() if isinstance(each, dict) else each) if isinstance(v, dict | list) and v
        ]
    return found


def damage_values(rng, plain):
    """Replace, drop, double or swap values and fields anywhere."""
    plain = copy.deepcopy(plain)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        holder = rng.choice(containers_of(plain))
        key = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        way = rng.randrange(5)
        if way == 0:
            holder[key] = copy.deepcopy(rng.choice(STRANGE))
        elif way == 1 and type(holder[key]) in (int, float):
            holder[key] += rng.choice([-1, 1, 2, -0.5])
        elif way == 2:
            del holder[key]
        elif way == 3 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        else:
            other = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
            holder[key], holder[other] = holder[other], holder[key]
        if not plain:
            break
    return plain


def answer(estimator, rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sums of made-up weights may overflow
        found = [estimator.apply(rows), estimator.predict(rows)]
        if hasattr(estimator, "predict_proba"):
            found.append(estimator.predict_proba(rows))
    return found


def test_no_damaged_file_is_taken_for_another_answer(tmp_path):
    """Half as accidents leave them; half with the right checksum, so that the structure is looked at."""
    rng = random.Random(20240229)
    path = tmp_path / "model.tw.json"
    contents, plains = {}, {}
    for name in SMALL:
        fitted(name).save(path)
        contents[name] = path.read_bytes()
        plains[name] = json.loads(contents[name])
        del plains[name]["checksum"]
    n_accepted = 0
    for number in range(N_DAMAGED):
        name = SMALL[number % len(SMALL)]
        if number % 2:
            text = damage_bytes(rng, contents[name])
            if text == contents[name]:
                continue
            path.write_bytes(text)
            with pytest.raises(ModelFileError):
                tw.load(path)
            continue
        if number % 8:
            text = sealed(damage_values(rng, plains[name]))
        else:
            body = contents[name][: contents[name].index(b',\n"checksum"')]
            text = resealed(damage_bytes(rng, body) + b"}")
        path.write_bytes(text)
        try:
            estimator = tw.load(path)
        except ModelFileError:
            continue
        # Sound, then, if not what was saved: it can be asked about anything and says the same twice.
        n_accepted += 1
        rows = KINDS[name].rows()
        try:
            first = answer(estimator, rows)
        except TreewrightError:
            continue  # such as a column that is now of another kind or has another name
        assert all(
            np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
            for a, b in zip(first, answer(estimator, rows), strict=True)
        )
        assert first[0].min() >= 0
        assert first[0].max() < estimator.tree_.n_nodes
        estimator.to_text()
    assert n_accepted > 20  # the damage is not so coarse that nothing but its traces is tested


def test_what_passes_the_checks_is_a_tree_to_the_core_too():
    """Arrays with wrong entries: those found sound make a router, and rows come out at leaves."""
    rng = np.random.default_rng(7)
    n_sound = n_refused = 0
    for name in ("surrogates", "spread", "multiway", "a branch for gaps"):
        model = fitted(name).model_
        for _ in range(150):
            tree = model.tree
            for _ in range(rng.integers(1, 3)):
                holder = tree.surrogates if len(tree.surrogates) and rng.random() < 0.4 else tree
                arrays = [name for name, per in holder.arrays().items() if not per.is_optional]
                which = rng.choice([each for each in arrays if getattr(holder, each).size])
                values = getattr(holder, which).copy()
                at = tuple(rng.integers(0, length) for length in values.shape)
                drawn = (
                    rng.choice([-1, 0, 1, 2, 5, 2**31 - 1])
                    if values.dtype.kind == "i"
                    else rng.choice([0, 3, 1e308])
                )
                values[at] = np.array(drawn).astype(values.dtype)
                changed = replace(holder, **{which: values})
                tree = changed if holder is tree else replace(tree, surrogates=changed)
            try:
                check_tree(tree, model.schema)
            except ModelFileError:
                n_refused += 1
                continue
            n_sound += 1
            router_of(tree)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                leaves = Model(model.schema, tree).apply(KINDS[name].rows())
            assert (tree.column[leaves] < 0).all()
    assert n_sound > 60
    assert n_refused > 200


def test_labels_and_numbers_come_back_to_the_bit():
    numbers = [
        5e-324,
        -0.0,
        0.1,
        1 / 3,
        1.7976931348623157e308,
        2.2250738585072014e-308,
        -1e22,
        123456789.123456789,
    ]
    tree = replace(saved("one leaf of numbers").model.tree, gain=np.array([0.0]), impurity=np.array([0.1]))
    for number in numbers:
        model = replace(saved("one leaf of numbers").model, tree=replace(tree, outcome=np.array([[number]])))
        back = files.from_bytes(files.to_bytes(files.Saved(model, "x", {}, True, None))).model.tree
        assert back == model.tree
        assert math.copysign(1, back.outcome[0, 0]) == math.copysign(1, number)


def test_classes_may_be_of_any_label():
    for labels in ((False, True), (-(2**63), 2**64 - 1), ("", "\u0000", "é", "𝄞")):
        model = saved("one class").model
        outcome = np.ones((model.tree.n_nodes, len(labels)))
        model = replace(
            model,
            schema=replace(model.schema, target=Classes(labels)),
            tree=replace(model.tree, outcome=outcome),
        )
        back = files.from_bytes(
            files.to_bytes(files.Saved(model, "x", {}, True, "object"))
        ).model.schema.target
        assert [(type(each), each) for each in back.labels] == [(type(each), each) for each in labels]
