"""Where a model comes from: the library, the choices and the rows it was grown from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Provenance:
    """The library, the choices and the rows that a model was grown from.

    Parameters
    ----------
    library : str
        Version of treewright.
    n_rows : int
        Number of training rows of positive weight, including those held out for pruning.
    weight : float
        Their weight.
    fingerprint : str
        Fingerprint of these rows, see `treewright.table.fingerprint`; 16 hexadecimal digits.
    parts : dict
        The part at every seam, as plain values: its name and its options.
    """

    library: str
    n_rows: int
    weight: float
    fingerprint: str
    parts: Mapping[str, Any] = field(default_factory=dict)
