"""Numbers and dates in everyday notation: ``69,322.77``, ``76.4 %``, ``€ 1.200,50``, ``06.06.2020``.

Each is converted to the plain text that `cells` reads. A column is read this way only if all its cells agree
on one notation. A notation is a short text: for numbers it shows how 1234.5 is written, such as ``1.234,5
€``; for dates it is a format of `datetime.strptime`, such as ``%d.%m.%Y``.

Numbers: a decimal sign (point or comma); groups of three digits separated by commas, points, spaces or
apostrophes; the same currency in every cell, or a percent sign. ``76.4 %`` is 76.4, or 0.764 in the notation
of fractions. Dates: day, month and year of four digits, separated by slashes, points (day first) or hyphens,
the year first or last, with or without a time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Literal, TypeAlias

Percent: TypeAlias = Literal["points", "fraction"]
PERCENTS: tuple[Percent, ...] = ("points", "fraction")
THOUSANDS = (",", ".", " ", "'")
"""What may separate groups of three digits."""

_LIKE = {"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2019": "'", "\u2212": "-", "％": "%", "￥": "¥"}
_LIKE_TABLE = str.maketrans(_LIKE)
_CODES = "EUR|USD|GBP|CHF|JPY|CNY|RMB|INR|KRW|BRL|MXN|CAD|AUD|NZD|HKD|SGD|TRY|RUB|SEK|NOK|DKK|PLN|CZK|HUF"
_UNIT = rf"(?:(?:US|A|C|R|HK|NZ|NT|S)?\$|[€£¥₹₽₩₺₫₪₴฿₦₱]|{_CODES}|kr\.?|zł|Kč|元)"
_EVERYDAY_NUMBER = re.compile(
    rf"(?P<sign>[+-]?) ?(?P<before>{_UNIT})? ?(?P<inner>[+-]?)"
    rf"(?P<body>[0-9.,][0-9.,' ]*?) ?(?P<after>{_UNIT}|%)?"
)
_NOTATION = re.compile(rf"1([,. ']?)234([.,])5(?: (/?%|{_UNIT}))?")
_DATE = re.compile(
    r"(?:(?P<first>[0-9]{1,4})(?P<mark>[./-])[0-9]{1,2}(?P=mark)(?P<last>[0-9]{1,4})"
    r"|[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日)"
    r"(?P<time>[T ][0-9]{1,2}:[0-9]{2}(?P<seconds>:[0-9]{2}(?P<parts>\.[0-9]{1,6})?)?"
    r"(?P<half> ?[AaPp][Mm])?)?",
    re.ASCII,
)
_DIRECTIVES = {
    "Y": "(?P<Y>[12][0-9]{3})",
    "m": "(?P<m>[0-9]{1,2})",
    "d": "(?P<d>[0-9]{1,2})",
    "H": "(?P<H>[0-9]{1,2})",
    "I": "(?P<I>[0-9]{1,2})",
    "M": "(?P<M>[0-9]{2})",
    "S": "(?P<S>[0-9]{2})",
    "f": "(?P<f>[0-9]{1,6})",
    "p": " ?(?P<p>[AaPp])[Mm]",
}


@dataclass(frozen=True, slots=True)
class Notation:
    """How the numbers of a column are written.

    Parameters
    ----------
    thousands : str
        What separates groups of three digits; empty if nothing does.
    decimal : str
        The decimal sign.
    unit : str
        A currency, ``"%"``, or ``"/%"`` for percentages that are read as fractions; empty for no unit.
    """

    thousands: str = ""
    decimal: str = "."
    unit: str = ""

    @classmethod
    def of(cls, text: str) -> "Notation | None":
        """Parse a notation of numbers; None if it is not one.

        Examples
        --------
        >>> Notation.of("1.234,5 €"), Notation.of("%d.%m.%Y")
        (Notation(thousands='.', decimal=',', unit='€'), None)
        """
        found = _NOTATION.fullmatch(text)
        return None if found is None or found[1] == found[2] else cls(found[1], found[2], found[3] or "")

    def __str__(self) -> str:
        return f"1{self.thousands}234{self.decimal}5" + (f" {self.unit}" if self.unit else "")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read all texts of a column.

    Parameters
    ----------
    kind : {"number", "datetime"}
        The kind of value that results.
    notation : str
        How the texts are written.
    texts : list of str
        The same values as plain texts.
    decimal, thousands : str
        The signs that occur in the texts; empty if they do not occur.
    has_unit : bool
        Whether they have a currency or a percent sign.
    """

    kind: Literal["number", "datetime"]
    notation: str
    texts: list[str]
    decimal: str = ""
    thousands: str = ""
    has_unit: bool = False

    @property
    def option(self) -> str:
        """The option of the command line that chooses this reading."""
        if self.kind == "datetime":
            return f"--date-format '{self.notation}'"
        sign = "thousands" if self.thousands else "decimal"
        return f"--{sign} {self.thousands.replace(' ', 'space') or self.decimal}"


def readings(texts: Sequence[str], percent: Percent = "points") -> list[Reading]:
    """List every way to read texts as everyday numbers or dates, each with its own notation.

    Examples
    --------
    >>> [(each.notation, each.texts) for each in readings(["1.200 €", "13 €"])]
    [('1234.5 €', ['1.200', '13']), ('1.234,5 €', ['1200', '13'])]
    >>> [(each.notation, each.texts) for each in readings(["06/07/2020", "31/07/2020"])]
    [('%d/%m/%Y', ['2020-07-06T00:00', '2020-07-31T00:00'])]
    """
    return [*_numbers(texts, percent), *_dates(texts)]


def read_as(texts: Sequence[str], notation: str) -> Reading | None:
    """Read texts in a known notation; None if one of them is not written in it.

    Numbers may omit the unit of the notation, unless they are percentages read as fractions. They may also
    separate thousands if the numbers that the notation was learned from were too small for that.

    Examples
    --------
    >>> read_as(["1.200"], "1.234,5 €").texts, read_as(["6.7.20"], "%d.%m.%y").texts
    (['1200'], ['2020-07-06T00:00:00'])
    """
    numbers = Notation.of(notation)
    if numbers is None:
        plain = _read_dates(texts, notation)
        return None if plain is None else Reading("datetime", notation, plain)
    parts = _parts(texts)
    units = {numbers.unit} if numbers.unit == "/%" else {numbers.unit, ""}
    if parts is None or parts[0] not in {unit.removeprefix("/") for unit in units}:
        return None
    of_new = replace(numbers, unit=numbers.unit if parts[0] else "")
    for thousands in (numbers.thousands, *(() if numbers.thousands else THOUSANDS)):
        wider = replace(of_new, thousands=thousands)
        found = None if thousands == numbers.decimal else _in_notation(wider, *parts[1:])
        if found is not None:
            return replace(found, notation=str(replace(numbers, thousands=thousands)))
    return None


def have_same_unit(notation: str, known: str | None) -> bool:
    """Report whether two notations may belong to one column: a column of percentages has no dollars.

    Examples
    --------
    >>> have_same_unit("1234.5 $", "1234.5 %"), have_same_unit("1,234.5", "1234.5 %")
    (False, True)
    """
    here, there = Notation.of(notation), Notation.of(known or "")
    return here is None or there is None or "" in (here.unit, there.unit) or here.unit == there.unit


def agree(before: str, now: str, decimal: str) -> bool:
    """Report whether two notations can occur in one column; an empty one is plain, with this decimal sign.

    Examples
    --------
    >>> agree("", "1,234.5", "."), agree("1234,5", "1.234,5", "."), agree("", "1234.5 %", ".")
    (True, True, False)
    >>> agree("1,234.5", "1.234,5", "."), agree("", "%d.%m.%Y", ".")
    (False, False)
    """
    one, other = (Notation.of(text) if text else Notation("", decimal) for text in (before, now))
    if one is None or other is None:
        return before == now
    is_same = (one.decimal, one.unit) == (other.decimal, other.unit)
    return is_same and (one.thousands == other.thousands or "" in (one.thousands, other.thousands))


def are_padded(texts: Sequence[str]) -> bool:
    """Report whether texts are codes with leading zeros, which numbers would lose.

    Examples
    --------
    >>> are_padded(["01234", "90210"]), are_padded(["0", "12"]), are_padded(["007", "1.5"])
    (True, False, False)
    """
    return any(text[0] == "0" and len(text) > 1 for text in texts) and all(
        text.isascii() and text.isdecimal() for text in texts
    )


def _numbers(texts: Sequence[str], percent: Percent) -> Iterator[Reading]:
    parts = _parts(texts)
    if parts is None:
        return
    unit, signs, bodies = parts
    if unit == "%" and percent == "fraction":
        unit = "/%"
    for thousands in ("", *THOUSANDS):
        for decimal in (".", ","):
            if thousands != decimal:
                found = _in_notation(Notation(thousands, decimal, unit), signs, bodies)
                # A sign that does not occur in any text does not make a separate reading.
                usual = "," if thousands == "." else "."
                if found is not None and found.thousands == thousands and (found.decimal or decimal == usual):
                    yield found


def _parts(texts: Sequence[str]) -> tuple[str, list[str], list[str]] | None:
    """Return the unit that all texts share, their signs and their digits; None if one is not a number."""
    unit, signs, bodies = None, [], []
    for text in texts:
        found = _EVERYDAY_NUMBER.fullmatch(text.translate(_LIKE_TABLE))
        if found is None or (found["before"] and found["after"]) or (found["sign"] and found["inner"]):
            return None
        here = found["before"] or found["after"] or ""
        if unit not in (None, here):
            return None
        unit = here
        signs.append((found["sign"] or found["inner"]).replace("+", ""))
        bodies.append(found["body"])
    return None if unit is None else (unit, signs, bodies)


def _in_notation(notation: Notation, signs: Sequence[str], bodies: Sequence[str]) -> Reading | None:
    thousands, decimal = notation.thousands, notation.decimal
    pattern = _pattern_of(thousands, decimal)
    if not all(map(pattern.fullmatch, bodies)):
        return None
    plain = [body.replace(thousands, "") if thousands else body for body in bodies]
    texts = [sign + body.replace(decimal, ".") for sign, body in zip(signs, plain, strict=True)]
    if notation.unit == "/%":
        texts = [f"{text}e-2" for text in texts]
    return Reading(
        "number",
        str(notation),
        texts,
        decimal=decimal if any(decimal in body for body in bodies) else "",
        thousands=thousands if thousands and any(thousands in body for body in bodies) else "",
        has_unit=bool(notation.unit),
    )


@lru_cache(maxsize=32)
def _pattern_of(thousands: str, decimal: str) -> re.Pattern[str]:
    mark, point = re.escape(thousands), re.escape(decimal)
    if not thousands:
        return re.compile(rf"[0-9]+(?:{point}[0-9]+)?|{point}[0-9]+")
    return re.compile(rf"(?:[0-9]{{1,3}}|[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+)(?:{point}[0-9]+)?")


def _dates(texts: Sequence[str]) -> Iterator[Reading]:
    found = _DATE.fullmatch(texts[0]) if texts else None
    if found is None:
        return
    mark, first, last = found["mark"], found["first"] or "", found["last"] or ""
    if mark is None:
        days = ["%Y年%m月%d日"]
    elif len(first) == 4 and len(last) <= 2:
        days = [f"%Y{mark}%m{mark}%d"]
    elif len(first) <= 2 and len(last) == 4:
        orders = ["%d{0}%m{0}%Y"] if mark == "." else ["%d{0}%m{0}%Y", "%m{0}%d{0}%Y"]
        days = [order.format(mark) for order in orders]
    else:
        return
    time = ""
    if found["time"]:
        time = found["time"][0] + ("%I:%M" if found["half"] else "%H:%M")
        time += (":%S" if found["seconds"] else "") + (".%f" if found["parts"] else "")
        time += "%p" if found["half"] else ""
    for day in days:
        plain = _read_dates(texts, day + time)
        if plain is not None:
            yield Reading("datetime", day + time, plain)


def _read_dates(texts: Sequence[str], format: str) -> list[str] | None:
    """Return dates and times as ISO 8601; None if one does not have the format."""
    pattern = _pattern_of_dates(format)
    plain = []
    for text in texts:
        if pattern is None:
            try:
                plain.append(datetime.strptime(text, format).isoformat())
            except ValueError:
                return None
        elif (found := pattern.fullmatch(text)) is None or (iso := _iso(found.groupdict())) is None:
            return None
        else:
            plain.append(iso)
    return plain


def _iso(part: dict[str, str]) -> str | None:
    year, month, day = part["Y"], int(part["m"]), int(part["d"])
    hour = int(part.get("H") or part.get("I") or 0)
    if "p" in part:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (part["p"] in "Pp")
    try:
        datetime(int(year), month, day, hour, int(part.get("M", 0)), int(part.get("S", 0)))
    except ValueError:
        return None
    text = f"{year}-{month:02}-{day:02}T{hour:02}:{part.get('M', '00')}"
    if "S" in part:
        text += f":{part['S']}" + (f".{part['f']}" if "f" in part else "")
    return text


@lru_cache(maxsize=32)
def _pattern_of_dates(format: str) -> re.Pattern[str] | None:
    """Make a pattern for a format; None if it needs `datetime.strptime`."""
    pieces = re.split(r"%(.)", format)
    names = pieces[1::2]
    if not {"Y", "m", "d"} <= set(names) <= _DIRECTIVES.keys() or len(set(names)) < len(names):
        return None
    if ("I" in names) != ("p" in names) or ({"H", "I"} <= set(names)) or ("f" in names and "S" not in names):
        return None
    parts = [_DIRECTIVES[each] if at % 2 else re.escape(each) for at, each in enumerate(pieces)]
    return re.compile("".join(parts).replace(r"\ ", "[ ]"), re.ASCII)
