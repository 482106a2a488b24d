"""Where a model comes from: the library, the choices and the rows that made it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Provenance:
    """The library, the choices and the rows that made a model.

    Parameters
    ----------
    library : str
        Version of treewright.
    n_rows : int
        Training rows of positive weight, those held out for pruning included.
    weight : float
        Their weight.
    fingerprint : str
        Of these rows, see `treewright.table.fingerprint`; 16 hexadecimal digits.
    parts : dict
        The part at every seam, as plain values: its name and its options.
    """

    library: str
    n_rows: int
    weight: float
    fingerprint: str
    parts: Mapping[str, Any] = field(default_factory=dict)
