"""What all estimators that predict a class have in common."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import metadata_routing

from treewright.estimators.costs import class_weights
from treewright.estimators.reading import ReadableTree
from treewright.estimators.sklearn_base import ClassifierMixin
from treewright.model.labelled_rows import LabelledRows
from treewright.table.read import Raw
from treewright.table.target import CodedClasses, read_classes


class Classifies(ClassifierMixin, ReadableTree):
    """A tree whose target is a class."""

    __metadata_request__predict_proba = {"check_input": metadata_routing.UNUSED}  # noqa: RUF012

    @property
    def classes_(self) -> NDArray[Any]:
        """Class labels that occur in the target, sorted."""
        classes = self._fitted().classes
        assert classes is not None, "a classifier is fitted on classes"
        return classes

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def predict_proba(self, X: Any, check_input: bool = True) -> NDArray[np.float64]:
        """Predict the probability of each class for every row: its proportion in the leaf.

        Parameters
        ----------
        X : table
            As for `predict`.
        check_input : bool, default=True
            For compatibility with scikit-learn; the input is always checked.

        Returns
        -------
        array of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        state = self._fitted()
        rows = self._rows(X, state)
        return state.model.shares(rows, self._n_threads(rows))

    def _read_target(self, raw: Raw) -> CodedClasses:
        return read_classes(raw)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the natural logarithm of `predict_proba`; −inf for a probability of 0.

        Parameters
        ----------
        X : table
            As for `predict`.

        Returns
        -------
        array of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(shares)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Measure the accuracy: the fraction of rows whose class is predicted correctly.

        Parameters
        ----------
        X : table
            As for `predict`.
        y : array-like of shape (n_samples,), or str
            The true classes, or the name of a column of `X`.
        sample_weight : array-like of shape (n_samples,), optional
            A weight for each row.

        Returns
        -------
        float
            Between 0 and 1.
        """
        X, y = self._named_target(X, y)
        return float(super().score(X, y, sample_weight))

    def _weighed(self, rows: LabelledRows) -> LabelledRows:
        rows = super()._weighed(rows)
        if self.class_weight is None:
            return rows
        assert isinstance(rows.target, CodedClasses), "a classifier is fitted on classes"
        return replace(rows, weights=class_weights(self.class_weight, rows.target, rows.weights))
