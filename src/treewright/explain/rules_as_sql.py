"""Write rules as one SQL CASE that predicts as they do, in DuckDB's dialect.

NULL is missing, and so is NaN, which DuckDB treats as the largest number: conditions are written so that both
go where the model sends them. Numbers with fractions are written with an exponent, as doubles: without one
they would be decimals, and float columns would be rounded to decimals.

If fractions of a row can meet several rules, the CASE ends with a subquery that adds up what the rules
predict. Only rows that no rule takes as a whole reach it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.errors import ConversionError
from treewright.model.conditions import Condition, Detour, Path, Span, merged, spans_of_bins
from treewright.model.model import Model
from treewright.schema import Classes, Column, Kind, Label, Schema

if TYPE_CHECKING:
    from treewright.explain.rules import Rule

_NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
_LARGEST = 2**63 - 1
_FAR = 60_000_000_000_000_000  # microseconds from 1970 within which years have four digits
_LONGEST_LIST = 4  # DuckDB turns every longer IN into a join, and hundreds of joins take many seconds
ROUNDING = 2.0**-40  # shares of classes that differ by less count as equal, as in `Model.answers`


def write(model: Model, rules: Sequence["Rule"], default: Label | None, has_shares: bool) -> str:
    """Write rules, in order, as one CASE."""
    schema = model.schema
    _refuse_names(schema, rules)
    refuses = not schema.takes_missing  # if so, there is no prediction for missing values
    form = _whole if has_shares else _without_missing if refuses else lambda path: path
    lines = [(_meets(schema, form(rule.path)), literal(rule.answer)) for rule in rules]
    if has_shares:
        last = _added_up(model, rules)
    elif default is not None:
        last = literal(default)
    elif refuses and rules[0].conditions:
        last = "NULL"
    else:
        last = lines.pop()[1]  # every row meets one of the rules
    if not lines:
        return last
    whens = "\n".join(f"  WHEN {test} THEN {answer}" for test, answer in lines)
    return f"CASE\n{whens}\n  ELSE {last}\nEND"


def query(case: str, table: str, column: str) -> str:
    """Write the query that adds a column of predictions to a table."""
    return f"SELECT *, {case} AS {identifier(column)}\nFROM {identifier(table)}"


def identifier(name: str) -> str:
    """Quote the name of a column or table.

    Examples
    --------
    >>> print(identifier('the "old" price'))
    "the ""old"" price"
    """
    return '"' + name.replace('"', '""') + '"'


def literal(value: Label) -> str:
    r"""Write a value.

    Examples
    --------
    >>> print(literal("Don't"), literal(True), literal(3), literal(0.1), literal("a\\b"))
    'Don''t' TRUE 3 0.1e0 'a\b'
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        text = repr(value)
        return text if "e" in text else f"{text}e0"
    texts = ["'" + part.replace("'", "''") + "'" for part in value.split("\0")]
    return texts[0] if len(texts) == 1 else f"({' || chr(0) || '.join(texts)})"


def _refuse_names(schema: Schema, rules: Sequence["Rule"]) -> None:
    """Reject names that DuckDB cannot use: empty ones, and those that differ only in case."""
    detours = [each for rule in rules for each in rule.detours]
    used: list[Any] = [each for rule in rules for each in (*rule.conditions, *rule.detours)]
    used += [each for detour in detours for each in detour.instead]
    for at in sorted({each.column for each in used}):
        name = schema.columns[at].name
        if not name or "\0" in name:
            raise ConversionError(f"SQL has no column named {name!r}; rename it and fit again.")
        twins = [each for each in schema.names if each.casefold() == name.casefold() and each != name]
        if twins:
            raise ConversionError(
                f"SQL does not tell columns {name!r} and {twins[0]!r} apart, since it ignores case. Rename "
                "one of them and fit again."
            )


# -- Conditions -------------------------------------------------------------------------------------------


def _without_missing(path: Path) -> Path:
    return replace(path, conditions=tuple(replace(each, missing=False) for each in path.conditions))


def _whole(path: Path) -> Path:
    """Return the conditions under which a whole row reaches a leaf without a detour."""
    has_branches = [_has_branch(each.column, each.named) for each in path.detours]
    return Path(path.leaf, merged([*path.conditions, *has_branches]), ())


def _has_branch(column: int, named: frozenset[int] | None) -> Condition:
    """Return the condition that the value of a row is known or, if given, one of these categories."""
    return Condition(column, codes=named, named=named or frozenset(), missing=False)


def _meets(schema: Schema, path: Path) -> str:
    """Write the condition that a whole row reaches a leaf."""
    tests = [_test(schema, each) for each in path.conditions]
    tests += [_detour(schema, each, lambda share: "TRUE" if share else "FALSE") for each in path.detours]
    return " AND ".join(tests) or "TRUE"


def _test(schema: Schema, condition: Condition) -> str:
    """Write a condition that can be an operand of AND; it may be NULL if it is not met."""
    column = schema.columns[condition.column]
    name = identifier(column.name)
    if condition.codes is None:
        if not condition.known:
            return f"({_is_missing(name, column.kind)})"
        return _span(name, column, (condition.low, condition.high), condition.missing)
    others = condition.named - condition.codes
    if column.bins is None:
        if condition.missing:
            return f"({name} IS NULL OR {_is_one_of(name, column, others, negated=True)})"
        return _is_one_of(name, column, condition.codes)
    values = replace(column, kind=column.bins.kind, unit=column.bins.unit, zone=column.bins.zone)
    kept = others if condition.missing else condition.codes
    spans = " OR ".join(f"({_span(name, values, span)})" for span in spans_of_bins(column, kept)) or "FALSE"
    return f"({_is_missing(name, values.kind)} OR NOT ({spans}))" if condition.missing else f"({spans})"


def _is_one_of(name: str, column: Column, codes: frozenset[int], negated: bool = False) -> str:
    words = ("TRUE", "<>", "NOT IN", " AND ") if negated else ("FALSE", "=", "IN", " OR ")
    of_none, equals, within, joint = words
    labels = [literal(column.categories[code]) for code in sorted(codes)]
    if len(labels) <= 1:
        return f"{name} {equals} {labels[0]}" if labels else of_none
    lists = [", ".join(labels[at : at + _LONGEST_LIST]) for at in range(0, len(labels), _LONGEST_LIST)]
    tests = [f"{name} {within} ({each})" for each in lists]
    return tests[0] if len(tests) == 1 else f"({joint.join(tests)})"


def _span(name: str, column: Column, span: Span, missing: bool = False) -> str:
    """Write low < value <= high. NaN is above every number."""
    ends, is_open, is_number = zip((">", "<="), span, strict=True), span[1] is None, column.kind == "number"
    tests = [f"{name} {sign} {_end(end, column)}" for sign, end in ends if end is not None]
    if missing:
        value = f"({' AND '.join(tests)})" if len(tests) > 1 else tests[0]
        return f"({value} OR {f'{name} IS NULL' if is_open else _is_missing(name, column.kind)})"
    if is_open:
        tests += ([] if tests else [f"{name} IS NOT NULL"]) + ([f"NOT isnan({name})"] if is_number else [])
    return " AND ".join(tests)


def _is_missing(name: str, kind: Kind) -> str:
    return f"{name} IS NULL OR isnan({name})" if kind == "number" else f"{name} IS NULL"


def _end(end: float | int, column: Column) -> str:
    if column.kind == "datetime":
        return _moment(int(end), column.unit, column.zone)
    if column.kind == "duration":  # an INTERVAL counts microseconds
        return f"to_microseconds({int(end) * _NANOSECONDS[column.unit] // 1000})"
    return literal(int(end) if column.kind == "integer" else float(end))


def _moment(count: int, unit: str, zone: str) -> str:
    """Write a datetime to the microsecond, or to the nanosecond if it has a fraction of a microsecond."""
    microseconds, rest = divmod(count * _NANOSECONDS[unit], 1000)
    if abs(microseconds) > _FAR:  # years without four digits
        within = max(-_LARGEST, min(_LARGEST, microseconds))
        return f"make_timestamp{'tz' if zone else ''}({within})"
    if rest and not zone:
        text = str(np.array(count, dtype=f"datetime64[{unit}]")).replace("T", " ")
        return f"TIMESTAMP_NS '{text}'"
    text = str(np.datetime64(microseconds, "us")).replace("T", " ")
    return f"TIMESTAMPTZ '{text}+00'" if zone else f"TIMESTAMP '{text}'"


def _detour(schema: Schema, detour: Detour, share: Callable[[float], str]) -> str:
    """Write the fraction of a row that goes on if a split has no branch for its value."""
    whens = [f"WHEN {_test(schema, _has_branch(detour.column, detour.named))} THEN {share(1.0)}"]
    for each in detour.instead:
        named = None if each.codes is None else each.named
        decides, met = _test(schema, _has_branch(each.column, named)), _test(schema, each)
        whens.append(f"WHEN {decides} THEN CASE WHEN {met} THEN {share(1.0)} ELSE {share(0.0)} END")
    return f"CASE {' '.join(whens)} ELSE {share(detour.otherwise)} END"


# -- Fractions of rows ---------------------------------------------------------------------------------------


def _added_up(model: Model, rules: Sequence["Rule"]) -> str:
    """Write the query that predicts for a row whose fractions meet several rules.

    From the innermost query outwards: the fraction that meets each rule, the sum over rules for each class,
    the prediction.
    """
    target, loss = model.schema.target, model.tree.loss
    mark = _unused(model.schema)
    shares = [f"{mark}{at}" for at in range(len(rules))]
    query = _select(shares, [_share(model.schema, rule.path) for rule in rules])
    outcomes = list(zip(*(rule.outcome for rule in rules), strict=True))
    if not isinstance(target, Classes):
        return f"(SELECT {_sum(shares, outcomes[0])} FROM ({query}\n  ))"
    names = [f"{mark}c{at}" for at in range(len(outcomes))]
    query = f"{_select(names, [_sum(shares, each) for each in outcomes])} FROM ({query}\n  )"
    if loss is None:
        best, sign, slack = "greatest", ">=", -ROUNDING
    else:
        best, sign, slack = "least", "<=", ROUNDING * float(loss.max())
        costs = [f"{mark}l{at}" for at in range(len(names))]
        query = f"{_select(costs, [_sum(names, each) for each in loss.T.tolist()])} FROM ({query})"
        names = costs
    query = f"SELECT *, {best}({', '.join(names)}) + {literal(slack)} AS {mark} FROM ({query})"
    pairs = zip(names, target.labels, strict=True)
    whens = " ".join(f"WHEN {name} {sign} {mark} THEN {literal(label)}" for name, label in pairs)
    return f"(SELECT CASE {whens} END FROM ({query}))"


def _select(names: Sequence[str], values: Sequence[str]) -> str:
    columns = (f"{value} AS {name}" for name, value in zip(names, values, strict=True))
    return "SELECT\n    " + ",\n    ".join(columns)


def _share(schema: Schema, path: Path) -> str:
    met = " AND ".join(_test(schema, each) for each in path.conditions) or "TRUE"
    factors = [_detour(schema, each, literal) for each in path.detours] or [literal(1.0)]
    return f"CASE WHEN {met} THEN {' * '.join(factors)} ELSE {literal(0.0)} END"


def _sum(names: Sequence[str], factors: Sequence[float]) -> str:
    """Write a sum of products, in order; terms times 0 are left out."""
    terms = [f"{name} * {literal(by)}" for name, by in zip(names, factors, strict=True) if by]
    return " + ".join(terms) or literal(0.0)


def _unused(schema: Schema) -> str:
    """Find a prefix that no column name has."""
    mark = "r"
    while any(name.casefold().startswith(mark) for name in schema.names):
        mark += "_"
    return mark
