"""What an estimator offers beyond scikit-learn's verbs, each a line that calls the room where it is done."""

from typing import TYPE_CHECKING, Any

from treewright.export import text
from treewright.parts.bounds import whole

if TYPE_CHECKING:
    from treewright.model.model import Model


class Reading:
    """Ways to read a fitted tree."""

    def _fitted(self) -> "Model":
        raise NotImplementedError

    def to_text(self, max_depth: int | None = None) -> str:
        """Write the tree as indented text.

        Parameters
        ----------
        max_depth : int, optional
            Deepest level to write; what lies below is counted.

        Returns
        -------
        str
            One line per node.

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> print(DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"]).to_text())
        4 rows: no 2, yes 2
        ├── age <= 41 → no (2 rows)
        └── age > 41 → yes (2 rows)
        """
        return text.write(self._fitted(), max_depth and whole("max_depth", max_depth, at_least=0))

    def to_sklearn(self) -> Any:
        """Give a fitted ``sklearn.tree`` estimator that predicts the same.

        scikit-learn casts tables to float32 before it compares, so the answers are the same for values
        that a float32 holds exactly; a float64 within float32's rounding of a cut may take the other branch.

        Returns
        -------
        sklearn.tree.DecisionTreeClassifier or sklearn.tree.DecisionTreeRegressor

        Raises
        ------
        ConversionError
            If a column is compared as int64 (large whole numbers, datetimes, durations) or holds categories
            other than booleans, if a node has more than two branches, or if a loss changes answers.
        """
        from treewright.estimators.conversion import to_sklearn

        return to_sklearn(self, self._fitted())
