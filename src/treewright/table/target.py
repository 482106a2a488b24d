"""Read the target: classes as codes, or finite numbers."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.errors import TargetError, TreewrightError, did_you_mean, listed, shown
from treewright.schema import Label
from treewright.table.checks import has_finite_sum
from treewright.table.infer import exact_integers, is_beyond_float, plain
from treewright.table.read import Raw

_MOST = 1e150  # a limit of the core
_MOST_CLASSES = 2**16 - 1  # a limit of the core


@dataclass(frozen=True, slots=True)
class CodedClasses:
    """A target of classes.

    Parameters
    ----------
    codes : array of int32
        For every row the position of its label.
    labels : array
        The labels observed, sorted, in their original type.
    n_declared : int
        Number of declared classes; 0 if only the observed classes are known.
    """

    codes: NDArray[np.int32]
    labels: NDArray[Any]
    n_declared: int = 0

    @property
    def names(self) -> tuple[Label, ...]:
        """The labels as plain values, which do not depend on their original type."""
        return tuple(int(label) if isinstance(label, float) else label for label in self.labels.tolist())

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> "CodedClasses":
        return replace(self, codes=self.codes[rows])

    def renumbered(self, labels: Sequence[Label]) -> "CodedClasses":
        """Replace the code of every class by its position among known labels.

        Raises
        ------
        TargetError
            If a class is not among them.

        Examples
        --------
        >>> target = CodedClasses(np.array([0, 1, 0], dtype=np.int32), np.array(["no", "yes"]))
        >>> target.renumbered(["maybe", "no", "yes"]).codes
        array([1, 2, 1], dtype=int32)
        """
        position = {label: at for at, label in enumerate(labels)}
        unknown = [label for label in self.names if label not in position]
        if unknown:
            known = f"its classes are {listed(labels)}.{did_you_mean(unknown[0], labels)}"
            raise TargetError(f"the target holds {listed(unknown)}, which the tree was not grown on; {known}")
        numbers = np.array([position[label] for label in self.names], dtype=np.int32)
        return replace(self, codes=numbers[self.codes], labels=np.array(labels))


Target: TypeAlias = CodedClasses | NDArray[np.float64]


def targets_of(target: Target) -> NDArray[Any]:
    """Return the code of the class, or the number, of every row."""
    return target.codes if isinstance(target, CodedClasses) else target


def values_of(target: Target) -> NDArray[Any]:
    """Return the label or the number of every row."""
    return target.labels[target.codes] if isinstance(target, CodedClasses) else target


def read_classes(raw: Raw) -> CodedClasses:
    """Read a target of classes: texts, booleans or whole numbers.

    Examples
    --------
    >>> target = read_classes(Raw(np.array(["yes", "no", "yes"])))
    >>> target.codes.tolist(), target.names
    ([1, 0, 1], ('no', 'yes'))
    """
    if raw.labels is not None:
        coded = _code_labels(raw, raw.labels)
        return replace(coded, n_declared=len(raw.labels)) if raw.is_declared else coded
    _refuse_missing(raw)
    values = raw.values
    kind = values.dtype.kind
    if kind == "O":
        return _code_objects(values)
    if kind in "UT":
        return _code_texts(values.tolist(), values.dtype)
    expected = "classes are texts, booleans or whole numbers"
    if kind not in "biuf":
        raise TargetError(f"Unknown label type: {values.dtype}; {expected}. Convert it.")
    whole = values == np.floor(values) if kind == "f" else np.ones(1, dtype=bool)
    if not whole.all():
        row = int(whole.argmin())
        holds = f"The target holds {values[row]} in row {row}; {expected}"
        raise TargetError(f"Unknown label type: continuous. {holds}. Use a regressor for a numeric target.")
    if kind == "f" and not (np.abs(values) < 2.0**63).all():
        row = int((np.abs(values) >= 2.0**63).argmax())
        why = (
            f"; classes that are whole numbers lie between {-(2**63)} and {2**63 - 1}. Turn them into texts."
        )
        raise _wrong(values[row].item(), row, why)
    return _code_integers(values.astype(np.int8) if kind == "b" else values, values.dtype)


def read_numbers(raw: Raw) -> NDArray[np.float64]:
    """Read a numeric target: finite numbers.

    Examples
    --------
    >>> read_numbers(Raw(np.array([1, 2])))
    array([1., 2.])
    """
    raw = raw.decoded()
    _refuse_missing(raw)
    try:
        values = plain(raw, "target").values
    except TreewrightError as error:
        raise TargetError(f"the target cannot be read as numbers: {error}") from error
    if values.dtype.kind not in "fiub":
        raise TargetError(f"the target is of type {values.dtype}; convert it to numbers.")
    # Adding zero turns -0.0 into 0.0: which of the two a leaf shows must not depend on the order of rows.
    return np.ascontiguousarray(values, dtype=np.float64) + 0.0


def refuse_too_large(numbers: NDArray[np.float64]) -> None:
    """Raise if a number is too large for sums of squares to be finite.

    Examples
    --------
    >>> refuse_too_large(np.array([1.0, -1e200]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.TargetError: the target holds -1e+200 in row 1; it is at most 1e+150 in size. ...
    """
    if not (numbers.max() <= _MOST and numbers.min() >= -_MOST):
        row = int((np.abs(numbers) > _MOST).argmax())
        raise _wrong(numbers[row].item(), row, f"; it is at most {_MOST} in size. Scale it down.")


def refuse_too_many(target: CodedClasses) -> None:
    """Raise if there are more classes than the core can count.

    Examples
    --------
    >>> target = CodedClasses(np.arange(70_000, dtype=np.int32), np.arange(70_000))
    >>> refuse_too_many(target)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.TargetError: the target has 70,000 classes, and a tree takes at most 65,535. ...
    """
    if len(target.labels) > _MOST_CLASSES:
        most = f"a tree takes at most {_MOST_CLASSES:,}"
        way_out = "Merge rare classes, or use a regressor if they are numbers."
        raise TargetError(f"the target has {len(target.labels):,} classes, and {most}. {way_out}")


def refuse_unfit_for_poisson(numbers: NDArray[np.float64], weights: NDArray[np.float64] | None) -> None:
    """Raise unless all numbers are at least 0 and some are positive; rows of weight 0 are ignored.

    Examples
    --------
    >>> refuse_unfit_for_poisson(np.array([0.0, -2.0]), None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.TargetError: the target holds -2.0 in row 1; Poisson deviance needs ...
    """
    present = numbers if weights is None else np.where(weights > 0, numbers, 0.0)
    if (present < 0).any():
        row = int((present < 0).argmax())
        raise _wrong(numbers[row].item(), row, "; Poisson deviance needs targets of at least 0.")
    if not present.any():
        zero = f"the target is 0 in every row (row 0 holds {numbers[0]})"
        raise TargetError(f"{zero}; Poisson deviance needs a positive sum.")


def _refuse_missing(raw: Raw) -> None:
    """Raise if a row has no target, or an infinite one."""
    values, kind = raw.values, raw.values.dtype.kind
    if kind == "c":
        raise TargetError("Complex data not supported: the target holds complex numbers.")
    if raw.missing is None and (kind in "biu" or (kind == "f" and has_finite_sum(values))):
        return
    infinite = np.isinf(values) if kind == "f" else np.zeros(len(values), dtype=bool)
    if kind == "O":
        infinite[:] = [isinstance(each, float | np.floating) and np.isinf(each) for each in values.tolist()]
    wrong = raw.is_missing() | infinite
    if wrong.any():
        row = int(wrong.argmax())
        holds = f"the target holds {'infinity' if infinite[row] else 'NaN or no value at all'} in row {row}"
        n_wrong = f"{int(wrong.sum()):,} of {len(wrong):,} rows have none"
        raise TargetError(f"{holds} ({n_wrong}). Remove these rows first.")


def _code_labels(raw: Raw, labels: Sequence[Any]) -> CodedClasses:
    """Code the classes from the labels that occur; if one is wrong, read all rows to name the row."""
    present = np.flatnonzero(np.bincount(raw.values + 1)) - 1
    with suppress(TargetError):
        if len(present) and present[0] >= 0:
            coded = read_classes(replace(raw, values=present).decoded())
            code_of = np.zeros(len(labels), dtype=np.int32)
            code_of[present] = coded.codes
            return replace(coded, codes=code_of.take(raw.values))
    return read_classes(raw.decoded())


def _code_objects(values: NDArray[Any]) -> CodedClasses:
    items = values.tolist()
    types = set(map(type, items))

    def are(kinds: Any) -> bool:
        return all(issubclass(each, kinds) for each in types)

    if are(str):
        return _code_texts(items, values.dtype)
    if are(bool | np.bool_):
        return read_classes(Raw(np.array(items, dtype=bool)))
    if bool not in types and are(Integral | float | np.floating):
        return read_classes(Raw(_whole_labels(items) if are(Integral) else _float_labels(items)))
    other = next((item for item in items if type(item) is not type(items[0])), items[0])
    found = " and ".join(f"{shown(item)} ({type(item).__name__})" for item in (items[0], other))
    way_out = "Classes are all texts, all booleans or all whole numbers; convert it."
    raise TargetError(f"Unknown label type: the target holds {found}. {way_out}")


def _whole_labels(items: list[Any]) -> NDArray[Any]:
    values = np.array(items)
    if values.dtype.kind in "iu":
        return values
    # NumPy turns numbers that do not fit into int64 into floats or objects, and would round some of them.
    integers = exact_integers(items)
    if integers is None:
        least, most = (0, 2**64 - 1) if min(items) >= 0 else (-(2**63), 2**63 - 1)
        row = next(row for row, item in enumerate(items) if not least <= item <= most)
        between = f"between {-(2**63)} and {2**63 - 1}, or between 0 and {2**64 - 1} if none is negative"
        why = f"; classes that are whole numbers lie {between}. Turn them into texts."
        raise _wrong(items[row], row, why)
    return integers


def _float_labels(items: list[Any]) -> NDArray[np.float64]:
    for row, item in enumerate(items):
        if is_beyond_float(item) or (isinstance(item, Integral) and int(float(item)) != item):
            way_out = "Give whole numbers only, or turn the classes into texts."
            raise _wrong(item, row, f", which would be rounded, because other values are floats. {way_out}")
    return np.array(items, dtype=np.float64)


def _wrong(value: object, row: int, why: str) -> TargetError:
    return TargetError(f"the target holds {shown(value)} in row {row}{why}")


def _code_texts(items: list[Any], dtype: np.dtype[Any]) -> CodedClasses:
    labels = sorted(set(items))
    code_of = {label: code for code, label in enumerate(labels)}
    codes = np.fromiter(map(code_of.__getitem__, items), dtype=np.int32, count=len(items))
    return CodedClasses(codes, np.array([str(label) for label in labels], dtype=dtype))


def _code_integers(values: NDArray[Any], dtype: np.dtype[Any]) -> CodedClasses:
    low, high = int(values.min()), int(values.max())
    if high - low < max(4096, 4 * len(values)) and abs(low) < 2**53 and abs(high) < 2**53:
        # The labels are close together, as nearly always: count them instead of sorting them.
        offsets = values.astype(np.int64, copy=False)
        if low:
            offsets = offsets - low
        (present,) = np.bincount(offsets).nonzero()
        if len(present) == high - low + 1:
            return CodedClasses(offsets.astype(np.int32), np.arange(low, high + 1).astype(dtype))
        code_of = np.empty(high - low + 1, dtype=np.int32)
        code_of[present] = np.arange(len(present))
        return CodedClasses(code_of[offsets], (present + low).astype(dtype))
    labels, codes = np.unique(values, return_inverse=True)
    return CodedClasses(codes.astype(np.int32), labels.astype(dtype))
