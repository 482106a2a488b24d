"""Rewrite errors for the shell: name options instead of the Python parameters that they stand for."""

import re
import shlex
from argparse import Namespace

_PARAMETER = re.compile(r"(?<![\w.])(?<!--set )(?<!--try )([a-z][a-z_]*)=('[^']*'|\"[^\"]*\"|[-+\w.]+)?")
_ESTIMATOR = re.compile(r"(?<=[Uu])se (CART|C45|ID3)(?:Classifier|Regressor)")
_CONSTANT = re.compile(r"(?<!['\w])(None|True|False)(?!['\w])")
_ROW = re.compile(r"(?<=\bin row )\d+")
_PLAIN = {"None": "null", "True": "true", "False": "false"}
_OPTIONS = {"format": "table_format"}  # parameters whose options have another name


def in_shell(text: str, args: Namespace) -> str:
    """Write parameters as options, if the command has them, and number rows from 1.

    Examples
    --------
    >>> args = Namespace(command="fit", encoding=None, header=None, set=[])
    >>> in_shell("give its encoding, such as encoding='cp1252'.", args)
    'give its encoding, such as --encoding cp1252.'
    >>> in_shell("max_depth='deep' is not a whole number; give header=False.", args)
    '--set max_depth=deep is not a whole number; give --no-header.'
    >>> in_shell("column 'age' holds 'old' in row 0.", args)
    "column 'age' holds 'old' in row 1."
    """
    pairs = next((option for option in ("set", "try") if hasattr(args, option)), None)
    in_set = _in_set(args) if "=" in text and pairs is not None else frozenset()

    def spelled(found: re.Match[str]) -> str:
        name, value = found[1], found[2] or ""
        value, end = (value[:-1], ".") if value.endswith(".") else (value, "")
        value = _PLAIN.get(value, value.strip("'\""))
        is_policy = name == "missing" and _is_policy(value)  # files have an option of that name, too
        if is_policy or (name in in_set and name != "missing"):
            return f"--{pairs or 'set'} {name}={value}{end}"
        option = _OPTIONS.get(name, name)
        if not hasattr(args, option):
            return found[0]
        flag = f"--{option.replace('_', '-')}"
        if value in ("true", "false"):
            return f"{flag if value == 'true' else flag.replace('--', '--no-')}{end}"
        return f"{flag} {shlex.quote(value)}{end}"

    written = _ROW.sub(lambda found: str(int(found[0]) + 1), _PARAMETER.sub(spelled, text))
    if hasattr(args, "algorithm"):
        written = _ESTIMATOR.sub(lambda found: f"se --algorithm {found[1].lower()}", written)
    return _CONSTANT.sub(lambda found: _PLAIN[found[1]], written) if in_set else written


def _is_policy(word: str) -> bool:
    """Tell whether a word says how a tree takes missing values, rather than how a file writes one."""
    from treewright.estimators.parameters import MISSING

    return word in MISSING


def _in_set(args: Namespace) -> frozenset[str]:
    """Return the names that ``--set`` or ``--try`` takes."""
    import treewright  # imported late, since it loads scikit-learn
    from treewright.estimators.pruning import OPTIONS

    of_pruning = frozenset(name for names in OPTIONS.values() for name in names)
    if args.command == "prune":
        return of_pruning
    kinds = ("CARTClassifier", "CARTRegressor", "C45Classifier", "ID3Classifier")
    of_estimators = (name for kind in kinds for name in getattr(treewright, kind)().get_params())
    return of_pruning.union(of_estimators)
