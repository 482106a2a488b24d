"""What would have to be different: the least change, against trying everything."""

import json
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import treewright as tw
from oracle.agreement import TIMES
from oracle.naive_counterfactual import cost_of, every_row, least_cost
from small_trees import KINDS, cases, kinds
from treewright.errors import ColumnError, ParameterError, ParameterTypeError, UnreachableError
from treewright.explain import search

N_TREES = 5 * len(KINDS) * TIMES  # 210


def wishes(rng, case, answers):
    """List targets, with a function that tells whether an answer will do."""
    now = answers[0]
    if not case.kind.of_numbers:
        labels = case.tree.classes_.tolist()
        return [(None, lambda a: a != now), *((label, lambda a, label=label: a == label) for label in labels)]
    low, high = np.sort(rng.choice(np.unique(answers), 2)).tolist()
    return [
        (None, lambda a: abs(a - now) > 1e-9),
        ((low, high), lambda a: low <= a <= high),
        ((None, low), lambda a: a <= low),
        ((high + 1e9, None), lambda a: a >= high + 1e9),
    ]


def meets(condition, value):
    """Whether a value is as a condition says."""
    if condition.startswith("≤ "):
        return value <= float(condition[2:])
    if condition.startswith("> "):
        return value > float(condition[2:])
    if condition.startswith("in ("):
        low, high = condition[4:-1].split(", ")
        return float(low) < value <= float(high)
    if condition.startswith("one of {"):
        return str(value) in condition[8:-1].split(", ")
    return condition in ("any value", str(value))


def every_problem(case, rng):
    """Make and predict every row that could matter, and compare; count what was found, and of what kind."""
    counts = {"found": 0, "unreachable": 0, "of several columns": 0}
    model, row = case.tree.model_, case.rows[0]
    names = model.schema.names
    table, costs, changed, answers = every_row(case.tree, row)
    for target, will_do in wishes(rng, case, answers):
        for kept in ([], [int(rng.integers(len(names)))]):
            what = f"{case}\n{row} to {target} keeping {kept}"
            least = least_cost(costs, changed, answers, will_do, kept)
            if least is None:
                counts["unreachable"] += 1
                with pytest.raises(UnreachableError):
                    case.tree.counterfactual(row, target, keep=[names[each] for each in kept])
                continue
            found = case.tree.counterfactual(row, target, keep=[names[each] for each in kept])
            assert (found.cost.columns, found.cost.distance) == (least[0], float(least[1])), what
            assert cost_of(model.tree, model.schema, row, found.row) == least, what
            said = case.tree.predict({name: [value] for name, value in found.row.items()})[0]
            assert will_do(said), what
            assert said == found.answer, what
            conditions = {names.index(change.column): change.condition for change in found.changes}
            assert not conditions.keys() & set(kept), what
            for at in np.flatnonzero(
                (changed == [each in conditions for each in range(len(names))]).all(axis=1)
            ):
                if all(meets(told, table[names[each]][at]) for each, told in conditions.items()):
                    assert answers[at] == found.answer, what
            counts["found"] += 1
            counts["of several columns"] += found.cost.columns > 1
    return counts


def total(drawn):
    """Look at every case and add up the counts."""
    sums: dict[str, int] = {}
    for at, case in enumerate(drawn):
        for name, count in every_problem(case, np.random.default_rng(at)).items():
            sums[name] = sums.get(name, 0) + count
    return sums


def test_no_cheaper_change_exists():
    counts = total(cases(N_TREES, seed=4, columns=(2, 4), n_rows=1))
    assert counts["found"] > 1000
    assert counts["unreachable"] > 50
    assert counts["of several columns"] > 30


def test_no_cheaper_change_exists_where_surrogates_decide():
    """Columns much alike, and rows with many gaps: which surrogate answers depends on what changes."""
    drawn = cases(
        30 * TIMES, 8, of=kinds("cart", "surrogate"), columns=(4, 4), n_rows=1, gaps=0.7, categories=0.2
    )
    assert total(drawn)["found"] > 100


def test_no_cheaper_change_exists_where_numbers_are_cut_into_intervals():
    """Intervals are categories to the tree, yet with an order: the next one is a smaller change."""
    drawn = cases(30 * TIMES, 9, of=kinds("id3-spread"), columns=(2, 3), n_rows=1, gaps=0.2, categories=0.2)
    assert total(drawn)["found"] > 100


def golf(**options):
    columns, target = tw.datasets.load("golf")
    return tw.C45Classifier(**options).fit(columns, target)


SUNNY = {"outlook": "sunny", "temperature": 80, "humidity": 90, "windy": "false"}


def test_the_change_is_told_in_words_and_as_a_row():
    found = golf().counterfactual(SUNNY)
    assert [str(change) for change in found.changes] == ["outlook sunny → overcast"]
    found = golf().counterfactual(SUNNY, keep="outlook")
    assert [str(change) for change in found.changes] == ["humidity 90 → ≤ 75"]
    assert found.row == {**SUNNY, "humidity": 75}
    assert isinstance(found.row["humidity"], int)
    assert str(found) == (
        "Play (probability 1.000) instead of Don't Play, if\n\n"
        "column    this row has  change to\n"
        "humidity  90            ≤ 75\n\n"
        "No smaller change does: 1 column of 4, distance 1.00."
    )
    assert repr(found) == str(found)


def test_a_change_can_be_shown_in_a_notebook_and_kept_as_json():
    found = golf().counterfactual(SUNNY, keep="outlook")
    assert "<td" in found._repr_html_()
    assert "Don&#x27;t Play" in found._repr_html_()
    as_json = json.loads(json.dumps(found.to_dict()))
    assert as_json["row"]["humidity"] == 75
    assert as_json["cost"] == {"columns": 1, "distance": 1.0}
    assert as_json["prediction"] == {"Don't Play": 0.0, "Play": 1.0}


def test_where_the_answer_is_there_already_nothing_has_to_change():
    found = golf().counterfactual(SUNNY, target="Don't Play")
    assert found.changes == ()
    assert found.row == SUNNY
    assert str(found) == "Don't Play (probability 1.000): nothing has to change"
    assert "nothing has to change" in found._repr_html_()


def test_the_row_given_is_left_as_it_was():
    row = dict(SUNNY)
    golf().counterfactual(row)
    assert row == SUNNY


def test_of_equal_changes_the_first_leaf_of_the_tree_is_taken():
    X = {"a": ["p", "p", "q", "r"], "b": [0, 1, 1, 0]}
    tree = tw.DecisionTreeClassifier(categorical_split="multiway").fit(X, ["no", "no", "yes", "yes"])
    assert tree.counterfactual({"a": "p", "b": 0}).row["a"] == "q"


def test_a_number_moves_by_the_cuts_it_crosses():
    tree = tw.DecisionTreeRegressor().fit([[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 2.0, 3.0, 4.0])
    found = tree.counterfactual([0.25], target=(2.5, None))
    assert found.cost == (1, 0.75)
    assert str(found.changes[0]) == "x0 0.25 → in (2.5, 3.5]"
    assert found.row == {"x0": 2.6}
    assert tree.counterfactual([3.9], target=(None, 1.0)).row == {"x0": 1.5}
    assert str(tree.counterfactual([3.9], target=(None, 0.5))) == (
        "0 instead of 4, if\n\n"
        "column  this row has  change to\n"
        "x0      3.9           ≤ 0.5\n\n"
        "No smaller change does: 1 column of 1, distance 1.00."
    )


def test_numbers_that_differ_little_are_other_answers():
    tree = tw.DecisionTreeRegressor().fit([[0.0], [1.0], [2.0]], [1.0, 1.0 + 2**-45, 1e100])
    assert tree.counterfactual([0.0]).answer == 1.0 + 2**-45


@pytest.mark.parametrize("zone", [None, UTC], ids=["plain", "UTC"])
def test_moments_change_to_moments(zone):
    days = [datetime(2024, 1, day, 12, tzinfo=zone) for day in (1, 2, 10, 11)]
    tree = tw.DecisionTreeClassifier().fit({"day": days}, ["early", "early", "late", "late"])
    found = tree.counterfactual({"day": days[0]})
    assert found.row == {"day": datetime(2024, 1, 6, 13, tzinfo=zone)}
    assert tree.predict({"day": [found.row["day"]]}).tolist() == ["late"]
    assert "2024-01-06 12:00:00" in str(found)
    assert tree.counterfactual(found.row).row == {"day": datetime(2024, 1, 6, 12, tzinfo=zone)}


def test_durations_and_large_integers_change_in_their_own_type():
    X = {"took": [timedelta(seconds=s) for s in (1, 2, 9, 10)], "id": [2**60 + i for i in (1, 9, 3, 4)]}
    tree = tw.DecisionTreeClassifier().fit(X, ["a", "b", "b", "b"])
    found = tree.counterfactual({"took": timedelta(seconds=1), "id": 2**60 + 1})
    assert [change.column for change in found.changes] == ["took"]
    assert found.row["took"] == timedelta(seconds=2)
    found = tree.counterfactual({"took": timedelta(seconds=9), "id": 2**60 + 9}, "a")
    assert found.row["took"] == timedelta(seconds=1.5)
    tree = tw.DecisionTreeClassifier().fit({"id": X["id"]}, [0, 1, 0, 0])
    assert tree.counterfactual({"id": 2**60 + 1}).row == {"id": 2**60 + 7}


def test_columns_cut_into_intervals_change_to_a_value_in_one():
    X = {"length": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]}
    tree = tw.ID3Classifier(bins=3).fit(X, ["s", "s", "m", "m", "l", "l"])
    found = tree.counterfactual({"length": 1.7}, target="l")
    assert str(found.changes[0]) == "length 1.7 → > 5"
    assert tree.predict({"length": [found.row["length"]]}).tolist() == ["l"]


def test_a_gap_that_stays_goes_where_it_goes_in_predicting():
    tree = golf()
    row = {**SUNNY, "outlook": None, "windy": "true"}
    assert tree.predict({name: [value] for name, value in row.items()}).tolist() == ["Don't Play"]
    found = tree.counterfactual(row, keep="outlook")
    assert found.row["outlook"] is None
    assert found.answer == "Play"
    assert tree.predict({name: [value] for name, value in found.row.items()}).tolist() == ["Play"]


def test_a_category_that_was_not_there_in_training_may_change_too():
    with pytest.warns(tw.errors.UnseenCategoryWarning):
        found = golf().counterfactual({**SUNNY, "outlook": "hail"}, target="Play", keep=["humidity", "windy"])
    assert found.changes == () or found.changes[0].was == "hail"


def test_values_are_never_taken_away():
    X = {"x": [1.0, 2.0, np.nan, np.nan]}
    tree = tw.DecisionTreeClassifier().fit(X, ["known", "known", "gap", "gap"])
    assert tree.predict({"x": [None]}).tolist() == ["gap"]
    with pytest.raises(UnreachableError, match="a change never makes a value missing"):
        tree.counterfactual({"x": 1.0})
    found = tree.counterfactual({"x": None})
    assert str(found.changes[0]) == "x missing → any value"
    assert tree.predict({"x": [found.row["x"]]}).tolist() == ["known"]


def test_what_cannot_be_reached_is_an_error_that_says_why():
    tree = golf()
    with pytest.raises(UnreachableError, match=r"while 'outlook' stays the same\. Take it out of keep"):
        tree.counterfactual(SUNNY, keep=["outlook", "humidity", "windy"])
    alone = tw.DecisionTreeClassifier().fit({"x": [1.0, 2.0]}, ["a", "a"])
    with pytest.raises(UnreachableError, match="the tree is a single leaf and predicts 'a' for every row"):
        alone.counterfactual({"x": 1.0})
    numbers = tw.DecisionTreeRegressor().fit([[0.0], [1.0]], [2.0, 5.0])
    with pytest.raises(
        UnreachableError, match=r"no leaf of the tree predicts it\. They predict numbers from 2 to 5"
    ):
        numbers.counterfactual([0.0], target=(10, None))
    stump = tw.DecisionTreeClassifier(max_leaf_nodes=2).fit([[0.0], [1.0], [2.0], [2.0]], list("abcc"))
    with pytest.raises(UnreachableError, match=r"no leaf of the tree predicts it\. They predict 'a', 'c'"):
        stump.counterfactual([0.0], target="b")


def test_a_search_without_end_is_an_error(monkeypatch):
    monkeypatch.setattr(search, "_MOST_STATES", 1)
    rng = np.random.default_rng(0)
    X = rng.random((200, 4))
    tree = tw.DecisionTreeRegressor(missing="spread").fit(X, rng.random(200))
    with pytest.raises(UnreachableError, match="Fill some of them in"):
        tree.counterfactual([None] * 4, target=(0.5000001, 0.5000002))


@pytest.mark.parametrize("target", [5, "high", (1,), (1, 2, 3), (1, "x"), (True, 2)])
def test_a_target_that_is_no_range_is_refused(target):
    tree = tw.DecisionTreeRegressor().fit([[0.0], [1.0]], [2.0, 5.0])
    with pytest.raises(ParameterTypeError, match=r"\(low, high\)"):
        tree.counterfactual([0.0], target=target)


def test_a_range_that_holds_nothing_is_refused():
    tree = tw.DecisionTreeRegressor().fit([[0.0], [1.0]], [2.0, 5.0])
    for target in ((5, 2), (float("nan"), 3)):
        with pytest.raises(ParameterError, match="holds no number"):
            tree.counterfactual([0.0], target=target)


def test_an_unknown_class_or_column_is_refused_with_a_hint():
    with pytest.raises(ParameterError, match="Did you mean 'Play'"):
        golf().counterfactual(SUNNY, target="Playy")
    with pytest.raises(ColumnError, match="Did you mean 'outlook'"):
        golf().counterfactual(SUNNY, keep=["outlok"])
    with pytest.raises(ParameterTypeError, match="keep=3"):
        golf().counterfactual(SUNNY, keep=3)


def test_labels_of_any_type_can_be_targets():
    tree = tw.DecisionTreeClassifier().fit([[0.0], [1.0]], [False, True])
    assert tree.counterfactual([0.0], target=np.True_).answer is True
    tree = tw.DecisionTreeClassifier().fit([[0.0], [1.0]], [3, 7])
    assert tree.counterfactual([0.0], target=np.int64(7)).answer == 7
