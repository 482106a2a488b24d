"""Cross-validation: one loop over folds, for pruning, for comparisons and for the command line."""

import ast
from pathlib import Path

import numpy as np

import treewright
from treewright.fitting.folds import cross_validate, deal


def test_each_fold_is_held_out_once_and_rows_of_none_never():
    folds = deal(np.array([4, 0, 2, 1]), 6, 3)
    assert folds.tolist() == [1, 0, 2, -1, 0, -1]
    seen = list(cross_validate(folds, lambda fold, held: (fold, np.flatnonzero(~held).tolist())))
    assert [np.flatnonzero(held).tolist() for held, _ in seen] == [[1, 4], [0], [2]]
    assert [made for _, made in seen] == [(0, [0, 2, 3, 5]), (1, [1, 2, 3, 4, 5]), (2, [0, 1, 3, 4, 5])]


def test_what_is_fitted_is_not_kept_longer_than_its_turn():
    """A tree for each fold, one after the other: large ones need not all be in memory."""
    fitted = []
    for _ in cross_validate(np.array([0, 1, 2]), lambda fold, _: fitted.append(fold)):
        assert fitted == list(range(len(fitted)))
    assert fitted == [0, 1, 2]


def test_only_one_place_loops_over_folds():
    source = Path(treewright.__file__).parent
    loops, callers = set(), set()
    for file in source.rglob("*.py"):
        name = file.relative_to(source).as_posix()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.For | ast.comprehension) and "range(int(folds" in ast.unparse(node.iter):
                loops.add(name)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "cross_validate":
                callers.add(name)
    assert loops == {"fitting/folds.py"}
    assert callers == {"fitting/folds.py", "estimators/compare.py", "cli/trials.py"}
