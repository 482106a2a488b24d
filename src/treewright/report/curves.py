"""How well the probabilities of a class sort rows: the data of ROC, lift and calibration curves."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.formatting import significant
from treewright.model.labelled_rows import EncodedRows
from treewright.model.model import Model
from treewright.model.tree_arrays import router_of
from treewright.report.nodes import plain_numbers

MOST_CLASSES = 8  # with curves of their own
_MOST_STEPS = 100  # of a curve; to have no more, neighbouring probabilities are combined
_N_BANDS = 10  # of a calibration curve
Array: TypeAlias = NDArray[Any]


def ranked_classes(rows: EncodedRows) -> list[int]:
    """Return the classes that have curves: the heaviest among these rows."""
    weight = rows.weight_of_classes()
    heaviest = np.argsort(-weight, kind="stable")[:MOST_CLASSES]
    return sorted(code for code in heaviest.tolist() if weight[code])


def curves_of(model: Model, rows: EncodedRows, classes: list[int], n_threads: int) -> list[dict[str, Any]]:
    """Measure how well the probabilities predicted by a model sort rows, for each of some classes.

    Returns
    -------
    list of dict
        ``scores``: distinct probabilities of the class, the highest first; ``hits`` and ``all``: for each,
        the weight of the rows of the class, and of all rows. If neighbouring probabilities are combined, the
        lowest is listed. ``auc``: area under the ROC curve, None if all rows or none are of the class;
        ``brier``: mean square of probability minus truth; ``bands``: for rows in tenths by probability, the
        mean probability, the share of the class and the weight.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.load("golf")
    >>> tree = tw.C45Classifier(pruning=False).fit(X, y)
    >>> rows = tree._labelled(X, y, None, "report on").encoded(tree.model_)
    >>> [curve["auc"] for curve in curves_of(tree.model_, rows, [0, 1], 1)]
    [1.0, 1.0]
    """
    probabilities, weight = _groups(model, rows, n_threads)
    return [_curve(probabilities[:, code], weight[:, code], weight.sum(axis=1)) for code in classes]


def _groups(model: Model, rows: EncodedRows, n_threads: int) -> tuple[Array, Array]:
    """Group rows with equal probabilities: return these probabilities, and the weight by class."""
    tree, router, k = model.tree, router_of(model.tree), rows.n_classes
    if model.spreads:
        probabilities = router.take(rows.codes, tree.probabilities, True, n_threads)
        assert probabilities is not None, "codes hold no infinity"
        weight = np.zeros((rows.n_rows, k))
        weight[np.arange(rows.n_rows), rows.targets] = rows.weight_of_each
        return np.round(probabilities, 12), weight
    leaves, leaf = np.unique(router.apply(rows.codes, n_threads), return_inverse=True)
    by_class = np.bincount(leaf * k + rows.targets, rows.weight_of_each, minlength=len(leaves) * k)
    return tree.probabilities[leaves], by_class.reshape(-1, k)


def _curve(scores: Array, hits: Array, whole: Array) -> dict[str, Any]:
    rising, group = np.unique(scores, return_inverse=True)
    scores = rising[::-1]
    hits, whole = (np.bincount(group, of, minlength=len(rising))[::-1] for of in (hits, whole))
    total, n_hits = float(whole.sum()), float(hits.sum())
    misses = whole - hits
    pairs = n_hits * float(misses.sum())
    # For pairs of a row of the class and another row: how often the first has the higher probability.
    above = np.cumsum(hits) - hits / 2
    brier = float((hits * (1 - scores) ** 2 + misses * scores**2).sum())
    middle = (np.cumsum(whole) - whole / 2) / total
    tenth = np.minimum(middle * _N_BANDS, _N_BANDS - 1).astype(np.intp)
    expected, found, n = _summed(tenth, scores * whole, hits, whole)
    some = n > 0
    bands = np.column_stack([expected[some] / n[some], found[some] / n[some], n[some]])
    steps = np.arange(len(scores))
    if len(scores) > _MOST_STEPS:
        steps = np.minimum(middle * _MOST_STEPS, _MOST_STEPS - 1).astype(np.intp)
    last = np.append(np.flatnonzero(np.diff(steps)), len(scores) - 1)
    hits, whole = _summed(steps, hits, whole)
    return {
        "scores": [significant(score) for score in scores[last].tolist()],
        "hits": plain_numbers(hits),
        "all": plain_numbers(whole),
        "auc": float((above * misses).sum()) / pairs if pairs else None,
        "brier": brier / total,
        "bands": [[significant(p), significant(share), weight] for p, share, weight in bands.tolist()],
    }


def _summed(group: Array, *values: Array) -> list[Array]:
    """Add up values by group; empty groups are left out."""
    members, place = np.unique(group, return_inverse=True)
    return [np.bincount(place, of, minlength=len(members)) for of in values]
