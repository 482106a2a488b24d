"""Priors and losses as rpart has them: the first split of every stored tree that was given some."""

import json
import math

import pandas as pd
import pytest

from conftest import SHARED
from golden.stored import cells, schema
from treewright import DecisionTreeClassifier

RESULTS = sorted((SHARED / "golden" / "rpart").glob("rpart__*__*prior*.json")) + sorted(
    (SHARED / "golden" / "rpart").glob("rpart__*__loss*.json")
)


def table_of(stored):
    """Read the table that rpart was given: categories declared, rows without a target left out."""
    about = schema(stored["dataset"])
    frame = pd.DataFrame(list(cells(SHARED / "data" / f"{stored['dataset']}.csv")))
    frame = frame[frame[about["target"]] != ""]
    y = frame.pop(about["target"])
    for column in about["schema"]:
        name = column["name"]
        if name in stored["ignored_columns"] or name not in frame:
            frame = frame.drop(columns=name, errors="ignore")
        elif column["type"] == "categorical":
            frame[name] = pd.Categorical(frame[name].replace("", None), categories=column["categories"])
        else:
            frame[name] = pd.to_numeric(frame[name])
    return frame, y


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_the_first_split_is_that_of_rpart(path):
    stored = json.loads(path.read_text("utf-8"))
    frame, y = table_of(stored)
    parms, classes, root = stored["options"]["parms"], stored["classes"], stored["tree"]
    loss = parms.get("loss") and {
        true: dict(zip(classes, row, strict=True))
        for true, row in zip(classes, parms["loss"]["rows"], strict=True)
    }
    tree = DecisionTreeClassifier(
        criterion="gini" if parms["split"] == "gini" else "entropy",
        max_depth=1,
        min_samples_split=20,
        min_samples_leaf=7,
        missing="majority",
        prior=parms.get("prior") and dict(zip(classes, parms["prior"], strict=True)),
        loss=loss,
    ).fit(frame, y)
    nodes = tree.tree_
    assert frame.columns[nodes.column[0]] == root["split"]["attr"]
    if frame[root["split"]["attr"]].isna().any():
        return  # rpart sends these rows after its surrogates, so the children differ
    unit = 1.0 if parms["split"] == "gini" else math.log(2)  # rpart counts information in nats
    assert nodes.gain[0] * len(y) * unit == pytest.approx(root["split"]["improve"], rel=1e-8)
    order = [classes.index(label) for label in tree.classes_]
    ours = {int(nodes.n_rows[node]): node for node in (1, 2)}
    for child in (root["left"], root["right"]):
        node = ours[child["n"]]
        assert nodes.shares[node].tolist() == pytest.approx([child["probs"][at] for at in order], rel=1e-8)
        assert tree.classes_[nodes.answer[node]] == child["class"]
