"""Columns that a file declares before their values, as ARFF files and C4.5's names files do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Literal, TypeAlias

import numpy as np

from treewright.errors import FileError, did_you_mean, listed
from treewright.files.cells import coded, numbers_or_none, quick_numbers, settle
from treewright.files.options import Options
from treewright.files.rules import Rules
from treewright.files.source import Source
from treewright.table.read import Raw, Table

Row: TypeAlias = Sequence[str | None]
Rows: TypeAlias = Iterator[tuple[int, Row]]
AttributeKind: TypeAlias = Literal["number", "category", "found", "text", "datetime"]

_RULES = Rules(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Attribute:
    """A declared column.

    Parameters
    ----------
    name : str
        Its name.
    kind : {"number", "category", "found", "text", "datetime"}
        The values of a ``"category"`` are declared; those of ``"found"`` get codes in order of appearance.
    categories : tuple of str
        In declared order.
    most : int
        Largest number of values that may be found.
    datetime_format : str
        As for `datetime.strptime`; empty for ISO 8601.
    """

    name: str
    kind: AttributeKind
    categories: tuple[str, ...] = ()
    most: int = 0
    datetime_format: str = ""


def tables_of(
    attributes: Sequence[Attribute | None], rows: Rows, source: Source, options: Options, most: int | None
) -> Iterator[Table]:
    """Turn rows of cells into tables.

    Parameters
    ----------
    attributes : sequence of Attribute or None
        One for each cell of a row; None if the cell is ignored. Rows may end before the last attributes.
    rows : iterator of (int, row)
        The cells of each row, None for a missing value, with its line.
    source : Source
        The file.
    options : Options
        What the caller says about the file.
    most : int or None
        Rows of a table; None puts all rows into one.
    """
    while batch := list(islice(rows, most)):
        lines = [line for line, _ in batch]
        columns = zip(*(row for _, row in batch), strict=True)
        # Rows may lack the last columns.
        kept = [(attribute, cells) for attribute, cells in zip(attributes, columns) if attribute is not None]  # noqa: B905
        wanted = [kept[at] for at in options.wanted([attribute.name for attribute, _ in kept])]
        raws = [_raw(attribute, cells, options.missing_texts(), lines, source) for attribute, cells in wanted]
        yield Table(tuple(attribute.name for attribute, _ in wanted), raws, len(batch))


def _raw(attribute: Attribute, cells: Row, na: frozenset[str], lines: Sequence[int], source: Source) -> Raw:
    if attribute.kind == "number" and not na and None not in cells:
        quick = quick_numbers(cells, _RULES)  # type: ignore[arg-type]
        if quick is not None:
            return Raw(quick)
    codes, labels = coded(cells, na)

    def error(at: int, text: str) -> FileError:
        line = lines[int((codes == at).argmax())]
        return source.error(line, f"column {attribute.name!r} {text}")

    if attribute.kind == "category":
        code_of = {label: code for code, label in enumerate(attribute.categories)}
        for at, label in enumerate(labels):
            if label not in code_of:
                known = f"its declared values {listed(code_of)}.{did_you_mean(label, code_of)}"
                raise error(at, f"holds {label!r}, which is not among {known}")
        to = np.array([*map(code_of.__getitem__, labels), -1], dtype=np.int32)
        return Raw(to[codes], labels=list(attribute.categories), is_declared=True)
    if attribute.kind == "found" and len(labels) > (most := attribute.most):
        raise error(most, f"holds {labels[most]!r}, one value more than the {most} it was declared to have.")
    if attribute.kind == "number":
        numbers = numbers_or_none(codes, labels, _RULES)
        if numbers is None:
            are_numbers = (numbers_or_none(*coded([label]), _RULES) is not None for label in labels)
            at = list(are_numbers).index(False)
            raise error(at, f"expects a number, found {labels[at]!r}.")
        return Raw(np.full(len(codes), np.nan)) if numbers.is_missing().all() else numbers
    if attribute.kind == "datetime":
        texts, form = [], attribute.datetime_format
        for at, label in enumerate(labels):
            try:
                found = datetime.strptime(label, form) if form else datetime.fromisoformat(label)
            except ValueError:
                raise error(at, f"expects a date, found {label!r}.") from None
            texts.append(found.isoformat())
        return settle(codes, texts, _RULES, "datetime", attribute.name)
    return Raw(codes, labels=labels, is_declared=attribute.kind == "found")
