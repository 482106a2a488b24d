"""Errors and warnings, and functions for their texts.

Every error about the input is one of these::

    TreewrightError (ValueError)
    ├── TableError                   the whole table: empty, ragged, sparse, of an unknown type
    │   ├── TableTypeError           ... because it is not a table (also a TypeError)
    │   └── FileError                ... because of the file that holds it
    ├── ColumnError                  one column: absent, duplicate, unknown, infinite, of a wrong kind
    │   └── ColumnTypeError          ... because of the type of its values or name (also a TypeError)
    ├── TargetError                  the target: missing values, a wrong length, wrong labels
    ├── WeightError                  the weights of rows or classes
    ├── ParameterError               an unknown choice, a number out of range
    │   └── ParameterTypeError       ... of the wrong type (also a TypeError)
    ├── ConversionError              the model has no counterpart in another form
    │   └── NoCounterpartError       ... under a name of scikit-learn's trees (also an AttributeError)
    ├── UnreachableError             no allowed change of a row leads to the wanted answer
    └── MissingPackageError          an optional package is not installed (also an ImportError)

Warnings are for doubtful input that can still be used::

    CloseValuesWarning (UserWarning)      columns whose values lie too close together for C4.5
    DeepTreeWarning (UserWarning)         a tree of more than 1,000 levels, or far larger than its table
    IdentifierWarning (UserWarning)       columns that look like row numbers, names or keys
    UnseenCategoryWarning (UserWarning)   categories at prediction that the training table did not have
    WeightWarning (UserWarning)           weights of rows too small for any split

Every text says what is wrong, where, with which value, and what to do.
"""

import difflib
import sys
import warnings
from collections.abc import Collection, Iterable
from decimal import Decimal
from fractions import Fraction


class TreewrightError(ValueError):
    """The input is wrong; the text says what to do."""


class TableError(TreewrightError):
    """The table cannot be used."""


class TableTypeError(TableError, TypeError):
    """The input is not a table."""


class FileError(TableError):
    """A file cannot be read as a table."""


class ColumnError(TreewrightError):
    """A column cannot be used."""


class ColumnTypeError(ColumnError, TypeError):
    """A column's values, or its name, are of a type that cannot be used."""


class TargetError(TreewrightError):
    """The target cannot be used."""


class WeightError(TreewrightError):
    """Weights cannot be used."""


class ParameterError(TreewrightError):
    """A parameter has a value that cannot be used."""


class ParameterTypeError(ParameterError, TypeError):
    """A parameter has a value of a type that cannot be used."""


class ModelFileError(TreewrightError):
    """A model file cannot be used."""


class ModelFileAccessError(ModelFileError, OSError):
    """A model file cannot be opened, read or written."""


class ConversionError(TreewrightError):
    """A model has no counterpart in another form."""


class NoCounterpartError(ConversionError, AttributeError):
    """A tree has something that scikit-learn's trees cannot express."""


class UnreachableError(TreewrightError):
    """No allowed change of a row leads to the wanted answer."""


class MissingPackageError(TreewrightError, ImportError):
    """An optional package is not installed."""


class CloseValuesWarning(UserWarning):
    """The values of a column lie so close together that C4.5 treats them as one."""


class DeepTreeWarning(UserWarning):
    """The tree has more than 1,000 levels, each for a few rows, or 20 times as many nodes as rows."""


class IdentifierWarning(UserWarning):
    """A column of categories identifies rows: hardly any rows share a value."""


class UnseenCategoryWarning(UserWarning):
    """Categories that the training table did not have count as missing."""


class WeightWarning(UserWarning):
    """The weights of rows are too small for any split."""


def warn(text: str, category: type[Warning]) -> None:
    """Issue a warning at the line that called into the package."""
    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("treewright."):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(text, category, stacklevel=depth)


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Suggest the known name nearest to `name`, as a sentence to append.

    Parameters
    ----------
    name : object
        The unknown name.
    known : iterable
        Known names; values that are not texts are ignored.

    Returns
    -------
    str
        ``" Did you mean 'age'?"`` with its leading space, or an empty text if no name is similar.

    Examples
    --------
    >>> "column 'agee' is not in the table." + did_you_mean("agee", ["age", "income"])
    "column 'agee' is not in the table. Did you mean 'age'?"
    >>> did_you_mean("agee", ["shoe size"])
    ''
    """
    if not isinstance(name, str):
        return ""
    by_folded = {text.casefold(): text for text in known if isinstance(text, str)}
    near = difflib.get_close_matches(name.casefold(), by_folded, n=1)
    return f" Did you mean {by_folded[near[0]]!r}?" if near else ""


def suggestion(name: object, known: Collection[object], most: int = 8) -> str:
    """Suggest the known name nearest to `name`, or list the known names if none is similar.

    Examples
    --------
    >>> suggestion("agee", ["age", "income"]), suggestion(3, ["age", "income"])
    (" Did you mean 'age'?", " There are 'age', 'income'.")
    """
    return did_you_mean(name, known) or f" There are {listed(known, most)}."


def listed(values: Iterable[object], most: int = 8) -> str:
    """Write values separated by commas, each as Python writes it; if there are many, count the last ones.

    Examples
    --------
    >>> listed(["gini", "entropy"])
    "'gini', 'entropy'"
    >>> listed(range(100), most=3)
    '0, 1, 2 and 97 more'
    """
    texts = [shown(value) for value in values]
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def shown(value: object) -> str:
    """Write a value as Python does, but very long numbers in scientific notation.

    Python itself refuses to write thousands of digits.

    Examples
    --------
    >>> shown("yes"), shown(2**64), shown(10**400), shown(-(10**5000))
    ("'yes'", '18446744073709551616', '1.000e+400', '-1.000e+5000')
    """
    if isinstance(value, int | Fraction) and value.numerator.bit_length() > 128:
        return f"{Decimal(value.numerator) / value.denominator:.3e}"
    return repr(value)
