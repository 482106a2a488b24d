"""A copy of the package with a few edits, used in a process of its own: what a new part has to touch."""

import os
import shutil
import subprocess
import sys

from pages import ROOT
from treewright import _core

# An editable install puts a finder before everything that PYTHONPATH names.
FIRST = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "Redirecting" not in type(finder).__name__]
"""


def copied(folder):
    """Copy the package, with its core; give where it is."""
    package = folder / "treewright"
    shutil.copytree(
        ROOT / "src" / "treewright", package, ignore=shutil.ignore_patterns("*.so", "__pycache__")
    )
    shutil.copy(_core.__file__, package)
    return package


def changed(file, old, new):
    """Edit a file in the only place there is."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), "utf-8")


def printed(code, folder):
    """Run code with the copy; give what it prints."""
    used = subprocess.run(
        [sys.executable, "-c", FIRST + code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder, ROOT / "tests")))},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert used.returncode == 0, used.stderr
    return used.stdout
