"""The speed figures of the README, written from ``benchmarks/results`` between markers, in both languages.

python -m benchmarks.compare.quote             rewrite README.md and README.zh-CN.md
python -m benchmarks.compare.quote --print     only print what they would say
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from benchmarks.compare.asked import ASKED
from benchmarks.compare.layout import THEIRS, markdown, ratio, seconds, times
from benchmarks.compare.measure import Figures
from benchmarks.compare.results import Results, read
from benchmarks.compare.verdicts import OURS
from benchmarks.compare.words import CHINESE, WORDS

ROOT = Path(__file__).resolve().parents[2]
READMES = {"en": ROOT / "README.md", "zh": ROOT / "README.zh-CN.md"}
# What is said of one table: the four fits that every reader knows.
USUAL_FITS = ("classes 8", "classes full", "numbers 8", "numbers full")
USUAL_SIZE = "100,000 ×"


def blocks(results: Results, language: str) -> dict[str, str]:
    """Write what stands between each pair of markers, with a remark on the run where it has one."""
    words = WORDS[language]
    text = [table(results, language), "", *one_tree(results, language)]
    text += [*sentences(results, language), "", words["machine"].format(**results.machine)]
    text += [results.machine["remark"]] if "remark" in results.machine else []
    low, high = usual_range(results)
    return {"speed": "\n" + "\n".join(text) + "\n", "speed range": words["range"].format(low=low, high=high)}


def sizes_block(results: Results, language: str) -> dict[str, str]:
    """Write the times of large tables, a row for each: treewright's, and how many times that others take."""
    rows = []
    for job in dict.fromkeys(f.job for f in results.time):
        of = {f.rival.split(" (")[0]: f for f in results.time if f.job == job}
        ours = of[OURS]
        rows.append(
            [
                said(job, language),
                f"{seconds(ours.cpu_s)}, {seconds(ours.wall_s)}",
                *(
                    f"{ratio(f.cpu_s, ours.cpu_s)}, {ratio(f.wall_s, ours.wall_s)}" if f else ""
                    for f in map(of.get, ("HistGradientBoosting", "LightGBM", THEIRS, f"{OURS}, lists"))
                ),
            ]
        )
    words = WORDS[language]
    text = [*markdown(words["sizes head"], rows), "", words["machine"].format(**results.machine)]
    return {"sizes": "\n" + "\n".join(text) + "\n"}


def table(results: Results, language: str) -> str:
    """Write the ratios, a row for each job that is measured against somebody."""
    rows = [
        [said(v.job, language), said(v.against, language), seconds(v.cost), *map(times, v.ratios)]
        for v in results.verdicts()
        if v.against and not ASKED[v.asked].at_most
    ]
    return "\n".join(markdown(WORDS[language]["head"], rows))


def one_tree(results: Results, language: str) -> list[str]:
    """Write everybody's times for the tree that approximate libraries are measured by."""
    found = [f for f in results.time if f.asked == "one tree"]
    if len(found) < 2:
        return []
    rows = [
        [said(f.rival, language), seconds(f.cpu_s), seconds(f.wall_s), f"{f.n_leaves:,}", f"{f.score:.3f}"]
        for f in sorted(found, key=lambda f: f.cpu_s or 0.0)
    ]
    words = WORDS[language]
    return [
        words["one tree"].format(job=said(found[0].job, language)),
        "",
        *markdown(words["trees"], rows),
        "",
    ]


def sentences(results: Results, language: str) -> list[str]:
    """Write the figures that are in no table."""
    words = WORDS[language]
    text = []
    by_job: dict[str, dict[str, Figures]] = {}
    for f in results.memory:
        by_job.setdefault(f.job, {})[f.rival] = f
    for job, of in by_job.items():
        if OURS in of and THEIRS in of:
            ours, theirs = of[OURS], of[THEIRS]
            text.append(
                words["memory"].format(
                    job=said(job.removeprefix("memory, "), language),
                    ours=f"{ours.peak_mib:.0f}",
                    ours_2=f"{ours.peak_2_mib:.0f}",
                    theirs=f"{theirs.peak_mib:.0f}",
                )
            )
    spent = {f.way: f.cpu_s for f in results.paths}
    for key, begins, name in (
        ("texts", "C4.5, Release 8, adult, ", "texts"),
        ("one column", "2 classes, 500,000 × 1, 100,000 categories, depth 8", "column"),
    ):
        text += [
            words[key].format(**{name: seconds(s)}) for way, s in spent.items() if way.startswith(begins)
        ]
    if results.imports:
        named = {name.split(".")[0]: seconds(value) for name, value in results.imports.items()}
        text.append(words["import"].format(**named))
    return text


def usual_range(results: Results) -> tuple[str, str]:
    """Find the least and the greatest ratio to scikit-learn of the usual fits, one thread."""
    ratios = [
        v.ratios[0]
        for v in results.verdicts()
        if v.asked in USUAL_FITS and USUAL_SIZE in v.job and v.against == THEIRS and v.ratios[0]
    ]
    return (f"{min(ratios):.0f}", f"{max(ratios):.0f}") if ratios else ("?", "?")


def said(name: str, language: str) -> str:
    """Say the name of a job or a library in a language."""
    if language == "zh":
        for english, chinese in CHINESE.items():
            name = name.replace(english, chinese)
    return name


def rewritten(page: str, texts: dict[str, str]) -> str:
    """Put texts between their markers; every pair must be there once."""
    for name, text in texts.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        between = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
        page, n = between.subn(lambda _, new=begin + text + end: new, page)
        if n != 1:
            raise SystemExit(f"the README has {n} times {begin} ... {end}; it must have it once")
    return page


def main(arguments: list[str] | None = None) -> None:
    """Rewrite both READMEs, or print what they would say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--print", action="store_true", help="change no file")
    options = parser.parse_args(arguments)
    results, sizes = read(), read(name="sizes")
    for language, path in READMES.items():
        texts = blocks(results, language) | sizes_block(sizes, language)
        if options.print:
            print("\n".join(f"{name}: {text}" for name, text in texts.items()))
        else:
            path.write_text(rewritten(path.read_text(encoding="utf-8"), texts), encoding="utf-8")
            print(f"{path.name}: {', '.join(texts)}")


if __name__ == "__main__":
    main()
