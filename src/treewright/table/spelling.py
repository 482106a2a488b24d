"""Values of columns as people read them."""

from treewright.formatting import format_threshold
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
    return format_threshold(float(value))
