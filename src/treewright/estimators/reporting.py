"""The content of the report on a fitted tree: the tree, its smaller versions, and how well each does."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError
from treewright.estimators.auditing import auditor_of
from treewright.estimators.base import BaseTree
from treewright.fitting.sequence import Sequence
from treewright.model.labelled_rows import EncodedRows, LabelledRows
from treewright.model.ledger import Ledger
from treewright.model.questions import Question
from treewright.parts.bounds import flag, whole
from treewright.report.examples import examples_of
from treewright.report.summary import Stops, summarize, tree_at
from treewright.table.fingerprint import fingerprint

EXAMPLES = 30  # default number of rows that a page includes, to be tried
_MOST_LEAVES = 3_000  # of the largest tree in a report
_ALL_BELOW = 50  # the slider has every tree of up to this many leaves,
_STEP = 1.03  # and larger ones whose numbers of leaves differ at least by this factor
_MOST_AUDITED = 16  # most nodes whose ledger is computed again,
_VALUES_AUDITED = 30_000_000  # or fewer, if that would take more values than this


def summary_of(
    estimator: BaseTree,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    title: str | None = None,
    examples: int = EXAMPLES,
    judged: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Collect the content of the report on a fitted estimator.

    Parameters
    ----------
    estimator : fitted estimator
        One of treewright's.
    X, y, sample_weight, title, examples
        As for its `report`.
    judged : dict, optional
        How well trees grown in the same way predict unseen rows, see `treewright.report.summary.summarize`.

    Returns
    -------
    dict
        Plain values, see `treewright.report.summary.summarize`.
    """
    estimator = estimator._snapshot()
    model = estimator.model_
    given = estimator._labelled(X, y, sample_weight, "report on")
    rows = given.encoded(model)
    are_training = None
    if model.provenance is not None:
        weights = estimator._weighed(given).weights
        are_training = fingerprint(rows.codes, rows.targets, weights) == model.provenance.fingerprint
    n_examples = whole("examples", examples, at_least=0)
    stops, learner = _stops(estimator), type(estimator).__name__
    ledgers = _audited(estimator, given, stops) if are_training else {}
    n_threads = estimator._n_threads(given.table)
    return summarize(
        model,
        rows,
        stops,
        learner,
        title,
        ledgers,
        are_training=are_training,
        n_threads=n_threads,
        risk=estimator._risk(),
        judged=judged,
        examples=examples_of(model, given, rows, n_examples),
    )


def rows_to_draw(
    estimator: BaseTree, histograms: bool, X: Any, y: Any, sample_weight: Any = None
) -> EncodedRows | None:
    """Return the rows that a drawing charts; None if it has no charts.

    Parameters
    ----------
    estimator : BaseTree
        The fitted estimator.
    histograms : bool
        Whether to chart the rows of `fit` if no rows are given.
    X, y, sample_weight : optional
        As for its `to_svg`.
    """
    histograms = flag("histograms", histograms)
    estimator = estimator._snapshot()
    if X is None and y is None and sample_weight is None:
        if not histograms:
            return None
        X, y, sample_weight = estimator._fitted().rows.get() or (None, None, None)
    if X is None:
        raise ParameterError(
            "histograms need the rows of fit, and they are not at hand; give X and y, as to fit."
        )
    return estimator._labelled(X, y, sample_weight, "draw").encoded(estimator.model_)


def _audited(estimator: BaseTree, rows: LabelledRows, stops: Stops) -> dict[int, Ledger]:
    """Compute the ledgers of the heaviest nodes again, unless the tree kept its ledger."""
    tree = estimator.tree_
    if tree.ledger is not None:
        return {}
    on_page = np.arange(tree.n_nodes)
    if stops.fitted is not None:
        is_leaf = stops.price <= stops.alphas[stops.fitted]
        on_page = np.flatnonzero(~stops.tree.over_ancestors(np.logical_or, is_leaf, False))
    inner = np.flatnonzero(tree.column >= 0)
    most = max(1, min(_MOST_AUDITED, _VALUES_AUDITED // (rows.table.n_rows * len(rows.table.columns))))
    heaviest = inner[np.argsort(-tree.weight[inner], kind="stable")][:most].tolist()
    if not heaviest:
        return {}
    auditor = auditor_of(estimator, rows)
    ledgers = {node: auditor.ledger(node) for node in heaviest}
    # If columns were drawn at random without a seed, another candidate may win now: leave such nodes out.
    return {
        int(on_page[node]): ledger for node, ledger in ledgers.items() if _is_of(ledger, tree.question(node))
    }


def _stops(estimator: BaseTree) -> Stops:
    """List the smaller trees that ``prune("cost-complexity", alpha=...)`` can give."""
    model, risk = estimator.model_, estimator._risk()
    grown = model.grown or model.tree
    sequence = Sequence.of(grown, risk, links="weakest" if risk == "impurity" else "rpart")
    n_larger = int(np.argmax(sequence.n_leaves <= _MOST_LEAVES))
    alphas, n_leaves = sequence.alphas[n_larger:], sequence.n_leaves[n_larger:]
    tree, price = sequence.tree, sequence.price
    if n_larger:
        is_leaf = price <= alphas[0]
        kept = ~tree.over_ancestors(np.logical_or, is_leaf, False)
        tree, price = sequence.at(float(alphas[0])), np.where(is_leaf, -np.inf, price)[kept]
    alike = np.flatnonzero(n_leaves == model.tree.n_leaves).tolist()
    fitted = [at for at in alike if tree_at(tree, price, alphas[at]) == model.tree]
    chosen = _few_enough(n_leaves, fitted[:1])
    return Stops(
        tree=tree,
        alphas=alphas[chosen],
        risks=sequence.risks[n_larger:][chosen] / (sequence.root_risk or 1.0),
        n_leaves=n_leaves[chosen],
        price=price,
        fitted=chosen.index(fitted[0]) if fitted else None,
        n_larger=n_larger,
    )


def _few_enough(n_leaves: NDArray[np.int64], always: list[int]) -> list[int]:
    """Choose so few of the nested trees that a slider can be set to each; the small ones matter most.

    Examples
    --------
    >>> _few_enough(np.array([103, 102, 101, 100, 2, 1]), [2])
    [0, 2, 3, 4, 5]
    """
    chosen = {0, *always}
    last = 0.0
    for at in range(len(n_leaves) - 1, -1, -1):
        if n_leaves[at] <= _ALL_BELOW or n_leaves[at] >= _STEP * last:
            chosen.add(at)
            last = float(n_leaves[at])
    return sorted(chosen)


def _is_of(ledger: Ledger, question: Question | None) -> bool:
    """Report whether the winner in a ledger is the split of its node."""
    won = None if ledger.winner is None else ledger.winner.question
    if won is None or question is None:
        return False
    return (won.column, getattr(won, "cut", None)) == (question.column, getattr(question, "cut", None))
