"""What the library says to people, in English and in Chinese: the one table of translations.

The English text stands where it is said, and is the key here, so that code reads without a glossary.
"""

from typing import Literal, TypeAlias, get_args

from treewright.errors import ParameterError

Language: TypeAlias = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

CHINESE = {
    # the pruning ledger
    "cost-complexity pruning: the price g(t) of a leaf": "代价复杂度剪枝: 每个叶结点的代价 g(t)",
    "error-based pruning: errors to expect": "基于误差的剪枝 (C4.5): 预期错误数",
    "reduced-error pruning": "降低错误剪枝 (后剪枝)",
    "pre-pruning": "预剪枝",
    "pessimistic pruning: errors, half an error for each leaf": "悲观剪枝: 错误数, 每个叶结点多算半个",
    "minimum-error pruning: errors to expect": "最小错误剪枝: 预期错误数",
    "accuracy on held-out rows": "验证集精度",
    "mean cost on held-out rows": "验证集平均损失",
    "the tree is a leaf": "整棵树只有一个叶结点",
    "step": "步骤",
    "cut": "剪枝次序",
    "node": "结点",
    "asks": "划分",
    "weight": "权重",
    "leaves": "叶数",
    "leaf": "剪成叶",
    "subtree": "子树",
    "branch": "分支",
    "before": "划分前",
    "after": "划分后",
    "cut at": "剪枝时 α",
    "result": "结果",
    "becomes a leaf": "剪成叶结点",
    "stays": "保留",
    "is split": "划分",
    "stays a leaf": "不划分",
    "branch {node} takes its place": "由分支 {node} 取代",
    "goes with node {node}": "随结点 {node} 剪去",
}
"""Chinese by English; figures stand in braces."""


def check_language(lang: object) -> None:
    """Refuse a language that the library does not speak."""
    if lang not in LANGUAGES:
        raise ParameterError(f"lang={lang!r} is not a language of treewright; use 'en' or 'zh'.")


def said(lang: Language, text: str, **figures: object) -> str:
    """Say a text in a language, with its figures filled in.

    Examples
    --------
    >>> said("en", "branch {node} takes its place", node=4), said("zh", "stays")
    ('branch 4 takes its place', '保留')
    """
    return (text if lang == "en" else CHINESE[text]).format(**figures)
