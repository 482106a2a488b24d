"""The CASE of a rule set answers in DuckDB as the tree does."""

import numpy as np
import pytest

import treewright as tw
from mixed_tables import Way
from treewright.errors import ConversionError

duckdb = pytest.importorskip("duckdb")
pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::treewright.errors.UnseenCategoryWarning")
NASTY = ["it's", 'say "so"', "back\\slash", "色泽", "", " blank ", "%_", "null\0byte", "a,b"]
NAMES = {
    "number": 'the "price"',
    "text": "色泽's",
    "int": "select",
    "when": "a b",
    "flag": "Flag",
    "long": "日",
}
CLASSES = ["it's", "好瓜", "back\\slash"]
N = 1000

WAYS = [
    Way("gini", split, missing)
    for split in ("subset", "multiway", "one-vs-rest")
    for missing in ("learned", "majority", "branch", "spread", "surrogate")
    if (split, missing) != ("multiway", "surrogate")
]


def random_frame(rng, n, extra=()):
    """Draw columns of every kind, with gaps; `extra` are categories beyond those of training."""
    texts = [*NASTY, *extra]
    columns = {
        "number": np.round(rng.normal(size=n), 2),
        "text": [texts[at] for at in rng.integers(0, len(texts), n)],
        "int": 2**60 + rng.integers(0, 40, n),
        "when": np.datetime64("2024-02-29T12:00:00.000001") + rng.integers(0, 40, n).astype("m8[us]"),
        "flag": rng.random(n) < 0.5,
        "long": rng.integers(0, 90_000, n).astype("m8[s]"),
    }
    frame = pd.DataFrame(columns).astype({"int": "Int64", "flag": "boolean"})
    frame["text"] = frame["text"].astype(object)
    for name in frame:
        frame.loc[rng.random(n) < 0.15, name] = None
    return frame.rename(columns=NAMES)


def answers_of(sql, frame):
    with duckdb.connect() as connection:
        connection.register("rows to ask", frame)
        return [row[0] for row in connection.execute(f"SELECT prediction FROM ({sql})").fetchall()]


def some_classes(rng, frame):
    known = frame[NAMES["number"]].fillna(0).to_numpy() + (frame[NAMES["text"]] == "色泽").to_numpy()
    codes = np.digitize(known + rng.normal(size=len(frame)) / 2, [-0.5, 0.5])
    return [CLASSES[code] for code in codes]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.split}-{way.missing}")
def test_the_case_answers_as_the_tree_for_gaps_and_new_categories(way):
    rng = np.random.default_rng(len(str(way)))
    frame = random_frame(rng, 150)
    tree = tw.DecisionTreeClassifier(
        categorical_split=way.split, missing=way.missing, max_depth=4, min_samples_leaf=3
    ).fit(frame, some_classes(rng, frame))
    asked = random_frame(rng, N, extra=["new", "it"])
    assert answers_of(tree.rules().to_sql("rows to ask"), asked) == tree.predict(asked).tolist()


@pytest.mark.parametrize(
    "options", [{}, {"group_categories": True}, {"variant": "j48", "binary_splits": True}]
)
def test_the_case_of_c45_adds_up_shares(options):
    rng = np.random.default_rng(3)
    frame = random_frame(rng, 150)
    y = some_classes(rng, frame)
    tree = tw.C45Classifier(**options).fit(frame, y)
    asked = random_frame(rng, N, extra=["new"])
    assert tree.rules().has_shares
    assert answers_of(tree.rules().to_sql("rows to ask"), asked) == tree.predict(asked).tolist()
    rules = tree.rules("c45rules", frame, y)
    assert answers_of(rules.to_sql("rows to ask"), asked) == rules.predict(asked).tolist()


@pytest.mark.parametrize("missing", ["learned", "spread", "surrogate"])
def test_the_case_of_numbers_is_the_same_to_the_last_bit(missing):
    rng = np.random.default_rng(7)
    frame = random_frame(rng, 150)
    y = rng.normal(size=150) / 3 + frame[NAMES["number"]].fillna(0.1).to_numpy()
    tree = tw.DecisionTreeRegressor(missing=missing, max_depth=5).fit(frame, y)
    asked = random_frame(rng, N, extra=["new"])
    assert answers_of(tree.rules().to_sql("rows to ask"), asked) == tree.predict(asked).tolist()


@pytest.mark.parametrize("missing", ["learned", "spread"])
def test_the_case_weighs_losses(missing):
    rng = np.random.default_rng(9)
    frame = random_frame(rng, 150)
    loss = [[0, 1, 5], [2, 0, 1], [1, 7, 0]]
    tree = tw.DecisionTreeClassifier(missing=missing, loss=loss, max_depth=4).fit(
        frame, some_classes(rng, frame)
    )
    asked = random_frame(rng, N)
    assert answers_of(tree.rules().to_sql("rows to ask"), asked) == tree.predict(asked).tolist()


def test_the_case_cuts_into_the_same_intervals():
    rng = np.random.default_rng(1)
    frame = random_frame(rng, 150)[[NAMES["number"], NAMES["text"], NAMES["when"], NAMES["flag"]]]
    for missing in ("spread", "branch", "majority"):
        tree = tw.ID3Classifier(bins=4, missing=missing, max_depth=2).fit(frame, some_classes(rng, frame))
        asked = random_frame(rng, N, extra=["new"])[list(frame)]
        assert answers_of(tree.rules().to_sql("rows to ask"), asked) == tree.predict(asked).tolist()


@pytest.mark.parametrize("type_of", [np.float32, np.float64])
def test_values_on_a_cut_take_the_side_that_the_tree_sends_them_to(type_of):
    values = np.array([0.1, 0.2, 0.3, 0.7, 1e-300, 1e300 if type_of is np.float64 else 1e30], dtype=type_of)
    frame = pd.DataFrame({"x": np.repeat(values, 3)})
    y = np.repeat([0, 1, 0, 1, 0, 1], 3)
    for cut_at in ("observed", "middle"):
        tree = tw.C45Classifier(cut_at=cut_at, min_cases=1).fit(frame, y)
        assert answers_of(tree.rules().to_sql("rows to ask"), frame) == tree.predict(frame).tolist()
    nan = duckdb.sql(f"SELECT {tree.rules().to_sql()} FROM (SELECT 'nan'::DOUBLE AS x)").fetchall()
    assert nan == [(int(tree.predict({"x": [float("nan")]})[0]),)]


def test_moments_know_their_zone_and_their_nanoseconds():
    for values in (
        pd.date_range("2024-01-01", periods=8, freq="37min", tz="UTC"),
        pd.to_datetime(np.arange(8) * 333 + 10**18),
        np.arange(8).astype("M8[D]"),
        np.array([0, 2, 4, 6, 8, 10, 12, 14]).astype("M8[Y]") + np.timedelta64(9000, "Y"),
    ):
        frame = pd.DataFrame({"when": values})
        tree = tw.DecisionTreeClassifier().fit(frame, [0, 1, 1, 0, 0, 1, 0, 1])
        assert answers_of(tree.rules().to_sql("rows to ask"), frame) == tree.predict(frame).tolist()


def test_declared_categories_are_compared_as_texts():
    frame = pd.DataFrame({"c": pd.Categorical(["a", "b", "c"] * 3, categories=["a", "b", "c", "never"])})
    tree = tw.DecisionTreeClassifier().fit(frame, [0, 1, 2] * 3)
    asked = pd.DataFrame({"c": pd.Categorical(["a", "other", None, "c"], categories=["a", "c", "other"])})
    assert answers_of(tree.rules().to_sql("rows to ask"), asked) == tree.predict(asked).tolist()


def test_there_is_no_answer_where_the_tree_refuses_one():
    tree = tw.DecisionTreeClassifier(missing="refuse").fit({"x": [1.0, 2.0]}, ["a", "b"])
    frame = pd.DataFrame({"x": [1.0, 2.0, None]})
    assert answers_of(tree.rules().to_sql("rows to ask"), frame) == ["a", "b", None]


def test_names_inside_the_case_are_no_columns():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 3, (60, 4)).astype(float), columns=["r", "r0", "rc0", "r_"])
    frame[frame > 1.5] = np.nan
    tree = tw.C45Classifier(min_cases=1, pruning=False).fit(frame, (frame.sum(axis=1) > 1).astype(int))
    assert tree.rules().has_shares
    assert answers_of(tree.rules().to_sql("rows to ask"), frame) == tree.predict(frame).tolist()


def test_names_that_sql_takes_for_one_are_refused():
    tree = tw.DecisionTreeClassifier().fit({"age": [1, 2], "Age": [1, 1]}, ["a", "b"])
    with pytest.raises(ConversionError, match="does not tell columns 'age' and 'Age' apart"):
        tree.rules().to_sql()
    tree = tw.DecisionTreeClassifier().fit({"": [1, 2]}, ["a", "b"])
    with pytest.raises(ConversionError, match="SQL has no column named ''"):
        tree.rules().to_sql()


@pytest.mark.parametrize("split", ["subset", "one-vs-rest", "multiway"])
def test_long_lists_of_categories_are_compared_without_joins(split):
    """Of every long IN the database would make a join, and a tree of a hundred rules would take minutes."""
    rng = np.random.default_rng(4)
    labels = [f"城市 {at}" for at in range(40)]
    codes = rng.integers(0, 40, 600)
    X = pd.DataFrame({"city": [labels[code] for code in codes], "x": rng.normal(size=600).round(1)})
    X.loc[::7, "city"] = None
    tree = tw.DecisionTreeClassifier(categorical_split=split, max_depth=5).fit(X, codes % 7 + (X.x > 0) > 3)
    sql = tree.rules().to_sql("rows to ask")
    with duckdb.connect() as connection:
        connection.register("rows to ask", X)
        plan = str(connection.execute(f"EXPLAIN {sql}").fetchall())
    assert "join" not in plan.casefold()
    assert answers_of(sql, X) == tree.predict(X).tolist()
