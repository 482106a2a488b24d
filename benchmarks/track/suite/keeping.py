"""Time to import the package, and to keep a tree in a file and read it back."""

import tempfile
from pathlib import Path

import treewright

from . import tables


def timeraw_import():
    """Import the package in a process of its own."""
    return "import treewright"


class ModelFile:
    """A fully grown tree."""

    n_rows = 100_000

    def setup(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name, "tree.tw.json")
        self.tree = treewright.DecisionTreeClassifier(n_jobs=1).fit(*tables.classes(self.n_rows))
        self.tree.save(self.path)

    def teardown(self):
        self.folder.cleanup()

    def time_save(self):
        self.tree.save(self.path)

    def time_load(self):
        treewright.load(self.path)
