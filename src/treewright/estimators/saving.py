"""`est.save` and `treewright.load`: fitted estimators in model files."""

import os
from typing import TYPE_CHECKING, Any

import treewright
from treewright.errors import ModelFileError, ParameterError, listed
from treewright.estimators.fitted import FittedState
from treewright.estimators.renamed import RENAMED, by_new_names
from treewright.model import files
from treewright.model.values import NotSaved, array_of, from_plain, to_plain, type_name
from treewright.schema import Classes

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTree
    from treewright.estimators.reading import ReadableTree

ESTIMATORS = tuple(name for name in treewright.__all__ if name.endswith(("Classifier", "Regressor")))


def save(estimator: "ReadableTree", path: str | os.PathLike[str]) -> None:
    """See `treewright.estimators.reading.ReadableTree.save`."""
    state = estimator._fitted()
    name = type(estimator).__name__
    if name not in ESTIMATORS or type(estimator) is not getattr(treewright, name):
        raise ModelFileError(
            f"{path} was not written: {name} is a class of your own, which treewright.load would not know; "
            f"it knows {listed(ESTIMATORS)}. Save one of these, or pickle yours."
        )
    parameters: dict[str, Any] = {}
    for parameter, value in estimator.get_params(deep=False).items():
        if parameter == "recipe" and value is None:
            continue  # without it, version 0.1 can read the file too
        try:
            parameters[parameter] = to_plain(value)
            from_plain(parameters[parameter])
        except ModelFileError as error:
            raise ModelFileError(f"{path} was not written: parameter {parameter}: {error}") from error
    class_type = None if state.classes is None else type_name(state.classes.dtype)
    saved = files.Saved(state.model, name, parameters, has_names=state.has_names, class_type=class_type)
    files.write(saved, path)


_PLAIN = frozenset((type(None), bool, int, float, str))


def refuse_not_saved(estimator: "BaseTree") -> None:
    """Raise if a parameter cannot be used to fit: a model file could not hold it, or it has an old name."""
    for name, value in vars(estimator).items():
        if name in RENAMED:
            raise ParameterError(
                f"{name}={value!r} was set as an attribute, and {name!r} is a method; write "
                f"set_params({RENAMED[name]}={value!r})."
            )
        if type(value) in _PLAIN:
            continue
        function = getattr(getattr(value, "criterion", None), "function", None)
        lost = function if isinstance(function, NotSaved) else value
        if isinstance(lost, NotSaved):
            raise ParameterError(
                f"{name}={value!r}: a model file holds the name of a {lost.kind}, not the {lost.kind}. To "
                f"fit again, set it with set_params({name}=...)."
            )


def load(path: str | os.PathLike[str]) -> "ReadableTree":
    """Read a fitted estimator from a model file that `save` wrote.

    The file is checked in full before anything is built, and no code in it is run.

    Parameters
    ----------
    path : str or path
        The file to read.

    Returns
    -------
    estimator
        An estimator of the same class, with the same parameters and the same tree, bit for bit.

    Raises
    ------
    ModelFileError
        If the file is not a model file, was truncated or altered, needs a newer version of treewright, or
        does not contain a valid tree; the message says which.
    ModelFileAccessError
        If the file cannot be read.

    See Also
    --------
    treewright.DecisionTreeClassifier.save : Write the file; every estimator has it.

    Examples
    --------
    >>> load("absent.tw.json")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ModelFileAccessError: absent.tw.json cannot be read: No such file or directory. ...
    """
    saved = files.read(path)
    try:
        return _estimator(saved)
    except (ModelFileError, ParameterError) as error:
        raise ModelFileError(f"{os.fspath(path)} cannot be loaded: {error} Save the model again.") from error


def _estimator(saved: files.Saved) -> "ReadableTree":
    if saved.estimator not in ESTIMATORS:
        raise ModelFileError(
            f"estimator.name is {saved.estimator!r:.60}, which is not one of {listed(ESTIMATORS)}."
        )
    is_classifier = isinstance(saved.model.schema.target, Classes)
    if not is_classifier == saved.estimator.endswith("Classifier") == (saved.class_type is not None):
        raise ModelFileError(
            f"estimator.name is {saved.estimator!r} and class_type {saved.class_type!r}, and the target "
            f"holds {'classes' if is_classifier else 'numbers'}; they do not go together."
        )
    kind = getattr(treewright, saved.estimator)
    known = kind().get_params(deep=False)
    parameters = by_new_names(saved.parameters, known, warns=False)
    if unknown := sorted(set(parameters) - set(known)):
        raise ModelFileError(
            f"estimator.parameters has {listed(unknown)}, which {saved.estimator} does not know in "
            "this version; update treewright."
        )
    estimator: ReadableTree = kind(**{name: from_plain(value) for name, value in parameters.items()})
    schema, classes = saved.model.schema, None
    if isinstance(schema.target, Classes):
        classes = array_of(list(schema.target.labels), saved.class_type)
        if classes.tolist() != list(schema.target.labels):
            raise ModelFileError(f"estimator.class_type {saved.class_type!r} cannot hold the classes.")
    drawn = estimator._n_columns_drawn(len(schema.columns))
    estimator._state = FittedState(saved.model, saved.has_names, classes, drawn)
    return estimator
