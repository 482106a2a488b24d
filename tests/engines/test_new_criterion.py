"""A new criterion of classes is three files: its C++ file, its part and its oracle."""

import shutil
import subprocess
from pathlib import Path

import pytest

from copied_package import changed, copied, printed
from core_objects import build_beside_the_core, build_module_beside_the_core, compiled
from pages import ROOT
from treewright import _core

HERE = Path(__file__).parent
PART = '''
@dataclass(frozen=True, slots=True)
class PlainGini(Criterion):
    """Gini impurity, as an outsider would write it."""

    word = "plain_gini"


CRITERIA: tuple'''
# What anybody does with a criterion: compare it with the oracle, fit, read the ledger, prune, mistype it.
USE = """
import numpy as np
from oracle.agreement import disagreement, table_for
from oracle.exact_scores import OF_CLASSES
from oracle.naive_tree import Rules

import treewright as tw

assert "plain_gini" in OF_CLASSES
rng = np.random.default_rng(5)
for _ in range(5):
    assert disagreement(table_for("plain_gini", rng), Rules(criterion="plain_gini")) is None

X, y = tw.datasets.load("golf")
tree = tw.DecisionTreeClassifier(criterion="plain_gini", keep_ledger=True).fit(X, y)
known = tw.DecisionTreeClassifier(criterion="gini", keep_ledger=True).fit(X, y)
assert (tree.tree_.impurity == known.tree_.impurity).all() and tree.to_text() == known.to_text()
assert str(tree.ledger_[0]).replace("plain_gini", "gini") == str(known.ledger_[0])
assert tree.ledger_[0].formula("outlook") == known.ledger_[0].formula("outlook")
assert tw.CARTClassifier(criterion="plain_gini").fit(X, y).pruning_table_ is not None
assert tree.prune("error-based", X, y).to_text() == known.prune("error-based", X, y).to_text()

recipe = tw.Recipe(tw.parts.PlainGini())
assert recipe == eval(repr(recipe), vars(tw.parts))
for wrong, text in (
    (lambda: tw.DecisionTreeClassifier(criterion="plain_gin").fit(X, y), "Did you mean 'plain_gini'?"),
    (lambda: tw.DecisionTreeRegressor(recipe=recipe).fit(X, X["humidity"]), "criterion=PlainGini() does not"),
):
    try:
        wrong()
    except tw.TreewrightError as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)
print(tree.ledger_[0].formula("outlook"))
"""


@pytest.fixture(scope="module")
def criterion(tmp_path_factory):
    """Give the one file of the core, compiled."""
    return compiled(HERE / "new_criterion.cpp", tmp_path_factory.mktemp("criterion"))


def test_a_criterion_of_classes_is_one_file_of_the_core(criterion, tmp_path):
    program = tmp_path / "grow"
    build_beside_the_core(program, criterion, HERE / "grow_by_new_criterion.cpp")
    grown = subprocess.run([program], capture_output=True, text=True, check=False)
    assert grown.returncode == 0, grown.stdout
    assert grown.stdout.count("the same") == 4


def test_and_one_part_and_one_oracle_in_python(criterion, tmp_path):
    module = copied(tmp_path) / Path(_core.__file__).name
    shutil.copytree(ROOT / "tests" / "oracle", tmp_path / "oracle")
    build_module_beside_the_core(module, criterion)
    changed(module.parent / "parts" / "criteria.py", "\nCRITERIA: tuple", PART)
    changed(module.parent / "parts" / "criteria.py", '    "Gini",\n', '    "Gini",\n    "PlainGini",\n')
    changed(
        tmp_path / "oracle" / "exact_scores.py",
        'OF_CLASSES = ("gini", ',
        'OF_CLASSES = ("plain_gini", "gini", ',
    )
    formula = "Gain(outlook) = 0.4592 − 4/14 × 0 − 10/14 × 0.5000 = 0.1020\n"
    assert printed(USE, tmp_path) == formula
