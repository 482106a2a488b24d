"""Make rules from a fitted tree and, for C4.5rules, its training rows."""

from typing import Any, Literal, TypeAlias, get_args

from treewright.errors import ParameterError
from treewright.estimators.base import BaseTree
from treewright.explain.rules import RuleSet, leaf_rules
from treewright.fitting.progress import ProgressLine
from treewright.parts.bounds import one_of, real

RuleKind: TypeAlias = Literal["leaves", "c45rules"]


def rules_of(
    estimator: BaseTree, kind: RuleKind, X: Any, y: Any, sample_weight: Any, confidence: float | None
) -> RuleSet:
    """See `treewright.estimators.reading.ReadableTree.rules`."""
    state = estimator._fitted()
    one_of("kind", kind, get_args(RuleKind))
    if confidence is None:
        confidence = getattr(estimator, "confidence", 0.25)
    confidence = real("confidence", confidence, above=0.0, at_most=1.0)
    given = {"X": X, "y": y, "sample_weight": sample_weight}
    if kind == "leaves":
        if unused := [name for name, value in given.items() if value is not None]:
            raise ParameterError(
                f"rules(kind='leaves') reads the fitted tree alone; leave {unused[0]} out, or use "
                "kind='c45rules'."
            )
        is_variance = getattr(estimator, "criterion", None) == "squared_error"
        return leaf_rules(state.model, confidence, is_variance, state.classes)
    if state.classes is None:
        raise ParameterError(
            "rules(kind='c45rules') are about classes, and this tree predicts numbers; use kind='leaves'."
        )
    for name in ("X", "y"):
        if given[name] is None:
            raise ParameterError(
                f"rules(kind='c45rules') needs the training rows, and {name} is None; "
                "give X= and y= as to fit."
            )
    from treewright.explain.c45rules import c45rules

    rows = estimator._weighed(estimator._labelled(X, y, sample_weight, "make rules of"))
    encoded = rows.encoded(state.model).of_positive_weight()
    with ProgressLine.wanted(estimator.verbose) as progress:
        return c45rules(state.model, encoded, confidence, state.classes, progress)
