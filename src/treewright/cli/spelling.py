"""Errors in the words of the shell: options instead of the parameters of Python that they stand for."""

import re
import shlex
from argparse import Namespace

_PARAMETER = re.compile(r"(?<![\w.])(?<!--set )([a-z][a-z_]*)=('[^']*'|\"[^\"]*\"|[-+\w.]+)?")
_CONSTANT = re.compile(r"(?<!['\w])(None|True|False)(?!['\w])")
_PLAIN = {"None": "null", "True": "true", "False": "false"}
_OPTIONS = {"format": "table_format"}  # whose name differs


def in_shell(text: str, args: Namespace) -> str:
    """Write parameters as they are typed, if the command has an option for them.

    Examples
    --------
    >>> args = Namespace(command="fit", encoding=None, header=None, set=[])
    >>> in_shell("give its encoding, such as encoding='cp1252'.", args)
    'give its encoding, such as --encoding cp1252.'
    >>> in_shell("max_depth='deep' is not a whole number; give header=False.", args)
    '--set max_depth=deep is not a whole number; give --no-header.'
    """
    in_set = _in_set(args) if "=" in text and hasattr(args, "set") else frozenset()

    def spelled(found: re.Match[str]) -> str:
        name, value = found[1], found[2] or ""
        value, end = (value[:-1], ".") if value.endswith(".") else (value, "")
        value = _PLAIN.get(value, value.strip("'\""))
        if name in in_set:
            return f"--set {name}={value}{end}"
        option = _OPTIONS.get(name, name)
        if not hasattr(args, option):
            return found[0]
        flag = f"--{option.replace('_', '-')}"
        if value in ("true", "false"):
            return f"{flag if value == 'true' else flag.replace('--', '--no-')}{end}"
        return f"{flag} {shlex.quote(value)}{end}"

    written = _PARAMETER.sub(spelled, text)
    return _CONSTANT.sub(lambda found: _PLAIN[found[1]], written) if in_set else written


def _in_set(args: Namespace) -> frozenset[str]:
    """Return the names that ``--set`` takes."""
    if args.command == "prune":
        from treewright.estimators.pruning import OPTIONS

        return frozenset(name for names in OPTIONS.values() for name in names)
    import treewright  # late: it loads scikit-learn

    kinds = ("CARTClassifier", "CARTRegressor", "C45Classifier", "ID3Classifier")
    return frozenset(name for kind in kinds for name in getattr(treewright, kind)().get_params())
