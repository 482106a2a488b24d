"""What asv times from commit to commit runs here once, on small tables."""

import importlib
import inspect
import itertools
import json
import sys

import pytest

from pages import ROOT

sys.path.insert(0, str(ROOT))  # the benchmarks are no part of the package

TRACK = ROOT / "benchmarks" / "track"
FILES = sorted(
    path.stem for path in (TRACK / "suite").glob("*.py") if path.stem not in {"__init__", "tables"}
)
MODULES = [importlib.import_module(f"benchmarks.track.suite.{name}") for name in FILES]
CLASSES = [
    kind
    for module in MODULES
    for name, kind in inspect.getmembers(module, inspect.isclass)
    if kind.__module__ == module.__name__ and not name.startswith("_")
]
KINDS = ("time_", "peakmem_")
N_ROWS = 300


def combinations(kind):
    """List the values that asv gives to each method, a tuple for each round."""
    values = getattr(kind, "params", ())
    if values and not isinstance(values[0], list):
        values = (values,)
    return list(itertools.product(*values))


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_benchmark_runs_with_every_value_of_its_parameters(kind, monkeypatch):
    if hasattr(kind, "n_rows"):
        monkeypatch.setattr(kind, "n_rows", N_ROWS)
    methods = [name for name in dir(kind) if name.startswith(KINDS)]
    assert methods, "asv would find nothing to time"
    for values in combinations(kind):
        assert len(values) == len(getattr(kind, "param_names", ()))
        benchmark = kind()
        benchmark.setup(*values)
        for name in methods:
            getattr(benchmark, name)(*values)
        getattr(benchmark, "teardown", lambda *_: None)(*values)


def test_every_kind_of_work_is_tracked():
    names = {name for kind in CLASSES for name in dir(kind) if name.startswith(KINDS)}
    assert {"time_fit", "time_predict", "time_array", "time_dict", "time_load", "peakmem_depth_8"} <= names


def test_what_is_imported_by_itself_is_a_program():
    (keeping,) = (module for module in MODULES if module.__name__.endswith("keeping"))
    assert compile(keeping.timeraw_import(), "timeraw_import", "exec")


def test_the_settings_name_folders_that_are_there():
    settings = json.loads((TRACK / "asv.conf.json").read_text("utf-8"))
    assert (TRACK / settings["repo"]).resolve() == ROOT
    assert (TRACK / settings["benchmark_dir"] / "__init__.py").is_file()
    # What asv writes goes where nothing is committed.
    for name in ("env_dir", "results_dir", "html_dir"):
        assert (TRACK / settings[name]).resolve().is_relative_to(ROOT / "build")
