"""Check words, flags and numbers: the same checks and the same errors for parts and estimators."""

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from numbers import Integral, Real
from typing import Annotated, TypeAlias

import numpy as np

from treewright.errors import ParameterError, ParameterTypeError, did_you_mean, listed, shown

MOST = 2**62 - 1  # twice this still fits into 64 bits


def one_of(name: str, value: object, known: Iterable[object], later: tuple[str, ...] = ()) -> None:
    """Check that `value` is a known word.

    Parameters
    ----------
    name : str
        What the word is for.
    value : object
        What was given.
    known : iterable
        The known words: texts, or None.
    later : tuple of str
        Words that are spelled correctly, but that this version does not support yet.

    Examples
    --------
    >>> one_of("by", "gian", ["ratio", "gain"])
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: by='gian' is unknown; available: 'ratio', 'gain'. Did you mean 'gain'?
    """
    known = tuple(known)
    if any(value is each or (isinstance(value, str) and value == each) for each in known):
        return
    is_word = isinstance(value, str) and value not in later
    raise ParameterError(
        f"{name}={value!r} is {'unknown' if is_word else 'not available in this version'}; available: "
        f"{listed(known)}.{did_you_mean(value, (*known, *later)) if is_word else ''}"
    )


def flag(name: str, value: object) -> bool:
    """Check that `value` is True or False.

    Examples
    --------
    >>> flag("laplace", np.True_)
    True
    """
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{name}={value!r} is neither True nor False.")
    return bool(value)


def whole(name: str, value: object, *, at_least: int, at_most: int = MOST) -> int:
    """Check that `value` is a whole number from `at_least` to `at_most`, and return it as an int.

    NumPy's integers are whole numbers; booleans are not.

    Examples
    --------
    >>> whole("max_depth", 3, at_least=1)
    3
    >>> whole("max_depth", 0, at_least=1)
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: max_depth=0 is too small; give a whole number of at least 1.
    """
    if type(value) is int and at_least <= value <= at_most:  # nearly always; keeps small fits fast
        return value
    if isinstance(value, bool) or not isinstance(value, Integral):
        found = f"{name}={shown(value):.60}"
        raise ParameterTypeError(f"{found} is not a whole number; give one of at least {at_least}.")
    number = int(value)
    if number < at_least:
        found = f"{name}={shown(number)}"
        raise ParameterError(f"{found} is too small; give a whole number of at least {at_least}.")
    if number > at_most:
        raise ParameterError(
            f"{name}={shown(number)} is too large; give a whole number of at most {at_most}."
        )
    return number


def real(
    name: str,
    value: object,
    *,
    at_least: float = -math.inf,
    above: float = -math.inf,
    at_most: float = math.inf,
    below: float = math.inf,
) -> float:
    """Check that `value` is a finite number within bounds, and return it as a float.

    Examples
    --------
    >>> real("ccp_alpha", 0.5, at_least=0.0)
    0.5
    >>> real("ccp_alpha", -1, at_least=0.0)
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: ccp_alpha=-1 is out of range; give a number of at least 0.0.
    """
    is_number = type(value) is float or (isinstance(value, Real) and not isinstance(value, bool))
    try:
        number = float(value) if is_number else math.nan  # type: ignore[arg-type]
    except OverflowError:
        number = math.inf
    if at_least <= number <= at_most and above < number < below:
        return number
    bounds = {"of at least": at_least, "above": above, "of at most": at_most, "below": below}
    range_of = " and ".join(f"{words} {bound}" for words, bound in bounds.items() if math.isfinite(bound))
    if not is_number:
        raise ParameterTypeError(f"{name}={value!r} is not a number; give one {range_of}.")
    kind = "number" if math.isfinite(number) else "finite number"
    text = shown(value) if isinstance(value, int | Fraction) else value
    raise ParameterError(f"{name}={text} is out of range; give a {kind} {range_of}.")


# Types of numbers with their checks, for parameters of parts.
NonNegative: TypeAlias = Annotated[float, partial(real, at_least=0.0)]
Positive: TypeAlias = Annotated[float, partial(real, above=0.0)]
Count: TypeAlias = Annotated[int, partial(whole, at_least=1)]
TwoOrMore: TypeAlias = Annotated[int, partial(whole, at_least=2)]
