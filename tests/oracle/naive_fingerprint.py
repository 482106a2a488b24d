"""The fingerprint of a table from its formula, row by row in Python's whole numbers."""

import math
import struct

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def naive_fingerprint(columns, target, weights):
    """Sum up the numbers of the rows that weigh something."""
    numbers = naive_numbers_of_rows(columns, target, weights)
    total = sum(number for number, weight in zip(numbers, weights, strict=True) if weight)
    return f"{total & WORD:016x}"


def naive_numbers_of_rows(columns, target, weights, seed=0):
    """Give the number of every row: its bits times constants, added up and scrambled."""
    factors = [scrambled(at * GOLDEN & WORD) | 1 for at in range(1, len(columns) + 3)]
    numbers = []
    for values in zip(target, weights, *columns, strict=True):
        total = sum(bits(value) * factor for value, factor in zip(values, factors, strict=True))
        numbers.append(scrambled((total + seed * GOLDEN) & WORD))
    return numbers


def scrambled(number):
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        number = ((number ^ (number >> shift)) * factor) & WORD
    return number


def bits(value):
    if isinstance(value, int):
        return value & WORD
    return struct.unpack("<Q", struct.pack("<d", math.nan if math.isnan(value) else value))[0]
