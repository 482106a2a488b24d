"""Missing policies say where rows without a value go."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class LearnedBranch:
    """Try the missing rows on both sides of every cut and keep the better one.

    One question more is asked of a column with gaps: is there a value at all?
    """


@dataclass(frozen=True, slots=True)
class MajorityBranch:
    """Judge cuts by the rows with a value, and send the others where most of the weight goes."""


@dataclass(frozen=True, slots=True)
class OwnBranch:
    """Give the missing rows a branch of their own, the last one."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Take no table with missing values."""


MissingPolicy: TypeAlias = LearnedBranch | MajorityBranch | OwnBranch | Refuse
