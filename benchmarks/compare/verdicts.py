"""Does what is asked hold? Ratios of what was measured, beside the least and the aim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchmarks.compare.asked import ASKED, Asked, Pair
from benchmarks.compare.measure import Figures

OURS = "treewright"


@dataclass(frozen=True)
class Verdict:
    """What is asked of one job, and what came of it.

    Attributes
    ----------
    asked : str
        Key in `ASKED`.
    job : str
        Its name.
    against : str
        The libraries compared with, those that were there; empty if none was.
    cost : float
        What treewright took on one thread: seconds, or MiB.
    ratios : pair of float or None
        The least favourable ratios, on one thread and on two.
    says : {"reaches the aim", "holds", "holds, as far as measured", "misses", "not measured", ""}
        The last where nothing is asked.
    """

    asked: str
    job: str
    against: str
    cost: float
    ratios: Pair
    says: str


def judge(figures: Iterable[Figures]) -> Iterator[Verdict]:
    """Judge each job of treewright's, in the order in which they were done."""
    by_job: dict[tuple[str, str], list[Figures]] = {}
    for f in figures:
        by_job.setdefault((f.asked, f.job), []).append(f)
    for (key, job), found in by_job.items():
        ours = next((f for f in found if f.rival == OURS), None)
        if ours is None:
            continue
        asked = ASKED[key]
        theirs = [f for name in asked.against for f in found if f.rival.startswith(name)]
        cost = ours.peak_mib if asked.at_most else ours.cpu_s
        ratios = _ratios(asked, ours, theirs)
        says = _says(asked, ratios, next((f.cpu_s for f in found if f.rival == asked.most_of), None))
        yield Verdict(key, job, ", ".join(f.rival for f in theirs), cost or 0.0, ratios, says)


def _ratios(asked: Asked, ours: Figures, theirs: list[Figures]) -> Pair:
    """Compare with each, and keep the ratio that is worst for us."""
    if asked.at_most:
        pairs = [((f.peak_mib, ours.peak_mib), (f.peak_2_mib, ours.peak_2_mib)) for f in theirs]
    else:
        pairs = [((ours.cpu_s, f.cpu_s), (ours.wall_s, f.wall_s)) for f in theirs]
    worst = max if asked.at_most else min
    one, two = (
        worst((over / under for under, over in each if under and over), default=None)
        for each in (zip(*pairs, strict=True) if pairs else ((), ()))
    )
    return one, two


def _says(asked: Asked, ratios: Pair, seconds: float | None) -> str:
    """Say whether the least holds, and the aim."""
    if asked.least == (None, None) and asked.most_s is None:
        return ""
    least = _held(asked.least, ratios, asked.at_most)
    if asked.most_s is not None:
        least.append(None if seconds is None else seconds <= asked.most_s)
    if False in least:
        return "misses"
    if None in least:
        return "holds, as far as measured" if True in least else "not measured"
    aim = _held(asked.aim, ratios, asked.at_most)
    return "reaches the aim" if aim and all(aim) else "holds"


def _held(wanted: Pair, ratios: Pair, at_most: bool) -> list[bool | None]:
    """Tell for each thing wanted whether it holds, None where it was not measured."""
    return [
        None if ratio is None else ratio <= want if at_most else ratio >= want
        for want, ratio in zip(wanted, ratios, strict=True)
        if want is not None
    ]
