"""Model files with wrong values and right checksums; run as a program, it loads and uses them one by one.

A file that gets past the checks may crash the interpreter, so tests run this in a process of its own:

    python tests/mutants.py SECTION[,SECTION...] FIRST LAST [SEED]

prints a line of JSON for each mutant before it is loaded (so that the last line names the one that crashed),
one for each fault, and one with the totals. The same numbers give the same mutants.
"""

import base64
import contextlib
import copy
import faulthandler
import hashlib
import json
import random
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import treewright as tw
from kinds_of_trees import ALL, Kind, training_table
from treewright.errors import ModelFileError, TreewrightError
from treewright.estimators.reporting import summary_of
from treewright.model import fields

SECONDS = 60  # after which a mutant counts as one that never ends

FEW = ("size", "town", "age", "day")
KINDS = {
    "surrogates and a ledger": Kind(
        lambda: tw.CARTClassifier(pruning=None, max_depth=3, max_surrogates=2, keep_ledger=True), columns=FEW
    ),
    "every type of column": Kind(
        lambda: tw.DecisionTreeRegressor(max_depth=3, keep_ledger=True), "number", ALL
    ),
    "C4.5": Kind(lambda: tw.C45Classifier(keep_ledger=True), columns=FEW),
    "C4.5 by gain, binary": Kind(
        lambda: tw.C45Classifier(criterion="gain", binary_splits=True, keep_ledger=True, laplace=True)
    ),
    "CART pruned": Kind(
        lambda: tw.CARTClassifier(
            cv=3, random_state=0, pruning="min", prior=(0.2, 0.3, 0.5), max_surrogates=1
        )
    ),
    "CART pruned, numbers": Kind(
        lambda: tw.CARTRegressor(cv=3, random_state=0, max_depth=4, max_surrogates=1, keep_ledger=True),
        "number",
    ),
    "monotone": Kind(
        lambda: tw.DecisionTreeClassifier(max_depth=3, monotonic_cst={"age": 1}, keep_ledger=True), "flag"
    ),
    "multiway": Kind(
        lambda: tw.DecisionTreeClassifier(
            criterion="gain_ratio", categorical_split="multiway", max_depth=3, keep_ledger=True
        )
    ),
    "losses": Kind(
        lambda: tw.DecisionTreeClassifier(
            max_depth=3, loss=np.array([[0, 1, 2], [1, 0, 1], [5, 1, 0.0]]), prior=(0.2, 0.3, 0.5)
        )
    ),
    "shares": Kind(lambda: tw.DecisionTreeRegressor(missing="spread", max_depth=3), "number", FEW),
    "medians": Kind(
        lambda: tw.DecisionTreeRegressor(
            criterion="absolute_error", missing="branch", max_depth=3, keep_ledger=True
        ),
        "number",
    ),
    "twoing": Kind(lambda: tw.DecisionTreeClassifier(criterion="twoing", max_depth=3, keep_ledger=True)),
    "counts": Kind(
        lambda: tw.DecisionTreeRegressor(criterion="poisson", max_depth=3, keep_ledger=True), "count"
    ),
    "intervals": Kind(
        lambda: tw.ID3Classifier(missing="branch", bins=3, max_depth=3, keep_ledger=True),
        columns=("size", "day", "delay", "town"),
    ),
    "one leaf": Kind(lambda: tw.DecisionTreeClassifier(min_impurity_decrease=1e9, keep_ledger=True)),
}
SECTIONS = {
    "estimator": ("estimator",),
    "table": ("table",),
    "provenance": ("provenance",),
    "tree": ("tree",),
    "surrogates": ("tree", "surrogates"),
    "ledger": ("tree", "ledger"),
    "grown": ("grown",),
    "ledger of the grown tree": ("grown", "ledger"),
    "pruning": ("pruning",),
    "factors": ("factors",),
}
APART = ("surrogates", "ledger")  # parts of a tree that are mutated by themselves

WHOLE = [2**63 - 1, -(2**63), 2**63, 2**31 - 1, -(2**31), 2**31, 2**40, 2**16, 128, -1, -2, -3, 0, 1, 2, 3]
REAL = [None, "inf", "-inf", 1.7e308, -1.7e308, 1e300, -1e300, 1e19, 5e-324, 0.0, -0.0, -1.0, 0.5, 1e-300]
STRANGE = [None, True, False, -1, 0, 1, 2, 7, 0.5, 1e308, 2**31, -(2**63), 2**64, "", "inf", "nan", "上"]
STRANGE += ["number", "category", "datetime", "ns", "UTC", [], {}, [1], [[]], {"base64": ""}, {"tuple": [1]}]
STRANGE += [{"number": "nan"}, {"array": [1, 2], "type": "int8"}, {"function": "os.system"}, "gini", "ratio"]


@cache
def contents(name: str) -> tuple[Any, Any]:
    """Give the fields of the file of a model, in numbers and with packed arrays."""
    estimator = KINDS[name].fit()
    found = []
    most = fields.MOST_PLAIN
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.tw.json"
        for fields.MOST_PLAIN in (most, 0):
            estimator.save(path)
            plain = json.loads(path.read_bytes())
            del plain["checksum"]
            found.append(plain)
    fields.MOST_PLAIN = most
    return found[0], found[1]


@cache
def models_with(section: str) -> list[str]:
    return [name for name in KINDS if part_of(contents(name)[0], SECTIONS[section]) is not None]


def part_of(plain: Any, way: tuple[str, ...]) -> Any:
    for step in way:
        plain = plain.get(step) if isinstance(plain, dict) else None
    return plain


def sealed(plain: Any) -> bytes:
    body = json.dumps(plain, ensure_ascii=False).encode("utf-8")[:-1]
    return body + b',\n"checksum": "sha256:%s"\n}\n' % hashlib.sha256(body).hexdigest().encode()


# Mutators of a list of numbers, in place; `rng` draws where.


def _one(rng: random.Random, values: list[Any], of: list[Any]) -> None:
    values[rng.randrange(len(values))] = rng.choice([*of, len(values), len(values) - 1, len(values) + 1])


def _near(rng: random.Random, values: list[Any]) -> None:
    at = rng.randrange(len(values))
    if type(values[at]) in (int, float):
        values[at] += rng.choice([-2, -1, 1, 2])


def _all_near(rng: random.Random, values: list[Any]) -> None:
    by = rng.choice([-1, 1])
    first = rng.randrange(len(values))
    values[first:] = [each + by if type(each) in (int, float) else each for each in values[first:]]


def _negative(rng: random.Random, values: list[Any]) -> None:
    at = rng.randrange(len(values))
    if type(values[at]) in (int, float):
        values[at] = -values[at]


def _wrapped(rng: random.Random, values: list[Any]) -> None:
    """Differences that are positive once they have wrapped."""
    at = rng.randrange(len(values))
    high, low = rng.choice([(2**63 - 1, -(2**63)), (2**31 - 1, -(2**31))])
    values[at : at + 3] = [high, low, -1][: len(values[at : at + 3])]


def _swapped(rng: random.Random, values: list[Any]) -> None:
    a, b = rng.randrange(len(values)), rng.randrange(len(values))
    values[a], values[b] = values[b], values[a]


def _copied(rng: random.Random, values: list[Any]) -> None:
    values[rng.randrange(len(values))] = rng.choice(values)


def _filled(rng: random.Random, values: list[Any]) -> None:
    values[:] = [rng.choice([*values, 0, 1, -1])] * len(values)


def _cut(rng: random.Random, values: list[Any]) -> None:
    del values[rng.randrange(len(values)) :]


def _dropped(rng: random.Random, values: list[Any]) -> None:
    del values[rng.randrange(len(values))]


def _extended(rng: random.Random, values: list[Any]) -> None:
    values.insert(rng.randrange(len(values) + 1), rng.choice([*values, 0, 2**31 - 1]))


def _scaled(rng: random.Random, values: list[Any]) -> None:
    by = rng.choice([1e300, 1e-300, -1.0, 0.0, 1e9])
    values[:] = [each * by if type(each) is float and abs(each) < 1e8 else each for each in values]


def _other_type(rng: random.Random, values: list[Any]) -> None:
    at = rng.randrange(len(values))
    value = values[at]
    values[at] = rng.choice(
        [str(value), [value], float(value) if type(value) is int else 0.5, True, {}, None]
    )


_OF_WHOLE: list[Callable[[random.Random, list[Any]], None]] = [
    lambda rng, values: _one(rng, values, WHOLE),
    lambda rng, values: _one(rng, values, WHOLE),
    _near,
    _near,
    _all_near,
    _negative,
    _wrapped,
    _swapped,
    _swapped,
    _copied,
    _filled,
    _cut,
    _dropped,
    _extended,
    lambda rng, values: rng.shuffle(values),
    lambda rng, values: values.reverse(),
    lambda rng, values: values.sort(),
    _other_type,
]
_OF_REAL: list[Callable[[random.Random, list[Any]], None]] = [
    lambda rng, values: _one(rng, values, REAL),
    lambda rng, values: _one(rng, values, REAL),
    lambda rng, values: _one(rng, values, REAL),
    _near,
    _negative,
    _scaled,
    _swapped,
    _copied,
    _filled,
    _cut,
    _dropped,
    _extended,
    lambda rng, values: rng.shuffle(values),
    _other_type,
]


def is_array(value: Any) -> bool:
    if isinstance(value, dict):
        return value.keys() == {"type", "shape", "base64"}
    if isinstance(value, list) and value and isinstance(value[0], list):
        return all(isinstance(row, list) and row and is_array(row) for row in value)
    return isinstance(value, list) and all(
        type(each) in (int, float) or each is None or each == "inf" for each in value
    )


def mutated_array(rng: random.Random, value: Any) -> Any:
    """Give an array with wrong values, of another length, or of another shape."""
    if isinstance(value, dict):
        return _mutated_packed(rng, value)
    if not value or not isinstance(value[0], list):
        return mutated_list(rng, value)
    ways: list[Callable[[], Any]] = [
        lambda: [list(row) for row in zip(*value)],  # noqa: B905 - rows may have been spoilt already
        lambda: [row[:-1] for row in value],
        lambda: [[*row, row[-1]] for row in value],
        lambda: mutated_list(rng, value, [_swapped, _copied, _cut, _dropped, _extended]),
    ]
    if rng.random() < 0.3:
        return rng.choice(ways)()
    rows = [list(row) for row in value]
    at = rng.randrange(len(rows))
    rows[at] = mutated_list(rng, rows[at])
    return rows


def mutated_list(rng: random.Random, value: list[Any], ways: Any = None) -> list[Any]:
    values = list(value)
    if not values:
        return [rng.choice([0, 1, -1, 0.5, 2**63 - 1])]
    is_whole = all(type(each) is int for each in values)
    rng.choice(ways or (_OF_WHOLE if is_whole else _OF_REAL))(rng, values)
    return values


def _mutated_packed(rng: random.Random, value: dict[str, Any]) -> dict[str, Any]:
    way = rng.randrange(12)
    if way == 0:
        return {**value, "type": rng.choice(["int8", "int32", "int64", "float64", "uint64", "object"])}
    if way == 1:
        return {**value, "shape": rng.choice([[], [-1], [2**40], [0], [*value["shape"], 1], [1, 1], "3"])}
    if way == 2:
        raw = bytearray(base64.b64decode(value["base64"]))
        for _ in range(rng.randrange(1, 4)):
            if raw:
                raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
        return {**value, "base64": base64.b64encode(raw).decode()}
    if way == 3:
        at = rng.randrange(len(value["base64"]) + 1)
        return {**value, "base64": value["base64"][:at] + rng.choice(["", "A", "=", "!", "AAAA", "\n"])}
    if way == 4 or value["type"] not in ("int8", "int32", "int64", "float64"):
        return {**value, "base64": rng.choice(["", "AAAA", None, 7])}
    dtype = np.dtype(value["type"])
    array = np.frombuffer(base64.b64decode(value["base64"]), dtype).reshape(value["shape"])
    changed = mutated_list(rng, array.ravel().tolist())
    texts = {None: np.nan, "inf": np.inf, "-inf": -np.inf}
    numbers = [texts.get(each, each) if isinstance(each, str | None) else each for each in changed]
    if dtype.kind == "i":
        limits = np.iinfo(dtype)
        whole = [each for each in numbers if isinstance(each, int)]
        again = np.array([min(max(each, limits.min), limits.max) for each in whole], dtype)
    else:
        again = np.array([each for each in numbers if isinstance(each, int | float)], dtype)
    shape = list(value["shape"])
    if again.size != array.size:
        shape[0] = again.size // max(1, array[:1].size)
    return {**value, "shape": shape, "base64": base64.b64encode(again.tobytes()).decode()}


def mutate(rng: random.Random, section: str) -> tuple[str, Any]:
    """Draw a model that has a section, and spoil that section of its file; give the model's name, too."""
    names = models_with(section)
    name = rng.choice(names)
    is_packed = rng.random() < 0.25
    plain = copy.deepcopy(contents(name)[is_packed])
    *way, last = SECTIONS[section]
    holder = part_of(plain, tuple(way))
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3])):
        other = contents(rng.choice(names))[is_packed]
        with contextlib.suppress(ValueError, TypeError):  # what is no array any more is spoilt already
            if rng.random() < 0.05:
                holder[last] = copy.deepcopy(part_of(other, SECTIONS[section]))
            elif is_array(holder[last]):
                holder[last] = mutated_array(rng, holder[last])
            else:
                _mutate_within(rng, holder[last], other, SECTIONS[section])
    return name, plain


def _mutate_within(rng: random.Random, part: Any, other: Any, way: tuple[str, ...]) -> None:
    """Spoil a value anywhere in a part: arrays as arrays, all else by what is strange there."""
    if not isinstance(part, dict | list) or not part:
        return
    skipped = APART if way in (("tree",), ("grown",)) else ()
    keys = [key for key in part if key not in skipped] if isinstance(part, dict) else list(range(len(part)))
    if not keys:
        return
    key = rng.choice(keys)
    value = part[key]
    if is_array(value) and rng.random() < 0.9:
        if rng.random() < 0.08 and isinstance(part_of(other, way), dict) and key in part_of(other, way):
            part[key] = copy.deepcopy(part_of(other, way)[key])
        else:
            part[key] = mutated_array(rng, value)
    elif isinstance(value, dict | list) and value and rng.random() < 0.85:
        _mutate_within(rng, value, None, ())
    else:
        draw = rng.randrange(6)
        if draw == 0:
            del part[key]
        elif draw == 1:
            a, b = key, rng.choice(keys)
            part[a], part[b] = part[b], part[a]
        elif draw == 2 and type(value) in (int, float):
            part[key] = rng.choice([value + 1, value - 1, -value, *WHOLE[:7], *REAL[3:8]])
        elif draw == 3 and isinstance(part, list):
            part.insert(key, copy.deepcopy(value))
        else:
            part[key] = copy.deepcopy(rng.choice(STRANGE))


def uses(estimator: Any, kind: Kind, path: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """List what can be done with a loaded estimator without growing a tree again."""
    rows = kind.rows()
    table = training_table()
    X, y = {name: table[name] for name in kind.columns}, table[kind.target]
    row = {name: values[1] for name, values in X.items()}
    gaps = dict.fromkeys(kind.columns)
    yield "predict", lambda: estimator.predict(rows)
    yield "predict all", lambda: estimator.predict(X)
    yield "apply", lambda: estimator.apply(rows)
    yield "decision_path", lambda: estimator.decision_path(rows)
    if hasattr(estimator, "predict_proba"):
        yield "predict_proba", lambda: estimator.predict_proba(rows)
    yield "importances", lambda: estimator.feature_importances_
    model = estimator.model_
    if model.tree.ledger is not None:
        ledger = estimator.ledger_
        yield "ledger", lambda: str(ledger) + ledger._repr_html_()
        yield "ledger frame", ledger.to_frame
        yield (
            "ledger formula",
            lambda: [ledger.formula(at) for at, each in enumerate(ledger) if each.gain is not None],
        )
        yield "ledger why", lambda: [ledger.why(node) for node in ledger.nodes]
    yield "report", lambda: json.dumps(summary_of(estimator, X, y))
    yield "text", estimator.to_text
    yield "svg", estimator.to_svg
    yield "dot", estimator.to_dot
    yield "mermaid", estimator.to_mermaid
    yield "json", estimator.to_json
    yield "nodes", lambda: list(model.tree.walk())
    yield "rules", lambda: (str(estimator.rules()), estimator.rules().predict(X))
    yield "rules as JSON", lambda: estimator.rules().to_json()
    yield "rules as SQL", lambda: estimator.rules().to_sql("t")
    yield "explain", lambda: str(estimator.explain(row))
    yield "explain gaps", lambda: str(estimator.explain(gaps))
    yield "shapley_values", lambda: estimator.shapley_values({name: values[:5] for name, values in X.items()})
    yield "counterfactual", lambda: str(estimator.counterfactual(row))
    if model.pruning is not None:
        yield "pruning table", lambda: (str(model.pruning), model.pruning.to_frame(), model.pruning.alpha)
        yield "1-SE", lambda: model.pruning.within_one_se
    made: list[Any] = []
    for label, prune in (
        ("simplify", estimator.simplify),
        ("pessimistic", lambda: estimator.prune("pessimistic")),
        ("minimum-error", lambda: estimator.prune("minimum-error")),
        ("leaves", lambda: estimator.prune("cost-complexity", leaves=2)),
        ("alpha", lambda: estimator.prune("cost-complexity", alpha=0.01)),
        ("cp", lambda: estimator.prune("cost-complexity", cp=0.05)),
    ):
        yield label, lambda prune=prune: made.append(prune())
    for other in made:
        yield "pruned", lambda other=other: (other.predict(rows), other.to_text(), other.save(path))
    yield "save", lambda: estimator.save(path)
    yield "load again", lambda: tw.load(path)


def main(section: str, first: int, last: int, seed: int = 1) -> None:
    faulthandler.enable()
    warnings.simplefilter("ignore")  # sums of made-up weights may overflow
    n_loaded = n_faults = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.tw.json"
        for number in range(first, last):
            told = {"section": section, "mutant": number}
            print(json.dumps(told), flush=True)
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            name, plain = mutate(random.Random(f"{seed} {section} {number}"), section)
            path.write_bytes(sealed(plain))
            try:
                estimator = tw.load(path)
            except ModelFileError:
                continue
            except Exception as error:
                n_faults += 1
                print(json.dumps({"fault": "load", **told, "model": name, **_told(error)}), flush=True)
                continue
            n_loaded += 1
            for step, use in uses(estimator, KINDS[name], path):
                try:
                    use()
                except TreewrightError:
                    continue  # such as a column that is now of another kind or has another name
                except Exception as error:
                    n_faults += 1
                    print(json.dumps({"fault": step, **told, "model": name, **_told(error)}), flush=True)
    faulthandler.cancel_dump_traceback_later()
    told = {"section": section, "mutants": last - first, "loaded": n_loaded, "faults": n_faults}
    print(json.dumps(told), flush=True)


def _told(error: Exception) -> dict[str, str]:
    frame = [each for each in traceback.extract_tb(error.__traceback__) if "treewright" in each.filename][-1]
    return {"error": repr(error)[:200], "at": f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"}


if __name__ == "__main__":
    for each in sys.argv[1].split(","):
        main(each, *map(int, sys.argv[2:]))
