"""A new criterion of classes is one C++ file: it enters itself, and every engine serves it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pages import ROOT

HERE = Path(__file__).parent


def test_a_criterion_of_classes_is_one_file(tmp_path):
    """The file is compiled beside a built core, of which nothing is touched."""
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    # Of several builds the newest; of files that have gone, none.
    objects = sorted(
        ROOT.glob("build/*/CMakeFiles/treewright_core.dir/**/*.o"), key=lambda o: o.stat().st_mtime
    )
    sources = [str(built).split("treewright_core.dir/")[1].removesuffix(".o") for built in objects]
    newest = {
        source: built for source, built in zip(sources, objects, strict=True) if (ROOT / source).exists()
    }
    if compiler is None or not newest:
        pytest.skip("needs a C++ compiler and the objects of a build of the core")
    program = tmp_path / "grow"
    ours = [str(HERE / "new_criterion.cpp"), str(HERE / "grow_by_new_criterion.cpp")]
    flags = ["-std=c++20", "-O0", "-ffp-contract=off", "-pthread", f"-I{ROOT / 'cpp'}", "-o", str(program)]
    subprocess.run([compiler, *flags, *ours, *map(str, newest.values())], check=True)
    grown = subprocess.run([program], capture_output=True, text=True, check=False)
    assert grown.returncode == 0, grown.stdout
    assert grown.stdout.count("the same") == 4
