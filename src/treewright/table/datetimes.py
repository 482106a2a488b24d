"""Convert datetimes and durations to whole counts of a unit, and back to text.

They are compared as int64, so none is rounded. The unit is the finest of ns, us, ms and s that can represent
all values of the column, in whatever unit they came: the same datetimes give the same codes from any
container.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError, ColumnTypeError
from treewright.missing_values import GREATEST_INTEGER, MISSING_INTEGER

_LARGEST = np.iinfo(np.int64).max
_UNITS = ("ns", "us", "ms", "s")
# "generic" is NumPy's unit of an array that holds only NaT.
_NANOSECONDS = {"generic": 1, "ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9}
_NANOSECONDS |= {"h": 3600 * 10**9, "D": 86_400 * 10**9, "W": 7 * 86_400 * 10**9}


def finest_unit(values: NDArray[Any], name: str) -> str:
    """Find the finest unit in which all values of a column are whole int64 counts.

    Examples
    --------
    >>> finest_unit(np.array(["2024-02-29"], dtype="datetime64[D]"), "day")
    'ns'
    >>> finest_unit(np.array(["9999-12-31"], dtype="datetime64[D]"), "day")
    'us'
    """
    counts, size = _counts(values, name)
    known = counts[counts != MISSING_INTEGER]
    if not len(known):
        return "ns"
    widest = max(abs(int(known.min())), abs(int(known.max())))
    for unit in _UNITS:
        if size % _NANOSECONDS[unit] == 0 and widest * (size // _NANOSECONDS[unit]) <= _LARGEST:
            return unit
    far = f"column {name!r} holds values too far apart to be counted in seconds"
    raise ColumnError(f"{far}; drop or shorten it.")


def count(values: NDArray[Any], unit: str, name: str) -> NDArray[np.int64]:
    """Count datetimes or durations in `unit`, rounding down and clipping to int64.

    Rounding down does not change any comparison with a whole cut.

    Examples
    --------
    >>> count(np.array(["1970-01-02", "NaT"], dtype="datetime64[D]"), "s", "day")
    array([               86400, -9223372036854775808])
    """
    counts, size = _counts(values, name)
    target = _NANOSECONDS[unit]
    if size == target:
        is_within = not len(counts) or counts.max() <= GREATEST_INTEGER
        return counts if is_within else np.minimum(counts, GREATEST_INTEGER)
    if size < target:
        result = counts // (target // size)
    else:
        factor = size // target
        most = GREATEST_INTEGER // factor
        result = np.clip(counts, -most, most) * factor
        result[counts > most] = GREATEST_INTEGER
        result[counts < -most] = MISSING_INTEGER + 1
    result[counts == MISSING_INTEGER] = MISSING_INTEGER
    return result


def _counts(values: NDArray[Any], name: str) -> tuple[NDArray[np.int64], int]:
    """Return a column's int64 counts and the size of one count in nanoseconds."""
    unit, step = np.datetime_data(values.dtype)
    if unit in ("Y", "M") and values.dtype.kind == "M":
        values, unit, step = values.astype("datetime64[D]"), "D", 1
    if unit not in _NANOSECONDS:
        what = f"column {name!r} is of type {values.dtype}, which cannot be counted in nanoseconds"
        raise ColumnTypeError(f"{what}; convert it to one of ns, us, ms, s, m, h, D or W.")
    return values.astype(values.dtype.newbyteorder("="), copy=False).view(np.int64), _NANOSECONDS[unit] * step


def moments_of(items: list[Any], name: str) -> tuple[NDArray[Any], str]:
    """Convert Python's durations or dates and datetimes, in UTC if they have a time zone, to an array."""
    zoned = {getattr(item, "tzinfo", None) is not None for item in items}
    if len(zoned) > 1:
        mixed = f"column {name!r} mixes datetimes with and without a time zone"
        raise ColumnError(f"{mixed}; use one or the other.")
    return np.array(list(map(_moment, items))), "UTC" if zoned == {True} else ""


def _moment(item: Any) -> np.datetime64 | np.timedelta64:
    if isinstance(item, datetime) and item.tzinfo is not None:
        item = item.astimezone(UTC).replace(tzinfo=None)
    if hasattr(item, "to_numpy"):  # those of pandas have nanoseconds
        item = item.to_numpy()
    if isinstance(item, np.datetime64 | np.timedelta64):
        return item
    return np.timedelta64(item, "us") if isinstance(item, timedelta) else np.datetime64(item, "us")


def describe_datetime(value: int, unit: str, zone: str = "") -> str:
    """Format a counted datetime.

    Examples
    --------
    >>> describe_datetime(1709164800, "s")
    '2024-02-29'
    >>> describe_datetime(1709164800_500, "ms", "UTC")
    '2024-02-29 00:00:00.5 UTC'
    """
    text = str(np.array(value, dtype=f"datetime64[{unit}]")).replace("T", " ")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    text = text.removesuffix(" 00:00:00")
    return f"{text} {zone}" if zone else text


def describe_duration(value: int, unit: str) -> str:
    """Format a counted duration.

    Examples
    --------
    >>> describe_duration(93_784_500, "ms")
    '1 day 02:03:04.5'
    >>> describe_duration(-60, "s")
    '-00:01:00'
    """
    seconds, rest = divmod(abs(value) * _NANOSECONDS[unit], 10**9)
    days, seconds = divmod(seconds, 86_400)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if rest:
        text += f".{rest:09}".rstrip("0")
    if days:
        text = f"{days} day{'s' if days > 1 else ''}" + (f" {text}" if seconds or rest else "")
    return f"-{text}" if value < 0 else text
