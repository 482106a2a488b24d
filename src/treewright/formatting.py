"""Format numbers for people.

The choice depends on the kind of number: `format_threshold` for thresholds, `format_number` for predictions,
`format_value` if they may be classes, `format_score` for gains and impurities, `format_weight` for the weight
of rows, `format_decimals` for probabilities, `format_percent` for other proportions, `format_count` for a
number of things, `format_with_error` for an estimate. `significant` rounds figures for JSON. If a program
reads the number back, write its `repr`.
"""

import math

import numpy as np


def format_threshold(value: float) -> str:
    """Write a number with just enough digits to separate its neighbours in ordinary data.

    Midpoints have the rounding noise of binary fractions. Digits are added until the error is below the
    resolution of float32, and so small that no whole number ends up on the other side.

    Examples
    --------
    >>> format_threshold((0.360 + 0.403) / 2), format_threshold(1234567.5), format_threshold(2.0)
    ('0.3815', '1234567.5', '2')
    """
    tolerance = min(1e-7 * abs(value), 0.05)
    for digits in range(6, 17):
        near = significant(value, digits)
        if abs(near - value) <= tolerance:
            return format_number(near, digits)
    return repr(value)


def format_number(value: float, digits: int = 6) -> str:
    """Write a number with some significant digits; large numbers keep all digits before the point.

    Examples
    --------
    >>> format_number(0.1 + 0.2), format_number(1234567.8), format_number(1 / 3, digits=3)
    ('0.3', '1234568', '0.333')
    """
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e+" in text and abs(value) < 1e16 else text


def format_value(value: object, digits: int = 6) -> str:
    """Write a prediction or a cell of a table: floats with some significant digits, others as they are.

    Examples
    --------
    >>> format_value("yes"), format_value(3), format_value(0.1 + 0.2)
    ('yes', '3', '0.3')
    """
    return format_number(float(value), digits) if isinstance(value, float | np.floating) else str(value)


def format_score(value: float) -> str:
    """Write a gain, an impurity or a ratio with four decimals, or none if it is a whole number.

    Examples
    --------
    >>> format_score(0.98523), format_score(1.0), format_score(12345.678), format_score(-0.05)
    ('0.9852', '1', '12345.68', '−0.0500')
    >>> format_score(0.00001234)
    '1.234e-05'
    """
    size = abs(value)
    if not math.isfinite(value):
        return str(value)
    if abs(size - round(size)) < 1e-12 and size < 1e15:
        text = str(round(size))
    elif size < 1e-3 or size >= 1e7:
        text = f"{size:.4g}"
    else:
        text = f"{size:.{4 if size < 1000 else 2}f}"
    return f"−{text}" if value < 0 and text != "0" else text


def format_weight(value: float) -> str:
    """Write the weight of rows: as a whole number if it is one, up to rounding errors.

    Examples
    --------
    >>> format_weight(14.0), format_weight(7.93333), format_weight(0.1 + 0.2 + 0.7)
    ('14', '7.933', '1')
    """
    whole = round(value)
    is_whole = abs(value - whole) <= 1e-9 * max(1.0, abs(value))
    return str(whole) if is_whole else format_number(value, digits=4)


def format_decimals(value: float, decimals: int = 3) -> str:
    """Write a number with a fixed number of decimals, so that figures can be compared.

    Examples
    --------
    >>> format_decimals(0.9), format_decimals(1.25, decimals=1)
    ('0.900', '1.2')
    """
    return f"{value:.{decimals}f}"


def format_distinct(low: float, high: float) -> tuple[str, str]:
    """Write two numbers with as many decimals as are needed to distinguish them, at least three.

    Examples
    --------
    >>> format_distinct(0.171, 0.207), format_distinct(0.20712, 0.20714)
    (('0.171', '0.207'), ('0.20712', '0.20714'))
    """
    for decimals in range(3, 16):
        texts = format_decimals(low, decimals), format_decimals(high, decimals)
        if texts[0] != texts[1]:
            break
    return texts


def format_percent(share: float, decimals: int = 0) -> str:
    """Write a fraction in percent; only 0 is written as 0%, and only 1 as 100%.

    Examples
    --------
    >>> format_percent(0.368), format_percent(0.0004), format_percent(0.9999), format_percent(1.0)
    ('37%', '<1%', '>99%', '100%')
    >>> format_percent(0.368, decimals=1), format_percent(0.0004, decimals=1)
    ('36.8%', '<0.1%')
    """
    percent, least = 100 * share, 10.0**-decimals
    if 0 < percent < least / 2:
        return f"<{least:g}%"
    if 100 - least / 2 <= percent < 100:
        return f">{100 - least:g}%"
    return f"{percent:.{decimals}f}%"


def format_count(n: int, one: str, several: str = "") -> str:
    """Write a number of things.

    Examples
    --------
    >>> format_count(1, "row"), format_count(1200, "row"), format_count(2, "class", "classes")
    ('1 row', '1,200 rows', '2 classes')
    """
    return f"{n:,} {one if n == 1 else several or one + 's'}"


def format_with_error(value: float, error: float) -> str:
    """Write a figure and its standard error, to the second digit of the error; empty for NaN.

    Examples
    --------
    >>> format_with_error(0.94123, 0.01234), format_with_error(12345.6, 210.0), format_with_error(3.0, 0.0)
    ('0.941 ± 0.012', '12,346 ± 210', '3 ± 0')
    >>> format_with_error(-0.0001, 0.01234)
    '0.000 ± 0.012'
    """
    if math.isnan(value):
        return ""
    if math.isnan(error) or not 1e-6 < error < 1e6:
        return f"{value:.4g} ± {error:.2g}"
    decimals = max(0, 1 - math.floor(math.log10(error)))
    return f"{value:z,.{decimals}f} ± {error:,.{decimals}f}"


def significant(value: float, digits: int = 6) -> float:
    """Round to some significant digits.

    Examples
    --------
    >>> significant(0.123456789), significant(1234567.8)
    (0.123457, 1234570.0)
    """
    return float(f"{value:.{digits}g}")
