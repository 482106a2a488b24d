"""Record what the `shap` package answers, for `explain/test_shapley.py`.

Run by hand where shap is installed (it brings 200 MB along, so the tests do not ask for it)::

    pip install shap && python tests/make_shap_values.py

Trees are grown here and handed to shap as scikit-learn trees that predict the same.
"""

import json
from pathlib import Path

import numpy as np

from shap_trees import TREES, fitted

FILE = Path(__file__).parent / "explain" / "shap_values.json"


def main() -> None:
    """Ask shap about every tree and write the answers down."""
    import shap

    answers = {}
    for name in TREES:
        tree, rows = fitted(name)
        explainer = shap.TreeExplainer(tree.to_sklearn(), feature_perturbation="tree_path_dependent")
        answers[name] = {
            "expected": np.atleast_1d(explainer.expected_value).tolist(),
            "values": np.asarray(explainer.shap_values(rows, check_additivity=True)).tolist(),
        }
    text = json.dumps({"shap": shap.__version__, "trees": answers}, indent=0).replace("\n", "")
    FILE.write_text(text.replace('], "', '],\n"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
