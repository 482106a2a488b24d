"""Fit the library as rpart was, on all rows or on those of one node, and read both in the same words."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from golden.rpart_same import same_question
from golden.rpart_stored import Asked, Data, Result, StoredNode
from labelled import fit as fit_recipe
from oracle.naive_surrogates import Surrogate
from treewright import CARTClassifier, CARTRegressor
from treewright.model.model import Model
from treewright.model.questions import Question, Threshold
from treewright.model.tree import Node
from treewright.parts import missing
from treewright.parts.costs import Costs
from treewright.parts.criteria import Entropy, Gini, Variance
from treewright.parts.limits import Limits
from treewright.recipes import Recipe
from treewright.table.target import CodedClasses


def limits_of(result: Result) -> dict[str, Any]:
    control = result.control
    return {"min_samples_split": control["minsplit"], "min_samples_leaf": control["minbucket"]}


def fit_rows(
    result: Result, rows: Sequence[int], columns: Sequence[int] | None = None, **options: Any
) -> Model:
    """Fit an estimator on some rows and columns, each row counting as it does among all of them."""
    y, weights = result.y[rows], result.weights[rows]
    options = limits_of(result) | {"criterion": result.criterion, "pruning": None, "n_jobs": 1} | options
    X = result.data.table(rows, range(len(result.data.names)) if columns is None else columns)
    if result.is_regression:
        return CARTRegressor(**options).fit(X, y, sample_weight=weights).model_
    here = np.unique(y)
    if "loss" in result.parms:
        options["loss"] = result.loss
    if "prior" in result.parms:
        # The factor prior x W / W_i is to be that of the whole table, up to a factor that all classes share.
        counted = result.factors(result.priors)[here] * [weights[y == code].sum() for code in here]
        options["prior"] = counted / counted.sum()
    return CARTClassifier(**options).fit(X, y, sample_weight=weights).model_


def recipe_of(result: Result) -> Recipe:
    """Give the recipe that rpart was told."""
    control = result.control
    here = [] if result.is_regression else np.unique(result.y)
    of_classes = Entropy() if result.criterion == "entropy" else Gini()
    return Recipe(
        criterion=Variance() if result.is_regression else of_classes,
        limits=Limits(
            max_depth=control["maxdepth"],
            min_rows_split=control["minsplit"],
            min_rows_leaf=control["minbucket"],
        ),
        missing=missing.Surrogates(
            # With usesurrogate = 0 they are found and listed, and never asked.
            max_surrogates=control["maxsurrogate"] if control["usesurrogate"] > 0 else 0,
            style=result.style,
            otherwise="majority" if control["usesurrogate"] == 2 else "stop",
        ),
        costs=Costs(
            prior=tuple(result.priors[here].tolist()) if "prior" in result.parms else None,
            loss=tuple(map(tuple, result.loss[np.ix_(here, here)])) if "loss" in result.parms else None,
        ),
    )


def fit_whole(result: Result) -> Model:
    """Fit an estimator on the whole table as rpart was, but for its cp."""
    rows = np.arange(len(result.y))
    control = result.control
    if result.style == "all" and not result.leaves_rows:
        return fit_rows(
            result,
            rows,
            max_depth=control["maxdepth"],
            missing="surrogate",
            max_surrogates=control["maxsurrogate"],
        )
    # The book's share of agreement, and rows that stop, are choices of a part, not of the estimators.
    y = result.y
    if not result.is_regression:
        labels = np.unique(y)
        y = CodedClasses(np.searchsorted(labels, y).astype(np.int32), labels)
    return fit_recipe(result.data.whole(), y, weights=result.weights, recipe=recipe_of(result))


def total_in_scores(result: Result, rows: Sequence[int]) -> float:
    """Give what rows count for in scores: their weight, by the altered priors of the whole table."""
    factors = result.factors(result.altered_priors)
    return float((result.weights[rows] * factors[result.y[rows]]).sum())


def improve_of(result: Result, rows: Sequence[int], root: Node, node: Node | None = None) -> float:
    """Turn the gain of a node of ours into rpart's figure; `rows` and `root` are those of its whole tree."""
    node = root if node is None else node
    if result.is_regression:
        return node.gain * root.weight / (node.impurity * node.weight)
    in_nats = math.log(2) if result.criterion == "entropy" else 1.0
    return node.gain * total_in_scores(result, rows) * in_nats


def improve_by_formula(result: Result, rows: Sequence[int], asked: Asked) -> float:
    """Work out rpart's figure of a question from its definition, with no library at all."""
    values = result.data.columns[asked.column]
    sides: dict[int, list[int]] = {0: [], 1: []}
    for row in rows:
        branch = asked.branch(values[row])
        if branch is not None:
            sides[branch].append(row)
    loss = deviance if result.is_regression else impurity
    gone = loss(result, sides[0] + sides[1]) - loss(result, sides[0]) - loss(result, sides[1])
    return gone / deviance(result, rows) if result.is_regression else gone


def deviance(result: Result, rows: Sequence[int]) -> float:
    """Give the sum of squares about the mean, exact but for the last step."""
    pairs = [(result.data.weights[row], Fraction(result.data.y[row])) for row in rows]
    weight = sum(w for w, _ in pairs)
    total = sum(w * y for w, y in pairs)
    return float(sum(w * y * y for w, y in pairs) - total * total / weight)


def impurity(result: Result, rows: Sequence[int]) -> float:
    """Give S sum f(s_i / S), where s_i is what class i counts."""
    counted = np.bincount(result.y[rows], result.weights[rows], minlength=len(result.classes))
    counted = counted * result.factors(result.altered_priors)
    shares = counted / counted.sum()
    if result.criterion == "gini":
        return float(counted.sum() * (shares * (1 - shares)).sum())
    return float(-sum(s * math.log(p) for s, p in zip(counted, shares, strict=True) if s > 0))


def asked_of(model: Model, data: Data, question: Question) -> Asked:
    """Read a question of ours."""
    column = data.names.index(model.schema.columns[question.column].name)
    if isinstance(question, Threshold):
        return Asked(column, float(question.cut), None, 0, {})
    labels = model.schema.columns[question.column].categories
    sides = {labels[code]: branch for branch, codes in enumerate(question.codes) for code in codes}
    return Asked(column, None, sides, 0, {})


def surrogates_of(model: Model, data: Data, node: Node) -> list[Surrogate]:
    """Read the surrogates of a node of ours."""
    found = []
    for one in node.surrogates:
        asked = asked_of(model, data, one.question)
        found.append(
            Surrogate(
                asked.column,
                one.agree,
                one.adjusted,
                asked.cut,
                one.is_reversed,
                asked.side_of and tuple(sorted(asked.side_of.items())),
                one.n_placed,
            )
        )
    return found


def walk_together(result: Result, model: Model) -> Iterator[tuple[StoredNode, int]]:
    """Give the stored nodes in pre-order with the numbers of ours, where both are about the same rows."""
    ours = {1: 0}
    for node in result.walk():
        number = ours.get(node.stored["id"])
        if number is None:
            continue
        yield node, number
        here = model.tree.node(number)
        if node.primary is None or here.is_leaf:
            continue
        if same_question(result.data, asked_of(model, result.data, here.question), node.primary):
            left = node.primary.left_branch
            ours[node.stored["left"]["id"]] = here.children[left]
            ours[node.stored["right"]["id"]] = here.children[1 - left]
