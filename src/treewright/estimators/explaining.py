"""What an estimator offers to say why, each a line that calls the room where it is done."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.estimators.fitted import Fitted

if TYPE_CHECKING:
    from treewright.explain.counterfactual import Counterfactual
    from treewright.explain.explanation import Explanation


class Explaining(Fitted):
    """Ways to ask a fitted tree why."""

    def explain(self, row: Any) -> "Explanation":
        """Say why the tree answers as it does for one row.

        Parameters
        ----------
        row : dict, series, 1-D array, list or table of one row
            A dict, or a series with names, has a value for every column of the training table, None for no
            value; the target may come along, any other name is an error. Other rows have their values in the
            order of the columns. A category that was not there in training counts as missing, with a warning.

        Returns
        -------
        Explanation
            Prints as a page. `steps` are the questions asked, `leaves` where the row ended with counts and
            `error_bound`, `contributions` what the steps changed and `shapley` the Shapley values of the
            columns.

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> tree = DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"])
        >>> print(tree.explain({"age": 50, "visits": 2}))
        yes (probability 1.000)
        <BLANKLINE>
        rows where  this row has  P(yes)  change
        all 4 rows                 0.500
        age > 41    age 50         1.000  +0.500
        <BLANKLINE>
        Leaf 2 with 2 rows: yes 2
        Wrong for up to 50.0% of such rows (C4.5's upper limit, CF 25%).
        <BLANKLINE>
        column  value  on the path  Shapley
        start                0.500    0.500
        age     50          +0.500   +0.500
        answer               1.000    1.000
        """
        from treewright.explain.explanation import explain

        return explain(self._fitted().model, row)

    def counterfactual(self, row: Any, target: Any = None, keep: Any = ()) -> "Counterfactual":
        """Find the least change of a row that changes the answer, exactly.

        A change is least if fewest columns change; of those with as many, if they move least. A number moves
        by the share of the cuts, among all that the tree asks about in its column, which lie between the two
        values: the tree knows its cuts, not the training table. A category, or a value that was missing,
        moves by 1. Values are never taken away, and what is missing and does not change goes where it goes in
        predicting. Of changes that are equal in this, the one whose leaf comes first in the tree is given.

        Parameters
        ----------
        row : dict, series, 1-D array, list or table of one row
            As for `explain`.
        target : label or (low, high), optional
            The class to reach, or the range of the number: ends included, None for an open one. By default
            any other answer will do.
        keep : str or iterable of str
            Columns that may not change.

        Returns
        -------
        Counterfactual
            `row` after the change, the `changes` in words, the `cost`, and the new `answer`.

        Raises
        ------
        UnreachableError
            If no allowed change leads there; the text says why. Also where a row without values is spread
            over so many leaves that the search does not come to an end.

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> tree = DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"])
        >>> change = tree.counterfactual({"age": 50, "visits": 2}, target="no")
        >>> print(*change.changes)
        age 50 → ≤ 41
        >>> change.row
        {'age': 41, 'visits': 2}
        """
        from treewright.explain.counterfactual import counterfactual

        return counterfactual(self._fitted().model, row, target, keep)

    def shapley_values(self, X: Any) -> NDArray[np.float64]:
        """Give the Shapley values of every column for every row.

        The game is that of `Explanation.shapley`, see `treewright.explain.shapley`: columns that are left out
        send a row down all branches by their training weight. The values of a row add up to what is predicted
        for it less what is expected of any row, `Explanation.expected`.

        Parameters
        ----------
        X : table
            As for `predict`.

        Returns
        -------
        array of shape (n_samples, n_features) or (n_samples, n_features, n_classes)
            The latter for the probabilities of classes, in the order of `classes_`.

        Examples
        --------
        >>> from treewright import DecisionTreeRegressor
        >>> tree = DecisionTreeRegressor().fit([[0, 1], [0, 5], [1, 1], [1, 5]], [1.0, 2.0, 3.0, 4.0])
        >>> tree.shapley_values([[0, 5], [1, 1]]).round(6)
        array([[-1. ,  0.5],
               [ 1. , -0.5]])
        """
        from treewright.explain.shapley import shapley_values

        still = self._still()
        return shapley_values(still._fitted().model, still._table(X))
