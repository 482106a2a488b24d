"""A new rule of pruning is its part and its function, with a line that joins them: two rooms."""

from copied_package import changed, copied, printed

PART = '''
@dataclass(frozen=True, slots=True)
class FewRows(Pruner):
    """Turn nodes of few rows into leaves."""

    word = "few-rows"
    options = ("least",)

    least: NonNegative = 5.0


PRUNERS: tuple'''
RULE = '''
def prune_few_rows(tree, pruner):
    """Find the inner nodes whose rows weigh less than the rule asks."""
    import numpy as np

    return np.flatnonzero((tree.weight < pruner.least) & (tree.column >= 0)).astype(np.int32)


'''
# What anybody does with a rule: call it, misspell it and its option, put it in a recipe, save, use the shell.
USE = """
import treewright as tw
from treewright.cli.main import main

X, y = tw.datasets.load("golf")
tree = tw.DecisionTreeClassifier().fit(X, y)
small = tree.prune("few-rows", least=6.0)
assert 1 < small.get_n_leaves() < tree.get_n_leaves()
assert all(node.weight >= 6 for node in small.tree_.walk() if not node.is_leaf)
for method, options in (("few-row", {}), ("few-rows", {"lest": 2}), ("few-rows", {"least": -1})):
    try:
        tree.prune(method, **options)
    except tw.TreewrightError as error:
        print(error)
try:
    tw.audit_pruning(tree, method="few-rows", least=6.0)
except tw.TreewrightError as error:
    print(error)
recipe = tw.Recipe(tw.parts.Gini(), pruner=tw.parts.FewRows(6.0))
by_recipe = tw.DecisionTreeClassifier(recipe=recipe).fit(X, y)
assert by_recipe.to_text() == small.to_text()
by_recipe.save("small.tw.json")
assert tw.load("small.tw.json").get_params()["recipe"] == recipe
assert main(["prune", "small.tw.json", "--method", "few-rows", "--set", "least=99"]) == 0
"""


def test_a_rule_is_a_part_and_a_function(tmp_path):
    package = copied(tmp_path)
    changed(package / "parts" / "pruners.py", "\nPRUNERS: tuple", PART)
    changed(package / "parts" / "pruners.py", '    "ErrorBased",\n', '    "ErrorBased",\n    "FewRows",\n')
    rules = package / "fitting" / "prune.py"
    changed(rules, "\n# Rules that need the tree alone,", f"\n{RULE}# Rules that need the tree alone,")
    changed(
        rules,
        "    parts.Collapse: collapse,\n",
        "    parts.Collapse: collapse,\n    parts.FewRows: prune_few_rows,\n",
    )
    nearest, option, bounds, ledger, *shown = printed(USE, tmp_path).splitlines()
    assert "'few-rows'" in nearest
    assert "Did you mean 'few-rows'?" in nearest
    assert "it has 'least'" in option
    assert "least=-1" in bounds
    assert ledger.startswith("few-rows has no pruning ledger; give method=, one of 'cost-complexity', ")
    assert "of 14 rows" in shown[-1], "the root alone"
