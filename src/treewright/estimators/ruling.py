"""Rules of a fitted tree: the estimator's way to `treewright.explain.rules`."""

from typing import TYPE_CHECKING, Any

from treewright.errors import ParameterError, did_you_mean
from treewright.estimators.fitted import Fitted
from treewright.explain.rules import RuleSet, leaf_rules
from treewright.model.labelled_rows import EncodedRows
from treewright.parts.bounds import real
from treewright.schema import Classes

if TYPE_CHECKING:
    from treewright.model.model import Model

_KINDS = ("leaves", "c45rules")


class Ruling(Fitted):
    """Ways to read a fitted tree as rules."""

    def rules(
        self,
        kind: str = "leaves",
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        confidence: float | None = None,
    ) -> RuleSet:
        """Read the tree as rules.

        Parameters
        ----------
        kind : {"leaves", "c45rules"}, default="leaves"
            ``"leaves"``: a rule for each leaf, with the conditions on one column merged; together they answer
            as the tree does. ``"c45rules"``: as Quinlan's C4.5rules makes them of the tree before pruning.
            Conditions are dropped from each rule as long as it expects no more errors then, of the rules of
            each class those are kept that describe the training rows in the fewest bits, and they are put in
            order: the first one that a row meets answers. A row without a value fails conditions on it.
        X, y : table, array-like or str
            The training rows, as for `fit`; only for ``"c45rules"``, which needs them.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the training rows.
        confidence : float, optional
            Of the upper limit of a rule's error; the smaller, the higher is the limit. By default the
            estimator's own `confidence`, 0.25 where it has none.

        Returns
        -------
        RuleSet
            Prints, predicts, iterates, and writes itself as text, Markdown, JSON and SQL.

        Notes
        -----
        `spread`, where answers are numbers, is the standard deviation under ``criterion="squared_error"``,
        the mean distance under ``"absolute_error"``, and otherwise the leaf's impurity as it is.

        References
        ----------
        Quinlan (1993), C4.5: Programs for Machine Learning, chapter 5. Quinlan (1995), MDL and categorical
        theories (continued).

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> tree = DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"])
        >>> for rule in tree.rules():
        ...     print(rule)
        if age ≤ 41 then no
        if age > 41 then yes
        """
        still = self._still()
        model = still._fitted().model
        if kind not in _KINDS:
            raise ParameterError(
                f"kind={kind!r} is unknown; available: 'leaves', 'c45rules'." + did_you_mean(kind, _KINDS)
            )
        if confidence is None:
            confidence = getattr(still, "confidence", 0.25)
        confidence = real("confidence", confidence, above=0.0, at_most=1.0)
        labels = still._fitted().classes
        if kind == "c45rules":
            from treewright.explain.c45rules import c45rules

            return c45rules(model, still._training_rows(model, X, y, sample_weight), confidence, labels)
        for name, given in (("X", X), ("y", y), ("sample_weight", sample_weight)):
            if given is not None:
                raise ParameterError(
                    f"rules(kind='leaves') reads the fitted tree alone; leave {name} out, "
                    "or ask for kind='c45rules'."
                )
        is_variance = getattr(still, "criterion", None) == "squared_error"
        return leaf_rules(model, confidence, is_variance, labels)

    def _training_rows(self, model: "Model", X: Any, y: Any, sample_weight: Any) -> EncodedRows:
        if not isinstance(model.schema.target, Classes):
            raise ParameterError(
                "rules(kind='c45rules') are about classes, and this tree answers with numbers; "
                "use kind='leaves'."
            )
        for name, given in (("X", X), ("y", y)):
            if given is None:
                raise ParameterError(
                    f"rules(kind='c45rules') needs the training rows, and {name} is None; "
                    "give X= and y= as to fit."
                )
        rows = self._weighed(self._labelled(X, y, sample_weight, "make rules of"))
        return rows.encoded(model).of_positive_weight()
