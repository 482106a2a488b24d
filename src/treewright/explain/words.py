"""Numbers as explanations write them."""


def number(value: float) -> str:
    """Write a number with six digits, large ones without an exponent.

    Examples
    --------
    >>> number(22.5), number(1234567.0), number(1 / 3)
    ('22.5', '1234567', '0.333333')
    """
    text = f"{value:.6g}"
    return f"{value:.0f}" if "e+" in text and abs(value) < 1e16 else text


def rows(n: int) -> str:
    """Count rows.

    Examples
    --------
    >>> rows(1), rows(1200)
    ('1 row', '1,200 rows')
    """
    return f"{n:,} row{'' if n == 1 else 's'}"
