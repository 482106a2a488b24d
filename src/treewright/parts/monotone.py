"""Monotone columns say with which columns answers may only rise, or only fall."""

from dataclasses import dataclass

from treewright.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Monotone:
    """The order that answers are to have by each column.

    An answer here is the number of a leaf, or of two classes the share of the second one. A cut of such a
    column needs sides whose values are in order and within the bounds of the node, and the bounds of its
    children meet half-way between the two values. What a node answers is clipped to its bounds. Cuts of other
    columns are not looked at; their children have the bounds of the node.

    Parameters
    ----------
    directions : tuple of int
        For each column 1 (answers do not fall where its values rise), −1 (they do not rise) or 0. Empty: 0
        for all of them.

    Examples
    --------
    >>> Monotone((1, 0)).is_asked, Monotone((0, 0)).is_asked, Monotone().is_asked
    (True, False, False)
    >>> Monotone((2,))
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: directions holds 2 for column number 0; give -1, 0 or 1.
    """

    directions: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for position, direction in enumerate(self.directions):
            if direction not in (-1, 0, 1):
                raise ParameterError(
                    f"directions holds {direction!r} for column number {position}; give -1, 0 or 1."
                )

    @property
    def is_asked(self) -> bool:
        """Whether any column is to be monotone."""
        return any(self.directions)
