"""What can be told about a file, so that it need not be found out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from treewright.errors import ColumnError, did_you_mean, listed
from treewright.files.cells import CellKind


@dataclass(frozen=True, slots=True)
class Options:
    """What was told about a file; see `treewright.files.reader.read_file`, where `missing` is `na`."""

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    header: bool | None = None
    missing: Sequence[str] | None = None
    columns: Sequence[str] | None = None
    kinds: Mapping[str, CellKind] = field(default_factory=dict)
    other_kind: CellKind | None = None

    def kinds_in(self, names: Sequence[str]) -> dict[str, CellKind]:
        """Give what was told of the columns of a text, where a cell says nothing itself."""
        others = {} if self.other_kind is None else dict.fromkeys(names, self.other_kind)
        return {**others, **self.kinds}

    def wanted(self, names: Sequence[str]) -> list[int]:
        """Give the positions of the columns to read, in the order of the file.

        Raises
        ------
        ColumnError
            If a column is asked for, or has its kind told, that is not there.
        """
        for name in (*(self.columns or ()), *self.kinds):
            if name not in names:
                hint = did_you_mean(name, names) or f" Its columns are {listed(names)}."
                raise ColumnError(f"column {name!r} is not in the table.{hint}")
        if self.columns is None:
            return list(range(len(names)))
        asked = set(self.columns)
        return [at for at, name in enumerate(names) if name in asked]
