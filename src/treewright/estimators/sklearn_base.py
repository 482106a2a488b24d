"""scikit-learn's base classes, with the types that it does not ship.

Without them mypy takes every estimator for `Any`, and accepts constructors with misspelt parameters.
"""

from collections.abc import Callable
from typing import Any, Self

# mypy takes it for true; at run time, and for other type checkers, the classes are scikit-learn's.
MYPY = False
if MYPY:

    class BaseEstimator:
        """Types of what treewright uses; anything else is allowed."""

        def get_params(self, deep: bool = True) -> dict[str, Any]: ...  # noqa: D102
        def set_params(self, **params: Any) -> Self: ...  # noqa: D102
        @property
        def _repr_html_(self) -> Callable[[], str]: ...
        def __sklearn_tags__(self) -> Any: ...
        def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]: ...
        def __getattr__(self, name: str) -> Any: ...

    class ClassifierMixin:
        """Types of what treewright uses."""

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...  # noqa: D102

    RegressorMixin = ClassifierMixin
else:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

__all__ = ["BaseEstimator", "ClassifierMixin", "RegressorMixin"]
