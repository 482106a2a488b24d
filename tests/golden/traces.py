"""Read what Release 8 says while it grows a tree (-v 2 and -v 3): every column of every node."""

import re
from dataclasses import dataclass, field
from pathlib import Path

NODE = re.compile(r"(\d+) items, total weight ([\d.]+)$")
COLUMN = re.compile(r"\tAtt ([^\s:]+)")
SCORE = re.compile(r"(?:cut=(\S+), )?inf (-?[\d.]+),? gain (-?[\d.]+)(?:,? val[ =](-?[\d.]+))?")
AVERAGE = re.compile(r"\taverage gain (-?[\d.]+)")
CUT = re.compile(r"\t\tCut at (-?[\d.]+)\s+\(gain (-?[\d.]+), val (-?[\d.]+)\)")
BRANCH = re.compile(r"\t\t\[(.*?)\s*:([-\s\d.]+)\]")
BEST = re.compile(r"\tbest attribute (\S+)(?: cut (\S+))? inf ([\d.]+) gain (-?[\d.]+) val (-?[\d.]+)")
UNKNOWN = re.compile(r"\tunknown rate for (\S+) = ([\d.]+)")
NO_SPLITS = re.compile(r"\tno sensible splits\s+([\d.]+)/([\d.]+)")
COLLAPSED = re.compile(r"Collapse tree for (\d+) items to leaf ")
UNITED = re.compile(r"\t\tform subset (.+), (.+): (\d+) subsets, ")
COMBINED = re.compile(r"\t\tcombine (\d+), (\d+)")
END = "Decision Tree:"  # what follows is the tree, and what pruning makes of it

# What is named, and may hold digits: columns, classes, categories.
NAMES = re.compile(
    r"\tAtt [^\s:]+|best attribute \S+|unknown rate for \S+|to leaf .*|form subset .*?:|\t\t\[.*?:|^\t\t\t.*"
)
FIGURE = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass
class SaidCut:
    """What -v 3 says of one cut: its middle, gain and ratio, and class weights unknown, below and above."""

    middle: float
    gain: float
    ratio: float
    branches: list[list[float]] = field(default_factory=list)


@dataclass
class SaidGroups:
    """What -v 3 says of one way to group categories: a step of -s, or a branch for each of them.

    The kinds: "each" category, "pure" ones joined, two groups "united", and what is "final".
    """

    kind: str
    united: tuple[str, str] | None = None  # a category of either group
    n_groups: int | None = None
    combined: tuple[int, int] | None = None  # their places, where the union is kept
    info: float | None = None
    gain: float | None = None
    ratio: float | None = None
    branches: list[list[float]] = field(default_factory=list)  # class weights, those unknown first


@dataclass
class Said:
    """What was said of a column: its last scores, or why there are none."""

    column: str
    cut: float | None = None
    info: float | None = None
    gain: float | None = None
    reason: str | None = None  # why it offers nothing
    cuts: list[SaidCut] = field(default_factory=list)
    groups: list[SaidGroups] = field(default_factory=list)


@dataclass
class Block:
    """What was said of a node."""

    n_cases: int
    weight: float
    columns: list[Said] = field(default_factory=list)
    average: float | None = None
    best: tuple[str, float | None, float, float, float] | None = None  # column, cut, info, gain, worth
    unknown: tuple[str, float] | None = None  # the best column, the share of weight without a value
    no_splits: tuple[float, float] | None = None  # weight and errors of a leaf
    collapsed: list[int] = field(default_factory=list)  # cases of nodes that, after it, became leaves


def number(text: str | None) -> float | None:
    return None if text is None else float(text)


def read(path: Path) -> list[Block]:
    """List the nodes in the order they were looked at; leaves by weight or purity are not among them."""
    blocks: list[Block] = []
    for line in grown(path):
        if found := NODE.match(line):
            blocks.append(Block(int(found[1]), float(found[2])))
        elif blocks:
            take(line, blocks[-1])
    return blocks


def grown(path: Path) -> list[str]:
    """Give the lines about growing."""
    lines = path.read_text("utf-8").splitlines()
    return lines[: lines.index(END)]


def count_figures(path: Path) -> int:
    """Count the numbers that are printed while a tree grows, whatever they mean; `read` has no part in it."""
    lines = grown(path)
    first = next(at for at, line in enumerate(lines) if NODE.match(line))
    return sum(len(FIGURE.findall(NAMES.sub(" ", line))) for line in lines[first:])


def take(line: str, block: Block) -> None:
    """Read one line about a node."""
    if found := COLUMN.match(line):
        block.columns.append(Said(found[1]))
    if found := AVERAGE.match(line):
        block.average = float(found[1])
    elif found := BEST.match(line):
        block.best = (found[1], number(found[2]), float(found[3]), float(found[4]), float(found[5]))
    elif found := UNKNOWN.match(line):
        block.unknown = (found[1], float(found[2]))
    elif found := NO_SPLITS.match(line):
        block.no_splits = (float(found[1]), float(found[2]))
    elif found := COLLAPSED.match(line):
        block.collapsed.append(int(found[1]))
    elif block.columns:
        take_of_column(line, block.columns[-1])


def take_of_column(line: str, said: Said) -> None:
    """Read a line about a column."""
    if found := CUT.match(line):
        said.cuts.append(SaidCut(*map(float, found.groups())))
    elif found := BRANCH.match(line):
        take_branch(found[1], [float(weight) for weight in found[2].split()], said)
    elif "After merging single-class subsets" in line:
        said.groups.append(SaidGroups("pure"))
    elif "Final subsets" in line:
        said.groups.append(SaidGroups("final"))
    elif found := COMBINED.match(line):
        said.groups[-1].combined = (int(found[1]), int(found[2]))
    elif found := UNITED.match(line):
        said.groups.append(SaidGroups("united", (found[1], found[2]), int(found[3])))
        take_scores(line, said)
    elif not line.startswith("\t\t"):
        take_scores(line, said)


def take_branch(label: str, weights: list[float], said: Said) -> None:
    if said.cuts:
        said.cuts[-1].branches.append(weights)
        return
    if not said.groups:
        said.groups.append(SaidGroups("each"))
    step = said.groups[-1]
    if label in ("unknown", "0"):
        assert not step.branches, "a table begins anew"
    step.branches.append(weights)


def take_scores(line: str, said: Said) -> None:
    if found := SCORE.search(line):
        said.cut, said.info, said.gain = number(found[1]), float(found[2]), float(found[3])
        said.reason = "not two branches" if said.gain == -0.001 else None
        if said.groups:
            step = said.groups[-1]
            step.info, step.gain, step.ratio = said.info, said.gain, number(found[4])
    else:
        reasons = ("no gain", "insufficient cases", "no known values")
        said.reason = next((one for one in reasons if one in line), said.reason)
