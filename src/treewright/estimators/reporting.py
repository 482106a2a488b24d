"""`report`: a fitted tree as one page to hand over."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError, ParameterTypeError
from treewright.estimators.auditing import auditor_of
from treewright.estimators.fitted import Fitted
from treewright.fitting.sequence import Sequence
from treewright.model.labelled_rows import LabelledRows
from treewright.report.render import check_language, render
from treewright.report.summary import Stops, summarize, tree_at
from treewright.report.widget import widget
from treewright.table.fingerprint import fingerprint
from treewright.writing import write_whole

if TYPE_CHECKING:
    import os

    from treewright.model.ledger import Ledger
    from treewright.model.questions import Question

_MOST_LEAVES = 3_000  # of the largest tree on a page
_ALL_BELOW = 50  # leaves: of smaller trees none is passed over
_MOST_AUDITED = 16  # nodes that are looked into again
_VALUES_AUDITED = 30_000_000  # ... as long as no more values are to be looked at than so many
_STEP = 1.03  # of larger ones, by how much the next must be larger


class Reporting(Fitted):
    """A fitted tree, handed over."""

    def report(
        self,
        path: "str | os.PathLike[str]",
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        lang: str = "en",
        title: str | None = None,
    ) -> Path:
        """Write one page to hand over: the tree to walk, to prune and to ask, and how well it does.

        The page is a single HTML file that opens from disk and fetches nothing. Where its slider prunes the
        tree, its figures are those of the smaller tree, as `prune` gives it.

        Parameters
        ----------
        path : str or path
            Where to write it, such as ``"tree.html"``; a file there is replaced once the page is whole.
        X : table
            Rows to judge the tree by, as for `fit`: those it was fitted on, or new ones. The page says which.
        y : array-like of shape (n_samples,), or str
            Their target, or the name of a column of `X`.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        lang : {"en", "zh"}
            Language of the page.
        title : str, optional
            What to call it.

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
            raise ParameterTypeError(f"title={title!r} is no text; give one, or None.")
        check_language(lang)
        page = render(self._still()._summary(X, y, sample_weight, title), lang)
        file = Path(path)
        write_whole(file, page.encode("utf-8"))
        return file

    def view(self, X: Any = None, y: Any = None, sample_weight: Any = None, *, lang: str = "en") -> Any:
        """Show the page of `report` in a notebook.

        Parameters
        ----------
        X, y, sample_weight
            As for `report`. By default the rows that the estimator was fitted with, as long as the notebook
            holds on to these objects; dicts and lists have to be given.
        lang : {"en", "zh"}
            Language of the page.

        Returns
        -------
        anywidget.AnyWidget
            Shows itself where it is the last line of a cell. Needs anywidget:
            ``pip install treewright[notebook]``.
        """
        still = self._still()
        if X is None:
            rows = still._fitted().rows.get()
            if rows is None or y is not None or sample_weight is not None:
                raise ParameterError("view needs rows to judge the tree by; give X and y, as to fit.")
            X, y, sample_weight = rows
        return widget(still._summary(X, y, sample_weight, None), lang)

    def _summary(self, X: Any, y: Any, sample_weight: Any, title: str | None) -> dict[str, Any]:
        model = self._fitted().model
        given = self._labelled(X, y, sample_weight, "report on")
        rows = given.encoded(model)
        are_training = None
        if model.provenance is not None:
            weights = self._weighed(given).weights
            are_training = fingerprint(rows.codes, rows.targets, weights) == model.provenance.fingerprint
        stops = self._stops()
        audited = self._audited(given, stops) if are_training else {}
        return summarize(
            model,
            rows,
            stops,
            type(self).__name__,
            title,
            audited,
            are_training=are_training,
            n_threads=self._n_threads(given.table),
        )

    def _audited(self, rows: LabelledRows, stops: Stops) -> "dict[int, Ledger]":
        """Look into the heaviest nodes again, where the tree has not kept its ledger."""
        tree = self._fitted().model.tree
        if tree.ledger is not None:
            return {}
        on_page = np.arange(tree.n_nodes)
        if stops.fitted is not None:
            is_leaf = stops.price <= stops.alphas[stops.fitted]
            on_page = np.flatnonzero(~stops.tree.over_ancestors(np.logical_or, is_leaf, False))
        inner = np.flatnonzero(tree.column >= 0)
        most = max(1, min(_MOST_AUDITED, _VALUES_AUDITED // (rows.table.n_rows * len(rows.table.columns))))
        heaviest = inner[np.argsort(-tree.weight[inner], kind="stable")][:most]
        if not len(heaviest):
            return {}
        auditor = auditor_of(self, rows)
        found = {int(on_page[node]): (int(node), auditor.ledger(int(node))) for node in heaviest}
        # Where columns were drawn at random and nobody knows how, something else would have won.
        return {at: one for at, (node, one) in found.items() if _is_of(one, tree.question(node))}

    def _stops(self) -> Stops:
        """Give the smaller trees that ``prune("cost-complexity", alpha=...)`` would."""
        model, risk = self._fitted().model, self._risk()
        sequence = Sequence.of(
            model.grown or model.tree, risk, links="weakest" if risk == "impurity" else "rpart"
        )
        n_larger = int(np.argmax(sequence.n_leaves <= _MOST_LEAVES))
        alphas, n_leaves = sequence.alphas[n_larger:], sequence.n_leaves[n_larger:]
        tree, price = sequence.tree, sequence.price
        if n_larger:
            is_leaf = price <= alphas[0]
            kept = ~tree.over_ancestors(np.logical_or, is_leaf, False)
            tree, price = sequence.at(float(alphas[0])), np.where(is_leaf, -np.inf, price)[kept]
        alike = np.flatnonzero(n_leaves == model.tree.n_leaves).tolist()
        fitted = [at for at in alike if tree_at(tree, price, alphas[at]) == model.tree]
        chosen = _not_too_many(n_leaves, fitted[:1])
        root_risk = sequence.root_risk
        return Stops(
            tree=tree,
            alphas=alphas[chosen],
            risks=sequence.risks[n_larger:][chosen] / (root_risk if root_risk else 1.0),
            n_leaves=n_leaves[chosen],
            price=price,
            fitted=chosen.index(fitted[0]) if fitted else None,
            n_larger=n_larger,
        )


def summary_of(
    estimator: Reporting, X: Any, y: Any, sample_weight: Any = None, title: str | None = None
) -> dict[str, Any]:
    """Put down all that the report of a fitted estimator says.

    Parameters
    ----------
    estimator : fitted estimator
        One of treewright's.
    X, y, sample_weight, title
        As for its `report`.

    Returns
    -------
    dict
        Plain values, see `treewright.report.summary.summarize`.
    """
    return estimator._summary(X, y, sample_weight, title)


def _not_too_many(n_leaves: NDArray[np.int64], always: list[int]) -> list[int]:
    """Choose among nested trees, of which the small ones matter most, so that a slider can be set to each.

    Examples
    --------
    >>> _not_too_many(np.array([103, 102, 101, 100, 2, 1]), [2])
    [0, 2, 3, 4, 5]
    """
    chosen = {0, *always}
    last = 0.0
    for at in range(len(n_leaves) - 1, -1, -1):
        if n_leaves[at] <= _ALL_BELOW or n_leaves[at] >= _STEP * last:
            chosen.add(at)
            last = float(n_leaves[at])
    return sorted(chosen)


def _is_of(ledger: "Ledger", question: "Question | None") -> bool:
    """Tell whether what won is what a node asks."""
    won = None if ledger.winner is None else ledger.winner.question
    if won is None or question is None:
        return False
    return (won.column, getattr(won, "cut", None)) == (question.column, getattr(question, "cut", None))
