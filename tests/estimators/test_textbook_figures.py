"""The figures the books print come out of the library, from the tables that ship with it.

Everything here runs from a clean clone. What the books do not print but formulas give, to the last digit, is
compared with the stored figures in `tests/golden/test_textbook.py` and `tests/test_information.py`.
"""

import math
from dataclasses import dataclass

import numpy as np
import pytest

import watermelon_figures
from treewright import C45Classifier, DecisionTreeClassifier, ID3Classifier, datasets, information
from treewright.model.questions import Threshold

EXACT = 1e-12


def printed(figure, digits):
    """Compare with a figure as a book prints it: to its last digit."""
    return pytest.approx(figure, abs=0.5 * 10**-digits + EXACT)


# -- A table, a column, a cut -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Split:
    """What a question makes of some rows, by the functions for people."""

    gain: float  # times the share of rows with a value
    split_info: float  # of the rows with a value
    split_info_with_unknown: float  # rows without one are a branch too

    @property
    def ratio(self) -> float:
        return self.gain / self.split_info

    @property
    def ratio_with_unknown(self) -> float:
        return self.gain / self.split_info_with_unknown


def rows_of(name):
    """Give the columns of a table as arrays, without the target, and the target."""
    columns, target = datasets.load(name)
    y = np.array(columns.pop(target))
    return {column: np.array(values, dtype=object) for column, values in columns.items()}, y


def split(x, y, cut=None):
    known = np.array([value is not None for value in x])
    branch = x[known] if cut is None else x[known].astype(float) <= cut
    sizes = [*np.unique(branch.astype(str), return_counts=True)[1]]
    return Split(
        gain=known.mean() * information.information_gain(y[known], branch),
        split_info=information.split_information(branch),
        split_info_with_unknown=information.split_information(counts=[*sizes, np.sum(~known)]),
    )


def cuts_of(x):
    values = np.unique(x.astype(float))
    return (values[:-1] + values[1:]) / 2


# -- Every gain at the root -------------------------------------------------------------------------------

GAINS = {
    # Quinlan (1993), chapter 2
    "golf": (0.940, {"outlook": 0.247, "windy": 0.048}, 3),
    # Quinlan (1986); Witten, Frank, Hall, section 4.3
    "weather_nominal": (
        0.940,
        {"outlook": 0.247, "temperature": 0.029, "humidity": 0.152, "windy": 0.048},
        3,
    ),
    "weather_numeric": (0.940, {"outlook": 0.247, "windy": 0.048}, 3),
    # Cendrowska (1987)
    "contact_lenses": (
        1.3261,
        {"age": 0.0394, "spectacle_prescrip": 0.0395, "astigmatism": 0.3770, "tear_prod_rate": 0.5488},
        4,
    ),
    # Li Hang, example 5.2
    "loan_lihang": (0.971, {"年龄": 0.083, "有工作": 0.324, "有自己的房子": 0.420, "信贷情况": 0.363}, 3),
    # Zhou, section 4.2.1; he prints 0.109 for 色泽, a slip in the last digit
    "watermelon_20": (
        0.998,
        {"色泽": 0.108, "根蒂": 0.143, "敲声": 0.141, "纹理": 0.381, "脐部": 0.289, "触感": 0.006},
        3,
    ),
    # Zhou, section 4.4.2
    "watermelon_20a": (
        0.998,
        {"色泽": 0.252, "根蒂": 0.171, "敲声": 0.145, "纹理": 0.424, "脐部": 0.289, "触感": 0.006},
        3,
    ),
    # Zhou, section 4.4.1
    "watermelon_30": (
        0.998,
        {"色泽": 0.108, "根蒂": 0.143, "敲声": 0.141, "纹理": 0.381, "脐部": 0.289, "触感": 0.006},
        3,
    ),
}


@pytest.mark.parametrize("name", GAINS)
def test_the_entropy_and_every_gain_at_the_root_are_the_books(name):
    entropy, gains, digits = GAINS[name]
    columns, y = rows_of(name)
    assert information.entropy(y) == printed(entropy, digits)
    for column, gain in gains.items():
        assert split(columns[column], y).gain == printed(gain, digits), column


@pytest.mark.parametrize(
    ("column", "cut", "gain"), [("密度", 0.3815, 0.262), ("含糖率", 0.126, 0.349)], ids=["密度", "含糖率"]
)
def test_the_best_cuts_of_watermelon_30_are_the_books(column, cut, gain):
    columns, y = rows_of("watermelon_30")
    x = columns[column]
    best = max(cuts_of(x), key=lambda each: split(x, y, each).gain)
    assert best == pytest.approx(cut)  # the book cuts the last digit off: 0.381
    assert split(x, y, best).gain == printed(gain, 3)


# -- Watermelon 2.0α with density -------------------------------------------------------------------------


@pytest.mark.parametrize("column", watermelon_figures.COLUMNS)
def test_every_category_of_the_worked_example_has_its_figures(column):
    columns, y = rows_of("watermelon_20a_density")
    found = split(columns[column], y)
    gain, split_info, ratio, split_info_with, ratio_with = watermelon_figures.COLUMNS[column]
    assert found.gain == printed(gain, 4)
    assert found.split_info == printed(split_info, 4)
    assert found.ratio == printed(ratio, 4)
    assert found.split_info_with_unknown == printed(split_info_with, 4)
    assert found.ratio_with_unknown == printed(ratio_with, 4)


def test_all_sixteen_cuts_of_the_worked_example_have_their_figures():
    columns, y = rows_of("watermelon_20a_density")
    x = columns["密度"]
    cuts = cuts_of(x)
    assert cuts == pytest.approx(list(watermelon_figures.CUTS))
    for cut, (gain, ratio) in zip(cuts, watermelon_figures.CUTS.values(), strict=True):
        found = split(x, y, cut)
        assert found.gain == printed(gain, 4)
        assert found.ratio == printed(ratio, 4)
        assert found.split_info == found.split_info_with_unknown  # every melon has a density


# -- What the estimators ask first ------------------------------------------------------------------------

# variant, column, cut, gain after the charge, ratio
ROOTS = {
    "golf": [("release8", "outlook", None, 0.2467, 0.1564), ("textbook", "outlook", None, 0.2467, 0.1564)],
    "weather_nominal": [
        ("release8", "outlook", None, 0.2467, 0.1564),
        ("textbook", "outlook", None, 0.2467, 0.1564),
    ],
    "weather_numeric": [("release8", "outlook", None, 0.2467, 0.1564)],
    "contact_lenses": [
        ("release8", "tear_prod_rate", None, 0.5488, 0.5488),
        ("textbook", "tear_prod_rate", None, 0.5488, 0.5488),
    ],
    "loan_lihang": [
        ("release8", "有自己的房子", None, 0.4200, 0.4325),
        ("textbook", "有自己的房子", None, 0.4200, 0.4325),
    ],
    "watermelon_20": [
        ("release8", "纹理", None, 0.3806, 0.2631),
        ("textbook", "纹理", None, 0.3806, 0.2631),
    ],
    "watermelon_20a": [
        ("release8", "纹理", None, 0.4236, 0.2288),
        ("textbook", "纹理", None, 0.4236, 0.2813),
    ],
    "watermelon_20a_density": [
        ("release8", "纹理", None, 0.4236, 0.2288),
        ("j48", "纹理", None, 0.4236, 0.2288),
        ("textbook", "密度", 0.3815, 0.2624, 0.3334),
    ],
    "watermelon_30": [
        ("release8", "纹理", None, 0.3806, 0.2631),
        ("textbook", "含糖率", 0.126, 0.3493, 0.3997),
    ],
}


@pytest.mark.parametrize(
    ("name", "variant", "column", "cut", "gain", "ratio"),
    [(name, *root) for name, roots in ROOTS.items() for root in roots],
    ids=[f"{name}-{root[0]}" for name, roots in ROOTS.items() for root in roots],
)
def test_c45_asks_first_what_the_books_figures_say(name, variant, column, cut, gain, ratio):
    table, target = datasets.load(name)
    tree = C45Classifier(variant=variant, pruning=False).fit(table, target).tree_
    question = tree.node(0).question
    assert list(table)[question.column] == column
    assert (question.cut if isinstance(question, Threshold) else None) == (
        None if cut is None else pytest.approx(cut)
    )
    assert tree.net_gain[0] == printed(gain, 4)
    assert tree.ratio[0] == printed(ratio, 4)
    columns, y = rows_of(name)
    found = split(columns[column], y, cut)
    assert tree.net_gain[0] == pytest.approx(found.gain, abs=EXACT)  # no winner here paid for cuts
    expected = found.ratio if variant == "textbook" else found.ratio_with_unknown
    assert tree.ratio[0] == pytest.approx(expected, abs=EXACT)


def test_release_8_charges_humidity_for_two_cuts_on_sunny_days():
    """Five days, 2 of them play: a perfect cut gains 0.971 bits and pays log2(2) / 5."""
    table, target = datasets.load("golf")
    tree = C45Classifier(pruning=False).fit(table, target).tree_
    (sunny,) = (node for node in tree.walk() if node.depth == 1 and node.outcome == (3.0, 2.0))
    assert list(table)[sunny.question.column] == "humidity"
    assert sunny.question.cut == 75  # a value of the table, not half-way to the next
    assert tree.net_gain[sunny.id] == pytest.approx(information.entropy(counts=[3, 2]) - math.log2(2) / 5)
    assert tree.net_gain[sunny.id] == printed(0.771, 3)


def test_a_day_without_outlook_lowers_its_gain_and_is_a_branch_of_its_split():
    """Quinlan (1993), chapter 3: day 12, an overcast one, loses its outlook."""
    table, target = datasets.load("golf")
    table["outlook"][11] = None
    tree = C45Classifier(pruning=False).fit(table, target).tree_
    assert list(table)[tree.column[0]] == "outlook"
    assert tree.net_gain[0] == printed(0.199, 3)
    assert tree.net_gain[0] / tree.ratio[0] == printed(1.809, 3)
    # Its share in each branch is that of the days that are known: 5, 3 and 5 of 13.
    assert sorted(tree.node(child).weight for child in tree.children(0)) == pytest.approx(
        [3 + 3 / 13, 5 + 5 / 13, 5 + 5 / 13]
    )


# -- ID3, node by node ------------------------------------------------------------------------------------

ID3_TREES = {
    "loan_lihang": """\
15 rows: 是 9, 否 6
├── 有自己的房子 = 否: 9 rows: 否 6, 是 3
│   ├── 有工作 = 否 → 否 (100% of 6 rows)
│   └── 有工作 = 是 → 是 (100% of 3 rows)
└── 有自己的房子 = 是 → 是 (100% of 6 rows)""",
    "weather_nominal": """\
14 rows: yes 9, no 5
├── outlook = overcast → yes (100% of 4 rows)
├── outlook = rainy: 5 rows: yes 3, no 2
│   ├── windy = FALSE → yes (100% of 3 rows)
│   └── windy = TRUE → no (100% of 2 rows)
└── outlook = sunny: 5 rows: no 3, yes 2
    ├── humidity = high → no (100% of 3 rows)
    └── humidity = normal → yes (100% of 2 rows)""",
    "contact_lenses": """\
24 rows: none 15, soft 5, hard 4
├── tear_prod_rate = normal: 12 rows: soft 5, hard 4, none 3
│   ├── astigmatism = no: 6 rows: soft 5, none 1
│   │   ├── age = pre-presbyopic → soft (100% of 2 rows)
│   │   ├── age = presbyopic: 2 rows: none 1, soft 1
│   │   │   ├── spectacle_prescrip = hypermetrope → soft (100% of 1 row)
│   │   │   └── spectacle_prescrip = myope → none (100% of 1 row)
│   │   └── age = young → soft (100% of 2 rows)
│   └── astigmatism = yes: 6 rows: hard 4, none 2
│       ├── spectacle_prescrip = hypermetrope: 3 rows: none 2, hard 1
│       │   ├── age = pre-presbyopic → none (100% of 1 row)
│       │   ├── age = presbyopic → none (100% of 1 row)
│       │   └── age = young → hard (100% of 1 row)
│       └── spectacle_prescrip = myope → hard (100% of 3 rows)
└── tear_prod_rate = reduced → none (100% of 12 rows)""",
    # Zhou, figure 4.4
    "watermelon_20": """\
17 rows: 否 9, 是 8
├── 纹理 = 模糊 → 否 (100% of 3 rows)
├── 纹理 = 清晰: 9 rows: 是 7, 否 2
│   ├── 根蒂 = 硬挺 → 否 (100% of 1 row)
│   ├── 根蒂 = 稍蜷: 3 rows: 是 2, 否 1
│   │   ├── 色泽 = 乌黑: 2 rows: 否 1, 是 1
│   │   │   ├── 触感 = 硬滑 → 是 (100% of 1 row)
│   │   │   └── 触感 = 软粘 → 否 (100% of 1 row)
│   │   ├── 色泽 = 浅白 → 是 (0 rows)
│   │   └── 色泽 = 青绿 → 是 (100% of 1 row)
│   └── 根蒂 = 蜷缩 → 是 (100% of 5 rows)
└── 纹理 = 稍糊: 5 rows: 否 4, 是 1
    ├── 触感 = 硬滑 → 否 (100% of 4 rows)
    └── 触感 = 软粘 → 是 (100% of 1 row)""",
}


@pytest.mark.parametrize("name", ID3_TREES)
def test_id3_grows_the_books_tree(name):
    assert ID3Classifier().fit(*datasets.load(name)).to_text() == ID3_TREES[name]


@pytest.mark.parametrize("name", ID3_TREES)
def test_id3_asks_in_every_node_the_column_of_most_gain(name):
    estimator = ID3Classifier().fit(*datasets.load(name))
    columns, y = rows_of(name)
    names = list(columns)
    path = estimator.decision_path({column: list(values) for column, values in columns.items()}).toarray()
    for node in estimator.tree_.walk():
        inside = path[:, node.id] > 0
        if not inside.any():
            continue
        gains = [split(columns[each][inside], y[inside]).gain for each in names]
        assert node.impurity == pytest.approx(information.entropy(y[inside]), abs=EXACT)
        if node.is_leaf:
            assert node.impurity == 0 or max(gains) == 0
            continue
        assert node.question.column == int(np.argmax(np.round(gains, 12)))  # the first of equals
        share = inside.sum() / len(y)  # `gain` is relative to the whole table
        assert node.gain == pytest.approx(share * max(gains), abs=EXACT)


def test_clear_watermelons_have_the_books_gains():
    """Zhou, section 4.2.1: of the nine with 纹理 = 清晰, 根蒂, 脐部 and 触感 gain the same."""
    columns, y = rows_of("watermelon_20")
    clear = columns["纹理"] == "清晰"
    expected = {"色泽": 0.043, "根蒂": 0.458, "敲声": 0.331, "脐部": 0.458, "触感": 0.458}
    for column, gain in expected.items():
        assert split(columns[column][clear], y[clear]).gain == printed(gain, 3), column


# -- CART -------------------------------------------------------------------------------------------------


def test_one_value_against_the_rest_has_li_hangs_gini_indices():
    """Li Hang, example 5.4: the Gini index of every value of every column."""
    expected = {
        "年龄": {"青年": 0.44, "中年": 0.48, "老年": 0.44},
        "有工作": {"是": 0.32},
        "有自己的房子": {"是": 0.27},
        "信贷情况": {"非常好": 0.36, "好": 0.47, "一般": 0.32},
    }
    columns, y = rows_of("loan_lihang")
    for column, of_values in expected.items():
        for value, index in of_values.items():
            assert information.conditional_gini(y, columns[column] == value) == printed(index, 2), value
    tree = DecisionTreeClassifier(categorical_split="one-vs-rest").fit(*datasets.load("loan_lihang"))
    root = tree.tree_.node(0)
    assert list(columns)[root.question.column] == "有自己的房子"
    assert root.impurity - root.gain == printed(0.27, 2)
