"""`est.save` and `treewright.load`: fitted estimators in model files."""

import os
from typing import TYPE_CHECKING, Any

import treewright
from treewright.errors import ModelFileError, ParameterError, listed
from treewright.estimators.fitted import Fitted, FittedState
from treewright.estimators.renamed import RENAMED, by_new_names
from treewright.model import files
from treewright.model.values import NotSaved, array_of, from_plain, to_plain, type_name
from treewright.schema import Classes

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTree

ESTIMATORS = (
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ID3Classifier",
)


class Saving(Fitted):
    """Ways to keep a fitted tree."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to a model file, ``*.tw.json``.

        The file is JSON that people and other programs can read, with a checksum; loading it runs no code.
        The same estimator gives the same bytes. A file that is there is replaced once the new one is safe on
        the disk.

        Parameters
        ----------
        path : path
            Where to.

        Raises
        ------
        ModelFileError
            If the estimator holds what a file cannot. A function, a generator of random numbers and other
            objects among the parameters are kept by their name: the estimator that `treewright.load` gives
            then predicts as before, and asks for them before it is fitted again.

        Examples
        --------
        >>> import tempfile, treewright as tw
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> tree = tw.DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tree.save(f"{folder}/visits.tw.json")
        ...     again = tw.load(f"{folder}/visits.tw.json")
        >>> again.predict({"age": [50], "visits": [2]}).tolist()
        ['yes']
        """
        state = self._fitted()
        model = state.model
        name = type(self).__name__
        if name not in ESTIMATORS or type(self) is not getattr(treewright, name):
            raise ModelFileError(
                f"{path} was not written: {name} is an estimator of your own, which treewright.load would "
                f"not know; it knows {listed(ESTIMATORS)}. Save one of these, or pickle yours."
            )
        parameters: dict[str, Any] = {}
        for parameter, value in self.get_params(deep=False).items():  # type: ignore[attr-defined]
            if parameter == "recipe" and value is None:
                continue  # a file without a recipe is one that version 0.1 reads, too
            try:
                parameters[parameter] = to_plain(value)
                from_plain(parameters[parameter])
            except ModelFileError as error:
                raise ModelFileError(f"{path} was not written: parameter {parameter}: {error}") from error
        saved = files.Saved(
            model,
            name,
            parameters,
            has_names=state.has_names,
            class_type=None if state.classes is None else type_name(state.classes.dtype),
        )
        files.write(saved, path)

    def _refuse_not_saved(self) -> None:
        """Refuse to fit with parameters that a model file could not hold."""
        for name, value in vars(self).items():
            if name in RENAMED:
                raise ParameterError(
                    f"{name}={value!r} was set as an attribute, and {name!r} is a method; write "
                    f"set_params({RENAMED[name]}={value!r})."
                )
            function = getattr(getattr(value, "criterion", None), "function", None)
            lost = function if isinstance(function, NotSaved) else value
            if isinstance(lost, NotSaved):
                raise ParameterError(
                    f"{name}={value!r}: a model file keeps the name of a {lost.kind}, not what it does. To "
                    f"fit again, give it with set_params({name}=...)."
                )

    def _recall(self, saved: files.Saved) -> None:
        """Take over what was saved."""
        schema, classes = saved.model.schema, None
        if isinstance(schema.target, Classes):
            classes = array_of(list(schema.target.labels), saved.class_type)
            if classes.tolist() != list(schema.target.labels):
                raise ModelFileError(f"estimator.class_type {saved.class_type!r} cannot hold the classes.")
        drawn = self._n_columns_drawn(len(schema.columns))
        self._state = FittedState(saved.model, saved.has_names, classes, drawn)


def load(path: str | os.PathLike[str]) -> "BaseTree":
    """Read a fitted estimator from a model file that `save` wrote.

    The file is checked in full before anything is built, and nothing in it is run.

    Parameters
    ----------
    path : path
        Where it is.

    Returns
    -------
    estimator
        Of the same class, with the same parameters and the same tree, bit for bit.

    Raises
    ------
    ModelFileError
        If it is not a model file, was cut short, was altered, is newer than this version of treewright, or
        does not hold a sound tree; the text says which.
    ModelFileAccessError
        If it cannot be read.

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


def _estimator(saved: files.Saved) -> "BaseTree":
    if saved.estimator not in ESTIMATORS:
        raise ModelFileError(
            f"estimator.name is {saved.estimator!r:.60}, which is none of {listed(ESTIMATORS)}."
        )
    is_classifier = isinstance(saved.model.schema.target, Classes)
    if is_classifier != saved.estimator.endswith("Classifier") or is_classifier != (
        saved.class_type is not None
    ):
        raise ModelFileError(
            f"estimator.name is {saved.estimator!r} and class_type {saved.class_type!r}, and the target "
            f"holds {'classes' if is_classifier else 'numbers'}; they do not go together."
        )
    kind = getattr(treewright, saved.estimator)
    known = kind().get_params(deep=False)
    parameters = by_new_names(saved.parameters, known, warns=False)
    unknown = set(parameters) - set(known)
    if unknown:
        raise ModelFileError(
            f"estimator.parameters has {listed(sorted(unknown))}, which {saved.estimator} does not know in "
            "this version; update treewright."
        )
    estimator: BaseTree = kind(**{name: from_plain(value) for name, value in parameters.items()})
    estimator._recall(saved)
    return estimator
