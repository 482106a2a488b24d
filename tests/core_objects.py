"""What a program that stands on the core alone is linked with: the objects of a build of it."""

import os
import shutil
import subprocess

import pytest

from pages import ROOT

FLAGS = ["-std=c++20", "-ffp-contract=off", "-fopenmp-simd", "-pthread", f"-I{ROOT / 'cpp'}"]


def build_module_beside_the_core(module, *sources):
    """Link the module for Python anew, with more C++ files, from the objects of its build."""
    builds = [built.parent for built in ROOT.glob(f"build/*/{module.name}")]
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if compiler is None or not builds:
        pytest.skip("needs a C++ compiler and the objects of a build of the module")
    build = max(builds, key=lambda each: (each / module.name).stat().st_mtime)
    folders = [build / "CMakeFiles" / name for name in ("treewright_core.dir", "_core.dir")]
    objects = [built for folder in folders for built in folder.rglob("*.o")]
    command = [compiler, *FLAGS, "-fPIC", "-O1", "-shared", "-o", module, *sources, *objects]
    subprocess.run([*command, build / "libnanobind-static.a"], check=True)


def build_beside_the_core(program, *sources, level="-O0"):
    """Compile a program beside a built core, of which nothing is touched."""
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    # Of several builds the newest; of files that have gone, none.
    objects = sorted(
        ROOT.glob("build/*/CMakeFiles/treewright_core.dir/**/*.o"), key=lambda o: o.stat().st_mtime
    )
    names = [str(built).split("treewright_core.dir/")[1].removesuffix(".o") for built in objects]
    newest = {name: built for name, built in zip(names, objects, strict=True) if (ROOT / name).exists()}
    if compiler is None or not newest:
        pytest.skip("needs a C++ compiler and the objects of a build of the core")
    subprocess.run([compiler, *FLAGS, level, "-o", program, *sources, *newest.values()], check=True)
