"""Write rules as JSON: every condition in full, so that another program can apply them."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treewright.model.conditions import Condition, Detour, Span, spans_of_bins, text_of_end
from treewright.schema import Column, Label, Schema

if TYPE_CHECKING:
    from treewright.explain.rules import Rule


def write(schema: Schema, rules: Sequence["Rule"], kind: str, default: Label | None) -> str:
    """Write rules, in order."""
    written = {
        "kind": kind,
        "target": schema.target_name,
        "classes": list(schema.labels) or None,
        "rules": [_rule(schema, rule) for rule in rules],
        "default": default,
    }
    return json.dumps(written, ensure_ascii=False, allow_nan=False, indent=2)


def _rule(schema: Schema, rule: "Rule") -> dict[str, Any]:
    figures = ("n_rows", "weight", "support", "confidence", "lift", "error_bound", "spread")
    return {
        "if": list(rule.texts),
        "answer": rule.answer,
        "outcome": list(rule.outcome),
        **{name: value for name in figures if (value := getattr(rule, name)) is not None},
        "conditions": [_condition(schema, each) for each in rule.conditions],
        "detours": [_detour(schema, each) for each in rule.detours],
    }


def _condition(schema: Schema, condition: Condition) -> dict[str, Any]:
    """Write the values that meet a condition: intervals (low, high] or categories, and missing or not.

    Categories that are neither in ``in`` nor in ``not_in`` count as missing.
    """
    column = schema.columns[condition.column]
    written: dict[str, Any] = {"column": column.name}
    if condition.codes is None:
        spans: tuple[Span, ...] = ((condition.low, condition.high),) if condition.known else ()
        written["spans"] = [_span(column, span) for span in spans]
    else:
        written["in"] = _labels(column, condition.codes)
        written["not_in"] = _labels(column, condition.named - condition.codes)
        if column.bins is not None:
            written["spans"] = [_span(column, span) for span in spans_of_bins(column, condition.codes)]
    return {**written, "missing": condition.missing}


def _detour(schema: Schema, detour: Detour) -> dict[str, Any]:
    column = schema.columns[detour.column]
    return {
        "column": column.name,
        "placed": None if detour.named is None else _labels(column, detour.named),
        "instead": [_condition(schema, each) for each in detour.instead],
        "otherwise": detour.otherwise,
    }


def _labels(column: Column, codes: frozenset[int]) -> list[Label]:
    return [column.categories[code] for code in sorted(codes)]


def _span(column: Column, span: Span) -> list[float | int | str | None]:
    return [None if end is None else text_of_end(column, end) for end in span]
