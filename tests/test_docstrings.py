"""Docstrings of the public names, held to numpydoc's checks as scikit-learn holds its own."""

import inspect
from types import FunctionType, ModuleType

import numpydoc.docscrape
import numpydoc.validate
import pytest

import treewright as tw

# GL01, GL02: where a docstring begins and ends, which ruff checks. RT02: a result may have a name.
NOT_CHECKED = {"GL01", "GL02", "RT02"}
# Longer texts, "See Also" and examples are required of classes only, but not of warnings and errors.
OF_CLASSES = {"ES01", "EX01", "SA01"}
# A property has no parameters, and its docstring may be a single sentence.
NOT_OF_PROPERTIES = {"PR02", "GL08"}


def is_ours(value):
    return (getattr(value, "__module__", None) or "").startswith("treewright")


def members_of(kind):
    """List the public methods and properties of a class that treewright defines, inherited ones included."""
    for home in kind.__mro__:
        if is_ours(home):
            for name, value in vars(home).items():
                is_method = isinstance(value, FunctionType | property | classmethod | staticmethod)
                if is_method and not name.startswith("_") and getattr(kind, name, None) is not None:
                    yield name


def public_names():
    """Give public names, those in public modules and the members of classes, with what is not checked."""
    found = {}
    for name in tw.__all__:
        value = getattr(tw, name)
        if isinstance(value, ModuleType):
            inner = [each for each in value.__all__ if inspect.isfunction(getattr(value, each))]
            found |= {f"{name}.{each}": NOT_CHECKED | OF_CLASSES for each in inner}
        elif inspect.isclass(value) and issubclass(value, Exception):
            found[name] = NOT_CHECKED | OF_CLASSES
        else:
            found[name] = NOT_CHECKED if inspect.isclass(value) else NOT_CHECKED | OF_CLASSES
            for member in members_of(value) if inspect.isclass(value) else ():
                of_property = isinstance(inspect.getattr_static(value, member), property)
                found[f"{name}.{member}"] = (
                    NOT_CHECKED | OF_CLASSES | (NOT_OF_PROPERTIES if of_property else set())
                )
    return found


NAMES = public_names()


@pytest.mark.parametrize("name", NAMES)
def test_a_docstring_has_no_errors(name):
    errors = numpydoc.validate.validate(f"treewright.{name}")["errors"]
    assert [error for error in errors if error[0] not in NAMES[name]] == []


def test_the_names_are_all_there():
    assert {"Tree.walk", "Model.predict", "CARTClassifier.prune", "Ledger.why", "information.gini"} <= set(
        NAMES
    )
    assert len(NAMES) > 150


def parameters_of(kind):
    return {each.name: each for each in numpydoc.docscrape.ClassDoc(kind)["Parameters"]}


@pytest.mark.parametrize(
    ("plain", "named"),
    [(tw.DecisionTreeClassifier, tw.CARTClassifier), (tw.DecisionTreeRegressor, tw.CARTRegressor)],
)
def test_a_parameter_that_two_classes_share_is_described_alike(plain, named):
    ours, theirs = parameters_of(plain), parameters_of(named)
    differ = {name for name in ours if ours[name] != theirs[name]}
    assert differ == {"missing", "ccp_alpha"}


@pytest.mark.parametrize("name", [name for name in tw.__all__ if name.endswith(("Classifier", "Regressor"))])
def test_the_described_defaults_are_the_defaults(name):
    signature = inspect.signature(getattr(tw, name)).parameters
    for parameter in parameters_of(getattr(tw, name)).values():
        default = signature[parameter.name].default
        if "default=" in parameter.type:
            assert parameter.type.split("default=")[1].replace('"', "'") == repr(default)
        else:
            assert parameter.type.endswith("optional")
            assert default is None
