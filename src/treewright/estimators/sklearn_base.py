"""scikit-learn's base classes, with types, which scikit-learn does not ship.

Without them mypy treats every estimator as `Any`, and accepts constructors with misspelt parameters.
"""

from collections.abc import Callable
from typing import Any, Self

# mypy assumes that this is true; at run time, and for other type checkers, the classes are scikit-learn's.
MYPY = False
if MYPY:

    class BaseEstimator:
        """Types of the members that treewright uses; all others are allowed."""

        def get_params(self, deep: bool = True) -> dict[str, Any]: ...  # noqa: D102
        def set_params(self, **params: Any) -> Self: ...  # noqa: D102
        @property
        def _repr_html_(self) -> Callable[[], str]: ...
        def __sklearn_tags__(self) -> Any: ...
        def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]: ...
        def __getattr__(self, name: str) -> Any: ...

    class ClassifierMixin:
        """Types of the members that treewright uses."""

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...  # noqa: D102

    RegressorMixin = ClassifierMixin
else:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

__all__ = ["BaseEstimator", "ClassifierMixin", "RegressorMixin"]
