"""Read what Release 8 says while it grows a tree (-v 2 and -v 3): every column of every node."""

import re
from dataclasses import dataclass, field
from pathlib import Path

NODE = re.compile(r"(\d+) items, total weight ([\d.]+)$")
COLUMN = re.compile(r"\tAtt ([^\s:]+)")
SCORE = re.compile(r"(?:cut=(\S+), )?inf (-?[\d.]+),? gain (-?[\d.]+)")
AVERAGE = re.compile(r"\taverage gain (-?[\d.]+)")
CUT = re.compile(r"\t\tCut at (-?[\d.]+)\s+\(gain (-?[\d.]+), val (-?[\d.]+)\)")
BRANCH = re.compile(r"\t\t\[(.*?)\s*:([-\s\d.]+)\]")
BEST = re.compile(r"\tbest attribute (\S+)(?: cut (\S+))? inf ([\d.]+) gain (-?[\d.]+) val (-?[\d.]+)")


@dataclass
class SaidCut:
    """What -v 3 says of one cut: its middle, gain and ratio, and class weights unknown, below and above."""

    middle: float
    gain: float
    ratio: float
    branches: list[list[float]] = field(default_factory=list)


@dataclass
class Said:
    """What was said of a column: its last scores, or why there are none."""

    column: str
    cut: float | None = None
    info: float | None = None
    gain: float | None = None
    reason: str | None = None  # why it offers nothing
    cuts: list[SaidCut] = field(default_factory=list)
    branches: list[list[float]] = field(
        default_factory=list
    )  # class weights, those unknown first; the last table


@dataclass
class Block:
    """What was said of a node."""

    n_cases: int
    weight: float
    columns: list[Said] = field(default_factory=list)
    average: float | None = None
    best: tuple[str, float | None, float, float, float] | None = None  # column, cut, info, gain, worth


def number(text: str | None) -> float | None:
    return None if text is None else float(text)


def read(path: Path) -> list[Block]:
    """List the nodes in the order they were looked at; leaves by weight or purity are not among them."""
    blocks: list[Block] = []
    for line in path.read_text("utf-8").splitlines():
        if found := NODE.match(line):
            blocks.append(Block(int(found[1]), float(found[2])))
        elif blocks:
            take(line, blocks[-1])
    return blocks


def take(line: str, block: Block) -> None:
    """Read one line about a node."""
    if found := COLUMN.match(line):
        block.columns.append(Said(found[1]))
    if block.columns:
        take_branches(line, block.columns[-1])
    if found := AVERAGE.match(line):
        block.average = float(found[1])
    elif found := BEST.match(line):
        block.best = (found[1], number(found[2]), float(found[3]), float(found[4]), float(found[5]))
    elif block.columns and not line.startswith("\t\t"):
        said = block.columns[-1]
        if found := SCORE.search(line):
            said.cut, said.info, said.gain = number(found[1]), float(found[2]), float(found[3])
            said.reason = "not two branches" if said.gain == -0.001 else None
        else:
            reasons = ("no gain", "insufficient cases", "no known values")
            said.reason = next((one for one in reasons if one in line), said.reason)


def take_branches(line: str, said: Said) -> None:
    """Read a line of a table of class weights, or what such a table is about."""
    if found := CUT.match(line):
        said.cuts.append(SaidCut(*map(float, found.groups())))
    elif found := BRANCH.match(line):
        branches = said.cuts[-1].branches if said.cuts else said.branches
        if found[1] in ("unknown", "0"):
            branches.clear()
        branches.append([float(weight) for weight in found[2].split()])
