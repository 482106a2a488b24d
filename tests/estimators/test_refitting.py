"""A fit in one thread while others ask: every answer is that of one fit, the old or the new."""

import sys
import threading

import numpy as np
import pandas as pd
import pytest

from treewright import C45Classifier, DecisionTreeClassifier

rng = np.random.default_rng(0)
FEW = pd.DataFrame({"a": rng.random(40), "b": rng.random(40)})
MANY = pd.DataFrame({"a": rng.random(60), "b": rng.random(60)})
OF_FEW = np.where(FEW["a"] > 0.5, "x", "y")
OF_MANY = np.array([f"class {k}" for k in range(6)])[(MANY["b"] * 6).astype(int)]
ROW = FEW.iloc[:3]

ASKED = {
    "predict": lambda tree: tree.predict(ROW).tolist(),
    "predict_proba": lambda tree: tree.predict_proba(ROW).tolist(),
    "apply": lambda tree: tree.apply(ROW).tolist(),
    "decision_path": lambda tree: tree.decision_path(ROW).toarray().tolist(),
    "score": lambda tree: tree.score(FEW, OF_FEW),
    "rules": lambda tree: [str(rule) for rule in tree.rules()],
    "prune": lambda tree: tree.prune("pessimistic").predict(ROW).tolist(),
    "shapley": lambda tree: tree.shapley_values(ROW).tolist(),
}


@pytest.mark.parametrize("make", [DecisionTreeClassifier, C45Classifier])
def test_answers_while_another_thread_fits_are_those_of_one_fit(make):
    """Version 0.1 gave answers of half a fit, and IndexErrors, in one call of seventy."""
    fits = [make().fit(FEW, OF_FEW), make().fit(MANY, OF_MANY)]
    expected = {name: [ask(fit) for fit in fits] for name, ask in ASKED.items()}
    tree, wrong, done = make().fit(FEW, OF_FEW), [], threading.Event()

    def ask_on():
        while not done.is_set():
            for name, ask in ASKED.items():
                try:
                    found = ask(tree)
                except Exception as error:
                    found = error
                if found not in expected[name]:
                    wrong.append((name, found))
                    done.set()

    interval = sys.getswitchinterval()
    threads = [threading.Thread(target=ask_on) for _ in range(3)]
    try:
        sys.setswitchinterval(1e-6)
        for thread in threads:
            thread.start()
        for _ in range(150):
            if done.is_set():
                break
            tree.fit(MANY, OF_MANY)
            tree.fit(FEW, OF_FEW)
    finally:
        done.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)
    assert wrong == []


def test_a_fit_that_fails_leaves_the_last_one():
    tree = DecisionTreeClassifier().fit(FEW, OF_FEW)
    before = tree.predict(FEW).tolist()
    with pytest.raises(ValueError, match="weight"):
        tree.fit(MANY, OF_MANY, sample_weight=[-1.0] * len(MANY))
    assert tree.predict(FEW).tolist() == before
    assert tree.classes_.tolist() == ["x", "y"]
