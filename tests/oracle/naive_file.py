"""A slow, obvious reader of CSV: all of the text at once, a column at a time, a cell at a time.

Written from what `read_file` promises: a column is what all of its cells are.
"""

import csv
import io
import math
from datetime import datetime, timedelta, timezone

MISSING = {"", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "n.a.", "N.A."}
MISSING |= {"n. a.", "N. A.", "n.a", "k.A.", "k. A.", "#VALUE!", "#DIV/0!", "#REF!", "#NUM!"}
ALSO_AMONG_NUMBERS = {"-", "--", "---", "–", "—", ".", "..", "None", "none", "NONE", "na", "nil", "Null"}
ALSO_AMONG_NUMBERS |= {"NaT"}
TRUTHS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def naive_table(text, delimiter=",", decimal="."):
    """Read a CSV with a header: for each name the kind of its column and its values, None for a gap."""
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    if len(rows[0]) > 1:
        rows = [row for row in rows if row != [""]]
    header, *body = rows
    return {name.strip(): naive_column([row[at] for row in body], decimal) for at, name in enumerate(header)}


def naive_column(cells, decimal="."):
    texts = [cell.strip() for cell in cells]
    known = [text for text in texts if text not in MISSING]
    if not known:
        return "number", [None] * len(texts)
    if all(text in TRUTHS for text in known):
        return "boolean", [TRUTHS.get(text) for text in texts]
    found = numbers_or_moments(texts, [text for text in known if text not in ALSO_AMONG_NUMBERS], decimal)
    return found or ("category", [None if text in MISSING else text for text in texts])


def numbers_or_moments(texts, some, decimal):
    gaps = MISSING | ALSO_AMONG_NUMBERS
    is_code = any(text[0] == "0" and len(text) > 1 for text in some)
    if not some or (is_code and all(letter in "0123456789" for text in some for letter in text)):
        return None
    if all(is_whole(text) and -(2**63) <= int(text) < 2**63 for text in some):
        return "whole", [None if text in gaps else int(text) for text in texts]
    for kind, read in (("number", lambda text: number(text, decimal)), ("datetime", moment)):
        values = [None if text in gaps else read(text) for text in texts]
        if all(text in gaps or value is not None for text, value in zip(texts, values, strict=True)):
            if kind == "number":
                return kind, [None if value is None or math.isnan(value) else value for value in values]
            if len({value.tzinfo is None for value in values if value is not None}) == 1:
                return kind, values
    found = everyday(some, decimal)
    if found is None:
        return None
    value_of = dict(zip(some, found[1], strict=True))
    return found[0], [None if text in gaps else value_of[text] for text in texts]


def everyday(texts, decimal):
    """Read numbers with signs between thousands or with a unit, or dates: all of them in one way, or None."""
    ways = []
    for thousands in ("", *",. '"):
        for point in {".", ","} - {thousands}:
            read = [dressed(text, thousands, point) for text in texts]
            if None in read or len({unit for unit, _ in read}) > 1:
                continue
            spaced = "".join(texts).replace("\u202f", " ")
            has_thousands = bool(thousands) and thousands in spaced.replace(" %", "%").replace("€ ", "€")
            is_bare = not has_thousands and read[0][0] == ""
            has_point = any(point in text for text in texts)
            if not (has_point and point != decimal and is_bare):
                disagrees = (has_point and point != decimal) or (has_thousands and thousands == decimal)
                ways.append((disagrees, [value for _, value in read]))
    if any(not disagrees for disagrees, _ in ways):
        ways = [way for way in ways if not way[0]]
    if ways:
        values = ways[0][1]
        if any(other != values for _, other in ways):
            return None
        if all("." not in value for value in values):
            return "whole", list(map(int, values))
        return "number", list(map(float, values))
    days = []
    for order in ("dmy", "mdy", "ymd"):
        for sign in "/.-":
            found = [day_of(text, order, sign) for text in texts]
            if None not in found and found not in days and not (order == "mdy" and sign == "."):
                days.append(found)
    return ("datetime", days[0]) if len(days) == 1 else None


def dressed(text, thousands, decimal):
    """Give the unit of a number and the number as Python writes it, None if it is none."""
    unit = ""
    for each in ("%", "€", "$"):
        if text.startswith(each) and each != "%":
            unit, text = each, text[1:].strip()
        elif text.endswith(each):
            unit, text = each, text[:-1].strip()
    minus = text.startswith("-")
    whole, sign, part = text.removeprefix("-").removeprefix("+").replace("\u202f", " ").partition(decimal)
    groups = whole.split(thousands) if thousands else [whole]
    if (sign and not part) or not all(set(group) <= set("0123456789") for group in [*groups, part]):
        return None
    if not whole and (thousands or not sign):
        return None
    if thousands and (len(groups[0]) not in (1, 2, 3) or any(len(group) != 3 for group in groups[1:])):
        return None
    if len(groups) > 1 and groups[0][0] == "0":
        return None
    return unit, "-" * minus + "".join(groups) + ("." + part if sign else "")


def day_of(text, order, sign):
    parts = text.split(sign)
    if len(parts) != 3 or not all(part.isascii() and part.isdecimal() for part in parts):
        return None
    part = dict(zip(order, parts, strict=True))
    if len(part["y"]) != 4 or len(part["m"]) > 2 or len(part["d"]) > 2 or part["y"][0] not in "12":
        return None
    try:
        return datetime(int(part["y"]), int(part["m"]), int(part["d"]))
    except ValueError:
        return None


def is_whole(text):
    digits = text[1:] if text[0] in "+-" else text
    return digits != "" and all(digit in "0123456789" for digit in digits)


def number(text, decimal):
    if decimal == "," and "." in text:
        return None
    text = text.replace(decimal, ".")
    if any(letter not in "0123456789+-.eEinfatyINFATY" for letter in text):
        return None
    try:
        return float(text)
    except ValueError:
        return None


def moment(text):
    """Read what has the shape 2024-02-29, 2024-02-29T12:30, with seconds, parts of them and an offset."""
    day, time = text[:10], text[10:]
    if any(found not in "0123456789" for found in day.replace("-", "")) or len(day) != 10:
        return None
    offset = None
    for sign in "+-Z":
        if sign in time:
            time, _, after = time.rpartition(sign)
            hours, minutes = (after[:2], after[2:].lstrip(":") or "0") if sign != "Z" else ("0", "0")
            if not (hours + minutes).isdecimal() or int(minutes) > 59 or int(hours) > 23:
                return None
            size = timedelta(hours=int(hours), minutes=int(minutes))
            offset = timezone(-size if sign == "-" else size)
            time = time.rstrip(" ")
    for shape in ("", "T%H:%M", "T%H:%M:%S", "T%H:%M:%S.%f", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f"):
        try:
            found = datetime.strptime(day + time, "%Y-%m-%d" + shape)
        except ValueError:
            continue
        return found if offset is None else found.replace(tzinfo=offset)
    return None
