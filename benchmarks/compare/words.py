"""The words around the figures that the READMEs quote, in both languages."""

from __future__ import annotations

WORDS = {
    "en": {
        "head": ["table and tree", "against", "treewright", "1 thread, CPU", "2 threads, wall"],
        "trees": ["library", "1 thread, CPU", "2 threads, wall", "leaves", "accuracy"],
        "one tree": "One tree, {job}; those marked look at some 255 bins a column, others at every value:",
        "memory": (
            "Peak memory above the start, {job}: {ours} MiB on one thread, {ours_2} MiB on two; "
            "scikit-learn {theirs} MiB."
        ),
        "import": (
            "CPU time of an interpreter that imports NumPy: {numpy}; treewright: {treewright}; "
            "`sklearn.tree`: {sklearn}."
        ),
        "texts": (
            "`C45Classifier` on the adult table (48,842 rows, 8 columns of categories given as texts, 6 of "
            "numbers, gaps), grown and pruned: {texts}."
        ),
        "one column": "One column of 100,000 categories, 500,000 rows, two classes, depth 8: {column}.",
        "machine": "Measured on {processor}, cores {cores}; {system}; {versions}.",
        "range": "{low} to {high}",
        "sizes head": [
            "table and tree",
            "treewright",
            "HistGradientBoosting",
            "LightGBM",
            "scikit-learn",
            "treewright, sorted lists",
        ],
    },
    "zh": {
        "head": ["数据与树", "对手", "treewright", "1 线程，CPU 时间", "2 线程，实际时间"],
        "trees": ["库", "1 线程，CPU 时间", "2 线程，实际时间", "叶结点", "准确率"],
        "one tree": "一棵树，{job}；标有“分箱”的每列只看约 255 个箱，其余查看每一个取值：",
        "memory": (
            "{job}，峰值内存比起始高出：单线程 {ours} MiB，双线程 {ours_2} MiB；scikit-learn {theirs} MiB。"
        ),
        "import": (
            "解释器导入所花的 CPU 时间：NumPy {numpy}，treewright {treewright}，`sklearn.tree` {sklearn}。"
        ),
        "texts": (
            "`C45Classifier` 在 adult 表上（48,842 行，8 列以文本给出的类别，6 列数值，有缺失），"
            "生长并剪枝：{texts}。"
        ),
        "one column": "一列 100,000 个类别，500,000 行，两个类，深度 8：{column}。",
        "machine": "测量环境：{processor}，核数 {cores}；{system}；{versions}。",
        "range": "{low} 到 {high}",
        "sizes head": [
            "数据与树",
            "treewright",
            "HistGradientBoosting",
            "LightGBM",
            "scikit-learn",
            "treewright，排序列表",
        ],
    },
}
# Names of jobs and libraries are put together of these; what is part of another comes after it.
CHINESE = {
    "C4.5 (J48's variant) on adult": "adult 上的 C4.5（J48 变体）",
    "J48 in a warm JVM": "预热的 JVM 中的 J48",
    "CART on adult": "adult 上的 CART",
    "10 folds": "10 折",
    "float32 columns": "float32 列",
    "absolute_error": "绝对误差",
    "mixed, gaps": "类别与数值混合、有缺失",
    "fully grown": "长满",
    "depth": "深度",
    "predict": "预测",
    "numbers": "回归",
    "noise": "噪声",
    "100 classes": "100 类",
    "classes": "分类",
    "NumPy": "NumPy 数组",
    "dict": "字典",
    "fit": "拟合",
    " (binned)": "（分箱）",
    ", ": "，",
}
