"""What is loaded when: nothing at first, everything where it is used."""

import subprocess
import sys

import pytest


def run(code):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def loaded_by(code):
    return set(run(f"{code}\nimport sys; print(*sys.modules)").split())


def test_importing_the_package_loads_no_other():
    packages = {name.split(".")[0] for name in loaded_by("import treewright")}
    packages -= {name.split(".")[0] for name in loaded_by("import importlib, typing")}
    # What an editable install or the interpreter's own start-up brings along is not ours.
    assert {name for name in packages if not name.startswith("_")} == {"treewright"}


@pytest.mark.parametrize(
    "package", ["numpy", "sklearn", "scipy", "narwhals", "pandas", "polars", "pyarrow", "joblib", "dask"]
)
def test_importing_the_package_leaves_others_alone(package):
    assert package not in loaded_by("import treewright")


def test_a_model_predicts_without_scikit_learn():
    code = (
        "import numpy as np\n"
        "from treewright.fitting.fit import fit\n"
        "from treewright.model.labelled_rows import LabelledRows\n"
        "from treewright.recipes import CART_NUMBERS\n"
        "from treewright.table.read import read\n"
        "X = np.arange(4.0)[:, None]\n"
        "fit(LabelledRows(read(X), np.arange(4.0)), recipe=CART_NUMBERS).predict(X)"
    )
    loaded = loaded_by(code)
    assert "sklearn" not in loaded
    assert "narwhals" not in loaded


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_no_dataframe_library_is_needed(library):
    run(
        f"import sys; sys.modules[{library!r}] = None\n"
        "from treewright import DecisionTreeClassifier\n"
        "X = {'a': [1, 2, None]}\n"
        "DecisionTreeClassifier().fit(X, ['n', 'y', 'y']).predict(X)"
    )
