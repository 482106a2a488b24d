"""`treewright compare`: algorithms and pruning rules on the same folds."""

import re
import warnings
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import treewright
from treewright.cli import output, tables, trials
from treewright.cli.figures import plain_score, with_error
from treewright.cli.spelling import in_shell
from treewright.cli.words import say, steps
from treewright.errors import ParameterError, TreewrightError, UnseenCategoryWarning, did_you_mean, listed
from treewright.estimators.compare import PruningTrials
from treewright.estimators.scores import Score, mean_score
from treewright.formatting import format_number
from treewright.grid import Grid, shortened

_FOLDS = 10
_SENTENCE = re.compile(r"(?:'[^']*'|[^.']|\.(?! |$)|')+")


@dataclass(frozen=True, slots=True)
class _Result:
    """How well trees grown by an algorithm and pruned by a rule predict rows they were not grown on."""

    algorithm: str
    pruning: str
    leaves: int
    depth: int
    error: Score


def run(args: Namespace) -> None:
    """Run the command."""
    names = tuple(args.only) or tuple(tables.ALGORITHMS)
    for name in names:
        if name not in tables.ALGORITHMS:
            known = listed(tables.ALGORITHMS)
            hint = did_you_mean(name, tables.ALGORITHMS)
            raise ParameterError(f"--only {name}: no such algorithm; there are {known}.{hint}")
    trials.check_folds(args, least=2)
    rows = tables.read_training_table(args, "cart" if "cart" in names else names[0])
    labels = tables.labels_of(rows)
    n_folds = trials.n_folds_of(args, rows.table.n_rows, _FOLDS)
    folds = trials.deal_rows(rows.table, rows.target, labels, args.seed, n_folds)
    results = [_baseline(rows, labels)]
    for name in names:
        if rows.task in tables.ALGORITHMS[name]:
            results += _judged(name, args, rows, folds)
    results.sort(key=lambda each: (each.error.value, each.leaves))
    how = trials.cross_validation(n_folds, rows.table.n_rows)
    if args.json:
        output.put_json(
            {"how": how, "error": _unit(labels), "results": [_plain(r, results[0]) for r in results]}
        )
    else:
        output.put(f"{how}\n{_table(results, labels)}\n\n" + "\n".join(_notes(results)))


def _judged(
    name: str, args: Namespace, rows: tables.TrainingTable, folds: NDArray[np.int32]
) -> Iterator[_Result]:
    """Grow trees by an algorithm and prune them on the folds; skip it if it cannot read the table."""
    estimator = getattr(treewright, tables.ALGORITHMS[name][rows.task])()
    try:
        with warnings.catch_warnings():  # categories that occur only in held-out rows are expected
            warnings.simplefilter("ignore", UnseenCategoryWarning)
            trials.allow_new_categories(estimator, rows.table, rows.target)
            contest = PruningTrials(estimator, rows.table, rows.target, folds)
            n_folds = int(folds.max()) + 1
            for _ in steps(f"{name}: fold", contest.folds(), n_folds):
                pass
    except TreewrightError as error:
        if name in args.only:
            raise
        what = _SENTENCE.match(str(error))  # the first sentence: advice for Python is of no use here
        say(f"{name} left out: {in_shell(what[0] if what else str(error), args)}.")
        return
    for rule, tree in contest.pruned.items():
        size = tree.get_n_leaves(), tree.get_depth()
        yield _Result(name, rule, *size, mean_score(contest.losses[rule]))


def _baseline(rows: tables.TrainingTable, labels: list[Any]) -> _Result:
    true = tables.coded(rows.raw_target, labels)
    if not labels:
        return _Result(
            "baseline",
            f"always the mean, {format_number(true.mean())}",
            1,
            0,
            mean_score((true - true.mean()) ** 2),
        )
    commonest = int(np.bincount(true).argmax())
    text = f"always {shortened(str(labels[commonest]), 24)}"
    return _Result("baseline", text, 1, 0, mean_score((true != commonest).astype(np.float64)))


def _unit(labels: list[Any]) -> str:
    return "share of wrong predictions" if labels else "mean squared error"


def _table(results: list[_Result], labels: list[Any]) -> Grid:
    best = results[0]
    return Grid(
        {
            "algorithm": [each.algorithm for each in results],
            "pruning": [each.pruning for each in results],
            "leaves": [each.leaves for each in results],
            "wrong ± std. error" if labels else "squared error ± std. error": [
                with_error(each.error) for each in results
            ],
            "above the best": ["", *(with_error(each.error.minus(best.error)) for each in results[1:])],
        },
        {"leaves": ","},
    )


def _notes(results: list[_Result]) -> Iterator[str]:
    yield "Leaves: of the tree grown on all rows. Above the best: rows in pairs, with standard error."
    first, *others = results
    close = [each for each in others if (gap := each.error.minus(first.error)).value < 2 * gap.error]
    if first.algorithm == "baseline":
        yield "No tree is better than the baseline."
    elif any(each.algorithm == "baseline" for each in close):
        yield "The baseline is within two standard errors of the best: no tree is clearly better."
    elif close:
        n_alike = f"{len(close)} of the others are" if len(close) > 1 else "One other is"
        small = min((first, *close), key=lambda each: each.leaves)
        yield (
            f"{n_alike} within two standard errors of the best; the smallest tree of them has "
            f"{small.leaves:,} leaves ({small.algorithm}, {small.pruning})."
        )


def _plain(result: _Result, best: _Result) -> dict[str, Any]:
    return {
        **{name: getattr(result, name) for name in ("algorithm", "pruning", "leaves", "depth")},
        "error": plain_score(result.error),
        "above_the_best": plain_score(result.error.minus(best.error)),
    }
