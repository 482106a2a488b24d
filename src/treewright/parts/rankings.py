"""Rankings say which column wins a node."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class BestScore:
    """The column with the best score; of equals the first one in the table."""


Ranking: TypeAlias = BestScore
