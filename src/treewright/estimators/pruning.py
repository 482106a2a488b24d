"""`prune`, `simplify` and the pruning table: smaller trees from a fitted one, nothing grown again."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np

from treewright.errors import ParameterError, TableError, did_you_mean, listed
from treewright.estimators import parameters as chosen
from treewright.estimators.fitted import Fitted
from treewright.estimators.targets import told_of_cases
from treewright.export import pruning_plot
from treewright.fitting.folds import scoring_of, table_of, tree_of
from treewright.fitting.judge import Scoring, judge
from treewright.fitting.progress import ProgressLine
from treewright.fitting.prune import prune
from treewright.fitting.sequence import Sequence
from treewright.fitting.simplify import simplified
from treewright.model.labelled_rows import EncodedRows
from treewright.model.pruning_table import PruningTable
from treewright.parts.bounds import real, whole
from treewright.parts.pruners import (
    RISKS,
    RULES,
    ErrorBased,
    MinimumError,
    Pessimistic,
    Pruner,
    ReducedError,
    Risk,
    Rule,
)
from treewright.table.weights import as_cases, cases_per_weight

if TYPE_CHECKING:
    from treewright.model.model import Model

Method: TypeAlias = Literal["cost-complexity", "error-based", "reduced-error", "pessimistic", "minimum-error"]
SCORINGS = ("error", "impurity", "loss", "squared_error")
# What each method may be told; X and y are those it needs, or None where they mean nothing to it.
OPTIONS: Mapping[Method, tuple[str, ...]] = {
    "cost-complexity": ("alpha", "cp", "leaves", "risk", "scoring", "rule"),
    "error-based": ("confidence", "raising"),
    "reduced-error": (),
    "pessimistic": ("standard_errors",),
    "minimum-error": ("m",),
}


class Pruning(Fitted):
    """Ways to a smaller tree."""

    @property
    def pruning_table_(self) -> PruningTable:
        """The nested trees that pruning had to choose from, and what each costs on rows not seen."""
        table = self._fitted().model.pruning
        if table is None:
            raise AttributeError(
                f"this {type(self).__name__} has no pruning_table_: its tree was not chosen by rows held "
                "out. CARTClassifier and CARTRegressor choose by cross-validation; or give held-out rows to "
                "prune('cost-complexity', X, y)."
            )
        return table

    def plot_pruning(self, ax: Any = None) -> Any:
        """Draw what the trees of `pruning_table_` cost against their number of leaves.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default. Needs matplotlib: ``pip install treewright[plot]``.

        Returns
        -------
        matplotlib Axes
        """
        return pruning_plot.draw(self.pruning_table_, ax)

    def simplify(self) -> Self:
        """Give the estimator without splits that change no prediction.

        A subtree whose leaves all answer alike becomes a leaf. `predict` answers as before for every row;
        `predict_proba` gives the shares of what is now one leaf.

        Returns
        -------
        estimator
            A new one; this one is left as it is.

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> tree = DecisionTreeClassifier(max_depth=1).fit({"x": [1, 2, 3, 4, 5]}, [0, 1, 0, 0, 0])
        >>> tree.get_n_leaves(), tree.simplify().get_n_leaves()
        (2, 1)
        """
        still = self._still()
        model = still._fitted().model
        return still._with(replace(model, tree=simplified(model.tree), grown=model.grown or model.tree))

    def prune(
        self, method: Method, X: Any = None, y: Any = None, sample_weight: Any = None, **options: Any
    ) -> Self:
        """Give the estimator with a smaller tree; nothing is grown again.

        Every rule starts from the tree as it was grown, where the estimator keeps that (`model_.grown`: C4.5
        and CART with pruning do), otherwise from the tree as it is.

        Parameters
        ----------
        method : {"cost-complexity", "error-based", "reduced-error", "pessimistic", "minimum-error"}
            The rule:

            - ``"cost-complexity"``: the best subtree where a leaf costs `alpha`, in units of risk, or `cp`,
              in units of the root's risk; or the largest of the nested trees with at most so many `leaves`;
              or the one that does best on held-out `X`, `y`, judged by `scoring` (``"error"``, the
              default; ``"loss"``; ``"impurity"``: the squared distance of a row's class from the shares of
              its leaf; ``"squared_error"`` for numbers) and chosen by `rule` (``"min"``, or ``"1-se"``: the
              smallest within one standard error). `risk` is what the rows grown on cost: ``"impurity"``,
              ``"error"`` or ``"loss"``.
            - ``"error-based"``: C4.5's, by the errors to be expected at a `confidence`, with `raising` of
              branches; needs the training rows as `X`, `y`.
            - ``"reduced-error"``: the smallest subtree of least error on held-out `X`, `y`.
            - ``"pessimistic"``: half an error a leaf, and so many `standard_errors`.
            - ``"minimum-error"``: expected errors where the classes' prior shares count as `m` rows; by
              default as many rows as there are classes, all equally likely.
        X : table, optional
            Rows, for the rules that need some; other rules refuse them.
        y : array-like or str, optional
            Their target, or the name of a column of `X`.
        sample_weight : array-like, optional
            Their weights, as for `fit`: they count cases, but those that add up to 1 are shares for
            ``rule="1-se"``. Classes weigh in as `class_weight` and `prior` said in fitting.
        **options
            As above.

        Returns
        -------
        estimator
            A new one, fitted; this one is left as it is.

        Examples
        --------
        >>> from treewright import C45Classifier, datasets
        >>> tree = C45Classifier(pruning=False).fit(*datasets.load("golf"))
        >>> tree.prune("cost-complexity", leaves=3).get_n_leaves()
        1
        >>> tree.prune("pessimistic").get_n_leaves()
        5
        """
        still = self._still()
        model = still._fitted().model
        grown = model.grown or model.tree
        if method not in OPTIONS:
            raise ParameterError(
                f"prune({method!r}): there is no such method; available: {listed(OPTIONS)}."
                + did_you_mean(method, OPTIONS)
            )
        for name in options:
            if name not in OPTIONS[method]:
                known = listed(OPTIONS[method]) or "none"
                raise ParameterError(
                    f"prune({method!r}) has no option {name!r}; it has {known}."
                    + did_you_mean(name, OPTIONS[method])
                )
        _refuse_rows_without_target(method, X, y, sample_weight)
        if method == "cost-complexity":
            tree, table = still._by_cost(grown, X, y, sample_weight, options)
            return still._with(replace(model, tree=tree, grown=grown, pruning=table))
        pruner = still._pruner_of(method, options)
        rows = None
        if isinstance(pruner, ErrorBased | ReducedError):
            if X is None:
                which = "the training rows" if isinstance(pruner, ErrorBased) else "rows held out of fit"
                raise ParameterError(f"prune({method!r}) needs {which}; give them as X and y.")
            rows = still._rows_to_prune_by(X, y, sample_weight, are_training=isinstance(pruner, ErrorBased))
        elif X is not None:
            raise ParameterError(
                f"prune({method!r}) goes by the rows that the tree was grown on, which it has counted; "
                "X and y mean nothing to it. Leave them out."
            )
        tree = prune(grown, pruner, rows, still._as_grown())
        return still._with(replace(model, tree=tree, grown=grown, pruning=None))

    def _by_cost(
        self, grown: Any, X: Any, y: Any, sample_weight: Any, options: dict[str, Any]
    ) -> tuple[Any, PruningTable | None]:
        risk = chosen.choice("risk", options.get("risk", self._risk()), dict(zip(RISKS, RISKS, strict=True)))
        ways = [name for name in ("alpha", "cp", "leaves") if options.get(name) is not None]
        if len(ways) + (X is not None) != 1:
            given = listed([*ways, *(["X, y"] if X is not None else [])]) or "none"
            raise ParameterError(
                f"prune('cost-complexity') takes one of alpha=, cp=, leaves= or held-out X, y to choose by; "
                f"given: {given}."
            )
        for name in ("scoring", "rule"):
            if X is None and name in options:
                raise ParameterError(
                    f"prune('cost-complexity', {ways[0]}=...) has no use for {name}=, which says how to "
                    "choose by held-out X, y."
                )
        sequence = Sequence.of(grown, risk, links="weakest" if risk == "impurity" else "rpart")
        if ways == ["leaves"]:
            return sequence.at_most(whole("leaves", options["leaves"], at_least=1)), None
        if ways:
            price = real(ways[0], options[ways[0]], at_least=0.0)
            return sequence.at(price * (sequence.root_risk if ways == ["cp"] else 1.0)), None
        rule = chosen.choice("rule", options.get("rule", "min"), dict(zip(RULES, RULES, strict=True)))
        scoring = self._scoring(grown, options.get("scoring"), risk)
        rows = self._new_rows(X, y, sample_weight, rule)
        judged = judge(rows, sequence, sequence.alphas, scoring)
        root_cost = scoring.at_root(grown) if grown.is_classifier else None
        table = table_of(sequence, judged, rule, root_cost)
        return tree_of(sequence, table), table

    def _scoring(self, tree: Any, name: object, risk: Risk) -> Scoring:
        """Judge held-out rows by what was asked for; by default by errors, or losses where these count."""
        factors = self._fitted().model.factors
        of_class = None if factors is None else np.array(factors)
        known = ("error", "impurity", "loss") if tree.is_classifier else ("error", "squared_error")
        by_default = "loss" if risk == "loss" else "error"
        judged_by = chosen.choice("scoring", name or by_default, {each: each for each in known})
        if judged_by == "loss" and tree.loss is None:
            raise ParameterError("scoring='loss' weighs answers by their loss, and the tree has none.")
        if judged_by == "squared_error":
            return Scoring(distance="squared")
        return scoring_of(tree, judged_by, self._as_grown().criterion, of_class)  # type: ignore[arg-type]

    def _pruner_of(self, method: str, options: dict[str, Any]) -> Pruner:
        if method != "reduced-error" and not self._fitted().model.tree.is_classifier:
            raise ParameterError(
                f"prune({method!r}) counts errors among classes, and this tree answers with numbers; use "
                "'cost-complexity' or 'reduced-error'."
            )
        if method == "error-based":
            own = [each for each in _parts(self._as_grown().pruner) if isinstance(each, ErrorBased)]
            return replace(own[0] if own else ErrorBased(), **options)
        makers: Mapping[str, Callable[..., Pruner]] = {
            "reduced-error": ReducedError,
            "pessimistic": Pessimistic,
            "minimum-error": MinimumError,
        }
        return makers[method](**options)

    def _rows_to_prune_by(self, X: Any, y: Any, sample_weight: Any, *, are_training: bool) -> EncodedRows:
        model = self._fitted().model
        rows = self._weighed(self._labelled(X, y, sample_weight, "prune by")).encoded(model)
        if model.factors is not None:
            rows = replace(rows, weights=rows.weight_of_each * np.array(model.factors)[rows.targets])
        if are_training:
            n_rows = int(np.count_nonzero(rows.weight_of_each))
            n_grown_on = int((model.grown or model.tree).n_rows[0])
            if n_rows != n_grown_on:
                raise TableError(
                    f"prune('error-based') needs the rows that the tree was grown on, {n_grown_on:,} of "
                    f"positive weight; X has {n_rows:,}."
                )
        return rows

    def _new_rows(self, X: Any, y: Any, sample_weight: Any, rule: Rule) -> EncodedRows:
        rows = self._labelled(X, y, sample_weight, "prune by")
        if rule == "1-se" and (cases := cases_per_weight(rows.weights)) > 1:
            with ProgressLine.wanted(self.verbose) as line:  # type: ignore[attr-defined]  # a parameter
                if line is not None:
                    line.tell(told_of_cases(cases))
            rows = replace(rows, weights=as_cases(rows.weights))
        return self._weighed(rows).encoded(self._fitted().model).of_positive_weight()

    def _with(self, model: "Model") -> Self:
        """Give a copy of the estimator with another model."""
        other = self._still()
        other._state = replace(self._state, model=model)
        return other


def _parts(pruner: Pruner) -> tuple[Pruner, ...]:
    return getattr(pruner, "pruners", (pruner,))


def _refuse_rows_without_target(method: str, X: Any, y: Any, sample_weight: Any) -> None:
    if (X is None) != (y is None):
        given, absent = ("X", "y") if y is None else ("y", "X")
        raise ParameterError(f"prune({method!r}): {given} was given without {absent}; give both, or neither.")
    if X is None and sample_weight is not None:
        raise ParameterError(f"prune({method!r}): sample_weight was given without X and y.")
