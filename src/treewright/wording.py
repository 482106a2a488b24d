"""The texts of the library in English and in Chinese: the only table of translations.

The English text is written where it is used and is the key here, so that code is readable without a glossary.
"""

from typing import Literal, TypeAlias, get_args

from treewright.errors import ParameterError
from treewright.formatting import format_count

Language: TypeAlias = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

CHINESE = {
    # counts
    "row": "个样本",
    "more node": "个结点",
    # conditions
    "is missing": "缺失",
    "is known": "有值",
    " or missing": " 或缺失",
    "... {n} more": "... 另 {n} 个",
    "and its surrogates are missing": "及其替代属性都缺失",
    # the text of a tree
    "{share} of {rows}": "{rows}中占 {share}",
    "{share}, {rows}": "{rows}中占 {share}",
    "{share} of weight {weight} in {rows}": "{rows}, 权重 {weight} 中占 {share}",
    "{rows}: value {value}, {spread}": "{rows}: 值 {value}, {spread}",
    "sd {figure}": "标准差 {figure}",
    "MAE {figure}": "平均绝对误差 {figure}",
    "deviance {figure}": "偏差 {figure}",
    "impurity {figure}": "不纯度 {figure}",
    "stays here": "停在此处",
    "{n} stays": "{n} 个停留",
    "{n} stay": "{n} 个停留",
    "... {n} leaves": "... {n} 个叶结点",
    "... {n} leaves below": "... 下面有 {n} 个叶结点",
    # drawings
    "surrogate": "个替代属性",
    "missing: {surrogates}": "缺失: {surrogates}",
    "missing: {surrogates}, or stays here": "缺失: {surrogates}, 或停在此处",
    "missing: stays here": "缺失: 停在此处",
    "missing: every branch": "缺失: 进入每一支",
    "… {n} more": "… 另 {n} 个",
    "{n} more nodes below node {node}": "结点 {node} 下另有 {n} 个结点",
    "node {node}": "结点 {node}",
    "weight {figure}": "权重 {figure}",
    "answer: {answer}": "预测: {answer}",
    "value: {answer}": "值: {answer}",
    "surrogate: {condition}": "替代属性: {condition}",
    "Decision tree": "决策树",
    "Decision tree for {target}": "{target} 的决策树",
    "{n} node": "{n} 个结点",
    "{n} nodes": "{n} 个结点",
    "{n} leaf": "{n} 个叶结点",
    "{n} leaves": "{n} 个叶结点",
    "{nodes}, {n} of them drawn": "{nodes}, 画出 {n} 个",
    "{n} others": "其余 {n} 个",
    "{low} to {high}": "{low} 至 {high}",
    "rows: {low} to {high}": "样本: {low} 至 {high}",
    "mean": "均值",
    "{n} level of questions": "{n} 层划分",
    "{n} levels of questions": "{n} 层划分",
    "fit the window": "适合窗口",
    "Point at a box for details.": "指向方框可看详情.",
    "As text": "文本",
    # the ledger
    "node {node}, weight {weight}: {why}": "结点 {node}, 权重 {weight}: {why}",
    "asks {split}": "按 {split} 划分",
    "a leaf: {why}": "叶结点: {why}",
    "a leaf: {why}; it would have asked {split}": "叶结点: {why}; 否则按 {split} 划分",
    "… {nodes}": "… 另有 {nodes}",
    "each of {n}": "{n} 个取值各一支",
    "no row reaches it": "没有样本到达",
    "all rows have one answer": "样本都属于同一类",
    "the tree has reached its maximum depth": "已达到最大深度",
    "too few rows to be split": "样本太少, 不再划分",
    "too few rows for two leaves": "样本太少, 不够分成两个叶结点",
    "too little weight to be split": "权重太小, 不再划分",
    "its impurity is low enough": "不纯度已足够低",
    "no column can be split": "没有属性可以划分",
    "it gains too little": "增益太小",
    "the limit on leaves is reached": "已达到叶结点数的上限",
    "pruned": "已剪枝",
    "rank": "名次",
    "column": "属性",
    "question": "划分条件",
    "branches": "各分支",
    "known": "有值比例",
    "Gini": "基尼指数",
    "entropy": "条件熵",
    "squares": "平方和",
    "impurity left": "剩余不纯度",
    "gain": "增益",
    "cost": "罚项",
    "split": "划分信息",
    "ratio": "增益率",
    "reason": "说明",
    "why": "说明",
    "wins": "胜出",
    "best, but {why}": "最好, 但{why}",
    "gain {below} below {above} of `{winner}`": "增益 {below} 低于 `{winner}` 的 {above}",
    "ratio {below} below {above} of `{winner}`": "增益率 {below} 低于 `{winner}` 的 {above}",
    "splits off nothing, so it has no ratio": "什么也没分出来, 没有增益率",
    "tied with `{winner}`, later column": "与 `{winner}` 并列, 列序靠后",
    "gain {below} below the average {above}": "增益 {below} 低于平均值 {above}",
    "gain {gain} does not pay {cost} for {n} cuts tried": "增益 {gain} 抵不过试 {n} 个切点的罚项 {cost}",
    "no positive gain": "没有正的增益",
    "answers would be out of order": "预测值的次序会乱",
    "another cut is better": "另一个切点更好",
    "{split} is better": "{split} 更好",
    "tied with {split}, later cut": "与 {split} 并列, 切点靠后",
    "tied with {split}, sides less even": "与 {split} 并列, 两侧更不均匀",
    "constant": "只有一个取值",
    "not drawn": "没有抽中",
    "not needed": "不必搜索",
    "all missing": "全部缺失",
    "used above": "上面用过",
    "fewer than {rows} on one side": "一侧少于 {rows}",
    "less than a weight of {weight} on one side": "一侧的权重小于 {weight}",
    "Gain": "增益",
    "Twoing": "Twoing",
    "SplitInfo": "划分信息",
    "GainRatio": "增益率",
    # commands
    "Candidate splits at the root": "根结点的候选划分",
    "Seventeen watermelons with six categorical and two numeric columns: which are good ({target})?\n"
    "The candidate splits of C4.5 at the root:": "十七个西瓜, 六个离散属性, 两个连续属性: "
    "哪些是好瓜 ({target})?\nC4.5 在根结点的候选划分:",
    "How two of these scores are computed:": "其中两个是这样算出来的:",
    "The tree:": "树:",
    "The same tree as rules:": "同一棵树写成规则:",
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
"""Chinese texts by their English key; figures are in braces."""


def as_language(lang: object) -> Language:
    """Check that a language is available, and return it.

    Examples
    --------
    >>> as_language("zh")
    'zh'
    """
    for known in LANGUAGES:
        if lang == known:
            return known
    raise ParameterError(f"lang={lang!r} is not a language of treewright; use 'en' or 'zh'.")


def counted(lang: Language, n: int, one: str) -> str:
    """Write a number of things in a language.

    Examples
    --------
    >>> counted("en", 2, "row"), counted("zh", 1200, "row")
    ('2 rows', '1,200 个样本')
    """
    return format_count(n, one) if lang == "en" else f"{n:,} {CHINESE[one]}"


def said(lang: Language, text: str, **figures: object) -> str:
    """Return a text in a language, with its figures filled in.

    Examples
    --------
    >>> said("en", "branch {node} takes its place", node=4), said("zh", "stays")
    ('branch 4 takes its place', '保留')
    """
    return (text if lang == "en" else CHINESE[text]).format(**figures)
