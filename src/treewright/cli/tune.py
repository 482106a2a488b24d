"""`treewright tune`: depth, size of leaves and pruning, chosen by nested cross-validation."""

import itertools
import math
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import treewright
from treewright.cli import output, settings, shown, tables, trials
from treewright.cli.figures import Evaluation, evaluation, plain_score, with_error
from treewright.cli.words import say, steps
from treewright.errors import ParameterError
from treewright.estimators.folds import side_by_side, threads_for
from treewright.estimators.scores import Score, mean_score
from treewright.formatting import format_count
from treewright.grid import Grid
from treewright.table.read import Table

_FOLDS = 5
_MOST_LISTED = 20
_GRIDS: Mapping[str, Mapping[str, list[Any]]] = {
    "cart": {
        "max_depth": [3, 6, 12, None],
        "min_samples_leaf": [20, 5, 1],
        "cp": [0.03, 0.01, 0.003, 0.001, 0.0],
    },
    "c45": {
        "max_depth": [3, 6, 12, None],
        "min_cases": [20, 5, 2],
        "confidence": [0.01, 0.05, 0.25, 0.5, None],
    },
}
"""The values tried by default, small trees first; the last parameter prunes trees that are grown once."""
_PRUNING = {"cp": "cost-complexity", "confidence": "error-based"}
Setting = tuple[Any, ...]


def run(args: Namespace) -> None:
    """Run the command."""
    width, lang = shown.text_width_of(args.width), shown.language(args)
    output.check_output(args.output, args.force, *output.MODEL, only_file=True)
    trials.check_folds(args, least=2)
    grid = _grid(args)
    rows = tables.read_training_table(args, args.algorithm)
    labels = tables.labels_of(rows)
    kind = tables.ALGORITHMS[args.algorithm].get(rows.task)
    if kind is None:
        raise ParameterError(f"--algorithm {args.algorithm} predicts classes; for regression use cart.")
    threads = threads_for(rows.table.n_rows * len(rows.table.columns), None)
    tuner = _Tuner(getattr(treewright, kind), grid, rows.target, labels, 1 if threads > 1 else None)
    n_folds = trials.n_folds_of(args, rows.table.n_rows, _FOLDS, least=3)
    n_settings = math.prod(map(len, grid.values()))
    say(f"Trying {format_count(n_settings, 'setting')} on {n_folds} folds, in each fold.")
    figures, chosen = _nested(tuner, args, rows, n_folds, threads)
    folds = trials.deal_rows(rows.table, rows.target, labels, args.seed, n_folds)
    tried = tuner.tried(rows.table, folds, threads)
    order = sorted(tried, key=lambda setting: tried[setting].value)  # stable: the first of equals wins
    estimator = tuner.fit(order[0], rows.table)
    n_rows = format_count(rows.table.n_rows, "row")
    how = (
        f"Nested cross-validation, {n_folds} folds in each of {n_folds}: {n_rows},\n"
        "each predicted by a tree that was tuned and grown without it"
    )
    settings_tried = _tried(tuner, tried, order, chosen)
    with output.saved(estimator, args.output):
        if args.json:
            output.put_json(
                {
                    "how": how.replace("\n", " "),
                    "judged": figures.plain(),
                    "tried": [
                        {
                            **dict(zip(grid, setting, strict=True)),
                            "error": plain_score(tried[setting]),
                            "above_the_best": plain_score(tried[setting].minus(tried[order[0]])),
                            "folds_that_chose_it": chosen.count(setting),
                        }
                        for setting in order
                    ],
                    "leaves": estimator.get_n_leaves(),
                    "model": args.output,
                }
            )
        else:
            name, n_leaves = type(estimator).__name__, estimator.get_n_leaves()
            best = ", ".join(
                f"{name}={output.json_of(value)}" for name, value in zip(grid, order[0], strict=True)
            )
            output.put_sections(
                f"{name}: {format_count(n_leaves, 'leaf', 'leaves')}, depth {estimator.get_depth()}; {best}",
                f"{how}\n{figures}",
                f"Settings tried, by {n_folds}-fold cross-validation of all rows\n{settings_tried}",
                f"The tree, grown on all {n_rows}\n{shown.tree_text(estimator.model_, width, lang)}",
            )


def _grid(args: Namespace) -> dict[str, list[Any]]:
    """Return the values to try, by parameter."""
    grid = dict(_GRIDS[args.algorithm])
    for name, values in settings.parameters(getattr(args, "try"), grid, args.algorithm, "--try").items():
        grid[name] = values if isinstance(values, list) else [values]
        if not grid[name]:
            raise ParameterError(f"--try {name}=[]: give at least one value.")
    return grid


def _nested(
    tuner: "_Tuner", args: Namespace, rows: tables.TrainingTable, n_folds: int, threads: int
) -> tuple[Evaluation, list[Setting]]:
    """Tune and grow without each fold, and predict it; also return the setting chosen for each fold."""
    table, labels = rows.table, tuner.labels
    folds = trials.deal_rows(table, rows.target, labels, args.seed, n_folds)
    true = tables.coded(rows.raw_target, labels)
    answers, shares = np.zeros_like(true), np.zeros((len(true), len(labels)))

    def without(fold: int) -> tuple[Setting, Any]:
        rest = table.take(folds != fold)
        inner = trials.deal_rows(rest, rows.target, labels, args.seed, min(n_folds, rest.n_rows))
        tried = tuner.tried(rest, inner, threads)
        best = min(tried, key=lambda setting: tried[setting].value)
        return best, tuner.fit(best, rest)

    chosen = []
    for fold, (best, tree) in enumerate(steps("tuning without fold", map(without, range(n_folds)), n_folds)):
        held = folds == fold
        chosen.append(best)
        answers[held], shares[held] = trials.predictions(tree, table.take(held), labels)
    return evaluation(labels, true, answers, shares), chosen


def _tried(tuner: "_Tuner", tried: dict[Setting, Score], order: list[Setting], chosen: list[Setting]) -> str:
    columns: dict[str, list[Any]] = {
        name: [output.json_of(setting[at]) for setting in order] for at, name in enumerate(tuner.grid)
    }
    columns["wrong ± std. error" if tuner.labels else "squared error ± std. error"] = [
        with_error(tried[setting]) for setting in order
    ]
    gaps = [with_error(tried[setting].minus(tried[order[0]])) for setting in order[1:]]
    columns["above the best"] = ["", *gaps]
    columns["chosen in folds"] = [chosen.count(setting) or None for setting in order]
    return Grid(columns).to_text(_MOST_LISTED)


@dataclass(frozen=True)
class _Tuner:
    """Grows trees by every setting of a grid.

    Parameters
    ----------
    kind : type
        The estimator's class.
    grid : dict of str to list
        Values to try by parameter; the last parameter prunes.
    target : str
        Name of the target.
    labels : list
        The classes; empty for regression.
    n_jobs : int or None
        Threads for each tree.
    """

    kind: type
    grid: Mapping[str, list[Any]]
    target: str
    labels: list[Any]
    n_jobs: int | None

    def fit(self, setting: Setting, rows: Table) -> Any:
        """Grow and prune a tree by one setting."""
        *growth, pruning = setting
        return self.pruned(self.grown(tuple(growth), rows), pruning, rows)

    def grown(self, growth: Setting, rows: Table) -> Any:
        """Grow a tree without pruning it."""
        chosen = dict(zip(self.grid, growth, strict=False))
        unpruned = {"pruning": None if "cp" in self.grid else False}
        return self.kind(**chosen, **unpruned, n_jobs=self.n_jobs).fit(rows, self.target)

    def pruned(self, tree: Any, pruning: Any, rows: Table) -> Any:
        """Prune a tree."""
        (*_, name) = self.grid
        if pruning is None:
            return tree
        more = (rows, self.target) if name == "confidence" else ()
        return tree.prune(_PRUNING[name], *more, **{name: pruning})

    def losses(self, tree: Any, rows: Table) -> NDArray[np.float64]:
        """Return the loss of each row: 1 for a wrong class, or the squared error."""
        true = tables.coded(rows.columns[rows.position(self.target)], self.labels)
        answers, _ = trials.predictions(tree, rows, self.labels)
        return np.asarray(true != answers if self.labels else (true - answers) ** 2, dtype=np.float64)

    def tried(self, rows: Table, folds: NDArray[np.int32], threads: int) -> dict[Setting, Score]:
        """Return the error of every setting on folds."""
        *growths, prunings = self.grid.values()
        tasks = list(itertools.product(itertools.product(*growths), range(int(folds.max()) + 1)))
        losses = {setting: np.zeros(rows.n_rows) for setting in itertools.product(*self.grid.values())}

        def work(at: int) -> list[NDArray[np.float64]]:
            growth, fold = tasks[at]
            rest, held = rows.take(folds != fold), rows.take(folds == fold)
            tree = self.grown(growth, rest)
            return [self.losses(self.pruned(tree, each, rest), held) for each in prunings]

        for (growth, fold), found in zip(tasks, side_by_side(work, len(tasks), threads), strict=True):
            for pruning, of_held in zip(prunings, found, strict=True):
                losses[(*growth, pruning)][folds == fold] = of_held
        return {setting: mean_score(each) for setting, each in losses.items()}
