"""The constructor of an estimator, made from the parameters that its class declares."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

from treewright.estimators.renamed import takes_old_names

T = TypeVar("T")


@dataclass_transform(kw_only_default=True, eq_default=False)
def with_constructor(kind: type[T]) -> type[T]:
    """Give a class the constructor that scikit-learn requires of estimators.

    It takes the parameters that the class and its bases declare, as keywords, and stores them unchecked.

    Examples
    --------
    >>> @with_constructor
    ... class Estimator:
    ...     max_depth: int | None = None
    ...     cv: int = 10
    >>> Estimator(cv=5).cv
    5
    """
    made = dataclass(kw_only=True, eq=False, repr=False, match_args=False)(kind)
    made.__init__ = takes_old_names(made.__init__)  # type: ignore[method-assign]
    return made
