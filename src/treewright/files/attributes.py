"""Columns that a file declares before their values: what ARFF and C4.5's names have in common."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

import numpy as np

from treewright.errors import FileError, did_you_mean, listed
from treewright.files.cells import Codes, Rules, coded, numbers_or_none, quick_numbers, settle
from treewright.files.options import Options
from treewright.files.recast import recast
from treewright.table.read import Raw, Table

Row: TypeAlias = Sequence[str | None]

BATCH = 50_000
"""Rows at a time."""

_ONLY_NONE = Rules(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column as it was declared.

    Parameters
    ----------
    name : str
        Its name.
    kind : {"number", "category", "found", "text", "datetime"}
        A ``"category"`` has its values declared; those of ``"found"`` are numbered as they are found.
    categories : tuple of str
        In declared order.
    most : int
        How many values may be found.
    moment_format : str
        How moments are written, as `datetime.strptime` has it; empty for ISO 8601.
    """

    name: str
    kind: Literal["number", "category", "found", "text", "datetime"]
    categories: tuple[str, ...] = ()
    most: int = 0
    moment_format: str = ""


@dataclass(slots=True)
class Rows:
    """Some rows of a file, with the lines they stand in."""

    cells: list[Row] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, row: Row, line: int) -> None:
        """Add a row."""
        self.cells.append(row)
        self.lines.append(line)


def in_batches(rows: Iterator[tuple[Row, int]], most: int | None) -> Iterator[Rows]:
    """Gather rows, `most` at a time; all of them where that is None."""
    batch = Rows()
    for row, line in rows:
        batch.add(row, line)
        if most is not None and len(batch.lines) >= most:
            yield batch
            batch = Rows()
    if batch.lines:
        yield batch


def table_of(attributes: Sequence[Attribute | None], rows: Rows, name: str, options: Options) -> Table:
    """Turn rows of cells into columns.

    Parameters
    ----------
    attributes : sequence of Attribute or None
        One for each cell of a row; None where it is to be left out.
    rows : Rows
        The cells, None for a gap.
    name : str
        The file's name, for errors.
    options : Options
        What was told about the file.
    """
    cells = list(zip(*rows.cells, strict=True))
    kept = [(each, cells[at]) for at, each in enumerate(attributes) if each is not None]
    wanted = options.wanted([attribute.name for attribute, _ in kept])
    names, columns = [], []
    for attribute, column in (kept[at] for at in wanted):
        raw = _raw(attribute, _without(column, options.missing), rows.lines, name)
        names.append(attribute.name)
        columns.append(recast(raw, options.kinds.get(attribute.name), attribute.name))
    return Table(tuple(names), columns, len(rows.lines))


def refuse_doubled(names: Sequence[str], name: str) -> None:
    """Raise if two columns of a file have the same name."""
    doubled = [each for each, times in Counter(names).items() if times > 1]
    if doubled:
        raise FileError(f"{name} has more than one column named {listed(doubled)}. Rename all but one.")


def _without(cells: Row, missing: Sequence[str] | None) -> Row:
    if not missing:
        return cells
    gaps = frozenset(missing)
    return [None if cell in gaps else cell for cell in cells]


def _raw(attribute: Attribute, cells: Row, lines: Sequence[int], name: str) -> Raw:
    if attribute.kind == "number":
        texts = [cell for cell in cells if cell is not None]
        quick = quick_numbers(texts, _ONLY_NONE) if len(texts) == len(cells) else None
        if quick is not None:
            return Raw(quick)
    codes, labels = _coded(cells)
    if attribute.kind == "category":
        return _declared(attribute, codes, labels, lines, name)
    if attribute.kind == "found":
        if len(labels) > attribute.most:
            row = int((codes == attribute.most).argmax())
            raise FileError(
                f"{name}, line {lines[row]:,}: column {attribute.name!r} holds {labels[attribute.most]!r}, "
                f"one value more than the {attribute.most} it was declared to have."
            )
        return Raw(codes, labels=labels, is_declared=True)
    if attribute.kind == "number":
        numbers = numbers_or_none(codes, labels, _ONLY_NONE)
        if numbers is not None:
            return numbers if not _is_all_gaps(numbers) else Raw(np.full(len(codes), np.nan))
        wrong = {label for label in labels if numbers_or_none(*coded([label]), _ONLY_NONE) is None}
        _refuse(attribute, codes, labels, lines, name, "number", wrong)
    if attribute.kind == "datetime":
        moments = [_moment(label, attribute.moment_format) for label in labels]
        if None not in moments:
            return settle(codes, [str(each) for each in moments], _ONLY_NONE, "datetime", attribute.name)
        wrong = {label for label, moment in zip(labels, moments, strict=True) if moment is None}
        _refuse(attribute, codes, labels, lines, name, "date", wrong)
    return Raw(codes, labels=labels)


def _coded(cells: Row) -> tuple[Codes, list[str]]:
    codes, labels = coded(cells)  # type: ignore[arg-type]
    if None not in labels:
        return codes, labels
    gap = labels.index(None)  # type: ignore[arg-type]
    to = np.arange(len(labels), dtype=np.int32)
    to[gap], to[gap + 1 :] = -1, to[gap + 1 :] - 1
    return to[codes], labels[:gap] + labels[gap + 1 :]


def _declared(attribute: Attribute, codes: Codes, labels: list[str], lines: Sequence[int], name: str) -> Raw:
    code_of = {label: code for code, label in enumerate(attribute.categories)}
    for at, label in enumerate(labels):
        if label not in code_of:
            line = lines[int((codes == at).argmax())]
            hint = did_you_mean(label, attribute.categories)
            raise FileError(
                f"{name}, line {line:,}: column {attribute.name!r} holds {label!r}, which is not among its "
                f"declared values {listed(attribute.categories)}.{hint}"
            )
    to = np.array([*(code_of[label] for label in labels), -1], dtype=np.int32)
    return Raw(to[codes], labels=list(attribute.categories), is_declared=True)


def _refuse(
    attribute: Attribute,
    codes: Codes,
    labels: list[str],
    lines: Sequence[int],
    name: str,
    what: str,
    wrong: set[str],
) -> None:
    at = next(at for at, label in enumerate(labels) if label in wrong)
    line = lines[int((codes == at).argmax())]
    raise FileError(
        f"{name}, line {line:,}: column {attribute.name!r} expects a {what}, found {labels[at]!r}."
    )


def _is_all_gaps(raw: Raw) -> bool:
    return raw.missing is not None and bool(raw.missing.all())


def _moment(label: str, moment_format: str) -> str | None:
    """Give a moment as ISO 8601 writes it, None if the text is none."""
    try:
        if not moment_format:
            return datetime.fromisoformat(label).isoformat()
        return datetime.strptime(label, moment_format).isoformat()
    except ValueError:
        return None
