"""A slow, obvious reader of CSV: all of the text at once, a column at a time, a cell at a time.

Written from what `read_file` promises: a column is what all of its cells are.
"""

import csv
import io
import math
from datetime import datetime, timedelta, timezone

MISSING = {"", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null"}
ALSO_AMONG_NUMBERS = {"-", "--", ".", "None", "none", "NONE", "na", "n.a.", "nil", "Null", "NaT"}
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
    some = [text for text in known if text not in ALSO_AMONG_NUMBERS]
    gaps = MISSING | ALSO_AMONG_NUMBERS
    if some and all(is_whole(text) and -(2**63) <= int(text) < 2**63 for text in some):
        return "whole", [None if text in gaps else int(text) for text in texts]
    for kind, read in (("number", lambda text: number(text, decimal)), ("datetime", moment)):
        values = [None if text in gaps else read(text) for text in texts]
        if some and all(text in gaps or value is not None for text, value in zip(texts, values, strict=True)):
            if kind == "number":
                return kind, [None if value is None or math.isnan(value) else value for value in values]
            if len({value.tzinfo is None for value in values if value is not None}) == 1:
                return kind, values
    return "category", [None if text in MISSING else text for text in texts]


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
