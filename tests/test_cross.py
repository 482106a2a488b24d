"""The core elsewhere: the same trees from every compiler and CPU, and flags only for those who know them.

`make cross` runs the program that is run here on another CPU and from another compiler. A change that is
meant to alter trees alters cpp/digests/recorded.txt, too: it holds what the program prints.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core_objects import build_beside_the_core
from pages import ROOT

RECORDED = ROOT / "cpp" / "digests" / "recorded.txt"
RULES = ROOT / "cmake" / "compiler.cmake"
CORE = [file for file in (ROOT / "cpp").rglob("*") if file.suffix in {".hpp", ".cpp"}]


def digests_of_trees(folder):
    """Build the program, and give what it prints: as the CPU likes it, then with the portable twins."""
    program = folder / "digests"
    build_beside_the_core(program, *(ROOT / "cpp" / "digests").glob("*.cpp"), level="-O1")
    for words in [], ["portable"]:
        yield subprocess.run(
            [program, *words], capture_output=True, text=True, check=True, timeout=200
        ).stdout


def test_trees_are_those_recorded_with_and_without_what_only_some_cpus_have(tmp_path):
    recorded = RECORDED.read_text("utf-8").splitlines()
    for printed in digests_of_trees(tmp_path):
        assert printed.splitlines() == recorded


def test_what_is_recorded_reaches_every_way_to_grow():
    trees = [line for line in RECORDED.read_text("utf-8").splitlines() if " nodes, " in line]
    assert len(trees) >= 300
    names = [line.split(": ", 1)[1] for line in trees]
    assert len(set(names)) == len(names)
    ways = {line.split(" nodes, ", 1)[1].split(": ")[0] for line in trees}
    assert ways == {
        "a function of the caller's",
        "class weights",
        "class weights, ranked as C4.5 does",
        "medians that follow",
        "rows in shares, class weights, ranked as C4.5 does",
        "rows in shares, medians that follow",
        "rows in shares, two running sums",
        "rows in shares, class weights",
        "two running sums",
        "values counted, class weights",
        "values counted, two running sums",
    }
    for policy in ("learned", "majority", "own branch", "spread", "surrogates", "rows that stop"):
        assert any(policy in name for name in names), policy


@pytest.fixture
def flags_for(tmp_path):
    """Give a function that runs the rules for a compiler: its flags, or what they say against it."""
    cmake = shutil.which("cmake") or shutil.which("cmake", path=str(Path(sys.executable).parent))
    if cmake is None:
        pytest.skip("cmake is not installed")
    script = tmp_path / "flags.cmake"
    script.write_text(f'include("{RULES.as_posix()}")\nmessage("${{same_bits}};${{core_options}}")\n')

    def run(compiler, frontend="GNU"):
        words = {"COMPILER_ID": compiler, "COMPILER_FRONTEND_VARIANT": frontend, "COMPILER": "false"}
        given = [f"-DCMAKE_CXX_{name}={word}" for name, word in words.items()]
        ran = subprocess.run([cmake, *given, "-P", script], capture_output=True, text=True, check=False)
        return " ".join(ran.stderr.split()) if ran.returncode else ran.stderr.strip().split(";")

    return run


@pytest.mark.parametrize("compiler", ["GNU", "Clang", "AppleClang"])
def test_gcc_and_clang_fuse_nothing(flags_for, compiler):
    flags = flags_for(compiler)
    assert "-ffp-contract=off" in flags
    assert not [flag for flag in flags if "fast" in flag or flag.startswith(("/", "-march"))]


def test_clang_cl_is_told_in_its_own_words(flags_for):
    flags = flags_for("Clang", "MSVC")
    assert {"/fp:precise", "/clang:-ffp-contract=off"} <= set(flags)
    assert all(flag.startswith("/") for flag in flags)


def test_cl_is_refused_and_told_what_to_use(flags_for):
    assert "has no 128-bit integers. Use clang-cl" in flags_for("MSVC", "MSVC")
    assert "not with IntelLLVM" in flags_for("IntelLLVM")


def test_no_flag_stands_outside_the_rules():
    told = (ROOT / "CMakeLists.txt").read_text("utf-8")
    assert re.findall(r"(?:^|[\s\"(])([-/][A-Za-z][\w:=-]*)", re.sub(r"#.*|COMMAND.*", "", told)) == []


def test_only_one_header_knows_what_compilers_do_differently():
    """Where the C library has no ifunc, as musl has none, target_clones does not link."""
    asking = r"__int128|__builtin|__attribute__|\[\[gnu|target_clones|ifunc|#pragma (?:GCC|clang)"
    assert [file.name for file in CORE if re.search(asking, file.read_text("utf-8"))] == ["portable.hpp"]


def test_the_bits_of_trees_owe_nothing_to_the_c_library():
    """Libraries differ in the last bit of these; the error-based pruning of C4.5 alone asks for a power."""
    called = r"std::(?:log(?:2|10|1p)?|exp(?:2|m1)?|pow|cbrt|hypot|sin|cos|tan|[lt]gamma|erfc?|fma)\("
    asking = {
        file.name
        for file in CORE
        if "tests" not in file.relative_to(ROOT).parts and re.search(called, file.read_text())
    }
    assert asking == {"error_based.cpp"}


def test_without_the_tools_make_cross_says_what_it_wants(tmp_path):
    """A folder of programs that make needs stands in for a machine without compilers."""
    for name in ("sh", "make", "nproc"):
        found = shutil.which(name)
        if found is None:
            pytest.skip(f"{name} is not installed")
        (tmp_path / name).symlink_to(found)
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    ran = subprocess.run(
        [tmp_path / "make", "cross", "VENV=nowhere"],
        cwd=ROOT,
        env=env | {"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == [
        "aarch64: skipped, for want of cmake aarch64-linux-gnu-g++ qemu-aarch64: "
        "apt install cmake g++-aarch64-linux-gnu qemu-user",
        "clang: skipped, for want of cmake clang++: apt install cmake clang",
    ]
