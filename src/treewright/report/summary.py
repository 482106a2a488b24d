"""A model and rows to evaluate it on, as a plain dict: everything that a report shows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.export.drawn import spread_of
from treewright.model.labelled_rows import EncodedRows
from treewright.model.ledger import Ledger
from treewright.model.model import Model
from treewright.model.pruning_table import PruningTable
from treewright.model.questions import text_of_label
from treewright.model.rows import spelt
from treewright.model.tree import Tree
from treewright.report.curves import curves_of, ranked_classes
from treewright.report.distributions import NodeDistributions, histogram, profile_of
from treewright.report.figures import (
    baseline_of,
    importances_of,
    or_none,
    quality_of,
    rows_at_nodes,
    scores_of,
    shown_classes,
)
from treewright.report.nodes import ledger_of, nodes_of, plain_number, plain_numbers
from treewright.schema import Column

FORMAT, VERSION = "treewright report", 1
MOST_CLASSES = 8  # with their own colour in drawings; the others share one


@dataclass(frozen=True, eq=False)
class Stops:
    """The pruned trees that a report can show.

    Parameters
    ----------
    tree : Tree
        The largest tree; all others are its subtrees.
    alphas : array of float64
        The cost of a leaf from which on each tree is the best, ascending.
    risks : array of float64
        Training error of each, relative to that of the root.
    n_leaves : array of int64
        Their numbers of leaves.
    price : array of float64
        For each node of `tree` the cost of a leaf from which on it is no longer split.
    fitted : int or None
        Position of the model's own tree; None if it is not among them.
    n_larger : int
        Number of larger trees left out.
    """

    tree: Tree
    alphas: NDArray[np.float64]
    risks: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    price: NDArray[np.float64]
    fitted: int | None
    n_larger: int = 0

    def models(self, model: Model) -> Iterator[Model]:
        """Yield the model with each of the trees."""
        # Without ledgers, which are not used here and slow to divide.
        tree = replace(self.tree, ledger=None)
        return (replace(model, tree=tree_at(tree, self.price, alpha)) for alpha in self.alphas.tolist())


def summarize(
    model: Model,
    rows: EncodedRows,
    stops: Stops,
    learner: str,
    title: str | None,
    audited: Mapping[int, Ledger],
    are_training: bool | None,
    n_threads: int,
    risk: str,
    judged: Mapping[str, Any] | None,
    examples: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return everything that a report shows.

    Parameters
    ----------
    model : Model
        The model.
    rows : EncodedRows
        Rows to evaluate it on.
    stops : Stops
        The pruned trees to choose from.
    learner : str
        Name of the estimator.
    title : str or None
        Title of the report.
    audited : dict of int to Ledger
        Ledgers of some nodes of the first tree, if it was grown without a ledger.
    are_training : bool or None
        Whether the model was grown on these rows; None if that is not known.
    n_threads : int
        Number of threads for predictions.
    risk : str
        What the errors of the pruning table measure.
    judged : dict or None
        How well trees grown in the same way predict unseen rows, see ``judged`` below.
    examples : sequence of dict
        Some of the rows, see `treewright.report.examples.examples_of`.

    Returns
    -------
    dict
        Plain values for JSON:

        ``format``, ``version``, ``library``
            The format of this dict, and the version of treewright that grew the model.
        ``title``, ``learner``, ``parts``
            Title of the report, name of the estimator, and its choices.
        ``target``
            ``name`` and ``labels`` (texts; None for regression), ``groups``: the group of each class in
            drawings, ``n_groups``, ``has_rest``: whether the last group holds several classes; ``spread``:
            the measure of spread of the numbers of a node (see `treewright.export.drawn.spread_of`).
        ``takes_missing``
            Whether the model predicts for rows with missing values.
        ``columns``
            For each: ``name``, ``kind``, ``unit``, ``zone``, ``has_missing``, ``categories`` (texts),
            ``spelt``: texts of those categories that conditions write differently, ``are_numbers``: whether
            the categories are numbers, ``bins`` (edges of intervals and their texts), ``profile`` (see
            `treewright.report.distributions.profile_of`).
        ``rows``
            ``n``, ``weight``, ``are_training``, ``target``: weight by class or a histogram; ``examples``.
        ``trees``
            One or two trees, see `treewright.report.nodes.nodes_of`, each with ``spread`` (see
            `treewright.report.distributions.NodeDistributions.describe`), ``ledger`` (see
            `treewright.report.nodes.ledger_of`) and ``given``: None if these are the training rows, otherwise
            the outcomes of the rows at each node (see `treewright.report.figures.rows_at_nodes`).
        ``path``
            ``tree``: position of the largest of the pruned trees in ``trees``; ``price`` of each of its
            nodes; ``alphas``, ``leaves`` and ``risks`` of the pruned trees; ``fitted``: position of the
            model's own tree among them, or None if it is the first of ``trees``; ``n_larger``; ``table``:
            the pruning table, with its ``score`` on training rows (see
            `treewright.report.figures.scores_of`), or None; ``importances``: for each pruned tree, the
            importances of its most important columns, by position; ``quality``: how well each tree predicts
            the rows.
        ``importances``
            One for each column, for the model's own tree.
        ``quality``
            How well that tree predicts the rows, see `treewright.report.figures.quality_of`; for classes also
            ``labels``: the classes with their own rows in matrices, ``ranked``: the classes with curves, and,
            here and in ``path``, ``curves`` (see `treewright.report.curves.curves_of`).
        ``baseline``
            How well the root predicts the rows, see `treewright.report.figures.baseline_of`.
        ``judged``
            None, or how well trees grown in the same way predict unseen rows: ``folds``: the number of folds
            of a cross-validation, or None if the rows were held out; ``rows``: the number of rows; and
            ``value`` and ``standard_error`` of each score.
    """
    schema = model.schema
    labels, provenance = schema.labels, model.provenance
    groups = _groups(model.tree) if labels else None
    trees = [stops.tree] if stops.fitted is not None else [model.tree, stops.tree]
    n_groups = 1 if groups is None else int(groups.max()) + 1
    answers = model.answers_to_codes(rows.codes, n_threads)
    shown = shown_classes(rows, answers) if labels else []
    ranked = ranked_classes(rows) if labels else []
    baseline = baseline_of(model.tree, rows)

    def quality(each: Model) -> dict[str, Any]:
        # Predict with each tree separately: fractional weights, rows that stop at a node and losses matter.
        of = quality_of(rows, each.answers_to_codes(rows.codes, n_threads), shown)
        return of | ({"curves": curves_of(each, rows, ranked, n_threads)} if labels else {})

    return {
        "format": FORMAT,
        "version": VERSION,
        "library": None if provenance is None else provenance.library,
        "title": title,
        "learner": learner,
        "parts": {} if provenance is None else dict(provenance.parts),
        "grown_on": None if provenance is None else provenance.n_rows,
        "target": {
            "name": schema.target_name,
            "labels": [str(label) for label in labels] or None,
            "groups": None if groups is None else groups.tolist(),
            "n_groups": n_groups,
            "has_rest": n_groups < len(labels),
            "spread": None if labels else spread_of(model, 0)[0],
        },
        "takes_missing": schema.takes_missing,
        "columns": [
            _column(column) | {"profile": profile_of(codes, column)}
            for column, codes in zip(schema.columns, rows.codes, strict=True)
        ],
        "rows": {
            "n": rows.n_rows,
            "weight": plain_number(rows.weight),
            "are_training": are_training,
            "target": plain_numbers(rows.weight_of_classes())
            if labels
            else histogram(rows.targets, rows.weight_of_each),
            "examples": [*examples],
        },
        "trees": [
            nodes_of(tree, schema)
            | {
                "spread": NodeDistributions(tree, rows, groups).describe(schema),
                "ledger": ledger_of(tree, schema, audited if at == 0 else {}),
                "given": None if are_training else rows_at_nodes(tree, rows),
            }
            for at, tree in enumerate(trees)
        ],
        "path": {
            "tree": len(trees) - 1,
            "price": or_none(stops.price),
            "alphas": stops.alphas.tolist(),
            "leaves": stops.n_leaves.tolist(),
            "risks": stops.risks.tolist(),
            "fitted": stops.fitted,
            "n_larger": stops.n_larger,
            "table": None if model.pruning is None else _pruning(model.pruning, risk, baseline, are_training),
            "importances": [importances_of(each.tree) for each in stops.models(model)],
            "quality": [quality(each) for each in stops.models(model)],
        },
        "importances": model.tree.compute_feature_importances().tolist(),
        "quality": ({"labels": shown, "ranked": ranked} if labels else {}) | quality(model),
        "baseline": baseline,
        "judged": judged,
    }


def tree_at(tree: Tree, price: NDArray[np.float64], alpha: float) -> Tree:
    """Return the best subtree if a leaf costs `alpha`: nodes stay split if `alpha` is below their `price`."""
    return tree.collapsed(np.flatnonzero((price <= alpha) & (tree.column >= 0)).tolist())


def _groups(tree: Tree) -> NDArray[np.intp]:
    """Return the group of each class in drawings: each of the heaviest classes has its own."""
    groups = np.full(tree.outcome.shape[1], MOST_CLASSES)
    heaviest = np.sort(np.argsort(-tree.outcome[0], kind="stable")[:MOST_CLASSES])
    groups[heaviest] = np.arange(len(heaviest))
    return groups


def _column(column: Column) -> dict[str, Any]:
    bins, labels = column.bins, column.categories
    texts = [(str(label), text_of_label(label)) for label in labels]
    return {
        **{key: getattr(column, key) for key in ("name", "kind", "unit", "zone", "has_missing")},
        "categories": [plain for plain, _ in texts] if column.is_category else None,
        "spelt": {str(code): text for code, (plain, text) in enumerate(texts) if text != plain},
        "are_numbers": bool(labels) and not any(isinstance(label, str | bool) for label in labels),
        "bins": bins
        and {
            # Counts of datetimes and durations are texts: JavaScript numbers may not represent them exactly.
            "edges": [edge if bins.kind == "number" else str(int(edge)) for edge in bins.edges],
            "texts": [spelt(edge, column) for edge in bins.edges],
            **{key: getattr(bins, key) for key in ("kind", "unit", "zone")},
        },
    }


def _pruning(
    table: PruningTable, risk: str, baseline: dict[str, Any], are_training: bool | None
) -> dict[str, Any]:
    return {
        "score": scores_of(table, risk, baseline) if are_training else None,
        "leaves": table.n_leaves.tolist(),
        **{name: or_none(getattr(table, name)) for name in ("alpha", "relative_error", "cv_error", "cv_std")},
        "within_one_se": table.within_one_se if np.isfinite(table.cv_error).any() else None,
        "chosen": table.chosen,
    }
