"""`recipe=`: all choices at once, as parts."""

import pickle
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import treewright as tw
from noisy_tables import noisy
from treewright import parts, recipes
from treewright.errors import ParameterError, ParameterTypeError
from treewright.estimators.parameters import CATEGORICAL, CRITERIA, MISSING, Parameter
from treewright.parts.recipe import SEAMS

ESTIMATORS = {
    "DecisionTreeClassifier": recipes.CART_CLASSES,
    "DecisionTreeRegressor": recipes.CART_NUMBERS,
    "CARTClassifier": replace(
        recipes.CART_CLASSES, missing=parts.Surrogates(), pruner=parts.CrossValidated()
    ),
    "CARTRegressor": replace(recipes.CART_NUMBERS, missing=parts.Surrogates(), pruner=parts.CrossValidated()),
    "C45Classifier": recipes.C45_RELEASE8,
}
EACH = pytest.mark.parametrize("name", ESTIMATORS)
# An estimator, other values of parameters, and the same as parts.
AS_PARTS = [
    ("DecisionTreeClassifier", {"criterion": "entropy"}, {"criterion": parts.Entropy()}),
    ("DecisionTreeClassifier", {"max_depth": 2}, {"limits": parts.Limits(max_depth=2)}),
    ("DecisionTreeClassifier", {"missing": "spread"}, {"missing": parts.Spread()}),
    ("DecisionTreeClassifier", {"ccp_alpha": 0.02}, {"pruner": parts.CostComplexity(0.02)}),
    ("DecisionTreeClassifier", {"growth": "best"}, {"order": parts.BestFirst()}),
    ("DecisionTreeRegressor", {"leaf_value": "median"}, {"leaf_value": parts.Median()}),
    ("DecisionTreeRegressor", {"criterion": "absolute_error"}, None),
    ("CARTClassifier", {"pruning": "min"}, {"pruner": parts.CrossValidated("min")}),
    ("CARTRegressor", {"pruning": None}, {"pruner": parts.NoPruning()}),
    ("C45Classifier", {"variant": "j48"}, None),
    ("C45Classifier", {"laplace": True}, {"shares": parts.Shares(smoothing=1.0, empty="certain")}),
]


def table_for(name):
    X, y = noisy()
    X["a"][::7] = np.nan
    return X, (y == "yes") + np.isnan(X["a"]) * 1.0 if "Regressor" in name else y


def made(name, **params):
    return getattr(tw, name)(**params)


@EACH
def test_the_recipe_that_the_defaults_stand_for_grows_the_same_tree(name):
    X, y = table_for(name)
    assert made(name, recipe=ESTIMATORS[name]).fit(X, y).tree_ == made(name).fit(X, y).tree_


@pytest.mark.parametrize(("name", "params", "changed"), AS_PARTS)
def test_a_recipe_decides_as_the_parameters_do(name, params, changed):
    X, y = table_for(name)
    special = {
        "absolute_error": parts.Recipe(parts.AbsoluteError(), leaf_value=parts.Median()),
        "j48": recipes.C45_J48,
    }
    recipe = special[next(iter(params.values()))] if changed is None else replace(ESTIMATORS[name], **changed)
    by_recipe, by_words = made(name, recipe=recipe).fit(X, y), made(name, **params).fit(X, y)
    assert by_recipe.tree_ == by_words.tree_
    assert np.array_equal(by_recipe.predict(X), by_words.predict(X))
    assert by_recipe.model_.provenance.parts == by_words.model_.provenance.parts


def test_id3_takes_a_recipe_and_its_own_way_with_columns():
    columns, target = tw.datasets.load("weather_nominal")
    recipe = replace(recipes.ID3, limits=parts.Limits(max_depth=1, needs_gain=True))
    assert tw.ID3Classifier(recipe=recipe).fit(columns, target).get_depth() == 1
    assert tw.ID3Classifier(recipe=recipes.ID3).fit(columns, target).tree_ == (
        tw.ID3Classifier().fit(columns, target).tree_
    )


@EACH
def test_a_recipe_survives_cloning_pickling_and_a_model_file(name, tmp_path):
    X, y = table_for(name)
    recipe = replace(ESTIMATORS[name], limits=replace(ESTIMATORS[name].limits, max_depth=3))
    tree = clone(made(name, recipe=recipe)).fit(X, y)
    tree.save(tmp_path / "tree.tw.json")
    for other in (pickle.loads(pickle.dumps(tree)), tw.load(tmp_path / "tree.tw.json")):
        assert other.get_params()["recipe"] == recipe
        assert other.tree_ == tree.tree_
        assert clone(other).fit(X, y).tree_ == tree.tree_


def test_a_file_without_a_recipe_does_not_speak_of_one(tmp_path):
    tw.DecisionTreeClassifier().fit([[1], [2]], [0, 1]).save(tmp_path / "tree.tw.json")
    assert "recipe" not in (tmp_path / "tree.tw.json").read_text("utf-8")


def test_a_function_in_a_recipe_is_asked_for_before_another_fit(tmp_path):
    recipe = parts.Recipe(parts.FunctionCriterion(smallest_first))
    tree = tw.DecisionTreeClassifier(recipe=recipe).fit([[1], [2]], [0, 1])
    tree.save(tmp_path / "tree.tw.json")
    again = tw.load(tmp_path / "tree.tw.json")
    assert again.predict([[1], [2]]).tolist() == [0, 1]
    with pytest.raises(ParameterError, match="the name of a function"):
        again.fit([[1], [2]], [0, 1])


def smallest_first(y, weight, cuts):
    return 1.0 / cuts


def test_a_grid_search_tries_recipes():
    X, y = table_for("DecisionTreeClassifier")
    tried = [parts.Recipe(parts.Gini(), limits=parts.Limits(max_depth=depth)) for depth in (1, 4)]
    search = GridSearchCV(tw.DecisionTreeClassifier(), {"recipe": tried}, cv=2).fit(pd.DataFrame(X), y)
    assert search.best_params_["recipe"] in tried


@EACH
def test_every_parameter_that_a_recipe_decides_contradicts_it_unless_it_has_its_default(name):
    X, y = table_for(name)
    table = type(made(name))._parameters
    assert set(table) == set(made(name).get_params())
    values = {"variant": "j48", "min_cases": 3, "pruning": False, "criterion": "gain", "max_depth": 7}
    decided = [each for each, parameter in table.items() if parameter.seam is not None]
    assert {table[each].seam for each in decided} <= {*SEAMS, "seed"}
    for each in decided:
        default = made(name).get_params()[each]
        value = values.get(each, 3) if not isinstance(default, bool) else not default
        tree = made(name, recipe=ESTIMATORS[name])
        type(tree)._parameters = {**table, each: Parameter(lambda _, value: value, table[each].seam)}
        try:
            with pytest.raises(ParameterError, match=rf"{each}=.* contradicts recipe=, which decides"):
                tree.set_params(**{each: value}).fit(X, y)
        finally:
            type(tree)._parameters = table


def test_what_is_not_a_recipe_is_refused():
    with pytest.raises(ParameterTypeError, match=r"recipe='gini' is not a treewright.Recipe"):
        tw.DecisionTreeClassifier(recipe="gini").fit([[1], [2]], [0, 1])


@pytest.mark.parametrize(
    ("seam", "value", "text"),
    [
        ("criterion", "squared_error", r"give Variance\(\)"),
        ("criterion", parts.Gini, r"give Gini\(\)"),
        ("criterion", parts.Spread(), "give Gini"),
        ("missing", None, r"give LearnedBranch\(\), MajorityBranch\(\)"),
        ("missing", "branch", r"give OwnBranch\(\)\."),
        ("limits", parts.Gini(), r"give Limits\(\)"),
        ("pruner", 0.1, r"give NoPruning\(\), CostComplexity\(\)"),
    ],
)
def test_what_is_not_a_part_is_refused_where_the_recipe_is_made(seam, value, text):
    with pytest.raises(ParameterTypeError, match=rf"{seam}=.* is not a part for this; {text}"):
        replace(recipes.CART_CLASSES, **{seam: value})


@pytest.mark.parametrize(
    ("recipe", "text"),
    [
        (recipes.CART_NUMBERS, r"criterion=Variance\(\) does not suit a target of classes; use Gini\(\), "),
        (
            parts.Recipe(parts.Twoing(), categorical=parts.MultiwaySplitter()),
            r"criterion=Twoing\(\) .* categorical=Mult.*; use categorical=SubsetSplitter\(\) or OneVsRest",
        ),
        (
            parts.Recipe(parts.Gini(), ranking=parts.AboveAverageGain()),
            r"ranking=AboveAverageGain\(\) ranks .* criterion=Gini\(\) .*; use criterion=GainRatio\(\)\.",
        ),
        (
            replace(recipes.C45_RELEASE8, missing=parts.LearnedBranch()),
            r"missing=LearnedBranch\(\) .*; use missing=.*Spread\(\) or Refuse\(\)",
        ),
        (
            replace(recipes.C45_RELEASE8, numeric=parts.ThresholdSplitter("random")),
            r"numeric=ThresholdSplitter\(choose='random'.* draws one cut",
        ),
    ],
)
def test_parts_that_do_not_go_together_are_named_as_the_recipe_has_them(recipe, text):
    with pytest.raises(ParameterError, match=text):
        tw.DecisionTreeClassifier(recipe=recipe).fit([[1.0], [2.0]], ["a", "b"])


@pytest.mark.parametrize(
    ("recipe", "text"),
    [
        (replace(recipes.CART_NUMBERS, pruner=parts.Pessimistic()), "does not suit a target of numbers"),
        (replace(recipes.CART_NUMBERS, costs=parts.Costs(prior=(0.5, 0.5))), "numbers; leave it out"),
        (replace(recipes.CART_NUMBERS, shares=parts.Shares(smoothing=1.0)), "numbers; leave it out"),
    ],
)
def test_what_has_no_meaning_for_numbers_is_refused(recipe, text):
    with pytest.raises(ParameterError, match=text):
        tw.DecisionTreeRegressor(recipe=recipe).fit([[1.0], [2.0]], [1.0, 2.0])


@pytest.mark.parametrize(
    ("params", "text"),
    [
        (
            {"criterion": "twoing", "categorical_split": "multiway"},
            "criterion='twoing' scores two branches, and categorical_split='multiway' may make more; use "
            "categorical_split='subset' or 'one-vs-rest'.",
        ),
        (
            {"criterion": "gain_ratio", "missing": "branch"},
            "criterion='gain_ratio' scores two branches, and missing='branch' may make more; use "
            "missing='learned', 'majority', 'surrogate', 'spread' or 'refuse'.",
        ),
        (
            {"missing": "surrogate", "categorical_split": "multiway"},
            "missing='surrogate' looks for other splits in two, and categorical_split='multiway' makes more "
            "branches; use categorical_split='subset' or 'one-vs-rest'.",
        ),
    ],
)
def test_words_that_do_not_go_together_are_named_as_they_were_typed(params, text):
    with pytest.raises(ParameterError) as error:
        tw.DecisionTreeClassifier(**params).fit([[1.0], [2.0]], ["a", "b"])
    assert str(error.value) == text


def followed(make, given, names):
    """Fit; where an error says what to use instead, do as it says. Gives how often it was asked."""
    for n_asked in range(4):
        try:
            make(**given).fit({"a": [1.0, None, 3.0], "b": ["x", "y", None]}, ["p", "q", "q"])
        except ParameterError as error:
            name, value = re.search(r"; use (\w+)=((?:[\w.]+\(.*?\))|'[^']+')", str(error)).groups()
            given = {**given, name: eval(value, names)}
        else:
            return n_asked
    raise AssertionError(f"still refused: {given}")


def test_what_an_error_suggests_can_be_typed_and_is_taken():
    words = product(CRITERIA["classes"], CATEGORICAL, set(MISSING) - {"refuse"})
    asked = [
        followed(
            tw.DecisionTreeClassifier, {"criterion": one, "categorical_split": two, "missing": three}, {}
        )
        for one, two, three in words
    ]
    assert 10 < sum(map(bool, asked)) < len(asked)

    def by_recipe(**given):
        return tw.DecisionTreeClassifier(recipe=parts.Recipe(**given))

    kinds = product(
        *(
            [kind() for kind in SEAMS[seam] if kind not in (parts.FunctionCriterion, parts.Refuse)]
            for seam in ("criterion", "categorical", "missing", "ranking")
        )
    )
    seams = "criterion", "categorical", "missing", "ranking"
    asked = [
        followed(by_recipe, dict(zip(seams, each, strict=True)), vars(parts))
        for each in kinds
        if "classes" in each[0].suits
    ]
    assert 100 < sum(map(bool, asked)) < len(asked)


def test_pruning_and_comparing_follow_the_recipe():
    X, y = table_for("DecisionTreeClassifier")
    recipe = replace(recipes.CART_CLASSES, missing=parts.Spread(), pruner=parts.CostComplexity(0.01))
    tree = tw.DecisionTreeClassifier(recipe=recipe).fit(X, y)
    path = tree.cost_complexity_pruning_path(X, y)
    by_words = tw.DecisionTreeClassifier(missing="spread", ccp_alpha=0.01)
    assert np.array_equal(path.ccp_alphas, by_words.cost_complexity_pruning_path(X, y).ccp_alphas)
    cart = tw.CARTClassifier(recipe=ESTIMATORS["CARTClassifier"])
    assert str(tw.compare_pruning(cart, X, y, cv=3)) == str(
        tw.compare_pruning(tw.CARTClassifier(), X, y, cv=3)
    )


def test_an_audit_and_a_ledger_follow_the_recipe():
    X, y = table_for("DecisionTreeClassifier")
    recipe = replace(recipes.CART_CLASSES, criterion=parts.Entropy(), missing=parts.Spread())
    tree = tw.DecisionTreeClassifier(recipe=recipe, keep_ledger=True).fit(X, y)
    assert tree.ledger_.rules.criterion == "entropy"
    by_words = tw.DecisionTreeClassifier(criterion="entropy", missing="spread").fit(X, y)
    assert str(tw.audit(tree, X, y)) == str(tw.audit(by_words, X, y)) == str(tree.ledger_.node(0))


def test_a_recipe_says_whether_missing_values_are_taken():
    refusing = tw.CARTClassifier(recipe=replace(recipes.CART_CLASSES, missing=parts.Refuse()))
    assert not refusing.__sklearn_tags__().input_tags.allow_nan
    assert tw.ID3Classifier(recipe=recipes.C45_RELEASE8).__sklearn_tags__().input_tags.allow_nan


def test_an_estimator_that_version_0_1_pickled_has_no_recipe():
    tree = tw.CARTClassifier().fit([[1], [2]], [0, 1])
    del vars(tree)["recipe"]
    again = pickle.loads(pickle.dumps(tree))
    assert again.recipe is None
    assert again.predict([[1]]).tolist() == [0]
    assert again.prune("cost-complexity", leaves=1).get_n_leaves() == 1


def test_weights_are_shares_where_the_rule_of_one_standard_error_asks_for_cases():
    X, y = table_for("CARTClassifier")
    weights = np.full(len(y), 1.0 / len(y))
    recipe = ESTIMATORS["CARTClassifier"]
    by_recipe = tw.DecisionTreeClassifier(recipe=recipe).fit(X, y, weights)
    assert by_recipe.tree_ == tw.CARTClassifier().fit(X, y, weights).tree_
