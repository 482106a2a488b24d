"""A new criterion of classes is one C++ file: it enters itself, and every engine serves it."""

import subprocess
from pathlib import Path

from core_objects import build_beside_the_core

HERE = Path(__file__).parent


def test_a_criterion_of_classes_is_one_file(tmp_path):
    program = tmp_path / "grow"
    build_beside_the_core(program, HERE / "new_criterion.cpp", HERE / "grow_by_new_criterion.cpp")
    grown = subprocess.run([program], capture_output=True, text=True, check=False)
    assert grown.returncode == 0, grown.stdout
    assert grown.stdout.count("the same") == 4
