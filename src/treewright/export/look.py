"""How a drawing looks: the additional content of its boxes, its direction, its language."""

from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict, get_args

from treewright.errors import ParameterError, ParameterTypeError, did_you_mean, listed
from treewright.wording import Language, as_language

Orientation = Literal["down", "right"]
MOST_DIGITS = 17  # of a float64


class LookOptions(TypedDict, total=False):
    """The options of the methods that draw a tree; see `Look`."""

    node_ids: bool
    impurity: bool
    counts: bool
    precision: int | None
    orientation: Orientation
    lang: Language


@dataclass(frozen=True)
class Look:
    """How a drawing looks.

    Parameters
    ----------
    node_ids : bool
        Whether each box has the number of its node.
    impurity : bool
        Whether each box has the impurity of its node.
    counts : bool
        Whether each box has the weights of the classes.
    precision : int, optional
        Significant digits of thresholds, predictions and impurities, from 1 to 17; by default as many as are
        needed to distinguish the numbers.
    orientation : {"down", "right"}
        The direction of branches.
    lang : {"en", "zh"}
        Language; names, categories and classes stay as they are.

    Examples
    --------
    >>> Look.of({"node_ids": True}).node_ids
    True
    """

    node_ids: bool = False
    impurity: bool = False
    counts: bool = False
    precision: int | None = None
    orientation: Orientation = "down"
    lang: Language = "en"

    def __post_init__(self) -> None:
        for name in ("node_ids", "impurity", "counts"):
            if not isinstance(value := getattr(self, name), bool):
                raise ParameterTypeError(f"{name}={value!r} is neither True nor False.")
        digits = self.precision
        if digits is not None and (isinstance(digits, bool) or not isinstance(digits, int)):
            raise ParameterTypeError(f"precision={digits!r} is not a whole number; give one, or None.")
        if digits is not None and not 1 <= digits <= MOST_DIGITS:
            raise ParameterError(
                f"precision={digits} is out of range; give 1 to {MOST_DIGITS} digits, or None."
            )
        if self.orientation not in (known := get_args(Orientation)):
            raise ParameterError(f"orientation={self.orientation!r} is not known; give {listed(known)}.")
        as_language(self.lang)

    @classmethod
    def of(cls, options: Any) -> "Look":
        """Make a look from options by name; reject unknown names."""
        known = [each.name for each in fields(cls)]
        for name in options:
            if name not in known:
                hint = did_you_mean(name, known)
                raise ParameterTypeError(
                    f"{name}= is not an option of a drawing; there are {listed(known)}.{hint}"
                )
        return cls(**options)


PLAIN = Look()
