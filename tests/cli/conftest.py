"""A table and a model of it, shared by the tests of a file."""

import csv

import pytest

import treewright as tw
from cli.commands import run


def write_table(path, name):
    columns, target = tw.datasets.load(name)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return target


@pytest.fixture(scope="module")
def golf(tmp_path_factory):
    """The folder of golf.csv and golf.tw.json."""
    folder = tmp_path_factory.mktemp("golf")
    write_table(folder / "golf.csv", "golf")
    ran = run(
        "fit",
        folder / "golf.csv",
        "--target",
        "class",
        "--algorithm",
        "c45",
        "--folds",
        0,
        "-o",
        folder / "golf.tw.json",
    )
    assert ran.status == 0, ran.said
    return folder
