"""The family of errors, and the words they share.

Every mistake that treewright finds in what it is given is one of these::

    TreewrightError (ValueError)
    ├── TableError                   the table as a whole: empty, ragged, sparse, of no known make
    │   ├── TableTypeError           ... because it is no table at all (also a TypeError)
    │   └── FileError                ... because of the file it is read from
    ├── ColumnError                  one column: missing, doubled, unknown, infinite, of a kind not taken
    │   └── ColumnTypeError          ... because of what its values or its name are (also a TypeError)
    ├── TargetError                  the target: gaps, unequal length, labels that are none
    ├── WeightError                  the weights of rows or classes
    ├── ParameterError               a choice that does not exist, a number out of range
    │   └── ParameterTypeError       ... of the wrong type (also a TypeError)
    ├── ConversionError              the model cannot be expressed in the form asked for
    │   └── NoCounterpartError       ... under a name of scikit-learn's trees (also an AttributeError)
    ├── UnreachableError             no row that may be asked for gets the answer asked for
    └── MissingPackageError          a package that is not always needed is not there (also an ImportError)

What is doubtful, but can be gone on with, is a warning::

    DeepTreeWarning (UserWarning)         a tree of more than 1,000 levels, slow to grow and to predict with
    UnseenCategoryWarning (UserWarning)   categories at prediction that were not there in training
    WeightWarning (UserWarning)           weights of rows so small that no split can be made

A text says what is wrong, where, and what to do, with the value in it.
"""

import difflib
import sys
import warnings
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

__all__ = [
    "ColumnError",
    "ColumnTypeError",
    "ConversionError",
    "DeepTreeWarning",
    "FileError",
    "MissingPackageError",
    "ModelFileAccessError",
    "ModelFileError",
    "NoCounterpartError",
    "ParameterError",
    "ParameterTypeError",
    "TableError",
    "TableTypeError",
    "TargetError",
    "TreewrightError",
    "UnreachableError",
    "UnseenCategoryWarning",
    "WeightError",
    "WeightWarning",
    "did_you_mean",
    "listed",
    "shown",
    "warn",
]


class TreewrightError(ValueError):
    """Something given to treewright is not right; the text says what to do."""


class TableError(TreewrightError):
    """The table cannot be used."""


class TableTypeError(TableError, TypeError):
    """What was given is no table."""


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
    """A model has no counterpart in the form asked for."""


class NoCounterpartError(ConversionError, AttributeError):
    """A tree asks what scikit-learn's trees have no name for."""


class UnreachableError(TreewrightError):
    """No change of a row that is allowed leads to the answer asked for."""


class MissingPackageError(TreewrightError, ImportError):
    """A package that only some calls need is not installed."""


class DeepTreeWarning(UserWarning):
    """The tree has more than 1,000 levels, each of which takes only a few rows off the rest."""


class UnseenCategoryWarning(UserWarning):
    """Categories that were not there in training count as missing."""


class WeightWarning(UserWarning):
    """The weights of rows are so small that no split can be made."""


def warn(text: str, category: type[Warning]) -> None:
    """Warn whoever called into the package, however deep inside it the doubt arose."""
    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("treewright."):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(text, category, stacklevel=depth)


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Suggest the known name nearest to `name`, as a sentence to append.

    Parameters
    ----------
    name : object
        What was typed.
    known : iterable
        What could have been meant; only texts are compared.

    Returns
    -------
    str
        ``" Did you mean 'age'?"`` with its leading space, or an empty text when nothing is near.

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


def listed(values: Iterable[object], most: int = 8) -> str:
    """Write values one after the other, each as Python writes it, the tail shortened.

    Examples
    --------
    >>> listed(["gini", "entropy"])
    "'gini', 'entropy'"
    >>> listed(range(100), most=3)
    '0, 1, 2 and 97 more'
    """
    texts = [shown(value) for value in values]
    if len(texts) > most:
        return f"{', '.join(texts[:most])} and {len(texts) - most:,} more"
    return ", ".join(texts)


def shown(value: object) -> str:
    """Write a value as Python does, but numbers of very many digits by their size.

    Python itself refuses to write some thousand digits.

    Examples
    --------
    >>> shown("yes"), shown(2**64), shown(10**400), shown(-(10**5000))
    ("'yes'", '18446744073709551616', '1.000e+400', '-1.000e+5000')
    """
    if isinstance(value, int | Fraction) and value.numerator.bit_length() > 128:
        return f"{Decimal(value.numerator) / value.denominator:.3e}"
    return repr(value)
