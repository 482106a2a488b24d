"""Trees, ledgers and formulas in Chinese: every sentence, every figure."""

import re

import numpy as np
import pytest

import treewright as tw
from drawn_trees import KINDS, tree_of
from treewright.errors import ParameterError
from treewright.export import text

_ENGLISH = re.compile(
    r"\b(row|rows|node|weight|asks|leaf|gain|ratio|below|missing|known|wins|tied|column|of|sd|value|stays)\b"
)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def melons(**options):
    columns, target = tw.datasets.load("watermelon_20a_density")
    return tw.C45Classifier(keep_ledger=True, **options).fit(columns, target), columns, target


def test_a_tree_in_chinese_reads_as_expected():
    tree, *_ = melons(variant="textbook")
    assert tree.to_text(lang="zh") == (
        "17 个样本: 否 9, 是 8\n"
        "├── 密度 <= 0.3815 → 否 (4 个样本中占 100%)\n"
        "└── 密度 > 0.3815: 13 个样本: 是 8, 否 5\n"
        "    ├── 纹理 = 模糊 → 否 (2 个样本, 权重 1.08333 中占 92%: 否 1, 是 0.0833333)\n"
        "    ├── 纹理 = 清晰 → 是 (7 个样本, 权重 6.5 中占 100%)\n"
        "    └── 纹理 = 稍糊 → 否 (6 个样本, 权重 5.41667 中占 74%: 否 4, 是 1.41667)"
    )
    with pytest.raises(ParameterError, match="lang='fr'"):
        tree.to_text(lang="fr")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "adult"])
def test_a_tree_in_chinese_has_the_lines_and_figures_of_the_english_one(kind):
    model = tree_of(kind).model_
    english, chinese = (text.write(model, width=None, lang=lang) for lang in ("en", "zh"))
    assert len(chinese.splitlines()) == len(english.splitlines())
    assert sorted(_DIGITS.findall(chinese)) == sorted(_DIGITS.findall(english))
    assert all("个样本" in line or "停在此处" in line for line in chinese.splitlines())
    assert " rows" not in chinese


def test_a_ledger_in_chinese_says_all_in_chinese():
    tree, columns, target = melons()
    chinese = tree.ledger_.in_language("zh")
    assert str(chinese[0]).splitlines()[0] == "结点 0, 权重 17: 按 纹理, 3 个取值各一支 划分"
    assert str(chinese[0]).splitlines()[1].split() == [
        *("名次", "属性", "划分条件", "各分支", "有值比例", "增益", "罚项", "划分信息", "增益率", "说明")
    ]
    assert chinese[0].row("密度").reason == "增益 0.038 低于平均值 0.189"
    assert chinese[0].row("纹理").reason == "胜出"
    assert chinese.why(1) == "叶结点: 权重太小, 不再划分"
    assert chinese[0].formula("密度").splitlines() == [
        "增益(密度 <= 0.36) = 0.9975 − 4/17 × 0 − 13/17 × 0.9612 = 0.2624",
        "增益(密度 <= 0.36) − log2(14) / 17 = 0.2624 − 0.2240 = 0.0385",
        "划分信息(密度 <= 0.36) = −4/17 × log2(4/17) − 13/17 × log2(13/17) = 0.7871",
        "增益率(密度 <= 0.36) = 0.0385 / 0.7871 = 0.0489",
    ]
    audited = tw.audit(tree, columns, target, every_cut=True, lang="zh")
    for each in (str(chinese), str(audited), chinese._repr_html_()):
        assert not _ENGLISH.search(re.sub(r"<[^>]+>|log2", "", each)), each
    assert chinese == tree.ledger_  # the same figures
    assert sorted(_DIGITS.findall(str(chinese[0]))) == sorted(_DIGITS.findall(str(tree.ledger_[0])))


def test_missing_values_are_named_in_chinese():
    columns, target = tw.datasets.load("watermelon_20a_density")
    tree = tw.DecisionTreeClassifier(missing="branch", keep_ledger=True).fit(columns, target)
    written = tree.to_text(lang="zh") + str(tree.ledger_.in_language("zh"))
    assert "缺失" in written
    assert "missing" not in written
    x = np.array([1.0, 2, 3, 4, np.nan, np.nan])
    tree = tw.DecisionTreeClassifier().fit({"x": x}, [0, 0, 1, 1, 1, 1])
    assert "x > 2.5 或缺失 → 1 (4 个样本中占 100%)" in tree.to_text(lang="zh")
