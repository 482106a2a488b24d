"""Monotone columns: as their values rise, predictions may only rise, or only fall."""

from dataclasses import dataclass

from treewright.errors import ParameterError
from treewright.parts.part import Part


@dataclass(frozen=True, slots=True)
class Monotone(Part):
    """The columns along which predictions may only rise, or only fall.

    A prediction here is the number of a leaf, or the probability of the second of two classes. The two sides
    of a cut of such a column must have values in order and within the bounds of the node; the bounds of the
    children meet half-way between the two values. The prediction of a node is clipped to its bounds. Cuts of
    other columns are free; their children have the bounds of the node.

    Parameters
    ----------
    directions : tuple of int
        For each column 1 (predictions do not fall as its values rise), −1 (they do not rise) or 0. Empty
        means 0 for all columns.

    Examples
    --------
    >>> Monotone((1, 0)).is_constrained, Monotone((0, 0)).is_constrained, Monotone().is_constrained
    (True, False, False)
    >>> Monotone((2,))
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: directions holds 2 for column number 0; give -1, 0 or 1.
    """

    directions: tuple[int, ...] = ()

    def _check(self) -> None:
        for position, direction in enumerate(self.directions):
            if direction not in (-1, 0, 1):
                raise ParameterError(
                    f"directions holds {direction!r} for column number {position}; give -1, 0 or 1."
                )

    @property
    def is_constrained(self) -> bool:
        """Whether any column is monotone."""
        return any(self.directions)
