"""Hand every function of the core that takes the arrays of a tree arrays that form none.

Run as a program, for what it looks for is a crash: ``python unsound_arrays.py SEED N``. It writes how many
calls were refused and how many were answered.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from samples import core_tree
from treewright import _core

N_ROWS, N_CATEGORIES = 90, 6
QUESTION = ("column", "cut", "cut_integer", "set_begin", "set_code", "set_branch")
PESSIMISM = _core.Pessimism(
    confidence=0.25,
    deviate=0.6925,
    all_wrong=0.67,
    least_extra=-1e300,
    no_errors=1e-6,
    one_error=0.9999,
    adds_none=False,
)
RECIPES: tuple[dict[str, Any], ...] = (
    {},
    {"missing": "surrogate"},
    {"missing": "surrogate", "lets_rows_stop": True},
    {"missing": "spread", "categorical": "multiway"},
    {"missing": "branch"},
    {"missing": "majority", "max_depth": 2},
    {"max_depth": 0},
)

Arrays = dict[str, Any]


def columns_of(rng: np.random.Generator) -> list[np.ndarray]:
    """Two columns of numbers, one of whole numbers and one of categories; some cells are empty."""
    numbers = rng.normal(size=(N_ROWS, 2)).round(1)
    numbers[rng.random(numbers.shape) < 0.1] = np.nan
    codes = rng.integers(-1, N_CATEGORIES, N_ROWS).astype(np.int32)
    return [numbers[:, 0], numbers[:, 1].astype(np.float32), rng.integers(0, 20, N_ROWS), codes]


def sound_trees(rng: np.random.Generator) -> Iterator[Arrays]:
    """Grow trees of every way to treat missing values; with each go the rows that it was grown on."""
    for recipe in RECIPES:
        columns = columns_of(rng)
        codes = rng.integers(0, 3, N_ROWS).astype(np.int32)
        training_set = _core.TrainingSet(columns, N_ROWS, 1, [0, 0, 0, N_CATEGORIES])
        engine = _core.LocalEngine(training_set, _core.Classes(codes, 3), None, 1)
        tree = core_tree(engine, _core.Recipe(**recipe))
        n = len(tree["column"])
        yield {
            **tree,
            "values": tree["value"],
            "columns": columns,
            "codes": codes,
            "weights": rng.integers(0, 3, N_ROWS).astype(float),
            "labels": tree["value"].argmax(axis=1).astype(np.int32),
            "leaves": rng.integers(0, n, 3).astype(np.int32),
            "risk": tree["impurity"] * tree["weight"],
            "slack": np.zeros(n),
            "of_nodes": np.arange(n, dtype=np.int64)[:, None],
            "points": np.array([0.25, 0.75]),
        }


# -- calls ---------------------------------------------------------------------------------------------------


def tree_of(given: Arrays) -> list[Any]:
    """Give the arrays as `Router` and `prune_error_based` take them."""
    return [
        _core.Questions(*(given[name] for name in QUESTION)),
        *(given[name] for name in ("child_begin", "child", "missing_branch", "weight", "surrogate_begin")),
        _core.Questions(*(given["surrogate_" + name] for name in QUESTION)),
        given["surrogate_low_branch"],
    ]


def router(given: Arrays) -> _core.Router:
    return _core.Router(*tree_of(given))


def block(given: Arrays) -> np.ndarray:
    return np.stack([np.asarray(each, float) for each in given["columns"]], axis=1)


def prune_error_based(given: Arrays) -> object:
    rows = (given["columns"], given["codes"], given.get("n_classes", 3), given["weights"])
    ends = given.get("ends")
    return _core.prune_error_based(
        *rows, *tree_of(given), given["labels"], PESSIMISM, True, True, 0.1, 0.0, ends
    )


CHILDREN = ("child_begin", "child")
ROUTED = (
    *QUESTION,
    *("surrogate_" + name for name in QUESTION),
    *CHILDREN,
    "missing_branch",
    "weight",
    "surrogate_begin",
    "surrogate_low_branch",
    "columns",
)
Call = tuple[Callable[[Arrays], object], tuple[str, ...]]
CALLS: dict[str, Call] = {
    "add_up": (
        lambda given: _core.add_up(given["child_begin"], given["child"], given["values"]),
        (*CHILDREN, "values"),
    ),
    "weakest_links": (
        lambda given: _core.weakest_links(given["child_begin"], given["child"], given["risk"]),
        (*CHILDREN, "risk"),
    ),
    "complexities": (
        lambda given: _core.complexities(given["child_begin"], given["child"], given["risk"], 0.1),
        (*CHILDREN, "risk"),
    ),
    "no_worse_as_leaves": (
        lambda given: _core.no_worse_as_leaves(
            given["child_begin"], given["child"], given["risk"], given["slack"], True
        ),
        (*CHILDREN, "risk", "slack"),
    ),
    "cut_at": (
        lambda given: _core.cut_at(given["child_begin"], given["child"], given["leaves"]),
        (*CHILDREN, "leaves"),
    ),
    "prune_error_based": (
        prune_error_based,
        (*ROUTED, "codes", "weights", "labels", "ends", "n_classes"),
    ),
    "apply": (lambda given: router(given).apply(given["columns"], 1), ROUTED),
    "spread": (lambda given: router(given).spread(given["columns"]), ROUTED),
    "take": (
        lambda given: router(given).take(given["columns"], given["of_nodes"], True, 1),
        (*ROUTED, "of_nodes"),
    ),
    "take_numbers": (
        lambda given: router(given).take(given["columns"], np.asarray(given["of_nodes"], float), True, 1),
        (*ROUTED, "of_nodes"),
    ),
    "shapley_values": (
        lambda given: router(given).shapley_values(
            given["columns"], np.asarray(given["of_nodes"], float), given["points"], np.full(2, 0.5), 1
        ),
        (*ROUTED, "of_nodes", "points"),
    ),
    "take_block": (lambda given: router(given).take(block(given), given["of_nodes"], True, 1), ROUTED),
}


# -- mutations -----------------------------------------------------------------------------------------------


def other_entry(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    n = len(array)
    whole = [
        -(2**31),
        -3,
        -2,
        -1,
        0,
        1,
        2,
        n - 1,
        n,
        n + 1,
        2**30,
        2**31 - 2,
        2**31 - 1,
        rng.integers(-9, 99),
    ]
    real = [np.nan, np.inf, -np.inf, -1.0, 0.0, 1e308, 5e-324, 0.5]
    array = array.copy()
    for _ in range(rng.integers(1, 4)):
        array.flat[rng.integers(array.size)] = rng.choice(real if array.dtype.kind == "f" else whole)
    return array


def other_neighbour(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array[rng.integers(len(array))] += rng.choice([-1, 1])
    return array


def swapped(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    array = array.copy()
    at = rng.integers(len(array), size=2)
    array[at] = array[at[::-1]]
    return array


MUTATIONS: tuple[Callable[[np.random.Generator, np.ndarray], Any], ...] = (
    other_entry,
    other_entry,
    other_neighbour,
    other_neighbour,
    swapped,
    lambda rng, array: array[: rng.integers(len(array))],
    lambda rng, array: np.delete(array, rng.integers(len(array)), axis=0),
    lambda rng, array: np.concatenate([array, array[: rng.integers(1, len(array) + 1)]]),
    lambda rng, array: array[::-1],
    lambda _, array: np.repeat(array, 2, axis=0)[::2],
    lambda rng, array: rng.permutation(array),
    lambda _, array: array[:0],
    lambda _, array: array[None],
    lambda _, array: array.astype(np.float64),
    lambda _, array: array.astype(">i4"),
    lambda _, array: array.astype(object),
    lambda _, array: array.tolist(),
    lambda *_: None,
)


def mutated(rng: np.random.Generator, name: str, value: Any) -> Any:
    """Spoil what is called `name`."""
    if name == "columns":
        at = int(rng.integers(len(value)))
        others = [list(value[:at]), [*value, value[at]], [*value[at:], *value[:at]]]
        other = mutated(rng, "", value[at])
        return [*others, [*value[:at], other, *value[at + 1 :]]][rng.integers(4)]
    if name == "n_classes":
        return int(rng.choice([-1, 0, 1, 2, 3, 70_000, 2**31 - 1]))
    if name == "ends":
        value = rng.integers(0, 9, int(rng.integers(0, N_ROWS + 1))).astype(np.int32)
    if not len(value):
        return np.concatenate([value, rng.integers(-3, 9, 2).astype(value.dtype)])
    return MUTATIONS[rng.integers(len(MUTATIONS))](rng, value)


def main(seed: int, n: int) -> None:
    """Make n calls, each of one to three arrays that are not as they should be."""
    rng = np.random.default_rng(seed)
    told = Counter[str]()
    trees = list(sound_trees(rng))
    for given in trees:  # a call of sound arrays is answered, or the others would show nothing
        for name, (call, _) in CALLS.items():
            if name in ("prune_error_based", "shapley_values") and (given["missing_branch"] == -2).any():
                continue  # they have no place for rows that stop
            call(given)
            told[f"{name} sound"] += 1
    for number in range(n):
        call_name = list(CALLS)[number % len(CALLS)]
        call, names = CALLS[call_name]
        given = dict(trees[rng.integers(len(trees))])
        for _ in range(rng.integers(1, 4)):
            name = str(rng.choice(names))
            try:
                given[name] = mutated(rng, name, given.get(name))
            except (TypeError, ValueError, IndexError, AttributeError, OverflowError):
                continue  # it was spoilt before, beyond what this mutation can do
        try:
            call(given)
            told[f"{call_name} answered"] += 1
        except (ValueError, TypeError):
            told[f"{call_name} refused"] += 1
    for what, count in sorted(told.items()):
        print(what, count)


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        main(int(sys.argv[1]), int(sys.argv[2]))
