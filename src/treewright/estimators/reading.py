"""What an estimator offers beyond scikit-learn's verbs, each a line that calls the room where it is done."""

from typing import Any

from treewright.estimators.fitted import Fitted


class Reading(Fitted):
    """Ways to read a fitted tree."""

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

        still = self._still()
        return to_sklearn(still, still._fitted().model)
