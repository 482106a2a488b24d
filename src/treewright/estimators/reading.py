"""What a fitted tree offers beyond scikit-learn's methods: drawings, explanations, rules, smaller trees."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

import numpy as np
from numpy.typing import NDArray

from treewright.engines.threads import n_threads
from treewright.errors import ParameterError, ParameterTypeError
from treewright.estimators import conversion, saving
from treewright.estimators.base import BaseTree
from treewright.estimators.pruning import pruned
from treewright.estimators.reporting import EXAMPLES, rows_to_draw, summary_of
from treewright.estimators.ruling import RuleKind, rules_of
from treewright.explain.rules import RuleSet
from treewright.export import dot, html, json, mermaid, plot, pruning_plot, svg, text
from treewright.export.drawn import MOST_NODES
from treewright.export.look import Look, LookOptions
from treewright.fitting.simplify import simplified
from treewright.model.ledger import Ledger
from treewright.model.pruning_table import PruningTable
from treewright.parts.pruners import Method
from treewright.report.render import render, widget
from treewright.wording import Language, as_language
from treewright.writing import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treewright.explain.counterfactual import Counterfactual
    from treewright.explain.explanation import Explanation


class ReadableTree(BaseTree):
    """A tree that can be drawn, explained, pruned, reported and saved once it is fitted."""

    def get_depth(self) -> int:
        """Count the edges from the root to the deepest leaf.

        Returns
        -------
        int
            0 if the root is a leaf.
        """
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Count the leaves.

        Returns
        -------
        int
            At least 1.
        """
        return self.tree_.n_leaves

    def to_text(
        self, max_depth: int | None = None, width: int | None = text.WIDTH, lang: Language = "en"
    ) -> str:
        """Write the tree as indented text.

        Every leaf shows how well its training rows agree with its prediction: for classes, the percentage of
        their weight in the predicted class (100% only if the leaf is pure); for numbers, their standard
        deviation (``sd``), or the mean absolute error (``MAE``) or mean Poisson deviance if the tree was
        grown by it. The weights of the classes follow if there is room.

        Parameters
        ----------
        max_depth : int, optional
            Deepest level to write; the nodes below it are counted.
        width : int, optional
            Width of the terminal in columns, at least 40; Chinese characters take two. Names, lists of
            categories and class weights are shortened to fit; percentages and errors are not. None shortens
            nothing.
        lang : {"en", "zh"}, default="en"
            Language; names, categories and classes stay as they are.

        Returns
        -------
        str
            One line per node, or two if its name would have to be shortened beyond recognition.

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> print(DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"]).to_text())
        4 rows: no 2, yes 2
        ├── age <= 41 → no (100% of 2 rows)
        └── age > 41 → yes (100% of 2 rows)
        """
        return text.write(self.model_, max_depth, width, lang)

    def to_dot(
        self, max_depth: int | None = None, max_nodes: int | None = None, **look: Unpack[LookOptions]
    ) -> str:
        """Write the tree in Graphviz's language.

        Parameters
        ----------
        max_depth : int, optional
            Deepest level to write.
        max_nodes : int, optional
            Largest number of nodes to write. Nodes left out are counted in their place.
        **look : dict
            `node_ids`, `impurity`, `counts`, `precision`, `orientation` and `lang`, as for `to_svg`.

        Returns
        -------
        str
            A directed graph; node i of the tree is ``n<i>``.
        """
        return dot.write(self.model_, max_depth, max_nodes, Look.of(look))

    def to_mermaid(
        self, max_depth: int | None = None, max_nodes: int | None = MOST_NODES, **look: Unpack[LookOptions]
    ) -> str:
        """Write the tree as a Mermaid flowchart, for Markdown pages.

        Parameters
        ----------
        max_depth : int, optional
            Deepest level to write.
        max_nodes : int, optional
            Largest number of nodes to write; None writes all, but Mermaid rejects more than 500 branches.
            Nodes left out are counted in their place.
        **look : dict
            `node_ids`, `impurity`, `counts`, `precision`, `orientation` and `lang`, as for `to_svg`.

        Returns
        -------
        str
            A flowchart; node i of the tree is ``n<i>``.

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> print(DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"]).to_mermaid())
        flowchart TD
          n0["age<br>4 rows: 50% no"]
          n1(["no<br>100% of 2 rows"])
          n0 -->|"#60;= 41"| n1
          n2(["yes<br>100% of 2 rows"])
          n0 -->|"#62; 41"| n2
        <BLANKLINE>
        """
        return mermaid.write(self.model_, max_depth, max_nodes, Look.of(look))

    def to_json(self) -> str:
        """Write the tree as nested JSON, for programs that draw or translate trees.

        `treewright.export.json` lists the keys. To store a model, use `save` instead.

        Returns
        -------
        str
            One line of JSON.
        """
        return json.write(self.model_)

    def to_svg(
        self,
        max_depth: int | None = None,
        max_nodes: int | None = MOST_NODES,
        *,
        histograms: bool = False,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        **look: Unpack[LookOptions],
    ) -> str:
        """Draw the tree as SVG, without any other program or package.

        A box shows the question or the prediction of a node, with a bar for the class distribution. The width
        of a branch grows with its weight; it is dashed if only missing values take it and dotted if no
        training row did. Hover over a box to see all details of its node.

        Parameters
        ----------
        max_depth : int, optional
            Deepest level to draw.
        max_nodes : int, optional
            Largest number of nodes to draw; None draws all. Whole levels are drawn from the root on, then the
            heaviest nodes of the next level; nodes left out are counted in their place.
        histograms : bool, default=False
            Whether inner nodes have a small chart of the column they split on: bars of the classes by value
            or category, with the cut; for a numeric target, a point for each row and the means on both sides,
            or quartiles by category. The bar marked ``?`` shows the rows with a missing value.
        X, y, sample_weight : optional
            Rows to chart, with their target, as for `fit`. By default the objects that `fit` was given, as
            long as the program still refers to them; dicts and lists must be given again.
        **look : dict
            Additional content of boxes: `node_ids`, `impurity` and `counts` (weights of the classes) are
            False by default. `precision` is the number of significant digits of thresholds, predictions and
            impurities, by default as many as are needed to separate thresholds from the data around them.
            `orientation` is ``"down"`` or ``"right"``, `lang` ``"en"`` or ``"zh"``.

        Returns
        -------
        str
            An SVG document, which can also be embedded in HTML.

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> tree = DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"])
        >>> "node 2</text>" in tree.to_svg(node_ids=True, orientation="right")
        True
        >>> with_charts = tree.to_svg(X=X, y=["no", "no", "yes", "yes"])
        """
        rows = rows_to_draw(self, histograms, X, y, sample_weight)
        return svg.write(self.model_, max_depth, max_nodes, Look.of(look), rows)

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        max_depth: int | None = None,
        max_nodes: int | None = MOST_NODES,
        *,
        histograms: bool = False,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        **look: Unpack[LookOptions],
    ) -> str:
        """Write a page with the drawing and the text of the tree.

        Parameters
        ----------
        path : str or path, optional
            A file to write the page to as well. An existing file is replaced when the new one is complete.
        max_depth : int, optional
            As for `to_svg`.
        max_nodes : int, optional
            As for `to_svg`.
        histograms : bool, default=False
            As for `to_svg`.
        X, y, sample_weight : optional
            As for `to_svg`.
        **look : dict
            As for `to_svg`.

        Returns
        -------
        str
            The page. It needs no other files and contains no scripts.
        """
        rows = rows_to_draw(self, histograms, X, y, sample_weight)
        page = html.write(self.model_, max_depth, max_nodes, Look.of(look), rows)
        if path is not None:
            write_whole(path, page.encode("utf-8"))
        return page

    def plot(
        self,
        ax: Any = None,
        max_depth: int | None = None,
        max_nodes: int | None = MOST_NODES,
        *,
        histograms: bool = False,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        **look: Unpack[LookOptions],
    ) -> "Axes":
        """Draw the tree with matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a new figure as large as the drawing.
        max_depth : int, optional
            As for `to_svg`.
        max_nodes : int, optional
            As for `to_svg`.
        histograms : bool, default=False
            As for `to_svg`.
        X, y, sample_weight : optional
            As for `to_svg`.
        **look : dict
            As for `to_svg`.

        Returns
        -------
        matplotlib.axes.Axes
            The axes with the drawing.
        """
        rows = rows_to_draw(self, histograms, X, y, sample_weight)
        return plot.draw(self.model_, ax, max_depth, max_nodes, Look.of(look), rows)

    def explain(self, row: Any) -> "Explanation":
        """Explain the prediction for one row.

        Parameters
        ----------
        row : dict, series, 1-D array, list or table of one row
            A dict, or a series with names, has a value for every column of the training table, None if it is
            missing. It may also contain the target; any other name is an error. Other rows have their values
            in the order of the columns. A category that did not occur in training counts as missing, with a
            warning.

        Returns
        -------
        Explanation
            Prints as a page. `steps` are the questions on the path, `leaves` the leaves that the row reaches,
            with counts and `error_bound`; `contributions` are the changes along the path, and `shapley` the
            Shapley values of the columns.

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

        return explain(self.model_, row)

    def counterfactual(self, row: Any, target: Any = None, keep: Any = ()) -> "Counterfactual":
        """Find the smallest change of a row that changes its prediction, exactly.

        The smallest change alters the fewest columns and, among those, costs least. Changing a number costs
        the fraction of the tree's cuts in its column that lie between the two values: the tree knows its
        cuts, not the training table. Changing a category, or a missing value, costs 1. No value is ever
        removed, and a missing value that does not change takes the same branch as in `predict`. If several
        changes cost the same, the one whose leaf comes first in the tree is chosen.

        Parameters
        ----------
        row : dict, series, 1-D array, list or table of one row
            As for `explain`.
        target : label or (low, high), optional
            The class to reach, or a range of numbers, ends included, with None for an open end. By default
            any other prediction.
        keep : str or iterable of str
            Columns that must not change.

        Returns
        -------
        Counterfactual
            The changed `row`, the `changes` in words, their `cost` and the new `answer`.

        Raises
        ------
        UnreachableError
            If no allowed change leads to the target; the message says why. Also if a row with missing values
            reaches so many leaves that the search would not end.

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

        return counterfactual(self.model_, row, target, keep)

    def shapley_values(self, X: Any) -> NDArray[np.float64]:
        """Compute the Shapley values of every column for every row.

        The game is the one of `Explanation.shapley`, see `treewright.explain.shapley`: at a split on a column
        outside the coalition, a row goes down all branches by their training weight. The values of a row add
        up to its prediction minus `Explanation.expected`, the expected prediction.

        Parameters
        ----------
        X : table
            As for `predict`.

        Returns
        -------
        array of shape (n_samples, n_features) or (n_samples, n_features, n_classes)
            The latter for class probabilities, in the order of `classes_`.

        Examples
        --------
        >>> from treewright import DecisionTreeRegressor
        >>> tree = DecisionTreeRegressor().fit([[0, 1], [0, 5], [1, 1], [1, 5]], [1.0, 2.0, 3.0, 4.0])
        >>> tree.shapley_values([[0, 5], [1, 1]]).round(6)
        array([[-1. ,  0.5],
               [ 1. , -0.5]])
        """
        from treewright.explain.shapley import shapley_values

        snapshot = self._snapshot()
        return shapley_values(snapshot.model_, snapshot._table(X), n_threads(self.n_jobs))

    def rules(
        self,
        kind: RuleKind = "leaves",
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        confidence: float | None = None,
    ) -> RuleSet:
        """Write the tree as rules.

        Parameters
        ----------
        kind : {"leaves", "c45rules"}, default="leaves"
            ``"leaves"``: one rule for each leaf, with the conditions on one column merged; together they
            predict what the tree predicts. ``"c45rules"``: as Quinlan's C4.5rules derives them from the tree
            before pruning. Conditions are dropped from each rule while that does not raise its expected
            error, the rules of each class that describe the training rows in the fewest bits are kept, and
            they are put in order: the first rule that a row meets predicts. A missing value fails any
            condition on its column. With `verbose`, progress goes to standard error, as in `fit`.
        X : table, optional
            The training rows, as for `fit`; for ``"c45rules"`` only, which needs them.
        y : array-like or str, optional
            Their target, as for `fit`.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        confidence : float, optional
            Confidence of the upper limit of a rule's error; the smaller it is, the higher the limit. By
            default the estimator's own `confidence`, or 0.25 if it has none.

        Returns
        -------
        RuleSet
            Prints, predicts, iterates, and writes itself as text, Markdown, JSON and SQL.

        Notes
        -----
        For numbers, `spread` is the standard deviation if ``criterion="squared_error"``, the mean distance if
        ``"absolute_error"``, and otherwise the impurity of the leaf.

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
        return rules_of(self._snapshot(), kind, X, y, sample_weight, confidence)

    @property
    def ledger_(self) -> Ledger:
        """The candidate of every column at every node, if the tree was fitted with `keep_ledger=True`."""
        ledger = self.model_.ledger
        if ledger is None:
            raise AttributeError(
                "this tree was fitted without its ledger; fit it with keep_ledger=True, or compute that of "
                "one node with treewright.audit(estimator, X, y, node)."
            )
        return ledger

    def prune(
        self, method: Method, X: Any = None, y: Any = None, sample_weight: Any = None, **options: Any
    ) -> Self:
        """Make an estimator with a smaller tree, without growing a new one.

        Every method starts from the tree as it was grown if the estimator keeps it (in ``model_.grown``, as
        C4.5 and CART with pruning do), otherwise from the present tree.

        Parameters
        ----------
        method : str
            How to prune:

            - ``"cost-complexity"``: the best subtree if a leaf costs `alpha`, in units of risk, or `cp`, in
              units of the root's risk; or the largest of the nested subtrees with at most `leaves` leaves; or
              the one with the lowest cost on held-out `X`, `y`, measured by `scoring` (``"error"``, the
              default; ``"loss"``; ``"impurity"``: the squared distance of a row's class from the class
              distribution of its leaf; ``"squared_error"`` for numbers) and chosen by `rule` (``"min"``, or
              ``"1-se"``: the smallest within one standard error). `risk` is the cost on the rows the tree was
              grown on: ``"impurity"``, ``"error"`` or ``"loss"``.
            - ``"error-based"``: as in C4.5, by expected errors at a `confidence`, with `raising` of branches;
              needs the training rows as `X`, `y`.
            - ``"reduced-error"``: the smallest subtree of least error on held-out `X`, `y`; with `strict`,
              the largest: a node becomes a leaf only if that lowers the error.
            - ``"pre-pruning"``: from the root down, a split is kept only if it lowers the error on held-out
              `X`, `y` with its branches as leaves, as if growing had stopped there.
            - ``"pessimistic"``: adds half an error for each leaf, and allows `standard_errors`.
            - ``"minimum-error"``: by expected errors, where the prior of the classes weighs as much as `m`
              rows; by default as many rows as there are classes, all equally likely.
        X : table, optional
            Rows, for the methods that need them; other methods reject them.
        y : array-like or str, optional
            Their target, or the name of a column of `X`.
        sample_weight : array-like, optional
            Their weights, as for `fit`: they count cases, but weights that add up to 1 are scaled for
            ``rule="1-se"``. `class_weight` and `prior` apply as in fitting.
        **options : dict
            As described for each method.

        Returns
        -------
        Self
            A new, fitted estimator; this one does not change. `treewright.audit_pruning` lists what a method
            compared.

        Examples
        --------
        >>> from treewright import C45Classifier, datasets
        >>> tree = C45Classifier(pruning=False).fit(*datasets.load("golf"))
        >>> tree.prune("cost-complexity", leaves=3).get_n_leaves()
        1
        >>> tree.prune("pessimistic").get_n_leaves()
        5
        """
        snapshot = self._snapshot()
        return snapshot._with(pruned(snapshot, method, X, y, sample_weight, options))

    def simplify(self) -> Self:
        """Make an estimator without the splits that change no prediction.

        A subtree whose leaves all predict the same becomes a leaf. `predict` does not change for any row;
        `predict_proba` gives the class distribution of the new leaf.

        Returns
        -------
        Self
            A new estimator; this one does not change.

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> tree = DecisionTreeClassifier(max_depth=1).fit({"x": [1, 2, 3, 4, 5]}, [0, 1, 0, 0, 0])
        >>> tree.get_n_leaves(), tree.simplify().get_n_leaves()
        (2, 1)
        """
        snapshot = self._snapshot()
        model = snapshot.model_
        return snapshot._with(replace(model, tree=simplified(model.tree), grown=model.grown or model.tree))

    @property
    def pruning_table_(self) -> PruningTable:
        """The nested trees that pruning chose from, and the cost of each on held-out rows."""
        table = self.model_.pruning
        if table is None:
            raise AttributeError(
                f"this {type(self).__name__} has no pruning_table_: its tree was not chosen by held-out "
                "rows. CARTClassifier and CARTRegressor choose by cross-validation; or give held-out rows to "
                "prune('cost-complexity', X, y)."
            )
        return table

    def plot_pruning(self, ax: Any = None) -> "Axes":
        """Plot the costs of the trees in `pruning_table_` against their numbers of leaves.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default. Needs matplotlib: ``pip install treewright[plot]``.

        Returns
        -------
        matplotlib.axes.Axes
            The axes with the plot.
        """
        axes: Axes = pruning_plot.draw(self.pruning_table_, ax)
        return axes

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        lang: Literal["en", "zh"] = "en",
        title: str | None = None,
        examples: int = EXAMPLES,
    ) -> Path:
        """Write an interactive report: walk down the tree, prune it, try rows, and see how well it does.

        The report is a single HTML file that opens from disk and loads nothing. Its slider prunes the tree as
        `prune` does, and the figures are those of the smaller tree.

        Parameters
        ----------
        path : str or path
            The file to write, such as ``"tree.html"``. An existing file is replaced when the new one is
            complete.
        X : table
            Rows to evaluate the tree on, as for `fit`: the training rows or new ones. The report says which:
            they are the training table if they are, in any order, all the rows that the tree was grown on.
            Otherwise their figures come first, apart from those of the training rows; the report cannot know
            whether some of them were training rows too.
        y : array-like of shape (n_samples,), or str
            Their target, or the name of a column of `X`.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        lang : {"en", "zh"}, default="en"
            Language of the report.
        title : str, optional
            Title of the report.
        examples : int, default=30
            Number of these rows to include in the page, so that its reader can try them; use 0 if the reader
            must not see the values of single rows.

        Returns
        -------
        Path
            The file.

        Examples
        --------
        >>> import tempfile, treewright as tw
        >>> X, y = tw.datasets.load("golf")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = tw.C45Classifier().fit(X, y).report(f"{folder}/golf.html", X, y)
        ...     page.read_text("utf-8")[:15]
        '<!DOCTYPE html>'
        """
        if title is not None and not isinstance(title, str):
            raise ParameterTypeError(f"title={title!r} is not a string; give a string or None.")
        as_language(lang)
        page = render(summary_of(self, X, y, sample_weight, title, examples), lang)
        write_whole(path, page.encode("utf-8"))
        return Path(path)

    def view(
        self, X: Any = None, y: Any = None, sample_weight: Any = None, *, lang: Literal["en", "zh"] = "en"
    ) -> Any:
        """Show the page of `report` in a notebook.

        Parameters
        ----------
        X : table, optional
            As for `report`. By default the objects that `fit` was given, as long as the notebook still refers
            to them; dicts and lists must be given again.
        y : array-like of shape (n_samples,), or str, optional
            As for `report`.
        sample_weight : array-like of shape (n_samples,), optional
            As for `report`.
        lang : {"en", "zh"}, default="en"
            Language of the report.

        Returns
        -------
        anywidget.AnyWidget
            Appears if it is the last line of a cell. Needs anywidget:
            ``pip install treewright[notebook]``.
        """
        snapshot = self._snapshot()
        if X is None:
            rows = snapshot._fitted().rows.get()
            if rows is None or y is not None or sample_weight is not None:
                raise ParameterError("view needs rows to evaluate the tree on; give X and y, as to fit.")
            X, y, sample_weight = rows
        return widget(summary_of(snapshot, X, y, sample_weight), lang)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to a model file, ``*.tw.json``.

        The file is JSON, readable by people and other programs, with a checksum; loading it runs no code. The
        same estimator gives the same bytes. An existing file is replaced when the new one is safely on disk.

        Parameters
        ----------
        path : str or path
            The file to write.

        Raises
        ------
        ModelFileError
            If a file cannot hold the estimator. Functions, random number generators and other objects among
            the parameters are saved by name only: the loaded estimator predicts as before, and needs them
            again before it can be fitted.

        Examples
        --------
        >>> import tempfile, treewright as tw
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> tree = tw.DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tree.save(f"{folder}/visits.tw.json")
        ...     again = tw.load(f"{folder}/visits.tw.json")
        >>> again.predict({"age": [50], "visits": [2]}).tolist()
        ['yes']
        """
        saving.save(self, path)

    def to_sklearn(self) -> Any:
        """Convert to a fitted ``sklearn.tree`` estimator with the same predictions.

        scikit-learn casts tables to float32 before it compares, so the predictions agree for values that
        float32 represents exactly; a float64 within float32's rounding of a cut may take the other branch.

        Returns
        -------
        sklearn.tree.DecisionTreeClassifier or sklearn.tree.DecisionTreeRegressor
            The fitted estimator.

        Raises
        ------
        ConversionError
            If a column is compared as int64 (large whole numbers, datetimes, durations) or holds categories
            other than booleans, if a node has more than two branches, or if a loss changes predictions.
        """
        snapshot = self._snapshot()
        return conversion.to_sklearn(snapshot, snapshot.model_)

    @property
    def _repr_html_(self) -> Callable[[], str]:
        """What a notebook shows: scikit-learn's box of parameters, and the tree below it once it is fitted.

        As in scikit-learn, it is absent if ``display="text"`` is configured.
        """
        of_parameters = super()._repr_html_
        return lambda: self._with_drawing(of_parameters())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = self._with_drawing(bundle["text/html"])
        return bundle

    def _with_drawing(self, page: str) -> str:
        if not self.__sklearn_is_fitted__():
            return page
        return f'{page}<div style="overflow-x: auto">{self.to_svg()}</div>'
