"""Turn a fitted estimator into scikit-learn's own."""

import inspect
from typing import Any

import numpy as np

from treewright.errors import ConversionError
from treewright.model.model import Model
from treewright.model.tree import Tree


def to_sklearn(estimator: Any, model: Model) -> Any:
    """See `treewright.estimators.reading.Reading.to_sklearn`."""
    import sklearn.tree  # here, because fitting must do without it

    tree = model.tree
    for column in model.schema.columns:
        if column.is_integer:
            raise ConversionError(
                f"column {column.name!r} is compared as int64 ({column.kind}), which scikit-learn's trees "
                "cannot do: they cast everything to float32. Convert it to float before fitting."
            )
    twin = getattr(sklearn.tree, "DecisionTreeClassifier" if tree.is_classifier else "DecisionTreeRegressor")
    params = estimator.get_params(deep=False)
    result = twin(**{name: params[name] for name in inspect.signature(twin).parameters if name in params})
    for name in ("n_features_in_", "feature_names_in_", "n_outputs_", "max_features_", "classes_"):
        if name in estimator.__dict__:
            setattr(result, name, estimator.__dict__[name])
    if tree.is_classifier:
        result.n_classes_ = np.intp(tree.max_n_classes)
    result.tree_ = _sklearn_tree(tree)
    return result


def _sklearn_tree(tree: Tree) -> Any:
    """Fill scikit-learn's node struct; its fields change with versions, so an empty tree tells them."""
    from sklearn.tree._tree import Tree as SklearnTree

    n_classes = tree.n_classes
    dtype = SklearnTree(1, n_classes, 1).__getstate__()["nodes"].dtype
    columns = {
        "left_child": tree.children_left,
        "right_child": tree.children_right,
        "feature": tree.feature,
        "threshold": tree.threshold,
        "impurity": tree.impurity,
        "n_node_samples": tree.n_node_samples,
        "weighted_n_node_samples": tree.weighted_n_node_samples,
        "missing_go_to_left": tree.missing_go_to_left,
    }
    nodes = np.zeros(tree.n_nodes, dtype=dtype)
    for name in dtype.names:
        nodes[name] = columns[name]
    result = SklearnTree(tree.n_features, n_classes, tree.n_outputs)
    result.__setstate__(
        {
            "max_depth": tree.max_depth,
            "node_count": tree.n_nodes,
            "nodes": nodes,
            "values": np.ascontiguousarray(tree.value),
        }
    )
    return result
