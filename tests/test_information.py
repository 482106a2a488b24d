"""The information room: textbook figures, the identities of the exercise, and what is refused."""

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import datasets, information
from treewright.errors import TreewrightError

TEXTBOOK = Path(__file__).resolve().parents[2] / "shared" / "golden" / "textbook"
FIGURES = {path.stem.removeprefix("textbook__"): path for path in sorted(TEXTBOOK.glob("*.json"))}

OF_ONE_COLUMN = [
    information.entropy,
    information.split_information,
    information.gini,
    information.misclassification,
    information.taylor_entropy,
]
OF_TWO_COLUMNS = [
    information.conditional_entropy,
    information.information_gain,
    information.gain_ratio,
    information.conditional_gini,
]
WITH_BASE = [
    information.self_information,
    information.entropy,
    information.joint_entropy,
    information.split_information,
]

# Mixed on purpose: 1 and "1" are two labels.
labels = st.sampled_from(["a", "b", "1", 1, 2.5, (0, 1), "色泽"])


@st.composite
def rows(draw):
    """Draw two columns of labels and a whole weight for each row."""
    n = draw(st.integers(1, 30))

    def column(elements):
        return draw(st.lists(elements, min_size=n, max_size=n))

    return column(labels), column(labels), column(st.integers(1, 5))


# No cell so light that the product of two shares, which a test below forms, would be 0 in floating point.
cells = st.just(0.0) | st.floats(1e-6, 1e6)
tables = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(cells, min_size=width, max_size=width),
        min_size=1,
        max_size=6,
    ).filter(lambda table: np.sum(table) > 0)
)


def close(value):
    return pytest.approx(value, rel=1e-12, abs=1e-12)


@given(rows(), st.sampled_from([2, 10, math.e, 3]))
def test_the_three_forms_of_the_gain_agree(table, base):
    y, x, weights = table
    of = {"weights": weights, "base": base}
    h_y, h_x = information.entropy(y, **of), information.entropy(x, **of)
    h_xy = information.joint_entropy(x, y, **of)
    h_y_given_x, h_x_given_y = (
        information.conditional_entropy(y, x, **of),
        information.conditional_entropy(x, y, **of),
    )

    gain = information.information_gain(y, x, **of)
    assert gain == close(h_y - h_y_given_x)
    assert gain == close(h_x + h_y - h_xy)
    assert gain == close(h_xy - h_x_given_y - h_y_given_x)
    assert gain == close(information.information_gain(x, y, **of))


@given(tables)
def test_the_gain_is_the_divergence_from_independence(table):
    joint = np.array(table) / np.sum(table)
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    assert information.information_gain(counts=table) == pytest.approx(
        information.kl_divergence(joint, apart), rel=1e-9, abs=1e-12
    )


@given(rows())
def test_the_chain_rule_holds(table):
    y, x, weights = table
    assert information.joint_entropy(x, y, weights=weights) == close(
        information.entropy(x, weights=weights) + information.conditional_entropy(y, x, weights=weights)
    )


@given(rows())
def test_the_gain_ratio_is_gain_over_split_information(table):
    y, x, weights = table
    split = information.split_information(x, weights=weights)
    ratio = information.gain_ratio(y, x, weights=weights)
    assert ratio == close(information.information_gain(y, x, weights=weights) / split if split else 0)
    assert ratio == close(information.gain_ratio(y, x, weights=weights, base=10))


@given(rows())
def test_entropy_is_the_mean_of_self_information(table):
    y, _, weights = table
    each = information.self_information(y, weights=weights)
    assert np.average(each, weights=weights) == close(information.entropy(y, weights=weights))


@given(tables)
def test_no_figure_is_negative(table):
    flat = np.ravel(table)
    assert all(figure(counts=flat) >= 0 for figure in OF_ONE_COLUMN)
    assert all(figure(counts=table) >= 0 for figure in OF_TWO_COLUMNS)
    assert information.joint_entropy(counts=table) >= 0
    assert information.kl_divergence(flat + 1, np.ones(len(flat))) >= 0


@given(tables)
def test_knowing_more_leaves_less_to_know(table):
    of_y = np.sum(table, axis=0)
    assert information.conditional_entropy(counts=table) <= information.entropy(counts=of_y) + 1e-12
    assert information.conditional_gini(counts=table) <= information.gini(counts=of_y) + 1e-12


@given(st.lists(st.integers(0, 100), min_size=1).filter(any))
def test_gini_taylor_and_entropy_rise_in_this_order(counts):
    first, second = information.gini(counts=counts), information.taylor_entropy(counts=counts)
    assert first <= second <= information.entropy(counts=counts, base=math.e) + 1e-12
    assert information.misclassification(counts=counts) <= first + 1e-12


@pytest.mark.parametrize("n", [1, 2, 4, 8, 64, 1024])
@pytest.mark.parametrize("each", [1, 3, 7])
def test_a_uniform_power_of_two_has_a_whole_number_of_bits(n, each):
    assert information.entropy(list(range(n)) * each) == math.log2(n)
    assert information.entropy(counts=[each / 10] * n) == math.log2(n)


@pytest.mark.parametrize(("base", "values", "figure"), [(4, 64, 3), (8, 64, 2), (10, 10, 1), (16, 4, 0.5)])
def test_other_bases_are_exact_where_their_figures_are(base, values, figure):
    assert information.entropy(range(values), base=base) == figure


def test_what_is_settled_has_no_information_and_no_sign():
    for figure in (*OF_ONE_COLUMN, information.joint_entropy):
        assert math.copysign(1, figure(["a", "a", "a"])) == 1
        assert figure(["a", "a", "a"]) == 0
    assert math.copysign(1, information.self_information(1)) == 1
    assert information.conditional_entropy(["a", "b"], [1, 2]) == 0


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=5), st.lists(st.integers(1, 50), min_size=1, max_size=5)
)
def test_a_column_that_tells_nothing_gains_exactly_nothing(of_x, of_y):
    assert information.information_gain(counts=np.outer(of_x, of_y)) == 0


@given(rows())
def test_a_column_that_settles_the_target_gains_all_of_it(table):
    y, _, weights = table
    assert information.information_gain(y, y, weights=weights) == close(
        information.entropy(y, weights=weights)
    )


@given(rows())
def test_a_weight_is_so_many_copies_of_the_row(table):
    y, x, weights = table
    many_y = [label for label, n in zip(y, weights, strict=True) for _ in range(n)]
    many_x = [label for label, n in zip(x, weights, strict=True) for _ in range(n)]
    for figure in OF_ONE_COLUMN:
        assert figure(y, weights=weights) == close(figure(many_y))
    for figure in (*OF_TWO_COLUMNS, information.joint_entropy):
        assert figure(y, x, weights=weights) == close(figure(many_y, many_x))


@given(rows())
def test_counts_and_labels_give_the_same(table):
    y, x, _ = table
    for figure in OF_ONE_COLUMN:
        assert figure(y) == figure(counts=Counter(y)) == figure(counts=list(Counter(y).values()))
    pairs = Counter(zip(x, y, strict=True))
    counts = [[pairs[a, b] for b in dict.fromkeys(y)] for a in dict.fromkeys(x)]
    for figure in (*OF_TWO_COLUMNS, information.joint_entropy):
        assert figure(y, x) == figure(counts=counts)


@given(rows(), st.sampled_from([math.e, 3, 10, 1.5]))
def test_bases_differ_by_a_factor(table, base):
    y, x, _ = table
    for figure, columns in ((information.entropy, [y]), (information.information_gain, [y, x])):
        assert figure(*columns, base=base) * math.log2(base) == close(figure(*columns))


@given(rows(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_bit(table, random):
    y, x, whole = table
    weights = [n / 10 for n in whole]
    order = random.sample(range(len(y)), len(y))

    def shuffled(column):
        return [column[i] for i in order]

    for figure in OF_ONE_COLUMN:
        assert figure(y, weights=weights) == figure(shuffled(y), weights=shuffled(weights))
    for figure in OF_TWO_COLUMNS:
        one = figure(y, x, weights=weights)
        assert one == figure(shuffled(y), shuffled(x), weights=shuffled(weights))


@given(
    st.lists(st.just(0.0) | st.floats(1e-300, 1e307), min_size=1, max_size=5).filter(any),
    st.sampled_from([0.25, 2, 8]),
)
def test_only_shares_of_counts_matter(counts, factor):
    for figure in OF_ONE_COLUMN:
        assert figure(counts=np.array(counts) * factor) == figure(counts=counts)


def test_the_largest_and_the_smallest_counts_can_be_summed():
    assert information.entropy(counts=[1.7e308] * 4) == 2
    assert information.entropy(counts=[5e-324] * 4) == 2


def test_a_value_without_weight_is_as_good_as_absent():
    assert information.entropy(["a", "b", "c"], weights=[1, 1, 0]) == 1
    assert information.entropy(counts=[1, 0, 1]) == 1
    assert information.information_gain(["a", "b", "c"], [1, 2, 2], weights=[1, 1, 0]) == 1
    assert information.information_gain(counts=[[1, 0, 0], [0, 0, 0], [0, 1, 0]]) == 1


def test_labels_may_be_of_any_kind():
    assert information.entropy([1, "1"]) == 1
    assert information.entropy([True, False]) == 1
    assert information.entropy(np.array(["2026-01-01", "2026-01-02"], dtype="datetime64[D]")) == 1
    assert information.entropy([(1, 2), (1, 3), (1, 2), (1, 3)]) == 1
    assert information.entropy([1, 1.0, True]) == 0  # equal in Python, so one label


def test_labels_may_come_in_any_container():
    pandas, polars, arrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    names = ["a", "b", "a", "c"]
    for made in (
        tuple(names),
        np.array(names),
        pandas.Series(names),
        pandas.Categorical(names),
        polars.Series(names),
        polars.Series(names, dtype=polars.Categorical),
        arrow.array(names),
    ):
        assert information.entropy(made) == 1.5


def test_a_missing_label_is_refused_and_named():
    pandas = pytest.importorskip("pandas")
    for gap in (None, float("nan"), pandas.NA, pandas.NaT, np.datetime64("NaT")):
        with pytest.raises(
            TreewrightError, match=r"y\[1\] is .*; 1 of 3 labels are missing\. Drop those rows"
        ):
            information.entropy(["a", gap, "b"])
        with pytest.raises(TreewrightError, match=r"x\[0\] is .*; 1 of 2 labels are missing"):
            information.information_gain(["a", "b"], [gap, 1])
    with pytest.raises(TreewrightError, match=r"y\[1\]"):
        information.entropy(np.array([1.0, np.nan]))
    with pytest.raises(TreewrightError, match=r"y\[1\]"):
        information.entropy(np.ma.array([1, 2], mask=[False, True]))


def test_nothing_given_is_changed():
    y, weights = np.array(["a", "b"], dtype=object), np.array([1.0, 2.0])
    counts = np.array([[1.0, 2.0], [3.0, 4.0]])
    information.entropy(y, weights=weights)
    information.information_gain(counts=counts)
    assert y.tolist() == ["a", "b"]
    assert weights.tolist() == [1, 2]
    assert counts.tolist() == [[1, 2], [3, 4]]


def test_self_information_of_a_probability():
    assert information.self_information(0.25) == 2
    assert information.self_information(np.float32(0.5)) == 1
    assert information.self_information(0.1, base=10) == 1
    assert information.self_information(0) == math.inf


def test_self_information_of_independent_events_adds_up():
    assert information.self_information(0.3 * 0.2) == close(
        information.self_information(0.3) + information.self_information(0.2)
    )


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan])
def test_self_information_refuses_what_is_no_probability(value):
    with pytest.raises(TreewrightError, match="not a probability"):
        information.self_information(value)


def test_self_information_does_not_mistake_probabilities_for_labels():
    with pytest.raises(TreewrightError, match="look like probabilities"):
        information.self_information([0.5, 0.25, 0.25])
    assert information.self_information(counts=[0.5, 0.25, 0.25]).tolist() == [1, 2, 2]
    assert information.self_information([0.0, 1.0]).tolist() == [1, 1]


def test_divergence_matches_mappings_by_key():
    assert information.kl_divergence({"a": 1, "b": 1}, {"b": 3, "a": 1}) == information.kl_divergence(
        [1, 1], [1, 3]
    )
    assert information.kl_divergence({"a": 1}, {"a": 1, "b": 1}) == 1
    assert information.kl_divergence({"a": 1, "b": 1}, {"a": 1}) == math.inf


@given(st.lists(st.integers(0, 50), min_size=1).filter(any))
def test_divergence_from_itself_is_exactly_nothing(counts):
    assert information.kl_divergence(counts, counts) == 0


@pytest.mark.parametrize("figure", [*OF_ONE_COLUMN, information.joint_entropy, information.self_information])
@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({}, "counts="),
        ({"counts": []}, "add up to 0"),
        ({"counts": [0, 0]}, "add up to 0"),
        ({"counts": [1, -1]}, r"counts\[1\] is -1"),
        ({"counts": [1, math.nan]}, r"counts\[1\] is nan"),
        ({"counts": [math.inf, 1]}, r"counts\[0\] is inf"),
        ({"counts": ["many"]}, "counts must be numbers"),
        ({"counts": [1], "weights": [1]}, "weights= goes with labels"),
    ],
)
def test_bad_counts_are_refused(figure, given_, says):
    with pytest.raises(TreewrightError, match=says):
        figure(**given_)


@pytest.mark.parametrize("figure", [*OF_ONE_COLUMN, information.joint_entropy, information.self_information])
@pytest.mark.parametrize(
    ("y", "weights", "says"),
    [
        ([], None, "no labels"),
        (["a", "b"], [1], r"2 labels need \(2,\)"),
        (["a", "b"], [1, -2], r"weights\[1\] is -2"),
        (["a", "b"], [1, math.nan], r"weights\[1\] is nan"),
        (["a", "b"], [0, 0], "add up to 0"),
        ("aabb", None, "one label for each row"),
        (np.ones((2, 2)), None, r"shape \(2, 2\)"),
        ([["a"], ["b"]], None, "plain labels"),
    ],
)
def test_bad_labels_and_weights_are_refused(figure, y, weights, says):
    with pytest.raises(TreewrightError, match=says):
        figure(y, weights=weights)


@pytest.mark.parametrize("figure", WITH_BASE)
@pytest.mark.parametrize("base", [0, 1, -2, 0.5, math.nan, math.inf, "2", None, True])
def test_a_base_that_is_none_is_refused(figure, base):
    with pytest.raises(TreewrightError, match="base="):
        figure(["a", "b"], base=base)


@pytest.mark.parametrize("figure", OF_TWO_COLUMNS)
@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({"y": ["a"], "x": ["a", "b"]}, "y has 1 labels, x has 2"),
        ({"y": ["a"]}, "x is not given"),
        ({"x": ["a"]}, "y is not given"),
        ({"x": ["a"], "counts": [[1]]}, "not both"),
        ({"counts": [1, 2]}, "a row for each value of x"),
        ({"counts": [[1, 2], [3]]}, "counts must be numbers"),
        ({"counts": [[1, 2], [3, -4]]}, r"counts\[3\] is -4"),
    ],
)
def test_bad_pairs_of_columns_are_refused(figure, given_, says):
    with pytest.raises(TreewrightError, match=says):
        figure(**given_)


@pytest.mark.parametrize(
    ("p", "q", "says"),
    [([1, 2], [1, 2, 3], "shape"), ({"a": 1}, [1], "two mappings"), ([1], ["a"], "numbers")],
)
def test_bad_distributions_are_refused(p, q, says):
    with pytest.raises(TreewrightError, match=says):
        information.kl_divergence(p, q)


def test_columns_of_unequal_length_have_no_joint_entropy():
    with pytest.raises(TreewrightError, match="column 0 has 1 labels, column 1 has 2"):
        information.joint_entropy(["a"], ["a", "b"])


def test_the_figures_the_books_print():
    columns, target = datasets.load("watermelon_20")
    y = columns.pop(target)
    assert round(information.entropy(y), 3) == 0.998
    gains = {name: round(information.information_gain(y, x), 3) for name, x in columns.items()}
    # Zhou prints 0.109 for 色泽; its exact value is 0.1081.
    assert gains == {"色泽": 0.108, "根蒂": 0.143, "敲声": 0.141, "纹理": 0.381, "脐部": 0.289, "触感": 0.006}

    columns, target = datasets.load("golf")
    y, outlook = columns[target], columns["outlook"]
    assert round(information.entropy(y), 3) == 0.940
    assert round(information.conditional_entropy(y, outlook), 3) == 0.694
    assert round(information.gain_ratio(y, outlook), 3) == 0.156

    columns, target = datasets.load("loan_lihang")
    y = columns.pop(target)
    assert [round(information.information_gain(y, x), 3) for x in columns.values()] == [
        0.083,
        0.324,
        0.42,
        0.363,
    ]


def test_the_gain_with_gaps_is_that_of_the_rows_without_times_their_share():
    columns, target = datasets.load("watermelon_20a")
    y, x = np.array(columns[target]), np.array(columns["纹理"])
    known = np.array([value is not None for value in x])
    assert round(known.mean() * information.information_gain(y[known], x[known]), 3) == 0.424


@pytest.mark.skipif(not FIGURES, reason="../shared/golden/textbook is not on this machine")
@pytest.mark.parametrize("name", FIGURES)
def test_the_stored_textbook_figures_come_out(name):
    stored = json.loads(FIGURES[name].read_text("utf-8"))
    columns, target = datasets.load(name)
    y = np.array(columns.pop(target))
    assert information.entropy(y) == close(stored["entropy"])
    assert information.gini(y) == close(stored["gini"])
    for column, figures in stored["attributes"].items():
        x = np.array(columns[column])
        if figures["type"] == "numeric":
            for cut in figures["candidates"]:
                side = x <= cut["threshold"]
                assert information.information_gain(y, side) == close(cut["gain"])
                assert information.gini(y) - information.conditional_gini(y, side) == close(
                    cut["gini_decrease"]
                )
            continue
        known = np.array([value is not None for value in x])
        of = (y[known], x[known])
        assert information.entropy(of[0]) == close(figures["entropy_known"])
        assert information.information_gain(*of) == close(figures["gain_known"])
        assert known.mean() * information.information_gain(*of) == close(figures["gain"])
        assert information.split_information(of[1]) == close(figures["split_info_known"])
        assert information.gain_ratio(*of) == close(figures["gain_ratio_textbook"])
        assert information.conditional_gini(*of) == close(figures["gini_index_multiway"])
        # C4.5 counts the gap as a branch of its own.
        with_gap = information.split_information(np.where(known, x, "a gap"))
        assert with_gap == close(figures["split_info_c45"])
        for value, figure in figures["gini_index_one_vs_rest"].items():
            assert information.conditional_gini(of[0], of[1] == value) == close(figure)
