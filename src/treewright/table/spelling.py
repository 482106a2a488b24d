"""Values of columns as people read them."""

from treewright.schema import Kind
from treewright.table.datetimes import describe_datetime, describe_duration


def spell(value: float | int, kind: Kind, unit: str = "", zone: str = "") -> str:
    """Write a value of a column of this kind.

    Examples
    --------
    >>> spell(2.5, "number"), spell(60, "duration", "s")
    ('2.5', '00:01:00')
    """
    if kind == "datetime":
        return describe_datetime(int(value), unit, zone)
    if kind == "duration":
        return describe_duration(int(value), unit)
    if kind == "integer":
        return str(int(value))
    return short_number(float(value))


def short_number(value: float) -> str:
    """Write a number with as few digits as tell it from its neighbours in ordinary data.

    Midpoints carry the noise of binary fractions. Digits are kept until the error is below what float32
    resolves, and never so few that a whole number could end up on the other side.

    Examples
    --------
    >>> short_number((0.360 + 0.403) / 2), short_number(1234567.5), short_number(2.0)
    ('0.3815', '1234567.5', '2')
    """
    tolerance = min(1e-7 * abs(value), 0.05)
    for digits in range(6, 17):
        text = f"{value:.{digits}g}"
        if abs(float(text) - value) <= tolerance:
            break
    else:
        text = repr(value)
    # 1.2e+06 is harder to read than 1200000
    return f"{float(text):.0f}" if "e+" in text and abs(value) < 1e16 else text
