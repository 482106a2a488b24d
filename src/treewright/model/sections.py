"""The sections of a model file: for each, a pair of functions that write and read a part of a model.

To add one, write a pair here and a line in `SECTIONS`, add it to `model.schema.json`, and describe it in
`docs/reference/model-file.md`. Every field of a model belongs to a section; a test checks this.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from treewright.model.fields import Field, arrays_to_plain, check_length, check_record, packed, refuse_first
from treewright.model.ledger_arrays import LedgerArrays, LedgerRules
from treewright.model.model import Model
from treewright.model.provenance import Provenance
from treewright.model.pruning_table import PruningTable
from treewright.model.records import Per
from treewright.model.soundness import check_schema, check_tree
from treewright.model.surrogates import SurrogateArrays
from treewright.model.tree import Tree
from treewright.model.values import Plain
from treewright.schema import Bins, Classes, Column, Label, Numbers, Schema


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the file and the part of the model that it holds.

    Parameters
    ----------
    name : str
        Its name in the file.
    field : str
        The field of `Model` that it holds.
    to_plain : callable
        Takes the field's value and the schema; returns plain values.
    from_plain : callable
        Takes the section and the schema; returns the field's value or raises `ModelFileError`.
    is_optional : bool
        Whether a file may lack it; the field is then None.
    """

    name: str
    field: str
    to_plain: Callable[[Any, Schema], Plain]
    from_plain: Callable[[Field, Schema], Any]
    is_optional: bool = True


COLUMN_OPTIONS = ("unit", "zone", "has_missing", "is_left_out", "notation")
"""Fields of a column that are written only if they differ from the default."""


def model_to_plain(model: Model) -> dict[str, Plain]:
    """Write a model as sections, or raise if they could not be read again."""
    check_schema(model.schema)
    values = [(section, getattr(model, section.field)) for section in SECTIONS]
    return {each.name: each.to_plain(value, model.schema) for each, value in values if value is not None}


def model_from_plain(sections: Mapping[str, Field]) -> Model:
    """Read a model from the sections of a file, and check all of it."""
    schema = _table_from_plain(sections["table"])
    others = [section for section in SECTIONS[1:] if section.name in sections]
    return Model(schema, **{each.field: each.from_plain(sections[each.name], schema) for each in others})


def _table_to_plain(schema: Schema, _schema: Schema) -> Plain:
    target: dict[str, Plain] = {"name": schema.target_name}
    if isinstance(schema.target, Classes):
        target["classes"] = [_label(label) for label in schema.target.labels]
    columns = [_column_to_plain(column) for column in schema.columns]
    return {"takes_missing": schema.takes_missing, "target": target, "columns": columns}


def _column_to_plain(column: Column) -> Plain:
    """Write the name, the kind, and every field that differs from the default."""
    plain: dict[str, Plain] = {"name": column.name, "kind": column.kind}
    plain |= {name: value for name in COLUMN_OPTIONS if (value := getattr(column, name))}
    if column.is_category:
        plain["categories"] = [_label(label) for label in column.categories]
    if (bins := column.bins) is not None:
        plain["bins"] = {"kind": bins.kind, "unit": bins.unit, "zone": bins.zone, "edges": list(bins.edges)}
    return plain


def _label(label: Label) -> Label:
    return Field(label, f"the label {label!r:.60}").label()  # raises if it could not be read again


def _table_from_plain(table: Field) -> Schema:
    of = table.fields(["takes_missing", "target", "columns"])
    target = of["target"].fields(["name"], optional=["classes"])
    name = target["name"]
    labels = [label.label() for label in target["classes"].items()] if "classes" in target else None
    columns = tuple(_column_from_plain(column) for column in of["columns"].items())
    classes = Numbers() if labels is None else Classes(tuple(labels))
    target_name = None if name.value is None else name.text()
    schema = Schema(columns, classes, target_name, of["takes_missing"].flag())
    check_schema(schema)
    return schema


def _column_from_plain(column: Field) -> Column:
    of, read = column.scalars(Column, optional=[*COLUMN_OPTIONS, "categories", "bins"])
    if (read["kind"] == "category") != ("categories" in of):
        column.refuse("a column of kind 'category' if it has categories, and only then")
    if "categories" in of:
        read["categories"] = tuple(label.label() for label in of["categories"].items())
    if "bins" in of:
        read["bins"] = _bins_from_plain(of["bins"])
    return Column(**read)


def _bins_from_plain(bins: Field) -> Bins:
    of, read = bins.scalars(Bins)
    kind, is_moment = of["kind"].text(of=("number", "datetime", "duration")), read["kind"] != "number"
    if bool(read["unit"]) != is_moment or (read["zone"] and kind != "datetime"):
        of["unit"].refuse("a unit of datetimes and durations, and empty for numbers")
    edges = of["edges"].array(Per("edge", dtype=np.int64 if is_moment else np.float64)).tolist()
    return Bins(tuple(edges), **read)


def _provenance_to_plain(provenance: Provenance, _schema: Schema) -> Plain:
    return {"rows" if name == "n_rows" else name: value for name, value in asdict(provenance).items()}


def _provenance_from_plain(provenance: Field, _schema: Schema) -> Provenance:
    of = provenance.fields(["library", "rows", "weight", "fingerprint", "parts"])
    if not re.fullmatch("[0-9a-f]{16}", fingerprint := of["fingerprint"].text()):
        of["fingerprint"].refuse("16 hexadecimal digits")
    n_rows, weight = of["rows"].whole(), of["weight"].real()
    return Provenance(of["library"].text(), n_rows, weight, fingerprint, of["parts"].object())


def _tree_to_plain(tree: Tree, schema: Schema) -> Plain:
    check_tree(tree, schema)
    assert tree.integer_columns == _integers(schema), "the schema says which columns compare as int64"
    ledger = tree.ledger
    options: dict[str, Plain] = {
        "smoothing": float(tree.smoothing),
        "is_certain_when_empty": bool(tree.is_certain_when_empty),
        "surrogates": arrays_to_plain(tree.surrogates) if len(tree.surrogates) else None,
        "ledger": ledger is not None and {"rules": asdict(ledger.rules), **arrays_to_plain(ledger)},
    }
    return arrays_to_plain(tree) | {name: value for name, value in options.items() if value}


def _tree_from_plain(tree: Field, schema: Schema) -> Tree:
    of, arrays = tree.record(Tree, optional=TREE_OPTIONS)
    n, sets = len(arrays["column"]), {"set_begin", "set_code", "set_branch"}
    if 0 < len(arrays.keys() & sets) < len(sets):
        tree.refuse("an object with all of set_begin, set_code and set_branch, or none of them")
    zeros = Tree.zeros({"node": n})
    options = {name: read(of[name]) for name, read in TREE_OPTIONS.items() if name in of}
    built = Tree(
        **{name: zeros[name] for name, per in Tree.arrays().items() if per.omit} | arrays | options,
        n_columns=len(schema.columns),
        is_classifier=isinstance(schema.target, Classes),
        integer_columns=_integers(schema),
    )
    check_tree(built, schema, tree.place)
    return built


def _ledger_from_plain(ledger: Field) -> LedgerArrays:
    of, arrays = ledger.record(LedgerArrays, needed=["rules"])
    return LedgerArrays(LedgerRules(**of["rules"].scalars(LedgerRules)[1]), **arrays)


TREE_OPTIONS: Mapping[str, Callable[[Field], Any]] = {
    "smoothing": Field.real,
    "is_certain_when_empty": Field.flag,
    "surrogates": lambda field: SurrogateArrays(**field.record(SurrogateArrays)[1]),
    "ledger": _ledger_from_plain,
}
"""Fields of a tree other than its arrays, written only if they differ from the default, and their readers."""


def _integers(schema: Schema) -> tuple[int, ...]:
    return tuple(at for at, column in enumerate(schema.columns) if column.is_integer)


def _pruning_to_plain(table: PruningTable, _schema: Schema) -> Plain:
    return {"chosen": table.chosen, "root_risk": float(table.root_risk), **arrays_to_plain(table)}


def _pruning_from_plain(table: Field, _schema: Schema) -> PruningTable:
    of, arrays = table.record(PruningTable, needed=["chosen", "root_risk"])
    chosen = of["chosen"].whole(0, len(arrays["complexity"]) - 1)
    built = PruningTable(**arrays, root_risk=of["root_risk"].real(), chosen=chosen)
    check_record(built, {}, table.place)
    return built


def _factors_to_plain(factors: tuple[float, ...], _schema: Schema) -> Plain:
    return packed(np.array(factors, dtype=np.float64))


def _factors_from_plain(factors: Field, schema: Schema) -> tuple[float, ...]:
    values = factors.array(Per("class"))
    check_length(values, len(schema.labels), factors.place)
    refuse_first(values < 0, values, factors.place, "at least 0")
    return tuple(values.tolist())


SECTIONS = (
    Section("table", "schema", _table_to_plain, lambda table, _: _table_from_plain(table), is_optional=False),
    Section("provenance", "provenance", _provenance_to_plain, _provenance_from_plain),
    Section("tree", "tree", _tree_to_plain, _tree_from_plain, is_optional=False),
    Section("grown", "grown", _tree_to_plain, _tree_from_plain),
    Section("pruning", "pruning", _pruning_to_plain, _pruning_from_plain),
    Section("factors", "factors", _factors_to_plain, _factors_from_plain),
)
