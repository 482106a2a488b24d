"""What a program that stands on the core alone is linked with: the objects of a build of it."""

import os
import shutil
import subprocess

import pytest

from pages import ROOT

FLAGS = ["-std=c++20", "-ffp-contract=off", "-fopenmp-simd", "-pthread", f"-I{ROOT / 'cpp'}"]


COMPILER = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")


def compiled(source, folder):
    """Compile a C++ file, for a program and for the module; give the object."""
    if COMPILER is None:
        pytest.skip("needs a C++ compiler")
    built = folder / f"{source.stem}.o"
    subprocess.run([COMPILER, *FLAGS, "-fPIC", "-O0", "-c", "-o", built, source], check=True)
    return built


def build_module_beside_the_core(module, *sources):
    """Link the module for Python anew, with more C++ files or objects, from the objects of its build."""
    builds = [built.parent for built in ROOT.glob(f"build/*/{module.name}")]
    if COMPILER is None or not builds:
        pytest.skip("needs a C++ compiler and the objects of a build of the module")
    build = max(builds, key=lambda each: (each / module.name).stat().st_mtime)
    folders = [build / "CMakeFiles" / name for name in ("treewright_core.dir", "_core.dir")]
    objects = [
        built
        for folder in folders
        for built in folder.rglob("*.o")
        if (ROOT / built.relative_to(folder).with_suffix("")).exists()  # of files that have gone, none
    ]
    command = [COMPILER, *FLAGS, "-fPIC", "-O1", "-shared", "-o", module, *sources, *objects]
    subprocess.run([*command, build / "libnanobind-static.a"], check=True)


def build_beside_the_core(program, *sources, level="-O0"):
    """Compile a program beside a built core, of which nothing is touched."""
    # Of several builds the newest; of files that have gone, none.
    objects = sorted(
        ROOT.glob("build/*/CMakeFiles/treewright_core.dir/**/*.o"), key=lambda o: o.stat().st_mtime
    )
    names = [str(built).split("treewright_core.dir/")[1].removesuffix(".o") for built in objects]
    newest = {name: built for name, built in zip(names, objects, strict=True) if (ROOT / name).exists()}
    if COMPILER is None or not newest:
        pytest.skip("needs a C++ compiler and the objects of a build of the core")
    subprocess.run([COMPILER, *FLAGS, level, "-o", program, *sources, *newest.values()], check=True)
