"""Convert a fitted estimator to one of scikit-learn."""

import inspect
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ConversionError
from treewright.estimators.base import BaseTree
from treewright.model.model import Model
from treewright.model.questions import EVERY_BRANCH, Branches
from treewright.model.sklearn_names import thresholds

_OURS = (
    "Without scikit-learn: plot() and to_dot() draw the tree, to_text() writes it, explain() and "
    "shapley_values() explain predictions."
)


def to_sklearn(estimator: BaseTree, model: Model) -> Any:
    """See `treewright.estimators.reading.ReadableTree.to_sklearn`."""
    import sklearn.tree  # imported here, because fitting must work without it

    tree = model.tree
    _refuse_inexpressible(model)
    twin = getattr(sklearn.tree, "DecisionTreeClassifier" if tree.is_classifier else "DecisionTreeRegressor")
    params = estimator.get_params(deep=False)
    result = twin(**{name: params[name] for name in inspect.signature(twin).parameters if name in params})
    for name in ("n_features_in_", "feature_names_in_", "n_outputs_", "max_features_", "classes_"):
        if hasattr(estimator, name):
            setattr(result, name, getattr(estimator, name))
    if tree.is_classifier:
        result.n_classes_ = np.intp(tree.max_n_classes)
    result.tree_ = _sklearn_tree(model)
    return result


def _refuse_inexpressible(model: Model) -> None:
    """Raise if scikit-learn's trees cannot express a split or a prediction of the tree."""
    tree = model.tree
    for column in model.schema.columns:
        if column.is_category and not all(isinstance(each, bool) for each in column.categories):
            raise ConversionError(
                f"column {column.name!r} holds categories, which scikit-learn's trees cannot split. "
                f"Encode it as numbers before fitting, one column for each category. {_OURS}"
            )
    for node in np.flatnonzero(np.diff(tree.child_begin) > 2).tolist():
        raise ConversionError(
            f"node {node}, which splits column {model.schema.columns[tree.column[node]].name!r}, has "
            "more than two branches; nodes of scikit-learn's trees have two. Fit with missing='learned'. "
            f"{_OURS}"
        )
    spreads = (tree.missing_branch[tree.column >= 0] == EVERY_BRANCH).any()
    for applies, what in (
        (len(tree.surrogates), "follow surrogates"),
        (tree.lets_rows_stop.any(), "stop at inner nodes"),
        (spreads, "go down every branch with fractional weights"),
    ):
        if applies:
            raise ConversionError(
                f"rows with missing values {what}, which scikit-learn's trees cannot do. Fit with "
                f"missing='learned'. {_OURS}"
            )
    if tree.is_classifier and (tree.answer != tree.shares.argmax(axis=1))[tree.column < 0].any():
        raise ConversionError(
            "the loss changes some predictions, and scikit-learn's trees predict the heaviest class. Fit "
            f"without loss, or use predict_proba of the tree as it is. {_OURS}"
        )
    for column in model.schema.columns:
        if column.is_integer:
            raise ConversionError(
                f"column {column.name!r} is compared as int64 ({column.kind}), which scikit-learn's trees "
                "cannot do: they cast everything to float32. Convert it to float before fitting. "
                f"{_OURS}"
            )


def _cut_booleans(model: Model, nodes: NDArray[Any]) -> None:
    """Turn splits on booleans, the only categories left at this point, into cuts at one half."""
    tree = model.tree
    for node in np.flatnonzero(np.diff(tree.set_begin) > 0).tolist():
        question = tree.question(node)
        assert isinstance(question, Branches), "a node with a set splits by categories"
        low, high = (question.branch_of_label(model.schema, label) for label in (False, True))
        children = tree.children(node)
        nodes["left_child"][node] = children[low]
        nodes["right_child"][node] = children[high if low != high else 1 - low]
        nodes["threshold"][node] = 0.5 if low != high else np.inf  # else it separates missing values
        nodes["missing_go_to_left"][node] = question.missing_branch == low


def _sklearn_tree(model: Model) -> Any:
    """Fill scikit-learn's array of nodes; an empty tree shows which fields this version has."""
    from sklearn.tree._tree import Tree as SklearnTree

    tree = model.tree
    renamed: dict[str, NDArray[Any]] = {"left_child": tree.children_left, "right_child": tree.children_right}
    renamed["threshold"] = thresholds(tree)
    nodes = np.zeros(tree.n_nodes, SklearnTree(1, tree.n_classes, 1).__getstate__()["nodes"].dtype)
    for name in nodes.dtype.names or ():
        nodes[name] = renamed[name] if name in renamed else getattr(tree, name)
    _cut_booleans(model, nodes)
    result = SklearnTree(tree.n_features, tree.n_classes, tree.n_outputs)
    state = {"max_depth": tree.max_depth, "node_count": tree.n_nodes, "nodes": nodes}
    result.__setstate__({**state, "values": np.ascontiguousarray(tree.value)})
    return result
